/**
 * A replay as bytes (docs/replay.md, "Replay"): the assets it needs, a snapshot to begin with, then per tick what was done
 * before it and a sum over every column and every chain after it; more snapshots now and then, to begin at.
 */
import { FollowthroughError, type Asset } from '../asset/index.js';
import { padded } from '../components/columnList.js';
import {
  broken,
  createReader,
  createWriter,
  readByte,
  readBytes,
  readWhole,
  readWord,
  writeByte,
  writeBytes,
  writeWhole,
  writeWord,
  written,
  type Reader,
  type Writer,
} from './bytes.js';
import { carried, checkAsset } from './checkAsset.js';
import { headerBytes, openBytes, readTree, seal, writeHeader } from './format.js';
import { packTree } from './packTree.js';
import { hashedColumns } from './rows.js';

const at = { tree: headerBytes, interval: 44, hash: 48, firstTick: 56, ticks: 64, body: 72 } as const;
/** What a record begins with. */
const op = { end: 0, keyframe: 1, inputs: 2, sums: 3 } as const;
/** Sums over a state, 32 bits each: what tells which column and which chain differ. */
export interface StateSums {
  /** Per column of `hashedColumns`. */
  columns: Int32Array;
  /** Per chain, by stable id. */
  chains: Int32Array;
}

/** The records of a replay being written, and the sums of the last tick, of which only what changed is written. */
export interface ReplayStream {
  writer: Writer;
  last: StateSums;
}

/** Begins a stream. */
export function createStream(): ReplayStream {
  return { writer: createWriter(), last: noSums() };
}

function noSums(): StateSums {
  return { columns: new Int32Array(hashedColumns.length), chains: new Int32Array(0) };
}

/** Writes a snapshot of the world as it stands between two ticks. */
export function writeKeyframe({ writer }: ReplayStream, bytes: Uint8Array): void {
  writeByte(writer, op.keyframe);
  writeBytes(writer, bytes);
}

/** Writes one tick: what was done before it, if anything was, and the sums after it. */
export function writeTick(stream: ReplayStream, inputs: Uint8Array | undefined, sums: StateSums): void {
  const { writer, last } = stream;
  if (inputs) {
    writeByte(writer, op.inputs);
    writeBytes(writer, inputs);
  }
  writeByte(writer, op.sums);
  writeChanged(writer, sums.columns, last.columns);
  writeWhole(writer, sums.chains.length);
  writeChanged(writer, sums.chains, last.chains);
  stream.last = sums;
}

/** Writes the words that differ from those at the same place before: skip + 1 and the word, then 0. */
function writeChanged(writer: Writer, words: Int32Array, before: Int32Array): void {
  let next = 0;
  for (const [i, word] of words.entries()) {
    if (word === before[i]) continue;
    writeWhole(writer, i - next + 1);
    writeWord(writer, word);
    next = i + 1;
  }
  writeWhole(writer, 0);
}

/** What a replay says of itself. */
export interface ReplayHead {
  tickRate: number;
  /** Ticks that had run when it began. */
  firstTick: number;
  /** How many it runs. */
  ticks: number;
  /** A snapshot stands every so many ticks. */
  interval: number;
  /** Hash of the world at its end. */
  hash: bigint;
}

/** Puts a replay together. */
export function closeStream(
  { writer }: ReplayStream,
  head: ReplayHead,
  assets: readonly Asset[],
): Uint8Array {
  writeByte(writer, op.end);
  const stream = written(writer);
  const tree = packTree({ assets: assets.map((asset) => carried(asset)) });
  const start = at.body + padded(tree.length);
  const bytes = new Uint8Array(padded(start + stream.length));
  const view = new DataView(bytes.buffer);
  writeHeader(view, 'replay', head.tickRate);
  view.setUint32(at.tree, tree.length, true);
  view.setUint32(at.interval, head.interval, true);
  view.setBigUint64(at.hash, head.hash, true);
  view.setFloat64(at.firstTick, head.firstTick, true);
  view.setFloat64(at.ticks, head.ticks, true);
  bytes.set(tree, at.body);
  bytes.set(stream, start);
  seal(bytes);
  return bytes;
}

