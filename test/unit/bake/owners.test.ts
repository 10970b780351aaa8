/** Who moves a tail that the artist animated, and what happens when nobody is left to simulate. */
import { describe, expect, test } from 'vitest';
import { foxWithTailGlb } from '../../../examples/characters/fox.js';
import { type Clip, findChains, FollowthroughError } from '../../../src/index.js';
import { bakeGltf, type BakeOptions } from '../../../src/io/bake/index.js';
import { loadGltf, openPatch, setRotationTracks, writePatch } from '../../../src/io/gltf/index.js';
import { axisAngle } from '../../support/referenceMath.js';
import { angleDeg } from './support/threePlayer.js';

let made: Promise<Uint8Array> | undefined;
const fox = (): Promise<Uint8Array> => (made ??= foxWithTailGlb());

/** Swing of the artist's tail in the Walk clip, radians. */
const swing = 0.25;

/** The fox with a tail that its artist animated in Walk: one bone swings sideways, by default two times a pass. */
async function animatedFox(
  angleAt = (share: number) => swing * Math.sin(4 * Math.PI * share),
): Promise<Uint8Array> {
  const bytes = await fox();
  const asset = await loadGltf(bytes, { validate: false });
  const bone = findChains(asset)[0]!.bones[1]!;
  const walk = asset.clips.find((c) => c.name === 'Walk')!;
  const patch = await openPatch(bytes);
  const times = Float32Array.from({ length: 33 }, (_, k) => (k * walk.duration) / 32);
  const values = Float32Array.from(
    [...times].flatMap((t) => axisAngle([0, 1, 0], angleAt(t / walk.duration))),
  );
  setRotationTracks(patch, walk.index, [{ node: asset.skeleton.nodes[bone]!, times, values }]);
  // Without the mark that a bake leaves they are the artist's keys.
  delete (patch.json['animations'] as { extras?: unknown }[])[walk.index]!.extras;
  return writePatch(patch, 'glb');
}

const bake = (bytes: Uint8Array, options: BakeOptions = {}) => bakeGltf(bytes, { name: 'fox', ...options });

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof FollowthroughError ? error.code : String(error)),
  );
}

describe('auto', () => {
  test('leaves the clip that has an animated tail to the artist and says so; the others are simulated', async () => {
    const bytes = await animatedFox();
    const { bytes: baked, report } = await bake(bytes);
    const walk = report.clips.find((c) => c.name === 'Walk')!;
    expect(walk).toMatchObject({ keys: 0, passes: null, chains: [{ name: 'Tail_1', owner: 'clip' }] });
    expect(report.warnings).toContainEqual(expect.objectContaining({ code: 'clip-owns-chain', at: 'Walk' }));
    expect(report.warnings.find((w) => w.code === 'clip-owns-chain')!.message).toContain('Tail_2');
    expect(report.clips.find((c) => c.name === 'Sprint')!.keys).toBeGreaterThan(0);
    const [before, after] = [await loadGltf(bytes), await loadGltf(baked)].map((asset) =>
      asset.clips.find((c) => c.name === 'Walk')!,
    ) as [Clip, Clip];
    expect(after.tracks).toEqual(before.tracks);
  });

  test('is an error when nothing is left, with the way out in its words', async () => {
    const bytes = await animatedFox();
    await expect(bake(bytes, { clips: ['Walk'] })).rejects.toThrow(
      /clip owns the tail in Walk.*owner solver/,
    );
    expect(await codeOf(bake(bytes, { clips: ['Walk'] }))).toBe('nothing-to-simulate');
  });

  test('counts keys of an earlier bake as its own', async () => {
    const { bytes } = await bake(await fox(), { clips: ['Walk'] });
    const { report } = await bake(bytes, { clips: ['Walk'] });
    expect(report.clips[0]!.chains).toEqual([{ name: 'Tail_1', owner: 'solver' }]);
  });
});

describe('owner clip', () => {
  test('leaves everything, which is an error', async () => {
    expect(await codeOf(bake(await fox(), { owner: 'clip' }))).toBe('nothing-to-simulate');
  });
});

describe('owner solver', () => {
  test('swings about the bind pose as if the artist had done nothing', async () => {
    const options = { clips: ['Walk'], owner: 'solver' } as const;
    const keys = async (bytes: Uint8Array) => {
      const asset = await loadGltf((await bake(bytes, options)).bytes);
      const walk = asset.clips.find((c) => c.name === 'Walk')!;
      return walk.tracks
        .filter((t) => walk.bakedBones.includes(t.bone))
        .map((t) => ({ ...t, values: [...t.values] }));
    };
    const [animated, plain] = [await keys(await animatedFox()), await keys(await fox())];
    const byBone = (list: typeof plain) => list.toSorted((a, b) => a.bone - b.bone);
    expect(byBone(animated)).toEqual(byBone(plain));
  });
});

