/**
 * The shortest rotation from one direction to another: it gets there, it is the shortest, it has mirror symmetry to the
 * bit, and it does so next to and at opposite directions too.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { angleBetween3, angleQuat, dot3, rotateVec3, swingQuat } from '../../../src/math/index.js';
import {
  apart,
  direction,
  identical,
  lengthOf,
  mirrorRotation,
  mirrorVector,
  runs,
  smallness,
} from './support/arbitraries.js';

const identity = [0, 0, 0, 1];

/** Pairs of directions: any two, next to equal, next to opposite, exactly opposite. */
const pair: fc.Arbitrary<[number[], number[]]> = fc.oneof(
  fc.tuple(direction, direction),
  nearly(1),
  nearly(-1),
  direction.map((a): [number[], number[]] => [a, a.map((x) => -x)]),
);

function nearly(sign: number): fc.Arbitrary<[number[], number[]]> {
  return fc.tuple(direction, direction, smallness).map(([a, noise, size]) => {
    const b = a.map((x, k) => sign * x + noise[k]! * size);
    const length = lengthOf(b);
    return length > 0.1 ? [a, b.map((x) => x / length)] : [a, a];
  });
}

function swing(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const q = [0, 0, 0, 0];
  swingQuat(q, 0, Array.from(a), 0, Array.from(b), 0);
  return q;
}

test('it takes the first direction to the second', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const q = swing(a, b);
      const moved = [0, 0, 0];
      rotateVec3(moved, 0, q, 0, a, 0);
      expect(Math.abs(lengthOf(q) - 1)).toBeLessThan(4e-16);
      expect(apart(moved, b)).toBeLessThan(2e-15);
    }),
    { ...runs, numRuns: 8000 },
  );
});

test('no rotation by a smaller angle would do, and its axis is perpendicular to both', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const q = swing(a, b);
      const angle = angleBetween3(a, 0, b, 0);
      // In the last 1.4e-6 radians before opposite directions the chosen axis costs up to that much.
      expect(Math.abs(angleQuat(identity, 0, q, 0) - angle)).toBeLessThan(angle > 3.14159 ? 1.5e-6 : 1e-14);
      const slack = angle > 3.14159 ? 1.5e-6 : 1e-10;
      expect(Math.abs(dot3(q, 0, a, 0))).toBeLessThan(slack);
      expect(Math.abs(dot3(q, 0, b, 0))).toBeLessThan(slack);
      expect(q[3]).toBeGreaterThanOrEqual(0);
    }),
    { ...runs, numRuns: 8000 },
  );
});

test('small swings are as precise as large ones', () => {
  fc.assert(
    fc.property(direction, direction, smallness, (a, noise, size) => {
      const b = a.map((x, k) => x + noise[k]! * size);
      const length = lengthOf(b);
      fc.pre(length > 0.5);
      const unit = b.map((x) => x / length);
      const angle = angleBetween3(a, 0, unit, 0);
      expect(Math.abs(angleQuat(identity, 0, swing(a, unit), 0) - angle)).toBeLessThan(1e-15 + 1e-15 * angle);
    }),
    runs,
  );
});

test('mirrored directions give the mirrored rotation, number by number, opposite directions included', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      expect(identical(swing(mirrorVector(a), mirrorVector(b)), mirrorRotation(swing(a, b)))).toBe(true);
    }),
    { ...runs, numRuns: 8000 },
  );
});

describe('opposite directions', () => {
  const cases = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
    [0.6, 0.8, 0],
    [0.8, 0, -0.6],
    [0.96, 0.28, 0],
    [-0.96, 0, 0.28],
  ];

  test.each(cases)('are a half turn: from %d, %d, %d', (...a) => {
    const b = a.map((x) => -x);
    const q = swing(a, b);
    const moved = [0, 0, 0];
    rotateVec3(moved, 0, q, 0, a, 0);
    expect(apart(moved, b)).toBeLessThan(5e-16);
    expect(Math.abs(q[3]!)).toBeLessThan(1e-15);
    expect(Math.abs(dot3(q, 0, a, 0))).toBeLessThan(1e-15);
  });

  test('turn a hanging or upright direction about the lateral axis: forwards and back, not sideways', () => {
    expect(swing([0, 1, 0], [0, -1, 0]).map(Math.abs)).toEqual([1, 0, 0, 0]);
    expect(swing([0, 0, 1], [0, 0, -1]).map(Math.abs)).toEqual([1, 0, 0, 0]);
  });

  test('turn a lateral direction about an axis perpendicular to it, mirrored for the other side', () => {
    const left = swing([1, 0, 0], [-1, 0, 0]);
    const right = swing([-1, 0, 0], [1, 0, 0]);
    expect(identical(right, mirrorRotation(left))).toBe(true);
    expect(left.map(Math.abs)).toEqual([0, 0, 1, 0]);
  });
});

test('equal directions give no rotation', () => {
  fc.assert(
    fc.property(direction, (a) => {
      expect(apart(swing(a, a), identity)).toBeLessThan(1e-16);
    }),
    runs,
  );
});

test('the result may be written over a direction', () => {
  const list = [0.6, 0.8, 0, 0];
  const expected = swing([0.6, 0.8, 0], [0, 0.6, 0.8]);
  swingQuat(list, 0, list, 0, [0, 0.6, 0.8], 0);
  expect(list).toEqual(expected);
});
