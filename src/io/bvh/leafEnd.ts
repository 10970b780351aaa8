/** Which leaves of a skeleton do not tell where their tip lies. */
import { angleBetween3, length3, radians } from '../../math/index.js';
import type { BvhJoint } from './bvh.js';
import type { LeafEnd } from './leafTypes.js';

/** Share of the skeleton's length below which a bone has none. */
const NO_LENGTH = 1e-6;
/** Angle up to which an End Site only goes on, radians: writers that know no tip put one there. */
const STRAIGHT = radians(0.5);

/** Joints without a child. */
export function leafIndices(joints: readonly BvhJoint[]): number[] {
  const parents = new Set(joints.map(({ parent }) => parent));
  return joints.flatMap((_, j) => (parents.has(j) ? [] : [j]));
}

/** Sum of the lengths of all bones of a skeleton, roots left out. */
export function totalLength(joints: readonly BvhJoint[]): number {
  return joints.reduce((sum, { parent, offset }) => sum + (parent < 0 ? 0 : length3(offset, 0)), 0);
}

/** How a leaf ends; undefined where an End Site says where its tip is. */
export function leafEnd(joints: readonly BvhJoint[], joint: number): LeafEnd | undefined {
  const { ends, offset } = joints[joint]!;
  const end = ends[0];
  if (end === undefined) return 'none';
  if (!hasLength(joints, end.offset)) return 'zero';
  if (!hasLength(joints, offset)) return undefined;
  const both = Float64Array.of(...end.offset, ...offset);
  return angleBetween3(both, 0, both, 3) <= STRAIGHT ? 'straight' : undefined;
}

/** False for a bone so short that it only is a place. */
export function hasLength(joints: readonly BvhJoint[], bone: [number, number, number]): boolean {
  return length3(bone, 0) > NO_LENGTH * totalLength(joints);
}
