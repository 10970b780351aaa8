/** Degrees and radians against exact fractions of pi. */
import { expect, test } from 'vitest';
import { degrees, radians } from '../../../src/math/index.js';
import { pi, ulpError } from './support/highPrecision.js';
import { logUniform, seeded } from './support/seeded.js';

test('radians is within 1 ulp of pi / 180 times the angle', () => {
  const random = seeded(14);
  for (let k = 0; k < 20000; k++) {
    // A whole number of 2^-20 degrees, so that the angle is exact as a bigint.
    const units = Math.floor(logUniform(random, 1, 1e15));
    const exact = { value: (BigInt(units) * pi(300)) / 180n, bits: 320 };
    expect(ulpError(radians(units / 1048576), exact)).toBeLessThan(1);
  }
});

test('degrees is within 1 ulp of 180 / pi times the angle', () => {
  const random = seeded(15);
  for (let k = 0; k < 20000; k++) {
    const units = Math.floor(logUniform(random, 1, 1e15));
    const exact = { value: ((BigInt(units) * 180n) << 600n) / pi(300), bits: 320 };
    expect(ulpError(degrees(units / 1048576), exact)).toBeLessThan(1);
  }
});

test('the angles people write are what they should be', () => {
  expect(radians(180)).toBe(3.141592653589793);
  expect(radians(-90)).toBe(-1.5707963267948966);
  expect(degrees(3.141592653589793)).toBe(180);
  expect(degrees(radians(30))).toBeCloseTo(30, 13);
});
