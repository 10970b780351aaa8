/** Replays run again: to look at them from any tick on, and to find the first bit that comes out otherwise. */
import { FollowthroughError } from '../asset/index.js';
import { createWorld, rowsById, type World } from '../setup/world.js';
import { step } from '../systems/advance.js';
import { applyInputs } from './applyInputs.js';
import { hash } from './hash.js';
import { sumsOf } from './recorder.js';
import { readReplay, sumsAfter, type ReplayFile, type StateSums } from './replayFile.js';
import { columnName, hashedColumns } from './rows.js';
import { restore } from './snapshot.js';

/** A replay that is being run. */
export interface Player {
  /** Its world, to read poses from; what is done to it beside the replay shows up as a difference. */
  readonly world: World;
  /** Ticks that had run when the recording began. */
  readonly firstTick: number;
  /** Ticks that have run when it ends. */
  readonly lastTick: number;
  /** Runs one tick; false at the end. */
  step(): boolean;
  /**
   * Goes to a tick: to the snapshot before it, and on from there.
   *
   * @throws FollowthroughError `invalid-argument` when it is outside of the replay
   */
  seek(tick: number): void;
}

/**
 * Opens a replay at its beginning.
 *
 * @throws FollowthroughError `invalid-file`, `unsupported-file`
 */
export function openReplay(bytes: Uint8Array): Player {
  const file = readReplay(bytes);
  return playerOf(file, file.firstTick);
}

/** A player that begins at the last snapshot at or before a tick. */
function playerOf(file: ReplayFile, start: number): Player {
  const world = createWorld({ tickRate: file.tickRate });
  const lastTick = file.firstTick + file.ticks;
  const begin = (tick: number): void => {
    const keyframe = file.keyframes.findLast((frame) => frame.tick <= tick)!;
    restore(world, keyframe.bytes, file.assets);
    if (world.tick !== keyframe.tick)
      throw new FollowthroughError(
        'invalid-file',
        `replay: the snapshot for tick ${keyframe.tick} is of another`,
      );
  };
  const run = (): boolean => {
    if (world.tick >= lastTick) return false;
    const inputs = file.inputs[world.tick - file.firstTick];
    if (inputs) applyInputs(world, inputs, file.assets);
    step(world);
    return true;
  };
  begin(start);
  return {
    world,
    firstTick: file.firstTick,
    lastTick,
    step: run,
    seek(tick) {
      requireTick(file, tick);
      begin(tick);
      while (world.tick < tick) run();
    },
  };
}

function requireTick({ firstTick, ticks }: ReplayFile, tick: number): void {
  if (!Number.isInteger(tick) || tick < firstTick || tick > firstTick + ticks)
    throw new FollowthroughError(
      'invalid-argument',
      `tick ${tick} is not in the replay, which runs from ${firstTick} to ${firstTick + ticks}`,
    );
}

/** Options of {@link verifyReplay}. */
export interface VerifyOptions {
  /** Begin at the last snapshot at or before this tick; default at the beginning. */
  seek?: number;
}

/** What {@link verifyReplay} found. */
export interface VerifyReport {
  /** Ticks that were run and compared. */
  ticks: number;
  /** Chains at the end. */
  chains: number;
  /** Ticks after which the state was another than when it was recorded. */
  mismatches: number;
  /** The first of them. */
  firstMismatch: Mismatch | null;
  /** Hash of the world at the end. */
  hash: bigint;
}

/** A state that came out otherwise. */
export interface Mismatch {
  /** Number of ticks that had run. */
  tick: number;
  /** First column that differs, `particle.position`; empty when there are more or fewer chains, `hash` for that of the end. */
  column: string;
  /** All columns that differ. */
  columns: string[];
  /** First chain that differs: its name; null when no chain does. */
  chain: string | null;
  /** Its stable id. */
  chainId: number | null;
}

/**
 * Runs a replay and compares every tick with what was recorded.
 *
 * @throws FollowthroughError `invalid-file`, `unsupported-file`; `invalid-argument` for a tick to seek that is not in it
 */
export function verifyReplay(bytes: Uint8Array, { seek }: VerifyOptions = {}): VerifyReport {
  const file = readReplay(bytes);
  if (seek !== undefined) requireTick(file, seek);
  const player = playerOf(file, seek ?? file.firstTick);
  const { world } = player;
  const report: VerifyReport = { ticks: 0, chains: 0, mismatches: 0, firstMismatch: null, hash: 0n };
  const note = (found: Mismatch | undefined): void => {
    if (!found) return;
    report.mismatches++;
    report.firstMismatch ??= found;
  };
  // Each tick's sums are written as what changed since the tick before.
  let read = 0;
  let recorded: StateSums | undefined;
  const keyframes = new Map(file.keyframes.map((keyframe) => [keyframe.tick, keyframe.bytes]));
  while (player.step()) {
    report.ticks++;
    for (; read < world.tick - file.firstTick; read++) recorded = sumsAfter(file.sums[read]!, recorded);
    const now = sumsOf(world);
    const found = mismatchOf(world, now, recorded!);
    note(found);
    const keyframe = keyframes.get(world.tick);
    if (keyframe && !found) note(mismatchOf(world, now, sumsOfSnapshot(file, keyframe)));
  }
  report.chains = rowsById(world, 'chain').length;
  report.hash = hash(world);
  if (report.mismatches === 0 && report.hash !== file.hash)
    note({ tick: world.tick, column: 'hash', columns: ['hash'], chain: null, chainId: null });
  return report;
}

/** Sums over the state of a snapshot in a replay. */
function sumsOfSnapshot({ tickRate, assets }: ReplayFile, bytes: Uint8Array): StateSums {
  const world = createWorld({ tickRate });
  restore(world, bytes, assets);
  return sumsOf(world);
}

function mismatchOf(world: World, now: StateSums, recorded: StateSums): Mismatch | undefined {
  const columns = hashedColumns.filter((_, i) => now.columns[i] !== recorded.columns[i]).map(columnName);
  const rows = rowsById(world, 'chain');
  const place = rows.findIndex((_, i) => now.chains[i] !== recorded.chains[i]);
  if (columns.length === 0 && place < 0 && now.chains.length === recorded.chains.length) return undefined;
  const id = place < 0 ? null : world.views.chain.id[rows[place]!]!;
  return {
    tick: world.tick,
    column: columns[0] ?? '',
    columns,
    chain: id === null ? null : (world.definitions.get(id)?.name ?? ''),
    chainId: id,
  };
}
