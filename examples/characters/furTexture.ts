/**
 * A small greyscale PNG of fur strokes that tiles, made from a seeded generator. Written with stored (uncompressed)
 * deflate blocks, so that the bytes do not depend on any compressor.
 */
const SIZE = 64;

/** Numbers in [0, 1) from a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function furTexture(seed: number): Uint8Array {
  const random = seeded(seed);
  const grey = new Float64Array(SIZE * SIZE).fill(232);
  for (let stroke = 0; stroke < 260; stroke++) {
    const x = Math.floor(random() * SIZE);
    const y = Math.floor(random() * SIZE);
    const tone = random() < 0.5 ? -16 : 12;
    const lean = random() - 0.5;
    for (let n = 0; n < 9; n++) {
      const at = ((y + n) % SIZE) * SIZE + ((x + Math.round(n * lean) + SIZE) % SIZE);
      grey[at] = Math.min(255, Math.max(180, grey[at]! + tone * (1 - n / 9)));
    }
  }
  return greyPng(Uint8Array.from(grey), SIZE, SIZE);
}

function greyPng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(height * (width + 1));
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 0, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', storedZlib(rows)), chunk('IEND', new Uint8Array(0))];
  return concat([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), ...chunks]);
}

/** A zlib stream of one stored block (at most 65,535 bytes). */
function storedZlib(data: Uint8Array): Uint8Array {
  let a = 1;
  let b = 0;
  for (const byte of data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  const size = data.length;
  const head = Uint8Array.of(0x78, 0x01, 0x01, size & 255, size >> 8, ~size & 255, (~size >> 8) & 255);
  return concat([head, data, Uint8Array.of(b >> 8, b & 255, a >> 8, a & 255)]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
