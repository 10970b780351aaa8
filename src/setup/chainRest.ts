/**
 * The rest shape of a chain: lengths, authored directions a_i, rest directions u_i and the frames A_i in which bends
 * are compared, all in the anatomical frame F. Every formula is that of `docs/solver.md`, "Rest":
 * a_i authored direction, c = normalize(0, a_0y, a_0z), Q_i = slerp(I, swing(c, a_i), restCurve),
 * u_i = R_x(C (i + 1) / N) rot(Q_i, c), r_i = rot(A_i^-1, u_i), A_(i+1) = A_i swing(dir_i, r_i) L_i.
 */
import type { Asset, ChainDefinition } from '../asset/asset.js';
import type { Warning } from '../asset/errors.js';
import type { AnatomicalFrame } from './anatomicalFrame.js';
import { chainLinks } from './chainLinks.js';
import type { ChainLinks, TipSource } from './chainLinks.js';
import type { Neutral } from './neutralPose.js';
import {
  axisAngleQuat,
  conjugateQuat,
  identityQuat,
  multiplyQuat,
  normalizeQuat,
  rotateVec3,
  swingQuat,
} from '../math/quat.js';
import { slerpQuat } from '../math/slerp.js';
import { normalize3 } from '../math/vec3.js';

/** Options of the rest shape. */
export interface RestOptions {
  /** C: lift of the whole tail about the lateral axis, in radians, shared by the joints; up and back is positive. */
  carry: number;
  /** 0: a centred arc in the middle plane, 1: the authored curve. */
  restCurve: number;
}

/** Rest shape of a chain of N links. Vectors and frames stand in the anatomical frame F: x left, y up, z forward. */
export interface ChainRest {
  /** N, the number of links that can move; 0 when the whole chain has no length. */
  count: number;
  /** Bone of link i: the one whose rotation the solver writes. */
  bones: Int32Array;
  /** World lengths in the neutral pose. */
  lengths: Float64Array;
  /** u_i: unit rest directions in F, 3 per link. */
  directions: Float64Array;
  /** a_i: unit authored directions in F, 3 per link. */
  authored: Float64Array;
  /**
   * A_0..A_N, 4 each: A_0 the attachment's bind rotation in F, A_(i+1) that of the bone of link i after its rest
   * correction and those of its ancestors.
   */
  frames: Float64Array;
  /**
   * 4 per link: rotation in F of the node that carries bone i, after the rest corrections of the links before. Equal
   * to A_i when that node is the bone of link i - 1 (the attachment for link 0).
   */
  framesBefore: Float64Array;
  /** True when the rest shape goes in front of the plane through the root that faces forward: no keep-out then. */
  crossesKeepOut: boolean;
  /** Where the end of the last link comes from. */
  tipSource: TipSource;
  /** Bones without length: they ride rigidly with the link before. */
  skipped: number[];
  /** What had to be guessed. */
  warnings: Warning[];
}

/** Share of the chain's length by which the rest shape may stand in front of the root before it counts as crossing. */
const IN_FRONT = 1e-6;

/**
 * Builds the rest shape of a chain from the neutral pose.
 *
 * In a mirrored part of the skeleton (an odd number of negative scales above the chain) everything is expressed in F
 * mirrored at its middle plane, so that rotations stay rotations.
 *
 * @param asset - character
 * @param neutral - its neutral pose
 * @param frame - its anatomical frame
 * @param definition - the chain
 * @param options - carry and restCurve
 * @returns newly allocated arrays
 * @throws FollowthroughError `invalid-argument` when the bones of the definition do not stand in one line
 *
 * @example
 * const neutral = recoverNeutral(asset);
 * const frame = anatomicalFrame(asset, neutral);
 * for (const chain of findChains(asset)) chainRest(asset, neutral, frame, chain, { carry: 0, restCurve: 1 });
 */
export function chainRest(
  asset: Asset,
  neutral: Neutral,
  frame: AnatomicalFrame,
  definition: ChainDefinition,
  options: RestOptions,
): ChainRest {
  const links = chainLinks(asset, neutral, frame, definition);
  const { count } = links;
  const directions = restDirections(links.authored, count, options);
  const { frames, framesBefore } = restFrames(asset, neutral, links, directions);
  return {
    count,
    bones: links.bones,
    lengths: links.lengths,
    directions,
    authored: links.authored,
    frames,
    framesBefore,
    crossesKeepOut: standsInFront(links.lengths, directions, count),
    tipSource: links.tipSource,
    skipped: links.skipped,
    warnings: links.warnings,
  };
}

