/**
 * Files of which one primitive changes while another stays compressed by Draco.
 */
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { describe, expect, test } from 'vitest';
import { appendAccessor, loadGltf, openPatch, writePatch } from '../../../src/io/gltf/index.js';
import { jsonOf, type Json } from '../../support/gltfBuilder.js';
import {
  documentIO,
  expectNoNewErrors,
  expectRestUntouched,
  expectSameAsset,
  expectSameNumbers,
  writeInto,
} from './support/checks.js';
import { skinnedGrid, VERTICES } from './support/files.js';
import { planUnder } from './support/plans.js';

/** Two primitives compressed by Draco, with colours of three bytes, which plain data must space out. */
async function dracoPair(sum: number): Promise<Uint8Array> {
  const b = skinnedGrid({ weights: 'f32', joints: 'u8', sets: 1, sum });
  const [first] = b.json['meshes'][0].primitives;
  delete first.targets;
  delete b.json['meshes'][0].weights;
  b.json['meshes'][0].primitives.push(structuredClone(first));
  const { createEncoderModule } = draco3d as unknown as { createEncoderModule: () => Promise<object> };
  const io = await documentIO();
  io.registerDependencies({ 'draco3d.encoder': await createEncoderModule() });
  const document = await io.readBinary(b.glb());
  const [buffer] = document.getRoot().listBuffers();
  const [mesh] = document.getRoot().listMeshes();
  mesh!.listPrimitives().forEach((primitive, p) => {
    for (const semantic of primitive.listSemantics())
      primitive.setAttribute(semantic, primitive.getAttribute(semantic)!.clone());
    primitive.setIndices(primitive.getIndices()!.clone());
    const colors = Uint8Array.from({ length: VERTICES * 3 }, (_, i) => (i * 7 + 10 * p) % 256);
    const accessor = document.createAccessor().setArray(colors).setType('VEC3').setNormalized(true);
    primitive.setAttribute('COLOR_0', accessor.setBuffer(buffer!));
  });
  document.createExtension(KHRDracoMeshCompression).setRequired(true);
  return io.writeBinary(document);
}

/** Changes the second primitive; accessors that the file had must be there as they were, or only have got a view. */
async function changeSecond(
  before: Uint8Array,
): Promise<{ json: Json; count: number; attributes: Record<string, number> }> {
  const asset = await loadGltf(before);
  const plan = planUnder(asset, 'spine', [1]);
  const after = await writeInto(before, asset, plan);
  await expectSameAsset(asset, after, plan, { draco: true });
  await expectSameNumbers(before, after, asset, plan);
  const [old, json] = [jsonOf(before)['accessors'] as Json[], jsonOf(after)];
  old.forEach((accessor, index) => {
    const now = json['accessors'][index];
    if (accessor['bufferView'] !== undefined) expect(now).toEqual(accessor);
  });
  return { json, count: old.length, attributes: json['meshes'][0].primitives[1].attributes };
}

describe('of two primitives compressed by Draco', () => {
  test('the one that stays as it is stays compressed', async () => {
    const before = await dracoPair(1);
    const asset = await loadGltf(before);
    const plan = planUnder(asset, 'spine', [1]);
    const after = await writeInto(before, asset, plan);
    await expectSameAsset(asset, after, plan, { draco: true });
    expectRestUntouched(before, after, asset, plan);
    await expectSameNumbers(before, after, asset, plan);
    await expectNoNewErrors(before, after);
    const json = jsonOf(after);
    const [one, two] = json['meshes'][0].primitives as [Json, Json];
    expect(['extensions' in one, 'extensions' in two]).toEqual([true, false]);
    expect(json['extensionsRequired']).toContain('KHR_draco_mesh_compression');
    const colors = json['accessors'][two['attributes'].COLOR_0];
    expect(json['bufferViews'][colors.bufferView].byteStride).toBe(4);
  });

  test('sums that are not for Draco to blame stay', async () => {
    const before = await dracoPair(0.83);
    const asset = await loadGltf(before);
    const plan = planUnder(asset, 'spine', [1]);
    await expectSameNumbers(before, await writeInto(before, asset, plan), asset, plan);
  });

  test('accessors that both use are left to the other', async () => {
    const patch = await openPatch(await dracoPair(1));
    const [one, two] = (patch.json['meshes'] as Json[])[0]!['primitives'] as [Json, Json];
    Object.assign(one, structuredClone(two));
    const { json, count, attributes } = await changeSecond(writePatch(patch, 'glb'));
    expect(json['accessors'].length).toBeGreaterThan(count);
    expect(Math.min(...Object.values(attributes))).toBeGreaterThanOrEqual(count);
  });

  test('plain data beside the compressed is left alone', async () => {
    const patch = await openPatch(await dracoPair(1));
    const { accessors, meshes } = patch.json as { accessors: Json[]; meshes: Json[] };
    const { POSITION } = meshes[0]!['primitives'][1].attributes;
    const junk = appendAccessor(patch, new Float32Array(VERTICES * 3).fill(0.5), 'VEC3');
    accessors[POSITION]!['bufferView'] = accessors[junk]!['bufferView'];
    const { count, attributes } = await changeSecond(writePatch(patch, 'glb'));
    expect(attributes['POSITION']).toBeGreaterThanOrEqual(count);
    expect(attributes['TEXCOORD_0']).toBeLessThan(count);
  });
});
