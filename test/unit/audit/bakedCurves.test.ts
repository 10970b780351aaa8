/**
 * The written curve itself: float32 keys interpolated in float64 as the glTF specification says, against a simulation
 * that plays the clip in real ticks from a cold start. The bound is that of `--max-error`, without any allowance.
 */
import { describe, expect, test } from 'vitest';
import { foxWithTailGlb } from '../../../examples/characters/fox.js';
import { mouseGlb } from '../../../examples/characters/mouse.js';
import type { Asset, Track } from '../../../src/index.js';
import { findChains } from '../../../src/index.js';
import { bakeGltf } from '../../../src/io/bake/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { clipLoop } from '../../../src/measure/clipLoop.js';
import { readBytes } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';
import { simulatedLoop } from '../bake/support/simulated.js';
import { angleDeg } from '../bake/support/threePlayer.js';

/** Spherical interpolation between the keys around a time; clamped at both ends. */
function sampled(track: Track, time: number): number[] {
  const { times, values } = track;
  const key = (k: number): number[] => [...values.subarray(4 * k, 4 * k + 4)];
  let k = 0;
  while (k + 1 < times.length && times[k + 1]! <= time) k++;
  if (k + 1 >= times.length || time <= times[0]!) return key(k);
  const [a, b] = [key(k), key(k + 1)];
  const t = (time - times[k]!) / (times[k + 1]! - times[k]!);
  const dot = a.reduce((sum, x, c) => sum + x * b[c]!, 0);
  const near = dot < 0 ? b.map((x) => -x) : b;
  const apart = Math.hypot(...a.map((x, c) => x - near[c]!));
  const half = Math.asin(Math.min(1, apart / 2));
  const share = (s: number): number => (half < 1e-9 ? s : Math.sin(2 * half * s) / Math.sin(2 * half));
  return a.map((x, c) => share(1 - t) * x + share(t) * near[c]!);
}

/** Largest angle between the written curve of a clip and the simulation, over all ticks and bones. */
function worstDeg(before: Asset, after: Asset, index: number, passes: number): number {
  const chain = findChains(before)[0]!;
  const pass = simulatedLoop(before, index, chain, passes);
  const { duration, tracks } = after.clips[index]!;
  let worst = 0;
  for (const bone of chain.bones) {
    const track = tracks.find((t) => t.bone === bone && t.path === 'rotation')!;
    for (let k = 0; k <= pass.ticks; k++)
      worst = Math.max(worst, angleDeg(sampled(track, (k * duration) / pass.ticks), pass.rotation(k, bone)));
  }
  return worst;
}

describe.each([
  ['fox', foxWithTailGlb],
  ['mouse', mouseGlb],
])('the %s, baked', (name, make) => {
  test('every loop lies within 0.1 degree of the simulated pose at every tick', async () => {
    const bytes = await make();
    const { bytes: baked, report } = await bakeGltf(bytes, { name });
    const [before, after] = [await loadGltf(bytes), await loadGltf(baked)];
    for (const [index, clip] of report.clips.entries()) {
      const worst = worstDeg(before, after, index, clip.passes! + 1);
      console.log(
        `${name} ${clip.name}: ${worst.toFixed(5)} degrees, reported ${clip.maxErrorDeg.toFixed(5)}`,
      );
      expect(worst, clip.name).toBeLessThanOrEqual(0.1);
      expect(Math.abs(worst - clip.maxErrorDeg), clip.name).toBeLessThan(2e-4);
    }
  });
});

describe
  .skipIf(!shared)
  .each([
    'khronos_Fox.glb',
    'quaternius_easy_enemies_Rat.glb',
    'quaternius_animals_Wolf.glb',
    'quaternius_dinosaurs_Velociraptor.glb',
  ])('%s, baked by the solver', (file) => {
  test('only rotations of chain bones differ, and every closed loop is within 0.1 degree', async () => {
    const bytes = readBytes(`${shared}/glb-tail/${file}`);
    const { bytes: baked, report } = await bakeGltf(bytes, { name: file, owner: 'solver' });
    const [before, after] = [await loadGltf(bytes), await loadGltf(baked)];
    const chain = findChains(before)[0]!;
    expect(after.skeleton).toEqual(before.skeleton);
    expect(after.meshes).toEqual(before.meshes);
    let worst = 0;
    for (const [index, clip] of before.clips.entries()) {
      const written = (asset: Asset): Track[] =>
        asset.clips[index]!.tracks.filter((t) => t.path !== 'rotation' || !chain.bones.includes(t.bone));
      expect(written(after), clip.name).toEqual(written(before));
      expect(after.clips[index]!.duration).toBe(clip.duration);
      const { loop, passes } = report.clips[index]!;
      // A clip whose last pose is not its first one jumps where it wraps: playing it shows the first pose at that
      // tick, the recorded pass the last.
      const { turnGapDeg, wayGap } = clipLoop(before, clip, [chain], 1 / 120, 'auto');
      const closed = turnGapDeg < 1e-6 && wayGap < 1e-6;
      if (loop && closed) worst = Math.max(worst, worstDeg(before, after, index, passes! + 1));
    }
    console.log(`${file}: closed loops within ${worst.toFixed(5)} degrees`);
    expect(worst).toBeLessThanOrEqual(0.1);
  });
});
