/** The reduction by pi/2 against the exact remainder, both parts of it together: far more bits than sine needs. */
import { expect, test } from 'vitest';
import { reduceByHalfPi, remainder } from '../../../src/math/halfPi.js';
import { bitLength, fixed, pi } from './support/highPrecision.js';
import { seeded } from './support/seeded.js';
import { circularRanges, POINTS } from './support/ulps.js';

const BITS = 1500;
const half = pi(BITS + 1024) >> 1n;

/** Bits of the remainder that are right, counted from its leading one; fails on a wrong quadrant. */
function rightBits(x: number): number {
  const quadrant = reduceByHalfPi(x);
  const argument = fixed(x, BITS + 1024);
  const n = (2n * argument + (argument < 0n ? -half : half)) / (2n * half);
  const exact = (argument - n * half) >> 1024n;
  expect(quadrant).toBe(Number(n & 3n));
  const found = fixed(remainder[0]!, BITS) + fixed(remainder[1]!, BITS);
  return bitLength(exact) - bitLength(found - exact);
}

/** Tiny angles are never reduced. */
const ranges = circularRanges.filter(([name]) => name !== 'tiny angles');

test.each(ranges)('at least 95 bits of the remainder are right: %s', (name, draw) => {
  const random = seeded(22);
  let fewest = Infinity;
  for (let k = 0; k < POINTS / 4; k++) {
    const x = draw(random);
    // Below an eighth turn there is nothing to reduce; that range alone shows that reducing does no harm there.
    if (Math.abs(x) > 0.7854 || name === 'the innermost eighth turn') fewest = Math.min(fewest, rightBits(x));
  }
  expect(fewest).toBeGreaterThanOrEqual(95);
  expect(fewest).toBeLessThan(Infinity);
});

test('at least 80 bits are right for the double that is nearest to a multiple of pi/2', () => {
  expect(rightBits(6381956970095103 * 2 ** 797)).toBeGreaterThanOrEqual(80);
  expect(rightBits(-6381956970095103 * 2 ** 797)).toBeGreaterThanOrEqual(80);
});

test('the ends of the ranges reduce as well as the rest', () => {
  for (const x of [1647099, 1647099.0000000002, -1647099, 1.7976931348623157e308, -1.7976931348623157e308]) {
    expect(rightBits(x)).toBeGreaterThanOrEqual(95);
  }
});
