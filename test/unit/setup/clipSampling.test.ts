/**
 * Sampling against three.js's interpolation, against polynomials a Hermite spline must reproduce, and at the edges.
 */
import { Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import type { Clip, Interpolation, Track, TrackPath } from '../../../src/asset/asset.js';
import { prepareClip, sampleClip } from '../../../src/setup/clipSampling.js';
import { largestDifference, numbers, randomQuat } from './support/assets.js';

function track(
  path: TrackPath,
  interpolation: Interpolation,
  times: number[],
  values: number[],
  bone = 0,
): Track {
  return { bone, path, interpolation, times: Float64Array.from(times), values: Float64Array.from(values) };
}

function clip(...tracks: Track[]): Clip {
  const duration = Math.max(...tracks.map(({ times }) => times.at(-1) ?? 0));
  return { name: 'clip', index: 0, duration, tracks, bakedBones: [] };
}

/** The value of a clip's only track at a time. */
function at(only: Track, time: number): number[] {
  const pose = { t: new Float64Array(3), r: new Float64Array(4), s: new Float64Array(3) };
  sampleClip(prepareClip(clip(only)), time, pose.t, pose.r, pose.s, 0);
  return [...(only.path === 'rotation' ? pose.r : only.path === 'scale' ? pose.s : pose.t)];
}

/** Angle between two rotations in radians, whatever their signs. */
const apart = (a: number[], b: number[]): number => {
  const [qa, qb] = [a, b].map((q) => new Quaternion().fromArray(q)) as [Quaternion, Quaternion];
  const d = qa.invert().multiply(qb);
  return 2 * Math.atan2(Math.hypot(d.x, d.y, d.z), Math.abs(d.w));
};

describe('clip sampling', () => {
  it('holds a step key until the next key', () => {
    const steps = track('translation', 'step', [1, 2, 3], [1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect([0, 1, 1.999, 2, 2.5, 3, 9].map((time) => at(steps, time)[0])).toEqual([1, 1, 1, 2, 2, 3, 3]);
  });

  it('blends linear keys, and clamps before the first and after the last', () => {
    const line = track('translation', 'linear', [1, 2, 4], [0, 10, 0, 10, 20, 0, 30, 0, 2]);
    expect(at(line, 0)).toEqual([0, 10, 0]);
    expect(at(line, 1.25)).toEqual([2.5, 12.5, 0]);
    expect(at(line, 3)).toEqual([20, 10, 1]);
    expect(at(line, 99)).toEqual([30, 0, 2]);
    expect(at(line, NaN)).toEqual([0, 10, 0]);
  });

  it('turns on the shortest path like three.js, whatever the signs of the keys', () => {
    const next = numbers(11);
    for (let round = 0; round < 200; round++) {
      const a = new Quaternion(...randomQuat(next));
      const b = new Quaternion(...randomQuat(next));
      const sign = next() < 0.5 ? -1 : 1;
      const values = [...a.toArray(), ...b.toArray().map((v) => v * sign)];
      const u = next();
      const expected = a.clone().slerp(b, u);
      expect(apart(at(track('rotation', 'linear', [0, 1], values), u), expected.toArray())).toBeLessThan(
        1e-7,
      );
    }
  });

  it('is continuous over keys of opposite hemispheres in a long track', () => {
    const keys = Array.from({ length: 20 }, (_, i) => {
      const half = i * 0.15;
      const sign = i % 3 === 0 ? -1 : 1;
      return [0, Math.sin(half) * sign, 0, Math.cos(half) * sign];
    });
    const turnsOn = track(
      'rotation',
      'linear',
      Array.from(keys, (_, i) => i),
      keys.flat(),
    );
    let before = at(turnsOn, 0);
    for (let time = 0.05; time < 19; time += 0.05) {
      const now = at(turnsOn, time);
      expect(largestDifference(now, before)).toBeLessThan(0.01);
      before = now;
    }
  });

  it('reproduces a cubic polynomial from its values and derivatives, over uneven keys', () => {
    const p = (t: number): number => 0.3 * t * t * t - 2 * t * t + t + 4;
    const dp = (t: number): number => 0.9 * t * t - 4 * t + 1;
    const times = [0, 0.5, 2, 2.1, 5];
    const values = times.flatMap((t) => [dp(t), 0, 0, p(t), 1, 2, dp(t), 0, 0]);
    for (let t = 0; t <= 5; t += 0.01) {
      const sample = at(track('scale', 'cubic', times, values), t);
      expect(sample[0]).toBeCloseTo(p(t), 12);
      expect(sample.slice(1)).toEqual([expect.closeTo(1, 14), expect.closeTo(2, 14)]);
    }
  });

  it('renormalises cubic rotations and turns tangents with their key', () => {
    const key = (half: number, sign: number): number[] => {
      const value = [0, 0, Math.sin(half), Math.cos(half)].map((v) => v * sign);
      const tangent = [0, 0, Math.cos(half), -Math.sin(half)].map((v) => v * sign);
      return [...tangent, ...value, ...tangent];
    };
    const spin = track('rotation', 'cubic', [0, 0.5, 1], [...key(0, 1), ...key(0.5, -1), ...key(1, 1)]);
    for (let t = 0; t <= 1; t += 0.05) {
      const sample = at(spin, t);
      expect(Math.hypot(...sample)).toBeCloseTo(1, 14);
      expect(apart(sample, [0, 0, Math.sin(t), Math.cos(t)])).toBeLessThan(5e-4);
    }
  });

  it('plays clips of one key at any time', () => {
    expect(at(track('translation', 'linear', [2], [1, 2, 3]), 0)).toEqual([1, 2, 3]);
    expect(at(track('rotation', 'linear', [0], [0, 0, 0, 2]), 5)).toEqual([0, 0, 0, 1]);
    expect(at(track('scale', 'cubic', [0], [9, 9, 9, 1, 2, 3, 9, 9, 9]), 5)).toEqual([1, 2, 3]);
    expect(at(track('translation', 'step', [1], [7, 7, 7]), 5)).toEqual([7, 7, 7]);
  });

  it('survives two keys at one time', () => {
    const jump = track('translation', 'linear', [0, 1, 1, 2], [0, 0, 0, 1, 0, 0, 5, 0, 0, 6, 0, 0]);
    expect([0.5, 1, 1.5].map((time) => at(jump, time)[0])).toEqual([0.5, 5, 5.5]);
  });

  it('writes only properties that have a track, at the place of the character', () => {
    const pose = {
      t: new Float64Array(12).fill(7),
      r: new Float64Array(16).fill(7),
      s: new Float64Array(12).fill(7),
    };
    const prepared = prepareClip(clip(track('translation', 'linear', [0, 1], [0, 0, 0, 2, 2, 2], 1)));
    sampleClip(prepared, 0.5, pose.t, pose.r, pose.s, 2);
    expect([...pose.t]).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 1]);
    expect([...pose.r, ...pose.s].every((value) => value === 7)).toBe(true);
  });

  it('gives the same bits in any order of times and leaves the loaded clip as it is', () => {
    const next = numbers(4);
    const keys = Array.from({ length: 30 }, () => randomQuat(next)).flat();
    const loaded = clip(
      track(
        'rotation',
        'linear',
        Array.from({ length: 30 }, (_, i) => i / 10),
        keys,
      ),
    );
    const before = structuredClone(loaded);
    const prepared = prepareClip(loaded);
    const times = Array.from({ length: 100 }, () => 4 * next() - 0.5);
    const sample = (time: number): number[] => {
      const r = new Float64Array(4);
      sampleClip(prepared, time, [], r, [], 0);
      return [...r];
    };
    const forward = times.map(sample);
    const backward = times.toReversed().map(sample).toReversed();
    expect(backward).toEqual(forward);
    expect(loaded).toEqual(before);
  });
});
