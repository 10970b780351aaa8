/**
 * Changing a glTF file without rewriting it: what is new is appended, what is old keeps its index, its bytes and
 * its place in the JSON, known or unknown. A patch that changed nothing gives the file back as it came.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { fetchUri, type ResolveUri } from './buffers.js';
import { parseContainer, parseGltfJson, type Container } from './container.js';
import { isObject, listAt, memberOf, objectsAt, oneLine, refuse, type JsonObject } from './json.js';
import { asBytes } from './load.js';
import { decodeDataUri, isDataUri } from './uri.js';

/** Component arrays that can be appended. */
export type PatchData = Float32Array | Uint32Array | Uint16Array | Int16Array | Uint8Array | Int8Array;

/** Type of an appended accessor. */
export type PatchType = 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4';

/** A file that is being changed; made by {@link openPatch}, changed by the functions, written by `writePatch`. */
export interface GltfPatch {
  /** The file as it came. */
  readonly original: Uint8Array;
  /** Its parts. */
  readonly container: Container;
  /** Its JSON as it came. */
  readonly before: JsonObject;
  /** The JSON, free to edit; append to its lists, never insert or remove. */
  readonly json: JsonObject;
  /** External files by URI; a string says why one could not be read. */
  readonly files: ReadonlyMap<string, Uint8Array | string>;
  /** Buffers whose bytes were overwritten, by index; the binary chunk is buffer 0 of a GLB. */
  readonly overwritten: Map<number, Uint8Array>;
  /** What was appended: index of the buffer view, and its bytes (they follow each other at multiples of four). */
  readonly appended: Map<number, Uint8Array>;
}

/** How to open a patch. */
export interface OpenPatchOptions {
  /** Reads the files that a .gltf refers to; needed to write such a file as .glb. */
  resolve?: ResolveUri;
}

/**
 * Opens a file for changes.
 *
 * @throws FollowthroughError `invalid-file` or `unsupported-file` when it is no glTF 2 file
 */
