/**
 * Colliders as a link feels them: those within reach become caps of forbidden directions; a capsule is the union of the
 * caps of its balls, of which the one that is entered deepest is taken until none is (docs/solver.md, "Colliders").
 */
import { colliderShape } from '../components/codes.js';
import {
  activeAxis,
  addCap,
  cap,
  capRank,
  dropCaps,
  givenUp,
  keepCaps,
  projectDirection,
  restoreCaps,
} from './capProjector.js';
import { chooseTested, chosen, findGap, findNear, gapTolerance, near, surroundLink } from './colliderGap.js';
import { bounds, boundSize, cones, ends, listed, shape, speeds, tipOnly } from './colliderList.js';
import { isPicked } from './colliderPicks.js';
import { coneSize, gapResult } from './linkGap.js';
import { headPoint, linkLength, linkRadius, tipDirection } from './registers.js';

/** Labels of collider caps begin here, behind those of floors and the keep-out plane. */
export const firstColliderLabel = 32;

/** The link goes nowhere in the time looked at. */
const nowhere = new Float64Array(1);

/**
 * Whether the candidate direction takes the link into a collider.
 *
 * @param isRoot - the first link: a collider that holds its head is felt at the tip only
 */
export function touchesColliders(isRoot: boolean): boolean {
  const deepest = -gapTolerance * linkLength[0]!;
  surroundLink(nowhere);
  const count = findNear(isPicked());
  for (let n = 0; n < count; n++) {
    const i = near[n]!;
    chooseTested(i, isRoot);
    findGap(i);
    if (gapResult[0]! < deepest) return true;
  }
  return false;
}

/** Adds the caps of everything but capsules that is within reach of the link whatever its direction. */
function addFixedCaps(isRoot: boolean): void {
  const x = headPoint[0]!;
  const y = headPoint[1]!;
  const z = headPoint[2]!;
  const own = linkLength[0]! + linkRadius[0]!;
  for (let i = 0, b = 0; i < listed[0]!; i++, b += boundSize) {
    const form = shape[i]!;
    if (form === colliderShape.capsule || form === colliderShape.insideCapsule) continue;
    const dx = bounds[b]! - x;
    const dy = bounds[b + 1]! - y;
    const dz = bounds[b + 2]! - z;
    const reach = bounds[b + 3]! + own;
    if (dx * dx + dy * dy + dz * dz >= reach * reach) continue;
    gapResult[1] = 0;
    if (form === colliderShape.plane) addPlane(i);
    else if (form === colliderShape.insideSphere) addInside(i);
    else {
      chooseTested(i, isRoot);
      addBall(i);
    }
  }
}

/**
 * Adds a cap for every capsule that the direction found so far enters.
 *
 * @returns how many; 0: the direction is free
 */
function addEnteredCaps(isRoot: boolean): number {
  const deepest = -gapTolerance * linkLength[0]!;
  let added = 0;
  surroundLink(nowhere);
  const count = findNear(isPicked());
  for (let n = 0; n < count; n++) {
    const i = near[n]!;
    const isInside = shape[i] === colliderShape.insideCapsule;
    if (shape[i] !== colliderShape.capsule && !isInside) continue;
    chooseTested(i, isRoot);
    findGap(i);
    if (gapResult[0]! >= deepest) continue;
    // Turning does not help a head that is inside.
    if (!isInside && gapResult[2] === 0) continue;
    // Only the ball nearest to the tip keeps it inside: an earlier one may forbid too much.
    if (isInside) {
      dropCaps(firstColliderLabel + i);
      reachableBall(i);
    }
    if (isInside ? addInside(i) : addBall(i)) added++;
  }
  return added;
}

