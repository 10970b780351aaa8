/**
 * The bytes behind a file's buffers and buffer views: binary chunk, data URIs, files that the caller resolves,
 * meshopt-compressed views. Every range is checked against what is really there before anything is allocated.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { loadMeshopt, type DecoderOptions } from './decoders.js';
import { meshoptOf, type GltfFile, type UsedParts } from './gltfFile.js';
import { describe, integerAt, memberOf, oneLine, refuse, stringAt, type JsonObject } from './json.js';
import { decodeDataUri, isDataUri } from './uri.js';

/** Fetches a file that a .gltf refers to, by its URI as written (percent-encoded, relative to the .gltf). */
export type ResolveUri = (uri: string) => Promise<Uint8Array>;

/** Bytes of a buffer view and the stride its elements stand at (0: tightly packed). */
export interface View {
  bytes: Uint8Array;
  stride: number;
}

/** Most bytes that a compressed view may unfold to. */
const MAX_UNFOLDED = 2 ** 28;

/**
 * Loads one buffer.
 *
 * @throws FollowthroughError `invalid-file` when it is missing or shorter than it says
 */
async function loadBuffer(
  file: GltfFile,
  index: number,
  resolve: ResolveUri | undefined,
): Promise<Uint8Array> {
  const buffer = file.buffers[index]!;
  const place = `/buffers/${index}`;
  const length = integerAt(buffer, 'byteLength', place, 1, Number.MAX_SAFE_INTEGER);
  const uri = stringAt(buffer, 'uri', place);
  let bytes: Uint8Array | undefined;
  if (uri === undefined) {
    if (index === 0) bytes = file.bin;
    if (bytes === undefined) refuse(place, 'has neither a uri nor a binary chunk');
  } else if (isDataUri(uri)) bytes = decodeDataUri(uri, `${place}/uri`);
  else bytes = await fetchUri(uri, `${place}/uri`, resolve);
  if (bytes.length < length)
    refuse(`${place}/byteLength`, `says ${length} bytes, but there are ${bytes.length}`);
  return bytes.subarray(0, length);
}

/** Fetches a file beside the .gltf, with every failure as one line. */
export async function fetchUri(
  uri: string,
  place: string,
  resolve: ResolveUri | undefined,
): Promise<Uint8Array> {
  if (resolve === undefined)
    refuse(place, `refers to the file ${describe(uri)}, but no way to read it was given (resolve)`);
  let bytes: unknown;
  try {
    bytes = await resolve(uri);
  } catch (error) {
    refuse(
      place,
      `the file ${describe(uri)} cannot be read, ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  throw new FollowthroughError('invalid-argument', oneLine(`resolve(${describe(uri)}) gave no bytes`));
}

/** Loads the buffers that are used. */
export async function loadBuffers(
  file: GltfFile,
  used: UsedParts,
  resolve: ResolveUri | undefined,
): Promise<Map<number, Uint8Array>> {
  const buffers = new Map<number, Uint8Array>();
  for (const index of used.buffers) buffers.set(index, await loadBuffer(file, index, resolve));
  return buffers;
}

/** Unpacks the views that are used. */
export async function loadViews(
  file: GltfFile,
  used: UsedParts,
  buffers: ReadonlyMap<number, Uint8Array>,
  decoders: DecoderOptions,
): Promise<Map<number, View>> {
  const views = new Map<number, View>();
  for (const index of used.bufferViews) {
    const view = file.bufferViews[index]!;
    const place = `/bufferViews/${index}`;
    const compressed = meshoptOf(view, place);
    if (compressed === undefined) {
      const stride = integerAt(view, 'byteStride', place, 4, 252, 0);
      views.set(index, { bytes: slice(view, place, buffers), stride });
    } else views.set(index, await unpack(compressed, place, buffers, decoders));
  }
  return views;
}

function slice(view: JsonObject, place: string, buffers: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const index = memberOf(view, 'buffer');
  const buffer = typeof index === 'number' ? buffers.get(index) : undefined;
  if (buffer === undefined) return refuse(`${place}/buffer`, 'is missing');
  const offset = integerAt(view, 'byteOffset', place, 0, Number.MAX_SAFE_INTEGER, 0);
  const length = integerAt(view, 'byteLength', place, 1, Number.MAX_SAFE_INTEGER);
  if (offset + length > buffer.length)
    refuse(place, `ends at byte ${offset + length}, but buffer ${index} has ${buffer.length}`);
  return buffer.subarray(offset, offset + length);
}

async function unpack(
  packed: JsonObject,
  place: string,
  buffers: ReadonlyMap<number, Uint8Array>,
  decoders: DecoderOptions,
): Promise<View> {
  const inside = `${place}/extensions/meshopt_compression`;
  const source = slice(packed, inside, buffers);
  const stride = integerAt(packed, 'byteStride', inside, 1, 256);
  const count = integerAt(packed, 'count', inside, 1, Math.floor(MAX_UNFOLDED / stride));
  const mode = stringAt(packed, 'mode', inside) ?? '';
  const filter = stringAt(packed, 'filter', inside) ?? 'NONE';
  const decoder = await loadMeshopt(decoders);
  const bytes = new Uint8Array(count * stride);
  try {
    decoder.decodeGltfBuffer(bytes, count, stride, source, mode, filter);
  } catch {
    refuse(inside, `${count} elements of ${stride} bytes (${mode}, ${filter}) cannot be decoded`);
  }
  return { bytes, stride };
}
