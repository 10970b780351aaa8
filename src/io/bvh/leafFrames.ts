/**
 * How one leaf and the joint before it bend, over all frames of all files of a set. All is seen in the frame of the joint
 * before the leaf, where the rest of the body drops out: the bone that arrives there, the bone to the leaf, and the tip
 * as programs show it that go on straight.
 */
import {
  angleBetween3,
  atan2,
  conjugateQuat,
  cross3,
  degrees,
  dot3,
  length3,
  normalize3,
  radians,
  rotateVec3,
} from '../../math/index.js';
import type { Bvh } from './bvh.js';
import { createPose, poseJoint, positionMeaning } from './bvhPose.js';

/** What every frame of a set says about a leaf. */
export interface LeafFrames {
  /** Rotation vectors of the leaf, radians, one per frame. */
  turn: Float64Array[];
  /** Rotations of the leaf, x, y, z, w, one per frame. */
  rotation: Float64Array[];
  /** The bone to the leaf in the frame of the joint before it, one per frame. */
  inner: Float64Array[];
  /** True if it turns at all. */
  turns: boolean;
  /** Unit axis about which the joint before the leaf flexes, in its own frame; undefined where bones have no length. */
  hinge: Float64Array | undefined;
  /** Bend of the joint before the leaf, degrees, positive the way it flexes; empty without a hinge. */
  innerBend: Float64Array;
  /** Bend of the leaf with a straight tip, degrees; empty without a hinge. */
  apparentBend: Float64Array;
}

/** A turn that is rounding, radians. */
const NO_TURN = 1e-6;
/** Bend of the rest pose from which its plane says where the hinge is, degrees. */
const PLANE_DEG = 5;

/** Bones around a leaf in one frame, seen from the joint before it. */
interface Bones {
  /** The bone that arrives at the joint before the leaf. */
  arriving: Float64Array;
  /** The bone to the leaf. */
  inner: Float64Array;
  /** Unit direction of a tip that goes on straight. */
  tip: Float64Array;
  /** Rotation vector of the joint before the leaf. */
  innerTurn: Float64Array;
}

/** Measures a leaf. */
export function measureLeaf(files: readonly Bvh[], joint: number): LeafFrames {
  const { joints } = files[0]!;
  const { parent, offset } = joints[joint]!;
  const turn: Float64Array[] = [];
  const rotation: Float64Array[] = [];
  const bones: Bones[] = [];
  for (const file of files) {
    // Of the body only the leaf and the joint before it count.
    const seen = (parent < 0 ? [joint] : [parent, joint]).map(
      (j) => [j, positionMeaning(file, file.joints[j]!)] as const,
    );
    const pose = createPose(file);
    for (let frame = 0; frame < file.frameCount; frame++) {
      for (const [j, meaning] of seen) poseJoint(file, j, meaning, frame, pose);
      const own = pose.rotations.slice(4 * joint, 4 * joint + 4);
      rotation.push(own);
      turn.push(rotationVector(own, 0));
      if (parent >= 0) bones.push(bonesOf(pose, joint, parent, offset));
    }
  }
  const turns = turn.some((vector) => length3(vector, 0) > NO_TURN);
  const hinge = hingeOf(bones, parent < 0 ? undefined : joints[parent]!.offset, offset);
  const inner = bones.map((one) => one.inner);
  const none = new Float64Array(0);
  if (hinge === undefined)
    return { turn, rotation, inner, turns, hinge, innerBend: none, apparentBend: none };
  const innerBend = Float64Array.from(bones, (one) => bendAbout(hinge, one.arriving, one.inner));
  // Joints flex further than they extend, and a reference may be stretched too far.
  if (innerBend.reduce((sum, bend) => sum + bend, 0) < 0) {
    for (let k = 0; k < 3; k++) hinge[k] = 0 - hinge[k]!;
    for (let i = 0; i < innerBend.length; i++) innerBend[i] = 0 - innerBend[i]!;
  }
  const apparentBend = Float64Array.from(bones, (one) => bendAbout(hinge, one.inner, one.tip));
  return { turn, rotation, inner, turns, hinge, innerBend, apparentBend };
}

function bonesOf(
  { translations, rotations }: { translations: Float64Array; rotations: Float64Array },
  joint: number,
  parent: number,
  offset: readonly number[],
): Bones {
  const back = new Float64Array(4);
  conjugateQuat(back, 0, rotations, 4 * parent);
  const arriving = new Float64Array(3);
  rotateVec3(arriving, 0, back, 0, translations, 3 * parent);
  const tip = Float64Array.from(offset);
  normalize3(tip, 0, tip, 0);
  rotateVec3(tip, 0, rotations, 4 * joint, tip, 0);
  const inner = translations.slice(3 * joint, 3 * joint + 3);
  return { arriving, inner, tip, innerTurn: rotationVector(rotations, 4 * parent) };
}

/** The axis of the bend in the rest pose; where that is straight, the mean axis of the joint's turns. */
function hingeOf(
  bones: readonly Bones[],
  arriving: readonly number[] | undefined,
  inner: readonly number[],
): Float64Array | undefined {
  if (arriving === undefined) return undefined;
  const rest = Float64Array.of(...arriving, ...inner);
  if (!(length3(rest, 0) > 0 && length3(rest, 3) > 0)) return undefined;
  const hinge = new Float64Array(3);
  if (angleBetween3(rest, 0, rest, 3) >= radians(PLANE_DEG)) cross3(hinge, 0, rest, 0, rest, 3);
  else {
    const largest = bones.reduce<Float64Array>(
      (best, { innerTurn }) => (length3(innerTurn, 0) > length3(best, 0) ? innerTurn : best),
      new Float64Array(3),
    );
    for (const { innerTurn } of bones) {
      const side = dot3(innerTurn, 0, largest, 0) < 0 ? -1 : 1;
      for (let k = 0; k < 3; k++) hinge[k] = hinge[k]! + side * innerTurn[k]!;
    }
  }
  return normalize3(hinge, 0, hinge, 0) > 0 ? hinge : undefined;
}

/**
 * Angle from one direction to another as seen along an axis.
 *
 * @returns degrees, -180 to 180; positive turns right-handed about the axis
 */
export function bendAbout(axis: Float64Array, from: Float64Array, to: Float64Array): number {
  const a = flattened(axis, from);
  const b = flattened(axis, to);
  const normal = new Float64Array(3);
  cross3(normal, 0, a, 0, b, 0);
  return degrees(atan2(dot3(normal, 0, axis, 0), dot3(a, 0, b, 0)));
}

function flattened(axis: Float64Array, v: Float64Array): Float64Array {
  const along = dot3(axis, 0, v, 0);
  return v.map((value, k) => value - along * axis[k]!);
}

/** Axis times angle of a rotation, 0 to pi. */
function rotationVector(q: Float64Array, i: number): Float64Array {
  const out = q.slice(i, i + 3);
  const size = length3(out, 0);
  if (!(size > 0)) return out;
  const w = q[i + 3]!;
  const scale = (w < 0 ? -2 : 2) * (atan2(size, Math.abs(w)) / size);
  return out.map((value) => value * scale);
}
