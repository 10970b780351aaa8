/**
 * Which colliders of the list a chain can meet in this tick, found once for all of its links: those that reach the ball
 * around where the chain stood, widened by what a link may go. A link that goes farther looks at the whole list, so the
 * choice changes no bit (docs/solver.md, "Colliders").
 */
import type { Columns } from '../components/field.js';
import type { Particle } from '../components/particle.js';
import { colliderShape } from '../components/codes.js';
import { bounds, boundSize, cones, listed, shape, slots } from './colliderList.js';
import { coneSize } from './linkGap.js';
import {
  headBefore,
  headPoint,
  linkLength,
  mirrorSign,
  scaleNow,
  tipBefore,
  tipDirection,
} from './registers.js';

/** Numbers of the colliders picked. */
export const picks: Uint8Array = new Uint8Array(slots);
/** How many. */
export const pickCount: Int32Array = new Int32Array(1);
/** How far a link may go in the tick for the picks to hold. */
const pickedWay = new Float64Array(1);

/** Whether the picks hold for the link: neither end is farther than that from where it was a tick ago. */
export function isPicked(): boolean {
  const most = pickedWay[0]! * pickedWay[0]!;
  const l = linkLength[0]!;
  const hx = headPoint[0]! - headBefore[0]!;
  const hy = headPoint[1]! - headBefore[1]!;
  const hz = headPoint[2]! - headBefore[2]!;
  const tx = headPoint[0]! + l * tipDirection[0]! - tipBefore[0]!;
  const ty = headPoint[1]! + l * tipDirection[1]! - tipBefore[1]!;
  const tz = headPoint[2]! + l * tipDirection[2]! - tipBefore[2]!;
  return hx * hx + hy * hy + hz * hz <= most && tx * tx + ty * ty + tz * tz <= most;
}

/** Share of the ball's radius that a link may go. */
const share = 0.2;

/** Middle and radius of a ball. */
export const ball: Float64Array = new Float64Array(4);

/** Whether collider i meets `ball` in this tick: the ball around it, and of a capsule those along its axis. */
export function meetsBall(i: number): boolean {
  const b = i * boundSize;
  const reach = bounds[b + 4]! + ball[3]!;
  const mx = bounds[b]! - ball[0]!;
  const my = bounds[b + 1]! - ball[1]!;
  const mz = bounds[b + 2]! - ball[2]!;
  if (mx * mx + my * my + mz * mz >= reach * reach) return false;
  if (shape[i] !== colliderShape.capsule) return true;
  const c = i * coneSize;
  const ex = cones[c + 3]!;
  const ey = cones[c + 4]!;
  const ez = cones[c + 5]!;
  const half = cones[c + 6]! / 2;
  // From the middle of the axis, as the ball around it.
  let s = -(mx * ex + my * ey + mz * ez);
  s = s < -half ? -half : s > half ? half : s;
  const dx = mx + s * ex;
  const dy = my + s * ey;
  const dz = mz + s * ez;
  const side = reach - half;
  return dx * dx + dy * dy + dz * dz < side * side;
}

/** Picks for the chain of `count` links whose particles begin at `first`; in `headBefore` its root stood a tick ago. */
export function pickColliders(
  { position, radius }: Columns<typeof Particle>,
  first: number,
  count: number,
  stride: number,
): void {
  const side = mirrorSign[0]!;
  const middle = (first + (count >> 1) * stride) * 3;
  const x = side * position[middle]!;
  const y = position[middle + 1]!;
  const z = position[middle + 2]!;
  const rx = headBefore[0]! - x;
  const ry = headBefore[1]! - y;
  const rz = headBefore[2]! - z;
  let square = rx * rx + ry * ry + rz * rz;
  let thick = 0;
  for (let i = 0, p = first; i < count; i++, p += stride) {
    const dx = side * position[p * 3]! - x;
    const dy = position[p * 3 + 1]! - y;
    const dz = position[p * 3 + 2]! - z;
    const far = dx * dx + dy * dy + dz * dz;
    if (far > square) square = far;
    if (radius[p]! > thick) thick = radius[p]!;
  }
  const away = Math.sqrt(square);
  pickedWay[0] = share * away;
  const own = away + share * away + scaleNow[0]! * thick;
  const all = listed[0]!;
  let picked = 0;
  ball[0] = x;
  ball[1] = y;
  ball[2] = z;
  ball[3] = own;
  for (let i = 0; i < all; i++) if (meetsBall(i)) picks[picked++] = i;
  pickCount[0] = picked;
}
