/**
 * Vectors of three numbers in lists: (list, offset) pairs, the result first. Every function may write over what it
 * reads. Products and sums are in the order the code shows; mirroring x of the inputs mirrors results exactly.
 */
import { atan2 } from './inverseTrig.js';
import type { Numbers } from './numbers.js';

/** The scalar product of a at i and b at j. */
export function dot3(a: Numbers, i: number, b: Numbers, j: number): number {
  return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;
}

/** The length of a at i. Right for lengths between 1e-150 and 1e150; beyond, the squares under- or overflow. */
export function length3(a: Numbers, i: number): number {
  const x = a[i]!;
  const y = a[i + 1]!;
  const z = a[i + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** The distance between the points a at i and b at j, in the range of {@link length3}. */
export function distance3(a: Numbers, i: number, b: Numbers, j: number): number {
  const x = b[j]! - a[i]!;
  const y = b[j + 1]! - a[i + 1]!;
  const z = b[j + 2]! - a[i + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Writes the vector product a x b to out at o; out may be a or b. */
export function cross3(out: Numbers, o: number, a: Numbers, i: number, b: Numbers, j: number): void {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  out[o] = ay * bz - az * by;
  out[o + 1] = az * bx - ax * bz;
  out[o + 2] = ax * by - ay * bx;
}

/**
 * Writes a at i, scaled to length 1, to out at o; out may be a.
 *
 * @returns the length before; 0 when there is no direction, because the length is 0 or not finite: 0, 0, 0 is written
 */
export function normalize3(out: Numbers, o: number, a: Numbers, i: number): number {
  const x = a[i]!;
  const y = a[i + 1]!;
  const z = a[i + 2]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0 && length < Infinity)) {
    out[o] = 0;
    out[o + 1] = 0;
    out[o + 2] = 0;
    return 0;
  }
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
  return length;
}

/**
 * The angle between a at i and b at j, in radians from 0 to pi, as accurate near 0 and pi as elsewhere: the arc
 * tangent of |a x b| over a . b. The lengths need not be 1; the angle to a zero vector is 0.
 */
export function angleBetween3(a: Numbers, i: number, b: Numbers, j: number): number {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const x = ay * bz - az * by;
  const y = az * bx - ax * bz;
  const z = ax * by - ay * bx;
  // Adding 0 turns -0 into 0: with a zero vector the angle is then 0, not pi.
  return atan2(Math.sqrt(x * x + y * y + z * z), ax * bx + ay * by + az * bz + 0);
}
