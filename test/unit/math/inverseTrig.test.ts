/**
 * asin, acos, atan and atan2 against series in whole numbers over their whole ranges, special values, identities.
 */
import { describe, expect, test } from 'vitest';
import { acos, asin, atan, atan2, cos, sin, tan } from '../../../src/math/index.js';
import { exactAcos, exactAsin, exactAtan, exactAtan2, ulpError } from './support/highPrecision.js';
import { anyDouble, logUniform, seeded, uniform } from './support/seeded.js';
import { POINTS, type Range, worstError } from './support/ulps.js';

const unitRanges: Range[] = [
  ['all', (random) => uniform(random, -1, 1)],
  ['small', (random) => (random() < 0.5 ? -1 : 1) * logUniform(random, 1e-320, 1)],
  ['next to 1', (random) => 1 - logUniform(random, 2e-16, 0.5)],
  ['next to -1', (random) => -1 + logUniform(random, 2e-16, 0.5)],
  ['next to sqrt(1/2)', (random) => uniform(random, 0.7071, 0.70712)],
];

const atanRanges: Range[] = [
  ['all doubles', anyDouble],
  ['-1 to 1', (random) => uniform(random, -1, 1)],
  ['0.01 to 100', (random) => (random() < 0.5 ? -1 : 1) * logUniform(random, 0.01, 100)],
  [
    'between table entries',
    (random) => (Math.floor(uniform(random, 0, 16)) + 0.5) / 16 + uniform(random, -1e-9, 1e-9),
  ],
  ['tiny', (random) => logUniform(random, 1e-320, 1e-6)],
];

const pairRanges: [string, (random: () => number) => [number, number]][] = [
  ['all doubles', (random) => [anyDouble(random), anyDouble(random)]],
  ['the unit square', (random) => [uniform(random, -1, 1), uniform(random, -1, 1)]],
  ['any scale, similar sizes', (random) => anyScale(random)],
  ['subnormal numbers', (random) => [uniform(random, -1, 1) * 1e-310, uniform(random, -1, 1) * 1e-310]],
  ['ratios down to 1e-18', (random) => steepRatio(random)],
];

function anyScale(random: () => number): [number, number] {
  const scale = logUniform(random, 1e-300, 1e300);
  return [scale * uniform(random, -1, 1), scale * uniform(random, -1, 1)];
}

function steepRatio(random: () => number): [number, number] {
  const scale = logUniform(random, 1e-150, 1e150) * (random() < 0.5 ? -1 : 1);
  return [scale, uniform(random, -1, 1) * logUniform(random, 1e-18, 1e18) * scale];
}

describe('accuracy', () => {
  test.each(unitRanges)('asin is within 0.55 ulp of the real value: %s', (_name, draw) => {
    expect(worstError(asin, exactAsin, draw).error).toBeLessThan(0.55);
  });

  test.each(unitRanges)('acos is within 0.55 ulp of the real value: %s', (_name, draw) => {
    expect(worstError(acos, exactAcos, draw).error).toBeLessThan(0.55);
  });

  test.each(atanRanges)('atan is within 0.55 ulp of the real value: %s', (_name, draw) => {
    expect(worstError(atan, exactAtan, draw).error).toBeLessThan(0.55);
  });

  test.each(pairRanges)('atan2 is within 0.55 ulp of the real value: %s', (_name, draw) => {
    const random = seeded(21);
    let worst = 0;
    for (let k = 0; k < POINTS; k++) {
      const [y, x] = draw(random);
      worst = Math.max(worst, ulpError(atan2(y, x), exactAtan2(y, x)));
    }
    expect(worst).toBeLessThan(0.55);
  });

  test('the ends of the tables and ranges keep the bounds', () => {
    for (let k = 0; k <= 64; k++) {
      const x = k === 0 ? 5e-324 : k / 64;
      for (const near of [x, x * (1 + 2.3e-16), x * (1 - 1.2e-16)]) {
        expect(ulpError(atan(near), exactAtan(near))).toBeLessThan(0.55);
        expect(ulpError(atan(1 / near), exactAtan(Math.min(1 / near, 1.7e308)))).toBeLessThan(0.55);
        if (near < 1) expect(ulpError(asin(near), exactAsin(near))).toBeLessThan(0.55);
        if (near < 1) expect(ulpError(acos(near), exactAcos(near))).toBeLessThan(0.55);
      }
    }
  });
});

