/**
 * Skins that get more joints: which of them do, with and without matrices of their own, and their roots.
 */
import { describe, expect, test } from 'vitest';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { applyPlan } from '../../../src/rig/applyPlan.js';
import { errorsOf, jsonOf, type Json } from '../../support/gltfBuilder.js';
import { checked } from './support/checkAll.js';
import {
  expectNeutral,
  expectNoNewErrors,
  expectRestUntouched,
  expectSameAsset,
  writeInto,
} from './support/checks.js';
import { plainGrid, VERTICES } from './support/files.js';
import { influencesOn, planUnder } from './support/plans.js';

describe('skins', () => {
  test('only skins of changed meshes grow, though they share matrices', async () => {
    const b = plainGrid();
    b.json['skins'].push({ ...b.json['skins'][0], name: 'other' });
    b.json['meshes'].push(structuredClone(b.json['meshes'][0]));
    b.json['nodes'].push({ name: 'twin', mesh: 1, skin: 1 });
    b.json['scenes'][0].nodes.push(7);
    const before = b.glb();
    const asset = await loadGltf(before);
    const after = await checked(before, asset, planUnder(asset, 'spine', [0]));
    expect(after['skins'].map((skin: Json) => skin['joints'].length)).toEqual([9, 5]);
    const both = await checked(before, asset, planUnder(asset, 'spine'));
    expect(both['skins'].map((skin: Json) => skin['joints'].length)).toEqual([9, 9]);
  });

  test('a second chain goes only where its weights are', async () => {
    const b = plainGrid();
    b.json['skins'].push({ ...b.json['skins'][0] });
    b.json['meshes'].push(structuredClone(b.json['meshes'][0]));
    b.json['nodes'].push({ name: 'twin', mesh: 1, skin: 1 });
    b.json['scenes'][0].nodes.push(7);
    const before = b.glb();
    const asset = await loadGltf(before);
    const [one, two] = [planUnder(asset, 'spine', [0]), planUnder(asset, 'arm', [])];
    const second = asset.skeleton.count + one.bones.length;
    two.bones.forEach((bone, i) => {
      bone.name = `B_${i}`;
      if (i > 0) bone.parent = second + i - 1;
    });
    const arm = asset.skeleton.names.indexOf('arm');
    const plan = {
      ...one,
      bones: [...one.bones, ...two.bones],
      influences: [...one.influences, influencesOn(asset, 1, arm, second)],
    };
    const after = await writeInto(before, asset, plan);
    const read = await expectSameAsset(asset, after, plan);
    expectNeutral(asset, read, plan);
    expectRestUntouched(before, after, asset, plan);
    expect(jsonOf(after)['skins'].map((skin: Json) => skin['joints'].slice(5))).toEqual([
      [8, 9, 10, 11],
      [12, 13, 14, 15],
    ]);
  });

  test('without matrices: identities for the old joints, where they are true', async () => {
    const b = plainGrid();
    delete b.json['skins'][0].inverseBindMatrices;
    for (const node of b.json['nodes'].slice(2, 6)) {
      node.translation = [0, 0, 0];
      delete node.rotation;
    }
    const before = b.glb();
    const asset = await loadGltf(before);
    const after = await writeInto(before, asset, planUnder(asset, 'spine'));
    await expectSameAsset(asset, after, planUnder(asset, 'spine'));
    await expectNoNewErrors(before, after);
    const { skins, accessors } = jsonOf(after);
    expect(accessors[skins[0].inverseBindMatrices].count).toBe(9);
  });

  test('without matrices, where identities would move the old joints: refused', async () => {
    const b = plainGrid();
    delete b.json['skins'][0].inverseBindMatrices;
    const before = b.glb();
    const asset = await loadGltf(before);
    expect(() => applyPlan(asset, planUnder(asset, 'spine'))).toThrow('all inverse bind matrices are equal');
    await expect(writeInto(before, asset, planUnder(asset, 'spine'))).rejects.toMatchObject({
      code: 'unsupported-file',
    });
  });

  test('a root that is not above the new joints moves up', async () => {
    const b = plainGrid();
    b.json['skins'][0] = { ...b.json['skins'][0], joints: [2, 3], skeleton: 2 };
    const joints = b.json['meshes'][0].primitives[0].attributes.JOINTS_0;
    b.json['meshes'][0].primitives[0].attributes.JOINTS_0 = b.accessor(
      Uint8Array.from({ length: VERTICES * 4 }, (_, i) => (i >> 3) & 1),
      'VEC4',
      { min: undefined, max: undefined },
    );
    expect(joints).toBeDefined();
    const before = b.glb();
    const asset = await loadGltf(before);
    for (const [bone, root] of [
      ['arm', 1],
      ['head', 2],
    ] as const) {
      const after = await writeInto(before, asset, planUnder(asset, bone));
      expect(jsonOf(after)['skins'][0].skeleton).toBe(root);
      await expectNoNewErrors(before, after);
      expect((await errorsOf(after)).filter((error) => error.startsWith('SKIN'))).toEqual([]);
    }
  });

  test('new joints in another tree are refused', async () => {
    const b = plainGrid();
    b.json['nodes'][4].children = [5];
    b.json['scenes'][0].nodes.push(6);
    const before = b.glb();
    const asset = await loadGltf(before);
    await expect(writeInto(before, asset, planUnder(asset, 'helper'))).rejects.toMatchObject({
      code: 'unsupported-file',
      message: expect.stringContaining('one tree'),
    });
  });
});
