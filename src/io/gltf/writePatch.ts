/**
 * Writing a patch as .glb or .gltf. Buffers keep their index; what was appended goes
 * behind the binary chunk of a GLB, else into one new buffer.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { padded, writeGlb } from './container.js';
import { describe, memberOf, objectsAt, oneLine, type JsonObject } from './json.js';
import { rewriteJson, sameJson } from './jsonText.js';
import { bufferBytes, isRelative, type GltfPatch } from './patch.js';
import { encodeDataUri } from './uri.js';

const BINARY = 'application/octet-stream';

/** How to write a patch. */
export interface WritePatchOptions {
  /**
   * Whether a .gltf takes in the files it refers to, as data URIs, so that it can stand in another folder than the
   * input. Default false: it goes on referring to them. A .glb always takes them in.
   */
  embed?: boolean;
}

/** The output while it is laid out. */
interface Layout {
  json: JsonObject;
  buffers: JsonObject[];
  bufferViews: JsonObject[];
  /** Bytes to append, by buffer view. */
  pieces: Map<number, Uint8Array>;
  /** Binary chunk, undefined when there is none (yet). */
  bin: Uint8Array | undefined;
}

/**
 * Writes the file with its changes. The patch itself stays as it is, so it can be written in both forms. Without
 * changes, and in the form it came in, the very bytes of the file come back.
 *
 * @param format - container of the output. A .gltf written as `glb` takes its buffers and its relative image
 * files inside; a .glb written as `gltf` holds its binary chunk as a data URI (chunks that glTF 2 does not know
 * are lost).
 * @throws FollowthroughError `invalid-file` when an external file that must be taken inside could not be read
 */
export function writePatch(
  patch: GltfPatch,
  format: 'glb' | 'gltf',
  options: WritePatchOptions = {},
): Uint8Array {
  try {
    return write(patch, format, options.embed === true);
  } catch (error) {
    if (error instanceof FollowthroughError) throw error;
    // How deep extras nest is the file's choice.
    const why = error instanceof Error ? error.message : String(error);
    throw new FollowthroughError('invalid-file', oneLine(`the file cannot be written, ${why}`));
  }
}

function write(patch: GltfPatch, format: 'glb' | 'gltf', embed: boolean): Uint8Array {
  const { container, before, appended, overwritten } = patch;
  const untouched = appended.size === 0 && overwritten.size === 0 && sameJson(before, patch.json);
  if (untouched && format === container.format && !embed) return patch.original.slice();
  const layout = open(patch);
  if (format === 'glb') moveInside(patch, layout);
  else moveOutside(patch, layout, embed);
  append(layout, format);
  for (const key of ['buffers', 'bufferViews'] as const)
    if (layout[key].length > 0) layout.json[key] = layout[key];
  const text = new TextEncoder().encode(
    rewriteJson(new TextDecoder().decode(container.text), before, layout.json),
  );
  return format === 'glb' ? writeGlb(text, layout.bin, container.rest) : text;
}

/** Copies what is changed here, so that the patch is not. */
function open(patch: GltfPatch): Layout {
  const json = { ...patch.json };
  const copy = (key: string): JsonObject[] => objectsAt(json, key, '').map((item) => ({ ...item }));
  if (json['images'] !== undefined) json['images'] = copy('images');
  return {
    json,
    buffers: copy('buffers'),
    bufferViews: copy('bufferViews'),
    pieces: new Map(patch.appended),
    bin: undefined,
  };
}

function moveInside(patch: GltfPatch, layout: Layout): void {
  const { buffers } = layout;
  layout.bin = patch.container.bin;
  buffers.forEach((buffer, i) => {
    const uri = memberOf(buffer, 'uri');
    const isFirst = i === 0 && (uri === undefined || patch.container.format === 'gltf');
    if (isFirst) {
      layout.bin = uri === undefined ? bufferBytes(patch, 0) : needed(patch, i, buffer);
      delete buffer['uri'];
    } else if (typeof uri === 'string' && (isRelative(uri) || patch.overwritten.has(i)))
      buffer['uri'] = encodeDataUri(needed(patch, i, buffer), BINARY);
  });
  eachImageFile(patch, layout, (image, bytes) => {
    delete image['uri'];
    image['bufferView'] = layout.bufferViews.length;
    image['mimeType'] ??= mimeTypeOf(bytes);
    layout.pieces.set(layout.bufferViews.length, bytes);
    layout.bufferViews.push({ buffer: 0, byteOffset: 0, byteLength: bytes.length });
  });
}

