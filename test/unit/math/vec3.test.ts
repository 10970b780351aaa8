/** Vectors: closed forms, ranges that have no direction, small and large angles, results written over inputs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { angleBetween3, cross3, distance3, dot3, length3, normalize3 } from '../../../src/math/index.js';
import {
  apart,
  direction,
  lengthOf,
  point,
  rodrigues,
  applyRows,
  runs,
  within,
} from './support/arbitraries.js';

test('products, lengths and distances of vectors one can check by hand, at offsets', () => {
  const list = [9, 1, 2, 3, 9, 4, -5, 6, 9];
  const out = new Float64Array(5);
  expect(dot3(list, 1, list, 5)).toBe(12);
  expect(length3([0, 2, 3, 6], 1)).toBe(7);
  expect(distance3([1, 1, 1], 0, [0, 3, 4, 7], 1)).toBe(7);
  cross3(out, 1, list, 1, list, 5);
  expect([...out]).toEqual([0, 27, 6, -13, 0]);
});

test('the vector product is perpendicular to its factors and turns right-handed', () => {
  fc.assert(
    fc.property(point, point, (a, b) => {
      const out = [0, 0, 0];
      cross3(out, 0, a, 0, b, 0);
      expect(Math.abs(dot3(out, 0, a, 0))).toBeLessThan(1e-12);
      expect(Math.abs(dot3(out, 0, b, 0))).toBeLessThan(1e-12);
    }),
    runs,
  );
  const out = [0, 0, 0];
  cross3(out, 0, [1, 0, 0], 0, [0, 1, 0], 0);
  expect(out).toEqual([0, 0, 1]);
});

test('the vector product may be written over either factor', () => {
  const a = [1, 2, 3];
  const b = [4, -5, 6];
  cross3(a, 0, a, 0, b, 0);
  expect(a).toEqual([27, 6, -13]);
  const c = [1, 2, 3];
  cross3(b, 0, c, 0, b, 0);
  expect(b).toEqual([27, 6, -13]);
});

describe('normalize3', () => {
  test('returns the length and leaves a vector of length 1 in the same direction', () => {
    fc.assert(
      fc.property(direction, fc.double({ min: -140, max: 140, noNaN: true }), (unit, exponent) => {
        const size = 10 ** exponent;
        const v = unit.map((x) => x * size);
        const length = normalize3(v, 0, v, 0);
        expect(Math.abs(length / size - 1)).toBeLessThan(1e-15);
        expect(apart(v, unit)).toBeLessThan(1e-15);
      }),
      runs,
    );
  });

  test.each([
    [0, 0, 0],
    [NaN, 1, 0],
    [Infinity, 0, 0],
    [1, -Infinity, 2],
  ])('writes zeros and returns 0 for %d, %d, %d, which has no direction', (x, y, z) => {
    const out = [7, 7, 7];
    expect(normalize3(out, 0, [x, y, z], 0)).toBe(0);
    expect(out).toEqual([0, 0, 0]);
  });
});

describe('angleBetween3', () => {
  test('finds the angle by which one vector was turned, as precisely near 0 and pi as elsewhere', () => {
    fc.assert(
      fc.property(
        direction,
        direction,
        fc.double({ min: -12, max: 0.49, noNaN: true }),
        (axis, other, exponent) => {
          const angle = 10 ** exponent;
          const a = [0, 0, 0];
          cross3(a, 0, axis, 0, other, 0);
          fc.pre(lengthOf(a) > 0.1);
          const b = applyRows(rodrigues(axis, angle), a);
          const opposite = b.map((x) => -3 * x);
          expect(Math.abs(angleBetween3(a, 0, b, 0) - angle)).toBeLessThan(4e-15);
          expect(Math.abs(angleBetween3(a, 0, opposite, 0) - (Math.PI - angle))).toBeLessThan(4e-15);
        },
      ),
      runs,
    );
  });

  test('is 0 for a vector and itself, pi for its opposite, 0 for no vector', () => {
    fc.assert(
      fc.property(direction, within(5), (a, size) => {
        fc.pre(Math.abs(size) > 1e-3);
        const b = a.map((x) => x * size);
        expect(Math.abs(angleBetween3(a, 0, b, 0) - (size > 0 ? 0 : Math.PI))).toBeLessThan(1e-15);
        expect(angleBetween3(a, 0, [0, 0, 0], 0)).toBe(0);
      }),
      runs,
    );
  });
});
