/**
 * Which joints are left and right of each other, and where the middle plane lies: by the names of the sides where the
 * skeleton has them, else by the mirror symmetry of the joints (docs/rigging.md, "Roles"). The tolerance of a mirror image is
 * relative to the distance of the two: an absolute one loses every animal whose joints are a little off.
 */
import type { Asset } from '../asset/asset.js';
import { dot3, normalize3 } from '../math/vec3.js';
import { boneSide, isControlName, isLegName } from '../setup/boneNames.js';
import type { DrivingBones } from './drivingBones.js';

/** Mirror pairs of a skeleton. */
export interface Mates {
  /** Mate of each bone, -1 without one. */
  mateOf: Int32Array;
  /** Unit normal of the middle plane. */
  normal: Float64Array;
  /** Its offset: points p of the plane have normal . p = offset. */
  offset: number;
  /** What told the pairs. */
  source: 'names' | 'symmetry';
}

/** Least number of joints with a mate for names to count. */
const NAMED = 4;

/** Finds the mates; undefined when neither names nor symmetry give any. */
export function findMates(asset: Asset, bones: DrivingBones): Mates | undefined {
  return namedMates(asset, bones) ?? mirrorMates(asset, bones);
}

function namedMates(asset: Asset, { leads, heads }: DrivingBones): Mates | undefined {
  const { names, count } = asset.skeleton;
  const mateOf = new Int32Array(count).fill(-1);
  const sides = new Map<string, { left: number[]; right: number[] }>();
  for (let bone = 0; bone < count; bone++) {
    const side = leads[bone] === 1 && !isControlName(names[bone]!) ? boneSide(names[bone]!) : undefined;
    if (side === undefined) continue;
    // Numbers are no part of the base: a finger's joints keep their order.
    const group = sides.get(side.base) ?? { left: [], right: [] };
    sides.set(side.base, group);
    group[side.side].push(bone);
  }
  const normal = new Float64Array(3);
  let mated = 0;
  let legs = 0;
  for (const { left, right } of sides.values()) {
    if (left.length !== right.length) continue;
    for (const [i, l] of left.entries()) {
      const r = right[i]!;
      mateOf[l] = r;
      mateOf[r] = l;
      mated += 2;
      if (isLegName(names[l]!)) legs++;
      for (let k = 0; k < 3; k++) normal[k]! += heads[3 * l + k]! - heads[3 * r + k]!;
    }
  }
  if (mated < NAMED || legs === 0 || normalize3(normal, 0, normal, 0) === 0) return undefined;
  let offset = 0;
  for (const [bone, mate] of mateOf.entries())
    if (mate >= 0) offset += dot3(normal, 0, heads, 3 * bone) / mated;
  return { mateOf, normal, offset, source: 'names' };
}

/** The plane across a world axis about which most joints mirror best. */
function mirrorMates(asset: Asset, bones: DrivingBones): Mates | undefined {
  const { count } = asset.skeleton;
  const joints: number[] = [];
  for (let bone = 0; bone < count; bone++) if (bones.leads[bone] === 1) joints.push(bone);
  if (joints.length < 3) return undefined;
  const shape = { depth: depths(asset), size: subtreeSizes(asset, bones.leads) };
  let best: Mates | undefined;
  let bestScore = 0;
  for (let axis = 0; axis < 3; axis++)
    for (const plane of candidatePlanes(bones.heads, joints, axis)) {
      const { mateOf, score } = mirror(bones.heads, joints, shape, axis, plane);
      if (!(score > bestScore)) continue;
      bestScore = score;
      const normal = new Float64Array(3);
      normal[axis] = 1;
      best = { mateOf, normal, offset: plane, source: 'symmetry' };
    }
  return best;
}

function candidatePlanes(heads: Float64Array, joints: readonly number[], axis: number): number[] {
  const values = joints.map((bone) => heads[3 * bone + axis]!).toSorted((a, b) => a - b);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [values[values.length >> 1]!, (values[0]! + values.at(-1)!) / 2, mean, 0];
}

interface TreeShape {
  depth: Int32Array;
  size: Int32Array;
}

function mirror(
  heads: Float64Array,
  joints: readonly number[],
  { depth, size }: TreeShape,
  axis: number,
  plane: number,
): { mateOf: Int32Array; score: number } {
  const mateOf = new Int32Array(depth.length).fill(-1);
  const image = new Int32Array(depth.length).fill(-1);
  const errorOf = new Float64Array(depth.length);
  for (const i of joints) {
    let least = Infinity;
    for (const j of joints) {
      if (depth[i] !== depth[j] || size[i] !== size[j]) continue;
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        const at = heads[3 * i + k]!;
        const off = (k === axis ? 2 * plane - at : at) - heads[3 * j + k]!;
        squared += off * off;
      }
      if (squared < least) {
        least = squared;
        image[i] = j;
      }
    }
    errorOf[i] = Math.sqrt(least);
  }
  let score = 0;
  for (const i of joints) {
    const j = image[i]!;
    const half = Math.abs(heads[3 * i + axis]! - plane);
    if (j < 0 || j === i || image[j] !== i || !(errorOf[i]! < half)) continue;
    mateOf[i] = j;
    score += 1 - errorOf[i]! / half;
  }
  return { mateOf, score };
}

function depths({ skeleton: { count, parents } }: Asset): Int32Array {
  const depth = new Int32Array(count);
  for (let bone = 0; bone < count; bone++) if (parents[bone]! >= 0) depth[bone] = depth[parents[bone]!]! + 1;
  return depth;
}

function subtreeSizes({ skeleton: { count, parents } }: Asset, leads: Uint8Array): Int32Array {
  const size = Int32Array.from(leads);
  for (let bone = count - 1; bone >= 0; bone--) if (parents[bone]! >= 0) size[parents[bone]!]! += size[bone]!;
  return size;
}
