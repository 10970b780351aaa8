/**
 * The whole way: bytes in, bytes and report out.
 */
import draco3d from 'draco3dgltf';
import { describe, expect, test } from 'vitest';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { applyPlan, planRig, rigGltf } from '../../../src/io/rig/index.js';
import { fingerprint, jsonOf, readBytes, resolveBeside } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';
import { expectNoNewErrors, expectRestUntouched, expectSameAsset } from './support/checks.js';
import { plainGrid } from './support/files.js';

test('a file in which nothing hangs comes back as it came', async () => {
  const before = plainGrid().glb();
  const { bytes, report, plan, asset } = await rigGltf(before, { name: 'grid.glb' });
  expect(bytes).toEqual(before);
  expect(bytes).not.toBe(before);
  expect(report.file).toBe('grid.glb');
  expect(report.pieces.every(({ verdict }) => verdict === 'left')).toBe(true);
  expect([plan.bones.length, plan.influences.length]).toEqual([0, 0]);
  expect(asset.name).toBe('grid.glb');
  expect(new Set(report.warnings.map((warning) => JSON.stringify(warning))).size).toBe(
    report.warnings.length,
  );
});

describe.skipIf(!shared)('a tail without bones', () => {
  const file = `${shared}/derived/rat_tail_ablated.glb`;

  test('gets a chain, and the rest of the file stays', async () => {
    const before = readBytes(file);
    const { bytes, report, asset, plan } = await rigGltf(before, { name: 'rat' });
    const loaded = await loadGltf(before, { name: 'rat' });
    expect(report.pieces.filter(({ verdict }) => verdict === 'chain').length).toBe(1);
    expect(report.pieces).toEqual(plan.pieces.map((piece) => piece.report));
    expect(fingerprint(plan)).toBe(fingerprint(planRig(loaded)));
    expect(fingerprint(asset)).toBe(fingerprint(applyPlan(loaded, plan)));
    await expectSameAsset(loaded, bytes, plan);
    await expectNoNewErrors(before, bytes);
    expectRestUntouched(before, bytes, loaded, plan);
  });

  test('the result needs nothing more: doing it again changes nothing', async () => {
    const { bytes } = await rigGltf(readBytes(file));
    expect((await rigGltf(bytes)).bytes).toEqual(bytes);
  });

  test('a loaded character is not loaded again, and the options of the pass are handed on', async () => {
    const bytes = readBytes(file);
    const asset = await loadGltf(bytes, { name: 'mine' });
    asset.warnings.push({ code: 'mine', message: 'mine', at: 'here' });
    const shares: number[] = [];
    const result = await rigGltf(bytes, { asset, rigid: true, onProgress: (share) => shares.push(share) });
    expect(result.asset.name).toBe('mine');
    expect(result.report.warnings.map(({ code }) => code)).toContain('mine');
    expect(result.plan.bones).toEqual([]);
    expect(shares.length).toBeGreaterThan(0);
  });
});

test.skipIf(!shared)('a .gltf beside its files: resolved, decoded, embedded, or made a .glb', async () => {
  const path = `${shared}/glb-humanoid/khronos_CesiumMan_draco/CesiumMan.gltf`;
  const before = readBytes(path);
  const resolve = resolveBeside(path);
  const used: string[] = [];
  const decoders = {
    draco: async (): Promise<object> => (used.push('draco'), draco3d.createDecoderModule()),
  };
  const same = await rigGltf(before, { resolve, decoders });
  expect(same.bytes).toEqual(before);
  expect(used).toEqual(['draco']);
  const embedded = jsonOf((await rigGltf(before, { resolve, embed: true })).bytes);
  expect(embedded['buffers'][0].uri).toMatch(/^data:/);
  const { bytes } = await rigGltf(before, { resolve, container: 'glb' });
  expect(bytes[0]).toBe(0x67);
  await expect(rigGltf(before)).rejects.toMatchObject({ code: 'invalid-file' });
});
