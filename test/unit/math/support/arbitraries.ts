/**
 * Random directions, rotations and node transforms for property tests, and the mirror images they are compared with.
 */
import fc from 'fast-check';

/** Seed and number of runs of every property: the same cases in every run. */
export const runs = { seed: 2026, numRuns: 2000 };

/** Numbers from -limit to limit. */
export function within(limit: number): fc.Arbitrary<number> {
  return fc.double({ min: -limit, max: limit, noNaN: true });
}

/** n numbers, 0 or 1e-30 to 1 in size, scaled to length 1. */
function unit(n: number): fc.Arbitrary<number[]> {
  const component = within(1).map((x) => (Math.abs(x) < 1e-30 ? 0 : x));
  return fc
    .array(component, { minLength: n, maxLength: n })
    .filter((list) => lengthOf(list) > 0.05)
    .map((list) => list.map((x) => x / lengthOf(list)));
}

/** A direction. */
export const direction: fc.Arbitrary<number[]> = unit(3);

/** A unit quaternion. */
export const rotation: fc.Arbitrary<number[]> = unit(4);

/** Three numbers from -10 to 10. */
export const point: fc.Arbitrary<number[]> = fc.array(within(10), { minLength: 3, maxLength: 3 });

/** A number for which vectors get close to each other: 10^-18 to 1. */
export const smallness: fc.Arbitrary<number> = fc
  .double({ min: -18, max: 0, noNaN: true })
  .map((e) => 10 ** e);

/** The length of a list of numbers. */
export function lengthOf(list: ArrayLike<number>): number {
  return Math.hypot(...Array.from(list));
}

/** The largest difference between two lists, component by component. */
export function apart(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (x, k) => Math.abs(x - b[k]!)));
}

/** The vector reflected at the plane x = 0. */
export function mirrorVector(v: ArrayLike<number>): number[] {
  return [-v[0]!, v[1]!, v[2]!];
}

/** The rotation that does to mirrored vectors what q does to vectors. */
export function mirrorRotation(q: ArrayLike<number>): number[] {
  return [q[0]!, -q[1]!, -q[2]!, q[3]!];
}

/** Whether two lists are equal under ===, number by number (0 and -0 count as equal). */
export function identical(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.from(a).every((x, k) => x === b[k]);
}

/** The 3x3 matrix, by rows, of the rotation by an angle about a unit axis (Rodrigues' formula). */
export function rodrigues(axis: ArrayLike<number>, angleRad: number): number[][] {
  const [x, y, z] = [axis[0]!, axis[1]!, axis[2]!];
  const c = Math.cos(angleRad);
  const s = Math.sin(angleRad);
  const k = 1 - c;
  return [
    [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
    [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
    [z * x * k - y * s, z * y * k + x * s, c + z * z * k],
  ];
}

/** A 3x3 matrix by rows times a vector. */
export function applyRows(rows: number[][], v: ArrayLike<number>): number[] {
  return rows.map((row) => row[0]! * v[0]! + row[1]! * v[1]! + row[2]! * v[2]!);
}
