/**
 * sin, cos and tan against series in whole numbers over all doubles, their special values and identities.
 */
import { describe, expect, test } from 'vitest';
import { cos, sin, tan } from '../../../src/math/index.js';
import { exactCos, exactSin, exactTan, ulpError } from './support/highPrecision.js';
import { anyDouble, seeded, uniform } from './support/seeded.js';
import { circularRanges, worstError } from './support/ulps.js';

/**
 * Arguments that ask the most of a reduction: the double nearest to a multiple of pi/2 among all of them
 * (Kahan; Muller, Elementary Functions, 3rd ed., table 11.1), the ends of the range, and the seam at 2^20 quarter turns.
 */
const hard = [
  6381956970095103 * 2 ** 797,
  6381956970095103 * 2 ** 798,
  5.319372648326541e255,
  1.7976931348623157e308,
  1e300,
  1e22,
  8.98846567431158e307,
  1647099,
  1647099.0000000002,
  1647098.9999999998,
  3.141592653589793,
  1.5707963267948966,
  0.7853981633974483,
  0.7853981633974484,
  355,
  5e-324,
  2.2250738585072014e-308,
  7.450580596923828e-9,
];

test.each(circularRanges)('sin is within 0.8 ulp of the real value: %s', (_name, draw) => {
  expect(worstError(sin, exactSin, draw).error).toBeLessThan(0.8);
});

test.each(circularRanges)('cos is within 0.8 ulp of the real value: %s', (_name, draw) => {
  expect(worstError(cos, exactCos, draw).error).toBeLessThan(0.8);
});

test.each(circularRanges)('tan is within 0.9 ulp of the real value: %s', (_name, draw) => {
  expect(worstError(tan, exactTan, draw).error).toBeLessThan(0.9);
});

test.each(hard)('the hard argument %d keeps the bounds, with either sign', (x) => {
  for (const signed of [x, -x]) {
    expect(ulpError(sin(signed), exactSin(signed))).toBeLessThan(0.8);
    expect(ulpError(cos(signed), exactCos(signed))).toBeLessThan(0.8);
    expect(ulpError(tan(signed), exactTan(signed))).toBeLessThan(0.9);
  }
});

test('the bounds hold in every binade', () => {
  const random = seeded(5);
  for (let e = -1074; e < 1024; e++) {
    for (let k = 0; k < 3; k++) {
      const x = 2 ** e * uniform(random, 1, 1.9999999);
      expect(ulpError(sin(x), exactSin(x))).toBeLessThan(0.8);
      expect(ulpError(cos(x), exactCos(x))).toBeLessThan(0.8);
      expect(ulpError(tan(x), exactTan(x))).toBeLessThan(0.9);
    }
  }
});

describe('special values', () => {
  test.each([Infinity, -Infinity, NaN])('%d has no sine, cosine or tangent', (x) => {
    expect(sin(x)).toBe(NaN);
    expect(cos(x)).toBe(NaN);
    expect(tan(x)).toBe(NaN);
  });

  test('zeros keep their sign', () => {
    expect(sin(0)).toBe(0);
    expect(sin(-0)).toBe(-0);
    expect(tan(0)).toBe(0);
    expect(tan(-0)).toBe(-0);
    expect(cos(0)).toBe(1);
    expect(cos(-0)).toBe(1);
  });
});

describe('identities', () => {
  test('sine and tangent are odd, cosine is even, to the bit', () => {
    const random = seeded(6);
    for (let k = 0; k < 20000; k++) {
      const x = k % 2 === 0 ? anyDouble(random) : uniform(random, 0, 50);
      expect(sin(-x)).toBe(-sin(x));
      expect(cos(-x)).toBe(cos(x));
      expect(tan(-x)).toBe(-tan(x));
    }
  });

  test('the squares of sine and cosine add to 1', () => {
    const random = seeded(8);
    for (let k = 0; k < 20000; k++) {
      const x = anyDouble(random);
      expect(Math.abs(sin(x) * sin(x) + cos(x) * cos(x) - 1)).toBeLessThan(5e-16);
    }
  });

  test('no result leaves -1..1', () => {
    const random = seeded(9);
    for (let k = 0; k < 20000; k++) {
      const x = anyDouble(random);
      expect(Math.abs(sin(x))).toBeLessThanOrEqual(1);
      expect(Math.abs(cos(x))).toBeLessThanOrEqual(1);
    }
  });
});
