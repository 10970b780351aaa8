/**
 * A world as bytes, and back (docs/replay.md, "Snapshot"). The bytes hold every column that a tick needs, what chains were
 * built from and which assets they need; they are the same in every engine, and a world that is restored from them goes on
 * as if it had never left.
 */
import { FollowthroughError, type Asset, type ChainDefinition } from '../asset/index.js';
import { columnOf, columnOver } from '../components/arena.js';
import { columnIndex, padded, type AnyColumn } from '../components/columnList.js';
import { storeNames, type StoreName } from '../components/stores.js';
import { orderOf } from '../setup/buildOrder.js';
import type { Rig } from '../setup/rig.js';
import type { World } from '../setup/world.js';
import { isBetween, writeWorld, type Captured } from './capture.js';
import { chainDefinitionFrom } from './checkDefinition.js';
import { checkRows } from './checkRows.js';
import { headerBytes, openBytes, readTree, seal, writeHeader } from './format.js';
import { hash } from './hash.js';
import { packTree, treeText } from './packTree.js';
import { checkRigEntry, findRig, rigEntry, type RigEntry } from './rigTable.js';
import { columnsKept, usedRows } from './rows.js';

/** Where things stand behind the header. */
const at = { tick: headerBytes, hash: 48, tree: 56, flags: 60, rows: 64, body: 104 } as const;
/** Flag: what the bones show is in it. */
const withShown = 1;

/** What is in a snapshot besides columns. */
interface SnapshotTree {
  rigs: RigEntry[];
  /** Each definition once. */
  definitions: ChainDefinition[];
  /** Per chain row: which definition. */
  uses: Uint32Array;
}

/** What {@link readSnapshot} tells. */
export interface SnapshotInfo {
  /** Ticks that had run. */
  tick: number;
  /** Ticks per second of the world: what a world to restore it into must have. */
  tickRate: number;
  /** `hash` of the world. */
  hash: bigint;
  /** Assets that `restore` needs: name, and hash as `rigHash` gives it. */
  assets: {
    /** Its name, for messages. */
    name: string;
    /** Its `rigHash`. */
    hash: bigint;
  }[];
}

/**
 * Writes a world down.
 *
 * @returns bytes of its own, a multiple of 8; they compress well
 * @example
 * const bytes = snapshot(world);
 * restore(other, bytes, [foxAsset]);
 */
export function snapshot(world: World): Uint8Array {
  // Levels of chains are found with the order; a world that is restored finds them, too.
  orderOf(world);
  const { views } = world;
  const rows = usedRows(views);
  const shown = isBetween(world);
  const tree = packTree(treeOf(world));
  const columns = columnsKept(shown);
  let size = at.body + padded(tree.length);
  for (const { store, rowBytes } of columns) size += padded(rows[store] * rowBytes);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  writeHeader(view, 'snapshot', world.tickRate);
  view.setFloat64(at.tick, world.tick, true);
  view.setBigUint64(at.hash, hash(world), true);
  view.setUint32(at.tree, tree.length, true);
  view.setUint32(at.flags, shown ? withShown : 0, true);
  for (const [i, store] of storeNames.entries()) view.setUint32(at.rows + 4 * i, rows[store], true);
  bytes.set(tree, at.body);
  let offset = at.body + padded(tree.length);
  for (const column of columns) {
    const { buffer, byteOffset } = columnOf(views, column);
    const length = rows[column.store] * column.rowBytes;
    bytes.set(new Uint8Array(buffer, byteOffset, length), offset);
    offset += padded(length);
  }
  seal(bytes);
  return bytes;
}

/** Texts of definitions, which never change: many chains share few. */
const texts = new WeakMap<ChainDefinition, string>();

function textOf(definition: ChainDefinition): string {
  const known = texts.get(definition) ?? treeText(definition);
  texts.set(definition, known);
  return known;
}

function treeOf({ views, definitions, rigs }: World): SnapshotTree {
  const { id: ids } = views.chain;
  const uses = new Uint32Array(usedRows(views).chain);
  const byText = new Map<string, number>();
  const unique: ChainDefinition[] = [];
  for (const [row, id] of ids.entries()) {
    if (id === 0) continue;
    const definition = definitions.get(id)!;
    const text = textOf(definition);
    let use = byText.get(text);
    if (use === undefined) {
      use = unique.push(definition) - 1;
      byText.set(text, use);
    }
    uses[row] = use;
  }
  return { rigs: rigs.map(rigEntry), definitions: unique, uses };
}

const chainIds = columnIndex('chain', 'id');
const characterIds = columnIndex('character', 'id');
const characterRigs = columnIndex('character', 'rig');
const globalTick = columnIndex('global', 'tick');

/**
 * Reads what a snapshot is of, without a world.
 *
 * @throws FollowthroughError `invalid-file`, `unsupported-file`
 */
