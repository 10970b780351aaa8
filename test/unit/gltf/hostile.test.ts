/**
 * Files that are broken or mean harm: one FollowthroughError of one line, soon, whether validated or not.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FollowthroughError } from '../../../src/asset/errors.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import {
  gltfFilesUnder,
  readBytes,
  resolveBeside,
  addClip,
  buildGltf,
  skinnedTriangle,
} from '../../support/gltfBuilder.js';
import type { GltfBuilder, Json } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';

/** Loads both ways; gives the messages, '' where it loaded; anything but a FollowthroughError escapes. */
async function outcomes(
  bytes: Uint8Array,
  resolve?: (uri: string) => Promise<Uint8Array>,
): Promise<string[]> {
  const messages: string[] = [];
  for (const validate of [false, true]) {
    try {
      await loadGltf(bytes, resolve ? { validate, resolve } : { validate });
      messages.push('');
    } catch (error) {
      if (!(error instanceof FollowthroughError)) throw error;
      expect(error.message).not.toMatch(/[\r\n]/);
      expect(error.message.length).toBeLessThanOrEqual(300);
      expect(['invalid-file', 'unsupported-file']).toContain(error.code);
      messages.push(error.message);
    }
  }
  return messages;
}

const broken = (change: (json: Json, b: GltfBuilder) => void): Uint8Array => {
  const b = skinnedTriangle();
  addClip(b);
  change(b.json, b);
  return b.glb();
};