function moveOutside(patch: GltfPatch, layout: Layout, embed: boolean): void {
  layout.buffers.forEach((buffer, i) => {
    const uri = memberOf(buffer, 'uri');
    const fromChunk = i === 0 && uri === undefined && patch.container.bin !== undefined;
    const file = embed && typeof uri === 'string' && isRelative(uri);
    if (fromChunk || file || patch.overwritten.has(i))
      buffer['uri'] = encodeDataUri(needed(patch, i, buffer), BINARY);
  });
  if (!embed) return;
  eachImageFile(patch, layout, (image, bytes) => {
    image['uri'] = encodeDataUri(bytes, (image['mimeType'] as string | undefined) ?? mimeTypeOf(bytes));
  });
}

function eachImageFile(
  patch: GltfPatch,
  layout: Layout,
  take: (image: JsonObject, bytes: Uint8Array) => void,
): void {
  objectsAt(layout.json, 'images', '').forEach((image, i) => {
    const uri = memberOf(image, 'uri');
    if (typeof uri !== 'string' || !isRelative(uri)) return;
    const bytes = patch.files.get(uri);
    if (!(bytes instanceof Uint8Array)) throw missing(`/images/${i}/uri`, uri, bytes);
    take(image, bytes);
  });
}

/** Gives the appended views their place. */
function append(layout: Layout, format: 'glb' | 'gltf'): void {
  const { pieces, buffers, bufferViews } = layout;
  if (pieces.size === 0) return;
  const first = buffers[0];
  const behindChunk =
    format === 'glb' && (!first || (memberOf(first, 'uri') === undefined && layout.bin !== undefined));
  const old = behindChunk ? layout.bin : undefined;
  const target = behindChunk ? 0 : buffers.length;
  let length = padded(old?.length ?? 0);
  for (const [view, bytes] of pieces) {
    Object.assign(bufferViews[view]!, { buffer: target, byteOffset: length });
    length += padded(bytes.length);
  }
  const joined = new Uint8Array(length);
  if (old) joined.set(old);
  for (const [view, bytes] of pieces) joined.set(bytes, bufferViews[view]!['byteOffset'] as number);
  if (!behindChunk) buffers.push({ byteLength: length, uri: encodeDataUri(joined, BINARY) });
  else {
    layout.bin = joined;
    if (first) first['byteLength'] = length;
    else buffers.push({ byteLength: length });
  }
}

function needed(patch: GltfPatch, index: number, buffer: JsonObject): Uint8Array {
  const bytes = bufferBytes(patch, index);
  const uri = memberOf(buffer, 'uri');
  if (!bytes) throw missing(`/buffers/${index}/uri`, uri, patch.files.get(uri as string));
  const length = buffer['byteLength'];
  return typeof length === 'number' ? bytes.subarray(0, length) : bytes;
}

function missing(place: string, uri: unknown, why: unknown): FollowthroughError {
  const reason = typeof why === 'string' ? why : `the file ${describe(uri)} was not read`;
  return new FollowthroughError(
    'invalid-file',
    oneLine(reason.startsWith(place) ? reason : `${place}: ${reason}`),
  );
}

const SIGNATURES: readonly (readonly [string, number, readonly number[]])[] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
  ['image/ktx2', 0, [0xab, 0x4b, 0x54, 0x58]],
  ['image/avif', 4, [0x66, 0x74, 0x79, 0x70]],
];

function mimeTypeOf(bytes: Uint8Array): string {
  const found = SIGNATURES.find(([, at, letters]) => letters.every((letter, i) => bytes[at + i] === letter));
  return found ? found[0] : 'image/png';
}
