/**
 * What was done to one world, done to another that stands at the same tick (docs/replay.md, "Inputs"). Numbers of the state
 * are written where they belong; what changes structure is put together on the side, checked, and put in place at once.
 */
import { FollowthroughError, type Asset } from '../asset/index.js';
import { columnOf } from '../components/arena.js';
import { columnIndex, columnList, elementBytes, type Column } from '../components/columnList.js';
import type { StoreName } from '../components/stores.js';
import type { Rig } from '../setup/rig.js';
import { showAsAdded } from '../setup/characters.js';
import type { World } from '../setup/world.js';
import { broken, createReader, readByte, readBytes, readDouble, readWhole, type Reader } from './bytes.js';
import { captureWorld, writeWorld, type Captured } from './capture.js';
import { chainDefinitionFrom } from './checkDefinition.js';
import { checkRows, mostOf } from './checkRows.js';
import { loggedColumns, type InputTree } from './inputLog.js';
import { unpackTree } from './packTree.js';
import { checkRigEntry, findRig } from './rigTable.js';
import { lengthened, shownColumns } from './rows.js';

/** Columns of the state that name rows or things: to change one is to change structure. */
const naming = new Set(['id', 'character', 'clip', 'firstInput', 'firstBone', 'nextId']);
const isStructural = ({ region, name }: Column): boolean => region === 'fixed' || naming.has(name);

/** New values of neighbouring elements of one column. */
interface Edit {
  column: Column;
  start: number;
  values: number[];
}

/**
 * Does to a world what was done to the one that the inputs were logged from. The world must be at the same tick, and run it
 * with `step` afterwards.
 *
 * @param inputs - from `InputLog.step`
 * @param assets - where to find assets of new characters that the world does not have yet
 * @throws FollowthroughError `invalid-file` when the bytes are broken or do not fit the world, `unknown-name` when an asset
 * is missing; the world stays as it is
 * @example
 * applyInputs(world, received);
 * step(world);
 */
export function applyInputs(world: World, inputs: Uint8Array, assets: readonly Asset[] = []): void {
  const reader = createReader(inputs, 'inputs');
  const tick = readWhole(reader);
  if (tick !== world.tick) throw broken(reader, `they are for tick ${tick}, the world is at ${world.tick}`);
  const packed = readBytes(reader);
  const tree = packed.length === 0 ? undefined : checkTree(unpackTree(packed, 'inputs'), reader);
  const edits = readEdits(reader);
  if (tree || edits.some(({ column }) => isStructural(column))) restructure(world, edits, tree, assets);
  else {
    for (const { column, start, values } of edits) {
      const { id } = world.views[column.store];
      const most = mostOf(column);
      for (const [i, value] of values.entries()) {
        const row = Math.floor((start + i) / column.width);
        // Free rows stay zero.
        if (row >= id.length || (id[row] === 0 && value !== 0))
          throw broken(reader, `${column.store} has no row ${row}`);
        if (value > most) throw broken(reader, `${column.store}.${column.name} is ${value}`);
      }
    }
    for (const { column, start, values } of edits) columnOf(world.views, column).set(values, start);
  }
}

/** Tick of logged inputs: the number of ticks that had run when they were given. */
export function tickOf(inputs: Uint8Array): number {
  return readWhole(createReader(inputs, 'inputs'));
}

function checkTree(value: unknown, reader: Reader): InputTree {
  const { rigs, definitions } = Object(value) as Partial<InputTree>;
  const arePairs = (list: unknown): boolean =>
    Array.isArray(list) && list.every((pair) => Array.isArray(pair) && Number.isInteger(pair[0]));
  if (!arePairs(rigs) || !arePairs(definitions)) throw broken(reader, 'their description is broken');
  return {
    rigs: rigs!.map(([row, entry]) => [row, checkRigEntry(entry, 'inputs')]),
    definitions: definitions!.map(([id, given]) => {
      const definition = chainDefinitionFrom(given);
      if (!definition) throw broken(reader, 'a chain definition is broken');
      return [id, definition];
    }),
  };
}

