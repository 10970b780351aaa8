/**
 * Files that others made, their tails simulated against the artists' animation: replayed by three, every tick within
 * the error of the simulated pose; one-shots begin at rest; the same bytes twice.
 */
import { describe, expect, test } from 'vitest';
import { type Asset, type ChainDefinition, findChains } from '../../../src/index.js';
import { bakeGltf } from '../../../src/io/bake/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { clipLoop } from '../../../src/measure/clipLoop.js';
import { simulatePass } from '../../../src/measure/clipPass.js';
import { readBytes } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';
import { angleDeg, threePlayer, type ThreePlayer } from './support/threePlayer.js';

const files = [
  'glb-tail/khronos_Fox.glb',
  'glb-tail/quaternius_easy_enemies_Rat.glb',
  'glb-tail/quaternius_animals_Wolf.glb',
  'glb-tail/quaternius_dinosaurs_Velociraptor.glb',
];

describe.skipIf(!shared).each(files)('%s', (file) => {
  const read = (): Uint8Array => readBytes(`${shared}/${file}`);

  test('every clip holds the simulated tail, loops closed, one-shots from rest', async () => {
    const asset = await loadGltf(read(), { name: file });
    const { bytes, report } = await bakeGltf(read(), { name: file, owner: 'solver' });
    const player = await threePlayer(bytes);
    const [chain] = findChains(asset);
    for (const entry of report.clips) {
      if (entry.loop) {
        expect(entry.converged, entry.name).toBe(true);
        expect(entry.seamDeg!, entry.name).toBeLessThanOrEqual(1e-4);
      } else expect([entry.passes, entry.converged, entry.seamDeg]).toEqual([null, null, null]);
      expect(entry.loop, entry.name).toBe(!/Death|Gallop|Jump_ToIdle/.test(entry.name));
      expect(worstDeg(asset, chain!, entry.name, player), entry.name).toBeLessThanOrEqual(0.1 + 1e-3);
    }
  });

  test('baking again, and baking the result, gives the same bytes', async () => {
    const options = { name: file, owner: 'solver' } as const;
    const first = await bakeGltf(read(), options);
    const again = await bakeGltf(read(), options);
    expect(Buffer.compare(first.bytes, again.bytes)).toBe(0);
    const twice = await bakeGltf(first.bytes, options);
    expect(Buffer.compare(first.bytes, twice.bytes)).toBe(0);
    const auto = await bakeGltf(first.bytes, { name: file });
    expect(Buffer.compare(first.bytes, auto.bytes)).toBe(0);
  });

  test('so does physics added to the artist’s motion, in clips that only hold the tail too', async () => {
    const options = { name: file, owner: 'solver', restPose: 'animated' } as const;
    const first = await bakeGltf(read(), options);
    const twice = await bakeGltf(first.bytes, options);
    expect(Buffer.compare(first.bytes, twice.bytes)).toBe(0);
  });
});

/** Largest angle at any tick between what three shows and a simulation of the pass, made anew from the input. */
function worstDeg(asset: Asset, chain: ChainDefinition, name: string, player: ThreePlayer): number {
  const clip = asset.clips.find((c) => c.name === name)!;
  const pass = simulatePass(asset, clip, [{ definition: chain, options: {} }]);
  let worst = 0;
  for (let k = 0; k <= pass.ticks; k++)
    pass.bones.forEach((bone, b) => {
      const shown = player.rotationAt(
        clip.index,
        asset.skeleton.nodes[bone]!,
        (k * clip.duration) / pass.ticks,
      );
      const at = 4 * (k * pass.bones.length + b);
      worst = Math.max(worst, angleDeg(shown, pass.rotations.subarray(at, at + 4)));
    });
  return worst;
}

describe.skipIf(!shared)('compressed and quantised files', () => {
  test.each([
    'derived/Fox_draco.glb',
    'derived/Fox_meshopt.glb',
    'derived/Fox_quantized.glb',
    'derived/Rat_meshopt.glb',
  ])('%s is baked without being decoded: its meshes keep their bytes', async (file) => {
    const input = readBytes(`${shared}/${file}`);
    const { bytes, report } = await bakeGltf(input, { name: file, owner: 'solver' });
    expect(report.clips.every((c) => !c.loop || c.converged)).toBe(true);
    const before = await loadGltf(input, { name: file });
    const after = await loadGltf(bytes, { name: file });
    expect(after.meshes).toEqual(before.meshes);
    expect(after.clips[0]!.bakedBones).toEqual(findChains(before)[0]!.bones);
  });
});

describe.skipIf(!shared)('a death', () => {
  const file = 'glb-tail/quaternius_easy_enemies_Rat.glb';

  test('begins with the tail at rest in the first pose', async () => {
    const asset = await loadGltf(readBytes(`${shared}/${file}`), { name: file });
    const [chain] = findChains(asset);
    const clip = asset.clips.find((c) => c.name.endsWith('Death'))!;
    expect(clipLoop(asset, clip, [chain!], 1 / 120, 'auto').loops).toBe(false);
    const setup = [{ definition: chain!, options: {} }];
    const pass = simulatePass(asset, clip, setup);
    // The clip's first pose held for its whole length: nothing moves away from where the recorded pass begins.
    const held = simulatePass(asset, { ...clip, duration: 0 }, setup);
    const width = 4 * pass.bones.length;
    for (let i = 0; i < width; i++) expect(pass.rotations[i]).toBeCloseTo(held.rotations[i]!, 9);
    expect(pass.ticks).toBe(Math.round(clip.duration * 120));
  });
});
