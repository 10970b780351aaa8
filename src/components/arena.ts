/**
 * One buffer for all columns, in three regions: state, fixed, derived. A rollback save is one copy of the state
 * region. Stores have a capacity in rows; a store that is full doubles, which moves every column and changes no
 * value. Free rows are all zero, and the lowest free run is taken first, so which rows a new thing gets is a
 * function of the state alone and not of how it came about.
 */
import { columnList, padded, regionOrder, type AnyColumn, type Column } from './columnList.js';
import type { FieldType, Region } from './field.js';
import { components, storeNames, type StoreName, type Views } from './stores.js';

/** Rows per store. */
export type Capacity = Record<StoreName, number>;

/** Where a region lies in the buffer, in bytes. */
export interface Span {
  /** First byte. */
  start: number;
  /** Byte after the last. */
  end: number;
}

/** The buffer and what is known of its layout. */
export interface Arena {
  /** All columns. */
  buffer: ArrayBufferLike;
  /** Makes a zeroed buffer of a size; lets a host use shared or WebAssembly memory. */
  readonly allocate: (bytes: number) => ArrayBufferLike;
  /** Rows per store. */
  readonly capacity: Capacity;
  /** The three regions. */
  readonly regions: Record<Region, Span>;
  /** Per store: all rows before this one are taken. Saves looking; 0 again when a host writes the id columns itself. */
  readonly fullBefore: Record<StoreName, number>;
}

type Store = Record<string, AnyColumn>;

/**
 * Calls `visit` for every column in layout order with its byte offset; returns where the regions lie. Columns begin at
 * multiples of 8.
 */
export function layOut(
  capacity: Readonly<Capacity>,
  visit: (column: Column, offset: number) => void,
): Record<Region, Span> {
  const regions = { state: { start: 0, end: 0 }, fixed: { start: 0, end: 0 }, derived: { start: 0, end: 0 } };
  let offset = 0;
  for (const region of regionOrder) {
    regions[region].start = offset;
    for (const column of columnList) {
      if (column.region !== region) continue;
      visit(column, offset);
      offset += padded(capacity[column.store] * column.rowBytes);
    }
    regions[region].end = offset;
  }
  return regions;
}

/** A typed array of a column's type over part of a buffer. */
export function columnOver(
  buffer: ArrayBufferLike,
  type: FieldType,
  offset: number,
  length: number,
): AnyColumn {
  if (type === 'f64') return new Float64Array(buffer, offset, length);
  if (type === 'i32') return new Int32Array(buffer, offset, length);
  if (type === 'u32') return new Uint32Array(buffer, offset, length);
  return new Uint8Array(buffer, offset, length);
}

/** The typed array of a column over all rows of its store. */
export function columnOf(views: Views, { store, name }: Column): AnyColumn {
  return (views[store] as unknown as Store)[name]!;
}

const nothingFull = (): Record<StoreName, number> =>
  Object.fromEntries(storeNames.map((store) => [store, 0])) as Record<StoreName, number>;

/** Makes an arena and the views over it. */
export function createArena(
  capacity: Capacity,
  allocate: (bytes: number) => ArrayBufferLike,
): { arena: Arena; views: Views } {
  const regions = layOut(capacity, () => {});
  const arena: Arena = {
    buffer: allocate(regions.derived.end),
    allocate,
    capacity: { ...capacity },
    regions,
    fullBefore: nothingFull(),
  };
  // All keys at once: an object that grows key by key ends as a hash table, and reading it costs more than the solver.
  const emptyStore = (store: StoreName): Store =>
    Object.fromEntries(Object.keys(components[store].fields).map((name) => [name, new Uint8Array(0)]));
  const stores = Object.fromEntries(storeNames.map((store) => [store, emptyStore(store)]));
  const views = { ...stores, generation: 0 };
  carve(arena, views as unknown as Views);
  return { arena, views: views as unknown as Views };
}

/** Points every view at the arena's buffer. */
function carve(arena: Arena, views: Views): void {
  layOut(arena.capacity, ({ store, name, type, width }, offset) => {
    const length = arena.capacity[store] * width;
    (views[store] as unknown as Store)[name] = columnOver(arena.buffer, type, offset, length);
  });
}

/** Doubles a store until `rows` fit. Columns move, values stay. */
export function grow(arena: Arena, views: Views, store: StoreName, rows: number): void {
  if (rows <= arena.capacity[store]) return;
  const old = columnList.map((column) => columnOf(views, column));
  let capacity = Math.max(1, arena.capacity[store]);
  while (capacity < rows) capacity *= 2;
  arena.capacity[store] = capacity;
  const regions = layOut(arena.capacity, () => {});
  for (const region of regionOrder) arena.regions[region] = regions[region];
  arena.buffer = arena.allocate(regions.derived.end);
  carve(arena, views);
  for (const [i, column] of columnList.entries()) columnOf(views, column).set(old[i]!);
  views.generation++;
}

/**
 * Takes the lowest run of `count` free rows of a store, growing it when there is none, and marks them with `id`.
 *
 * @returns the first row
 */
export function takeRows(arena: Arena, views: Views, store: StoreName, count: number, id: number): number {
  const { fullBefore } = arena;
  const first = lowestRun(views[store].id, count, fullBefore[store]);
  grow(arena, views, store, first + count);
  views[store].id.fill(id, first, first + count);
  if (first === fullBefore[store]) fullBefore[store] = first + count;
  return first;
}

/** First row of the lowest run of `count` free rows; the run may reach past the end. */
function lowestRun(ids: Uint32Array, count: number, from: number): number {
  let run = 0;
  for (let row = from; row < ids.length; row++) {
    run = ids[row] === 0 ? run + 1 : 0;
    if (run === count) return row + 1 - count;
  }
  return ids.length - run;
}

/** Gives rows back and sets all their columns to zero, so that nothing of them can come back to life. */
export function freeRows(arena: Arena, views: Views, store: StoreName, first: number, count: number): void {
  if (first < arena.fullBefore[store]) arena.fullBefore[store] = first;
  for (const column of columnList)
    if (column.store === store)
      columnOf(views, column).fill(0, first * column.width, (first + count) * column.width);
}
