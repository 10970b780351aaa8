/**
 * Rule 3 of a link: contact. Floors and the keep-out plane forbid caps of directions; the projector finds the way
 * out. A position correction never becomes velocity: only the part of the velocity that points into a surface is
 * removed, and motion along a floor is damped (docs/solver.md, "Contact").
 */
import type { Columns } from '../components/field.js';
import type { FloorPlane } from '../components/floorPlane.js';
import { active, addCap, cap, capRank, clearCaps, projectDirection } from './capProjector.js';
import { colliderVelocity, firstColliderLabel, projectOutOfColliders, writeNormal } from './colliders.js';
import {
  addPlaneCaps,
  crossesPlanes,
  firstPlaneLabel,
  keepFreeVelocity,
  planeNormal,
  planeVelocity,
  readPressedPlane,
} from './chainPlanes.js';
import { hasColliders } from './colliderList.js';
import { meetsColliders, sweep } from './sweep.js';
import {
  baseFrame,
  feltVelocity,
  fastestFloor,
  floorClearance,
  floorDecay,
  headPoint,
  linkLength,
  mirrorSign,
  referenceVelocity,
  rootPoint,
  tipDirection,
  tipVelocity,
} from './registers.js';

/** Most floors a chain feels at once. */
const slots = 16;
const normal = new Float64Array(slots * 3);
const offset = new Float64Array(slots);
const velocity = new Float64Array(slots * 3);
let floors = 0;
let keepOut = false;

/** Starts the list of surfaces of a chain. */
export function clearSurfaces(withKeepOut: boolean): void {
  floors = 0;
  keepOut = withKeepOut;
}

/**
 * Adds the floor plane in row `f`, mirrored into solver space, with the chain's clearance.
 *
 * @returns false when the list is full
 */
export function addSurface(floor: Columns<typeof FloorPlane>, f: number): boolean {
  if (floors === slots) return false;
  const to = floors * 3;
  const side = mirrorSign[0]!;
  const nx = side * floor.normal[f * 3]!;
  const ny = floor.normal[f * 3 + 1]!;
  const nz = floor.normal[f * 3 + 2]!;
  normal[to] = nx;
  normal[to + 1] = ny;
  normal[to + 2] = nz;
  offset[floors] =
    nx * (side * floor.point[f * 3]!) +
    ny * floor.point[f * 3 + 1]! +
    nz * floor.point[f * 3 + 2]! +
    floorClearance[0]!;
  const vx = side * floor.velocity[f * 3]!;
  const vy = floor.velocity[f * 3 + 1]!;
  const vz = floor.velocity[f * 3 + 2]!;
  const moves = vx * vx + vy * vy + vz * vz <= fastestFloor[0]! * fastestFloor[0]!;
  velocity[to] = moves ? vx : 0;
  velocity[to + 1] = moves ? vy : 0;
  velocity[to + 2] = moves ? vz : 0;
  floors++;
  return true;
}

/** Label of the keep-out plane's cap; floors are labelled by their number. */
const keepOutLabel = slots;
/** How high the head of the link stands over each surface, by label. */
const height = new Float64Array(slots + 1);

/**
 * True when `tipDirection` takes the link into a surface, a collider or another chain. Writes how high the head stands over each surface.
 *
 * @param isRoot - the link is the first of its chain
 */
export function touches(isRoot: boolean): boolean {
  const l = linkLength[0]!;
  const hx = headPoint[0]!;
  const hy = headPoint[1]!;
  const hz = headPoint[2]!;
  const dx = tipDirection[0]!;
  const dy = tipDirection[1]!;
  const dz = tipDirection[2]!;
  let inside = false;
  for (let i = 0; i < floors; i++) {
    const nx = normal[i * 3]!;
    const ny = normal[i * 3 + 1]!;
    const nz = normal[i * 3 + 2]!;
    const up = hx * nx + hy * ny + hz * nz - offset[i]!;
    height[i] = up;
    if (up + l * (dx * nx + dy * ny + dz * nz) < 0) inside = true;
  }
  if (keepOut) {
    const fx = baseFrame[6]!;
    const fy = baseFrame[7]!;
    const fz = baseFrame[8]!;
    const behind = (rootPoint[0]! - hx) * fx + (rootPoint[1]! - hy) * fy + (rootPoint[2]! - hz) * fz;
    height[keepOutLabel] = behind;
    if (behind < l * (dx * fx + dy * fy + dz * fz)) inside = true;
  }
  if (hasColliders() && meetsColliders(isRoot)) inside = true;
  return inside || crossesPlanes();
}

/**
 * Turns `tipDirection` out of every surface and corrects `tipVelocity`; `touches` must have looked at the same link.
 *
 * @param isRoot - the link is the first of its chain
 * @returns true when a floor holds the link
 */
