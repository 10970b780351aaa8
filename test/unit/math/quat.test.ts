/**
 * Quaternions against rotation matrices built another way, against interpolation in whole numbers, and by their laws.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  angleQuat,
  axisAngleQuat,
  composeMat4,
  conjugateQuat,
  dot3,
  identityQuat,
  limitAngleQuat,
  multiplyQuat,
  normalizeQuat,
  quatFromMat4,
  rotateVec3,
  slerpQuat,
  swingTwist,
} from '../../../src/math/index.js';
import {
  apart,
  applyRows,
  direction,
  identical,
  lengthOf,
  mirrorRotation,
  mirrorVector,
  point,
  rodrigues,
  rotation,
  runs,
  smallness,
  within,
} from './support/arbitraries.js';
import { errorInEpsilons, exactSlerp } from './support/highPrecision.js';

const identity = [0, 0, 0, 1];
const share = fc.double({ min: 0, max: 1, noNaN: true });

function product(a: number[], b: number[]): number[] {
  const out = [0, 0, 0, 0];
  multiplyQuat(out, 0, a, 0, b, 0);
  return out;
}

function rotated(q: number[], v: number[]): number[] {
  const out = [0, 0, 0];
  rotateVec3(out, 0, q, 0, v, 0);
  return out;
}

function slerp(a: number[], b: number[], t: number): number[] {
  const out = [0, 0, 0, 0];
  slerpQuat(out, 0, a, 0, b, 0, t);
  return out;
}

/** Distance of two rotations whatever the sign of their quaternions. */
function rotationsApart(a: number[], b: number[]): number {
  return Math.min(
    apart(a, b),
    apart(
      a,
      b.map((x) => -x),
    ),
  );
}

describe('rotating', () => {
  test('an axis and an angle turn a vector as the matrix of Rodrigues does', () => {
    fc.assert(
      fc.property(direction, within(7), point, (axis, angle, v) => {
        const q = [0, 0, 0, 0];
        axisAngleQuat(q, 0, axis, 0, angle);
        expect(apart(rotated(q, v), applyRows(rodrigues(axis, angle), v))).toBeLessThan(2e-14);
      }),
      runs,
    );
  });

  test('a quarter turn about z takes x to y', () => {
    const q = [0, 0, 0, 0];
    axisAngleQuat(q, 0, [0, 0, 1], 0, 1.5707963267948966);
    expect(apart(rotated(q, [1, 0, 0]), [0, 1, 0])).toBeLessThan(3e-16);
  });

  test('a product turns by its second factor first', () => {
    fc.assert(
      fc.property(rotation, rotation, point, (a, b, v) => {
        expect(apart(rotated(product(a, b), v), rotated(a, rotated(b, v)))).toBeLessThan(3e-14);
      }),
      runs,
    );
  });

  test('the conjugate turns back', () => {
    fc.assert(
      fc.property(rotation, point, (q, v) => {
        const back = [0, 0, 0, 0];
        conjugateQuat(back, 0, q, 0);
        expect(apart(rotated(back, rotated(q, v)), v)).toBeLessThan(3e-14);
        expect(apart(product(q, back), identity)).toBeLessThan(5e-16);
      }),
      runs,
    );
  });

  test('mirrored inputs give the mirrored result, number by number', () => {
    fc.assert(
      fc.property(rotation, rotation, point, share, (a, b, v, t) => {
        const [ma, mb] = [mirrorRotation(a), mirrorRotation(b)];
        expect(identical(product(ma, mb), mirrorRotation(product(a, b)))).toBe(true);
        expect(identical(rotated(ma, mirrorVector(v)), mirrorVector(rotated(a, v)))).toBe(true);
        expect(identical(slerp(ma, mb, t), mirrorRotation(slerp(a, b, t)))).toBe(true);
        expect(angleQuat(ma, 0, mb, 0)).toBe(angleQuat(a, 0, b, 0));
      }),
      runs,
    );
  });
});

describe('normalising', () => {
  test('keeps the direction and makes the length 1', () => {
    fc.assert(
      fc.property(rotation, fc.double({ min: 1e-100, max: 1e100, noNaN: true }), (q, size) => {
        const scaled = q.map((x) => x * size);
        normalizeQuat(scaled, 0, scaled, 0);
        expect(apart(scaled, q)).toBeLessThan(1e-15);
      }),
      runs,
    );
  });

  test.each([
    [0, 0, 0, 0],
    [NaN, 0, 0, 1],
    [Infinity, 0, 0, 1],
  ])('makes the identity of %d, %d, %d, %d', (...q) => {
    normalizeQuat(q, 0, q, 0);
    expect(q).toEqual(identity);
  });
});

