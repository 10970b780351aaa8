/**
 * Matrices against loops over rows and columns, by their laws, and on maps that mirror, shear or flatten.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  composeMat4,
  decomposeMat4,
  determinant3,
  identityMat4,
  invertMat4,
  multiplyMat4,
  rotateVec3,
  transformDirection,
  transformPoint,
} from '../../../src/math/index.js';
import { apart, identical, lengthOf, point, rotation, runs, within } from './support/arbitraries.js';

const scaleFactor = fc.oneof(
  fc.double({ min: 0.01, max: 100, noNaN: true }),
  fc.double({ min: -100, max: -0.01, noNaN: true }),
);
const scale = fc.array(scaleFactor, { minLength: 3, maxLength: 3 });
const matrix = fc.array(within(5), { minLength: 16, maxLength: 16 });
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function compose(t: number[], r: number[], s: number[]): number[] {
  const m = Array.from({ length: 16 }, () => 0);
  composeMat4(m, 0, t, 0, r, 0, s, 0);
  return m;
}

function decompose(m: number[]): { t: number[]; r: number[]; s: number[] } {
  const [t, r, s] = [
    [0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0],
  ];
  decomposeMat4(t!, 0, r!, 0, s!, 0, m, 0);
  return { t: t!, r: r!, s: s! };
}

function product(a: number[], b: number[]): number[] {
  const out = Array.from({ length: 16 }, () => 0);
  multiplyMat4(out, 0, a, 0, b, 0);
  return out;
}

/** The product by its definition, element (row, column) at 4 column + row. */
function naiveProduct(a: number[], b: number[]): number[] {
  return identity.map((_, at) => {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[4 * k + (at % 4)]! * b[4 * Math.floor(at / 4) + k]!;
    return sum;
  });
}

describe('multiplying', () => {
  test('is the sum over rows and columns', () => {
    fc.assert(
      fc.property(matrix, matrix, (a, b) => {
        expect(apart(product(a, b), naiveProduct(a, b))).toBeLessThan(1e-13);
      }),
      runs,
    );
  });

  test('may be written over either factor, at offsets', () => {
    fc.assert(
      fc.property(matrix, matrix, (a, b) => {
        const expected = product(a, b);
        const list = [3, ...a, ...b];
        multiplyMat4(list, 1, list, 1, list, 17);
        expect(list).toEqual([3, ...expected, ...b]);
        const other = [3, ...a, ...b];
        multiplyMat4(other, 17, other, 1, other, 17);
        expect(other).toEqual([3, ...a, ...expected]);
      }),
      { ...runs, numRuns: 200 },
    );
  });

  test('by the identity changes nothing', () => {
    const one = Array.from({ length: 16 }, () => 9);
    identityMat4(one, 0);
    expect(one).toEqual(identity);
    fc.assert(
      fc.property(matrix, (a) => {
        expect(identical(product(a, one), a)).toBe(true);
        expect(identical(product(one, a), a)).toBe(true);
      }),
      { ...runs, numRuns: 200 },
    );
  });
});

describe('composing', () => {
  test('scales, then rotates, then moves', () => {
    fc.assert(
      fc.property(point, rotation, scale, point, (t, r, s, p) => {
        const scaled = p.map((x, k) => x * s[k]!);
        const expected = [0, 0, 0];
        rotateVec3(expected, 0, r, 0, scaled, 0);
        const out = [0, 0, 0];
        const m = compose(t, r, s);
        transformDirection(out, 0, m, 0, p, 0);
        expect(apart(out, expected)).toBeLessThan(3e-12);
        transformPoint(out, 0, m, 0, p, 0);
        expect(
          apart(
            out,
            expected.map((x, k) => x + t[k]!),
          ),
        ).toBeLessThan(3e-12);
      }),
      runs,
    );
  });

  test('mapping by a product is mapping by its factors in turn, also in place', () => {
    fc.assert(
      fc.property(point, rotation, scale, point, (t, r, s, p) => {
        const a = compose(t, r, s);
        const b = compose(p, r, [1, -2, 0.5]);
        const v = [...t];
        transformPoint(v, 0, b, 0, v, 0);
        transformPoint(v, 0, a, 0, v, 0);
        const w = [0, 0, 0];
        transformPoint(w, 0, product(a, b), 0, t, 0);
        expect(apart(v, w)).toBeLessThan(1e-11);
      }),
      runs,
    );
  });

  test('the determinant is the product of the scales', () => {
    fc.assert(
      fc.property(point, rotation, scale, (t, r, s) => {
        const volume = s[0]! * s[1]! * s[2]!;
        expect(Math.abs(determinant3(compose(t, r, s), 0) / volume - 1)).toBeLessThan(4e-15);
      }),
      runs,
    );
  });
});

