/** When a clip counts as a loop: turns of 1 degree, ways of 1% of the chain, and root motion that goes on. */
import { describe, expect, test } from 'vitest';
import type { Clip, Track } from '../../../src/index.js';
import { clipLoop } from '../../../src/measure/clipLoop.js';
import { makeTail } from '../../support/chains.js';
import { axisAngle, radians } from './support/angles.js';

const tail = makeTail({ links: 4, length: 0.8 });
const { hips, root } = tail.bones;

function track(bone: number, path: Track['path'], times: number[], values: number[][]): Track {
  return {
    bone,
    path,
    interpolation: 'linear',
    times: Float64Array.from(times),
    values: Float64Array.from(values.flat()),
  };
}

function clip(...tracks: Track[]): Clip {
  return { name: 'clip', index: 0, duration: 1, tracks, bakedBones: [] };
}

const check = (c: Clip, rule: 'auto' | 'on' | 'off' = 'auto') =>
  clipLoop(tail.asset, c, [tail.definition], 1 / 120, rule);
const turned = (deg: number): Clip =>
  clip(track(hips, 'rotation', [0, 1], [axisAngle([1, 0, 0], 0), axisAngle([1, 0, 0], radians(deg))]));

describe('a turn left over', () => {
  test('of 0.9 degrees is a loop, of 1.1 degrees is none', () => {
    expect(check(turned(0.9)).loops).toBe(true);
    expect(check(turned(1.1)).loops).toBe(false);
    expect(check(turned(1.1)).turnGapDeg).toBeCloseTo(1.1, 6);
  });

  test('the user has the last word', () => {
    expect(check(turned(40), 'on').loops).toBe(true);
    expect(check(turned(0), 'off').loops).toBe(false);
  });
});

describe('a way left over', () => {
  // Eased: nothing moves at the ends, so it cannot be root motion.
  const eased = (way: number): Clip =>
    clip(
      track(
        hips,
        'translation',
        [0, 0.3, 0.7, 1],
        [
          [0, 1, 0],
          [0, 1, 0],
          [0, 1 + way, 0],
          [0, 1 + way, 0],
        ],
      ),
    );

  test('of 0.9% of the chain is a loop, of 1.1% is none', () => {
    expect(check(eased(0.0072)).loops).toBe(true);
    expect(check(eased(0.0088)).loops).toBe(false);
    expect(check(eased(0.0088)).wayGap).toBeCloseTo(0.011, 9);
  });

  test('a tail that ends elsewhere does not count: only what it hangs from', () => {
    const wag = clip(
      track(tail.bones.links[1]!, 'rotation', [0, 1], [axisAngle([1, 0, 0], 0), axisAngle([1, 0, 0], 1)]),
    );
    expect(check(wag).loops).toBe(true);
  });
});

describe('root motion', () => {
  const walk = (bone: number, ...z: number[]): Clip =>
    clip(
      track(
        bone,
        'translation',
        z.map((_, i) => i / (z.length - 1)),
        z.map((v) => (bone === hips ? [0, 1, v] : [0, 0, v])),
      ),
    );

  test.each([
    ['the root', root],
    ['the hips', hips],
  ])('a steady walk carried by %s is a loop that moves on', (_, bone) => {
    const found = check(walk(bone, 0, 0.7, 1.4));
    expect(found.loops).toBe(true);
    expect(found.displacement[2]).toBeCloseTo(1.4, 9);
    expect(found.wayGap).toBeLessThan(1e-9);
  });

  test('an uneven walk still is one', () => {
    expect(check(walk(root, 0, 0.2, 0.5, 1.1, 1.4)).loops).toBe(true);
  });

  test('a jump forward from a stand is a one-shot', () => {
    expect(check(walk(root, 0, 0, 0.7, 1.4, 1.4)).loops).toBe(false);
  });

  test('a step that only starts in motion is a one-shot', () => {
    expect(check(walk(root, 0, 0.7, 1.4, 1.4)).loops).toBe(false);
  });
});

test('a pose without duration is no loop', () => {
  expect(check({ ...turned(0), duration: 0 }).loops).toBe(false);
});
