import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commandsIn,
  hashesIn,
  inputsIn,
  numberAt,
  packCommands,
  packHashes,
  packInputs,
  packSnapshot,
  snapshotIn,
} from '../../../examples/multiplayer/messages.js';

/** The same bytes at an offset, as a transport may hand them out. */
function moved(bytes: Uint8Array): Uint8Array {
  const room = new Uint8Array(bytes.length + 9).fill(255);
  room.set(bytes, 3);
  return room.subarray(3, 3 + bytes.length);
}

const tick = fc.nat(0xffffffff);

describe('messages of the example', () => {
  it('come out as they went in', () => {
    const command = fc.record({ heading: fc.nat(63), walking: fc.boolean() });
    fc.assert(
      fc.property(tick, fc.array(command), (first, commands) => {
        const bytes = moved(packCommands(first, commands));
        expect(numberAt(bytes, 0)).toBe(first);
        expect(commandsIn(bytes)).toEqual(commands);
      }),
    );
    fc.assert(
      fc.property(tick, fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })), (at, hashes) => {
        const bytes = moved(packHashes(at, hashes));
        expect(numberAt(bytes, 0)).toBe(at);
        expect(hashesIn(bytes)).toEqual(hashes);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 })), (ticks) => {
        const bytes = moved(packInputs(ticks));
        const read = inputsIn(bytes);
        // Whoever receives them may keep them.
        bytes.fill(0);
        expect(read).toEqual(ticks);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(snapshotIn(moved(packSnapshot(bytes)))).toEqual(bytes);
      }),
    );
  });

  it('take two bytes for the length of much and one for little', () => {
    expect(packInputs([new Uint8Array(127), new Uint8Array(128)]).length).toBe(1 + 127 + 2 + 128);
  });
});