describe('slerpQuat', () => {
  test('is within 3 units of 2^-52 of the interpolation in whole numbers', () => {
    fc.assert(
      fc.property(rotation, rotation, share, (a, b, t) => {
        const { components, bits } = exactSlerp(a, b, t);
        const q = slerp(a, b, t);
        for (let k = 0; k < 4; k++) expect(errorInEpsilons(q[k]!, components[k]!, bits)).toBeLessThan(3);
      }),
      runs,
    );
  });

  test('is as close for rotations that nearly agree', () => {
    fc.assert(
      fc.property(rotation, rotation, smallness, share, (a, noise, size, t) => {
        const b = a.map((x, k) => x + noise[k]! * size);
        fc.pre(lengthOf(b) > 0.5);
        normalizeQuat(b, 0, b, 0);
        fc.pre(!identical(a, b));
        const { components, bits } = exactSlerp(a, b, t);
        const q = slerp(a, b, t);
        for (let k = 0; k < 4; k++) expect(errorInEpsilons(q[k]!, components[k]!, bits)).toBeLessThan(3);
      }),
      runs,
    );
  });

  test('starts at a exactly and ends at b exactly, up to the sign that is nearer', () => {
    fc.assert(
      fc.property(rotation, rotation, (a, b) => {
        expect(identical(slerp(a, b, 0), a)).toBe(true);
        expect(rotationsApart(slerp(a, b, 1), b)).toBe(0);
      }),
      runs,
    );
  });

  test('turns at an even rate along the shorter way, whatever the signs', () => {
    fc.assert(
      fc.property(rotation, rotation, share, (a, b, t) => {
        const negative = b.map((x) => -x);
        const whole = angleQuat(a, 0, b, 0);
        expect(Math.abs(angleQuat(a, 0, slerp(a, b, t), 0) - t * whole)).toBeLessThan(2e-15);
        expect(identical(slerp(a, b, t), slerp(a, negative, t)) || Math.abs(whole - Math.PI) < 1e-12).toBe(
          true,
        );
      }),
      runs,
    );
  });

  test('returns the rotation itself between equal rotations', () => {
    fc.assert(
      fc.property(rotation, share, (a, t) => {
        expect(apart(slerp(a, a, t), a)).toBeLessThan(2.3e-16);
      }),
      runs,
    );
  });
});

describe('angleQuat', () => {
  test('finds the angle of a rotation, from far below the precision of w up to pi', () => {
    fc.assert(
      fc.property(
        rotation,
        direction,
        fc.double({ min: -14, max: 0.497, noNaN: true }),
        (a, axis, exponent) => {
          const angle = 10 ** exponent;
          const q = [0, 0, 0, 0];
          axisAngleQuat(q, 0, axis, 0, angle);
          expect(Math.abs(angleQuat(identity, 0, q, 0) - angle)).toBeLessThan(1e-15 * angle);
          const b = product(a, q);
          expect(Math.abs(angleQuat(a, 0, b, 0) - angle)).toBeLessThan(2e-15);
          expect(
            Math.abs(
              angleQuat(
                a,
                0,
                b.map((x) => -x),
                0,
              ) - angle,
            ),
          ).toBeLessThan(2e-15);
        },
      ),
      runs,
    );
  });
});

describe('swingTwist', () => {
  test('gives a twist about the axis and a swing perpendicular to it whose product is the rotation', () => {
    fc.assert(
      fc.property(rotation, direction, (q, axis) => {
        fc.pre(Math.hypot(dot3(q, 0, axis, 0), q[3]!) > 1e-3);
        const parts = new Float64Array(8);
        swingTwist(parts, 0, parts, 4, q, 0, axis, 0);
        const swing = [...parts.subarray(0, 4)];
        const twist = [...parts.subarray(4)];
        expect(apart(product(swing, twist), q)).toBeLessThan(1e-15);
        expect(Math.abs(dot3(swing, 0, axis, 0))).toBeLessThan(1e-12);
        expect(apart(rotated(twist, axis), axis)).toBeLessThan(2e-15);
        expect(twist[3]).toBeGreaterThanOrEqual(0);
        expect(Math.abs(lengthOf(twist) - 1)).toBeLessThan(1e-15);
      }),
      runs,
    );
  });

  test('leaves the twist empty when the axis is turned over', () => {
    const parts = new Float64Array(8);
    swingTwist(parts, 0, parts, 4, [1, 0, 0, 0], 0, [0, 1, 0], 0);
    expect([...parts]).toEqual([1, 0, 0, 0, 0, 0, 0, 1]);
  });

  test('may write either part over the rotation', () => {
    const expected = new Float64Array(8);
    const q = [0.5, 0.5, -0.5, 0.5];
    swingTwist(expected, 0, expected, 4, q, 0, [0, 1, 0], 0);
    const first = [...q];
    const other = [0, 0, 0, 0];
    swingTwist(first, 0, other, 0, first, 0, [0, 1, 0], 0);
    expect(first).toEqual([...expected.subarray(0, 4)]);
    const second = [...q];
    swingTwist(other, 0, second, 0, second, 0, [0, 1, 0], 0);
    expect(second).toEqual([...expected.subarray(4)]);
  });
});

