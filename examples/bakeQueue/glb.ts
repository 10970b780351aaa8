/**
 * The two chunks of a GLB (glTF 2.0, "GLB File Format Specification"): JSON, and the bytes behind it.
 */

/** JSON of a glTF, as far as it is looked at here. */
export interface GltfJson {
  /** Animations. */
  animations?: { samplers: { input: number; output: number }[] }[];
  /** Accessors. */
  accessors?: { bufferView?: number }[];
  /** Parts of the buffers. */
  bufferViews?: { buffer: number; byteOffset?: number }[];
  /** Buffers; the first one is the binary chunk. */
  buffers?: { byteLength: number }[];
  /** Nodes. */
  nodes?: object[];
}

/** A GLB, taken apart. */
export interface Glb {
  /** Its JSON. */
  json: GltfJson;
  /** Its binary chunk. */
  bin: Uint8Array;
}

const [JSON_CHUNK, BIN_CHUNK] = [0x4e4f534a, 0x004e4942];

/** Takes a GLB apart. */
export function parseGlb(bytes: Uint8Array): Glb {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textEnd = 20 + view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, textEnd))) as GltfJson;
  const hasBin = textEnd < bytes.length && view.getUint32(textEnd + 4, true) === BIN_CHUNK;
  const binEnd = hasBin ? textEnd + 8 + view.getUint32(textEnd, true) : textEnd;
  return { json, bin: bytes.subarray(hasBin ? textEnd + 8 : textEnd, binEnd) };
}

/** Puts a GLB together; `bin` is a multiple of four bytes long. */
export function writeGlb({ json, bin }: Glb): Uint8Array {
  const text = new TextEncoder().encode(stringify(json));
  const textLength = Math.ceil(text.length / 4) * 4;
  const bytes = new Uint8Array(12 + 8 + textLength + 8 + bin.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, textLength, JSON_CHUNK].forEach((word, i) =>
    view.setUint32(4 * i, word, true),
  );
  bytes.fill(0x20, 20, 20 + textLength).set(text, 20);
  view.setUint32(20 + textLength, bin.length, true);
  view.setUint32(24 + textLength, BIN_CHUNK, true);
  bytes.set(bin, 28 + textLength);
  return bytes;
}

/** JSON in which a minus zero stays one. */
function stringify(json: GltfJson): string {
  const mark = '\u0000-0';
  return JSON.stringify(json, (_, value: unknown) => (Object.is(value, -0) ? mark : value)).replaceAll(
    JSON.stringify(mark),
    '-0',
  );
}
