/**
 * How far a recorded pass is open at its seam: in angle and in angular velocity. Rotations stand tick after tick,
 * `width` numbers (4 per bone) each.
 */
import { conjugateQuat, multiplyQuat } from '../math/index.js';
import { turnDeg } from './clipLoop.js';

/** Largest angle between the bones of two ticks, degrees. */
export function largestTurnDeg(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  width: number,
): number {
  let largest = 0;
  for (let k = 0; k < width; k += 4) largest = Math.max(largest, turnDeg(a, i + k, b, j + k));
  return largest;
}

/**
 * Largest difference, in degrees, between a bone's turn in the last tick of the pass and its turn in the tick
 * that led into the pass. NaN when nothing led into it.
 */
export function velocitySeamDeg(
  before: Float64Array,
  rotations: Float64Array,
  width: number,
  ticks: number,
): number {
  const into = new Float64Array(4);
  const end = new Float64Array(4);
  let largest = 0;
  for (let k = 0; k < width; k += 4) {
    relative(into, before, k, rotations, k);
    relative(end, rotations, width * (ticks - 1) + k, rotations, width * ticks + k);
    largest = Math.max(largest, turnDeg(into, 0, end, 0));
  }
  return largest;
}

/** conj(a) b */
function relative(out: Float64Array, a: Float64Array, i: number, b: Float64Array, j: number): void {
  conjugateQuat(out, 0, a, i);
  multiplyQuat(out, 0, out, 0, b, j);
}
