/**
 * Unit vectors that survive a file bit for bit. Readers divide a vector by its length, and a unit vector in float64 has
 * a length that misses 1 by a rounding, so dividing it once more can change its last bits. Written is therefore a vector
 * beside it that divides to the one that is meant.
 */
import { length3, normalize3 } from '../../math/vec3.js';
import type { Vector } from './reading.js';

/** By how much the length of what counts as a unit vector may miss 1; within it a reader leaves the power alone. */
const NOISE = 1e-6;
/**
 * Lengths tried, by count and step: those next to 1, which vectors that a file had all but unit have, then those far
 * above the rounding, in no round steps, so that each of them rounds afresh. They end within the noise.
 */
const LENGTHS = [
  { count: 1024, step: 2 ** -53 },
  { count: 4096, step: 1.618 * 2 ** -34 },
] as const;
/** Distances of a number to those next to it in float64, as shares of it: a unit in the last place is 1 to 2 of the first. */
const NEIGHBOURS = [0, 1, -1, 2, -2, 3, -3].map((steps) => steps * 2 ** -53);

/** A unit vector on its way into a file and out again. */
export interface WritableUnit {
  /** What to write. */
  written: Vector;
  /**
   * What is read back: the vector that is meant. Where no vector was found that leads to it (its last bits are no result
   * of a division, or, rarely, it lies close to an axis and comes from a vector of quite another length), the nearest
   * whose length rounds to 1.
   */
  read: Vector;
}

/**
 * Finds what to write for a direction.
 *
 * @returns undefined when the vector is not unit
 */
export function writableUnit([x, y, z]: Readonly<Vector>): WritableUnit | undefined {
  const meant: Vector = [x + 0, y + 0, z + 0];
  if (!(Math.abs(length3(meant, 0) - 1) < NOISE)) return undefined;
  for (const { count, step } of LENGTHS)
    for (let k = 0; k < count; k++) {
      // 1, then ever farther on both sides of it.
      const length = 1 + (k % 2 === 0 ? k : -k) * step;
      const written = ofLength(length, (value) => dividends(value, length), meant);
      if (written) return { written, read: meant };
    }
  const unit: Vector = [0, 0, 0];
  normalize3(unit, 0, meant, 0);
  const near = ofLength(1, neighbours, unit) ?? unit;
  return { written: near, read: near };
}

/** A number and those next to it in float64, nearest first. */
function neighbours(value: number): number[] {
  return [...new Set(NEIGHBOURS.map((share) => value + share * value))];
}

/** The numbers that, divided by a length, give a value. */
function dividends(value: number, length: number): number[] {
  return neighbours(value * length).filter((number) => number / length === value);
}

/** The first vector of the candidates for each component whose length rounds to this one. */
function ofLength(
  length: number,
  candidates: (value: number) => number[],
  meant: Vector,
): Vector | undefined {
  const [xs, ys, zs] = meant.map(candidates) as [number[], number[], number[]];
  for (const x of xs)
    for (const y of ys)
      for (const z of zs) {
        const vector: Vector = [x, y, z];
        if (length3(vector, 0) === length) return vector;
      }
  return undefined;
}
