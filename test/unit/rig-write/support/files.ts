/**
 * Small skinned files in every form that joints and weights can be stored in.
 */
import { buildGltf, type GltfBuilder, type Json } from '../../../support/gltfBuilder.js';

/** How joints and weights are stored. */
export interface Form {
  weights: 'f32' | 'u8' | 'u16';
  joints: 'u8' | 'u16';
  /** Sets of four influences. */
  sets: 1 | 2;
  layout?: 'packed' | 'interleaved' | 'sparse';
  /** Sum of the weights in the first set, default 0.83. */
  sum?: number;
}

/** Vertices of the grid. */
export const VERTICES = 30;
const JOINTS = 5;

const ONE = { f32: 1, u8: 255, u16: 65535 };
const ARRAYS = { f32: Float32Array, u8: Uint8Array, u16: Uint16Array };

/** Numbers of four joints and weights per vertex: no two vertices alike, sums not always 1. */
function influences(
  { weights, joints, sum = 0.83 }: Form,
  set: number,
): { joints: Uint8Array | Uint16Array; weights: Float32Array | Uint8Array | Uint16Array } {
  const j = new ARRAYS[joints](VERTICES * 4) as Uint8Array | Uint16Array;
  const w = new ARRAYS[weights](VERTICES * 4);
  for (let v = 0; v < VERTICES; v++) {
    const share = set === 0 ? sum : 0.15;
    const parts = [0.55 + 0.01 * (v % 9), 0.3 - 0.01 * (v % 9), 0.1, 0.05].map((part) => part * share);
    parts.forEach((part, k) => {
      const weight = part * ONE[weights];
      w[4 * v + k] = weights === 'f32' ? weight : Math.round(weight);
      j[4 * v + k] = set === 1 ? (k === 0 ? (v + 4) % JOINTS : 0) : (v + k) % JOINTS;
      if (set === 1 && k > 0) w[4 * v + k] = 0;
    });
  }
  return { joints: j, weights: w };
}

/**
 * A grid of vertices on a skin of five bones, bound in a pose that is not the saved one, beside an unskinned bone.
 */
export function skinnedGrid(form: Form): GltfBuilder {
  const b = buildGltf();
  const points = Float32Array.from({ length: VERTICES * 3 }, (_, i) =>
    i % 3 === 0 ? (i / 3) % 5 : i % 3 === 1 ? Math.floor(i / 15) / 2 : Math.sin(i),
  );
  const attributes: Json = { POSITION: b.accessor(points, 'VEC3') };
  attributes['TEXCOORD_0'] = b.accessor(
    Float32Array.from({ length: VERTICES * 2 }, (_, i) => (i * 0.37) % 1),
    'VEC2',
  );
  for (let set = 0; set < form.sets; set++) Object.assign(attributes, addInfluences(b, form, set));
  const corners: number[] = [];
  for (let y = 0; y < 5; y++)
    for (let x = 0; x < 4; x++) {
      const a = 5 * y + x;
      corners.push(a, a + 1, a + 5, a + 5, a + 1, a + 6);
    }
  const ids = Uint16Array.from(corners);
  const bind = (x: number, y: number, z: number): number[] => [
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    -x,
    -y,
    -z,
    1,
  ];
  const inverseBinds = b.accessor(
    Float32Array.from(
      [bind(0, 1, 0), bind(0.1, 2, 0), bind(0.3, 3, -0.2), bind(1, 2, 0.1), bind(2, 2.1, 0)].flat(),
    ),
    'MAT4',
  );
  Object.assign(b.json, {
    scenes: [{ nodes: [0, 1] }],
    scene: 0,
    nodes: [
      { name: 'body', mesh: 0, skin: 0, extras: { kept: 1 } },
      { name: 'hips', children: [2, 4], translation: [0, 1, 0], rotation: [0, 0.6, 0, 0.8] },
      { name: 'spine', children: [3], translation: [0.1, 1, 0], rotation: [0.28, 0, 0, 0.96] },
      { name: 'head', translation: [0.2, 1, -0.2] },
      { name: 'arm', children: [5, 6], translation: [1, 1, 0.1] },
      { name: 'hand', translation: [1, 0.1, 0] },
      { name: 'helper', translation: [0.5, -0.25, 0.125], rotation: [0, 0, 0.6, 0.8] },
    ],
    meshes: [
      {
        name: 'grid',
        primitives: [
          {
            material: 0,
            attributes,
            indices: b.accessor(ids, 'SCALAR'),
            targets: [{ POSITION: b.accessor(new Float32Array(VERTICES * 3).fill(0.25), 'VEC3') }],
          },
        ],
        weights: [0],
        extras: { odd: 1e2 },
      },
    ],
    materials: [{ name: 'fur' }],
    skins: [{ joints: [1, 2, 3, 4, 5], inverseBindMatrices: inverseBinds, skeleton: 1 }],
    animations: [
      {
        name: 'Walk',
        channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }],
        samplers: [
          {
            input: b.accessor(new Float32Array([0, 1]), 'SCALAR'),
            output: b.accessor(new Float32Array([0, 0, 0, 1, 0, 0.6, 0, 0.8]), 'VEC4'),
          },
        ],
      },
    ],
  });
  return b;
}

/** The grid in the form that most exporters write. */
export const plainGrid = (): GltfBuilder => skinnedGrid({ weights: 'f32', joints: 'u8', sets: 1 });

function addInfluences(b: GltfBuilder, form: Form, set: number): Json {
  const { joints, weights } = influences(form, set);
  const normalized = form.weights === 'f32' ? {} : { normalized: true };
  const names = [`JOINTS_${set}`, `WEIGHTS_${set}`] as const;
  if (form.layout === 'interleaved') {
    const [size, more] = [joints.BYTES_PER_ELEMENT * 4, weights.BYTES_PER_ELEMENT * 4];
    const stride = size + more;
    const bytes = new Uint8Array(VERTICES * stride);
    for (let v = 0; v < VERTICES; v++) {
      bytes.set(new Uint8Array(joints.buffer, v * size, size), v * stride);
      bytes.set(new Uint8Array(weights.buffer, v * more, more), v * stride + size);
    }
    const view = b.view(bytes, { byteStride: stride, target: 34962 });
    const types = { u8: 5121, u16: 5123, f32: 5126 };
    const first: number = b.json['accessors'].length;
    b.json['accessors'].push(
      { bufferView: view, componentType: types[form.joints], count: VERTICES, type: 'VEC4' },
      {
        bufferView: view,
        byteOffset: size,
        componentType: types[form.weights],
        count: VERTICES,
        type: 'VEC4',
        ...normalized,
      },
    );
    return { [names[0]]: first, [names[1]]: first + 1 };
  }
  const noBounds = { min: undefined, max: undefined };
  const j = b.accessor(joints, 'VEC4', noBounds);
  const w = b.accessor(weights, 'VEC4', { ...noBounds, ...normalized });
  if (form.layout === 'sparse') {
    // The weights of vertex 4 stand in the sparse part: those of vertex 7, mirrored.
    const values = weights.slice(28, 32).toReversed();
    b.json['accessors'][w]['sparse'] = {
      count: 1,
      indices: { bufferView: b.view(Uint16Array.from([4])), componentType: 5123 },
      values: { bufferView: b.view(values) },
    };
  }
  return { [names[0]]: j, [names[1]]: w };
}
