/**
 * What a bake writes: rotation channels set in a patch, and the mark that says they were baked.
 */
import { describe, expect, test } from 'vitest';
import { parseGlb, writeGlb } from '../../../src/io/gltf/container.js';
import { loadGltf, openPatch, setRotationTracks, writePatch } from '../../../src/io/gltf/index.js';
import type { RotationTrack } from '../../../src/io/gltf/index.js';
import { addClip, errorsOf, jsonOf, skinnedTriangle, swing, type Json } from '../../support/gltfBuilder.js';

const ODD_SPELLING = '"10":1.0,"9" : 2e0';

/** A file with everything that must survive. */
function curious(): Uint8Array {
  const b = skinnedTriangle();
  addClip(b, 'Walk');
  addClip(b);
  const target = b.accessor(new Float32Array(9), 'VEC3');
  Object.assign(b.json, {
    extensionsUsed: ['FOO_bar', 'VRM'],
    extensions: { FOO_bar: { '10': 1, '9': 2, deep: [{ node: 2 }] }, VRM: { specVersion: '0.0' } },
    extras: { note: 'é "quoted"', big: 12345678901234, list: [] },
    scenes: [...b.json['scenes'], { name: 'second', nodes: [0, 1], extras: 7 }],
    cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }],
  });
  b.json['meshes'][0].primitives[0].targets = [{ POSITION: target }];
  b.json['meshes'][0].extras = { targetNames: ['smile'] };
  b.json['nodes'][2].extensions = { FOO_bar: {} };
  b.json['animations'][0].extras = { loop: true };
  b.json['animations'][0].extensions = { FOO_bar: { clip: 1 } };
  const { text, bin } = parseGlb(b.glb());
  const odd = new TextDecoder().decode(text).replace('"9":2,"10":1', ODD_SPELLING);
  return writeGlb(new TextEncoder().encode(odd), bin);
}

