/**
 * Small glTF files for tests, made piece by piece: every test shows the JSON it is about.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { validateBytes } from 'gltf-validator';
import { parseGlb, writeGlb } from '../../src/io/gltf/container.js';
import type { RotationTrack } from '../../src/io/gltf/index.js';

/** Loosely typed glTF JSON: tests break it in every way that types would forbid. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = { [key: string]: any };

const WIDTHS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const TYPES = new Map<unknown, number>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
]);

type Data = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** A file under construction. */
export interface GltfBuilder {
  /** Its JSON, free to edit. */
  json: Json;
  /** Adds bytes as a buffer view (aligned to four), returns its index. */
  view: (data: Data, extra?: Json) => number;
  /** Adds an accessor with a view of its own, returns its index. */
  accessor: (data: Data, type: string, extra?: Json) => number;
  /** Bytes of the one buffer. */
  bin: () => Uint8Array;
  /** The file as GLB. */
  glb: () => Uint8Array;
  /** The file as .gltf, its buffer as a data URI or under the given one. */
  gltf: (uri?: string) => Uint8Array;
}

/** Starts a file; `json` is merged over an empty one. */
export function buildGltf(json: Json = {}): GltfBuilder {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const file: Json = { asset: { version: '2.0' }, ...json };
  const view = (data: Data, extra: Json = {}): number => {
    const bytes = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    pieces.push(bytes);
    file['bufferViews'] ??= [];
    file['bufferViews'].push({ buffer: 0, byteOffset: length, byteLength: data.byteLength, ...extra });
    length += bytes.length;
    return file['bufferViews'].length - 1;
  };
  const accessor = (data: Data, type: string, extra: Json = {}): number => {
    const width = WIDTHS[type]!;
    const count = data.length / width;
    const lists = Array.from({ length: width }, (_, c) => data.filter((__, i) => i % width === c));
    const bounds = { min: lists.map((l) => Math.min(...l)), max: lists.map((l) => Math.max(...l)) };
    file['accessors'] ??= [];
    file['accessors'].push({
      bufferView: view(data),
      componentType: TYPES.get(data.constructor),
      count,
      type,
      ...(count > 0 && type !== 'MAT4' ? bounds : {}),
      ...extra,
    });
    return file['accessors'].length - 1;
  };
  const bin = (): Uint8Array => {
    const all = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  };
  const text = (buffer: Json): Uint8Array =>
    new TextEncoder().encode(
      JSON.stringify(length > 0 && !file['buffers'] ? { ...file, buffers: [buffer] } : file),
    );
  return {
    json: file,
    view,
    accessor,
    bin,
    glb: () => writeGlb(text({ byteLength: length }), bin()),
    gltf: (uri) =>
      text({
        byteLength: length,
        uri: uri ?? `data:application/octet-stream;base64,${Buffer.from(bin()).toString('base64')}`,
      }),
  };
}

/** A triangle of three vertices under one node, and a skin of two joints that moves it. */
export function skinnedTriangle(): GltfBuilder {
  const b = buildGltf();
  const positions = b.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), 'VEC3');
  const joints = b.accessor(new Uint8Array([0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]), 'VEC4');
  const weights = b.accessor(new Float32Array([0.5, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), 'VEC4');
  Object.assign(b.json, {
    scenes: [{ nodes: [0, 1] }],
    scene: 0,
    nodes: [
      { name: 'body', mesh: 0, skin: 0 },
      { name: 'hips', children: [2], translation: [0, 1, 0] },
      { name: 'Tail_1', translation: [0, 0, -0.5] },
    ],
    meshes: [
      {
        name: 'fur',
        primitives: [{ attributes: { POSITION: positions, JOINTS_0: joints, WEIGHTS_0: weights } }],
      },
    ],
    skins: [{ joints: [1, 2] }],
  });
  return b;
}

/** Adds an animation that turns the hips and a channel for the tail; returns the accessors. */
export function addClip(b: GltfBuilder, name?: string): { input: number; output: number } {
  const input = b.accessor(new Float32Array([0, 0.5, 1]), 'SCALAR');
  const output = b.accessor(new Float32Array([0, 0, 0, 1, 0, 0.6, 0, 0.8, 0, 0, 0, 1]), 'VEC4');
  b.json['animations'] ??= [];
  b.json['animations'].push({
    ...(name === undefined ? {} : { name }),
    channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }],
    samplers: [{ input, output }],
  });
  return { input, output };
}

/** All glTF files under a folder, sorted. */
export function gltfFilesUnder(folder: string): string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return gltfFilesUnder(path);
      return /\.(?:glb|gltf|vrm)$/.test(name) ? [path] : [];
    });
}

/** Reads files beside a .gltf. */
export function resolveBeside(path: string): (uri: string) => Promise<Uint8Array> {
  return async (uri) => Uint8Array.from(readFileSync(join(dirname(path), decodeURIComponent(uri))));
}

/** A file as a plain Uint8Array with memory of its own. */
export function readBytes(path: string): Uint8Array {
  return Uint8Array.from(readFileSync(path));
}

/** A short text that differs when two values do, typed arrays to the bit; much faster than a deep comparison. */
export function fingerprint(value: unknown): string {
  const hash = createHash('sha256');
  const add = (part: unknown): void => {
    if (ArrayBuffer.isView(part))
      hash.update(`${part.constructor.name} ${part.byteLength}`).update(part as Uint8Array);
    else if (typeof part === 'object' && part !== null)
      for (const [key, inner] of Object.entries(part)) {
        hash.update(`${key}:`);
        add(inner);
      }
    else hash.update(`${typeof part} ${String(part)};`);
  };
  add(value);
  return hash.digest('hex');
}

/** The JSON of a file of either kind. */
export const jsonOf = (bytes: Uint8Array): Json =>
  JSON.parse(new TextDecoder().decode(bytes[0] === 0x67 ? parseGlb(bytes).text : bytes)) as Json;

/** Errors of the validator, as code and kind of place. */
export async function errorsOf(
  bytes: Uint8Array,
  resolve?: (uri: string) => Promise<Uint8Array>,
): Promise<string[]> {
  const report = await validateBytes(Uint8Array.from(bytes), {
    maxIssues: 0,
    writeTimestamp: false,
    ...(resolve ? { externalResourceFunction: resolve } : {}),
  });
  return report.issues.messages.filter((m) => m.severity === 0).map((m) => `${m.code} ${m.pointer ?? ''}`);
}

/** Rotation keys of a node that nods. */
export const swing = (node: number, keys = 4, phase = 0): RotationTrack => {
  const times = Float32Array.from({ length: keys }, (_, i) => i / 30);
  const values = new Float32Array(keys * 4);
  for (let i = 0; i < keys; i++) {
    values[i * 4] = Math.fround(Math.sin(i + phase) / 2);
    values[i * 4 + 3] = Math.fround(Math.sqrt(1 - values[i * 4]! ** 2));
  }
  return { node, times, values };
};
