/** Stretch of a strip that is short enough to work out by hand. */
import { describe, expect, test } from 'vitest';
import { measureClip, type MeasureOptions } from '../../../src/measure/index.js';
import { axisAngle } from '../../support/referenceMath.js';
import { makeStrip, moveClip, type StripOptions } from './support/strip.js';

/** Tail_2 slides away by 0.45 within a second; sampled at 0 and 1 s. */
function slide(options: StripOptions = {}) {
  const scale = options.armature ?? 1;
  const clip = moveClip(4, 'translation', [0, 0, -1 / scale], [0, 0, -1.45 / scale]);
  const strip = makeStrip({ ...options, clips: [clip] });
  const settings: MeasureOptions = { samples: 2, pose: 'clip', chains: [strip.tail], loop: 'off' };
  return measureClip(strip.asset, 'Move', settings);
}

describe('a strip whose second link slides away by 0.45 of its length', () => {
  test('edges are sorted by where their ends lie', () => {
    const report = slide();
    // Rings: two of the body, three of the tail, two corners each; every quad has two lengths and a diagonal.
    expect(report.body.edges).toBe(2 + 3);
    expect(report.collar.edges).toBe(3);
    expect(report.tail.edges).toBe(3 + 2 * 3);
    expect(report.tail.samples).toBe(18);
  });

  test('the ratios are those of plain geometry', () => {
    const report = slide();
    // The joint's ring follows by half: both quads beside it grow from 0.5 to 0.725, widths and the rest stay.
    const diagonal = Math.hypot(0.725, 0.2) / Math.hypot(0.5, 0.2);
    expect(report.tail.max).toBeCloseTo(0.725 / 0.5, 12);
    expect(report.tail.min).toBeCloseTo(1, 12);
    // 18 ratios in order: 12 times 1, twice the diagonal, four times 1.45; rank 18 for both percentiles.
    expect(report.tail.p95).toBeCloseTo(1.45, 12);
    expect(diagonal).toBeLessThan(1.45);
    expect(report.tail.torn).toBe(0);
    expect(report.body.max).toBeCloseTo(1, 12);
    expect(report.collar.max).toBeCloseTo(1, 12);
  });

  test('torn means above 1.5, not 1.5 itself', () => {
    const clip = moveClip(4, 'translation', [0, 0, -1], [0, 0, -1.5001]);
    const strip = makeStrip({ clips: [clip] });
    const report = measureClip(strip.asset, 0, {
      samples: 2,
      pose: 'clip',
      chains: [strip.tail],
      loop: 'off',
    });
    expect(report.tail.torn).toBeCloseTo(4 / 18, 12);
  });

  test('a crushed edge is torn too', () => {
    const clip = moveClip(4, 'translation', [0, 0, -1], [0, 0, -0.6]);
    const strip = makeStrip({ clips: [clip] });
    const report = measureClip(strip.asset, 0, {
      samples: 2,
      pose: 'clip',
      chains: [strip.tail],
      loop: 'off',
    });
    // 0.5 - 0.2 = 0.3: ratio 0.6
    expect(report.tail.min).toBeCloseTo(0.6, 12);
    expect(report.tail.torn).toBeGreaterThan(0);
  });

  test.each([
    ['a mesh in centimetres', { meshUnits: 100 }],
    ['an armature scaled by 39.5', { armature: 39.5 }],
    ['both', { meshUnits: 0.01, armature: 100 }],
    ['vertices split at every seam', { seams: true }],
  ])('the figures are the same with %s', (_, options) => {
    const plain = slide();
    const other = slide(options);
    expect(other.tail.edges).toBe(plain.tail.edges);
    for (const kind of ['tail', 'collar', 'body'] as const)
      for (const key of ['p95', 'p99', 'max', 'min', 'torn'] as const)
        expect(other[kind][key], `${kind}.${key}`).toBeCloseTo(plain[kind][key]!, 9);
    expect(other.tipTravel).toBeCloseTo(plain.tipTravel, 9);
  });

  test('the tip travels 0.45 of a link out of two', () => {
    expect(slide().tipTravel).toBeCloseTo(0.225, 12);
  });

  test('a rigid tail does not stretch at all, whatever the clip does', () => {
    const clip = moveClip(4, 'translation', [0, 0, -1], [0, 3, -1.5]);
    const strip = makeStrip({ clips: [clip] });
    const report = measureClip(strip.asset, 0, { pose: 'rigid', chains: [strip.tail] });
    expect(report.tail.max).toBeCloseTo(1, 12);
    expect(report.tail.min).toBeCloseTo(1, 12);
    expect(report.tipTravel).toBe(0);
    expect(report.maxBendDeg).toBe(0);
  });
});

