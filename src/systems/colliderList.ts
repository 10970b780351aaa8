/**
 * The colliders that a chain feels, in solver space, and where they stand during the tick: what the walk gathers once per
 * chain. One chain is walked at a time, so one list is enough.
 */
import { colliderShape } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { coneSize } from './linkGap.js';
import { mirrorSign, scaleNow } from './registers.js';

/** Most colliders a chain feels at once. */
export const slots = 64;
/** Numbers of a bound. */
export const boundSize = 5;
/** Shape, see `colliderShape`. */
export const shape: Uint8Array = new Uint8Array(slots);
/** Ends of the axis: centre twice for balls; point and normal of a plane. Solver space. */
export const ends: Float64Array = new Float64Array(slots * 6);
/** Radii of both. */
const radii = new Float64Array(slots * 2);
/** Balls and capsules as linkGap.ts takes them, `coneSize` numbers each; a ball has no length. */
export const cones: Float64Array = new Float64Array(slots * coneSize);
/** Velocity of both ends. */
export const speeds: Float64Array = new Float64Array(slots * 6);
/** Ends at the end of the tick. */
const finals = new Float64Array(slots * 6);
/** Way of both ends in it. */
export const ways: Float64Array = new Float64Array(slots * 6);
/** 1: a ball or capsule that moved no farther than what is set down elsewhere. */
export const swept: Uint8Array = new Uint8Array(slots);
/** Middle and radius of the ball around it, and that radius with the way in the tick; a plane has radius Infinity. */
export const bounds: Float64Array = new Float64Array(slots * boundSize);
/** 1: only the tip of the link may not enter, decided per link. */
export const tipOnly: Uint8Array = new Uint8Array(slots);
/** A collider that comes farther in a tick, metres, was set down elsewhere. */
const farthestWay = new Float64Array(1);

/** The longer way of the ends in the tick. */
export const ownWay: Float64Array = new Float64Array(slots);
/** The smaller radius. */
export const thinnest: Float64Array = new Float64Array(slots);
/** Number of colliders, and what of the links stays out of them (`contactPart`). */
export const listed: Int32Array = new Int32Array(2);
let sweeping = false;

/**
 * Starts the list of colliders of a chain.
 *
 * @param withSweep - the chain stood in the last tick where its state says
 */
export function clearColliders(withSweep: boolean): void {
  listed[0] = 0;
  sweeping = withSweep;
}

/** Empties the list. */
export function noColliders(): void {
  listed[0] = 0;
  key[0] = -1;
}

/** What the list was gathered for: character, mask, sweep, mirror, scale. */
const key = new Float64Array(5);

/**
 * Whether the list still stands for a chain of the same character with the same mask: chains of one head follow each
 * other and share it. Colliders do not move while chains are walked.
 */
export function isListedFor(character: number, mask: number, withSweep: boolean): boolean {
  const sweepCode = withSweep ? 1 : 0;
  const same =
    key[0] === character &&
    key[1] === mask &&
    key[2] === sweepCode &&
    key[3] === mirrorSign[0] &&
    key[4] === scaleNow[0];
  key[0] = character;
  key[1] = mask;
  key[2] = sweepCode;
  key[3] = mirrorSign[0]!;
  key[4] = scaleNow[0]!;
  return same;
}

/** Sets what of the links stays out of the colliders. */
export function setTested(contact: number): void {
  listed[1] = contact;
}

/** Sets how far a collider may come in a tick. */
export function limitWays(most: number): void {
  farthestWay[0] = most;
}

/** @returns false when nothing is in the list, which is the common case */
export function hasColliders(): boolean {
  return listed[0]! > 0;
}

/**
 * Adds the collider in row `c`, mirrored into solver space.
 *
 * @returns false when the list is full
 */
