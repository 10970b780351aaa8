/**
 * What the byte formats share: marks, versions, and the hash of the schema, which every file carries. Layouts:
 * docs/replay.md.
 */
import { FollowthroughError } from '../asset/index.js';
import { columnList, padded } from '../components/columnList.js';
import { mathVersion } from '../math/index.js';
import { hashBytes } from './hash.js';
import { packTree, unpackTree } from './packTree.js';

/** The first four bytes: `FTSN`, `FTRP`. */
export const magic = { snapshot: 0x4e535446, replay: 0x50525446 } as const;

/** Version of the layouts. Readers take the same major version and no newer minor one. */
const formatVersion = { major: 1, minor: 0 } as const;

/** Length of the header that both formats begin with. */
export const headerBytes = 40;

/** Hash of names, types, widths and regions of all columns: files of another schema cannot be read. */
const schemaHash: readonly [low: number, high: number] = (() => {
  const lanes = hashBytes(
    packTree(columnList.map(({ store, name, type, region, width }) => [store, name, type, region, width])),
  );
  return [lanes[0]!, lanes[1]!] as const;
})();

/** Ticks per second that files may ask for: a chain of the VRM model takes 60 steps a second, and no file may make a tick endless. */
const slowest = 0.1;
const fastest = 1e7;

/** Columns are copied as memory, which is little-endian everywhere that a JavaScript engine runs today. */
const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Writes the header; the checksum comes last, see {@link seal}. */
export function writeHeader(view: DataView, kind: keyof typeof magic, tickRate: number): void {
  if (!littleEndian) throw new FollowthroughError('unsupported-file', 'this machine is big-endian');
  view.setUint32(0, magic[kind], true);
  view.setUint16(4, formatVersion.major, true);
  view.setUint16(6, formatVersion.minor, true);
  view.setUint32(8, mathVersion, true);
  view.setUint32(12, view.byteLength, true);
  view.setInt32(16, schemaHash[0], true);
  view.setInt32(20, schemaHash[1], true);
  view.setFloat64(24, tickRate, true);
}

/** Writes the checksum over all bytes but its own eight. */
export function seal(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setBigUint64(32, 0n, true);
  const lanes = hashBytes(bytes);
  view.setInt32(32, lanes[0]!, true);
  view.setInt32(36, lanes[1]!, true);
}

/**
 * Checks the header and the checksum.
 *
 * @returns the same bytes at an offset of their own that is a multiple of 8, and the tick rate
 * @throws FollowthroughError `invalid-file` when they are broken, `unsupported-file` when another version wrote them
 */
export function openBytes(
  given: Uint8Array,
  kind: keyof typeof magic,
): { bytes: Uint8Array; view: DataView; tickRate: number } {
  const broken = (why: string): FollowthroughError =>
    new FollowthroughError('invalid-file', `${kind}: ${why}`);
  const foreign = (why: string): FollowthroughError =>
    new FollowthroughError('unsupported-file', `${kind}: ${why}`);
  if (!littleEndian) throw foreign('this machine is big-endian');
  if (!(given instanceof Uint8Array)) throw broken('expected a Uint8Array');
  if (given.length < headerBytes || given.length % 8 !== 0)
    throw broken(`${given.length} bytes, expected a multiple of 8 from ${headerBytes}`);
  // Not slice: that of a Node Buffer copies nothing.
  const bytes = new Uint8Array(given);
  const view = new DataView(bytes.buffer);
  if (view.getUint32(0, true) !== magic[kind]) throw broken('it does not begin as one');
  const major = view.getUint16(4, true);
  const minor = view.getUint16(6, true);
  if (major !== formatVersion.major || minor > formatVersion.minor)
    throw foreign(
      `format ${major}.${minor}, this library reads ${formatVersion.major}.${formatVersion.minor}`,
    );
  if (view.getUint32(12, true) !== bytes.length)
    throw broken(
      `${bytes.length} bytes, expected ${view.getUint32(12, true)}: it is cut off or has more behind it`,
    );
  const sum = [view.getInt32(32, true), view.getInt32(36, true)];
  seal(bytes);
  if (sum[0] !== view.getInt32(32, true) || sum[1] !== view.getInt32(36, true))
    throw broken('its checksum does not fit: bytes were changed');
  if (view.getUint32(8, true) !== mathVersion)
    throw foreign(`made with mathVersion ${view.getUint32(8, true)}, this library has ${mathVersion}`);
  if (view.getInt32(16, true) !== schemaHash[0] || view.getInt32(20, true) !== schemaHash[1])
    throw foreign('made by a version with other components');
  const tickRate = view.getFloat64(24, true);
  if (!(tickRate >= slowest && tickRate <= fastest))
    throw broken(`tick rate ${tickRate}, expected ${slowest} to ${fastest}`);
  return { bytes, view, tickRate };
}

/**
 * Reads the tree of a file.
 *
 * @param lengthAt - where its length stands
 * @param body - where it begins
 * @returns the tree, and where what follows it begins
 * @throws FollowthroughError `invalid-file`
 */
export function readTree(
  { bytes, view }: { bytes: Uint8Array; view: DataView },
  kind: keyof typeof magic,
  lengthAt: number,
  body: number,
): { tree: unknown; end: number } {
  const length = bytes.length < body ? Infinity : view.getUint32(lengthAt, true);
  const end = body + padded(length);
  if (end > bytes.length)
    throw new FollowthroughError('invalid-file', `${kind}: a length in it goes past its end`);
  return { tree: unpackTree(bytes.subarray(body, body + length), kind), end };
}
