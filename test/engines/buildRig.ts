/** Skeletons of the scenario from tables: where each bone stands at bind, and which it hangs from. */
import type { Asset, Clip, MeshPrimitive, Track, TrackPath } from '../../src/index.js';
import { assetOf } from '../support/chains.js';
import { clipOf } from '../support/poses.js';
import { identity, qmul, type Q4, type V3 } from '../support/referenceMath.js';

/** A bone: its name, that of its parent, its head in the world at bind, its rotation there. */
export type BoneRow = [name: string, parent: string, head: V3, rotation?: Q4];

/** An asset whose first two bones are Root and Armature; the latter carries the scale of the file. */
export function buildRig(name: string, rows: BoneRow[], armatureScale = 1): Asset {
  const names = ['Root', 'Armature', ...rows.map(([bone]) => bone)];
  const asset = assetOf(
    names,
    [-1, 0, ...rows.map(([, parent]) => names.indexOf(parent))],
    [[0, 0, 0], [0, 0, 0], ...rows.map(([, , head]) => head)],
    [identity, identity, ...rows.map(([, , , rotation]) => rotation ?? identity)],
    armatureScale,
  );
  return { ...asset, name };
}

/** Rows of both sides of a body: `_L` as given, `_R` with x the other way; the parent too when it has a side. */
export function bothSides(rows: BoneRow[]): BoneRow[] {
  const right = (text: string): string => text.replace(/_L(?=_?\d*$)/, '_R');
  return rows.flatMap(([name, parent, head]): BoneRow[] => [
    [name, parent, head],
    [right(name), right(parent), [-head[0], head[1], head[2]]],
  ]);
}

/** Rows of a chain: `count` bones by equal steps, each hanging from the one before, named by their number. */
export function chainRows(
  base: string,
  parent: string,
  from: V3,
  step: V3,
  count: number,
  rotation: Q4 = identity,
): BoneRow[] {
  return Array.from({ length: count }, (_, k): BoneRow => {
    const head: V3 = [from[0] + k * step[0], from[1] + k * step[1], from[2] + k * step[2]];
    return [`${base}_${k + 1}`, k === 0 ? parent : `${base}_${k}`, head, rotation];
  });
}

/** Index of a bone. */
export function boneOf(asset: Asset, name: string): number {
  return asset.skeleton.names.indexOf(name);
}

/** A skin that is a little pyramid at each point, held by the bone that is named there. */
export function skinAt(asset: Asset, points: [bone: string, point: V3][]): MeshPrimitive {
  const corners = points.flatMap(([, [x, y, z]]) => [
    x,
    y,
    z,
    x + 0.015625,
    y,
    z,
    x,
    y,
    z + 0.015625,
    x,
    y + 0.015625,
    z,
  ]);
  return {
    name: 'skin/0',
    mesh: 0,
    primitive: 0,
    material: '',
    bone: 0,
    skin: 0,
    positions: Float64Array.from(corners),
    indices: Uint32Array.from(
      points.flatMap((_, k) => [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2].map((corner) => 4 * k + corner)),
    ),
    influences: 4,
    joints: Uint16Array.from(
      points.flatMap(([bone]) => [0, 1, 2, 3].flatMap(() => [boneOf(asset, bone), 1, 0, 0])),
    ),
    weights: Float64Array.from(points.flatMap(() => [0, 1, 2, 3].flatMap(() => [0.75, 0.25, 0, 0]))),
  };
}

/** The rotation of a bone in the file, turned about an axis of its parent. */
export function turned(asset: Asset, bone: string, by: Q4): Q4 {
  const at = 4 * boneOf(asset, bone);
  const [x, y, z, w] = asset.skeleton.rotations.subarray(at, at + 4);
  return qmul(by, [x!, y!, z!, w!]);
}

/** The place of a bone in the file, moved in units of the file. */
export function moved(asset: Asset, bone: string, way: V3): V3 {
  const at = 3 * boneOf(asset, bone);
  const [x, y, z] = asset.skeleton.translations.subarray(at, at + 3);
  return [x! + way[0], y! + way[1], z! + way[2]];
}

/** A track of a clip. */
export function track(
  asset: Asset,
  bone: string,
  path: TrackPath,
  interpolation: Track['interpolation'],
  times: number[],
  values: number[][],
): Track {
  return {
    bone: boneOf(asset, bone),
    path,
    interpolation,
    times: Float64Array.from(times),
    values: Float64Array.from(values.flat()),
  };
}

/** Gives an asset its clips, each from its tracks. */
export function withClips(asset: Asset, clips: Record<string, Track[]>): Asset {
  const all = Object.entries(clips).map(([name, tracks], index): Clip => ({
    ...clipOf(name, tracks),
    index,
  }));
  return { ...asset, clips: all };
}
