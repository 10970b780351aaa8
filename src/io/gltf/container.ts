/**
 * The GLB container (glTF 2.0, section 4.4): header, JSON chunk, binary chunk, and whatever chunks follow.
 * Parsing copies nothing; writing pads to four bytes, JSON with spaces, binary with zeros.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { isObject, oneLine, refuse, type JsonObject } from './json.js';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** The parts of a GLB or .gltf file. */
export interface Container {
  /** What the file was. */
  format: 'glb' | 'gltf';
  /** Bytes of the JSON text as stored, without the padding of its chunk. */
  text: Uint8Array;
  /** The binary chunk as stored (its padding included), undefined when there is none. */
  bin: Uint8Array | undefined;
  /** Everything behind the binary chunk (or behind the JSON chunk): chunk headers and bytes, as stored. */
  rest: Uint8Array;
}

/** True when the bytes begin as a GLB does. */
export function isGlb(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 4 && bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes[3] === 0x46
  );
}

/**
 * Splits a GLB into its chunks.
 *
 * @throws FollowthroughError `invalid-file` when the header, a length or the order of chunks is wrong,
 * `unsupported-file` for a container version other than 2
 */
export function parseGlb(bytes: Uint8Array): Container {
  if (!isGlb(bytes)) refuse('byte 0', 'not a GLB file, expected the letters glTF');
  if (bytes.length < 20)
    refuse(`byte ${bytes.length}`, 'the file ends inside its header, expected 20 bytes or more');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(4, true);
  if (version !== 2)
    throw new FollowthroughError('unsupported-file', `byte 4: GLB version ${version}, expected 2`);
  const end = view.getUint32(8, true);
  if (end > bytes.length) refuse('byte 8', `says ${end} bytes, but the file has ${bytes.length}`);
  const length = chunkLength(view, 12, end);
  if (view.getUint32(16, true) !== JSON_CHUNK) refuse('byte 16', 'expected the JSON chunk first');
  let at = 20 + length;
  const text = trimmed(bytes.subarray(20, at));
  let bin: Uint8Array | undefined;
  if (at + 8 <= end && view.getUint32(at + 4, true) === BIN_CHUNK) {
    const binLength = chunkLength(view, at, end);
    bin = bytes.subarray(at + 8, at + 8 + binLength);
    at += 8 + binLength;
  }
  for (let next = at; next < end;) next += 8 + chunkLength(view, next, end);
  return { format: 'glb', text, bin, rest: bytes.subarray(at, end) };
}

function chunkLength(view: DataView, at: number, end: number): number {
  if (at + 8 > end) refuse(`byte ${at}`, 'a chunk header runs past the end of the file');
  const length = view.getUint32(at, true);
  if (length > end - at - 8) refuse(`byte ${at}`, `a chunk of ${length} bytes runs past the end of the file`);
  return length;
}

function trimmed(text: Uint8Array): Uint8Array {
  let end = text.length;
  while (end > 0 && (text[end - 1] === 0x20 || text[end - 1] === 0)) end--;
  return text.subarray(0, end);
}

/** Takes a file of either kind apart. */
export function parseContainer(bytes: Uint8Array): Container {
  if (isGlb(bytes)) return parseGlb(bytes);
  if (bytes.length === 0) refuse('byte 0', 'the file is empty');
  return { format: 'gltf', text: bytes, bin: undefined, rest: bytes.subarray(bytes.length) };
}

/**
 * Joins the chunks of a GLB.
 *
 * @param text - the JSON text, without padding
 * @param bin - the binary chunk; undefined or empty: none is written
 * @param rest - whole further chunks, as {@link Container.rest} holds them
 */
export function writeGlb(text: Uint8Array, bin?: Uint8Array, rest?: Uint8Array): Uint8Array {
  const jsonLength = padded(text.length);
  const binLength = bin === undefined || bin.length === 0 ? 0 : padded(bin.length);
  const size = 20 + jsonLength + (binLength > 0 ? 8 + binLength : 0) + (rest?.length ?? 0);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, size, true);
  view.setUint32(12, jsonLength, true);
  view.setUint32(16, JSON_CHUNK, true);
  out.set(text, 20);
  out.fill(0x20, 20 + text.length, 20 + jsonLength);
  let at = 20 + jsonLength;
  if (bin !== undefined && binLength > 0) {
    view.setUint32(at, binLength, true);
    view.setUint32(at + 4, BIN_CHUNK, true);
    out.set(bin, at + 8);
    at += 8 + binLength;
  }
  if (rest !== undefined) out.set(rest, at);
  return out;
}

/** The next multiple of four. */
export function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

/**
 * Parses the JSON text of a file and checks that it calls itself glTF 2.
 *
 * @throws FollowthroughError `invalid-file` or, for another major version, `unsupported-file`
 */
export function parseGltfJson(text: Uint8Array): JsonObject {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(text));
  } catch (error) {
    refuse('JSON', `cannot be parsed, ${error instanceof Error ? error.message : 'too large'}`);
  }
  if (!isObject(json)) return refuse('JSON', 'expected an object');
  const asset = json['asset'];
  if (!isObject(asset)) return refuse('/asset', 'expected an object with the version');
  const version = asset['version'];
  if (typeof version !== 'string') return refuse('/asset/version', "expected '2.0'");
  const minimum = asset['minVersion'];
  const needed = typeof minimum === 'string' ? minimum : '2.0';
  if (!/^2\.\d+$/.test(version) || needed !== '2.0')
    throw new FollowthroughError(
      'unsupported-file',
      oneLine(`/asset: version ${version.slice(0, 20)}, least version ${needed.slice(0, 20)}, expected 2.0`),
    );
  return json;
}