describe('the message names the place', () => {
  test.each<[string, (json: Json, b: GltfBuilder) => void]>([
    ['/nodes: ', (json) => void (json['nodes'] = 7)],
    ['/nodes/1: ', (json) => void (json['nodes'][1] = null)],
    ['/nodes/1/children/0: ', (json) => void (json['nodes'][1].children = [99])],
    ['/nodes/1/children/0: ', (json) => void (json['nodes'][1].children = ['__proto__'])],
    ['/nodes/2/children/0: node 2 already', (json) => void (json['nodes'][2].children = [2])],
    [
      '/nodes/2: is its own ancestor',
      (json) => {
        json['nodes'][1].children = [];
        json['nodes'][2].children = [2];
      },
    ],
    ['/nodes/1/children/1: node 2 already hangs', (json) => void (json['nodes'][1].children = [2, 2])],
    ['/nodes/1/translation: ', (json) => void (json['nodes'][1].translation = [1, 2])],
    ['/nodes/1/rotation/2: ', (json) => void (json['nodes'][1].rotation = [0, 0, 'x', 1])],
    ['/nodes/1/name: ', (json) => void (json['nodes'][1].name = {})],
    ['/nodes/0/mesh: ', (json) => void (json['nodes'][0].mesh = 1)],
    ['/nodes/0/mesh: ', (json) => void (json['nodes'][0].mesh = 0.5)],
    ['/nodes/0/skin: ', (json) => void (json['nodes'][0].skin = -1)],
    ['/skins/0/joints/1: ', (json) => void (json['skins'][0].joints[1] = 77)],
    ['/skins/0/joints: ', (json) => void (json['skins'][0].joints = [])],
    ['/skins/0/inverseBindMatrices: ', (json) => void (json['skins'][0].inverseBindMatrices = 0)],
    ['/meshes/0/primitives: ', (json) => void (json['meshes'][0].primitives = {})],
    [
      '/meshes/0/primitives/0/attributes/POSITION: ',
      (json) => {
        json['meshes'][0].primitives[0].attributes.POSITION = 99;
      },
    ],
    [
      '/meshes/0/primitives/0/attributes/JOINTS_0: ',
      (json) => {
        json['meshes'][0].primitives[0].attributes.JOINTS_0 = 0;
      },
    ],
    [
      '/meshes/0/primitives/0/indices: vertex 3',
      (json, b) => {
        json['meshes'][0].primitives[0].indices = b.accessor(new Uint16Array([0, 1, 3]), 'SCALAR');
      },
    ],
    ['/meshes/0/primitives/0/mode: ', (json) => void (json['meshes'][0].primitives[0].mode = 9)],
    ['/accessors/0/count: ', (json) => void (json['accessors'][0].count = 0)],
    ['/accessors/0: ', (json) => void (json['accessors'][0].count = 4_000_000_000)],
    [
      '/accessors/0: more than 33554432 numbers',
      (json) => {
        json['accessors'][0].count = 4_000_000_000;
        delete json['accessors'][0].bufferView;
      },
    ],
    ['/accessors/0/componentType: ', (json) => void (json['accessors'][0].componentType = '5126')],
    ['/accessors/0/type: ', (json) => void (json['accessors'][0].type = 'constructor')],
    ['/accessors/0/byteOffset: ', (json) => void (json['accessors'][0].byteOffset = -4)],
    ['/accessors/0: needs', (json) => void (json['accessors'][0].byteOffset = 4)],
    ['/accessors/0/bufferView: ', (json) => void (json['accessors'][0].bufferView = 99)],
    ['/bufferViews/0: ends at byte', (json) => void (json['bufferViews'][0].byteLength = 1e9)],
    ['/bufferViews/0/byteOffset: ', (json) => void (json['bufferViews'][0].byteOffset = 1e300)],
    ['/bufferViews/0/byteStride: ', (json) => void (json['bufferViews'][0].byteStride = 4)],
    ['/bufferViews/0/buffer: ', (json) => void (json['bufferViews'][0].buffer = 3)],
    [
      '/buffers/0/byteLength: says',
      (json) => {
        json['buffers'] = [{ byteLength: 1_000_000 }];
      },
    ],
    ['/buffers/0/uri: ', (json) => void (json['buffers'] = [{ byteLength: 12, uri: 'data:;base64,%%%' }])],
    ['/animations/0/channels/0/sampler: ', (json) => void (json['animations'][0].channels[0].sampler = 1)],
    ['/animations/0/channels/0/target: ', (json) => void delete json['animations'][0].channels[0].target],
    ['/animations/0/samplers/0/output: ', (json) => void (json['animations'][0].samplers[0].output = 0)],
    [
      '/animations/0/samplers/0/interpolation: ',
      (json) => {
        json['animations'][0].samplers[0].interpolation = 'toString';
      },
    ],
    [
      '/accessors/0/sparse/indices: ',
      (json, b) => {
        json['accessors'][0].sparse = {
          count: 1,
          indices: { bufferView: b.view(new Uint8Array([200])), componentType: 5121 },
          values: { bufferView: b.view(new Float32Array(3)) },
        };
      },
    ],
    ['/accessors/0/sparse/count: ', (json) => void (json['accessors'][0].sparse = { count: 1e9 })],
    ['/accessors/0/sparse: ', (json) => void (json['accessors'][0].sparse = [])],
  ])('%s', async (place, change) => {
    for (const message of await outcomes(broken(change))) expect(message).toContain(place);
  });

  test('a file that repeats its data until memory ends', async () => {
    const b = buildGltf({ nodes: [], meshes: [] });
    const bufferView = b.view(new Float32Array(3_000_000));
    const repeated = (): Json => ({ bufferView, componentType: 5126, count: 1_000_000, type: 'VEC3' });
    b.json['accessors'] = Array.from({ length: 100 }, repeated);
    b.json['accessors'].forEach((_: unknown, POSITION: number) => {
      b.json['meshes'].push({ primitives: [{ attributes: { POSITION } }] });
      b.json['nodes'].push({ mesh: POSITION });
    });
    for (const message of await outcomes(b.glb())) expect(message).toContain('numbers in one file');
  }, 60_000);

  test('meshopt that claims to unfold to terabytes', async () => {
    const message = await outcomes(
      broken((json) => {
        json['extensionsUsed'] = ['EXT_meshopt_compression'];
        json['bufferViews'][0].extensions = {
          EXT_meshopt_compression: {
            buffer: 0,
            byteLength: 8,
            byteStride: 256,
            count: 2 ** 31,
            mode: 'ATTRIBUTES',
          },
        };
      }),
    );
    expect(message[0]).toContain('/bufferViews/0/extensions/meshopt_compression/count');
  });

  test('garbage in place of Draco and meshopt data', async () => {
    const meshopt = broken((json) => {
      json['extensionsUsed'] = ['EXT_meshopt_compression'];
      json['bufferViews'][0].extensions = {
        EXT_meshopt_compression: { buffer: 0, byteLength: 36, byteStride: 12, count: 3, mode: 'ATTRIBUTES' },
      };
    });
    const draco = broken((json) => {
      json['extensionsUsed'] = ['KHR_draco_mesh_compression'];
      json['meshes'][0].primitives[0].extensions = {
        KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } },
      };
    });
    for (const message of await outcomes(meshopt)) expect(message).toContain('cannot be decoded');
    for (const message of await outcomes(draco)) expect(message).toMatch(/cannot be decoded|holds no Draco/);
  });

  test('decoders that cannot be loaded are named', async () => {
    const bytes = broken((json) => {
      json['meshes'][0].primitives[0].extensions = {
        KHR_draco_mesh_compression: { bufferView: 0, attributes: {} },
      };
    });
    const draco = async (): Promise<never> => Promise.reject(new Error('404'));
    await expect(loadGltf(bytes, { validate: false, decoders: { draco } })).rejects.toMatchObject({
      code: 'unsupported-file',
      message: 'the decoder draco3dgltf cannot be loaded, 404',
    });
  });
});

