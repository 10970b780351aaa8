/**
 * Takes the bones out of a tail, as ../shared/data/derived/*_tail_ablated.glb were made from their originals: the
 * joints are removed, and each vertex with any tail weight is bound to its two nearest remaining bones by 1 / d^2.
 */
import { mat4 } from 'gl-matrix';
import type { Asset, MeshPrimitive } from '../../../src/index.js';
import type { V3 } from '../referenceMath.js';
import { bindPose, transformed, worldVertices, type BindPose } from './bind.js';
import { boneSegments, segmentDistance, type Segment } from './segments.js';

/** What was removed: the shape of the .truth.json files, positions in the space of the first skin. */
export interface TailTruth {
  tailJoints: { name: string; parent: string; bindPosition: V3 }[];
  /** Name of the bone from which the tail hung. */
  attach: string;
  /** Per primitive in file order: [vertex, old tail weight] where it is above 0. */
  primitives: { mesh: string; primitive: number; vertices: number; tail: [number, number][] }[];
}

/** Removes the joints whose names are given, and all that hangs from them. */
export function ablateTail(
  asset: Asset,
  isTail: (name: string) => boolean,
): { asset: Asset; truth: TailTruth } {
  const { skeleton } = asset;
  const removed = skeleton.names.map(() => false);
  for (let b = 0; b < skeleton.count; b++)
    removed[b] = isTail(skeleton.names[b]!) || (removed[skeleton.parents[b]!] ?? false);
  const pose = bindPose(asset);
  const truth = truthOf(asset, removed);
  const segments = boneSegments(asset, pose, removed);
  const numbers = newNumbers(removed);
  const kept = [...removed.keys()].filter((b) => !removed[b]);
  const jointNumbers = asset.skins.map(({ joints }) => newNumbers([...joints].map((b) => removed[b]!)));
  return {
    truth,
    asset: {
      ...asset,
      skeleton: {
        count: kept.length,
        names: kept.map((b) => skeleton.names[b]!),
        parents: Int32Array.from(kept, (b) => numbers[skeleton.parents[b]!] ?? -1),
        nodes: Int32Array.from(kept, (b) => skeleton.nodes[b]!),
        translations: pick(skeleton.translations, kept, 3),
        rotations: pick(skeleton.rotations, kept, 4),
        scales: pick(skeleton.scales, kept, 3),
      },
      skins: asset.skins.map((skin) => {
        const joints = [...skin.joints.keys()].filter((j) => !removed[skin.joints[j]!]);
        return {
          ...skin,
          joints: Int32Array.from(joints, (j) => numbers[skin.joints[j]!]!),
          inverseBinds: pick(skin.inverseBinds, joints, 16),
        };
      }),
      meshes: asset.meshes.map((mesh, m) => ({
        ...rebind(asset, pose, m, removed, segments, jointNumbers[mesh.skin]),
        bone: numbers[mesh.bone]!,
      })),
      clips: asset.clips.map((clip) => ({
        ...clip,
        tracks: clip.tracks
          .filter(({ bone }) => !removed[bone])
          .map((track) => ({ ...track, bone: numbers[track.bone]! })),
        bakedBones: clip.bakedBones.filter((b) => !removed[b]).map((b) => numbers[b]!),
      })),
    },
  };
}

function newNumbers(removed: readonly boolean[]): number[] {
  let next = 0;
  return removed.map((gone) => (gone ? -1 : next++));
}

function pick(values: Float64Array, kept: readonly number[], width: number): Float64Array {
  return Float64Array.from(kept.flatMap((b) => [...values.subarray(width * b, width * (b + 1))]));
}

/** Weight of a vertex on removed joints. */
function tailWeight(asset: Asset, mesh: MeshPrimitive, v: number, removed: readonly boolean[]): number {
  let sum = 0;
  for (let k = v * mesh.influences; k < (v + 1) * mesh.influences; k++)
    if (removed[asset.skins[mesh.skin]!.joints[mesh.joints[k]!]!]) sum += mesh.weights[k]!;
  return sum;
}

function truthOf(asset: Asset, removed: readonly boolean[]): TailTruth {
  const { skeleton, skins } = asset;
  const tailJoints: TailTruth['tailJoints'] = [];
  const pose = bindPose(asset);
  const toSkin = mat4.invert(new Float64Array(16), pose.skinToWorld[0]!)!;
  for (const [b, gone] of removed.entries())
    if (gone && skins.some(({ joints }) => joints.includes(b)))
      tailJoints.push({
        name: skeleton.names[b]!,
        parent: skeleton.names[skeleton.parents[b]!]!,
        bindPosition: transformed(toSkin, pose.heads[b]!),
      });
  return {
    tailJoints,
    attach: tailJoints[0]?.parent ?? '',
    primitives: asset.meshes.flatMap((mesh) => {
      if (mesh.skin < 0) return [];
      const vertices = mesh.positions.length / 3;
      const tail: [number, number][] = [];
      for (let v = 0; v < vertices; v++) {
        const weight = tailWeight(asset, mesh, v, removed);
        if (weight > 0) tail.push([v, weight]);
      }
      return [{ mesh: mesh.name.replace(/\.\d+$/, ''), primitive: mesh.primitive, vertices, tail }];
    }),
  };
}

function rebind(
  asset: Asset,
  pose: BindPose,
  m: number,
  removed: readonly boolean[],
  segments: readonly Segment[],
  jointNumbers: readonly number[] | undefined,
): MeshPrimitive {
  const mesh = asset.meshes[m]!;
  if (mesh.skin < 0) return mesh;
  const skin = asset.skins[mesh.skin]!;
  const places = worldVertices(asset, pose, m);
  const joints = mesh.joints.map((j) => Math.max(0, jointNumbers![j]!));
  const weights = mesh.weights.slice();
  const usable = segments.filter(({ bone }) => skin.joints.includes(bone));
  places.forEach((p, v) => {
    const lost = tailWeight(asset, mesh, v, removed);
    if (lost === 0) return;
    const held = new Map<number, number>();
    const first = v * mesh.influences;
    for (let k = first; k < first + mesh.influences; k++) {
      const bone = skin.joints[mesh.joints[k]!]!;
      if (!removed[bone] && mesh.weights[k]! > 0) held.set(bone, (held.get(bone) ?? 0) + mesh.weights[k]!);
    }
    for (const { bone, share } of twoNearest(p, usable)) held.set(bone, (held.get(bone) ?? 0) + lost * share);
    const heaviest = [...held].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, mesh.influences);
    const total = heaviest.reduce((sum, [, weight]) => sum + weight, 0);
    for (let k = 0; k < mesh.influences; k++) {
      const [bone, weight] = heaviest[k] ?? [skin.joints[0]!, 0];
      joints[first + k] = Math.max(0, jointNumbers![skin.joints.indexOf(bone)]!);
      weights[first + k] = weight / total;
    }
  });
  return { ...mesh, joints, weights };
}

/** The two bones nearest to a point, by the nearest of their segments, with their shares by 1 / d^2. */
function twoNearest(p: V3, segments: readonly Segment[]): { bone: number; share: number }[] {
  const best = new Map<number, number>();
  for (const segment of segments)
    best.set(segment.bone, Math.min(best.get(segment.bone) ?? Infinity, segmentDistance(p, segment)));
  const two = [...best].toSorted((a, b) => a[1] - b[1] || a[0] - b[0]).slice(0, 2);
  const nearness = two.map(([, d]) => 1 / Math.max(d * d, 1e-18));
  const total = nearness.reduce((sum, n) => sum + n, 0);
  return two.map(([bone], i) => ({ bone, share: nearness[i]! / total }));
}
