/**
 * Plans written into files of many exporters: plain, quantised, compressed by Draco and by meshopt, with scaled
 * armatures, several skins, shared accessors and two sets of influences.
 */
import { describe, expect, test } from 'vitest';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { jsonOf, readBytes, resolveBeside } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';
import {
  expectNeutral,
  expectNoNewErrors,
  expectRestUntouched,
  expectSameAsset,
  expectSameNumbers,
  writeInto,
} from './support/checks.js';
import { emptyPlan, planUnder } from './support/plans.js';
import { expectSameSkin } from './support/three.js';

interface RealFile {
  file: string;
  /** Bone that the chain hangs from. */
  under: string;
  /** By how much the joints of the file disagree about the bind pose, relative to its size. */
  noise?: number;
}

const FILES: readonly RealFile[] = [
  { file: 'glb-tail/khronos_Fox.glb', under: 'b_Hip_01' },
  { file: 'derived/Fox_quantized.glb', under: 'b_Hip_01' },
  { file: 'derived/Fox_meshopt.glb', under: 'b_Hip_01' },
  { file: 'derived/Fox_draco.glb', under: 'b_Hip_01' },
  { file: 'derived/Rat_meshopt.glb', under: 'Torso' },
  // An armature scaled by 100 and turned; feet that hang on the armature, not on the body.
  { file: 'glb-tail/quaternius_animals_Horse.glb', under: 'Body', noise: 1e-3 },
  { file: 'glb-humanoid/quaternius_modular_men_Adventurer.glb', under: 'Hips' },
  { file: 'glb-humanoid/kaykit_Rogue_Hooded.glb', under: 'hips' },
  { file: 'derived/seedsan_rebuilt.vrm', under: 'hips' },
  { file: 'vrm/Godette_vrm0.vrm', under: 'pelvis_Armature' },
  { file: 'glb-humanoid/RobotExpressive.glb', under: 'Hips' },
];

describe.skipIf(!shared)('real files', () => {
  test.each(FILES)('$file', async ({ file, under, noise }) => {
    const before = readBytes(`${shared}/${file}`);
    const asset = await loadGltf(before);
    const plan = planUnder(asset, under);
    const after = await writeInto(before, asset, plan);
    const read = await expectSameAsset(asset, after, plan, { draco: file.includes('draco') });
    expectRestUntouched(before, after, asset, plan);
    await expectSameNumbers(before, after, asset, plan);
    await expectNoNewErrors(before, after);
    expectNeutral(asset, read, plan);
    await expectSameSkin(after, asset, plan, noise);
  });

  test.each([
    'gltf-features/assimp_quad_skin.glb',
    'gltf-features/ramses_SimpleSkin-multi-joint-set.gltf',
    'gltf-features/ramses_SimpleSkin-multi-target.gltf',
    'glb-humanoid/khronos_CesiumMan_draco/CesiumMan.gltf',
    'glb-anim/kaykit_manny/manny_med_mod.gltf',
  ])('%s in both containers', async (file) => {
    const path = `${shared}/${file}`;
    const before = readBytes(path);
    const resolve = resolveBeside(path);
    const asset = await loadGltf(before, { resolve });
    const plan = planUnder(asset, asset.skeleton.names[asset.skins[0]!.joints[0]!]!);
    for (const format of ['glb', 'gltf'] as const) {
      const after = await writeInto(before, asset, plan, format, resolve);
      expect(after[0] === 0x67).toBe(format === 'glb');
      const read = await expectSameAsset(asset, after, plan, { resolve, draco: file.includes('draco') });
      if (format === 'gltf' && before[0] !== 0x67) expectRestUntouched(before, after, asset, plan);
      if (format === 'glb' && before[0] === 0x67) expectRestUntouched(before, after, asset, plan);
      await expectNoNewErrors(before, after, resolve);
      expectNeutral(asset, read, plan);
    }
  });

  test('a file compressed by Draco is plain where it changed, and its lists say so', async () => {
    const before = readBytes(`${shared}/derived/Fox_draco.glb`);
    const asset = await loadGltf(before);
    const after = jsonOf(await writeInto(before, asset, planUnder(asset, 'b_Hip_01')));
    expect(jsonOf(before)['extensionsRequired']).toContain('KHR_draco_mesh_compression');
    expect(JSON.stringify(after)).not.toContain('KHR_draco_mesh_compression');
    const [primitive] = after['meshes'][0].primitives;
    const position = after['accessors'][primitive.attributes.POSITION];
    for (let k = 0; k < 3; k++) {
      const values = asset.meshes[0]!.positions.filter((_, i) => i % 3 === k);
      expect([position.min[k], position.max[k]]).toEqual([
        values.reduce((a, b) => Math.min(a, b)),
        values.reduce((a, b) => Math.max(a, b)),
      ]);
    }
    expect(after['bufferViews'][position.bufferView].target).toBe(34962);
    expect(after['bufferViews'][after['accessors'][primitive.indices].bufferView].target).toBe(34963);
  });

  test('a file compressed by Draco whose weights are as the plan wants them comes back as it came', async () => {
    const before = readBytes(`${shared}/derived/Fox_draco.glb`);
    const asset = await loadGltf(before);
    const [mesh] = asset.meshes;
    const at = mesh!.weights.indexOf(1);
    expect(at % 4).toBe(0);
    const rigid = {
      mesh: 0,
      vertices: Uint32Array.of(at / 4),
      influences: 1,
      bones: Int32Array.of(asset.skins[0]!.joints[mesh!.joints[at]!]!),
      weights: Float64Array.of(1),
    };
    expect(await writeInto(before, asset, { ...emptyPlan(), influences: [rigid] })).toEqual(before);
  });
});
