/**
 * The messages between server and clients, as bytes: what they are called and how they are laid out. A tick is four bytes,
 * a hash eight, little-endian; inputs are as `createInputLog` wrote them.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Command } from './walking.js';

/** Ticks per second. */
export const tickRate = 60;
/** Ticks whose inputs travel in one message: 20 messages per second. */
export const bundleTicks = 3;
/** Ticks from hash to hash. */
export const hashTicks = 60;

/** Types of messages; Colyseus sends a number as one byte. */
export const kind = {
  /** To a client: its character and the last tick of the run. */
  welcome: 1,
  /** To a client: the whole world. */
  snapshot: 2,
  /** To clients: inputs of some ticks in a row. */
  inputs: 3,
  /** To clients: hash of the world at a tick. */
  hash: 4,
  /** To a client: tick of the newest of its commands, as soon as they are there. */
  heard: 5,
  /** To a client: which columns of its world are wrong at a tick. */
  differs: 6,
  /** To the server: what the player wants at some ticks in a row. */
  commands: 7,
  /** To the server: the inputs from a tick on again, please, and the hashes from another on. */
  missing: 8,
  /** To the server: a snapshot, please; and, when the world was wrong at a tick other than 0, the hashes of its columns. */
  resync: 9,
} as const;

/** One of {@link kind}. */
export type Kind = (typeof kind)[keyof typeof kind];

/** Numbers of four bytes, then bytes. */
export function pack(numbers: readonly number[], rest: ArrayLike<number> = []): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length + rest.length);
  const view = new DataView(bytes.buffer);
  for (const [i, number] of numbers.entries()) view.setUint32(4 * i, number, true);
  bytes.set(rest, 4 * numbers.length);
  return bytes;
}

/** The number of four bytes at a place. */
export function numberAt(bytes: Uint8Array, index: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(4 * index, true);
}

/** Tick and hashes. */
export function packHashes(tick: number, hashes: readonly bigint[]): Uint8Array {
  return pack([tick], new Uint8Array(BigUint64Array.from(hashes).buffer));
}

/** Hashes behind the tick. */
export function hashesIn(bytes: Uint8Array): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: Math.max(0, (bytes.length - 4) >> 3) }, (_, i) =>
    view.getBigUint64(4 + 8 * i, true),
  );
}

/** Inputs of ticks in a row, each behind its length: seven bits per byte, the top bit says that more follow. */
export function packInputs(ticks: readonly Uint8Array[]): Uint8Array {
  const parts = ticks.flatMap((inputs) => [lengthBytes(inputs.length), inputs]);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function lengthBytes(length: number): Uint8Array {
  const bytes: number[] = [];
  let rest = length;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.of(...bytes, rest);
}

/** Takes a message of inputs apart. */
export function inputsIn(bytes: Uint8Array): Uint8Array[] {
  const ticks: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    // A copy, for the bytes of a message may be used again for the next.
    ticks.push(Uint8Array.from(bytes.subarray(at, (at += length))));
  }
  return ticks;
}

/** Commands for the ticks from `tick` on, a byte each. */
export function packCommands(tick: number, commands: readonly Command[]): Uint8Array {
  return pack(
    [tick],
    commands.map(({ heading, walking }) => heading + (walking ? 64 : 0)),
  );
}

/** Commands behind the tick; whatever a client sends is a valid one. */
export function commandsIn(bytes: Uint8Array): Command[] {
  return Array.from(bytes.subarray(4), (byte) => ({ heading: byte & 63, walking: (byte & 64) !== 0 }));
}

/** A snapshot made smaller; a browser has `DecompressionStream('deflate-raw')`. */
export function packSnapshot(snapshot: Uint8Array): Uint8Array {
  return deflateRawSync(snapshot, { level: 1 });
}

/** The snapshot again. */
export function snapshotIn(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(inflateRawSync(bytes));
}
