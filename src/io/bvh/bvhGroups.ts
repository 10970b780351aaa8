/** Which files share one rest skeleton, so that what is missing in one can be found in the others. */
import type { Bvh, BvhJoint } from './bvh.js';
import { totalLength } from './leafEnd.js';

/** Difference up to which two offsets are the same, as a share of the length of all bones: files have few digits. */
const SAME_PLACE = 1e-3;

/**
 * Groups files by names, parents, offsets and End Sites; units may differ, orders of channels too, and roots may stand
 * anywhere.
 *
 * @returns indices of the files of each group, groups by their first file
 */
export function groupBySkeleton(files: readonly Bvh[]): number[][] {
  const groups: number[][] = [];
  for (const [i, file] of files.entries()) {
    const group = groups.find(([first]) => sameSkeleton(files[first!]!, file));
    if (group) group.push(i);
    else groups.push([i]);
  }
  return groups;
}

function sameSkeleton(a: Bvh, b: Bvh): boolean {
  if (a.joints.length !== b.joints.length) return false;
  const unitA = 1 / (totalLength(a.joints) || 1);
  const unitB = 1 / (totalLength(b.joints) || 1);
  return a.joints.every((joint, j) => {
    const other = b.joints[j]!;
    return (
      joint.name === other.name &&
      joint.parent === other.parent &&
      (joint.parent < 0 || near(joint.offset, unitA, other.offset, unitB)) &&
      sameEnds(joint, unitA, other, unitB)
    );
  });
}

function sameEnds(a: BvhJoint, unitA: number, b: BvhJoint, unitB: number): boolean {
  return (
    a.ends.length === b.ends.length &&
    a.ends.every((end, e) => near(end.offset, unitA, b.ends[e]!.offset, unitB))
  );
}

function near(a: readonly number[], unitA: number, b: readonly number[], unitB: number): boolean {
  return a.every((value, k) => Math.abs(value * unitA - b[k]! * unitB) <= SAME_PLACE);
}
