/**
 * Patches: an untouched file comes back byte for byte, a changed one keeps all it had.
 */
import { NodeIO } from '@gltf-transform/core';
import { describe, expect, test } from 'vitest';
import { parseGlb, writeGlb } from '../../../src/io/gltf/container.js';
import {
  appendAccessor,
  loadGltf,
  openPatch,
  setRotationTracks,
  writePatch,
} from '../../../src/io/gltf/index.js';
import {
  addClip,
  buildGltf,
  fingerprint,
  gltfFilesUnder,
  readBytes,
  resolveBeside,
  skinnedTriangle,
  errorsOf,
  jsonOf,
  swing,
  type Json,
} from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';

describe('an untouched patch', () => {
  test('gives back odd padding, chunks behind the binary one, and trailing bytes', async () => {
    const text = new TextEncoder().encode('{ "asset" : {"version":"2.0"},\n"extras":1.0 }     ');
    const odd = new Uint8Array([8, 0, 0, 0, 0x58, 0x59, 0x5a, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const glb = writeGlb(text, new Uint8Array(8), odd);
    const file = new Uint8Array(glb.length + 3);
    file.set(glb);
    expect(writePatch(await openPatch(file), 'glb')).toEqual(file);
    const gltf = skinnedTriangle().gltf();
    expect(writePatch(await openPatch(gltf), 'gltf')).toEqual(gltf);
  });

  test('is refused when the file is no glTF', async () => {
    await expect(openPatch(new Uint8Array(0))).rejects.toMatchObject({ code: 'invalid-file' });
    await expect(
      openPatch(new TextEncoder().encode('{"asset":{"version":"2.0"},"images":3}')),
    ).rejects.toMatchObject({
      code: 'invalid-file',
    });
  });
});

describe('appending', () => {
  test('an accessor stands behind all that was there', async () => {
    const b = skinnedTriangle();
    const patch = await openPatch(b.glb());
    const index = appendAccessor(patch, new Float32Array([3, 1, 2]), 'SCALAR', true);
    const words = appendAccessor(patch, new Uint16Array([1, 2, 3, 4, 5, 6, 7, 8]), 'VEC4');
    const out = writePatch(patch, 'glb');
    expect(await errorsOf(out)).toEqual([]);
    const { bin, text } = parseGlb(out);
    expect(bin!.subarray(0, b.bin().length)).toEqual(b.bin());
    expect([...new Float32Array(bin!.slice(b.bin().length, b.bin().length + 12).buffer)]).toEqual([3, 1, 2]);
    const json = JSON.parse(new TextDecoder().decode(text)) as Json;
    expect(json['accessors'].slice(index)).toEqual([
      { bufferView: 3, componentType: 5126, count: 3, type: 'SCALAR', min: [1], max: [3] },
      { bufferView: 4, componentType: 5123, count: 2, type: 'VEC4' },
    ]);
    expect(words).toBe(index + 1);
    expect(() => appendAccessor(patch, new Float32Array(5), 'VEC3')).toThrow('make no VEC3');
  });

  test('a .gltf gets one more buffer, its old ones stay as they are', async () => {
    const b = skinnedTriangle();
    const resolve = async (): Promise<Uint8Array> => b.bin();
    const patch = await openPatch(b.gltf('fox.bin'), { resolve });
    appendAccessor(patch, new Float32Array([0]), 'SCALAR', true);
    const json = jsonOf(writePatch(patch, 'gltf'));
    expect(json['buffers'][0]).toEqual({ byteLength: b.bin().length, uri: 'fox.bin' });
    expect(json['buffers'][1]).toEqual({
      byteLength: 4,
      uri: 'data:application/octet-stream;base64,AAAAAA==',
    });
    expect(await errorsOf(writePatch(patch, 'gltf'), resolve)).toEqual([]);
  });

  test('a file without any buffer gets one', async () => {
    for (const format of ['glb', 'gltf'] as const) {
      const patch = await openPatch(buildGltf({ nodes: [{}] }).gltf());
      appendAccessor(patch, new Float32Array([0]), 'SCALAR', true);
      expect(await errorsOf(writePatch(patch, format))).toEqual([]);
    }
  });
});

describe('the container follows the output', () => {
  const png = Uint8Array.from(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  );
  const textured = (): ReturnType<typeof skinnedTriangle> => {
    const b = skinnedTriangle();
    addClip(b, 'Walk');
    b.json['images'] = [{ name: 'fur', uri: 'fur%20a.png' }, { uri: 'https://example.org/x.png' }];
    b.json['textures'] = [{ source: 0 }, { source: 1 }];
    b.json['materials'] = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    return b;
  };

  test('.gltf to .glb takes buffers and relative images inside', async () => {
    const b = textured();
    const resolve = async (uri: string): Promise<Uint8Array> => (uri === 'fox.bin' ? b.bin() : png);
    const out = writePatch(await openPatch(b.gltf('fox.bin'), { resolve }), 'glb');
    const json = jsonOf(out);
    expect(json['images']).toEqual([
      { name: 'fur', bufferView: json['bufferViews'].length - 1, mimeType: 'image/png' },
      { uri: 'https://example.org/x.png' },
    ]);
    expect(json['buffers'].length).toBe(1);
    expect(json['buffers'][0].uri).toBeUndefined();
    const remote = async (): Promise<Uint8Array> => png;
    expect(await errorsOf(out, remote)).toEqual([]);
    expect(await loadGltf(out)).toEqual(await loadGltf(b.glb()));
  });

  test('.gltf to .gltf can take them inside too, to stand elsewhere', async () => {
    const b = textured();
    const resolve = async (uri: string): Promise<Uint8Array> => (uri === 'fox.bin' ? b.bin() : png);
    const out = writePatch(await openPatch(b.gltf('fox.bin'), { resolve }), 'gltf', { embed: true });
    expect(jsonOf(out)['images'][0].uri).toMatch(/^data:image\/png;base64,iVBOR/);
    expect(await loadGltf(out)).toEqual(await loadGltf(b.glb()));
  });

  test('.gltf to .glb says which file is missing', async () => {
    const patch = await openPatch(textured().gltf('fox.bin'));
    expect(() => writePatch(patch, 'glb')).toThrow("/buffers/0/uri: refers to the file 'fox.bin'");
    const resolve = async (uri: string): Promise<Uint8Array> =>
      uri === 'fox.bin' ? textured().bin() : Promise.reject(new Error('ENOENT'));
    const half = await openPatch(textured().gltf('fox.bin'), { resolve });
    expect(() => writePatch(half, 'glb')).toThrow(
      "/images/0/uri: the file 'fur%20a.png' cannot be read, ENOENT",
    );
    expect(writePatch(half, 'gltf')).toEqual(textured().gltf('fox.bin'));
  });

  test('.glb to .gltf and back loads alike', async () => {
    const b = skinnedTriangle();
    addClip(b, 'Walk');
    const gltf = writePatch(await openPatch(b.glb()), 'gltf');
    expect(jsonOf(gltf)['buffers'][0].uri).toMatch(/^data:application\/octet-stream;base64,/);
    expect(await errorsOf(gltf)).toEqual([]);
    const glb = writePatch(await openPatch(gltf), 'glb');
    expect(glb).toEqual(b.glb());
    expect(await loadGltf(gltf)).toEqual(await loadGltf(b.glb()));
  });

  test('further buffers become data URIs and keep their index', async () => {
    const b = skinnedTriangle();
    const one = b.bin();
    b.json['buffers'] = [
      { byteLength: one.length, uri: 'a.bin' },
      { byteLength: 12, uri: 'b.bin' },
    ];
    b.json['bufferViews'].push({ buffer: 1, byteLength: 12 });
    b.json['accessors'].push({ bufferView: 3, componentType: 5126, count: 1, type: 'VEC3' });
    const resolve = async (uri: string): Promise<Uint8Array> => (uri === 'a.bin' ? one : new Uint8Array(12));
    const out = writePatch(await openPatch(b.gltf(), { resolve }), 'glb');
    expect(jsonOf(out)['buffers'][1].uri).toBe(`data:application/octet-stream;base64,${'A'.repeat(16)}`);
    expect(await errorsOf(out)).toEqual([]);
  });

  test('glTF Transform reads what was written', async () => {
    const b = skinnedTriangle();
    addClip(b, 'Walk');
    const patch = await openPatch(b.glb());
    setRotationTracks(patch, 0, [swing(2)]);
    const root = (await new NodeIO().readBinary(writePatch(patch, 'glb'))).getRoot();
    const channel = root.listAnimations()[0]!.listChannels()[1]!;
    expect(channel.getTargetNode()!.getName()).toBe('Tail_1');
    expect(channel.getSampler()!.getOutput()!.getArray()).toEqual(swing(2).values);
  });
});

describe.skipIf(!shared)('real files', () => {
  const paths = shared ? ['glb-tail', 'gltf-features'].flatMap((f) => gltfFilesUnder(`${shared}/${f}`)) : [];

  test.each(paths.map((path) => path.slice(shared!.length + 1)))(
    '%s keeps all it had, and gets no new error',
    async (name) => {
      const path = `${shared}/${name}`;
      const before = readBytes(path);
      const resolve = resolveBeside(path);
      const format = path.endsWith('.glb') ? 'glb' : 'gltf';
      const patch = await openPatch(before, { resolve });
      expect(fingerprint(writePatch(patch, format))).toBe(fingerprint(before));
      if (name.includes('Recursive')) return;
      const old = jsonOf(before);
      // A file without an animation gets one.
      if (!old['animations']) (patch.json as Json)['animations'] = [{ channels: [], samplers: [] }];
      const node = (old['skins']?.[0].joints.at(-1) ?? 0) as number;
      setRotationTracks(patch, 0, [swing(node)]);
      const allowed = new Set(await errorsOf(before, resolve));
      for (const to of ['glb', 'gltf'] as const) {
        const out = writePatch(patch, to);
        for (const error of await errorsOf(out, resolve)) expect(allowed).toContain(error);
        const now = jsonOf(out);
        for (const key of Object.keys(old)) {
          // An animated node's matrix is taken apart, nothing else of the nodes changes.
          if (key === 'nodes' && old['nodes'][node].matrix) now[key][node] = old[key][node];
          if (key === 'animations') expect(now[key].slice(1)).toEqual(old[key].slice(1));
          else if (key === 'buffers' || key === 'images')
            expect(now[key].length).toBeGreaterThanOrEqual(old[key].length);
          else if (Array.isArray(old[key])) expect(now[key].slice(0, old[key].length)).toEqual(old[key]);
          else expect(now[key]).toEqual(old[key]);
        }
        if (name.includes('unassigned')) continue;
        const [a, b] = [
          await loadGltf(before, { resolve, validate: false }),
          await loadGltf(out, { resolve, validate: false }),
        ];
        const matrix = old['nodes'][node].matrix !== undefined;
        if (!matrix) expect(fingerprint(b.skeleton)).toBe(fingerprint(a.skeleton));
        expect(fingerprint(b.meshes)).toBe(fingerprint(a.meshes));
        expect(b.clips[0]!.bakedBones).toEqual([a.skeleton.nodes.indexOf(node)]);
        const again = await openPatch(out, { resolve });
        setRotationTracks(again, 0, [swing(node)]);
        expect(fingerprint(writePatch(again, to))).toBe(fingerprint(out));
      }
    },
    30_000,
  );
});
