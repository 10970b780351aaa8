/**
 * What is done to a world between ticks, as bytes: the columns that stand otherwise than the last tick left them. Nothing
 * a game can do escapes, for whatever it calls or writes by hand ends in columns; what is added, removed or set travels as
 * its result, so that whoever applies it runs none of the code behind (docs/replay.md, "Inputs").
 */
import { FollowthroughError, type ChainDefinition } from '../asset/index.js';
import { columnOf, columnOver, layOut } from '../components/arena.js';
import { elementBytes, type AnyColumn, type Column } from '../components/columnList.js';
import type { StoreName } from '../components/stores.js';
import type { World } from '../setup/world.js';
import { step } from '../systems/advance.js';
import {
  createWriter,
  writeByte,
  writeBytes,
  writeDouble,
  writeWhole,
  written,
  type Writer,
} from './bytes.js';
import { packTree } from './packTree.js';
import { rigEntry, type RigEntry } from './rigTable.js';
import { keptColumns, lengthened, usedRows, wordsOf } from './rows.js';

/** What indices in columns mean: rigs of new characters and definitions of new chains. */
export interface InputTree {
  /** Character row and its rig. */
  rigs: [row: number, rig: RigEntry][];
  /** Stable id of a chain and what it is built from. */
  definitions: [id: number, definition: ChainDefinition][];
}

/** Columns that are compared: all that a tick reads but real time, and indices of rigs, which mean something here only. */
export const loggedColumns: readonly Column[] = keptColumns.filter(
  ({ store, name }) =>
    !(store === 'global' && (name === 'pending' || name === 'tick')) &&
    !(store === 'character' && name === 'rig'),
);

/** Takes down what is done to a world. */
export interface InputLog {
  /**
   * Runs one tick.
   *
   * @returns what was done to the world since the last tick, for {@link applyInputs}; as short as 3 bytes for nothing
   * @throws FollowthroughError `invalid-argument` when somebody else ran a tick, or took the world to another
   */
  step(): Uint8Array;
}

/**
 * Begins to log a world, from how it stands. Begin anew after `restore` or `rewind`, which would count as inputs. Columns of
 * the region `fixed` are looked at when `world.structure` has risen.
 *
 * @example
 * const log = createInputLog(world);
 * setRoot(world, fox, { position });
 * send(log.step()); // instead of step(world)
 */
export function createInputLog(world: World): InputLog {
  let before = baselineOf(world);
  let expected = world.tick;
  return {
    step() {
      if (world.tick !== expected)
        throw new FollowthroughError(
          'invalid-argument',
          `the log ran its last tick at ${expected}, the world is at ${world.tick}: only the log may run ticks`,
        );
      const inputs = inputsSince(world, before);
      step(world);
      before = baselineOf(world, before);
      expected = world.tick;
      return inputs;
    },
  };
}

/** Whether anything was done: else there is a tick, no tree, no column. */
export function hasInputs(inputs: Uint8Array): boolean {
  const tickEnd = inputs.findIndex((byte) => byte < 0x80);
  return inputs.length !== tickEnd + 3;
}

/** How the logged columns stood after the last tick. */
interface Baseline {
  generation: number;
  /** `world.structure` at that time. */
  structure: number;
  memory: Uint8Array;
  columns: AnyColumn[];
  /** Rows in use. */
  rows: Readonly<Record<StoreName, number>>;
  chains: ReadonlySet<number>;
  characters: ReadonlySet<number>;
}

function baselineOf(world: World, last?: Baseline): Baseline {
  const { arena, views } = world;
  const size = arena.regions.fixed.end;
  const source = new Uint8Array(arena.buffer, 0, size);
  const ids = {
    chains: last && sameIds(last.chains, views.chain.id) ? last.chains : new Set(views.chain.id),
    characters:
      last && sameIds(last.characters, views.character.id) ? last.characters : new Set(views.character.id),
  };
  const { structure } = world;
  const rows = usedRows(views);
  if (last?.generation === views.generation) {
    // What is fixed stays as it is until structure or options change.
    const changed = last.structure === structure ? source.subarray(0, arena.regions.state.end) : source;
    last.memory.set(changed);
    return { ...last, ...ids, structure, rows };
  }
  const memory = source.slice();
  const columns: AnyColumn[] = [];
  layOut(arena.capacity, ({ index, store, type, width, region }, offset) => {
    if (region !== 'derived')
      columns[index] = columnOver(memory.buffer, type, offset, arena.capacity[store] * width);
  });
  return { generation: views.generation, structure, memory, columns, rows, ...ids };
}

