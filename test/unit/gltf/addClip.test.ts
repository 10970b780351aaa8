/** A clip added to a file in a patch: nothing else changes, and it reads back as it was (docs/files.md, "Patching"). */
import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/asset/index.js';
import { addClip, loadGltf, openPatch, writePatch } from '../../../src/io/gltf/index.js';
import { addClip as addStoredClip, errorsOf, jsonOf, skinnedTriangle } from '../../support/gltfBuilder.js';

/** A file with a clip Walk. */
function file(): Uint8Array {
  const b = skinnedTriangle();
  addStoredClip(b, 'Walk');
  return b.glb();
}

const times = Float64Array.of(0, 0.5, 1.25);

/** Turns the first two bones and moves one, with every kind of interpolation. */
function wave(name: string): Clip {
  const turn = Float64Array.of(0, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 0, 0, 0, 1);
  return {
    name,
    index: 0,
    duration: 1.25,
    bakedBones: [],
    tracks: [
      { bone: 0, path: 'rotation', interpolation: 'linear', times, values: turn },
      { bone: 1, path: 'rotation', interpolation: 'step', times: times.slice(), values: turn },
      {
        bone: 1,
        path: 'translation',
        interpolation: 'cubic',
        times: Float64Array.of(0, 1),
        values: Float64Array.from({ length: 18 }, (_, i) => i / 4),
      },
    ],
  };
}

async function added(bytes: Uint8Array, clip: Clip): Promise<Uint8Array> {
  const { skeleton } = await loadGltf(bytes);
  const patch = await openPatch(bytes);
  addClip(patch, skeleton, clip);
  return writePatch(patch, 'glb');
}

describe('addClip', () => {
  test('reads back as it was, beside what was there', async () => {
    const before = file();
    const after = await added(before, wave('Wave'));
    const clips = (await loadGltf(after)).clips;
    expect(clips.map(({ name }) => name)).toEqual(['Walk', 'Wave']);
    expect(clips[1]).toEqual({ ...wave('Wave'), index: 1 });
    expect(await errorsOf(after)).toEqual(await errorsOf(before));
    const [old, now] = [jsonOf(before), jsonOf(after)];
    for (const key of Object.keys(old))
      if (key !== 'buffers') expect(now[key].slice?.(0, old[key].length) ?? now[key]).toEqual(old[key]);
  });

  test('tracks with the same times share an accessor', async () => {
    const after = jsonOf(await added(file(), wave('Wave')));
    const inputs = after['animations'][1].samplers.map(({ input }: { input: number }) => input);
    expect(inputs[0]).toBe(inputs[1]);
    expect(new Set(inputs).size).toBe(2);
  });

  test('a node with a matrix gets its parts, as an animated node must', async () => {
    const b = skinnedTriangle();
    b.json['nodes'][0].matrix = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1];
    delete b.json['nodes'][0].translation;
    const { skeleton } = await loadGltf(b.glb());
    const clip = { ...wave('Wave'), tracks: [{ ...wave('').tracks[0]!, bone: skeleton.nodes.indexOf(0) }] };
    const node = jsonOf(await added(b.glb(), clip))['nodes'][0];
    expect(node).toMatchObject({ translation: [1, 2, 3], rotation: [0, 0, 0, 1], scale: [2, 2, 2] });
    expect(node).not.toHaveProperty('matrix');
  });

  const [track] = wave('').tracks;
  test.each<[string, Partial<Clip>, RegExp]>([
    ['a name that is there', { name: 'Walk' }, /clip 'Walk': the file has one of that name already/],
    ['no track', { tracks: [] }, /clip 'Wave': moves no bone/],
    ['a bone that is not there', { tracks: [{ ...track!, bone: 99 }] }, /bone 99: there is no such bone/],
    ['no key', { tracks: [{ ...track!, times: new Float64Array(0) }] }, /a track has no key/],
    ['a time before 0', { tracks: [{ ...track!, times: Float64Array.of(-1, 0, 1) }] }, /a key at -1 s/],
    [
      'times that float32 cannot tell apart',
      { tracks: [{ ...track!, times: Float64Array.of(0, 1, 1 + 1e-12) }] },
      /follows one at 1 s/,
    ],
  ])('%s is refused', async (_, part, message) => {
    await expect(added(file(), { ...wave('Wave'), ...part })).rejects.toThrow(message);
  });
});
