/**
 * A BVH file as a character: what position channels mean, which rest pose it has, tips, unit and frames
 * (docs/bvh.md, "Position channels"); on real files three's BVHLoader says where every joint stands.
 */
import { readFileSync } from 'node:fs';
import { Vector3, type Bone } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { describe, expect, test, vi } from 'vitest';
import type { Asset } from '../../../src/asset/index.js';
import { bvhAsset, loadBvh, readBvh } from '../../../src/io/bvh/index.js';
import { composeMat4, multiplyMat4 } from '../../../src/math/index.js';
import { prepareClip, sampleClip } from '../../../src/setup/clipSampling.js';
import { shared, sharedNames } from '../../support/shared.js';
import { walkerBvh } from '../../support/walkerBvh.js';

/** A root at 0 90 0 and a child 0 10 0 above it, with these position values in every frame. */
function twoJoints(
  root: string,
  child: string,
  offsets: readonly [string, string] = ['0 90 0', '0 10 0'],
): string {
  const positions = 'CHANNELS 3 Xposition Yposition Zposition';
  return `HIERARCHY
ROOT a { OFFSET ${offsets[0]} ${positions}
  JOINT b { OFFSET ${offsets[1]} ${positions} End Site { OFFSET 0 5 0 } } }
MOTION Frames: 2 Frame Time: 0.5
${root} ${child} ${root} ${child}`;
}

/** World places of all bones at a time, or in the rest pose. */
function places({ skeleton, clips }: Asset, time?: number): Float64Array {
  const [t, r, s] = [skeleton.translations, skeleton.rotations, skeleton.scales].map((list) =>
    list.slice(),
  ) as [Float64Array, Float64Array, Float64Array];
  if (time !== undefined) sampleClip(prepareClip(clips[0]!), time, t, r, s, 0);
  const worlds = new Float64Array(16 * skeleton.count);
  const out = new Float64Array(3 * skeleton.count);
  for (let bone = 0; bone < skeleton.count; bone++) {
    composeMat4(worlds, 16 * bone, t, 3 * bone, r, 4 * bone, s, 3 * bone);
    const parent = skeleton.parents[bone]!;
    if (parent >= 0) multiplyMat4(worlds, 16 * bone, worlds, 16 * parent, worlds, 16 * bone);
    out.set(worlds.subarray(16 * bone + 12, 16 * bone + 15), 3 * bone);
  }
  return out;
}

const heights = (asset: Asset, time?: number): number[] =>
  [...places(asset, time)].filter((_, i) => i % 3 === 1);

describe('position channels', () => {
  test.each([
    ['replace OFFSET when they are about as large (Bandai Namco, LAFAN)', '0 91 0', '0 10 0', [91, 101, 106]],
    [
      'are added to OFFSET when they are small beside it (as the format was described)',
      '0 1 0',
      '0 0.5 0',
      [91, 101.5, 106.5],
    ],
    ['of each joint by themselves', '0 91 0', '0 0.5 0', [91, 101.5, 106.5]],
  ])('%s', (_, root, child, expected) => {
    expect(heights(loadBvh(twoJoints(root, child)), 0)).toEqual(expected);
  });

  test('mean what the caller says', () => {
    const text = twoJoints('0 91 0', '0 10 0');
    expect(heights(loadBvh(text, { positionChannels: 'add' }), 0)).toEqual([181, 201, 206]);
    expect(heights(loadBvh(twoJoints('0 1 0', '0 0.5 0'), { positionChannels: 'replace' }), 0)).toEqual([
      1, 1.5, 6.5,
    ]);
  });

  test('of a root count by the height: it walks about', () => {
    expect(heights(loadBvh(twoJoints('500 1 -300', '0 10 0')), 0)[0]).toBe(91);
  });

  test('a component without a channel stands at OFFSET', () => {
    const text = `ROOT a { OFFSET 1 2 3 CHANNELS 1 Yposition } MOTION Frames: 1 Frame Time: 1 50`;
    expect([...places(loadBvh(text), 0)]).toEqual([1, 50, 3]);
  });
});

describe('the rest pose', () => {
  test('is that of OFFSET, without rotations', () => {
    const asset = loadBvh(twoJoints('0 91 0', '0 10 0'));
    expect(heights(asset)).toEqual([90, 100, 105]);
    expect(asset.warnings).toEqual([]);
  });

  test.each([
    ['all of them are zero', ['0 0 0', '0 0 0'], '0 10 0', 10],
    ['they are far from the frames', ['0 90 0', '13 0 5'], '13 -0.2 9', -0.2],
  ] as const)('is that of the first frame where %s', (_, offsets, child, y) => {
    const asset = loadBvh(twoJoints('0 91 0', child, offsets));
    expect(asset.skeleton.translations[4]).toBe(y);
    expect(asset.warnings.map(({ code }) => code)).toEqual(['rest-offset']);
  });
});

