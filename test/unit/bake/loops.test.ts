/**
 * The project's own characters baked, replayed by three and compared with the library's own clip player: every tick
 * within the error, seams closed, nothing else in the file touched, the same bytes again and again.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { foxWithTailGlb } from '../../../examples/characters/fox.js';
import { mouseGlb } from '../../../examples/characters/mouse.js';
import { type Asset, findChains } from '../../../src/index.js';
import { bakeGltf, type BakeResult } from '../../../src/io/bake/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { measureClip } from '../../../src/measure/index.js';
import { simulatedLoop } from './support/simulated.js';
import { angleDeg, threePlayer, type ThreePlayer } from './support/threePlayer.js';

const clipNames = ['Walk', 'Sprint', 'Crouch', 'BackFlip'];

describe.each([
  ['fox', foxWithTailGlb],
  ['mouse', mouseGlb],
])('the %s', (name, make) => {
  let bytes: Uint8Array;
  let before: Asset;
  let baked: BakeResult;
  let after: Asset;
  let player: ThreePlayer;

  beforeAll(async () => {
    bytes = await make();
    before = await loadGltf(bytes, { name });
    baked = await bakeGltf(bytes, { name });
    after = await loadGltf(baked.bytes, { name });
    player = await threePlayer(baked.bytes);
  }, 60_000);

  test.each(clipNames)('%s is a loop whose seam closes', (clip) => {
    const report = baked.report.clips.find((c) => c.name === clip)!;
    expect(report.loop).toBe(true);
    expect(report.converged).toBe(true);
    expect(report.seamDeg!).toBeLessThanOrEqual(1e-4);
    expect(report.seamVelocityDeg!).toBeLessThanOrEqual(1e-2);
    expect(report.maxErrorDeg).toBeLessThanOrEqual(0.1);
    expect(report.keys + report.droppedKeys).toBe((report.ticks + 1) * findChains(before)[0]!.bones.length);
  });

  test.each(clipNames)('%s, replayed by three, is the simulated pose at every tick', (clip) => {
    const index = before.clips.findIndex((c) => c.name === clip);
    const { duration } = before.clips[index]!;
    const chain = findChains(before)[0]!;
    const pass = simulatedLoop(before, index, chain, baked.report.clips[index]!.passes! + 1);
    let worst = 0;
    for (let k = 0; k <= pass.ticks; k++)
      for (const bone of chain.bones) {
        const shown = player.rotationAt(index, before.skeleton.nodes[bone]!, (k * duration) / pass.ticks);
        worst = Math.max(worst, angleDeg(shown, pass.rotation(k, bone)));
      }
    expect(worst).toBeLessThanOrEqual(0.1 + 1e-3);
    expect(worst).toBeGreaterThan(0);
  });

  test('the first and the last key of every baked track are the same rotation', () => {
    for (const clip of after.clips)
      for (const track of clip.tracks.filter((t) => clip.bakedBones.includes(t.bone)))
        expect(angleDeg(track.values.subarray(0, 4), track.values.subarray(-4))).toBeLessThan(1e-5);
  });

  test('measured as animated, the result stretches as the simulation does', () => {
    const simulated = measureClip(before, 'Walk', { pose: 'chain' });
    const shown = measureClip(after, 'Walk', { pose: 'clip' });
    expect(shown.tail.p99!).toBeCloseTo(simulated.tail.p99!, 2);
    expect(Math.abs(shown.tipTravel - simulated.tipTravel)).toBeLessThan(0.01);
    expect(shown.body).toEqual(simulated.body);
  });

  test('only rotations of chain bones are new', () => {
    const chain = findChains(before)[0]!;
    before.clips.forEach((clip, index) => {
      const tracks = after.clips[index]!.tracks;
      const added = tracks.filter((t) => chain.bones.includes(t.bone));
      expect(added.every((t) => t.path === 'rotation')).toBe(true);
      expect(added.length).toBe(chain.bones.length);
      expect(tracks.filter((t) => !chain.bones.includes(t.bone))).toEqual(clip.tracks);
      expect(after.clips[index]!.name).toBe(clip.name);
      expect(after.clips[index]!.duration).toBe(clip.duration);
    });
    expect(after.meshes).toEqual(before.meshes);
    expect(after.skeleton).toEqual(before.skeleton);
  });

  test('baking again, and baking the result, gives the same bytes', async () => {
    const again = await bakeGltf(bytes, { name });
    expect(Buffer.compare(again.bytes, baked.bytes)).toBe(0);
    const twice = await bakeGltf(baked.bytes, { name });
    expect(Buffer.compare(twice.bytes, baked.bytes)).toBe(0);
  });

  test('a result that was baked with other options is baked anew, not upon itself', async () => {
    const options = { name, clips: ['Walk'], options: { frequency: 1.4 } };
    const direct = await loadGltf((await bakeGltf(bytes, options)).bytes);
    const detour = await loadGltf((await bakeGltf(baked.bytes, options)).bytes);
    const walk = (asset: Asset) => asset.clips.find((c) => c.name === 'Walk')!;
    const keys = (asset: Asset) =>
      walk(asset)
        .tracks.filter((t) => walk(asset).bakedBones.includes(t.bone))
        .map((t) => [t.bone, [...t.values]]);
    expect(keys(detour)).toEqual(keys(direct));
  });
});
