/**
 * What becomes of a file: small hand-made files, each about one rule of glTF 2.0.
 */
import { describe, expect, test } from 'vitest';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { addClip, buildGltf, skinnedTriangle, type Json } from '../../support/gltfBuilder.js';

const round = (list: ArrayLike<number>): number[] => Array.from(list, (x) => Math.round(x * 1e6) / 1e6 + 0);

describe('nodes become bones', () => {
  test('every node is a bone, parents first, else in the order of the file', async () => {
    const b = buildGltf({
      nodes: [
        { name: 'leaf' },
        { name: 'side' },
        { children: [0, 3] },
        { name: 'twig' },
        { name: 'root', children: [2] },
      ],
    });
    const { skeleton } = await loadGltf(b.gltf());
    expect(skeleton.names).toEqual(['root', 'node2', 'leaf', 'side', 'twig']);
    expect([...skeleton.nodes]).toEqual([4, 2, 0, 1, 3]);
    expect([...skeleton.parents]).toEqual([-1, 0, 1, -1, 1]);
  });

  test('a chain of 100,000 nodes, the last one on top, is read without recursion', async () => {
    const count = 100_000;
    const nodes = Array.from({ length: count }, (_, i): Json => (i > 0 ? { children: [i - 1] } : {}));
    const { skeleton } = await loadGltf(buildGltf({ nodes }).gltf(), { validate: false });
    expect(skeleton.nodes[0]).toBe(count - 1);
    expect(skeleton.parents[count - 1]).toBe(count - 2);
  });

  test('a matrix is taken apart into translation, rotation, scale', async () => {
    // Half turn about y, scaled by 2, 3, 4, moved to 5, 6, 7.
    const matrix = [-2, 0, 0, 0, 0, 3, 0, 0, 0, 0, -4, 0, 5, 6, 7, 1];
    const { skeleton } = await loadGltf(buildGltf({ nodes: [{ matrix }] }).gltf());
    expect([...skeleton.translations]).toEqual([5, 6, 7]);
    expect(round(skeleton.rotations)).toEqual([0, 1, 0, 0]);
    expect(round(skeleton.scales)).toEqual([2, 3, 4]);
  });

  test('missing parts are the identity, rotations are made unit', async () => {
    const nodes = [{}, { rotation: [0, 0, 0.7071068, 0.7071068] }];
    const { skeleton } = await loadGltf(buildGltf({ nodes }).gltf());
    expect([...skeleton.translations, ...skeleton.rotations.subarray(0, 4), ...skeleton.scales]).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1,
    ]);
    const [x, y, z, w] = skeleton.rotations.subarray(4);
    expect(Math.abs(x! * x! + y! * y! + z! * z! + w! * w! - 1)).toBeLessThan(3e-16);
  });
});

