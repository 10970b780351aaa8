/** Which bones a clip really moves. */
import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/asset/asset.js';
import { movedBones } from '../../../src/setup/movedBones.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { makeAsset, turn } from './support/assets.js';

const asset = makeAsset([
  { name: 'a', t: [0, 2, 0] },
  { name: 'b', parent: 'a', t: [0, 2, 0] },
  { name: 'c', parent: 'b' },
]);
const neutral = recoverNeutral(asset);

function rotation(bone: number, ...keys: number[][]): Track {
  return {
    bone,
    path: 'rotation',
    interpolation: 'linear',
    times: Float64Array.from(keys, (_, i) => i),
    values: Float64Array.from(keys.flat()),
  };
}

function translation(bone: number, ...heights: number[]): Track {
  return {
    bone,
    path: 'translation',
    interpolation: 'linear',
    times: Float64Array.from(heights, (_, i) => i),
    values: Float64Array.from(heights.flatMap((y) => [0, y, 0])),
  };
}

function moved(tracks: Track[], bakedBones: number[] = []): number[] {
  const clip: Clip = { name: 'clip', index: 0, duration: 1, tracks, bakedBones };
  return movedBones(clip, neutral);
}

describe('bones that a clip moves', () => {
  it('are those that turn by more than 0.01 degrees from the first key', () => {
    const start = turn([1, 2, 3], 60);
    const by = (deg: number): number[] => turn([1, 2, 3], 60 + deg);
    expect(moved([rotation(1, start, by(0.009), start)])).toEqual([]);
    expect(moved([rotation(1, start, by(0.011), start)])).toEqual([1]);
  });

  it('are not those whose keys only change sign, hold one key or stand still off the bind pose', () => {
    const start = turn([1, 0, 0], 40);
    const flipped = start.map((v) => -v);
    expect(moved([rotation(0, start, flipped, start), rotation(1, start)])).toEqual([]);
  });

  it('are those that shift by more than 1e-5 of the length of the bone', () => {
    expect(moved([translation(1, 2, 2.000019)])).toEqual([]);
    expect(moved([translation(1, 2, 2.000021)])).toEqual([1]);
    expect(moved([translation(2, 0, 1e-3)])).toEqual([2]);
  });

  it('are those that scale', () => {
    const scale: Track = { ...translation(0, 1, 1.1), path: 'scale' };
    expect(moved([scale])).toEqual([0]);
  });

  it('include those that only tangents move', () => {
    const [x, y, z, w] = turn([0, 1, 0], 10);
    const cubic: Track = {
      ...rotation(1),
      interpolation: 'cubic',
      times: Float64Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 0, x, y, z, w, 0, 1, 0, 0, 0, 1, 0, 0, x, y, z, w, 0, 0, 0, 0),
    };
    expect(moved([cubic])).toEqual([1]);
  });

  it('leave out rotations this library baked, but not what else moves there', () => {
    const swing = (bone: number): Track => rotation(bone, turn([1, 0, 0], 0), turn([1, 0, 0], 30));
    expect(moved([swing(2), swing(1), swing(0)], [1])).toEqual([0, 2]);
    expect(moved([swing(1), translation(1, 2, 3)], [1])).toEqual([1]);
  });
});
