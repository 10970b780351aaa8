/** Which rows of a store are in use, and its columns as words: what everything here that copies, hashes or compares begins with. */
import { columnOf } from '../components/arena.js';
import { columnList, type AnyColumn, type Column } from '../components/columnList.js';
import { storeNames, type StoreName, type Views } from '../components/stores.js';

/** Rows up to the last one taken, per store: how many rows are free behind them changes nothing. */
export function usedRows(views: Views): Record<StoreName, number> {
  const rows = {} as Record<StoreName, number>;
  for (const store of storeNames) {
    const { id } = views[store];
    let count = id.length;
    while (count > 0 && id[count - 1] === 0) count--;
    rows[store] = count;
  }
  return rows;
}

/** A column's memory as 32-bit words; columns of bytes end in zeros. */
export function wordsOf(column: AnyColumn): Int32Array {
  return new Int32Array(column.buffer, column.byteOffset, Math.ceil(column.byteLength / 4));
}

/** Real time is no state of the simulation: how much of a tick has passed differs between machines that agree. */
const realTime = 'pending';

/** Columns that say all of a world at a tick. */
export const hashedColumns: readonly Column[] = columnList.filter(
  ({ region, name }) => region === 'state' && name !== realTime,
);

/** Columns that a tick needs, those that can be rebuilt left out. */
export const keptColumns: readonly Column[] = columnList.filter(({ region }) => region !== 'derived');

/**
 * What the bones show, which follows from the kept columns at the end of a tick. Between a change of structure or options
 * and the next tick it does not: then it is kept as well.
 */
export const shownColumns: readonly Column[] = columnList.filter(
  ({ store, name, region }) =>
    store === 'bone' && region === 'derived' && (name.startsWith('local') || name === 'world'),
);

/** The columns that a copy of a world holds, with what the bones show or without. */
export function columnsKept(withShown: boolean): readonly Column[] {
  return withShown ? [...keptColumns, ...shownColumns] : keptColumns;
}

/** Values with zeros behind them, where there are fewer than `count`. */
export function lengthened(values: AnyColumn, count: number): AnyColumn {
  if (values.length >= count) return values;
  const longer = new (values.constructor as new (length: number) => AnyColumn)(count);
  longer.set(values);
  return longer;
}

/** Column name for people: `particle.position`. */
export function columnName({ store, name }: Column): string {
  return `${store}.${name}`;
}

/** The used part of a column as words. */
export function usedWords(views: Views, column: Column, rows: number): Int32Array {
  return wordsOf(columnOf(views, column).subarray(0, rows * column.width));
}