describe('a strip whose second link turns', () => {
  const angle = 0.6;
  const clip = moveClip(4, 'rotation', [0, 0, 0, 1], axisAngle([1, 0, 0], angle));
  const strip = makeStrip({ clips: [clip] });
  const report = measureClip(strip.asset, 0, { samples: 2, pose: 'clip', chains: [strip.tail], loop: 'off' });

  test('the bend is the angle of the link against its parent', () => {
    expect(report.maxBendDeg).toBeCloseTo((angle * 180) / Math.PI, 9);
  });

  test('the tip moves along the chord of its circle', () => {
    expect(report.tipTravel).toBeCloseTo((2 * Math.sin(angle / 2)) / 2, 9);
  });

  test('a twist about the link is no bend', () => {
    const twist = makeStrip({ clips: [moveClip(4, 'rotation', [0, 0, 0, 1], axisAngle([0, 0, 1], 1))] });
    const twisted = measureClip(twist.asset, 0, { pose: 'clip', chains: [twist.tail] });
    expect(twisted.maxBendDeg).toBeLessThan(1e-9);
  });
});

describe('weights', () => {
  test('more than half of the weight on chain bones makes a point part of the tail, exactly half does not', () => {
    const edges = (share: number): number => {
      const strip = makeStrip({ clips: [moveClip(2, 'translation', [0, 0, 0], [0, 0, 0])] });
      const mesh = strip.asset.meshes[0]!;
      // The ring at z = -0.5: shared between hips and Tail_1.
      for (const v of [4, 5]) {
        mesh.joints.set([2, 3, 0, 0], 4 * v);
        mesh.weights.set([1 - share, share, 0, 0], 4 * v);
      }
      return measureClip(strip.asset, 0, { pose: 'clip', chains: [strip.tail] }).tail.edges;
    };
    expect(edges(0.51)).toBe(9);
    expect(edges(0.5)).toBe(5);
  });

  test('weights that do not sum to 1 are used as stored, and reported', () => {
    const strip = makeStrip({
      jointWeights: [0.4, 0.4],
      clips: [moveClip(2, 'translation', [0, 0, 0], [0, 0, 0])],
    });
    const report = measureClip(strip.asset, 0, {
      samples: 1,
      pose: 'clip',
      chains: [strip.tail],
      loop: 'off',
    });
    expect(report.warnings.map((w) => w.code)).toContain('weights-not-one');
    // The ring shrinks towards the origin by 0.8: to z = -0.8 and half the width 0.08.
    expect(report.tail.min).toBeCloseTo(Math.hypot(0.3, 0.02) / 0.5, 12);
  });

  test('points that are welded although their weights differ are reported', () => {
    const strip = makeStrip({ seams: true, clips: [moveClip(2, 'translation', [0, 0, 0], [0, 0, 0])] });
    strip.asset.meshes[0]!.weights.set([0.5, 0, 0, 0], 4);
    const report = measureClip(strip.asset, 0, { pose: 'clip', chains: [strip.tail] });
    expect(report.warnings.map((w) => w.code)).toContain('seam-weights-differ');
  });
});

describe('what cannot be measured', () => {
  const strip = makeStrip({ clips: [moveClip(2, 'translation', [0, 0, 0], [0, 0, 0])] });

  test('an unknown clip lists the names', () => {
    expect(() => measureClip(strip.asset, 'Run')).toThrow(/no clip Run; it has Move/);
  });

  test('a number of samples below one', () => {
    expect(() => measureClip(strip.asset, 'Move', { samples: 0 })).toThrow(/samples is 0/);
  });

  test('more samples than memory holds, or a clip that lasts for years', () => {
    expect(() => measureClip(strip.asset, 'Move', { samples: 1e9 })).toThrow(
      /samples is 1000000000, expected at most/,
    );
    const years = { ...strip.asset, clips: [{ ...strip.asset.clips[0]!, duration: 1e8 }] };
    expect(() => measureClip(years, 'Move', { chains: [strip.tail] })).toThrow(/lasts 100000000 s/);
  });

  test('a chain to simulate where there is none; the clip itself still gives body figures', () => {
    expect(() => measureClip(strip.asset, 'Move', { chains: [] })).toThrow(/no chain/);
    const report = measureClip(strip.asset, 'Move', { chains: [], pose: 'clip' });
    expect(report.tail).toMatchObject({ edges: 0, samples: 0, p99: null, torn: null });
    expect(report.body.edges).toBe(17);
    expect(report.warnings.map((w) => w.code)).toContain('no-chain');
  });

  test('an edge without length at bind is left out and counted', () => {
    const flat = makeStrip({ clips: [moveClip(2, 'translation', [0, 0, 0], [0, 0, 0])] });
    const mesh = flat.asset.meshes[0]!;
    mesh.indices = Uint32Array.from([...mesh.indices, 0, 0, 1]);
    const report = measureClip(flat.asset, 0, { pose: 'clip', chains: [flat.tail] });
    expect(report.zeroLengthEdges).toBe(1);
    expect(report.body.edges).toBe(5);
  });
});
