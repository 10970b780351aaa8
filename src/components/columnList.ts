/**
 * Every column of every component as one flat list, in the order in which they lie in the arena: what copies, hashes and
 * compares worlds walks this list and knows no component by name.
 */
import type { Field, FieldType, Region } from './field.js';
import { components, storeNames, type StoreName } from './stores.js';

/** One column. */
export interface Column {
  /** Position in {@link columnList}. */
  readonly index: number;
  /** Its store. */
  readonly store: StoreName;
  /** Its name there. */
  readonly name: string;
  /** Element type. */
  readonly type: FieldType;
  /** Region of the arena. */
  readonly region: Region;
  /** Elements per row. */
  readonly width: number;
  /** Bytes per row. */
  readonly rowBytes: number;
}

/** Typed array of any element type. */
export type AnyColumn = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** The regions as they follow each other in the arena. */
export const regionOrder: readonly Region[] = ['state', 'fixed', 'derived'];

/** Bytes per element. */
export const elementBytes: Readonly<Record<FieldType, number>> = { f64: 8, i32: 4, u32: 4, u8: 1 };

/** All columns in layout order: by region, then store, then field. */
export const columnList: readonly Column[] = regionOrder
  .flatMap((wanted) =>
    storeNames.flatMap((store) =>
      Object.entries<Field>(components[store].fields)
        .filter(([, [, region]]) => region === wanted)
        .map(([name, [type, region, width]]) => ({
          store,
          name,
          type,
          region,
          width,
          rowBytes: width * elementBytes[type],
        })),
    ),
  )
  .map((column, index) => ({ index, ...column }));

/** Position of a column in {@link columnList}. */
export function columnIndex(store: StoreName, name: string): number {
  return columnList.findIndex((column) => column.store === store && column.name === name);
}

/** Bytes that so many bytes take in the arena and in files: everything there begins at a multiple of 8. */
export function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