describe('meshes and skins', () => {
  test('a skinned triangle', async () => {
    const asset = await loadGltf(skinnedTriangle().glb(), { name: 'tri' });
    expect(asset.name).toBe('tri');
    const [mesh] = asset.meshes;
    expect(mesh).toMatchObject({ name: 'fur.0', bone: 0, skin: 0, influences: 4 });
    expect([...mesh!.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...mesh!.indices]).toEqual([0, 1, 2]);
    expect([...asset.skins[0]!.joints]).toEqual([1, 2]);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    expect([...asset.skins[0]!.inverseBinds]).toEqual([...identity, ...identity]);
    expect(asset.warnings).toEqual([]);
  });

  test('further sets of joints make 8 influences', async () => {
    const b = skinnedTriangle();
    const attributes = b.json['meshes'][0].primitives[0].attributes;
    attributes.JOINTS_1 = b.accessor(new Uint16Array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 'VEC4');
    attributes.WEIGHTS_1 = b.accessor(new Uint8Array([51, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 'VEC4', {
      normalized: true,
    });
    const { meshes } = await loadGltf(b.glb(), { validate: false });
    expect(meshes[0]!.influences).toBe(8);
    expect([...meshes[0]!.joints.subarray(0, 8)]).toEqual([0, 1, 0, 0, 1, 0, 0, 0]);
    expect([...meshes[0]!.weights.subarray(0, 8)]).toEqual([0.5, 0.5, 0, 0, 0.2, 0, 0, 0]);
  });

  test('a mesh without a skin is kept, its joints are not', async () => {
    const b = skinnedTriangle();
    delete b.json['nodes'][0].skin;
    const { meshes } = await loadGltf(b.glb());
    expect(meshes[0]).toMatchObject({ skin: -1, influences: 0 });
    expect(meshes[0]!.joints.length + meshes[0]!.weights.length).toBe(0);
  });

  test('a mesh on two nodes is there twice and shares its arrays', async () => {
    const b = skinnedTriangle();
    b.json['nodes'][2].mesh = 0;
    const { meshes } = await loadGltf(b.glb());
    expect(meshes.map(({ bone, skin }) => [bone, skin])).toEqual([
      [0, 0],
      [2, -1],
    ]);
    expect(meshes[1]!.positions).toBe(meshes[0]!.positions);
  });

  test('a joint beyond the skin is refused if it carries weight, else it becomes 0', async () => {
    const b = skinnedTriangle();
    const joints = new Uint8Array([0, 1, 9, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    b.json['meshes'][0].primitives[0].attributes.JOINTS_0 = b.accessor(joints, 'VEC4');
    const { meshes } = await loadGltf(b.glb(), { validate: false });
    expect(meshes[0]!.joints[2]).toBe(0);
    joints[1] = 7;
    b.json['meshes'][0].primitives[0].attributes.JOINTS_0 = b.accessor(joints, 'VEC4');
    await expect(loadGltf(b.glb(), { validate: false })).rejects.toThrow(
      'joint 7 where the skin has 2 joints',
    );
  });

  test.each([
    [4, [0, 1, 2, 2, 1, 3], 'a list'],
    [5, [0, 1, 2, 1, 3, 2], 'a strip, every second triangle turned'],
    [6, [1, 2, 0, 2, 3, 0], 'a fan'],
    [1, [], 'lines'],
    [0, [], 'points'],
  ])('mode %i gives %j: %s', async (mode, expected) => {
    const b = buildGltf({ nodes: [{ mesh: 0 }] });
    const POSITION = b.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]), 'VEC3');
    const indices = mode === 4 ? b.accessor(new Uint16Array([0, 1, 2, 2, 1, 3]), 'SCALAR') : undefined;
    b.json['meshes'] = [
      { primitives: [{ attributes: { POSITION }, mode, ...(indices === undefined ? {} : { indices }) }] },
    ];
    const { meshes } = await loadGltf(b.glb());
    expect([...meshes[0]!.indices]).toEqual(expected);
  });
});

describe('accessors', () => {
  const positionsOf = async (b: ReturnType<typeof buildGltf>, POSITION: number): Promise<number[]> => {
    Object.assign(b.json, { nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION } }] }] });
    return [...(await loadGltf(b.glb(), { validate: false })).meshes[0]!.positions];
  };

  test.each([
    [new Int8Array([127, -127, -128]), [1, -1, -1]],
    [new Uint8Array([255, 51, 0]), [1, 0.2, 0]],
    [new Int16Array([32767, -32768, 16384]), [1, -1, 16384 / 32767]],
    [new Uint16Array([65535, 13107, 1]), [1, 0.2, 1 / 65535]],
  ])('normalised %o is one division, to the bit', async (data, expected) => {
    const b = buildGltf();
    expect(await positionsOf(b, b.accessor(data, 'VEC3', { normalized: true }))).toEqual(expected);
  });

  test('interleaved data is read by its stride', async () => {
    const b = buildGltf();
    const bufferView = b.view(new Float32Array([1, 2, 3, 99, 4, 5, 6, 99]), { byteStride: 16 });
    b.json['accessors'] = [{ bufferView, componentType: 5126, count: 2, type: 'VEC3' }];
    expect(await positionsOf(b, 0)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('sparse values replace elements of a base that starts at an offset, or of zeros', async () => {
    const b = buildGltf();
    const bufferView = b.view(new Float32Array([9, 1, 2, 3, 4, 5, 6]));
    const at = b.view(new Uint8Array([1]));
    const by = b.view(new Float32Array([7, 8, 9]));
    const sparse = { count: 1, indices: { bufferView: at, componentType: 5121 }, values: { bufferView: by } };
    b.json['accessors'] = [
      { bufferView, byteOffset: 4, componentType: 5126, count: 2, type: 'VEC3', sparse },
      { componentType: 5126, count: 2, type: 'VEC3', sparse },
    ];
    expect(await positionsOf(b, 0)).toEqual([1, 2, 3, 7, 8, 9]);
    expect(await positionsOf(b, 1)).toEqual([0, 0, 0, 7, 8, 9]);
  });
});

describe('animations', () => {
  test('clips have names, durations and tracks per bone', async () => {
    const b = skinnedTriangle();
    addClip(b);
    addClip(b, 'Walk');
    b.json['animations'][1].samplers[0].interpolation = 'STEP';
    const { clips } = await loadGltf(b.glb());
    expect(clips.map(({ name, index, duration }) => [name, index, duration])).toEqual([
      ['#0', 0, 1],
      ['Walk', 1, 1],
    ]);
    expect(clips.map(({ tracks }) => tracks[0]!.interpolation)).toEqual(['linear', 'step']);
    expect(clips[0]!.tracks[0]).toMatchObject({ bone: 1, path: 'rotation' });
    expect([...clips[0]!.tracks[0]!.values.subarray(4, 8)]).toEqual([
      0,
      Math.fround(0.6),
      0,
      Math.fround(0.8),
    ]);
  });

  test('cubic tracks keep tangents, one key is enough for a clip, integers are decoded', async () => {
    const b = skinnedTriangle();
    const input = b.accessor(new Float32Array([0, 1]), 'SCALAR');
    const output = b.accessor(
      Float32Array.from({ length: 18 }, (_, i) => i),
      'VEC3',
    );
    const once = b.accessor(new Float32Array([0.25]), 'SCALAR');
    const turn = b.accessor(new Int16Array([0, 32767, 0, 0]), 'VEC4', { normalized: true });
    b.json['animations'] = [
      {
        samplers: [
          { input, output, interpolation: 'CUBICSPLINE' },
          { input: once, output: turn },
        ],
        channels: [
          { sampler: 0, target: { node: 1, path: 'translation' } },
          { sampler: 1, target: { node: 2, path: 'rotation' } },
        ],
      },
    ];
    const [clip] = (await loadGltf(b.glb())).clips;
    expect(clip!.duration).toBe(1);
    expect(clip!.tracks[0]).toMatchObject({ interpolation: 'cubic', path: 'translation' });
    expect(clip!.tracks[0]!.values.length).toBe(18);
    expect([...clip!.tracks[1]!.times, ...clip!.tracks[1]!.values]).toEqual([0.25, 0, 1, 0, 0]);
  });

  test('morph weights, pointers and channels without a node are passed over', async () => {
    const b = skinnedTriangle();
    const { input, output } = addClip(b);
    b.json['extensionsUsed'] = ['KHR_animation_pointer'];
    b.json['animations'][0].samplers.push({ input, output: input });
    b.json['animations'][0].channels.push(
      { sampler: 1, target: { node: 0, path: 'weights' } },
      { sampler: 0, target: { path: 'rotation' } },
      {
        sampler: 0,
        target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/nodes/2/rotation' } } },
      },
    );
    const { clips } = await loadGltf(b.glb(), { validate: false });
    expect(clips[0]!.tracks.length).toBe(1);
    expect(output).toBeGreaterThan(input);
  });

  test('of two channels for one property the last counts, and it is said', async () => {
    const b = skinnedTriangle();
    const { input } = addClip(b, 'Walk');
    const output = b.accessor(new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), 'VEC4');
    b.json['animations'][0].samplers.push({ input, output });
    b.json['animations'][0].channels.push({ sampler: 1, target: { node: 1, path: 'rotation' } });
    await expect(loadGltf(b.glb())).rejects.toThrow('ANIMATION_DUPLICATE_TARGETS');
    const { clips, warnings } = await loadGltf(b.glb(), { validate: false });
    expect(clips[0]!.tracks.map(({ values }) => values[0])).toEqual([1]);
    expect(warnings.map(({ code, at }) => [code, at])).toEqual([['duplicate-channel', 'Walk']]);
  });

  test.each([
    [[0, 0.5, 0.5], 'key 2 at 0.5 s does not come after'],
    [[0, 0.5, 0.4], 'key 2 at'],
    [[-1, 0, 1], 'key 0 stands at -1 s'],
    [[0, 1, Infinity], 'key 2 stands at Infinity s'],
    [[0, 1, NaN], 'key 2 stands at NaN s'],
  ])('key times %j are refused', async (times, message) => {
    const b = skinnedTriangle();
    addClip(b);
    b.json['animations'][0].samplers[0].input = b.accessor(new Float32Array(times), 'SCALAR', {
      min: [0],
      max: [1],
    });
    const loading = loadGltf(b.glb(), { validate: false });
    await expect(loading).rejects.toMatchObject({
      code: 'invalid-file',
      message: expect.stringContaining(message),
    });
    await expect(loading).rejects.toThrow('/animations/0/samplers/0/input');
  });
});