export async function openPatch(
  bytes: Uint8Array | ArrayBuffer,
  options: OpenPatchOptions = {},
): Promise<GltfPatch> {
  const original = asBytes(bytes);
  const container = parseContainer(original);
  const json = parseGltfJson(container.text);
  const files = new Map<string, Uint8Array | string>();
  for (const key of ['buffers', 'images']) {
    for (const [i, item] of objectsAt(json, key, '').entries()) {
      const uri = memberOf(item, 'uri');
      if (typeof uri !== 'string' || !isRelative(uri) || files.has(uri)) continue;
      try {
        files.set(uri, await fetchUri(uri, `/${key}/${i}/uri`, options.resolve));
      } catch (error) {
        files.set(uri, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return {
    original,
    container,
    before: parseGltfJson(container.text),
    json,
    files,
    overwritten: new Map(),
    appended: new Map(),
  };
}

/** True for a URI that names a file beside the .gltf. */
export function isRelative(uri: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:/i.test(uri) && !uri.startsWith('//');
}

/** The list `key` of an object, made when missing. */
export function listOf(owner: JsonObject, key: string, place: string): JsonObject[] {
  const list = listAt(owner, key, place) as JsonObject[];
  if (memberOf(owner, key) === undefined) owner[key] = list;
  return list;
}

/** One object of a top-level list, undefined when there is none at that index. */
export function itemOf(patch: GltfPatch, key: string, index: unknown): JsonObject | undefined {
  const list = memberOf(patch.json, key);
  const item: unknown = Array.isArray(list) && typeof index === 'number' ? list[index] : undefined;
  return isObject(item) ? item : undefined;
}

const WIDTHS: Readonly<Record<PatchType, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

function componentTypeOf(data: PatchData): number {
  if (data instanceof Float32Array) return 5126;
  if (data instanceof Uint32Array) return 5125;
  if (data instanceof Uint16Array) return 5123;
  if (data instanceof Int16Array) return 5122;
  return data instanceof Uint8Array ? 5121 : 5120;
}

/** Little-endian bytes of component data, copied. */
export function bytesOf(data: PatchData): Uint8Array {
  const bytes = new Uint8Array(data.byteLength);
  const view = new DataView(bytes.buffer);
  if (data instanceof Float32Array) data.forEach((value, i) => view.setFloat32(i * 4, value, true));
  else if (data instanceof Uint32Array) data.forEach((value, i) => view.setUint32(i * 4, value, true));
  else if (data instanceof Uint16Array) data.forEach((value, i) => view.setUint16(i * 2, value, true));
  else if (data instanceof Int16Array) data.forEach((value, i) => view.setInt16(i * 2, value, true));
  else bytes.set(data);
  return bytes;
}

/** Smallest and largest value per component. */
export function boundsOf(data: PatchData, width: number): { min: number[]; max: number[] } {
  const min = Array.from<number>({ length: width }).fill(Infinity);
  const max = Array.from<number>({ length: width }).fill(-Infinity);
  data.forEach((value, i) => {
    min[i % width] = Math.min(min[i % width]!, value);
    max[i % width] = Math.max(max[i % width]!, value);
  });
  return { min, max };
}

/**
 * Appends a buffer view.
 *
 * @param bytes - what it holds; not copied
 * @param members - further members, such as `target`
 * @returns index of the view
 */
export function appendView(patch: GltfPatch, bytes: Uint8Array, members: JsonObject = {}): number {
  const views = listOf(patch.json, 'bufferViews', '');
  const view = views.length;
  // Which buffer it ends up in, and where, is known only when the kind of the output is.
  views.push({ buffer: 0, byteOffset: 0, byteLength: bytes.length, ...members });
  patch.appended.set(view, bytes);
  return view;
}

/**
 * Appends an accessor with a buffer view of its own.
 *
 * @param data - components, `count x width`; copied
 * @param bounds - whether to write min and max (animation inputs and positions must have them)
 * @returns index of the accessor
 */
export function appendAccessor(patch: GltfPatch, data: PatchData, type: PatchType, bounds = false): number {
  const width = WIDTHS[type];
  if (data.length === 0 || data.length % width !== 0)
    throw new FollowthroughError('invalid-argument', `data: ${data.length} components make no ${type}`);
  const accessor: JsonObject = {
    bufferView: appendView(patch, bytesOf(data)),
    componentType: componentTypeOf(data),
    count: data.length / width,
    type,
  };
  if (bounds) Object.assign(accessor, boundsOf(data, width));
  const accessors = listOf(patch.json, 'accessors', '');
  accessors.push(accessor);
  return accessors.length - 1;
}

/** The bytes of a buffer as they stand now, undefined when they are not known. */
export function bufferBytes(patch: GltfPatch, index: number): Uint8Array | undefined {
  const overwritten = patch.overwritten.get(index);
  if (overwritten) return overwritten;
  const buffer = itemOf(patch, 'buffers', index);
  const uri = buffer && memberOf(buffer, 'uri');
  if (uri === undefined) return index === 0 ? patch.container.bin : undefined;
  if (typeof uri !== 'string') return refuse(`/buffers/${index}/uri`, 'expected a string');
  if (isDataUri(uri)) return decodeDataUri(uri, `/buffers/${index}/uri`);
  const file = patch.files.get(uri);
  return file instanceof Uint8Array ? file : undefined;
}

/** The place of a buffer view: its bytes now, and whether they may be overwritten. */
export function viewBytes(
  patch: GltfPatch,
  index: number,
): { bytes: Uint8Array; writable: boolean } | undefined {
  const appended = patch.appended.get(index);
  if (appended) return { bytes: appended, writable: true };
  const view = itemOf(patch, 'bufferViews', index);
  const buffer = view && memberOf(view, 'buffer');
  if (!view || typeof buffer !== 'number' || isObject(view['extensions'])) return undefined;
  const bytes = bufferBytes(patch, buffer);
  const offset = (view['byteOffset'] ?? 0) as number;
  const length = view['byteLength'] as number;
  if (!bytes || !(offset + length <= bytes.length)) return undefined;
  const uri = itemOf(patch, 'buffers', buffer)?.['uri'];
  // A file beside the .gltf may belong to others, too.
  const writable = uri === undefined || (typeof uri === 'string' && isDataUri(uri));
  return { bytes: bytes.subarray(offset, offset + length), writable };
}

/** Overwrites the start of a buffer view that {@link viewBytes} calls writable. */
export function overwriteView(patch: GltfPatch, index: number, bytes: Uint8Array): void {
  const appended = patch.appended.get(index);
  if (appended) {
    appended.set(bytes);
    return;
  }
  const view = itemOf(patch, 'bufferViews', index)!;
  const buffer = view['buffer'] as number;
  let copy = patch.overwritten.get(buffer);
  if (!copy) {
    const now = bufferBytes(patch, buffer);
    if (!now) throw new FollowthroughError('invalid-file', oneLine(`/buffers/${buffer}: has no bytes`));
    patch.overwritten.set(buffer, (copy = now.slice()));
  }
  copy.set(bytes, (view['byteOffset'] ?? 0) as number);
}
