/**
 * Measuring a function of one number against the real one: the largest error in ulps over many seeded points.
 */
import { type Real, ulpError } from './highPrecision.js';
import { anyDouble, logUniform, seeded, stepDouble, uniform } from './seeded.js';

/** Points per range. The figures in the docstrings of src/math were measured with up to 300000. */
export const POINTS = 4000;

/** A named range of arguments. */
export type Range = [name: string, draw: (random: () => number) => number];

/** The largest error of `actual` in ulps over POINTS seeded arguments, and where it is. */
export function worstError(
  actual: (x: number) => number,
  exact: (x: number) => Real,
  draw: (random: () => number) => number,
): { error: number; at: number } {
  const random = seeded(20);
  let error = 0;
  let at = 0;
  for (let k = 0; k < POINTS; k++) {
    const x = draw(random);
    const here = ulpError(actual(x), exact(x));
    if (!(here <= error)) {
      error = here;
      at = x;
    }
  }
  return { error, at };
}

/** Arguments for sine, cosine and tangent: every part of the reduction, and the neighbourhood of its zeros. */
export const circularRanges: Range[] = [
  ['all doubles', anyDouble],
  ['the innermost eighth turn', (random) => uniform(random, -0.7854, 0.7854)],
  ['some turns', (random) => uniform(random, -20, 20)],
  ['the four-part reduction', (random) => uniform(random, -1.647e6, 1.647e6)],
  ['the seam of the two reductions', (random) => uniform(random, 1.64e6, 1.66e6)],
  ['the reduction by bits of 2/pi', (random) => logUniform(random, 1.6e6, 1.7e308)],
  ['doubles next to multiples of pi/2', (random) => nearMultiple(random, 1, 1e6)],
  ['doubles next to large multiples of pi/2', (random) => nearMultiple(random, 1e6, 1e15)],
  ['tiny angles', (random) => logUniform(random, 1e-320, 1e-6)],
];

function nearMultiple(random: () => number, from: number, to: number): number {
  const n = Math.floor(logUniform(random, from, to));
  return stepDouble(n * 1.5707963267948966, Math.floor(uniform(random, -3, 4)));
}
