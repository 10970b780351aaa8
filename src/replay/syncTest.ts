/**
 * The test that finds what a rollback forgets, as GGPO calls it: every tick is run, taken back together with the ticks
 * before it and run again, and all must come out the same.
 */
import { FollowthroughError } from '../asset/index.js';
import type { World } from '../setup/world.js';
import { step } from '../systems/advance.js';
import { createHistory } from './history.js';
import { writeColumnSums } from './hash.js';
import { columnName, hashedColumns } from './rows.js';

/** What {@link syncTest} found. */
export interface SyncReport {
  /** Ticks that were run. */
  ticks: number;
  /** States that were compared. */
  checks: number;
  /** States that came out otherwise the second time. */
  mismatches: number;
  /** The first of them: the tick after which it stood, and the columns that differ. */
  firstMismatch:
    | {
        /** Number of ticks that had run. */
        tick: number;
        /** Names of the columns. */
        columns: string[];
      }
    | undefined;
}

/**
 * Runs a world and runs it again from `distance` ticks back, tick for tick. A mismatch means that something which decides
 * the future is no column of the world: state of a game that its inputs read, a value kept outside, chance, a clock.
 *
 * @param world - runs through all inputs
 * @param inputs - what is done before each tick; called several times for each, so it may depend on the world alone. What
 * it adds has another handle each time and the same stable id
 * @param distance - how far to go back, ticks, default 8; there must be as many inputs
 * @example
 * const report = syncTest(world, inputs, 8);
 * assert(report.mismatches === 0, JSON.stringify(report.firstMismatch));
 */
export function syncTest(
  world: World,
  inputs: readonly ((world: World) => void)[],
  distance: number = 8,
): SyncReport {
  if (!(Number.isInteger(distance) && distance >= 1 && distance <= inputs.length))
    throw new FollowthroughError(
      'invalid-argument',
      `distance is ${distance}, expected a whole number from 1 to the ${inputs.length} inputs`,
    );
  const history = createHistory(world, distance + 1);
  const report: SyncReport = { ticks: 0, checks: 0, mismatches: 0, firstMismatch: undefined };
  const seen: Int32Array[] = [];
  const again = new Int32Array(hashedColumns.length * 2);
  const start = world.tick;
  history.save();
  const run = (index: number): void => {
    inputs[index]!(world);
    step(world);
    history.save();
  };
  for (let index = 0; index < inputs.length; index++) {
    run(index);
    const sums = new Int32Array(again.length);
    writeColumnSums(world.views, sums);
    seen[index] = sums;
    report.ticks++;
    if (index + 1 < distance) continue;
    history.rewind(start + index + 1 - distance);
    for (let back = index + 1 - distance; back <= index; back++) {
      run(back);
      writeColumnSums(world.views, again);
      compare(report, back + start + 1, seen[back]!, again);
    }
  }
  return report;
}

function compare(report: SyncReport, tick: number, first: Int32Array, second: Int32Array): void {
  report.checks++;
  const columns = differingColumns(first, second);
  if (columns.length === 0) return;
  report.mismatches++;
  report.firstMismatch ??= { tick, columns };
}

/** Names of the columns whose sums differ, in layout order. */
function differingColumns(first: Int32Array, second: Int32Array): string[] {
  return hashedColumns
    .filter((_, i) => first[2 * i] !== second[2 * i] || first[2 * i + 1] !== second[2 * i + 1])
    .map(columnName);
}
