/**
 * exp and log against series in whole numbers over their whole ranges, their special values and identities.
 */
import { describe, expect, test } from 'vitest';
import { exp, log } from '../../../src/math/index.js';
import { exactExp, exactLog } from './support/highPrecision.js';
import { anyDouble, logUniform, seeded, stepDouble, uniform } from './support/seeded.js';
import { type Range, worstError } from './support/ulps.js';

const expRanges: Range[] = [
  ['all results', (random) => uniform(random, -745.1, 709.78)],
  ['around 0', (random) => uniform(random, -1, 1)],
  ['tiny arguments', (random) => (random() < 0.5 ? -1 : 1) * logUniform(random, 1e-320, 1)],
  ['subnormal results', (random) => uniform(random, -745.1, -708.39)],
  ['next to half multiples of ln 2', (random) => nextToHalf(random)],
];

function nextToHalf(random: () => number): number {
  const k = Math.floor(uniform(random, -1000, 1000)) + 0.5;
  return stepDouble(k * 0.6931471805599453, Math.floor(uniform(random, -3, 4)));
}

const logRanges: Range[] = [
  ['all positive doubles', (random) => Math.abs(anyDouble(random))],
  ['around 1', (random) => uniform(random, 0.5, 2)],
  ['next to 1', (random) => 1 + (random() < 0.5 ? -1 : 1) * logUniform(random, 1e-15, 0.3)],
  ['next to sqrt(2)', (random) => uniform(random, 1.4142, 1.41423)],
  ['subnormal numbers', (random) => logUniform(random, 5e-324, 2.2e-308)],
];

describe('exp', () => {
  test.each(expRanges)('is within 0.8 ulp of the real value: %s', (_name, draw) => {
    expect(worstError(exp, exactExp, draw).error).toBeLessThan(0.8);
  });

  test('has the special values of IEEE 754', () => {
    expect(exp(0)).toBe(1);
    expect(exp(-0)).toBe(1);
    expect(exp(Infinity)).toBe(Infinity);
    expect(exp(-Infinity)).toBe(0);
    expect(exp(NaN)).toBe(NaN);
    expect(exp(5e-324)).toBe(1);
    expect(exp(-1e-300)).toBe(1);
  });

  test('ends at the largest and the smallest double', () => {
    expect(exp(709.782712893384)).toBeGreaterThan(1.797693134862e308);
    expect(exp(709.782712893384)).toBeLessThan(Infinity);
    expect(exp(709.7827128933841)).toBe(Infinity);
    expect(exp(1e300)).toBe(Infinity);
    expect(exp(-745.1332191019411)).toBe(5e-324);
    expect(exp(-745.1332191019412)).toBe(0);
    expect(exp(-1e300)).toBe(0);
  });

  test('never falls while its argument grows, also where the power of two changes', () => {
    const random = seeded(3);
    for (let k = 0; k < 20000; k++) {
      const x = k % 2 === 0 ? uniform(random, -740, 700) : nextToHalf(random);
      expect(exp(x + Math.abs(x) * 4.5e-16)).toBeGreaterThanOrEqual(exp(x));
    }
  });
});

describe('log', () => {
  test.each(logRanges)('is within 0.55 ulp of the real value: %s', (_name, draw) => {
    expect(worstError(log, exactLog, draw).error).toBeLessThan(0.55);
  });

  test('has the special values of IEEE 754', () => {
    expect(log(1)).toBe(0);
    expect(log(0)).toBe(-Infinity);
    expect(log(-0)).toBe(-Infinity);
    expect(log(Infinity)).toBe(Infinity);
    expect(log(-1)).toBe(NaN);
    expect(log(-5e-324)).toBe(NaN);
    expect(log(-Infinity)).toBe(NaN);
    expect(log(NaN)).toBe(NaN);
  });

  test('undoes exp to the precision that exp leaves', () => {
    const random = seeded(4);
    for (let k = 0; k < 5000; k++) {
      const x = uniform(random, -700, 700);
      expect(Math.abs(log(exp(x)) - x)).toBeLessThanOrEqual(2.3e-16 * Math.max(1, Math.abs(x)));
    }
  });
});