function sameIds(known: ReadonlySet<number>, ids: Uint32Array): boolean {
  return ids.every((id) => known.has(id));
}

function inputsSince(world: World, before: Baseline): Uint8Array {
  const writer = createWriter();
  writeWhole(writer, world.tick);
  const tree = treeSince(world, before);
  if (tree === undefined) writeWhole(writer, 0);
  else writeBytes(writer, packTree(tree));
  const isFixed = world.structure === before.structure;
  const rows = usedRows(world.views);
  for (const [i, column] of loggedColumns.entries()) {
    if (isFixed && column.region === 'fixed') continue;
    // Rows that were freed count until they have been seen to be empty.
    const count = Math.max(rows[column.store], before.rows[column.store]) * column.width;
    const now = columnOf(world.views, column).subarray(0, count);
    const then = lengthened(before.columns[column.index]!, count).subarray(0, count);
    writeChanges(writer, i, column, now, then);
  }
  writeByte(writer, 0);
  return written(writer);
}

function treeSince({ views, rigs, definitions }: World, before: Baseline): InputTree | undefined {
  const tree: InputTree = { rigs: [], definitions: [] };
  for (const [row, id] of views.character.id.entries())
    if (id !== 0 && !before.characters.has(id))
      tree.rigs.push([row, rigEntry(rigs[views.character.rig[row]!]!)]);
  for (const id of views.chain.id)
    if (id !== 0 && !before.chains.has(id)) tree.definitions.push([id, definitions.get(id)!]);
  return tree.rigs.length + tree.definitions.length > 0 ? tree : undefined;
}

/** Elements alike between two changes that are written along with them, rather than a new run begun. */
const bridge = 1;

/** Writes the elements of a column that differ: its number, then runs of count, skip and values, then 0. */
function writeChanges(
  writer: Writer,
  number: number,
  { type }: Column,
  now: AnyColumn,
  before: AnyColumn,
): void {
  const perElement = type === 'f64' ? 2 : 1;
  const words = type === 'u8' ? new Int32Array(now) : wordsOf(now);
  const wordsBefore = type === 'u8' ? new Int32Array(before) : wordsOf(before);
  const next = (from: number): number =>
    Math.floor(firstDifference(words, wordsBefore, from * perElement) / perElement);
  let at = next(0);
  if (at >= now.length) return;
  writeWhole(writer, number + 1);
  let last = 0;
  while (at < now.length) {
    let end = at + 1;
    let after = next(end);
    while (after < now.length && after - end <= bridge) {
      end = after + 1;
      after = next(end);
    }
    writeWhole(writer, end - at);
    writeWhole(writer, at - last);
    for (let i = at; i < end; i++) writeElement(writer, type, now[i]!);
    last = end;
    at = after;
  }
  writeWhole(writer, 0);
}

/** Words that are compared in one call, see `block` in math/hash.ts. */
const block = 1024;

/** Index of the first word from `from` on that differs, their number if none does. */
function firstDifference(a: Int32Array, b: Int32Array, from: number): number {
  for (let i = from; i < a.length; i += block) {
    const end = i + block < a.length ? i + block : a.length;
    const at = differenceIn(a, b, i, end);
    if (at < end) return at;
  }
  return a.length;
}

function differenceIn(a: Int32Array, b: Int32Array, from: number, to: number): number {
  let i = from;
  while (i < to && a[i] === b[i]) i++;
  return i;
}

function writeElement(writer: Writer, type: Column['type'], value: number): void {
  if (type === 'f64') writeDouble(writer, value);
  else if (elementBytes[type] === 1) writeByte(writer, value);
  else if (type === 'u32') writeWhole(writer, value);
  // The sign goes to the lowest bit.
  else writeWhole(writer, value < 0 ? -2 * value - 1 : 2 * value);
}
