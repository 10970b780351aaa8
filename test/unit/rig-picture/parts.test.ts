/** The parts of the picture against naive versions of themselves. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownerColors, pointOwners } from '../../../src/rig/pictureColors.js';
import { jointNames } from '../../../src/rig/pictureLabels.js';
import { outlinesByLabel, pathData, type Loop } from '../../../src/rig/pictureOutline.js';
import { createRaster, paintTriangle } from '../../../src/rig/pictureRaster.js';
import { escapeXml, figure, shortened } from '../../../src/rig/pictureText.js';
import { ballSurface } from './support/balls.js';
import { textsOf } from './support/svg.js';

describe('the raster', () => {
  test('shows in every cell the nearest triangle whose inside holds its centre', () => {
    const size = 12;
    const corner = fc.tuple(
      fc.double({ min: -2, max: size + 2, noNaN: true }),
      fc.double({ min: -2, max: size + 2, noNaN: true }),
      fc.double({ min: 0, max: 9, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(corner, corner, corner), { minLength: 1, maxLength: 8 }), (triangles) => {
        const corners = triangles.flat();
        const view = {
          x: Float64Array.from(corners, ([x]) => x),
          y: Float64Array.from(corners, ([, y]) => y),
          depth: Float64Array.from(corners, ([, , depth]) => depth),
          light: Float64Array.from(corners, () => 0.5),
        };
        const raster = createRaster(size, size);
        triangles.forEach((_, t) => paintTriangle(raster, view, 3 * t, 3 * t + 1, 3 * t + 2));
        const held = new Set(corners.map(([x, y]) => `${Math.floor(x)} ${Math.floor(y)}`));
        for (let row = 0; row < size; row++)
          for (let column = 0; column < size; column++) {
            if (held.has(`${column} ${row}`)) continue;
            const depths = triangles.map((triangle) => depthAt(triangle, column + 0.5, row + 0.5));
            const nearest = Math.max(...depths);
            const shown = raster.depth[row * size + column]!;
            // Centres that lie on a side may go either way.
            if (depths.some(Number.isNaN)) continue;
            if (nearest === -Infinity) expect(shown).toBe(-Infinity);
            else expect(shown).toBeCloseTo(nearest, 6);
          }
      }),
      { numRuns: 200 },
    );
  });

  /** Depth of the plane of a triangle at a point inside, -Infinity outside, NaN where that is a close call. */
  function depthAt(triangle: [number, number, number][], px: number, py: number): number {
    const [a, b, c] = triangle as [
      [number, number, number],
      [number, number, number],
      [number, number, number],
    ];
    const turn = (p: number[], q: number[]): number =>
      (q[0]! - p[0]!) * (py - p[1]!) - (q[1]! - p[1]!) * (px - p[0]!);
    const turns = [turn(b, c), turn(c, a), turn(a, b)];
    const area = turns.reduce((sum, each) => sum + each, 0);
    if (Math.abs(area) < 1e-3 || turns.some((each) => Math.abs(each) < 1e-6)) return NaN;
    if (!turns.every((each) => each * area > 0)) return -Infinity;
    return (turns[0]! * a[2] + turns[1]! * b[2] + turns[2]! * c[2]) / area;
  }

  test('what is thinner than a cell leaves its corners', () => {
    const raster = createRaster(4, 4);
    const view = {
      x: Float64Array.of(1.2, 1.2, 2.9),
      y: Float64Array.of(0.1, 0.2, 3.1),
      depth: Float64Array.of(1, 1, 1),
      light: Float64Array.of(1, 1, 1),
    };
    paintTriangle(raster, view, 0, 1, 2);
    expect(raster.point[1]).toBeGreaterThanOrEqual(0);
    expect(raster.point[14]).toBe(2);
  });
});

