/**
 * The same character in another form: other units, other vertex order, split or unwelded vertices, other weights,
 * noise. Each result knows from which vertex of the original each of its vertices comes.
 */
import { mat4, quat } from 'gl-matrix';
import type { Asset, MeshPrimitive } from '../../../src/index.js';
import { cross, seeded, sub, type V3 } from '../referenceMath.js';
import { bindPose, skinBox } from './bind.js';

export interface Variant {
  asset: Asset;
  /** Per mesh: the vertex of the original of each vertex. */
  from: number[][];
}

const sameVertices = (asset: Asset): Variant => ({
  asset,
  from: asset.meshes.map(({ positions }) => Array.from({ length: positions.length / 3 }, (_, v) => v)),
});

const withMeshes = (asset: Asset, change: (mesh: MeshPrimitive, m: number) => MeshPrimitive): Asset => ({
  ...asset,
  meshes: asset.meshes.map(change),
});

/** All lengths times `s`: positions, bones, bind matrices, clips. */
export function scaled(asset: Asset, s: number): Variant {
  const times = (values: Float64Array): Float64Array => values.map((x) => x * s);
  return sameVertices({
    ...withMeshes(asset, (mesh) => ({ ...mesh, positions: times(mesh.positions) })),
    skeleton: { ...asset.skeleton, translations: times(asset.skeleton.translations) },
    skins: asset.skins.map((skin) => ({
      ...skin,
      inverseBinds: skin.inverseBinds.map((x, k) => (k % 16 >= 12 && k % 16 < 15 ? x * s : x)),
    })),
    clips: asset.clips.map((clip) => ({
      ...clip,
      tracks: clip.tracks.map((track) =>
        track.path === 'translation' ? { ...track, values: times(track.values) } : track,
      ),
    })),
  });
}

function shuffledRange(length: number, random: () => number): number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** Rows of a mesh's arrays picked by old vertex. */
function picked(mesh: MeshPrimitive, from: readonly number[], indices: ArrayLike<number>): MeshPrimitive {
  const n = mesh.influences;
  return {
    ...mesh,
    positions: Float64Array.from(from.flatMap((v) => [...mesh.positions.subarray(3 * v, 3 * v + 3)])),
    joints: Uint16Array.from(from.flatMap((v) => [...mesh.joints.subarray(n * v, n * v + n)])),
    weights: Float64Array.from(from.flatMap((v) => [...mesh.weights.subarray(n * v, n * v + n)])),
    indices: Uint32Array.from(indices),
  };
}

/** Vertices, triangles and the first corner of each triangle in another order. */
export function shuffled(asset: Asset, seed: number): Variant {
  const random = seeded(seed);
  const from: number[][] = [];
  const changed = withMeshes(asset, (mesh) => {
    const order = shuffledRange(mesh.positions.length / 3, random);
    const place = new Uint32Array(order.length);
    for (const [v, old] of order.entries()) place[old] = v;
    const indices = shuffledRange(mesh.indices.length / 3, random).flatMap((t) => {
      const turn = Math.floor(3 * random());
      return [0, 1, 2].map((c) => place[mesh.indices[3 * t + ((c + turn) % 3)]!]!);
    });
    from.push(order);
    return picked(mesh, order, indices);
  });
  return { asset: changed, from };
}

/** Every corner a vertex of its own. */
export function unindexed(asset: Asset): Variant {
  const from: number[][] = [];
  const changed = withMeshes(asset, (mesh) => {
    const corners = [...mesh.indices];
    from.push(corners);
    return picked(mesh, corners, [...corners.keys()]);
  });
  return { asset: changed, from };
}

/** Vertices split wherever the main direction of the faces changes, as a box unwrap does. */
export function seamed(asset: Asset): Variant {
  const from: number[][] = [];
  const changed = withMeshes(asset, (mesh) => {
    const at = (v: number): V3 => [...mesh.positions.subarray(3 * v, 3 * v + 3)] as V3;
    const numbers = new Map<string, number>();
    const order: number[] = [];
    const indices = Array.from(mesh.indices, (v, c) => {
      const t = c - (c % 3);
      const [a, b, d] = [0, 1, 2].map((k) => at(mesh.indices[t + k]!)) as [V3, V3, V3];
      const n = cross(sub(b, a), sub(d, a));
      const size = n.map(Math.abs);
      const axis = size.indexOf(Math.max(...size));
      const key = `${v} ${axis} ${n[axis]! < 0}`;
      if (!numbers.has(key)) numbers.set(key, order.push(v) - 1);
      return numbers.get(key)!;
    });
    from.push(order);
    return picked(mesh, order, indices);
  });
  return { asset: changed, from };
}

/** Weights as normalised bytes store them: k / 255, their sum left as it falls. */
export function byteWeights(asset: Asset): Variant {
  return sameVertices(
    withMeshes(asset, (mesh) => ({ ...mesh, weights: mesh.weights.map((w) => Math.round(w * 255) / 255) })),
  );
}