/** The cap of the ball of collider i at the place that `gapResult` names. */
function addBall(i: number): boolean {
  const l = linkLength[0]!;
  const s = gapResult[1]!;
  const c = i * coneSize;
  const radius = cones[c + 7]! + linkRadius[0]! + cones[c + 8]! * s;
  const x = cones[c]! + s * cones[c + 3]! - headPoint[0]!;
  const y = cones[c + 1]! + s * cones[c + 4]! - headPoint[1]!;
  const z = cones[c + 2]! + s * cones[c + 5]! - headPoint[2]!;
  const square = x * x + y * y + z * z;
  const away = Math.sqrt(square);
  if (radius <= 0 || away >= radius + l || away < 1e-12) return false;
  const tangent = square - radius * radius;
  const tip = (tangent + l * l) / (2 * away * l);
  if (tipOnly[i] === 1) cap[3] = tip;
  else if (tangent <= 0) cap[3] = tip < 0 ? tip : 0;
  else if (tangent <= l * l) cap[3] = Math.sqrt(tangent) / away;
  else cap[3] = tip;
  cap[0] = x / away;
  cap[1] = y / away;
  cap[2] = z / away;
  return addCap(capRank.collider, firstColliderLabel + i);
}

/** The cap of the half space below plane i. */
function addPlane(i: number): boolean {
  const e = i * 6;
  let up = 0;
  for (let k = 0; k < 3; k++) {
    cap[k] = -ends[e + 3 + k]!;
    up += (headPoint[k]! - ends[e + k]!) * ends[e + 3 + k]!;
  }
  cap[3] = (up - linkRadius[0]!) / linkLength[0]!;
  return addCap(capRank.collider, firstColliderLabel + i);
}

/** The cap that keeps the tip inside the ball of collider i at the place that `gapResult` names. */
function addInside(i: number): boolean {
  const l = linkLength[0]!;
  const s = gapResult[1]!;
  const c = i * coneSize;
  const radius = cones[c + 7]! - linkRadius[0]! + cones[c + 8]! * s;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    cap[k] = headPoint[k]! - cones[c + k]! - s * cones[c + 3 + k]!;
    square += cap[k]! * cap[k]!;
  }
  const away = Math.sqrt(square);
  if (away < 1e-12 || radius <= 0) return false;
  for (let k = 0; k < 3; k++) cap[k] = cap[k]! / away;
  cap[3] = (radius * radius - square - l * l) / (2 * away * l);
  return addCap(capRank.collider, firstColliderLabel + i);
}

/**
 * Moves the place that `gapResult` names to the next ball of the capsule that the tip can be in: at the nearest place of
 * the axis whose distance from the head differs from the link's length by no more than the ball's radius.
 */
function reachableBall(i: number): void {
  const l = linkLength[0]!;
  const c = i * coneSize;
  const length = cones[c + 6]!;
  const s = gapResult[1]!;
  let along = 0;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const x = headPoint[k]! - cones[c + k]!;
    along += x * cones[c + 3 + k]!;
    square += x * x;
  }
  const off = square - along * along;
  const radius = cones[c + 7]! - linkRadius[0]! + cones[c + 8]! * s;
  const away = Math.sqrt((off > 0 ? off : 0) + (s - along) * (s - along));
  const miss = away - l;
  if ((miss < 0 ? -miss : miss) <= radius) return;
  // Too near: both ways along the axis lead away from the head; too far: toward it.
  const wanted = l * l - (off > 0 ? off : 0);
  const half = wanted > 0 ? Math.sqrt(wanted) : 0;
  let a = along - half;
  let b = along + half;
  a = a < 0 ? 0 : a > length ? length : a;
  b = b < 0 ? 0 : b > length ? length : b;
  const missA = Math.abs(Math.sqrt((off > 0 ? off : 0) + (a - along) * (a - along)) - l);
  const missB = Math.abs(Math.sqrt((off > 0 ? off : 0) + (b - along) * (b - along)) - l);
  const wayA = a > s ? a - s : s - a;
  const wayB = b > s ? b - s : s - b;
  const aHolds = missA <= cones[c + 7]! - linkRadius[0]! + cones[c + 8]! * a;
  const bHolds = missB <= cones[c + 7]! - linkRadius[0]! + cones[c + 8]! * b;
  if (aHolds === bHolds) gapResult[1] = aHolds ? (wayA < wayB ? a : b) : missA < missB ? a : b;
  else gapResult[1] = aHolds ? a : b;
}