export function readSnapshot(bytes: Uint8Array): SnapshotInfo {
  const { view, tickRate, tree } = open(bytes);
  return {
    tick: view.getFloat64(at.tick, true),
    tickRate,
    hash: view.getBigUint64(at.hash, true),
    assets: tree.rigs.map(({ name, asset }) => ({ name, hash: BigInt(`0x${asset}`) })),
  };
}

/**
 * Makes a world stand as a snapshot says. What it held before is gone, but for entities of the same stable id, which keep
 * their handles. Rows, stable ids and everything that follows are as in the world that was written down.
 *
 * @param assets - where to find assets that the world does not have yet; meshes may be missing
 * @throws FollowthroughError `invalid-file` when the bytes are broken, `unsupported-file` when another version wrote them,
 * `invalid-argument` when the world has another tick rate, `unknown-name` when an asset is missing; the world stays as it is
 */
export function restore(world: World, bytes: Uint8Array, assets: readonly Asset[] = []): void {
  const opened = open(bytes);
  if (opened.tickRate !== world.tickRate)
    throw new FollowthroughError(
      'invalid-argument',
      `snapshot of a world with ${opened.tickRate} ticks per second, this one has ${world.tickRate}`,
    );
  const captured = readColumns(opened);
  captured.rigs = rigsOf(opened, captured, world, assets);
  captured.definitions = definitionsOf(opened.tree, captured.columns[chainIds]!);
  checkRows(captured, 'snapshot');
  writeWorld(world, captured);
}

/** Rigs that characters have; those of characters that are gone are not looked for. */
function rigsOf(
  { tree, view }: Opened,
  { columns }: Captured,
  world: World,
  assets: readonly Asset[],
): (Rig | undefined)[] {
  const ids = columns[characterIds]!;
  const used = new Set([...columns[characterRigs]!].filter((_, row) => ids[row] !== 0));
  if (columns[globalTick]![0] !== view.getFloat64(at.tick, true))
    throw new FollowthroughError('invalid-file', 'snapshot: its header is of another tick');
  const found: Rig[] = [...world.rigs];
  return tree.rigs.map((entry, i) => {
    if (!used.has(i)) return undefined;
    const rig = findRig(entry, found, assets);
    if (!found.includes(rig)) found.push(rig);
    return rig;
  });
}

interface Opened {
  bytes: Uint8Array;
  view: DataView;
  tickRate: number;
  tree: SnapshotTree;
  /** Where the columns begin. */
  body: number;
}

function open(given: Uint8Array): Opened {
  const opened = openBytes(given, 'snapshot');
  const { tree, end } = readTree(opened, 'snapshot', at.tree, at.body);
  return { ...opened, tree: checkTree(tree), body: end };
}

function checkTree(value: unknown): SnapshotTree {
  const { rigs, definitions, uses } = Object(value) as Partial<SnapshotTree>;
  if (!Array.isArray(rigs) || !Array.isArray(definitions) || !(uses instanceof Uint32Array))
    throw new FollowthroughError('invalid-file', 'snapshot: its description is broken');
  const checked = definitions.map((definition) => {
    const one = chainDefinitionFrom(definition);
    if (!one) throw new FollowthroughError('invalid-file', 'snapshot: a chain definition is broken');
    return one;
  });
  return { rigs: rigs.map((entry) => checkRigEntry(entry, 'snapshot')), definitions: checked, uses };
}

function definitionsOf({ definitions, uses }: SnapshotTree, ids: AnyColumn): Map<number, ChainDefinition> {
  const byId = new Map<number, ChainDefinition>();
  for (const [row, id] of ids.entries()) {
    const definition = definitions[uses[row] ?? -1];
    if (id !== 0 && definition !== undefined) byId.set(id, definition);
  }
  return byId;
}

/** The columns over the bytes themselves. */
function readColumns({ bytes, view, body }: Opened): { -readonly [K in keyof Captured]: Captured[K] } {
  const rows = {} as Record<StoreName, number>;
  for (const [i, store] of storeNames.entries()) rows[store] = view.getUint32(at.rows + 4 * i, true);
  const flags = view.getUint32(at.flags, true);
  const columns: (AnyColumn | undefined)[] = [];
  let offset = body;
  for (const { index, store, type, width, rowBytes } of columnsKept((flags & withShown) !== 0)) {
    const size = padded(rows[store] * rowBytes);
    if (size > bytes.length - offset)
      throw new FollowthroughError('invalid-file', `snapshot: ${rows[store]} rows of ${store} do not fit`);
    columns[index] = columnOver(bytes.buffer, type, offset, rows[store] * width);
    offset += size;
  }
  if (offset !== bytes.length || flags > withShown)
    throw new FollowthroughError('invalid-file', 'snapshot: it is longer than its rows');
  return { rows, columns, definitions: new Map(), rigs: [] };
}
