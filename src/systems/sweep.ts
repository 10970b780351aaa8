/**
 * Contact between two ticks: a ball or capsule that crosses a link within a tick, or leads it to the wrong side
 * (docs/solver.md, "Sweep"). The first touch is found with a bound that is never too late; from there the link is
 * taken to the end of the tick in sub-steps, and at each of them out of what it entered.
 */
import { clearCaps } from './capProjector.js';
import { chooseTested, findGap, findNear, gapTolerance, near, surroundLink } from './colliderGap.js';
import {
  cones,
  motion,
  ownWay,
  placeCollider,
  placeColliders,
  placeTime,
  relativeMotion,
  swept,
  thinnest,
  tipOnly,
  ways,
} from './colliderList.js';
import { isPicked, pickCount } from './colliderPicks.js';
import { projectOutOfColliders, touchesColliders } from './colliders.js';
import { coneSize, gapResult } from './linkGap.js';
import {
  headBefore,
  headPoint,
  linkLength,
  linkRadius,
  mirrorSign,
  tipBefore,
  tipDirection,
} from './registers.js';

/** Way per sub-step, as a share of the radius of what is met. */
const share = 0.25;
/** Most sub-steps, and most steps of the search for the first touch. */
const mostSubSteps = 32;
const mostSearchSteps = 16;
/** Gap that counts as a touch, as a share of the link's length. */
const touching = 1e-5;

/** Head and candidate at the end of the tick; what head and tip do in it; the link a tick ago. */
const headAfter = new Float64Array(3);
const directionAfter = new Float64Array(3);
const headWay = new Float64Array(3);
const tipWay = new Float64Array(3);
const spanBefore = new Float64Array(3);
const span = new Float64Array(3);
/** Time of the first touch as a share of the tick, 1 without one; sub-steps that a whole tick would take; the link's length. */
const first = new Float64Array(1);
const pace = new Float64Array(1);
const length = new Float64Array(1);
/** Time of the first touch with one collider; how far both come together in the tick; how fast they do at most. */
const touch = new Float64Array(1);
const way = new Float64Array(1);
const approach = new Float64Array(1);
/** Unit normal from the collider to the link at their nearest points. */
const normal = new Float64Array(3);

/**
 * Keeps where the link stood a tick ago; call it link by link, before the walk.
 *
 * @param at - start of its tip in `position`
 * @param isRoot - the first link, whose head the walk has put into `headBefore`
 */
export function keepLink(position: Float64Array, at: number, isRoot: boolean): void {
  if (!isRoot) copy3(tipBefore, headBefore);
  tipBefore[0] = mirrorSign[0]! * position[at]!;
  tipBefore[1] = position[at + 1]!;
  tipBefore[2] = position[at + 2]!;
}

/** No point of the link goes farther in this tick. */
const went = new Float64Array(1);

/**
 * Whether the candidate direction takes the link into a collider, or its way in this tick, from where it stood to the
 * candidate, meets one.
 *
 * @param isRoot - the first link of its chain
 */
export function meetsColliders(isRoot: boolean): boolean {
  const l = linkLength[0]!;
  first[0] = 1;
  const picked = isPicked();
  if (picked && pickCount[0] === 0) return false;
  length[0] = l;
  pace[0] = 0;
  const hx = headPoint[0]! - headBefore[0]!;
  const hy = headPoint[1]! - headBefore[1]!;
  const hz = headPoint[2]! - headBefore[2]!;
  headWay[0] = hx;
  headWay[1] = hy;
  headWay[2] = hz;
  const tx = headPoint[0]! + l * tipDirection[0]! - tipBefore[0]!;
  const ty = headPoint[1]! + l * tipDirection[1]! - tipBefore[1]!;
  const tz = headPoint[2]! + l * tipDirection[2]! - tipBefore[2]!;
  tipWay[0] = tx;
  tipWay[1] = ty;
  tipWay[2] = tz;
  // Every point of the link goes a mean of what its ends go.
  const headSquare = hx * hx + hy * hy + hz * hz;
  const tipSquare = tx * tx + ty * ty + tz * tz;
  went[0] = Math.sqrt(headSquare > tipSquare ? headSquare : tipSquare);
  // Seen from the head: what all of it does together meets nothing.
  const x = tx - hx;
  const y = ty - hy;
  const z = tz - hz;
  const turned = Math.sqrt(x * x + y * y + z * z);
  const headWent = Math.sqrt(headSquare);
  const deepest = -gapTolerance * l;
  let inside = false;
  surroundLink(went);
  const count = findNear(picked);
  for (let n = 0; n < count; n++) {
    const i = near[n]!;
    chooseTested(i, isRoot);
    findGap(i);
    if (gapResult[0]! < deepest) inside = true;
    if (swept[i] === 0) continue;
    const least = share * (thinnest[i]! + linkRadius[0]!);
    const rest = least - turned;
    // Two bounds: of both ways, then of that seen from the head.
    if (ownWay[i]! + headWent <= rest) continue;
    relativeMotion(i, headWay);
    if (rest >= 0 && motion[0]! <= rest * rest) continue;
    way[0] = turned + Math.sqrt(motion[0]!);
    if (gapResult[0]! >= way[0]!) continue;
    searchTouch(i);
    if (touch[0]! >= 1) continue;
    if (touch[0]! < first[0]!) first[0] = touch[0]!;
    const steps = way[0]! / least;
    if (steps > pace[0]!) pace[0] = steps;
  }
  return inside || first[0]! < 1;
}