/** Velocity of collider i where it touches the link, at the place of its axis that is nearest. */
export function colliderVelocity(label: number, out: Float64Array): void {
  const i = label - firstColliderLabel;
  const length = cones[i * coneSize + 6]!;
  const isAxis = shape[i] === colliderShape.capsule || shape[i] === colliderShape.insideCapsule;
  let t = 0;
  if (isAxis && length > 0) {
    findGap(i);
    t = gapResult[1]! / length;
  }
  for (let k = 0; k < 3; k++) out[k] = (1 - t) * speeds[i * 6 + k]! + t * speeds[i * 6 + 3 + k]!;
}

/** Normal that leads out of the cap with number `a` of those that hold the link. */
export function writeNormal(a: number, out: Float64Array): void {
  out[0] = -activeAxis[a * 3]!;
  out[1] = -activeAxis[a * 3 + 1]!;
  out[2] = -activeAxis[a * 3 + 2]!;
}

/** Most times that caps of capsules are added before the best direction so far is taken. */
const passes = 40;
/** The same while a jam is solved, which takes some 25 of them. */
const jamPasses = 28;
/** Depth to which a jam is solved, as a share of the link's length. */
const jamTolerance = 1e-7;

const candidate = new Float64Array(3);

/** Puts the candidate back into `tipDirection`. */
function takeCandidate(): void {
  tipDirection[0] = candidate[0]!;
  tipDirection[1] = candidate[1]!;
  tipDirection[2] = candidate[2]!;
}

/**
 * The nearest direction out of all caps so far and all colliders; where none is free, the one that is least deep in them.
 */
export function projectOutOfColliders(isRoot: boolean): void {
  for (let k = 0; k < 3; k++) candidate[k] = tipDirection[k]!;
  keepCaps();
  if (!findWayOut(isRoot, passes)) findLeastDeep(isRoot);
}

/**
 * Turns the candidate out of the caps so far and of all colliders. Caps of capsules are added where the direction found
 * enters one, and the candidate is projected anew: each cap is necessary, so a direction that enters none is the nearest.
 *
 * @returns false where they leave nothing free
 */
function findWayOut(isRoot: boolean, most: number): boolean {
  addFixedCaps(isRoot);
  projectDirection();
  let free = givenUp[0]! > capRank.collider;
  for (let pass = 0; pass < most && addEnteredCaps(isRoot) > 0; pass++) {
    takeCandidate();
    projectDirection();
    free = free && givenUp[0]! > capRank.collider;
  }
  return free;
}

/** A jam: colliders made smaller, by way of the link's radius, by the least that leaves a direction free. */
function findLeastDeep(isRoot: boolean): void {
  const radius = linkRadius[0]!;
  for (let i = 0; i < listed[0]!; i++) chooseTested(i, isRoot);
  chosen[0] = 1;
  let low = 0;
  measureCandidate();
  let high = candidateDepth[0]!;
  for (;;) {
    const middle = (low + high) / 2;
    // Where depths are so large that nothing lies between two of them, it ends as well.
    const done = high - low <= jamTolerance * linkLength[0]! || !(middle > low && middle < high);
    const relief = done ? high : middle;
    linkRadius[0] = radius - relief;
    // The keep-out plane has given way; floors have not.
    restoreCaps(capRank.keepOut);
    takeCandidate();
    const free = findWayOut(isRoot, jamPasses);
    if (done) break;
    if (free) high = relief;
    else low = relief;
  }
  linkRadius[0] = radius;
  chosen[0] = 0;
}

/** How deep the candidate is at worst: were all so much smaller, it would be free. A register, so that it is not boxed. */
const candidateDepth = new Float64Array(1);

/** Writes `candidateDepth`. */
function measureCandidate(): void {
  candidateDepth[0] = 0;
  takeCandidate();
  for (let i = 0; i < listed[0]!; i++) {
    findGap(i);
    if (-gapResult[0]! > candidateDepth[0]!) candidateDepth[0] = -gapResult[0]!;
  }
}
