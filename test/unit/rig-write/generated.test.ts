/**
 * Plans written into small files that store joints and weights in every form there is.
 */
import { describe, test } from 'vitest';
import { loadGltf } from '../../../src/io/gltf/index.js';
import {
  expectNeutral,
  expectNoNewErrors,
  expectRestUntouched,
  expectSameAsset,
  expectSameNumbers,
  writeInto,
} from './support/checks.js';
import { skinnedGrid, type Form } from './support/files.js';
import { planUnder } from './support/plans.js';
import { expectSameSkin } from './support/three.js';

const forms: Form[] = (['f32', 'u8', 'u16'] as const).flatMap((weights) =>
  (['u8', 'u16'] as const).flatMap((joints) =>
    ([1, 2] as const).flatMap((sets) =>
      (['packed', 'interleaved', 'sparse'] as const).map((layout) => ({ weights, joints, sets, layout })),
    ),
  ),
);

describe('every form of joints and weights', () => {
  test.each(forms)('$weights weights, $joints joints, $sets sets, $layout', async (form) => {
    const before = skinnedGrid(form).glb();
    const asset = await loadGltf(before);
    const plan = planUnder(asset, 'spine');
    const after = await writeInto(before, asset, plan);
    const read = await expectSameAsset(asset, after, plan);
    expectRestUntouched(before, after, asset, plan);
    await expectSameNumbers(before, after, asset, plan);
    await expectNoNewErrors(before, after);
    expectNeutral(asset, read, plan);
    if (form.sets === 1) await expectSameSkin(after, asset, plan);
  });
});
