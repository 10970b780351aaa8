/** Bytes that nobody wrote: an error with a place in it, never a crash, a hang, a huge allocation or a changed world. */
import { describe, expect, it } from 'vitest';
import { createWorld, FollowthroughError, step } from '../../../src/index.js';
import { seal } from '../../../src/replay/format.js';
import {
  applyInputs,
  createInputLog,
  createRecorder,
  hash,
  readSnapshot,
  restore,
  snapshot,
  verifyReplay,
} from '../../../src/replay/index.js';
import { livelyAssets, livelyWorld } from '../../support/lively.js';
import { seeded } from '../../support/referenceMath.js';

const random = seeded(77);
const below = (n: number): number => Math.floor(random() * n);
const hostile = [0, 1, 2, 7, 8, 0x7f, 0xff, 0x100, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** One way of breaking bytes: cut, grown, bits turned, a length made hostile, a part moved. */
function broken(bytes: Uint8Array, from: number): Uint8Array {
  const kind = below(6);
  if (kind === 0) return bytes.slice(0, below(bytes.length));
  if (kind === 1) return Uint8Array.of(...bytes.subarray(0, 4096), ...bytes.subarray(0, 8 * (1 + below(4))));
  const out = bytes.slice();
  const at = from + below(out.length - from);
  if (kind === 2) for (let i = 1 + below(3); i > 0; i--) out[below(out.length)]! ^= 1 << below(8);
  if (kind === 3)
    new DataView(out.buffer).setUint32(
      Math.min(at & ~3, out.length - 4),
      hostile[below(hostile.length)]!,
      true,
    );
  if (kind === 4) out.copyWithin(at, below(out.length), below(out.length));
  if (kind === 5) out.fill(below(256), at, at + below(64));
  return out;
}

function someWorld(): ReturnType<typeof livelyWorld> {
  const lively = livelyWorld(6);
  for (let i = 0; i < 120; i++) {
    lively.input(lively.world);
    step(lively.world);
  }
  return lively;
}

/** Runs what may throw errors of the library and no other; whether it did. */
function refused(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (!(error instanceof FollowthroughError)) throw error;
    expect(error.message).not.toContain('\n');
    return true;
  }
}

describe('hostile bytes', () => {
  it('10,000 snapshots: broken as they lie, or with a checksum made to fit', { timeout: 120_000 }, () => {
    const bytes = snapshot(someWorld().world);
    const assets = livelyAssets();
    const world = createWorld();
    restore(world, bytes, assets);
    const here = hash(world);
    const seen = { refused: 0, taken: 0 };
    for (let i = 0; i < 10_000; i++) {
      const sealed = i % 2 === 1;
      // What is sealed again must be broken behind the header, or it is only another version.
      const bad = broken(bytes, sealed && i % 4 === 1 ? 40 : 0);
      if (sealed && bad.length >= 40 && bad.length % 8 === 0) {
        new DataView(bad.buffer).setUint32(12, bad.length, true);
        seal(bad);
      }
      if (refused(() => restore(world, bad, assets))) {
        seen.refused++;
        expect(hash(world)).toBe(here);
        continue;
      }
      // Numbers of a state may be any; the world must run with them.
      seen.taken++;
      for (let k = 0; k < 3; k++) step(world);
      restore(world, bytes, assets);
      expect(hash(world)).toBe(here);
    }
    expect(seen.refused).toBeGreaterThan(5000);
    expect(seen.taken).toBeGreaterThan(300);
  });

  it('says which version, rate or asset does not fit', () => {
    const { world } = someWorld();
    const bytes = snapshot(world);
    const change = (work: (view: DataView) => void): Uint8Array => {
      const out = bytes.slice();
      work(new DataView(out.buffer));
      seal(out);
      return out;
    };
    const other = createWorld();
    const empty = hash(other);
    const cases: [Uint8Array, RegExp][] = [
      [change((view) => view.setUint16(4, 2, true)), /format 2\.0, this library reads 1\.0/],
      [change((view) => view.setUint16(6, 1, true)), /format 1\.1/],
      [change((view) => view.setUint32(8, 99, true)), /mathVersion 99/],
      [change((view) => view.setInt32(16, 0, true)), /other components/],
      [change((view) => view.setFloat64(24, 60, true)), /60 ticks per second, this one has 120/],
      [change((view) => view.setFloat64(24, NaN, true)), /tick rate NaN/],
      [bytes.slice(0, bytes.length - 8), /cut off/],
      [bytes.slice(8), /does not begin as one/],
      [new Uint8Array(0), /0 bytes/],
      [bytes, /asset "hand-made" \(hash [0-9a-f]{16}\) is not among the 0 given/],
    ];
    for (const [given, message] of cases) expect(() => restore(other, given)).toThrow(message);
    const flipped = bytes.slice();
    flipped[500]! ^= 1;
    expect(() => readSnapshot(flipped)).toThrow(/checksum/);
    expect(hash(other)).toBe(empty);
  });

  it('takes the bytes of a Node Buffer in the middle of its pool, and leaves them as they are', () => {
    const { world } = someWorld();
    const bytes = snapshot(world);
    const pool = Buffer.alloc(bytes.length + 64, 0xaa);
    pool.set(bytes, 13);
    const part = pool.subarray(13, 13 + bytes.length);
    const other = createWorld();
    restore(other, part, livelyAssets());
    expect(hash(other)).toBe(hash(world));
    expect(Buffer.compare(part, bytes)).toBe(0);
  });

  it('2,000 replays', { timeout: 120_000 }, () => {
    const { world, input } = livelyWorld(8);
    const recorder = createRecorder(world, { keyframeInterval: 20 });
    for (let i = 0; i < 50; i++) {
      input(world);
      recorder.step();
    }
    const replay = recorder.finish();
    expect(verifyReplay(replay).mismatches).toBe(0);
    let count = 0;
    for (let i = 0; i < 2000; i++) {
      const bad = broken(replay, 0);
      if (i % 2 === 1 && bad.length >= 40 && bad.length % 8 === 0) {
        new DataView(bad.buffer).setUint32(12, bad.length, true);
        seal(bad);
      }
      if (refused(() => verifyReplay(bad))) count++;
    }
    expect(count).toBeGreaterThan(1000);
  });

  it('5,000 inputs', { timeout: 120_000 }, () => {
    const { world, input } = livelyWorld(13);
    const assets = livelyAssets();
    const other = createWorld();
    restore(other, snapshot(world), assets);
    const log = createInputLog(world);
    let count = 0;
    for (let i = 0; i < 250; i++) {
      input(world);
      const inputs = log.step();
      const before = snapshot(other);
      const here = hash(other);
      // Nothing much is to be broken in inputs that say nothing.
      for (let k = 0; k < (inputs.length < 8 ? 0 : 40); k++) {
        const bad = broken(inputs, 0);
        if (refused(() => applyInputs(other, bad, assets))) {
          count++;
          expect(hash(other)).toBe(here);
        } else {
          for (let t = 0; t < 2; t++) step(other);
          restore(other, before, assets);
        }
      }
      applyInputs(other, inputs, assets);
      step(other);
      expect(hash(other)).toBe(hash(world));
    }
    expect(count).toBeGreaterThan(1500);
  });
});