describe('limitAngleQuat', () => {
  const limits = fc.double({ min: 0.01, max: 3, noNaN: true });
  const angles = fc.double({ min: 0, max: 3.14, noNaN: true });

  test('turns by the limit about the same axis above it, and leaves smaller angles alone', () => {
    fc.assert(
      fc.property(direction, angles, limits, fc.boolean(), (axis, angle, limit, negative) => {
        const q = [0, 0, 0, 0];
        axisAngleQuat(q, 0, axis, 0, angle);
        const given = negative ? q.map((x) => -x) : q;
        const out = [0, 0, 0, 0];
        const limited = limitAngleQuat(out, 0, given, 0, Math.cos(limit / 2), Math.sin(limit / 2));
        if (angle > limit + 1e-12) expect(limited).toBe(true);
        if (angle < limit - 1e-12) expect(limited).toBe(false);
        if (!limited) {
          expect(identical(out, given)).toBe(true);
          return;
        }
        const expected = [0, 0, 0, 0];
        axisAngleQuat(expected, 0, axis, 0, limit);
        expect(rotationsApart(out, expected)).toBeLessThan(1e-15);
        expect(out[3]! * given[3]!).toBeGreaterThanOrEqual(0);
      }),
      runs,
    );
  });

  test('limits in place', () => {
    const q = [1, 0, 0, 0];
    expect(limitAngleQuat(q, 0, q, 0, 0.8, 0.6)).toBe(true);
    expect(q).toEqual([0.6, 0, 0, 0.8]);
  });
});

describe('quatFromMat4', () => {
  test('finds the rotation of a matrix, signed so that w is not negative', () => {
    const nearHalfTurn = fc.tuple(direction, smallness).map(([axis, w]) => {
      const q = [...axis, w];
      normalizeQuat(q, 0, q, 0);
      return q;
    });
    fc.assert(
      fc.property(fc.oneof(rotation, nearHalfTurn), (q) => {
        const m = new Float64Array(16);
        composeMat4(m, 0, [1, 2, 3], 0, q, 0, [1, 1, 1], 0);
        const out = [0, 0, 0, 0];
        quatFromMat4(out, 0, m, 0);
        expect(rotationsApart(out, q)).toBeLessThan(2e-15);
        expect(out[3]).toBeGreaterThanOrEqual(0);
      }),
      { ...runs, numRuns: 6000 },
    );
  });

  test('agrees with the matrix of Rodrigues', () => {
    fc.assert(
      fc.property(direction, within(3.1), (axis, angle) => {
        const rows = rodrigues(axis, angle);
        const m = new Float64Array(16);
        for (let k = 0; k < 9; k++) m[4 * (k % 3) + Math.floor(k / 3)] = rows[Math.floor(k / 3)]![k % 3]!;
        const out = [0, 0, 0, 0];
        quatFromMat4(out, 0, m, 0);
        const half = angle / 2;
        const expected = [...axis.map((x) => x * Math.sin(half)), Math.cos(half)];
        expect(apart(out, expected)).toBeLessThan(2e-15);
      }),
      runs,
    );
  });
});

describe('storage', () => {
  test('offsets are respected, and results may be written over inputs', () => {
    fc.assert(
      fc.property(rotation, rotation, point, share, (a, b, v, t) => {
        const list = [7, ...a, 8, ...b, 9, ...v, 10];
        const over = (write: (out: number[]) => void): number[] => {
          const copy = [...list];
          write(copy);
          return copy;
        };
        const ab = product(a, b);
        expect(over((o) => multiplyQuat(o, 1, o, 1, o, 6))).toEqual([7, ...ab, 8, ...b, 9, ...v, 10]);
        expect(over((o) => multiplyQuat(o, 6, o, 1, o, 6))).toEqual([7, ...a, 8, ...ab, 9, ...v, 10]);
        expect(over((o) => rotateVec3(o, 11, o, 1, o, 11)).slice(11, 14)).toEqual(rotated(a, v));
        expect(over((o) => slerpQuat(o, 6, o, 1, o, 6, t)).slice(6, 10)).toEqual(slerp(a, b, t));
        expect(over((o) => conjugateQuat(o, 1, o, 1)).slice(1, 5)).toEqual([-a[0]!, -a[1]!, -a[2]!, a[3]!]);
        expect(over((o) => identityQuat(o, 6)).slice(5, 11)).toEqual([8, ...identity, 9]);
      }),
      { ...runs, numRuns: 300 },
    );
  });

  test('a Float32Array receives the same numbers, rounded', () => {
    const a = new Float32Array([0.5, 0.5, 0.5, 0.5]);
    const out = new Float32Array(4);
    slerpQuat(out, 0, a, 0, new Float32Array(identity), 0, 0.5);
    expect(apart(out, slerp([0.5, 0.5, 0.5, 0.5], identity, 0.5))).toBeLessThan(1e-7);
  });
});
