/**
 * How the rest pose of one skeleton is turned into that of another, bone by bone: an arm that hangs at rest in one file is
 * spread in the next. For every bone a rotation A of the target's rest pose after which it stands as the source's:
 *
 * - trunk, neck, head, shoulders, feet: none; each keeps the shape of its own body.
 * - arms, legs, fingers: the bone points where the source's points, turned as little as possible beyond what the bone
 *   before it was turned.
 * - hand: the bone from wrist to middle knuckle and the line from the index to the little finger's knuckle both agree, so
 *   that the turn about the wrist is right and a pointing finger points; the forearm takes its part about its own length.
 * - fingers roll with the line of the knuckles, the thumb with the normal of the palm.
 *
 * All directions are in the world of the target's rest pose.
 */
import {
  conjugateQuat,
  cross3,
  dot3,
  identityQuat,
  length3,
  multiplyQuat,
  normalize3,
  quatFromMat4,
  rotateVec3,
  swingQuat,
  swingTwist,
} from '../math/index.js';
import type { HumanoidBones } from './humanoid.js';
import { directionBetween, placeOf, type RestPose } from './restPose.js';

/** A body in a rest pose, its directions turned into the world of the target. */
export interface Body {
  /** The pose. */
  pose: RestPose;
  /** Its bones by VRM name, those only that the other body has as well. */
  bones: HumanoidBones;
  /** All of its bones by VRM name. */
  all: HumanoidBones;
  /** Takes directions of its world to that of the target's rest pose. */
  turn: Float64Array;
}

/** Whether a bone keeps its own rest shape or points where the source's points. */
export type AlignMode = 'delta' | 'match';

const FINGERS = ['Index', 'Middle', 'Ring', 'Little'];

/** Ends of VRM names of the bones that may follow a bone, the nearest first. */
const NEXT: readonly (readonly [string, readonly string[]])[] = [
  ['hips', ['spine']],
  ['spine', ['chest', 'upperChest', 'neck', 'head']],
  ['upperChest', ['neck', 'head']],
  ['chest', ['upperChest', 'neck', 'head']],
  ['neck', ['head']],
  ['Shoulder', ['UpperArm']],
  ['UpperArm', ['LowerArm']],
  ['LowerArm', ['Hand']],
  ['UpperLeg', ['LowerLeg']],
  ['LowerLeg', ['Foot']],
  ['Foot', ['Toes']],
  ['ThumbMetacarpal', ['ThumbProximal']],
  ['ThumbProximal', ['ThumbDistal']],
  ['Proximal', ['Intermediate']],
  ['Intermediate', ['Distal']],
];

/** The bone that a bone points to; undefined for the last of a row. */
function nextBone(bones: HumanoidBones, role: string): number | undefined {
  const row = NEXT.find(([end]) => role.endsWith(end));
  if (row === undefined) return undefined;
  const stem = role.slice(0, -row[0].length);
  for (const end of row[1]) if (bones[stem + end] !== undefined) return bones[stem + end];
  return undefined;
}

/** Default mode of a bone. */
export function alignMode(role: string): AlignMode {
  return /(?:Arm|Leg|Hand|Proximal|Intermediate|Distal|Metacarpal)$/.test(role) ? 'match' : 'delta';
}

/**
 * Alignments of mapped bones.
 *
 * @param roles - VRM names of mapped bones, each after those it hangs from
 * @param parents - index of the mapped bone that a bone hangs from, -1 without one
 * @returns unit quaternions, 4 per role
 */
export function alignments(
  source: Body,
  target: Body,
  roles: readonly string[],
  parents: ArrayLike<number>,
  modeOf: (role: string) => AlignMode,
): Float64Array {
  const out = new Float64Array(4 * roles.length);
  for (const [i, role] of roles.entries()) {
    const before = parents[i]!;
    if (modeOf(role) === 'delta') identityQuat(out, 4 * i);
    else if (before < 0 || modeOf(roles[before]!) === 'delta') align(source, target, role, still, 0, out, i);
    else align(source, target, role, out, 4 * before, out, i);
  }
  for (const [i, role] of roles.entries())
    if (role.endsWith('LowerArm') && modeOf(role) === 'match')
      rollWithHand(source, roles, modeOf, role, i, out);
  return out;
}

const still = Float64Array.of(0, 0, 0, 1);

/** Writes the alignment of one bone that matches. */
function align(
  source: Body,
  target: Body,
  role: string,
  before: Float64Array,
  b: number,
  out: Float64Array,
  i: number,
): void {
  const from = frameOf(target, role);
  const to = frameOf(source, role);
  if (from !== undefined && to !== undefined) {
    conjugateQuat(out, 4 * i, from, 0);
    multiplyQuat(out, 4 * i, to, 0, out, 4 * i);
    return;
  }
  for (let k = 0; k < 4; k++) out[4 * i + k] = before[b + k]!;
  const wanted = boneDirection(source, role);
  const own = boneDirection(target, role);
  if (wanted === undefined || own === undefined) return;
  rotateVec3(own, 0, before, b, own, 0);
  const swing = new Float64Array(4);
  swingQuat(swing, 0, own, 0, wanted, 0);
  multiplyQuat(out, 4 * i, swing, 0, before, b);
}

