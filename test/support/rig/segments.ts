/**
 * Bones as segments in the world: from the head to the head of every child that is a joint; a bone without such a
 * child goes on by half the bone before it.
 */
import type { Asset } from '../../../src/index.js';
import { add, dot, len, mul, sub, type V3 } from '../referenceMath.js';
import type { BindPose } from './bind.js';

export interface Segment {
  /** The bone that moves with it. */
  bone: number;
  from: V3;
  to: V3;
}

/** Segments of all joints; bones that are `gone` count neither as bones nor as children. */
export function boneSegments(
  { skeleton }: Asset,
  { heads, isJoint }: BindPose,
  gone: readonly boolean[] = [],
): Segment[] {
  const segments: Segment[] = [];
  for (let bone = 0; bone < skeleton.count; bone++) {
    if (!isJoint[bone] || gone[bone]) continue;
    const from = heads[bone]!;
    let leaf = true;
    for (let child = bone + 1; child < skeleton.count; child++)
      if (skeleton.parents[child] === bone && isJoint[child] && !gone[child]) {
        segments.push({ bone, from, to: heads[child]! });
        leaf = false;
      }
    const before = heads[skeleton.parents[bone]!] ?? from;
    if (leaf) segments.push({ bone, from, to: add(from, mul(sub(from, before), 0.5)) });
  }
  return segments;
}

/** Distance of a point from a segment. */
export function segmentDistance(p: V3, { from, to }: { from: V3; to: V3 }): number {
  const along = sub(to, from);
  const lengthSquared = dot(along, along);
  const t = lengthSquared > 0 ? Math.min(1, Math.max(0, dot(sub(p, from), along) / lengthSquared)) : 0;
  return len(sub(p, add(from, mul(along, t))));
}