export function addColliderSurface({ collider }: Views, c: number, ticksPerSecond: number): boolean {
  const count = listed[0]!;
  if (count === slots) return false;
  const side = mirrorSign[0]!;
  const to = count * 6;
  const from = c * 6;
  shape[count] = collider.shape[c]!;
  let square = 0;
  for (let k = 0; k < 6; k++) {
    const sign = k % 3 === 0 ? side : 1;
    ends[to + k] = sign * collider.pose[from + k]!;
    speeds[to + k] = sign * (collider.pose[from + k]! - collider.lastPose[from + k]!) * ticksPerSecond;
  }
  for (let k = 0; k < 3; k++) {
    const way = ends[to + 3 + k]! - ends[to + k]!;
    square += way * way;
  }
  const ra = collider.worldRadius[c * 2]!;
  const rb = collider.worldRadius[c * 2 + 1]!;
  radii[count * 2] = ra;
  radii[count * 2 + 1] = rb;
  const isCapsule = shape[count] === colliderShape.capsule || shape[count] === colliderShape.insideCapsule;
  const length = isCapsule ? Math.sqrt(square) : 0;
  // A capsule whose larger ball holds the smaller one is that ball.
  if (shape[count] === colliderShape.capsule && (length < 1e-9 || Math.abs(rb - ra) >= length)) {
    shape[count] = colliderShape.sphere;
    const larger = rb > ra ? 3 : 0;
    for (let k = 0; k < 3; k++) {
      ends[to + k] = ends[to + larger + k]!;
      ends[to + 3 + k] = ends[to + k]!;
      speeds[to + k] = speeds[to + larger + k]!;
      speeds[to + 3 + k] = speeds[to + k]!;
    }
    radii[count * 2] = rb > ra ? rb : ra;
  }
  for (let k = 0; k < 6; k++) {
    finals[to + k] = ends[to + k]!;
    ways[to + k] = speeds[to + k]! / ticksPerSecond;
  }
  const isBall = shape[count] === colliderShape.sphere;
  const isSolid = isBall || shape[count] === colliderShape.capsule;
  if (isBall) radii[count * 2 + 1] = radii[count * 2]!;
  thinnest[count] = isBall || ra < rb ? radii[count * 2]! : rb;
  relativeMotion(count, nowhere);
  ownWay[count] = Math.sqrt(motion[0]!);
  swept[count] = sweeping && isSolid && ownWay[count]! <= farthestWay[0]! ? 1 : 0;
  const b = count * boundSize;
  bounds[b + 3] = isSolid ? length / 2 + (ra > rb ? ra : rb) : Infinity;
  bounds[b + 4] = bounds[b + 3]! + (swept[count] === 1 ? ownWay[count]! : 0);
  writeForm(count);
  listed[0] = count + 1;
  return true;
}

const nowhere = new Float64Array(3);

/** Written by {@link relativeMotion}: a square. */
export const motion: Float64Array = new Float64Array(1);

/** Writes `motion`: the square of the longer way of the ends of collider i in the tick, seen from what goes `way`. */
export function relativeMotion(i: number, way: Float64Array): void {
  let most = 0;
  for (let e = i * 6; e < i * 6 + 6; e += 3) {
    const x = ways[e]! - way[0]!;
    const y = ways[e + 1]! - way[1]!;
    const z = ways[e + 2]! - way[2]!;
    const square = x * x + y * y + z * z;
    if (square > most) most = square;
  }
  motion[0] = most;
}

/** Time at which {@link placeCollider} puts colliders, as a share of the tick, 0 to 1. */
export const placeTime: Float64Array = new Float64Array(1);

/** Puts collider i where it stands at `placeTime`. */
export function placeCollider(i: number): void {
  const back = 1 - placeTime[0]!;
  for (let k = i * 6; k < i * 6 + 6; k++) ends[k] = finals[k]! - back * ways[k]!;
  writeForm(i);
}

/** Puts the colliders that are swept where they stand at `placeTime`. */
export function placeColliders(): void {
  for (let i = 0; i < listed[0]!; i++) if (swept[i] === 1) placeCollider(i);
}

/** Writes the middle of collider i and its round cone. */
function writeForm(i: number): void {
  const e = i * 6;
  const b = i * boundSize;
  const c = i * coneSize;
  const ax = ends[e]!;
  const ay = ends[e + 1]!;
  const az = ends[e + 2]!;
  const bx = ends[e + 3]!;
  const by = ends[e + 4]!;
  const bz = ends[e + 5]!;
  bounds[b] = (ax + bx) / 2;
  bounds[b + 1] = (ay + by) / 2;
  bounds[b + 2] = (az + bz) / 2;
  const x = bx - ax;
  const y = by - ay;
  const z = bz - az;
  const length = Math.sqrt(x * x + y * y + z * z);
  cones[c] = ax;
  cones[c + 1] = ay;
  cones[c + 2] = az;
  cones[c + 3] = length > 0 ? x / length : 1;
  cones[c + 4] = length > 0 ? y / length : 0;
  cones[c + 5] = length > 0 ? z / length : 0;
  cones[c + 6] = length;
  cones[c + 7] = radii[i * 2]!;
  cones[c + 8] = length > 0 ? (radii[i * 2 + 1]! - radii[i * 2]!) / length : 0;
}
