/**
 * Rounded weights: exact sums, nothing farther off than one step, nothing where nothing was.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantizeWeights, roundWeights } from '../../../src/io/rig/quantizeWeights.js';

const weights = fc
  .array(fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1, noNaN: true })), {
    minLength: 1,
    maxLength: 8,
  })
  .filter((list) => list.some((weight) => weight > 0));
const share = (list: number[], k: number): number => list[k]! / list.reduce((sum, weight) => sum + weight, 0);

test('whole numbers sum to the total and are off by less than 1', () => {
  fc.assert(
    fc.property(weights, fc.constantFrom(255, 65535), (list, total) => {
      const whole = quantizeWeights(list, total);
      expect(whole.reduce((sum, value) => sum + value, 0)).toBe(total);
      whole.forEach((value, k) => {
        expect(Number.isInteger(value)).toBe(true);
        expect(Math.abs(value - share(list, k) * total)).toBeLessThan(1);
        if (list[k] === 0) expect(value).toBe(0);
      });
    }),
  );
});

test('what is missing goes to those that lost most, then to the first', () => {
  expect(quantizeWeights([0.5, 0.5], 255)).toEqual([128, 127]);
  expect(quantizeWeights([1, 1, 1, 1], 255)).toEqual([64, 64, 64, 63]);
  expect(quantizeWeights([10.2, 10.3, 0, 234.5], 255)).toEqual([10, 10, 0, 235]);
  expect(quantizeWeights([1, 0, 0, 0], 65535)).toEqual([65535, 0, 0, 0]);
});

test('float32 numbers sum to 1 to half a step of the largest and keep their places', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const rounded = roundWeights(list);
      expect(Math.abs(rounded.reduce((sum, value) => sum + value, 0) - 1)).toBeLessThanOrEqual(2 ** -25);
      rounded.forEach((value, k) => {
        expect(Math.fround(value)).toBe(value);
        expect(Math.abs(value - share(list, k))).toBeLessThan(5e-7);
        if (list[k] === 0) expect(value).toBe(0);
      });
    }),
  );
});
