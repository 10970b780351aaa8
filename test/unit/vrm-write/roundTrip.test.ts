/**
 * Real files: written without a change, with a change, and into a copy that lost its springs.
 */
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadVrm, tuneSprings, writeSprings } from '../../../src/io/vrm/index.js';
import { parseGlb } from '../../../src/io/gltf/container.js';
import { openPatch, writePatch } from '../../../src/io/gltf/index.js';
import { gltfFilesUnder, jsonOf, readBytes, resolveBeside } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';
import { motionOf, rewritten, said, sameBytes, textOf, theirs } from './support.js';

const files =
  shared === undefined ? [] : [...gltfFilesUnder(`${shared}/vrm`), `${shared}/derived/seedsan_rebuilt.vrm`];
const named = files.map((path): [string, string] => [basename(path), path]);
const withSprings = named.filter(([, path]) => jsonOf(readBytes(path))['extensions']?.VRMC_springBone);

describe.skipIf(!shared)('real files', () => {
  test.each(named)('%s as it was read, twice: the very bytes', async (_, path) => {
    const bytes = readBytes(path);
    const resolve = resolveBeside(path);
    const { secondary } = await loadVrm(bytes, { resolve, validate: false });
    const first = await writeSprings(bytes, secondary, { resolve });
    const again = await writeSprings(first.bytes, first.secondary, { resolve });
    expect([again.report.changed, again.report.migrated]).toEqual([false, false]);
    expect(sameBytes(again.bytes, first.bytes)).toBe(true);
    // Only one of them has springs of VRM 0.x.
    expect(first.report.changed).toBe(path.includes('Godette'));
    if (!first.report.changed) {
      expect(sameBytes(first.bytes, bytes)).toBe(true);
      expect(first.secondary).toEqual(secondary);
    }
  });

  test.each(withSprings)('%s into a copy without springs: deeply equal, bit for bit', async (_, path) => {
    const original = readBytes(path);
    const resolve = resolveBeside(path);
    const { secondary } = await loadVrm(original, { resolve, validate: false });
    const patch = await openPatch(original, { resolve });
    delete (patch.json['extensions'] as { VRMC_springBone?: unknown }).VRMC_springBone;
    patch.json['extensionsUsed'] = (patch.json['extensionsUsed'] as string[]).filter(
      (name) => !name.startsWith('VRMC_springBone'),
    );
    const bare = writePatch(patch, patch.container.format);
    const result = await writeSprings(bare, secondary, { resolve });
    const now = await loadVrm(result.bytes, { resolve, validate: false });
    expect(now.secondary).toEqual(secondary);
    expect(result.secondary).toEqual(secondary);
    expect(now.warnings.filter(({ code }) => code.startsWith('vrm-'))).toEqual([]);
    const used = jsonOf(result.bytes)['extensionsUsed'] as string[];
    const isExtended = secondary.colliders.some(({ shape }) => shape.kind === 'plane' || shape.inside);
    expect(used.includes('VRMC_springBone')).toBe(true);
    expect(used.includes('VRMC_springBone_extended_collider')).toBe(isExtended);
    // three-vrm reads what it read before (it wants a version, which some of these files leave out).
    const before = jsonOf(original);
    for (const { extensions } of before['extensions'].VRMC_springBone.colliders ?? [])
      if (extensions) extensions.VRMC_springBone_extended_collider.specVersion = '1.0';
    expect(await theirs(jsonOf(result.bytes))).toEqual(await theirs(before));
  });

  test.each(withSprings)('%s with one value tuned: nothing else changes', async (_, path) => {
    const bytes = readBytes(path);
    const resolve = resolveBeside(path);
    const { secondary } = await loadVrm(bytes, { resolve, validate: false });
    const tuned = tuneSprings(secondary, { spring: 0, stiffness: 0.123 });
    const result = await rewritten(bytes, tuned, { resolve });
    expect(motionOf(result.secondary)).toEqual(motionOf(tuned));
    // The text with that number put back is the text of the file.
    const parts = textOf(result.bytes).split('0.123');
    expect(parts.length - 1).toBe(tuned.springs[0]!.joints.length);
    const was = jsonOf(bytes)['extensions'].VRMC_springBone.springs[0].joints as { stiffness: number }[];
    const text = textOf(bytes);
    let back = parts[0]!;
    for (const [j, part] of parts.slice(1).entries()) {
      const spelling = /^[-+.\deE]+/.exec(text.slice(back.length))![0];
      expect(Number(spelling)).toBe(was[j]!.stiffness);
      back += spelling + part;
    }
    expect(back).toBe(text);
    if (bytes[0] === 0x67) {
      const [now, old] = [parseGlb(result.bytes), parseGlb(bytes)];
      expect(sameBytes(now.bin!, old.bin!) && sameBytes(now.rest, old.rest)).toBe(true);
    }
  });

  test('a .gltf beside its files, and as .glb', async () => {
    const path = `${shared}/vrm/threevrm_springbone/plane-collider.gltf`;
    const bytes = readBytes(path);
    const resolve = resolveBeside(path);
    const tuned = tuneSprings((await loadVrm(bytes, { resolve })).secondary, { dragForce: 0.25 });
    const glb = await writeSprings(bytes, tuned, { resolve, container: 'glb' });
    expect(glb.bytes[0]).toBe(0x67);
    expect(await said(glb.bytes)).toEqual(tuned);
  });
});