describe('rest pose animated', () => {
  const options = { clips: ['Walk'], owner: 'solver', restPose: 'animated' } as const;

  test('keeps the artist’s swing under a stiff spring', async () => {
    const stiff = {
      ...options,
      options: { frequency: 60, tipRatio: 1, damping: 1, coupling: 0, air: 0, keepOut: false, gravity: 0 },
    };
    const asset = await loadGltf((await bake(await animatedFox(), stiff)).bytes);
    const walk = asset.clips.find((c) => c.name === 'Walk')!;
    const bone = findChains(asset)[0]!.bones[1]!;
    const { times, values } = walk.tracks.find((t) => t.bone === bone && t.path === 'rotation')!;
    for (let k = 0; k < times.length; k++) {
      const artist = axisAngle([0, 1, 0], swing * Math.sin((4 * Math.PI * times[k]!) / walk.duration));
      expect(angleDeg(values.subarray(4 * k, 4 * k + 4), artist)).toBeLessThan(1.5);
    }
  });

  test('is not added twice: baking the result leaves its bytes and says why', async () => {
    const first = await bake(await animatedFox(), options);
    const twice = await bake(first.bytes, options);
    expect(Buffer.compare(first.bytes, twice.bytes)).toBe(0);
    expect(twice.report.warnings.map((w) => w.code)).toContain('already-baked');
  });

  test('nor is a pose that the artist only holds', async () => {
    const held = await animatedFox(() => swing);
    const first = await bake(held, options);
    expect(first.report.clips[0]!.keys).toBeGreaterThan(0);
    const twice = await bake(first.bytes, options);
    expect(Buffer.compare(first.bytes, twice.bytes)).toBe(0);
  });

  test('then baked about the bind pose, it is as if it had never been', async () => {
    const bind = { clips: ['Walk'], owner: 'solver' } as const;
    const detour = await bake((await bake(await animatedFox(), options)).bytes, bind);
    const direct = await bake(await animatedFox(), bind);
    const rotations = async (bytes: Uint8Array) => {
      const asset = await loadGltf(bytes);
      const walk = asset.clips.find((c) => c.name === 'Walk')!;
      return walk.bakedBones.map((b) => [
        ...walk.tracks.find((t) => t.bone === b && t.path === 'rotation')!.values,
      ]);
    };
    expect(await rotations(detour.bytes)).toEqual(await rotations(direct.bytes));
    // And the mark is gone: another animated bake would find nothing to keep.
    const again = await bake(detour.bytes, options);
    expect(again.report.warnings.map((w) => w.code)).not.toContain('already-baked');
  });
});

describe('arguments', () => {
  test.each<[string, BakeOptions, RegExp, string]>([
    ['an unknown clip', { clips: ['Rum'] }, /no clip Rum; it has Walk/, 'unknown-name'],
    ['an unknown root bone', { roots: ['Schwanz'] }, /Schwanz/, 'unknown-name'],
    ['a tick rate of zero', { tickRate: 0 }, /tickRate is 0/, 'invalid-argument'],
    ['an endless error', { maxErrorDeg: Infinity }, /maxErrorDeg is Infinity/, 'invalid-argument'],
    ['a negative frame rate', { fps: -30 }, /fps is -30/, 'invalid-argument'],
    [
      'more keys than memory',
      { fps: 1e9 },
      /fps is 1000000000, expected at most \d+ for/,
      'invalid-argument',
    ],
    ['an option out of range', { options: { damping: -1 } }, /damping is -1/, 'invalid-argument'],
  ])('%s is refused', async (_, options, message, code) => {
    const work = bake(await fox(), options);
    await expect(work).rejects.toThrow(message);
    expect(await codeOf(bake(await fox(), options))).toBe(code);
  });

  test('a fixed grid writes keys at its frames and reports the error', async () => {
    const { bytes, report } = await bake(await fox(), { clips: ['Sprint'], fps: 10 });
    const asset = await loadGltf(bytes);
    const sprint = asset.clips.find((c) => c.name === 'Sprint')!;
    const track = sprint.tracks.find((t) => t.bone === sprint.bakedBones[0])!;
    expect(track.times.length).toBe(Math.round(sprint.duration * 10) + 1);
    expect(report.clips[0]!.maxErrorDeg).toBeGreaterThan(0.1);
  });

  test('a warm-up that is too short is said to be', async () => {
    const { report } = await bake(await fox(), { clips: ['Walk'], maxWarmup: 1 });
    expect(report.clips[0]!.converged).toBe(false);
    expect(report.clips[0]!.seamDeg!).toBeGreaterThan(1e-4);
    expect(report.warnings.map((w) => w.code)).toContain('loop-not-closed');
  });
});