describe('special values', () => {
  const pi = 3.141592653589793;

  test('asin and acos at the ends of their range and outside it', () => {
    expect(asin(1)).toBe(pi / 2);
    expect(asin(-1)).toBe(-pi / 2);
    expect(asin(0)).toBe(0);
    expect(asin(-0)).toBe(-0);
    expect(acos(1)).toBe(0);
    expect(acos(-1)).toBe(pi);
    expect(acos(0)).toBe(pi / 2);
    for (const outside of [1.0000000000000002, -1.0000000000000002, Infinity, -Infinity, NaN]) {
      expect(asin(outside)).toBe(NaN);
      expect(acos(outside)).toBe(NaN);
    }
  });

  test('atan at zeros, infinities and NaN', () => {
    expect(atan(0)).toBe(0);
    expect(atan(-0)).toBe(-0);
    expect(atan(Infinity)).toBe(pi / 2);
    expect(atan(-Infinity)).toBe(-pi / 2);
    expect(atan(1e300)).toBe(pi / 2);
    expect(atan(1)).toBe(pi / 4);
    expect(atan(NaN)).toBe(NaN);
  });

  const quarter = pi / 4;
  test.each<[number, number, number]>([
    [0, 0, 0],
    [-0, 0, -0],
    [0, -0, pi],
    [-0, -0, -pi],
    [0, 1, 0],
    [-0, 1, -0],
    [0, -1, pi],
    [-0, -1, -pi],
    [1, 0, pi / 2],
    [1, -0, pi / 2],
    [-1, 0, -pi / 2],
    [Infinity, 1, pi / 2],
    [-Infinity, -1, -pi / 2],
    [1, Infinity, 0],
    [-1, Infinity, -0],
    [1, -Infinity, pi],
    [-1, -Infinity, -pi],
    [Infinity, Infinity, quarter],
    [-Infinity, Infinity, -quarter],
    [Infinity, -Infinity, 3 * quarter],
    [-Infinity, -Infinity, -3 * quarter],
    [5e-324, 5e-324, quarter],
    [5e-324, 1.7976931348623157e308, 0],
    [1.7976931348623157e308, 5e-324, pi / 2],
    [5e-324, -1.7976931348623157e308, pi],
    [NaN, 1, NaN],
    [1, NaN, NaN],
    [NaN, Infinity, NaN],
    [Infinity, NaN, NaN],
    [NaN, NaN, NaN],
  ])('atan2(%d, %d) is %d, as IEEE 754 asks', (y, x, angle) => {
    expect(atan2(y, x)).toBe(angle);
  });
});

describe('identities', () => {
  test('asin and atan are odd, atan2 mirrors at both axes, to the bit where no pi is added', () => {
    const random = seeded(11);
    for (let k = 0; k < 20000; k++) {
      const x = uniform(random, -1, 1);
      const y = uniform(random, -1, 1);
      expect(asin(-x)).toBe(-asin(x));
      expect(atan(-x)).toBe(-atan(x));
      expect(atan2(-y, x)).toBe(-atan2(y, x));
      expect(atan2(y * 2 ** 700, x * 2 ** 700)).toBe(atan2(y, x));
    }
  });

  test('sine, cosine and tangent undo their inverses', () => {
    const random = seeded(12);
    for (let k = 0; k < 20000; k++) {
      const x = uniform(random, -1, 1);
      expect(Math.abs(sin(asin(x)) - x)).toBeLessThanOrEqual(2.3e-16);
      expect(Math.abs(cos(acos(x)) - x)).toBeLessThanOrEqual(4.5e-16);
      expect(Math.abs(tan(atan(x)) - x)).toBeLessThanOrEqual(3.4e-16);
    }
  });

  test('asin and acos of one number add to a quarter turn', () => {
    const random = seeded(13);
    for (let k = 0; k < 20000; k++) {
      const x = uniform(random, -1, 1);
      expect(Math.abs(asin(x) + acos(x) - 1.5707963267948966)).toBeLessThanOrEqual(4.5e-16);
    }
  });
});
