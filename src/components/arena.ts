/**
 * One buffer for all columns, in three regions: state, fixed, derived. A rollback save is one copy of the state
 * region. Stores have a capacity in rows; a store that is full doubles, which moves every column and changes no
 * value. Free rows are all zero, and the lowest free run is taken first, so which rows a new thing gets is a
 * function of the state alone and not of how it came about.
 */
import type { Field, FieldType, Region } from './field.js';
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

const regionOrder: readonly Region[] = ['state', 'fixed', 'derived'];
const elementBytes: Record<FieldType, number> = { f64: 8, i32: 4, u32: 4, u8: 1 };
type AnyColumn = Float64Array | Int32Array | Uint32Array | Uint8Array;
type Store = Record<string, AnyColumn>;

const fieldsOf = (store: StoreName): [string, Field][] => Object.entries<Field>(components[store].fields);

/** Calls `visit` for every column in layout order with its byte offset; returns the size and the regions. */
function layOut(
  capacity: Capacity,
  visit: (store: StoreName, name: string, field: Field, offset: number) => void,
): Record<Region, Span> {
  const regions = { state: { start: 0, end: 0 }, fixed: { start: 0, end: 0 }, derived: { start: 0, end: 0 } };
  let offset = 0;
  for (const region of regionOrder) {
    regions[region].start = offset;
    for (const store of storeNames)
      for (const [name, field] of fieldsOf(store)) {
        if (field[1] !== region) continue;
        visit(store, name, field, offset);
        const bytes = capacity[store] * field[2] * elementBytes[field[0]];
        offset += Math.ceil(bytes / 8) * 8;
      }
    regions[region].end = offset;
  }
  return regions;
}

function columnOver(buffer: ArrayBufferLike, type: FieldType, offset: number, length: number): AnyColumn {
  if (type === 'f64') return new Float64Array(buffer, offset, length);
  if (type === 'i32') return new Int32Array(buffer, offset, length);
  if (type === 'u32') return new Uint32Array(buffer, offset, length);
  return new Uint8Array(buffer, offset, length);
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
    Object.fromEntries(fieldsOf(store).map(([name]) => [name, new Uint8Array(0)]));
  const stores = Object.fromEntries(storeNames.map((store) => [store, emptyStore(store)]));
  const views = { ...stores, generation: 0 };
  carve(arena, views as unknown as Views);
  return { arena, views: views as unknown as Views };
}

/** Points every view at the arena's buffer. */
function carve(arena: Arena, views: Views): void {
  layOut(arena.capacity, (store, name, field, offset) => {
    const length = arena.capacity[store] * field[2];
    (views[store] as unknown as Store)[name] = columnOver(arena.buffer, field[0], offset, length);
  });
}

/** Doubles a store until `rows` fit. Columns move, values stay. */
function grow(arena: Arena, views: Views, store: StoreName, rows: number): void {
  const old: [StoreName, string, AnyColumn][] = [];
  layOut(arena.capacity, (s, name) => old.push([s, name, (views[s] as unknown as Store)[name]!]));
  let capacity = Math.max(1, arena.capacity[store]);
  while (capacity < rows) capacity *= 2;
  arena.capacity[store] = capacity;
  const regions = layOut(arena.capacity, () => {});
  for (const region of regionOrder) arena.regions[region] = regions[region];
  arena.buffer = arena.allocate(regions.derived.end);
  carve(arena, views);
  for (const [s, name, column] of old) (views[s] as unknown as Store)[name]!.set(column as never);
  views.generation++;
}

/**
 * Takes the lowest run of `count` free rows of a store, growing it when there is none, and marks them with `id`.
 *
 * @returns the first row
 */
export function takeRows(arena: Arena, views: Views, store: StoreName, count: number, id: number): number {
  let ids = views[store].id;
  const { fullBefore } = arena;
  const first = lowestRun(ids, count, fullBefore[store]);
  if (first + count > ids.length) {
    grow(arena, views, store, first + count);
    ids = views[store].id;
  }
  ids.fill(id, first, first + count);
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
  for (const [name, field] of fieldsOf(store)) {
    (views[store] as unknown as Store)[name]!.fill(0, first * field[2], (first + count) * field[2]);
  }
}
