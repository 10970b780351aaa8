/**
 * Colliders as a link feels them: those within reach become caps of forbidden directions; a capsule is the union of the
 * caps of its balls, of which the one that is entered deepest is taken until none is (docs/solver.md, "Colliders").
 */
import { colliderShape, contactPart } from '../components/codes.js';
import { activeAxis, addCap, cap, capRank, dropCaps, projectDirection } from './capProjector.js';
import { bounds, ends, listed, near, radii, shape, speeds, tipOnly } from './colliderList.js';
import { coneAxis, coneRadius, gapLength, gapResult, linkGap } from './linkGap.js';
import { headPoint, linkLength, linkRadius, tipDirection } from './registers.js';

/** Labels of collider caps begin here, behind those of floors and the keep-out plane. */
export const firstColliderLabel = 32;
/** A link may lie this deep in a collider, as a share of its length, and be clear of it. */
const tolerance = 1e-7;

/** Middle of the link. */
const middle = new Float64Array(3);

/**
 * Whether the candidate direction takes the link into a collider.
 *
 * @param isRoot - the first link: a collider that holds its head is felt at the tip only
 */
export function touchesColliders(isRoot: boolean): boolean {
  const l = linkLength[0]!;
  for (let k = 0; k < 3; k++) middle[k] = headPoint[k]! + (l / 2) * tipDirection[k]!;
  for (let i = 0; i < listed[0]!; i++) {
    if (isClear(i)) continue;
    chooseTested(i, isRoot);
    findGap(i);
    if (gapResult[0]! < -tolerance * l) return true;
  }
  return false;
}

/** Whether the ball around the link is clear of the ball around collider i, or of its thickest ball along its axis. */
function isClear(i: number): boolean {
  const out = linkLength[0]! / 2 + linkRadius[0]!;
  const bx = bounds[i * 4]! - middle[0]!;
  const by = bounds[i * 4 + 1]! - middle[1]!;
  const bz = bounds[i * 4 + 2]! - middle[2]!;
  const reach = bounds[i * 4 + 3]! + out;
  if (bx * bx + by * by + bz * bz >= reach * reach) return true;
  if (shape[i] !== colliderShape.capsule) return false;
  const e = i * 6;
  const ax = ends[e + 3]! - ends[e]!;
  const ay = ends[e + 4]! - ends[e + 1]!;
  const az = ends[e + 5]! - ends[e + 2]!;
  const mx = middle[0]! - ends[e]!;
  const my = middle[1]! - ends[e + 1]!;
  const mz = middle[2]! - ends[e + 2]!;
  let t = (mx * ax + my * ay + mz * az) / (ax * ax + ay * ay + az * az);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const dx = mx - t * ax;
  const dy = my - t * ay;
  const dz = mz - t * az;
  const thick = radii[i * 2]! > radii[i * 2 + 1]! ? radii[i * 2]! : radii[i * 2 + 1]!;
  const far = thick + out;
  return dx * dx + dy * dy + dz * dz >= far * far;
}

/** Finds which colliders the link could meet whatever its direction, and of which only the tip counts. */
function findNear(isRoot: boolean): void {
  for (let i = 0; i < listed[0]!; i++) {
    const x = bounds[i * 4]! - headPoint[0]!;
    const y = bounds[i * 4 + 1]! - headPoint[1]!;
    const z = bounds[i * 4 + 2]! - headPoint[2]!;
    const reach = bounds[i * 4 + 3]! + linkLength[0]! + linkRadius[0]!;
    near[i] = x * x + y * y + z * z < reach * reach ? 1 : 0;
    if (near[i] === 1) chooseTested(i, isRoot);
  }
}

/** Whether the head lies in collider i. */
function headIsInside(i: number): boolean {
  if (shape[i] !== colliderShape.sphere && shape[i] !== colliderShape.capsule) return false;
  writeCone(i);
  gapLength[0] = 0;
  linkGap(true);
  return gapResult[0]! < 0;
}

/** Writes `gapResult`: distance of the link along `tipDirection` to collider i, negative inside, and the place on its axis. */
export function findGap(i: number): void {
  const l = linkLength[0]!;
  const e = i * 6;
  gapLength[0] = l;
  gapResult[1] = 0;
  if (shape[i] === colliderShape.plane) {
    let up = 0;
    for (let k = 0; k < 3; k++)
      up += (headPoint[k]! + l * tipDirection[k]! - ends[e + k]!) * ends[e + 3 + k]!;
    gapResult[0] = up - linkRadius[0]!;
    return;
  }
  writeCone(i);
  if (shape[i] === colliderShape.sphere || shape[i] === colliderShape.capsule) {
    linkGap(tipOnly[i] === 1);
    return;
  }
  // Inside: the tip from the nearest place of the axis.
  let s = 0;
  for (let k = 0; k < 3; k++) s += (headPoint[k]! + l * tipDirection[k]! - coneAxis[k]!) * coneAxis[3 + k]!;
  s = s < 0 ? 0 : s > coneAxis[6]! ? coneAxis[6]! : s;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const off = headPoint[k]! + l * tipDirection[k]! - coneAxis[k]! - s * coneAxis[3 + k]!;
    square += off * off;
  }
  gapResult[1] = s;
  // The radius without that of the link, which counts the other way here.
  gapResult[0] = coneRadius[0]! - 2 * linkRadius[0]! + coneRadius[1]! * s - Math.sqrt(square);
}

