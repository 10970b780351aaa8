/**
 * All checks that hold for every written file.
 */
import type { Asset } from '../../../../src/asset/asset.js';
import type { RigPlan } from '../../../../src/rig/plan.js';
import { jsonOf, type Json } from '../../../support/gltfBuilder.js';
import {
  expectNeutral,
  expectNoNewErrors,
  expectRestUntouched,
  expectSameAsset,
  expectSameNumbers,
  writeInto,
} from './checks.js';
import { expectSameSkin } from './three.js';

/** Writes a plan into a GLB, checks the result, and gives its JSON. */
export async function checked(before: Uint8Array, asset: Asset, plan: RigPlan): Promise<Json> {
  const after = await writeInto(before, asset, plan);
  const read = await expectSameAsset(asset, after, plan);
  expectRestUntouched(before, after, asset, plan);
  await expectSameNumbers(before, after, asset, plan);
  await expectNoNewErrors(before, after);
  expectNeutral(asset, read, plan);
  if (plan.bones.length > 0) await expectSameSkin(after, asset, plan);
  return jsonOf(after);
}