describe('setting rotation tracks', () => {
  test('changes the one animation and nothing else', async () => {
    const before = curious();
    const patch = await openPatch(before);
    expect(setRotationTracks(patch, 0, [swing(2)])).toEqual({ unchanged: 0, overwritten: 0, appended: 2 });
    const after = writePatch(patch, 'glb');
    expect(await errorsOf(after)).toEqual(await errorsOf(before));
    const [old, now] = [jsonOf(before), jsonOf(after)];
    for (const key of Object.keys(old)) {
      if (['accessors', 'bufferViews'].includes(key))
        expect(now[key].slice(0, old[key].length)).toEqual(old[key]);
      else if (key !== 'animations' && key !== 'buffers') expect(now[key]).toEqual(old[key]);
    }
    expect(Object.keys(now)).toEqual(Object.keys(old));
    expect(now['animations'][1]).toEqual(old['animations'][1]);
    const { channels, samplers, extras, ...rest } = now['animations'][0];
    expect(rest).toEqual({ name: 'Walk', extensions: { FOO_bar: { clip: 1 } } });
    expect(channels).toEqual([
      ...old['animations'][0].channels,
      { sampler: 1, target: { node: 2, path: 'rotation' } },
    ]);
    expect(samplers.length).toBe(2);
    expect(extras).toEqual({
      loop: true,
      followthrough: { baked: { nodes: [2], hash: extras.followthrough.baked.hash } },
    });
    // The text itself: members that look like numbers keep their order, numbers their spelling.
    expect(new TextDecoder().decode(parseGlb(after).text)).toContain(ODD_SPELLING);
    expect(parseGlb(after).bin!.subarray(0, parseGlb(before).bin!.length)).toEqual(parseGlb(before).bin);
  });

  test('loading says which bones were baked, as long as their keys are untouched', async () => {
    const patch = await openPatch(curious());
    setRotationTracks(patch, 0, [swing(2)]);
    const baked = writePatch(patch, 'glb');
    const { clips } = await loadGltf(baked);
    expect(clips.map(({ bakedBones }) => bakedBones)).toEqual([[2], []]);
    expect(clips[0]!.tracks[1]!.values).toEqual(Float64Array.from(swing(2).values));
    const edited = baked.slice();
    edited[edited.length - 5]! ^= 1;
    expect((await loadGltf(edited, { validate: false })).clips[0]!.bakedBones).toEqual([]);
    const stepped = await openPatch(baked);
    (stepped.json as Json)['animations'][0].samplers[1].interpolation = 'STEP';
    expect((await loadGltf(writePatch(stepped, 'glb'))).clips[0]!.bakedBones).toEqual([]);
  });

  test('the same keys again leave the file as it is, in both containers', async () => {
    for (const format of ['glb', 'gltf'] as const) {
      const first = await openPatch(curious());
      setRotationTracks(first, 0, [swing(2), swing(1)]);
      const once = writePatch(first, format);
      const second = await openPatch(once);
      expect(setRotationTracks(second, 0, [swing(2), swing(1)])).toEqual({
        unchanged: 2,
        overwritten: 0,
        appended: 0,
      });
      expect(writePatch(second, format)).toEqual(once);
    }
  });

  test('baking anew re-uses the accessors of the last bake, and ends where a first bake would', async () => {
    for (const format of ['glb', 'gltf'] as const) {
      const first = await openPatch(curious());
      setRotationTracks(first, 0, [swing(2)]);
      const once = writePatch(first, format);
      const second = await openPatch(once);
      expect(setRotationTracks(second, 0, [swing(2, 4, 1)])).toEqual({
        unchanged: 0,
        overwritten: 1,
        appended: 0,
      });
      const twice = writePatch(second, format);
      const fresh = await openPatch(curious());
      setRotationTracks(fresh, 0, [swing(2, 4, 1)]);
      expect(twice).toEqual(writePatch(fresh, format));
      const third = await openPatch(twice);
      expect(setRotationTracks(third, 0, [swing(2, 3)])).toEqual({
        unchanged: 0,
        overwritten: 2,
        appended: 0,
      });
      const shorter = writePatch(third, format);
      expect(await errorsOf(shorter)).toEqual([]);
      expect((await loadGltf(shorter)).clips[0]!.tracks[1]!.values.length).toBe(12);
      const fourth = await openPatch(shorter);
      expect(setRotationTracks(fourth, 0, [swing(2)])).toEqual({ unchanged: 0, overwritten: 2, appended: 0 });
      expect(writePatch(fourth, format)).toEqual(once);
      const fifth = await openPatch(once);
      expect(setRotationTracks(fifth, 0, [swing(2, 9)])).toEqual({
        unchanged: 0,
        overwritten: 0,
        appended: 2,
      });
      const longer = await loadGltf(writePatch(fifth, format));
      expect(longer.clips[0]!.bakedBones).toEqual([2]);
      expect(longer.clips[0]!.tracks[1]!.values).toEqual(Float64Array.from(swing(2, 9).values));
    }
  });

  test("an artist's keys, shared samplers and shared accessors are never overwritten", async () => {
    const b = skinnedTriangle();
    const { input, output } = addClip(b, 'Walk');
    b.json['animations'][0].channels.push({ sampler: 0, target: { node: 2, path: 'rotation' } });
    b.json['animations'].push({ ...structuredClone(b.json['animations'][0]), name: 'Run' });
    const before = await loadGltf(b.glb());
    const patch = await openPatch(b.glb());
    const result = setRotationTracks(patch, 0, [swing(2, 3)]);
    expect(result).toEqual({ unchanged: 0, overwritten: 0, appended: 2 });
    const out = writePatch(patch, 'glb');
    const json = jsonOf(out);
    expect(json['animations'][0].samplers[0]).toEqual({ input, output });
    expect(json['animations'][0].channels.map((c: Json) => c['sampler'])).toEqual([0, 1]);
    expect(parseGlb(out).bin!.subarray(0, b.bin().length)).toEqual(b.bin());
    const after = await loadGltf(out);
    expect(after.clips[0]!.tracks[0]).toEqual(before.clips[0]!.tracks[0]);
    expect(after.clips[1]).toEqual(before.clips[1]);
    // Baked keys that somebody else has come to use are no longer ours alone.
    const borrowed = await openPatch(out);
    (borrowed.json as Json)['animations'][1].samplers[0].output = json['animations'][0].samplers[1].output;
    expect(setRotationTracks(borrowed, 0, [swing(2, 3, 1)])).toMatchObject({ overwritten: 0, appended: 1 });
  });

  test('tracks with equal times share them, other bones of an earlier bake stay baked', async () => {
    const patch = await openPatch(curious());
    expect(setRotationTracks(patch, 1, [swing(1), swing(2)])).toEqual({
      unchanged: 0,
      overwritten: 0,
      appended: 3,
    });
    const second = await openPatch(writePatch(patch, 'glb'));
    setRotationTracks(second, 1, [swing(2, 4, 2)]);
    const { clips } = await loadGltf(writePatch(second, 'glb'));
    expect(clips[1]!.bakedBones).toEqual([1, 2]);
  });

  test('a cubic or stepped channel becomes linear, a matrix node gets parts', async () => {
    const b = skinnedTriangle();
    addClip(b, 'Walk');
    b.json['animations'][0].samplers[0].interpolation = 'STEP';
    b.json['nodes'][2] = { name: 'Tail_1', matrix: [-2, 0, 0, 0, 0, 3, 0, 0, 0, 0, -4, 0, 5, 6, 7, 1] };
    const before = await loadGltf(b.glb());
    const patch = await openPatch(b.glb());
    setRotationTracks(patch, 0, [swing(1), swing(2)]);
    const out = writePatch(patch, 'glb');
    expect(await errorsOf(out)).toEqual([]);
    const after = await loadGltf(out);
    expect(after.skeleton).toEqual(before.skeleton);
    expect(after.clips[0]!.tracks.map(({ bone, interpolation }) => [bone, interpolation])).toEqual([
      [1, 'linear'],
      [2, 'linear'],
    ]);
  });

  test('extras that are no object stay, then there is no mark', async () => {
    const b = skinnedTriangle();
    addClip(b, 'Walk');
    b.json['animations'][0].extras = 'by hand';
    const patch = await openPatch(b.glb());
    setRotationTracks(patch, 0, [swing(2)]);
    const out = writePatch(patch, 'glb');
    expect(jsonOf(out)['animations'][0].extras).toBe('by hand');
    expect((await loadGltf(out)).clips[0]!.bakedBones).toEqual([]);
  });

  test('wrong arguments are refused', async () => {
    const patch = await openPatch(curious());
    const bad: [number, RotationTrack][] = [
      [9, swing(2)],
      [0, swing(9)],
      [0, swing(-1)],
      [0, { ...swing(2), times: new Float32Array(0), values: new Float32Array(0) }],
      [0, { ...swing(2), times: new Float32Array([0, 1, 1, 2]) }],
      [0, { ...swing(2), times: new Float32Array([-1, 1, 2, 3]) }],
      [0, { ...swing(2), values: new Float32Array(4) }],
      [0, { ...swing(2), values: new Float32Array(16).fill(NaN) }],
    ];
    for (const [animation, track] of bad)
      expect(() => setRotationTracks(patch, animation, [track])).toThrow(
        expect.objectContaining({ code: 'invalid-argument' }),
      );
    expect(writePatch(patch, 'glb')).toEqual(curious());
  });
});
