/**
 * Planes that keep a link out of other chains, as the link feels them: caps like those of floors, for its tip. They come
 * from meetChains.ts; a tip has those of its own link and of the link below, which begins there.
 */
import type { Columns } from '../components/field.js';
import type { Particle } from '../components/particle.js';
import { planesPerLink, planeSize, type Meeting } from '../setup/meeting.js';
import { addCap, cap, capRank } from './capProjector.js';
import { headPoint, linkLength, mirrorSign, tipDirection, tipVelocity } from './registers.js';

/** Labels of their caps begin here, behind those of colliders. */
export const firstPlaneLabel = 96;

/** Normal of a plane in solver space, and how high the head stands over it. */
export const planeNormal: Float64Array = new Float64Array(4);
/** Its velocity. */
export const planeVelocity: Float64Array = new Float64Array(3);
/** Velocity of the tip before any contact of this tick. */
const freeVelocity = new Float64Array(3);

let particles: Columns<typeof Particle> | undefined;
let row = 0;
let planes: Float64Array | undefined;
let ownStart = 0;
let belowStart = 0;
let ownCount = 0;
let planeCount = 0;

/** Takes over the planes of the link in row p, with those of the link in row `below`, -1 at the tip. */
export function takePlanes(
  particle: Columns<typeof Particle>,
  meeting: Meeting | undefined,
  p: number,
  below: number,
): void {
  planeCount = 0;
  if (meeting === undefined) return;
  particles = particle;
  row = p;
  particle.pressed[p] = 0;
  planes = meeting.planes;
  ownStart = p * planesPerLink * planeSize;
  belowStart = below * planesPerLink * planeSize;
  ownCount = meeting.counts[p]!;
  planeCount = ownCount + (below < 0 ? 0 : meeting.counts[below]!);
}

/** Where plane i begins. */
function startOf(i: number): number {
  return i < ownCount ? ownStart + i * planeSize : belowStart + (i - ownCount) * planeSize;
}

/** Writes `planeNormal` of plane i. */
function readPlane(i: number): void {
  const at = startOf(i);
  const x = mirrorSign[0]! * planes![at]!;
  const y = planes![at + 1]!;
  const z = planes![at + 2]!;
  planeNormal[0] = x;
  planeNormal[1] = y;
  planeNormal[2] = z;
  planeNormal[3] = x * headPoint[0]! + y * headPoint[1]! + z * headPoint[2]! - planes![at + 3]!;
}

/** Whether the candidate direction takes the link through one of its planes. */
export function crossesPlanes(): boolean {
  const l = linkLength[0]!;
  for (let i = 0; i < planeCount; i++) {
    readPlane(i);
    let along = 0;
    for (let k = 0; k < 3; k++) along += planeNormal[k]! * tipDirection[k]!;
    if (planeNormal[3]! + l * along < 0) return true;
  }
  return false;
}

/** Adds their caps. */
export function addPlaneCaps(): void {
  for (let i = 0; i < planeCount; i++) {
    readPlane(i);
    for (let c = 0; c < 3; c++) cap[c] = -planeNormal[c]!;
    cap[3] = planeNormal[3]! / linkLength[0]!;
    addCap(capRank.collider, firstPlaneLabel + i);
  }
}

/** Keeps the velocity of the tip for {@link readPressedPlane}. */
export function keepFreeVelocity(): void {
  for (let k = 0; k < 3; k++) freeVelocity[k] = tipVelocity[k]!;
}

/**
 * Writes `planeNormal` and `planeVelocity` of the plane with this label, which holds the link, and leaves in the particle
 * what it would have done: by that, chains that press on each other know how much.
 */
export function readPressedPlane(label: number): void {
  readPlane(label - firstPlaneLabel);
  const speed = planes![startOf(label - firstPlaneLabel) + 4]!;
  for (let k = 0; k < 3; k++) planeVelocity[k] = speed * planeNormal[k]!;
  particles!.pressed[row] = 1;
  for (let k = 0; k < 3; k++)
    particles!.freeVelocity[row * 3 + k] = (k === 0 ? mirrorSign[0]! : 1) * freeVelocity[k]!;
}