/** `set` is a call; this is not. */
function copy3(from: Float64Array, to: Float64Array): void {
  to[0] = from[0]!;
  to[1] = from[1]!;
  to[2] = from[2]!;
}

/** Writes `touch` for collider i and leaves link and collider as they were. */
function searchTouch(i: number): void {
  copy3(headPoint, headAfter);
  copy3(tipDirection, directionAfter);
  findFirstTouch(i);
  placeTime[0] = 1;
  placeCollider(i);
  copy3(headAfter, headPoint);
  copy3(directionAfter, tipDirection);
  linkLength[0] = length[0]!;
}

/** Puts the link where it stands at `placeTime`: head and tip go straight. */
function placeLink(): void {
  const back = 1 - placeTime[0]!;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    headPoint[k] = headAfter[k]! - back * headWay[k]!;
    const tip = headAfter[k]! + length[0]! * directionAfter[k]! - back * tipWay[k]!;
    tipDirection[k] = tip - headPoint[k]!;
    square += tipDirection[k]! * tipDirection[k]!;
  }
  const n = Math.sqrt(square);
  linkLength[0] = n;
  for (let k = 0; k < 3; k++) tipDirection[k] = n > 0 ? tipDirection[k]! / n : directionAfter[k]!;
}

/**
 * Writes `touch`: the time of the first touch with collider i as a share of the tick, 1 without one. At each step the
 * plane square to the gap goes on separating both until gap / approach has passed, so no touch is missed.
 */
function findFirstTouch(i: number): void {
  touch[0] = 0;
  for (let step = 0; step < mostSearchSteps; step++) {
    placeTime[0] = touch[0]!;
    placeLink();
    placeCollider(i);
    findGap(i);
    findApproach(i);
    const comes = approach[0]! > 0;
    if (comes && gapResult[0]! < touching * length[0]!) return;
    if (comes) touch[0] = touch[0]! + gapResult[0]! / approach[0]!;
    if (!comes || touch[0]! >= 1) {
      touch[0] = 1;
      return;
    }
  }
}

/** Writes `approach`: how fast collider i and the link come together along their gap at most, per tick. */
function findApproach(i: number): void {
  const c = i * coneSize;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const onLink = headPoint[k]! + gapResult[2]! * tipDirection[k]!;
    normal[k] = onLink - cones[c + k]! - gapResult[1]! * cones[c + 3 + k]!;
    square += normal[k]! * normal[k]!;
  }
  const n = Math.sqrt(square);
  // Where the axes meet there is no normal, and a touch.
  if (n < 1e-12) {
    approach[0] = 1;
    return;
  }
  let a = 0;
  let b = 0;
  let head = 0;
  let tip = 0;
  for (let k = 0; k < 3; k++) {
    a += normal[k]! * ways[i * 6 + k]!;
    b += normal[k]! * ways[i * 6 + 3 + k]!;
    head += normal[k]! * headWay[k]!;
    tip += normal[k]! * tipWay[k]!;
  }
  const slowest = tipOnly[i] === 1 || tip < head ? tip : head;
  approach[0] = ((a > b ? a : b) - slowest) / n;
}

/**
 * Takes the link from its first touch to the end of the tick and leaves in `tipDirection` the candidate for it, on the
 * side from which it came; `meetsColliders` must have looked at the same link.
 */
export function sweep(isRoot: boolean): void {
  const l = linkLength[0]!;
  const start = first[0]!;
  const wanted = Math.ceil((1 - start) * pace[0]!);
  const steps = wanted < mostSubSteps ? wanted : mostSubSteps;
  if (start >= 1 || steps < 2) return;
  for (let k = 0; k < 3; k++) spanBefore[k] = tipBefore[k]! - headBefore[k]!;
  for (let k = 0; k < 3; k++) span[k] = (1 - start) * spanBefore[k]! + start * l * directionAfter[k]!;
  const stride = (1 - start) / steps;
  for (let j = 1; j <= steps; j++) {
    const back = (1 - start) * (1 - j / steps);
    let square = 0;
    for (let k = 0; k < 3; k++) {
      headPoint[k] = headAfter[k]! - back * headWay[k]!;
      // Only what the free motion adds in this sub-step, so that what was pushed aside stays there.
      span[k] = span[k]! + stride * (l * directionAfter[k]! - spanBefore[k]!);
      square += span[k]! * span[k]!;
    }
    const n = Math.sqrt(square);
    for (let k = 0; k < 3; k++) tipDirection[k] = n > 0 ? span[k]! / n : directionAfter[k]!;
    if (j === steps) break;
    placeTime[0] = 1 - back;
    placeColliders();
    if (touchesColliders(isRoot)) {
      clearCaps();
      projectOutOfColliders(isRoot);
    }
    for (let k = 0; k < 3; k++) span[k] = l * tipDirection[k]!;
  }
  copy3(headAfter, headPoint);
  placeTime[0] = 1;
  placeColliders();
}
