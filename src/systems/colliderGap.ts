/**
 * How far a link is from a collider: cheap rejects first, then the exact gap (docs/solver.md, "Colliders").
 */
import { colliderShape, contactPart } from '../components/codes.js';
import { cones, ends, listed, shape, slots, tipOnly } from './colliderList.js';
import { ball, meetsBall, pickCount, picks } from './colliderPicks.js';
import { coneSize, gapResult, linkGap, pointGap } from './linkGap.js';
import { headPoint, linkLength, linkRadius, tipDirection } from './registers.js';

/** A link may lie this deep in a collider, as a share of its length, and be clear of it. */
export const gapTolerance = 1e-7;

/**
 * Writes `ball` around what is tested of the link for {@link findNear}: all of it, or its tip.
 *
 * @param went - first number: no point of the link goes farther in the time looked at
 */
export function surroundLink(went: Float64Array): void {
  const l = linkLength[0]!;
  const half = listed[1] === contactPart.tip ? 0 : l / 2;
  const along = l - half;
  ball[0] = headPoint[0]! + along * tipDirection[0]!;
  ball[1] = headPoint[1]! + along * tipDirection[1]!;
  ball[2] = headPoint[2]! + along * tipDirection[2]!;
  ball[3] = half + linkRadius[0]! + went[0]!;
}

/** Numbers of the colliders that may meet the link in this tick. */
export const near: Uint8Array = new Uint8Array(slots);

/**
 * Writes `near`: what the ball of {@link surroundLink} meets of the balls around colliders, and of capsules of the balls
 * along their axis, all with their way in the tick.
 *
 * @param picked - looks only at what was picked for the chain
 * @returns how many
 */
export function findNear(picked: boolean): number {
  const count = picked ? pickCount[0]! : listed[0]!;
  let found = 0;
  for (let n = 0; n < count; n++) {
    const i = picked ? picks[n]! : n;
    if (meetsBall(i)) near[found++] = i;
  }
  return found;
}

/** 1: what is tested has been decided for every collider of the list and holds. */
export const chosen: Uint8Array = new Uint8Array(1);

/** Decides whether collider i is tested against the whole link or its tip. */
export function chooseTested(i: number, isRoot: boolean): void {
  if (chosen[0] === 1) return;
  tipOnly[i] = listed[1] === contactPart.tip || (isRoot && headIsInside(i)) ? 1 : 0;
}

/** Whether the head lies in collider i. */
function headIsInside(i: number): boolean {
  if (shape[i] !== colliderShape.sphere && shape[i] !== colliderShape.capsule) return false;
  gapResult[0] = Infinity;
  pointGap(cones, i * coneSize, false);
  return gapResult[0]! < 0;
}

/** Writes `gapResult`: distance of the link along `tipDirection` to collider i, negative inside, and the place on its axis. */
export function findGap(i: number): void {
  const form = shape[i]!;
  if (form === colliderShape.sphere || form === colliderShape.capsule)
    linkGap(cones, i * coneSize, tipOnly[i] === 1);
  else if (form === colliderShape.plane) planeGap(i);
  else insideGap(i);
}

/** Height of the tip over plane i. */
function planeGap(i: number): void {
  const l = linkLength[0]!;
  const e = i * 6;
  let up = 0;
  for (let k = 0; k < 3; k++) up += (headPoint[k]! + l * tipDirection[k]! - ends[e + k]!) * ends[e + 3 + k]!;
  gapResult[0] = up - linkRadius[0]!;
  gapResult[1] = 0;
}

/** From inside: the tip from the nearest place of the axis of collider i. */
function insideGap(i: number): void {
  const l = linkLength[0]!;
  const c = i * coneSize;
  let s = 0;
  for (let k = 0; k < 3; k++) s += (headPoint[k]! + l * tipDirection[k]! - cones[c + k]!) * cones[c + 3 + k]!;
  s = s < 0 ? 0 : s > cones[c + 6]! ? cones[c + 6]! : s;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const off = headPoint[k]! + l * tipDirection[k]! - cones[c + k]! - s * cones[c + 3 + k]!;
    square += off * off;
  }
  // The link's radius counts the other way here.
  gapResult[0] = cones[c + 7]! - linkRadius[0]! + cones[c + 8]! * s - Math.sqrt(square);
  gapResult[1] = s;
}