/** Turns a forearm about its own length as far as its hand is turned about it. */
function rollWithHand(
  source: Body,
  roles: readonly string[],
  modeOf: (role: string) => AlignMode,
  role: string,
  i: number,
  out: Float64Array,
): void {
  const name = role.replace('LowerArm', 'Hand');
  const hand = roles.indexOf(name);
  const along = boneDirection(source, role);
  if (hand < 0 || along === undefined || modeOf(name) === 'delta') return;
  const rest = new Float64Array(4);
  const swing = new Float64Array(4);
  conjugateQuat(rest, 0, out, 4 * i);
  multiplyQuat(rest, 0, out, 4 * hand, rest, 0);
  swingTwist(swing, 0, rest, 0, rest, 0, along, 0);
  multiplyQuat(out, 4 * i, rest, 0, out, 4 * i);
}

/** Unit direction of a bone, in the target's world. */
function boneDirection({ pose, bones, all, turn }: Body, role: string): Float64Array | undefined {
  const bone = bones[role];
  if (bone === undefined) return undefined;
  const next = nextBone(all, role);
  const direction = role.endsWith('Hand')
    ? knuckleDirection(pose, bones, role)
    : next === undefined
      ? tipDirection(pose, bone, role)
      : directionBetween(pose, bone, next);
  if (direction !== undefined) rotateVec3(direction, 0, turn, 0, direction, 0);
  return direction;
}

/** Last bones of fingers point to their end helper; without one they go on where the bone before came from. */
function tipDirection(pose: RestPose, bone: number, role: string): Float64Array | undefined {
  if (fingerSide(role) === undefined) return undefined;
  const child = pose.parents.indexOf(bone);
  const direction = child < 0 ? undefined : directionBetween(pose, bone, child);
  return direction ?? directionBetween(pose, pose.parents[bone]!, bone);
}

/** From the wrist to the middle of the knuckles. */
function knuckleDirection(pose: RestPose, bones: HumanoidBones, hand: string): Float64Array | undefined {
  const side = hand.slice(0, -'Hand'.length);
  const wrist = placeOf(pose, bones[hand]!);
  const middle = bones[`${side}MiddleProximal`];
  if (middle !== undefined) return directionBetween(pose, bones[hand]!, middle);
  const sum = new Float64Array(3);
  for (const finger of FINGERS) {
    const knuckle = bones[`${side}${finger}Proximal`];
    if (knuckle === undefined) continue;
    const place = placeOf(pose, knuckle);
    for (let k = 0; k < 3; k++) sum[k] = sum[k]! + (place[k]! - wrist[k]!);
  }
  return normalize3(sum, 0, sum, 0) > 0 ? sum : undefined;
}

/** Frame of a hand or a finger: its direction first, then what it rolls with; undefined where that is not to be seen. */
function frameOf(body: Body, role: string): Float64Array | undefined {
  const first = boneDirection(body, role);
  const second = first && rollDirection(body, role);
  return second && frameFrom(first, second);
}

function rollDirection(body: Body, role: string): Float64Array | undefined {
  if (role.endsWith('Hand')) return palmLine(body, role.slice(0, -'Hand'.length));
  const side = fingerSide(role);
  if (side === undefined) return undefined;
  // Fingers flex about the line of the knuckles, so that even those of a fist lie across it; a thumb lies along it.
  return role.includes('Thumb') ? palmNormal(body, side) : palmLine(body, side);
}

/** `left` or `right` of a finger's bone. */
function fingerSide(role: string): string | undefined {
  return /^(?:left|right)(?=(?:Thumb|Index|Middle|Ring|Little))/.exec(role)?.[0];
}

/** From the knuckle of the index to that of the little finger, or of the last that there is. */
function palmLine({ pose, bones, turn }: Body, side: string): Float64Array | undefined {
  const index = bones[`${side}IndexProximal`];
  const last = ['Little', 'Ring', 'Middle']
    .map((finger) => bones[`${side}${finger}Proximal`])
    .find((bone) => bone !== undefined);
  if (index === undefined || last === undefined) return undefined;
  const line = directionBetween(pose, index, last);
  if (line !== undefined) rotateVec3(line, 0, turn, 0, line, 0);
  return line;
}

function palmNormal(body: Body, side: string): Float64Array | undefined {
  const along = boneDirection(body, `${side}Hand`);
  const across = palmLine(body, side);
  if (along === undefined || across === undefined) return undefined;
  const normal = new Float64Array(3);
  cross3(normal, 0, along, 0, across, 0);
  return normalize3(normal, 0, normal, 0) > 0 ? normal : undefined;
}

/** Rotation whose first axis is `first` and whose second lies towards `second`; undefined when these are nearly parallel. */
function frameFrom(first: Float64Array, second: Float64Array): Float64Array | undefined {
  const along = dot3(first, 0, second, 0);
  const matrix = new Float64Array(16);
  for (let k = 0; k < 3; k++) {
    matrix[k] = first[k]!;
    matrix[4 + k] = second[k]! - along * first[k]!;
  }
  if (!(length3(matrix, 4) > 0.1)) return undefined;
  normalize3(matrix, 4, matrix, 4);
  cross3(matrix, 8, matrix, 0, matrix, 4);
  matrix[15] = 1;
  const out = new Float64Array(4);
  quatFromMat4(out, 0, matrix, 0);
  return out;
}
