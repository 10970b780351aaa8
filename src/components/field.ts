/**
 * How a component describes its columns. A component file is a table of fields; the arena turns each field into
 * one typed array over the component's rows. `state` is what a tick changes (a rollback copies it, a hash reads
 * it), `fixed` changes only with structure or options, `derived` can be rebuilt from the other two.
 */

/** Element type of a column. */
export type FieldType = 'f64' | 'i32' | 'u32' | 'u8';

/** Region of the arena that holds a column. */
export type Region = 'state' | 'fixed' | 'derived';

/** One column: element type, region, elements per row. */
export type Field = readonly [type: FieldType, region: Region, width: number];

/** The columns of a component by name. */
export type Fields = Readonly<Record<string, Field>>;

/** A component: its name and its columns. The object itself is also the component's identity in bitECS. */
export interface Component {
  /** Name of the store in `world.views`. */
  readonly name: string;
  /** Columns; the first, `id`, is 0 in a free row. */
  readonly fields: Fields;
}

/** Typed array of each element type. */
export interface ArrayOf {
  /** Doubles. */
  f64: Float64Array;
  /** Signed 32-bit integers. */
  i32: Int32Array;
  /** Unsigned 32-bit integers. */
  u32: Uint32Array;
  /** Bytes. */
  u8: Uint8Array;
}

/** The typed arrays of a component: `width` elements per row, row after row. */
export type Columns<C extends Component> = { -readonly [K in keyof C['fields']]: ArrayOf[C['fields'][K][0]] };
