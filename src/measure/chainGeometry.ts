/**
 * What a measurement needs to know of a chain: length, where its tip stands in the frame of the last bone, and
 * how far each link is bent away from its rest direction in a given pose.
 */
import type { Asset, ChainDefinition } from '../asset/index.js';
import type { AnatomicalFrame } from '../setup/anatomicalFrame.js';
import { chainRest, type ChainRest } from '../setup/chainRest.js';
import { chainTip } from '../setup/chainTip.js';
import type { Neutral } from '../setup/neutral.js';
import {
  angleBetween3,
  conjugateQuat,
  degrees,
  determinant3,
  invertMat4,
  multiplyQuat,
  rotateVec3,
  transformPoint,
} from '../math/index.js';
import type { BonePose } from './bonePose.js';

/** A chain as measured. */
export interface MeasuredChain {
  /** What was found or given. */
  definition: ChainDefinition;
  /** Rest shape that bends are measured from. */
  rest: ChainRest;
  /** Sum of the link lengths in world units of the neutral pose. */
  length: number;
  /** The tip in the frame of the last bone. */
  tipLocal: Float64Array;
  /** World scale of the attachment in the neutral pose. */
  attachmentScale: number;
  /** Path of the tip in the attachment's frame: smallest and largest x, y, z so far. */
  tipBox: { min: [number, number, number]; max: [number, number, number] };
  /** Largest bend seen so far, degrees. */
  maxBendDeg: number;
}

/**
 * Prepares a chain.
 *
 * @param carry - lift of the rest shape that bends are measured from, radians
 * @param restCurve - 0 centred arc, 1 authored curve
 */
export function measuredChain(
  asset: Asset,
  neutral: Neutral,
  frame: AnatomicalFrame,
  definition: ChainDefinition,
  shape: { carry: number; restCurve: number },
): MeasuredChain {
  const rest = chainRest(asset, neutral, frame, definition, shape);
  // The tip moves with the last bone: its place there is that of the neutral pose.
  const tip = chainTip(asset, neutral, definition, []).position;
  const inverse = new Float64Array(16);
  invertMat4(inverse, 0, neutral.worlds, 16 * definition.bones.at(-1)!);
  const tipLocal = new Float64Array(3);
  transformPoint(tipLocal, 0, inverse, 0, tip, 0);
  return {
    definition,
    rest,
    length: rest.lengths.reduce((sum, length) => sum + length, 0),
    tipLocal,
    attachmentScale: definition.attachment < 0 ? 1 : scaleOf(neutral.worlds, definition.attachment),
    tipBox: { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] },
    maxBendDeg: 0,
  };
}

/** Uniform scale of a world matrix: cube root of its volume. */
function scaleOf(worlds: Float64Array, bone: number): number {
  return Math.cbrt(Math.abs(determinant3(worlds, 16 * bone)));
}

/**
 * Adds a pose: the tip's place in the attachment's frame, and the bends.
 *
 * The bend of link i is the angle between its direction and its rest direction, both in the frame of its parent
 * bone: the local rotation of bone i is framesBefore_i^-1 q_i A_(i+1), so q_i = framesBefore_i local A_(i+1)^-1
 * and the bend is the angle between u_i and q_i u_i. Twist about the link does not count.
 */
export function addPose(chain: MeasuredChain, pose: BonePose): void {
  const { definition, rest, tipBox } = chain;
  const point = new Float64Array(3);
  transformPoint(point, 0, pose.worlds, 16 * definition.bones.at(-1)!, chain.tipLocal, 0);
  if (definition.attachment >= 0) {
    const inverse = new Float64Array(16);
    invertMat4(inverse, 0, pose.worlds, 16 * definition.attachment);
    transformPoint(point, 0, inverse, 0, point, 0);
  }
  for (let k = 0; k < 3; k++) {
    tipBox.min[k] = Math.min(tipBox.min[k]!, point[k]!);
    tipBox.max[k] = Math.max(tipBox.max[k]!, point[k]!);
  }
  const bend = new Float64Array(4);
  const inverse = new Float64Array(4);
  const turned = new Float64Array(3);
  for (let i = 0; i < rest.count; i++) {
    multiplyQuat(bend, 0, rest.framesBefore, 4 * i, pose.rotations, 4 * rest.bones[i]!);
    conjugateQuat(inverse, 0, rest.frames, 4 * (i + 1));
    multiplyQuat(bend, 0, bend, 0, inverse, 0);
    rotateVec3(turned, 0, bend, 0, rest.directions, 3 * i);
    const angleDeg = degrees(angleBetween3(turned, 0, rest.directions, 3 * i));
    chain.maxBendDeg = Math.max(chain.maxBendDeg, angleDeg);
  }
}

/** Diagonal of the box that the tip stayed in, as a share of the chain's length; 0 before the first pose. */
export function tipTravel(chain: MeasuredChain): number {
  const { min, max } = chain.tipBox;
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += Math.max(0, max[k]! - min[k]!) ** 2;
  return chain.length > 0 ? (Math.sqrt(sum) * chain.attachmentScale) / chain.length : 0;
}