/** A replay that was read: parts of its bytes. */
export interface ReplayFile extends ReplayHead {
  assets: Asset[];
  /** Snapshots, the first at `firstTick`. */
  keyframes: { tick: number; bytes: Uint8Array }[];
  /** Per tick from `firstTick` on: what was done before it. */
  inputs: (Uint8Array | undefined)[];
  /** Per tick: its sums, of which only the changes are written; see {@link sumsAfter}. */
  sums: Uint8Array[];
}

/**
 * Reads a replay.
 *
 * @throws FollowthroughError `invalid-file`, `unsupported-file`
 */
export function readReplay(given: Uint8Array): ReplayFile {
  const opened = openBytes(given, 'replay');
  const { bytes, view, tickRate } = opened;
  const { tree, end } = readTree(opened, 'replay', at.tree, at.body);
  const { assets } = Object(tree) as { assets?: unknown };
  if (!Array.isArray(assets)) throw new FollowthroughError('invalid-file', 'replay: its assets are broken');
  const file: ReplayFile = {
    tickRate,
    firstTick: view.getFloat64(at.firstTick, true),
    ticks: view.getFloat64(at.ticks, true),
    interval: view.getUint32(at.interval, true),
    hash: view.getBigUint64(at.hash, true),
    assets: assets.map((asset) => checkAsset(asset)),
    keyframes: [],
    inputs: [],
    sums: [],
  };
  readStream(createReader(bytes.subarray(end), 'replay'), file);
  return file;
}

function readStream(reader: Reader, file: ReplayFile): void {
  let sums = noSums();
  let inputs: Uint8Array | undefined;
  for (let kind = readByte(reader); kind !== op.end; kind = readByte(reader)) {
    if (kind === op.keyframe)
      file.keyframes.push({ tick: file.firstTick + file.sums.length, bytes: readBytes(reader) });
    else if (kind === op.inputs) inputs = readBytes(reader);
    else if (kind === op.sums) {
      const start = reader.at;
      sums = readSums(reader, sums);
      file.inputs.push(inputs);
      file.sums.push(reader.bytes.subarray(start, reader.at));
      inputs = undefined;
    } else throw broken(reader, `unknown record ${kind}`);
  }
  const end = file.firstTick + file.sums.length;
  if (!(Number.isSafeInteger(end) && file.firstTick >= 0 && Number.isInteger(file.firstTick)))
    throw broken(reader, `it begins at tick ${file.firstTick}`);
  if (file.keyframes[0]?.tick !== file.firstTick || file.sums.length !== file.ticks)
    throw broken(reader, `${file.sums.length} ticks, expected ${file.ticks} behind a snapshot`);
}

/** The sums of a tick, from those of the tick before it. */
export function sumsAfter(bytes: Uint8Array, last: StateSums | undefined): StateSums {
  return readSums(createReader(bytes, 'replay'), last ?? noSums());
}

function readSums(reader: Reader, last: StateSums): StateSums {
  const columns = last.columns.slice();
  readChanged(reader, columns, columns.length);
  const count = readWhole(reader);
  // A chain that was not there before has its sum among those that changed.
  if (count > last.chains.length + (reader.end - reader.at) / 5)
    throw broken(reader, `${count} chains do not fit`);
  const chains = new Int32Array(count);
  chains.set(last.chains.subarray(0, count));
  const fresh = readChanged(reader, chains, last.chains.length);
  if (fresh !== Math.max(0, count - last.chains.length)) throw broken(reader, 'a chain has no sum');
  return { columns, chains };
}

/** Reads words that changed; returns how many of them stand behind the first `known`. */
function readChanged(reader: Reader, words: Int32Array, known: number): number {
  let next = 0;
  let fresh = 0;
  for (let skip = readWhole(reader); skip !== 0; skip = readWhole(reader)) {
    const i = next + skip - 1;
    if (i >= words.length) throw broken(reader, `there is no sum ${i}`);
    words[i] = readWord(reader);
    if (i >= known) fresh++;
    next = i + 1;
  }
  return fresh;
}
