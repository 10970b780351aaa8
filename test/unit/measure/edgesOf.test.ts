/** Edges told apart by the weights of another character: a tail that has no bones yet. */
import { describe, expect, test } from 'vitest';
import { foxGlb, foxWithTailGlb } from '../../../examples/characters/fox.js';
import { type Asset, findChains, FollowthroughError } from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { measureClip } from '../../../src/measure/index.js';
import { percentile, readCharacter, stretchOf, weightOn } from '../characters/skinnedCharacter.js';
import { makeStrip, moveClip } from './support/strip.js';

/** The strip with Tail_1 and Tail_2 called something else, and all of its skin on them as before. */
function withoutTail(armature = 1): Asset {
  const clip = moveClip(4, 'translation', [0, 0, -1 / armature], [0, 0, -1.45 / armature]);
  const { asset } = makeStrip({ armature, clips: [clip] });
  asset.name = 'before';
  asset.skeleton.names = ['Root', 'Armature', 'Hips', 'Shin', 'Foot', 'Toe'];
  return asset;
}

const { asset: strip, tail } = makeStrip({
  clips: [moveClip(4, 'translation', [0, 0, -1], [0, 0, -1.45])],
});
const given = { samples: 2, pose: 'clip', loop: 'off' } as const;

describe('the strip, its tail skin on bones that are no tail', () => {
  test.each([1, 39.5])(
    'is sorted and measured as the strip with a tail, armature scaled by %f',
    (armature) => {
      const own = measureClip(strip, 0, given);
      const asset = withoutTail(armature);
      expect(findChains(asset)).toEqual([]);
      const report = measureClip(asset, 0, { ...given, edgesOf: strip });
      for (const kind of ['tail', 'collar', 'body'] as const)
        for (const key of ['edges', 'samples', 'p95', 'p99', 'max', 'min', 'torn'] as const)
          expect(report[kind][key], `${kind}.${key}`).toBeCloseTo(own[kind][key]!, 9);
      expect(report).toMatchObject({ file: 'before', tipTravel: 0, maxBendDeg: 0, chains: [], warnings: [] });
    },
  );

  test('weights that are another are those of the measured file', () => {
    const asset = withoutTail();
    // All skin on the hips: nothing moves, yet the edges are those of the tail.
    asset.meshes[0]!.joints.fill(2);
    const report = measureClip(asset, 0, { ...given, edgesOf: strip });
    expect(report.tail.edges).toBe(9);
    expect(report.tail.max).toBeCloseTo(1, 12);
  });

  test('chains are given in the numbers of the other character', () => {
    const chains = [{ ...tail, name: 'Tail_2', attachment: 3, bones: [4] }];
    const asset = withoutTail();
    asset.skeleton.names[3] = 'Tail_1';
    const report = measureClip(asset, 0, { ...given, edgesOf: strip, chains });
    // Tail_2 has the last ring alone: the joint's ring is shared half and half.
    expect(report.tail.edges).toBe(1);
  });

  test('itself is the other character: the same figures', () => {
    const own = measureClip(strip, 0, given);
    const report = measureClip(strip, 0, { ...given, edgesOf: strip });
    expect(report).toEqual({ ...own, tipTravel: 0, maxBendDeg: 0, chains: [] });
  });

  test('an attachment that is missing here is taken from above, where its scale is the same', () => {
    const asset = withoutTail(39.5);
    asset.skeleton.names[2] = 'Pelvis';
    const report = measureClip(asset, 0, { ...given, edgesOf: strip });
    // The hips turn up under no name: the armature above carries the scale.
    expect(report.body.max).toBeCloseTo(1, 9);
  });
});

describe('what does not go together', () => {
  const fails = (change: (asset: Asset) => void, options: object, says: RegExp): void => {
    const asset = withoutTail();
    change(asset);
    let error: unknown;
    try {
      measureClip(asset, 0, { ...given, edgesOf: strip, ...options });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(FollowthroughError);
    expect((error as FollowthroughError).code).toBe('invalid-argument');
    expect((error as FollowthroughError).message).toMatch(says);
  };

  test('another pose', () => {
    fails(() => {}, { pose: 'rigid' }, /edgesOf goes with pose clip only, pose is rigid/);
    fails(() => {}, { pose: undefined }, /pose is chain/);
  });

  test('other meshes', () => {
    fails((asset) => asset.meshes.push(asset.meshes[0]!), {}, /has 1 primitives, before has 2/);
    fails(
      (asset) => (asset.meshes[0]!.positions = asset.meshes[0]!.positions.slice(3)),
      {},
      /has 10 vertices in primitive 0 \(strip0\), before has 9/,
    );
    fails(
      (asset) => (asset.meshes[0]!.indices = asset.meshes[0]!.indices.slice(3)),
      {},
      /has 8 triangles in primitive 0 \(strip0\), before has 7/,
    );
  });

  test('a character without a chain is worth a warning, as without edgesOf', () => {
    const report = measureClip(strip, 0, { ...given, edgesOf: withoutTail() });
    expect(report.tail.edges).toBe(0);
    expect(report.warnings).toContainEqual(expect.objectContaining({ code: 'no-chain', at: 'before' }));
  });
});

test('the fox as rigged gives what skinning written out by other means gives', async () => {
  const [bytes, withTail] = [await foxGlb(), await foxWithTailGlb()];
  const report = measureClip(await loadGltf(bytes), 'Walk', {
    pose: 'clip',
    edgesOf: await loadGltf(withTail),
  });
  const [fox, other] = [await readCharacter(bytes), await readCharacter(withTail)];
  const ratios = stretchOf(fox, 'Walk', 24, (v) => weightOn(other, v, 'Tail_') > 0.5);
  expect(report.loop).toBe(true);
  expect(report.tail.samples).toBe(ratios.length);
  expect(report.tail.p99!).toBeCloseTo(percentile(ratios, 0.99), 2);
  expect(report.tail.max!).toBeCloseTo(ratios.at(-1)!, 4);
  const torn = ratios.filter((ratio) => ratio > 1.5 || ratio < 0.67).length / ratios.length;
  expect(report.tail.torn!).toBeCloseTo(torn, 4);
  expect(report.tail.torn!).toBeGreaterThan(0.05);
});