/** Writes the round cone of collider i with the link's radius; a ball is one without length. */
function writeCone(i: number): void {
  const e = i * 6;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    coneAxis[k] = ends[e + k]!;
    coneAxis[3 + k] = ends[e + 3 + k]! - ends[e + k]!;
    square += coneAxis[3 + k]! * coneAxis[3 + k]!;
  }
  const length = Math.sqrt(square);
  for (let k = 3; k < 6; k++) coneAxis[k] = length > 0 ? coneAxis[k]! / length : k === 3 ? 1 : 0;
  coneAxis[6] = length;
  coneRadius[0] = radii[i * 2]! + linkRadius[0]!;
  coneRadius[1] = length > 0 ? (radii[i * 2 + 1]! - radii[i * 2]!) / length : 0;
}

/** Adds the caps of everything but capsules that is within reach. */
function addFixedCaps(): void {
  for (let i = 0; i < listed[0]!; i++) {
    if (near[i] === 0) continue;
    gapResult[1] = 0;
    if (shape[i] === colliderShape.sphere) addBall(i);
    else if (shape[i] === colliderShape.plane) addPlane(i);
    else if (shape[i] === colliderShape.insideSphere) addInside(i);
  }
}

/**
 * Adds a cap for every capsule that the direction found so far enters.
 *
 * @returns how many; 0: the direction is free
 */
function addEnteredCaps(): number {
  const l = linkLength[0]!;
  let added = 0;
  for (let i = 0; i < listed[0]!; i++) {
    const isInside = shape[i] === colliderShape.insideCapsule;
    if (near[i] === 0 || (shape[i] !== colliderShape.capsule && !isInside)) continue;
    findGap(i);
    if (gapResult[0]! >= -tolerance * l) continue;
    // Turning does not help a head that is inside.
    if (!isInside && gapResult[2] === 0) continue;
    // Only the ball nearest to the tip keeps it inside: an earlier one may forbid too much.
    if (isInside) dropCaps(firstColliderLabel + i);
    if (isInside ? addInside(i) : addBall(i)) added++;
  }
  return added;
}

/** The cap of the ball of collider i at the place that `gapResult` names. */
function addBall(i: number): boolean {
  const l = linkLength[0]!;
  const s = gapResult[1]!;
  writeCone(i);
  const radius = coneRadius[0]! + coneRadius[1]! * s;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    cap[k] = coneAxis[k]! + s * coneAxis[3 + k]! - headPoint[k]!;
    square += cap[k]! * cap[k]!;
  }
  const away = Math.sqrt(square);
  if (away >= radius + l || away < 1e-12) return false;
  const tangent = square - radius * radius;
  const tip = (tangent + l * l) / (2 * away * l);
  if (tipOnly[i] === 1) cap[3] = tip;
  else if (tangent <= 0) cap[3] = tip < 0 ? tip : 0;
  else if (tangent <= l * l) cap[3] = Math.sqrt(tangent) / away;
  else cap[3] = tip;
  for (let k = 0; k < 3; k++) cap[k] = cap[k]! / away;
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
  writeCone(i);
  const radius = coneRadius[0]! - 2 * linkRadius[0]! + coneRadius[1]! * s;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    cap[k] = headPoint[k]! - coneAxis[k]! - s * coneAxis[3 + k]!;
    square += cap[k]! * cap[k]!;
  }
  const away = Math.sqrt(square);
  if (away < 1e-12 || radius <= 0) return false;
  for (let k = 0; k < 3; k++) cap[k] = cap[k]! / away;
  cap[3] = (radius * radius - square - l * l) / (2 * away * l);
  return addCap(capRank.collider, firstColliderLabel + i);
}

/** Velocity of collider i where it touches the link, at the place of its axis that is nearest. */
export function colliderVelocity(label: number, out: Float64Array): void {
  const i = label - firstColliderLabel;
  findGap(i);
  const length = coneAxis[6]!;
  const isAxis = shape[i] === colliderShape.capsule || shape[i] === colliderShape.insideCapsule;
  const t = isAxis && length > 0 ? gapResult[1]! / length : 0;
  for (let k = 0; k < 3; k++) out[k] = (1 - t) * speeds[i * 6 + k]! + t * speeds[i * 6 + 3 + k]!;
}

/** Normal that leads out of the cap with number `a` of those that hold the link. */
export function writeNormal(a: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = -activeAxis[a * 3 + k]!;
}

/** Decides whether collider i is tested against the whole link or its tip. */
export function chooseTested(i: number, isRoot: boolean): void {
  tipOnly[i] = listed[1] === contactPart.tip || (isRoot && headIsInside(i)) ? 1 : 0;
}

const candidate = new Float64Array(3);

/** Most times that caps of capsules are added before the best direction so far is taken. */
const passes = 20;

/**
 * The nearest direction out of all caps so far and all colliders. Caps of capsules are added where the direction found
 * enters one, and the candidate is projected anew: each cap is necessary, so a direction that enters none is the nearest.
 */
export function projectOutOfColliders(isRoot: boolean): void {
  findNear(isRoot);
  addFixedCaps();
  candidate.set(tipDirection);
  projectDirection();
  for (let pass = 0; pass < passes && addEnteredCaps() > 0; pass++) {
    tipDirection.set(candidate);
    projectDirection();
  }
}
