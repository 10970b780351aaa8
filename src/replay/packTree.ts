/**
 * Plain data with typed arrays in it as bytes: what is not columns in a snapshot or a replay (chain definitions, assets). A
 * JSON text in ASCII, in which every typed array is a mark, then the arrays themselves. Keys are sorted, so that equal data
 * give equal bytes in every engine; text is escaped, so that no engine needs an encoder. Layout: docs/replay.md, "Trees".
 */
import { FollowthroughError } from '../asset/index.js';
import { padded } from '../components/columnList.js';

type Typed = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

const kinds: Record<string, new (buffer: ArrayBuffer) => Typed> = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
};

const kindOf = (value: object): string | undefined =>
  Object.keys(kinds).find((kind) => value instanceof kinds[kind]!);

/** Packs data: objects, lists, strings, numbers of any kind, booleans, null, typed arrays. Members that are undefined are left out. */
export function packTree(tree: unknown): Uint8Array {
  const arrays: Typed[] = [];
  const text = treeText(tree, arrays);
  const size = arrays.reduce((sum, { byteLength }) => sum + padded(byteLength), padded(8 + text.length));
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  for (let i = 0; i < text.length; i++) bytes[8 + i] = text.charCodeAt(i);
  let at = padded(8 + text.length);
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  }
  return bytes;
}

/**
 * The text of packed data: equal for equal data.
 *
 * @param arrays - receives the typed arrays in it
 */
export function treeText(tree: unknown, arrays: Typed[] = []): string {
  return JSON.stringify(marked(tree, arrays)).replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The data with typed arrays, and numbers that JSON cannot say, replaced by marks `{"$": ...}`. */
function marked(value: unknown, arrays: Typed[]): unknown {
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { $: Object.is(value, -0) ? '-0' : String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => marked(item, arrays));
  const kind = kindOf(value);
  if (kind !== undefined) {
    arrays.push(value as Typed);
    return { $: kind, n: (value as Typed).length };
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key.startsWith('$') ? `$${key}` : key, marked(member, arrays)]),
  );
}

/**
 * The data that {@link packTree} packed.
 *
 * @param what - what it is, for messages
 * @throws FollowthroughError `invalid-file`
 */
export function unpackTree(bytes: Uint8Array, what: string): unknown {
  const broken = (why: string): FollowthroughError =>
    new FollowthroughError('invalid-file', `${what}: ${why}`);
  if (bytes.length < 8) throw broken(`${bytes.length} bytes, expected at least 8`);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (length > bytes.length - 8) throw broken(`text of ${length} bytes does not fit`);
  let text = '';
  for (let i = 8; i < 8 + length; i += 4096)
    text += String.fromCharCode(...bytes.subarray(i, Math.min(i + 4096, 8 + length)));
  let at = padded(8 + length);
  const unmark = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => unmark(item));
    const { $: mark, n } = value as { $?: unknown; n?: unknown };
    if (mark === undefined)
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          key.startsWith('$') ? key.slice(1) : key,
          unmark(member),
        ]),
      );
    if (mark === '-0') return -0;
    if (mark === 'NaN' || mark === 'Infinity' || mark === '-Infinity') return Number(mark);
    const Kind = typeof mark === 'string' && Object.hasOwn(kinds, mark) ? kinds[mark]! : undefined;
    if (Kind === undefined || typeof n !== 'number' || !Number.isInteger(n) || n < 0)
      throw broken(`unknown mark ${JSON.stringify(value)}`);
    const byteLength = n * (Kind as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
    if (byteLength > bytes.length - at) throw broken(`an array of ${n} numbers does not fit`);
    // Not slice: that of a Node Buffer copies nothing.
    const array = new Kind(new Uint8Array(bytes.subarray(at, at + byteLength)).buffer);
    at += padded(byteLength);
    return array;
  };
  try {
    return unmark(JSON.parse(text));
  } catch (error) {
    if (error instanceof FollowthroughError) throw error;
    throw broken('its text is no JSON');
  }
}
