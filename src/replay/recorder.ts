/** Recording: every tick of a world with what was done to it, for a replay that anybody can check. */
import { FollowthroughError } from '../asset/index.js';
import { rowsById, type World } from '../setup/world.js';
import { rigHash } from './assetHash.js';
import { chainSum, hash, writeColumnSums } from './hash.js';
import { createInputLog, hasInputs } from './inputLog.js';
import { closeStream, createStream, writeKeyframe, writeTick, type StateSums } from './replayFile.js';
import { hashedColumns } from './rows.js';
import { snapshot } from './snapshot.js';

/** Records a world. */
export interface Recorder {
  /** Runs one tick, in place of `step`. */
  step(): void;
  /**
   * Ends the recording.
   *
   * @returns the replay: for `verifyReplay`, `openReplay` and `followthrough verify`
   */
  finish(): Uint8Array;
}

/** Options of {@link createRecorder}. */
export interface RecorderOptions {
  /** Ticks between two snapshots, at which a replay can begin; default 600. */
  keyframeInterval?: number;
}

/**
 * Begins to record a world from how it stands. Only ticks that the recorder runs are in it.
 *
 * @throws FollowthroughError `invalid-argument`
 * @example
 * const recorder = createRecorder(world);
 * for (let i = 0; i < 600; i++) recorder.step();
 * const replay = recorder.finish();
 */
export function createRecorder(world: World, options: RecorderOptions = {}): Recorder {
  const interval = options.keyframeInterval ?? 600;
  if (!Number.isInteger(interval) || interval < 1)
    throw new FollowthroughError(
      'invalid-argument',
      `keyframeInterval is ${interval}, expected a whole number, 1 or more`,
    );
  const stream = createStream();
  const firstTick = world.tick;
  writeKeyframe(stream, snapshot(world));
  const log = createInputLog(world);
  let ticks = 0;
  let isFinished = false;
  return {
    step() {
      if (isFinished) throw new FollowthroughError('invalid-argument', 'the recording has been finished');
      const inputs = log.step();
      ticks++;
      writeTick(stream, hasInputs(inputs) ? inputs : undefined, sumsOf(world));
      if (ticks % interval === 0) writeKeyframe(stream, snapshot(world));
    },
    finish() {
      if (isFinished) throw new FollowthroughError('invalid-argument', 'the recording has been finished');
      isFinished = true;
      const byHash = new Map(world.rigs.map(({ asset }) => [rigHash(asset), asset]));
      const head = { tickRate: world.tickRate, firstTick, ticks, interval, hash: hash(world) };
      return closeStream(stream, head, [...byHash.values()]);
    },
  };
}

const wide = new Int32Array(hashedColumns.length * 2);

/** Sums over all columns and chains of a world as it stands. */
export function sumsOf(world: World): StateSums {
  writeColumnSums(world.views, wide);
  const chains = rowsById(world, 'chain');
  return {
    columns: Int32Array.from(hashedColumns, (_, i) => wide[2 * i]! ^ wide[2 * i + 1]!),
    chains: Int32Array.from(chains, (row) => chainSum(world.views, row)),
  };
}
