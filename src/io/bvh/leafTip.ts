/**
 * Where the tip of a leaf lies, found from the poses in which the finger is straight: there the tip goes on straight, and
 * turning that direction back by the leaf's rotation gives the tip of the rest pose. A mean weighted by straightness is
 * about three times nearer than the straightest pose alone; a line through all poses is worse than both wherever the two
 * joints are not coupled linearly (measured on synthetic hands, docs/bvh.md).
 */
import { conjugateQuat, exp, length3, normalize3, rotateVec3 } from '../../math/index.js';
import type { BvhJoint } from './bvh.js';
import { hasLength } from './leafEnd.js';
import { bendAbout, type LeafFrames } from './leafFrames.js';
import type { LeafFinding } from './leafTypes.js';

/** Bend at which a pose counts e^-1 of a straight one, degrees. */
const STRAIGHT_DEG = 8;
/** Length of a tip that no End Site gives, as a share of the bone before: about that of a last phalanx. */
export const tipShare = 0.8;

/** The tip of a leaf, and how the leaf bends with it. */
export function findTip(
  joints: readonly BvhJoint[],
  leaf: number,
  frames: LeafFrames,
): Pick<LeafFinding, 'tip' | 'support' | 'repairedBendDeg'> {
  const joint = joints[leaf]!;
  const direction = new Float64Array(3);
  let support = 0;
  for (const [f, bend] of frames.innerBend.entries()) {
    const weight = exp(-((bend / STRAIGHT_DEG) * (bend / STRAIGHT_DEG)));
    support += weight;
    const back = straightTip(joint, frames.rotation[f]!);
    for (let k = 0; k < 3; k++) direction[k] = direction[k]! + weight * back[k]!;
  }
  if (normalize3(direction, 0, direction, 0) === 0) direction.set(straightTip(joint, identity));
  return {
    tip: tipAlong(joints, leaf, direction, tipShare),
    support,
    repairedBendDeg: bendRange(frames, direction),
  };
}

const identity = Float64Array.of(0, 0, 0, 1);

/** Unit direction of the tip in the frame of the leaf, if the leaf is straight in a pose with this rotation. */
export function straightTip(joint: BvhJoint, rotation: Float64Array): Float64Array {
  const back = new Float64Array(4);
  conjugateQuat(back, 0, rotation, 0);
  const out = Float64Array.from(joint.offset);
  normalize3(out, 0, out, 0);
  rotateVec3(out, 0, back, 0, out, 0);
  return out;
}

/** A tip in that direction, as long as the End Site says, else as a share of the bone before. */
export function tipAlong(
  joints: readonly BvhJoint[],
  joint: number,
  direction: Float64Array,
  share: number,
): [number, number, number] {
  const { offset, ends } = joints[joint]!;
  const end = ends[0]?.offset;
  const length = end !== undefined && hasLength(joints, end) ? length3(end, 0) : share * length3(offset, 0);
  return [direction[0]! * length, direction[1]! * length, direction[2]! * length];
}

/** Least and largest bend of the leaf with a tip in that direction, degrees. */
function bendRange(frames: LeafFrames, direction: Float64Array): [number, number] {
  const { hinge } = frames;
  if (hinge === undefined || frames.innerBend.length === 0) return [0, 0];
  let low = Infinity;
  let high = -Infinity;
  const tip = new Float64Array(3);
  for (const [f, rotation] of frames.rotation.entries()) {
    rotateVec3(tip, 0, rotation, 0, direction, 0);
    const bend = bendAbout(hinge, frames.inner[f]!, tip);
    low = Math.min(low, bend);
    high = Math.max(high, bend);
  }
  return [low, high];
}