function readEdits(reader: Reader): Edit[] {
  const edits: Edit[] = [];
  for (let number = readWhole(reader); number !== 0; number = readWhole(reader)) {
    const column = loggedColumns[number - 1];
    if (column === undefined) throw broken(reader, `there is no column ${number}`);
    let last = 0;
    for (let count = readWhole(reader); count !== 0; count = readWhole(reader)) {
      const start = last + readWhole(reader);
      // Each value takes a byte at least.
      if (count > reader.end - reader.at) throw broken(reader, `${count} values do not fit`);
      const values = Array.from({ length: count }, () => readElement(reader, column.type));
      edits.push({ column, start, values });
      last = start + count;
    }
  }
  if (reader.at !== reader.end) throw broken(reader, 'there are bytes behind the end');
  return edits;
}

function readElement(reader: Reader, type: Column['type']): number {
  if (type === 'f64') return readDouble(reader);
  if (elementBytes[type] === 1) return readByte(reader);
  const value = readWhole(reader);
  if (value > 0xffffffff) throw broken(reader, 'a whole number has more than 32 bits');
  return type === 'u32' ? value : value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/** Applies edits to a copy of all columns and makes the world stand as that. */
function restructure(
  world: World,
  edits: readonly Edit[],
  tree: InputTree | undefined,
  assets: readonly Asset[],
): void {
  const captured = captureWorld(world, true);
  const rows = rowsWith(captured, edits);
  const columns = captured.columns.map(
    (values, index) =>
      values && lengthened(values, rows[columnList[index]!.store] * columnList[index]!.width),
  );
  for (const { column, start, values } of edits) columns[column.index]!.set(values, start);
  const all: Captured = { ...captured, columns, rows };
  const known = new Set(world.views.character.id);
  forgetShown(captured, all);
  setRigs(all, tree, assets);
  const chains = new Set(columns[columnIndex('chain', 'id')]);
  all.definitions = new Map(
    [...captured.definitions, ...(tree?.definitions ?? [])].filter(([id]) => chains.has(id)),
  );
  checkRows(all, 'inputs');
  writeWorld(world, all);
  const { id } = world.views.character;
  for (let row = 0; row < id.length; row++)
    if (id[row] !== 0 && !known.has(id[row]!)) showAsAdded(world, row);
}

/** Rows of bones that go to another character, or to none, show nothing of the one before. */
function forgetShown(before: Captured, { columns, rows }: Captured): void {
  const was = before.columns[boneIds]!;
  const is = columns[boneIds]!;
  for (let row = 0; row < rows.bone; row++)
    if (is[row] !== (was[row] ?? 0))
      for (const { index, width } of shownColumns) columns[index]!.fill(0, row * width, (row + 1) * width);
}

/** Rigs of new characters; those of rows that are free now count as the first. */
function setRigs(captured: Captured, tree: InputTree | undefined, assets: readonly Asset[]): void {
  const rigs = [...captured.rigs] as Rig[];
  const ids = captured.columns[columnIndex('character', 'id')]!;
  const column = captured.columns[rigIndices]!;
  // One rig for each row that is a character, whatever a message says.
  for (const [row, entry] of new Map(tree?.rigs ?? [])) {
    if (!(ids[row]! > 0)) continue;
    const rig = findRig(entry, rigs, assets);
    column[row] = rigs.includes(rig) ? rigs.indexOf(rig) : rigs.push(rig) - 1;
  }
  for (const [row, id] of ids.entries()) if (id === 0) column[row] = 0;
  captured.rigs = rigs;
}

const boneIds = columnIndex('bone', 'id');
const rigIndices = columnIndex('character', 'rig');

/** What new rows may take however short the message: many things may have come and gone again before the one that stays. */
const roomBytes = 1 << 24;

/** Rows that there will be: few for what the message holds, so that a broken one asks for no great memory. */
function rowsWith({ rows }: Captured, edits: readonly Edit[]): Record<StoreName, number> {
  const wanted = { ...rows };
  const values = edits.reduce((sum, edit) => sum + edit.values.length, 0);
  for (const { column, start, values: some } of edits) {
    const end = Math.ceil((start + some.length) / column.width);
    if (end > wanted[column.store]) wanted[column.store] = end;
  }
  let bytes = 0;
  for (const { store, rowBytes } of columnList) bytes += (wanted[store] - rows[store]) * rowBytes;
  if (bytes > roomBytes + 64 * values)
    throw new FollowthroughError('invalid-file', `inputs: new rows of ${bytes} bytes for ${values} values`);
  return wanted;
}