describe('containers, references, extensions', () => {
  test('GLB, data URI, external file, ArrayBuffer and a view at an offset give the same', async () => {
    const b = skinnedTriangle();
    addClip(b);
    const glb = b.glb();
    const offset = new Uint8Array(glb.length + 5);
    offset.set(glb, 5);
    const asked: string[] = [];
    const resolve = async (uri: string): Promise<Uint8Array> => {
      asked.push(uri);
      return b.bin();
    };
    const all = await Promise.all([
      loadGltf(glb),
      loadGltf(b.gltf()),
      loadGltf(b.gltf('a%20b.bin'), { resolve }),
      loadGltf(glb.buffer as ArrayBuffer),
      loadGltf(offset.subarray(5)),
    ]);
    expect(asked).toEqual(['a%20b.bin']);
    for (const asset of all) expect(asset).toEqual(all[0]);
  });

  test('an external file that nobody can read is named', async () => {
    const bytes = skinnedTriangle().gltf('lost.bin');
    await expect(loadGltf(bytes)).rejects.toThrow("/buffers/0/uri: refers to the file 'lost.bin'");
    const resolve = async (): Promise<Uint8Array> => Promise.reject(new Error('ENOENT\nno such file'));
    await expect(loadGltf(bytes, { resolve })).rejects.toThrow(
      "the file 'lost.bin' cannot be read, ENOENT no such file",
    );
    const nonsense = async (): Promise<Uint8Array> => 'text' as never;
    await expect(loadGltf(bytes, { resolve: nonsense })).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  test('images are neither fetched nor judged', async () => {
    const b = skinnedTriangle();
    b.json['images'] = [{ uri: 'lost.png' }];
    const resolve = async (uri: string): Promise<Uint8Array> => Promise.reject(new Error(uri));
    expect((await loadGltf(b.glb(), { resolve })).warnings).toEqual([]);
  });

  test('a required extension blocks only where it could stand for data that is read', async () => {
    const b = skinnedTriangle();
    const required = (name: string): void =>
      void Object.assign(b.json, { extensionsUsed: [name], extensionsRequired: [name] });
    required('VRM');
    b.json['extensions'] = { VRM: { humanoid: {} } };
    b.json['nodes'][0].extensions = { VRM: {} };
    expect((await loadGltf(b.glb())).skeleton.count).toBe(3);
    required('FOO_compression');
    b.json['bufferViews'][0].extensions = { FOO_compression: { buffer: 0 } };
    const loading = loadGltf(b.glb());
    await expect(loading).rejects.toMatchObject({ code: 'unsupported-file' });
    await expect(loading).rejects.toThrow('/bufferViews/0: needs the extension FOO_compression');
  });

  test('another version is unsupported, no version is invalid', async () => {
    const version = (asset: unknown): Promise<unknown> => loadGltf(buildGltf({ asset }).gltf());
    await expect(version({ version: '1.0' })).rejects.toMatchObject({ code: 'unsupported-file' });
    await expect(version({ version: '2.1', minVersion: '2.1' })).rejects.toMatchObject({
      code: 'unsupported-file',
    });
    await expect(version({})).rejects.toMatchObject({ code: 'invalid-file' });
    await expect(version({ version: '2.1' })).resolves.toBeDefined();
    await expect(loadGltf('fox.glb' as never)).rejects.toMatchObject({ code: 'invalid-argument' });
  });
});