/**
 * u_i of all links.
 *
 * @param authored - a_i: unit directions in F, 3 per link
 * @returns unit directions in F, 3 per link
 */
export function restDirections(
  authored: Float64Array,
  count: number,
  { carry, restCurve }: RestOptions,
): Float64Array {
  const directions = new Float64Array(3 * count);
  const lateral = new Float64Array([1, 0, 0]);
  const centre = centreDirection(authored, count);
  const straight = new Float64Array([0, 0, 0, 1]);
  const full = new Float64Array(4);
  const turn = new Float64Array(4);
  for (let i = 0; i < count; i++) {
    swingQuat(full, 0, centre, 0, authored, 3 * i);
    slerpQuat(turn, 0, straight, 0, full, 0, restCurve);
    rotateVec3(directions, 3 * i, turn, 0, centre, 0);
    axisAngleQuat(turn, 0, lateral, 0, (carry * (i + 1)) / count);
    rotateVec3(directions, 3 * i, turn, 0, directions, 3 * i);
    normalize3(directions, 3 * i, directions, 3 * i);
  }
  return directions;
}

/** c: the root direction without its sideways part; down where nothing is left. */
function centreDirection(authored: Float64Array, count: number): Float64Array {
  const centre = new Float64Array([0, -1, 0]);
  if (count === 0) return centre;
  const inPlane = new Float64Array([0, authored[1]!, authored[2]!]);
  if (normalize3(inPlane, 0, inPlane, 0) > 1e-6) centre.set(inPlane);
  return centre;
}

/** A_i and the frames of the bones' parents, with the rest corrections of all links before. */
function restFrames(
  asset: Asset,
  neutral: Neutral,
  links: ChainLinks,
  directions: Float64Array,
): { frames: Float64Array; framesBefore: Float64Array } {
  const { count, bones } = links;
  const frames = new Float64Array(4 * (count + 1));
  const framesBefore = new Float64Array(4 * count);
  frames.set(links.attachmentFrame);
  const inverse = new Float64Array(4);
  const vectors = new Float64Array(6);
  const correction = new Float64Array(4);
  for (let i = 0; i < count; i++) {
    const bone = bones[i]!;
    const previous = i === 0 ? links.attachment : bones[i - 1]!;
    rotationBetween(asset, neutral, previous, bone, correction);
    multiplyQuat(framesBefore, 4 * i, frames, 4 * i, correction, 0);
    // r_i is the rest direction, dir_i the authored one, both in the frame of the node that carries the bone.
    conjugateQuat(inverse, 0, framesBefore, 4 * i);
    rotateVec3(vectors, 0, inverse, 0, directions, 3 * i);
    dirInParent(links, i, vectors, 3);
    swingQuat(correction, 0, vectors, 3, vectors, 0);
    multiplyQuat(frames, 4 * i + 4, framesBefore, 4 * i, correction, 0);
    multiplyQuat(frames, 4 * i + 4, frames, 4 * i + 4, neutral.rotations, 4 * bone);
    normalizeQuat(frames, 4 * i + 4, frames, 4 * i + 4);
  }
  return { frames, framesBefore };
}

/** dir_i: the authored direction in the uncorrected frame of the node that carries bone i. */
function dirInParent(links: ChainLinks, i: number, out: Float64Array, o: number): void {
  const inverse = new Float64Array(4);
  conjugateQuat(inverse, 0, links.authoredFrames, 4 * i);
  rotateVec3(out, o, inverse, 0, links.authored, 3 * i);
}

/**
 * Product of the neutral rotations of the nodes between `ancestor` and `bone`, both exclusive.
 *
 * @param ancestor - -1 for the world
 */
function rotationBetween(
  asset: Asset,
  neutral: Neutral,
  ancestor: number,
  bone: number,
  out: Float64Array,
): void {
  identityQuat(out, 0);
  const { parents } = asset.skeleton;
  for (let node = parents[bone]!; node !== ancestor && node >= 0; node = parents[node]!)
    multiplyQuat(out, 0, neutral.rotations, 4 * node, out, 0);
}

function standsInFront(lengths: Float64Array, directions: Float64Array, count: number): boolean {
  let total = 0;
  let forward = 0;
  let furthest = 0;
  for (let i = 0; i < count; i++) {
    total += lengths[i]!;
    forward += lengths[i]! * directions[3 * i + 2]!;
    furthest = Math.max(furthest, forward);
  }
  return furthest > IN_FRONT * total;
}