describe('size and depth', () => {
  test('a million children', async () => {
    const nodes: Json[] = Array.from({ length: 1_000_001 }, () => ({}));
    nodes[0]!['children'] = Array.from({ length: 1_000_000 }, (_, i) => i + 1);
    const bytes = buildGltf({ nodes }).gltf();
    expect((await loadGltf(bytes, { validate: false })).skeleton.count).toBe(1_000_001);
    nodes[0]!['children'].push(5);
    const [message] = await outcomes(buildGltf({ nodes }).gltf());
    expect(message).toContain('/nodes/0/children/1000000: node 5 already hangs on node 0');
  }, 60_000);

  test('JSON nested a hundred thousand deep', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = open.repeat(100_000) + (open === '[' ? '' : '1') + close.repeat(100_000);
      await outcomes(new TextEncoder().encode(`{"asset":{"version":"2.0"},"extras":${deep}}`));
      await outcomes(
        new TextEncoder().encode(`{"asset":{"version":"2.0"},"nodes":[{"translation":${deep}}]}`),
      );
      await outcomes(new TextEncoder().encode(deep));
      await outcomes(new TextEncoder().encode(deep.slice(0, 100_000)));
    }
  }, 60_000);

  test('keys of Object.prototype are no members', async () => {
    const text = '{"asset":{"version":"2.0"},"nodes":[{"__proto__":{"mesh":0}}],"__proto__":{"meshes":[]}}';
    expect(await outcomes(new TextEncoder().encode(text))).toEqual(['', '']);
  });

  test('names of several lines stay in one', async () => {
    const bytes = broken((json) => void (json['nodes'][0].mesh = 'a\nb\u0000\u2028c'.repeat(50)));
    await outcomes(bytes);
  });
});

test('a GLB cut at any byte is refused', async () => {
  const b = skinnedTriangle();
  addClip(b);
  const bytes = b.glb();
  for (let n = 0; n < bytes.length; n++)
    for (const message of await outcomes(bytes.subarray(0, n))) expect(message, `cut at ${n}`).not.toBe('');
});

test('no value in the place of another one makes anything else escape', async () => {
  const b = skinnedTriangle();
  addClip(b);
  const glb = b.glb();
  const json = JSON.stringify(JSON.parse(new TextDecoder().decode(b.gltf())));
  expect((await loadGltf(glb)).clips.length).toBe(1);
  const values = fc.oneof(
    fc.constantFrom(null, true, -1, 0.5, 1, 2, 99, 4e9, 1e300, '', 'x', [], {}, [0], [null], [[]]),
    fc.jsonValue(),
  );
  const places = [...json.matchAll(/[:,[](?=["{[\d-])/g)].length;
  await fc.assert(
    fc.asyncProperty(fc.nat(places), values, async (at, value) => {
      let n = 0;
      const file: unknown = JSON.parse(json, (_, old: unknown) => (n++ === at ? value : old));
      if (typeof file !== 'object' || file === null) return;
      await outcomes(new TextEncoder().encode(JSON.stringify(file)));
    }),
    { numRuns: 600 },
  );
}, 120_000);

test('no byte in the place of another one makes anything else escape', async () => {
  const b = skinnedTriangle();
  addClip(b);
  const glb = b.glb();
  await fc.assert(
    fc.asyncProperty(fc.nat(glb.length - 1), fc.nat(255), async (at, byte) => {
      const copy = glb.slice();
      copy[at] = byte;
      await outcomes(copy);
    }),
    { numRuns: 600 },
  );
}, 120_000);

describe.skipIf(!shared)('real files', () => {
  test.each(['glb-tail/khronos_Fox.glb', 'derived/Fox_draco.glb', 'derived/Fox_meshopt.glb'])(
    '%s cut at every 97th byte',
    async (name) => {
      const bytes = readBytes(`${shared}/${name}`);
      for (let n = 0; n < bytes.length; n += 97)
        await expect(loadGltf(bytes.subarray(0, n), { validate: false })).rejects.toBeInstanceOf(
          FollowthroughError,
        );
    },
    60_000,
  );

  test('cut or empty buffers beside a .gltf', async () => {
    const path = gltfFilesUnder(`${shared}/gltf-features`).find((file) => file.includes('skinned_cylinder'))!;
    const whole = await resolveBeside(path)('03_skinned_cylinder.bin');
    for (const length of [0, 1, 100, whole.length - 1]) {
      for (const message of await outcomes(readBytes(path), async () => whole.subarray(0, length)))
        expect(message).toContain('/buffers/0/byteLength: says');
    }
  });

  test.each(['derived/Fox_draco.glb', 'derived/Fox_meshopt.glb', 'derived/Fox_quantized.glb'])(
    '%s with single bytes changed',
    async (name) => {
      const bytes = readBytes(`${shared}/${name}`);
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
          const copy = bytes.slice();
          copy[at] = byte;
          try {
            await loadGltf(copy, { validate: false });
          } catch (error) {
            expect(error).toBeInstanceOf(FollowthroughError);
          }
        }),
        { numRuns: 150 },
      );
    },
    120_000,
  );
});
