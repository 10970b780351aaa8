/** Bytes that grow as they are written, and bytes that are read with every length checked. Layouts: docs/replay.md, "Numbers". */
import { FollowthroughError } from '../asset/index.js';

/** Bytes being written. */
export interface Writer {
  /** Room; only the first `length` bytes count. */
  bytes: Uint8Array;
  view: DataView;
  length: number;
}

/** Makes an empty writer. */
export function createWriter(): Writer {
  const bytes = new Uint8Array(256);
  return { bytes, view: new DataView(bytes.buffer), length: 0 };
}

/** What was written, as bytes of its own. */
export function written({ bytes, length }: Writer): Uint8Array {
  return bytes.slice(0, length);
}

function makeRoom(writer: Writer, count: number): void {
  const needed = writer.length + count;
  if (needed <= writer.bytes.length) return;
  const bytes = new Uint8Array(Math.max(needed, 2 * writer.bytes.length));
  bytes.set(writer.bytes);
  writer.bytes = bytes;
  writer.view = new DataView(bytes.buffer);
}

/** One byte. */
export function writeByte(writer: Writer, value: number): void {
  makeRoom(writer, 1);
  writer.bytes[writer.length++] = value;
}

/** A whole number from 0 to 2^53: seven bits per byte, the lowest first, the top bit says that more follow. */
export function writeWhole(writer: Writer, value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    writeByte(writer, (rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  writeByte(writer, rest);
}

/** Four bytes. */
export function writeWord(writer: Writer, value: number): void {
  makeRoom(writer, 4);
  writer.view.setInt32(writer.length, value, true);
  writer.length += 4;
}

/** Bytes behind their number. */
export function writeBytes(writer: Writer, bytes: Uint8Array): void {
  writeWhole(writer, bytes.length);
  makeRoom(writer, bytes.length);
  writer.bytes.set(bytes, writer.length);
  writer.length += bytes.length;
}

const double = new DataView(new ArrayBuffer(8));

/** A double without the zeros at the end of its fraction: how many of its bytes count, then those, the top one first. */
export function writeDouble(writer: Writer, value: number): void {
  double.setFloat64(0, value);
  let count = 8;
  while (count > 0 && double.getUint8(count - 1) === 0) count--;
  writeByte(writer, count);
  for (let i = 0; i < count; i++) writeByte(writer, double.getUint8(i));
}

/** Bytes being read. */
export interface Reader {
  bytes: Uint8Array;
  at: number;
  end: number;
  /** What they are, for messages. */
  what: string;
}

/** Makes a reader. */
export function createReader(bytes: Uint8Array, what: string): Reader {
  return { bytes, at: 0, end: bytes.length, what };
}

/** The error of a reader that finds something else than it must. */
export function broken({ what, at }: Reader, why: string): FollowthroughError {
  return new FollowthroughError('invalid-file', `${what}: ${why} at byte ${at}`);
}

/** One byte. */
export function readByte(reader: Reader): number {
  if (reader.at >= reader.end) throw broken(reader, 'it ends too early');
  return reader.bytes[reader.at++]!;
}

/** See {@link writeWhole}. */
export function readWhole(reader: Reader): number {
  let value = 0;
  let factor = 1;
  for (;;) {
    const byte = readByte(reader);
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) break;
    factor *= 0x80;
    if (factor > 0x2000000000000) throw broken(reader, 'a number has too many bytes');
  }
  if (!Number.isSafeInteger(value)) throw broken(reader, 'a number is too large');
  return value;
}

/** See {@link writeWord}. */
export function readWord(reader: Reader): number {
  let value = 0;
  for (let i = 0; i < 4; i++) value |= readByte(reader) << (8 * i);
  return value;
}

/** See {@link writeBytes}: a part of the reader's own bytes. */
export function readBytes(reader: Reader): Uint8Array {
  const count = readWhole(reader);
  if (count > reader.end - reader.at) throw broken(reader, `${count} bytes do not fit`);
  reader.at += count;
  return reader.bytes.subarray(reader.at - count, reader.at);
}

/** See {@link writeDouble}. */
export function readDouble(reader: Reader): number {
  const count = readByte(reader);
  if (count > 8) throw broken(reader, `a double of ${count} bytes`);
  for (let i = 0; i < 8; i++) double.setUint8(i, i < count ? readByte(reader) : 0);
  return double.getFloat64(0);
}
