/**
 * One number of 64 bits for the state of a world, made of one number per column (docs/replay.md, "Hash"). Two worlds with
 * equal hashes go on alike under the same inputs, whatever engine they run in.
 */
import { columnOf } from '../components/arena.js';
import type { Views } from '../components/stores.js';
import {
  createHash,
  finishHash,
  hashDoubles,
  hashValue,
  hashWords,
  startHash,
  type HashLanes,
} from '../math/index.js';
import type { World } from '../setup/world.js';
import { columnName, hashedColumns, usedRows, usedWords } from './rows.js';

const lanes = createHash();
const sums = new Int32Array(hashedColumns.length * 2);

/**
 * Hash of a world's state: everything that a tick changes or that a game hands in between ticks, over the rows in use.
 * Options, shapes and what can be rebuilt are left out, and so is the real time that `advance` has not yet run; -0 counts
 * as 0.
 *
 * @example
 * if (hash(world) !== fromServer) resync();
 */
export function hash(world: World): bigint {
  writeColumnSums(world.views, sums);
  return rootOf(sums);
}

/** A hash as files and people write it: 16 hex digits. */
export function hashText(value: bigint): string {
  return value.toString(16).padStart(16, '0');
}

/** The hashes that {@link hash} is made of, by column (`particle.position`), to see what differs. */
export function columnHashes(world: World): Map<string, bigint> {
  const parts = new Int32Array(sums.length);
  writeColumnSums(world.views, parts);
  return new Map(
    hashedColumns.map((column, i) => [columnName(column), hashValue(parts.subarray(2 * i, 2 * i + 2))]),
  );
}

/** Hash of the hashes of all columns. */
function rootOf(columnSums: Int32Array): bigint {
  hashWords(startHash(lanes), columnSums, 0, columnSums.length);
  finishHash(lanes);
  return hashValue(lanes);
}

/**
 * Writes the hash of each column.
 *
 * @param out - two words per column of {@link hashedColumns}, low half first
 */
export function writeColumnSums(views: Views, out: Int32Array): void {
  const rows = usedRows(views);
  for (const [i, column] of hashedColumns.entries()) {
    const words = usedWords(views, column, rows[column.store]);
    startHash(lanes);
    if (column.type === 'f64') hashDoubles(lanes, words, 0, words.length);
    else hashWords(lanes, words, 0, words.length);
    finishHash(lanes);
    out[2 * i] = lanes[0]!;
    out[2 * i + 1] = lanes[1]!;
  }
}

const single = new Int32Array(2);
const chainColumns = hashedColumns.filter(({ store }) => store === 'chain');
const particleColumns = hashedColumns.filter(({ store }) => store === 'particle');

/** Hash of one chain's state, that of its links included; 32 bits. */
export function chainSum(views: Views, row: number): number {
  const { chain } = views;
  startHash(lanes);
  for (const column of chainColumns) addRow(views, column, row);
  for (let k = 0; k < chain.count[row]!; k++)
    for (const column of particleColumns) addRow(views, column, chain.first[row]! + k * chain.stride[row]!);
  finishHash(lanes);
  return lanes[0]! ^ lanes[1]!;
}

function addRow(views: Views, column: (typeof hashedColumns)[number], row: number): void {
  const values = columnOf(views, column);
  const { width } = column;
  if (column.type === 'f64') {
    const words = new Int32Array(values.buffer, values.byteOffset + row * column.rowBytes, width * 2);
    hashDoubles(lanes, words, 0, words.length);
    return;
  }
  for (let i = row * width; i < (row + 1) * width; i++) {
    single[0] = values[i]!;
    hashWords(lanes, single, 0, 1);
  }
}

/** Hash of bytes, a multiple of four long, as two words in the lanes that are returned. */
export function hashBytes(bytes: Uint8Array): HashLanes {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  hashWords(startHash(lanes), words, 0, words.length);
  finishHash(lanes);
  return lanes;
}