describe('outlines', () => {
  const areaOf = (loops: Loop[]): number =>
    Math.abs(
      loops.reduce((sum, loop) => {
        for (let i = 0; i < loop.length; i += 2) {
          const j = (i + 2) % loop.length;
          sum += (loop[i]! * loop[j + 1]! - loop[j]! * loop[i + 1]!) / 2;
        }
        return sum;
      }, 0),
    );
  const disc = (size: number, inside: (x: number, y: number) => number): Uint8Array =>
    Uint8Array.from({ length: size * size }, (_, i) => inside((i % size) + 0.5, Math.floor(i / size) + 0.5));

  test('a disc and a ring have the area of their cells and few points', () => {
    const size = 60;
    const cells = disc(size, (x, y) => {
      const r = Math.hypot(x - 30, y - 30);
      return r < 8 ? 1 : r < 16 ? 0 : r < 27 ? 2 : 0;
    });
    const loops = outlinesByLabel(cells, size, size);
    expect(loops.get(1)).toHaveLength(1);
    expect(loops.get(2)).toHaveLength(2);
    for (const label of [1, 2]) {
      const count = cells.filter((value) => value === label).length;
      expect(Math.abs(areaOf(loops.get(label)!) / count - 1)).toBeLessThan(0.06);
    }
    expect(loops.get(2)!.flat().length / 2).toBeLessThan(60);
  });

  test('a straight border of two labels is one line for both', () => {
    const loops = outlinesByLabel(
      disc(20, (x) => (x < 10 ? 1 : 2)),
      20,
      20,
    );
    const xs = (label: number): number[] =>
      loops
        .get(label)!
        .flat()
        .filter((_, i) => i % 2 === 0);
    expect(Math.max(...xs(1))).toBeCloseTo(10, 9);
    expect(Math.min(...xs(2))).toBeCloseTo(10, 9);
  });

  test('patches that touch at a corner stay two, and every patch is found once', () => {
    const cells = disc(40, (x, y) => (x < 20 === y < 20 ? 1 : 0));
    expect(outlinesByLabel(cells, 40, 40).get(1)).toHaveLength(2);
  });

  test('any pattern gives closed lines around no more than is there', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 100, maxLength: 100 }), (cells) => {
        for (const [label, loops] of outlinesByLabel(cells, 10, 10)) {
          expect(label).toBeGreaterThan(0);
          for (const loop of loops) {
            expect(loop.length).toBeGreaterThanOrEqual(4);
            for (const value of loop) expect(value >= 0 && value <= 10).toBe(true);
          }
        }
      }),
    );
  });

  test('path data leads through the points, in tenths', () => {
    expect(pathData([[0, 0, 2, 0, 2, 1.5, -1, 3]], 1)).toBe('M0 0l20 0 0 15-30 15z');
  });
});

describe('colours', () => {
  test('the owner has the largest weight, the first of equals, none without weight', () => {
    const surface = {
      ...ballSurface([], 0, 0, () => 0),
      count: 3,
      first: Uint32Array.of(0, 3, 3, 5),
      bones: Int32Array.of(7, 4, 5, 9, 2),
      weights: Float64Array.of(0.2, 0.4, 0.4, 0, 0),
    };
    expect([...pointOwners(surface)]).toEqual([4, -1, -1]);
  });

  test('neighbours are far apart, and thirty bones all differ', () => {
    const rings = 60;
    const surface = ballSurface([{ centre: [0, 0, 0], radius: () => 1 }], rings, 20, (_, p) =>
      Math.floor(p / 20 / (rings / 30)),
    );
    const colors = ownerColors(surface, pointOwners(surface));
    expect(new Set(colors.values()).size).toBe(30);
    const rgb = (bone: number): number[] =>
      [1, 3, 5].map((at) => Number.parseInt(colors.get(bone)!.slice(at, at + 2), 16));
    for (let bone = 1; bone < 30; bone++) {
      const apart = Math.hypot(...rgb(bone).map((value, k) => value - rgb(bone - 1)[k]!));
      expect(apart, `bones ${bone - 1} and ${bone}`).toBeGreaterThan(50);
    }
  });
});

describe('words', () => {
  test('joints that fall together share the places beside them, and none covers another', () => {
    const apart = jointNames(
      [
        [0, 0],
        [0, 40],
      ],
      ['Tail_1', 'Tail_2'],
    );
    expect(textsOf(apart)).toEqual(['Tail_1', 'Tail_2']);
    const together = jointNames(
      Array.from({ length: 9 }, (): [number, number] => [0, 0]),
      Array.from({ length: 9 }, (_, i) => `Tail_${i}`),
    );
    expect(textsOf(together).length).toBeLessThan(5);
    expect(textsOf(together)[0]).toBe('Tail_0');
  });

  test('figures, short names, markup', () => {
    expect([0, 0.123, 1.5, 12.34, 123.4, 0.0123, 1e-6, -2.5, NaN].map(figure)).toEqual(
      '0.00 0.12 1.50 12.3 123 0.012 1.0e-6 -2.50 -'.split(' '),
    );
    expect(shortened('abcdefghij', 5)).toBe('ab…ij');
    expect(shortened('abcde', 5)).toBe('abcde');
    expect(escapeXml('<a b="c">&\'\u0007')).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#39;\ufffd');
  });
});