/** Weights that sum to anything from 0.3 to 1.6. */
export function unevenWeights(asset: Asset, seed: number): Variant {
  const random = seeded(seed);
  return sameVertices(
    withMeshes(asset, (mesh) => {
      const sums = Array.from({ length: mesh.positions.length / 3 }, () => 0.3 + 1.3 * random());
      return { ...mesh, weights: mesh.weights.map((w, k) => w * sums[Math.floor(k / mesh.influences)]!) };
    }),
  );
}

/** Eight influences: every one of the first set halved, the other half in the second, in another order. */
export function eightInfluences(asset: Asset): Variant {
  return sameVertices(
    withMeshes(asset, (mesh) => {
      const count = mesh.positions.length / 3;
      const joints = new Uint16Array(8 * count);
      const weights = new Float64Array(8 * count);
      for (let v = 0; v < count; v++)
        for (let k = 0; k < 4; k++)
          for (const to of [8 * v + k, 8 * v + 7 - k]) {
            joints[to] = mesh.joints[4 * v + k]!;
            weights[to] = mesh.weights[4 * v + k]! / 2;
          }
      return { ...mesh, influences: 8, joints, weights };
    }),
  );
}

/** Points moved by up to `share` of the median edge along each axis; what lies at one place moves alike. */
export function jittered(asset: Asset, seed: number, share: number): Variant {
  const random = seeded(seed);
  const reach = share * medianEdge(asset);
  const moves = new Map<string, V3>();
  return sameVertices(
    withMeshes(asset, (mesh) => {
      const positions = mesh.positions.slice();
      for (let v = 0; v < positions.length; v += 3) {
        const key = mesh.positions.subarray(v, v + 3).join(' ');
        if (!moves.has(key)) moves.set(key, [0, 0, 0].map(() => reach * (2 * random() - 1)) as V3);
        for (let k = 0; k < 3; k++) positions[v + k]! += moves.get(key)![k]!;
      }
      return { ...mesh, positions };
    }),
  );
}

function medianEdge({ meshes }: Asset): number {
  const lengths: number[] = [];
  for (const { positions, indices } of meshes.filter(({ skin }) => skin >= 0))
    for (let c = 0; c < indices.length; c++) {
      const a = 3 * indices[c]!;
      const b = 3 * indices[c % 3 === 2 ? c - 2 : c + 1]!;
      const d = [0, 1, 2].map((k) => positions[a + k]! - positions[b + k]!);
      lengths.push(Math.hypot(...d));
    }
  return lengths.toSorted((x, y) => x - y)[Math.floor(lengths.length / 2)] ?? 0;
}

/**
 * Joints moved by up to `share` of the height along each axis of the world: their bind matrices, and with them the
 * neutral pose. The uppermost joint stays, because it says where the character stands.
 */
export function jointsMoved(asset: Asset, seed: number, share: number): Variant {
  const random = seeded(seed);
  const reach = share * skinBox(asset).height;
  const pose = bindPose(asset);
  const moves = asset.skeleton.names.map((): V3 => [0, 0, 0].map(() => reach * (2 * random() - 1)) as V3);
  return sameVertices({
    ...asset,
    skins: asset.skins.map((skin, s) => {
      const toSkin = mat4.invert(new Float64Array(16), pose.skinToWorld[s]!)!;
      const inverseBinds = skin.inverseBinds.slice();
      const upper = Math.min(...skin.joints);
      skin.joints.forEach((bone, j) => {
        if (bone === upper) return;
        const moved = pose.worlds[bone]!.slice();
        for (let k = 0; k < 3; k++) moved[12 + k]! += moves[bone]![k]!;
        mat4.multiply(moved, toSkin, moved);
        inverseBinds.set(mat4.invert(moved, moved) as Float64Array, 16 * j);
      });
      return { ...skin, inverseBinds };
    }),
  });
}

/** The character turned about +Y in the world, bind pose and all. */
export function yawed(asset: Asset, angleDeg: number): Variant {
  const { skeleton } = asset;
  const rotations = skeleton.rotations.slice();
  const translations = skeleton.translations.slice();
  const turn = quat.setAxisAngle(
    new Float64Array(4) as unknown as quat,
    [0, 1, 0],
    (angleDeg * Math.PI) / 180,
  );
  for (let b = 0; b < skeleton.count; b++) {
    if (skeleton.parents[b]! >= 0) continue;
    const r = rotations.subarray(4 * b, 4 * b + 4) as unknown as quat;
    quat.multiply(r, turn, r);
    const [x, y, z] = translations.subarray(3 * b, 3 * b + 3) as unknown as V3;
    const [c, s] = [Math.cos((angleDeg * Math.PI) / 180), Math.sin((angleDeg * Math.PI) / 180)];
    translations.set([c * x + s * z, y, c * z - s * x], 3 * b);
  }
  return sameVertices({ ...asset, skeleton: { ...skeleton, rotations, translations } });
}

/** Per mesh: the vertices of the original for which any of their images is chosen, as sorted numbers. */
export function carriedBack({ from }: Variant, chosen: readonly (readonly boolean[])[]): number[][] {
  return from.map((list, m) => [...new Set(list.filter((_, v) => chosen[m]![v]))].toSorted((a, b) => a - b));
}