describe('decomposing', () => {
  test('and composing again gives the same map, whichever scales are negative', () => {
    fc.assert(
      fc.property(point, rotation, scale, (t, r, s) => {
        const m = compose(t, r, s);
        const parts = decompose(m);
        const size = Math.max(...s.map(Math.abs));
        expect(apart(compose(parts.t, parts.r, parts.s), m)).toBeLessThan(3e-15 * Math.max(size, 1));
        expect(Math.abs(lengthOf(parts.r) - 1)).toBeLessThan(4e-16);
        expect(parts.r[3]).toBeGreaterThanOrEqual(0);
      }),
      runs,
    );
  });

  test('gives the scales back; a mirroring map has the negative one on x', () => {
    fc.assert(
      fc.property(point, rotation, scale, (t, r, s) => {
        const parts = decompose(compose(t, r, s));
        const mirrored = s[0]! * s[1]! * s[2]! < 0;
        const expected = [Math.abs(s[0]!) * (mirrored ? -1 : 1), Math.abs(s[1]!), Math.abs(s[2]!)];
        for (let k = 0; k < 3; k++) expect(Math.abs(parts.s[k]! / expected[k]! - 1)).toBeLessThan(2e-15);
        expect(parts.t).toEqual(t);
      }),
      runs,
    );
  });

  test('keeps the direction of x and the plane of x and y when the map shears', () => {
    fc.assert(
      fc.property(rotation, within(0.5), within(0.5), within(0.5), (r, a, b, c) => {
        const shear = [1, 0, 0, 0, a, 1, 0, 0, b, c, 1, 0, 0, 0, 0, 1];
        const m = product(compose([0, 0, 0], r, [1, 1, 1]), shear);
        const parts = decompose(m);
        expect(
          Math.min(
            apart(parts.r, r),
            apart(
              parts.r,
              r.map((x) => -x),
            ),
          ),
        ).toBeLessThan(3e-15);
      }),
      runs,
    );
  });

  test('finds a rotation that keeps the columns left when scales are 0', () => {
    const zeros = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(rotation, scale, zeros, (r, s, zero) => {
        const flat = s.map((x, k) => (zero[k] ? 0 : Math.abs(x)));
        const m = compose([1, 2, 3], r, flat);
        const parts = decompose(m);
        expect(Math.abs(lengthOf(parts.r) - 1)).toBeLessThan(4e-16);
        expect(apart(compose(parts.t, parts.r, parts.s.map(Math.abs)), m)).toBeLessThan(5e-13);
      }),
      runs,
    );
  });

  test('finds some proper rotation when columns are parallel', () => {
    const parallel = [2, 0, 0, 0, 3, 0, 0, 0, -4, 0, 0, 0, 0, 0, 0, 1];
    const { r, s } = decompose(parallel);
    expect(Math.abs(lengthOf(r) - 1)).toBeLessThan(1e-15);
    expect(s.map(Math.abs)).toEqual([2, 3, 4]);
    const x = [1, 0, 0];
    rotateVec3(x, 0, r, 0, x, 0);
    expect(apart(x, [1, 0, 0])).toBeLessThan(1e-15);
  });
});

describe('inverting', () => {
  test('undoes an affine map from either side', () => {
    fc.assert(
      fc.property(point, rotation, scale, (t, r, s) => {
        const m = compose(t, r, s);
        const inverse = Array.from({ length: 16 }, () => 0);
        expect(invertMat4(inverse, 0, m, 0)).toBe(true);
        expect(apart(product(inverse, m), identity)).toBeLessThan(2e-11);
        const there = [0, 0, 0];
        transformPoint(there, 0, m, 0, [0.3, -0.2, 0.1], 0);
        transformPoint(there, 0, inverse, 0, there, 0);
        expect(apart(there, [0.3, -0.2, 0.1])).toBeLessThan(2e-11);
      }),
      runs,
    );
  });

  test('is exact where powers of two allow it, in place and at an offset', () => {
    const list = [5, 2, 0, 0, 0, 0, -4, 0, 0, 0, 0, 0.5, 0, 6, 8, -1, 1, 5];
    expect(invertMat4(list, 1, list, 1)).toBe(true);
    expect(list.map((x) => x + 0)).toEqual([5, 0.5, 0, 0, 0, 0, -0.25, 0, 0, 0, 0, 2, 0, -3, 2, 2, 1, 5]);
  });

  test.each([
    ['a column of zeros', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]],
    ['two equal columns', [1, 2, 3, 0, 1, 2, 3, 0, 0, 0, 1, 0, 1, 2, 3, 1]],
    ['a number that is none', [NaN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
    ['an infinite scale', [Infinity, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
  ])('is refused for %s, and nothing is written', (_name, m) => {
    const out = Array.from({ length: 16 }, () => 7);
    expect(invertMat4(out, 0, m, 0)).toBe(false);
    expect(out).toEqual(Array.from({ length: 16 }, () => 7));
  });
});