export function contact(isRoot: boolean): boolean {
  const l = linkLength[0]!;
  keepFreeVelocity();
  if (hasColliders()) sweep(isRoot);
  clearCaps();
  for (let i = 0; i < floors; i++) {
    for (let c = 0; c < 3; c++) cap[c] = -normal[i * 3 + c]!;
    cap[3] = height[i]! / l;
    addCap(capRank.floor, i);
  }
  if (keepOut) {
    for (let c = 0; c < 3; c++) cap[c] = baseFrame[6 + c]!;
    cap[3] = height[keepOutLabel]! / l;
    addCap(capRank.keepOut, keepOutLabel);
  }
  addPlaneCaps();
  if (hasColliders()) projectOutOfColliders(isRoot);
  else projectDirection();
  removeRadial();
  let onFloor = false;
  held = 0;
  for (let a = 0; a < 2; a++) {
    const label = active[a]!;
    if (label < 0) continue;
    if (label === keepOutLabel) hold(baseFrame, 6, -1, feltVelocity, 0);
    else if (label >= firstPlaneLabel) {
      readPressedPlane(label);
      hold(planeNormal, 0, 1, planeVelocity, 0);
    } else if (label >= firstColliderLabel) {
      writeNormal(a, colliderNormal);
      colliderVelocity(label, colliderSpeed);
      hold(colliderNormal, 0, 1, colliderSpeed, 0);
    } else hold(normal, label * 3, 1, velocity, label * 3);
  }
  stopInward();
  for (let a = 0; a < 2; a++) {
    const label = active[a]!;
    if (label < 0 || label >= keepOutLabel) continue;
    slide(label);
    onFloor = true;
  }
  return onFloor;
}

const colliderNormal = new Float64Array(3);
const colliderSpeed = new Float64Array(3);
/** Up to two surfaces that hold the link: unit ways out, where the link can move, and how fast it goes there at least. */
const ways = new Float64Array(6);
const least = new Float64Array(2);
let held = 0;

/**
 * Notes a surface, measured where the link can move: along m, the part of the normal square to the link. A surface that
 * moves away may be followed, none pushes. (Taken along the normal itself the length constraint would bring a rest of
 * it back every tick: the tail would creep.)
 */
function hold(out: Float64Array, o: number, sign: number, surface: Float64Array, at: number): void {
  const nx = sign * out[o]!;
  const ny = sign * out[o + 1]!;
  const nz = sign * out[o + 2]!;
  const along = nx * tipDirection[0]! + ny * tipDirection[1]! + nz * tipDirection[2]!;
  const mx = nx - along * tipDirection[0]!;
  const my = ny - along * tipDirection[1]!;
  const mz = nz - along * tipDirection[2]!;
  const square = mx * mx + my * my + mz * mz;
  if (square < 1e-20) return;
  const n = 1 / Math.sqrt(square);
  ways[held * 3] = n * mx;
  ways[held * 3 + 1] = n * my;
  ways[held * 3 + 2] = n * mz;
  const theirs = n * (surface[at]! * mx + surface[at + 1]! * my + surface[at + 2]! * mz);
  least[held] = theirs < 0 ? theirs : 0;
  held++;
}

/** What is missing of the least speeds. */
const lack = new Float64Array(2);

/** Removes what of the velocity leads into the surfaces noted: the nearest velocity that obeys both. */
function stopInward(): void {
  for (let i = 0; i < held; i++) {
    const w = i * 3;
    lack[i] =
      least[i]! -
      (tipVelocity[0]! * ways[w]! + tipVelocity[1]! * ways[w + 1]! + tipVelocity[2]! * ways[w + 2]!);
  }
  if (held === 0) return;
  const a = lack[0]!;
  if (held === 1) {
    if (a > 0) for (let k = 0; k < 3; k++) tipVelocity[k] = tipVelocity[k]! + a * ways[k]!;
    return;
  }
  const b = lack[1]!;
  if (a <= 0 && b <= 0) return;
  const c = ways[0]! * ways[3]! + ways[1]! * ways[4]! + ways[2]! * ways[5]!;
  let x = a;
  let y = b;
  if (a > 0 && b <= a * c) y = 0;
  else if (b > 0 && a <= b * c) x = 0;
  else if (1 - c * c > 1e-12) {
    x = (a - c * b) / (1 - c * c);
    y = (b - c * a) / (1 - c * c);
  } else if (a > b) y = 0;
  else x = 0;
  // In brackets, so that the order of the two changes no bit.
  for (let k = 0; k < 3; k++) tipVelocity[k] = tipVelocity[k]! + (x * ways[k]! + y * ways[3 + k]!);
}

/** Takes the velocity along the link, as seen from the reference motion, away. */
function removeRadial(): void {
  let radial = 0;
  for (let i = 0; i < 3; i++) radial += (tipVelocity[i]! - referenceVelocity[i]!) * tipDirection[i]!;
  for (let i = 0; i < 3; i++) tipVelocity[i] = tipVelocity[i]! - radial * tipDirection[i]!;
}

/** Motion over floor i, as seen from it, decays; a floor that rises adds nothing of its rise. */
function slide(i: number): void {
  const f = i * 3;
  const rise =
    velocity[f]! * normal[f]! + velocity[f + 1]! * normal[f + 1]! + velocity[f + 2]! * normal[f + 2]!;
  const lift = rise > 0 ? rise : 0;
  const decay = floorDecay[0]!;
  for (let c = 0; c < 3; c++) {
    const floor = velocity[f + c]! - lift * normal[f + c]!;
    tipVelocity[c] = floor + decay * (tipVelocity[c]! - floor);
  }
}