describe('bones and clip', () => {
  test('tips are bones, but those at their joint', () => {
    const text = `ROOT a { OFFSET 0 0 0 End Site { OFFSET 0 1 0 } End Site Nub { OFFSET 0 2 0 } End Site { OFFSET 0 0 0 }
      JOINT a_End { OFFSET 1 0 0 } }`;
    expect(loadBvh(text).skeleton.names).toEqual(['a', 'a_End#2', 'Nub', 'a_End']);
  });

  test('a key per frame; what stays at its rest place has no track', () => {
    const { clips, skeleton } = loadBvh(walkerBvh(31), { name: 'some/where/walker.bvh' });
    expect(clips).toHaveLength(1);
    expect(clips[0]).toMatchObject({ name: 'walker', duration: 1 });
    const moved = clips[0]!.tracks
      .filter(({ path }) => path === 'translation')
      .map(({ bone }) => skeleton.names[bone]);
    expect(moved).toEqual(['Hips']);
    expect(clips[0]!.tracks.every(({ times }) => times.length === 31)).toBe(true);
  });

  test('one frame is one key, none is no clip', () => {
    expect(loadBvh(walkerBvh(1)).clips[0]).toMatchObject({ duration: 0 });
    expect(loadBvh(walkerBvh(0)).clips).toEqual([]);
  });

  test('the first frame can be left out, but not the only one', () => {
    const times = (frames: number): number =>
      loadBvh(walkerBvh(frames), { dropFirstFrame: true }).clips[0]!.tracks[0]!.times.length;
    expect([times(5), times(1)]).toEqual([4, 1]);
  });
});

describe('the unit', () => {
  test.each([
    ['metres', 1, 1],
    ['centimetres', 100, 0.01],
    ['inches', 1 / 0.0254, 0.0254],
    ['those of Carnegie Mellon', 0.45 / 0.0254, 0.0254 / 0.45],
  ])('is guessed: %s', (_, perMetre, unit) => {
    const text = `ROOT a { OFFSET 0 0 0 CHANNELS 1 Yposition JOINT b { OFFSET 0 ${-0.95 * perMetre} 0 } }
      MOTION Frames: 2 Frame Time: 1 0 1`;
    const { skeleton, clips } = loadBvh(text, { unitScale: 'auto' });
    expect(skeleton.translations[4]).toBeCloseTo(-0.95, 9);
    expect(clips[0]!.tracks[0]!.values[4]).toBeCloseTo(unit, 12);
  });

  test('is 1 where nothing is asked', () => {
    expect(loadBvh('ROOT a { OFFSET 0 1 0 JOINT b { OFFSET 0 95 0 } }').skeleton.translations[4]).toBe(95);
  });

  test.each([0, -1, NaN, Infinity])('%s is refused', (unitScale) => {
    expect(() => loadBvh('ROOT a { OFFSET 0 0 0 }', { unitScale })).toThrow(
      /unitScale: expected a number above 0/,
    );
  });
});

test.each(sharedNames('bvh', '.bvh'))('%s stands where three has it', (name) => {
  const text = readFileSync(`${shared}/bvh/${name}`, 'utf8');
  const quiet = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { skeleton, clip } = new BVHLoader().parse(text);
  quiet.mockRestore();
  const bones = skeleton.bones.filter((bone) => bone.name !== 'ENDSITE');
  // What position channels mean is not three's rule.
  const asset = bvhAsset(readBvh(text), { positionChannels: 'add' });
  const joints = readBvh(text).joints.map((joint) => asset.skeleton.names.indexOf(joint.name));
  const times = asset.clips[0]!.tracks[0]!.times;
  for (const key of [0, clip.tracks[0]!.times.length >> 1]) {
    const mine = places(asset, times[key]!);
    bones.forEach((bone, i) => place(bone, clip.tracks, i, key));
    bones[0]!.updateMatrixWorld(true);
    let farthest = 0;
    let size = 0;
    bones.forEach((bone, i) => {
      const theirs = new Vector3().setFromMatrixPosition(bone.matrixWorld);
      const own = new Vector3().fromArray(mine, 3 * joints[i]!);
      size = Math.max(size, theirs.distanceTo(new Vector3().setFromMatrixPosition(bones[0]!.matrixWorld)));
      farthest = Math.max(farthest, own.distanceTo(theirs));
    });
    expect(farthest).toBeLessThan(1e-4 * size);
  }
});

/** Poses a bone of three as one key of its clip says. */
function place(
  bone: Bone,
  tracks: readonly { name: string; values: ArrayLike<number> }[],
  i: number,
  key: number,
): void {
  const [position, rotation] = [tracks[2 * i]!, tracks[2 * i + 1]!];
  bone.position.fromArray([...Array.prototype.slice.call(position.values, 3 * key, 3 * key + 3)] as number[]);
  bone.quaternion.fromArray([...Array.prototype.slice.call(rotation.values, 4 * key, 4 * key + 4)] as [
    number,
    number,
    number,
    number,
  ]);
}
