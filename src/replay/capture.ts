/**
 * A whole world as plain data, and a world made to stand as that data says: what snapshots and rollbacks over a change of
 * structure are made of. Rows and stable ids come back as they were; an entity that lives on both sides keeps its handle.
 */
import { addComponent, addEntity } from 'bitecs';
import type { ChainDefinition } from '../asset/index.js';
import { columnOf, grow } from '../components/arena.js';
import { columnList, type AnyColumn } from '../components/columnList.js';
import { movedPart } from '../components/codes.js';
import { components, storeNames, type StoreName } from '../components/stores.js';
import { orderOf } from '../setup/buildOrder.js';
import type { Rig } from '../setup/rig.js';
import {
  addHandle,
  changeStructure,
  entityStores,
  isHandle,
  removeHandle,
  type EntityStore,
  type World,
} from '../setup/world.js';
import { rememberShownPose } from '../systems/pipeline.js';
import { rebuildShown } from '../systems/rebuildShown.js';
import { columnsKept, shownColumns, usedRows } from './rows.js';

/** A world at one moment. */
export interface Captured {
  /** Rows of each store. */
  rows: Record<StoreName, number>;
  /** Per column of `columnList`: its values, at least as many as there are rows; undefined where they can be rebuilt. */
  columns: (AnyColumn | undefined)[];
  /** What each chain was built from, by stable id. */
  definitions: ReadonlyMap<number, ChainDefinition>;
  /** What `character.rig` counts; nothing where no character has it. */
  rigs: readonly (Rig | undefined)[];
}

/**
 * Copies all of a world that cannot be rebuilt.
 *
 * @param withShown - what the bones show too, even where it can be
 */
export function captureWorld(world: World, withShown: boolean = isBetween(world)): Captured {
  // Levels of chains are found with the order; a world that is put back finds them, too.
  orderOf(world);
  const rows = usedRows(world.views);
  const columns: (AnyColumn | undefined)[] = [];
  for (const column of columnsKept(withShown))
    columns[column.index] = columnOf(world.views, column).slice(0, rows[column.store] * column.width);
  return { rows, columns, definitions: new Map(world.definitions), rigs: world.rigs };
}

/** Whether something was set since the last tick that the bones do not show yet. */
export function isBetween({ views: { character } }: World): boolean {
  return character.moved.some((moved) => moved !== movedPart.nothing);
}

/** Makes a world stand as captured. The captured columns are only read. */
export function writeWorld(world: World, from: Captured): void {
  const { arena, views } = world;
  const handles = knownHandles(world);
  for (const store of storeNames) grow(arena, views, store, from.rows[store]);
  for (const column of columnList) {
    const values = columnOf(views, column);
    const given = from.columns[column.index];
    const count = given === undefined ? 0 : from.rows[column.store] * column.width;
    if (given !== undefined) values.set(given.subarray(0, count));
    values.fill(0, count);
  }
  for (const store of storeNames) arena.fullBefore[store] = 0;
  const rigs = from.rigs.map((rig) => {
    if (rig === undefined) return -1;
    const known = world.rigs.indexOf(rig);
    return known >= 0 ? known : world.rigs.push(rig) - 1;
  });
  const { id, rig } = views.character;
  for (let row = 0; row < id.length; row++) if (id[row] !== 0) rig[row] = rigs[rig[row]!]!;
  world.definitions.clear();
  for (const [chain, definition] of from.definitions) world.definitions.set(chain, definition);
  giveHandles(world, handles);
  changeStructure(world);
  const shown = shownColumns.every(({ index }) => from.columns[index] !== undefined);
  if (shown) rememberShownPose(world);
  else rebuildShown(world);
}

/** Handles by store and stable id; those of bones by the id of their character, in order. */
type Handles = Record<StoreName, Map<number, number[]>>;

/** Stands for a handle that is no more. */
const lost = -1;

function knownHandles(world: World): Handles {
  const { views } = world;
  const handles = {} as Handles;
  for (const store of storeNames) {
    handles[store] = new Map();
    if (!hasHandles(store)) continue;
    const { id, eid } = views[store];
    for (let row = 0; row < id.length; row++) {
      if (id[row] === 0) continue;
      // The game may have removed it, and bitECS given its number to something of the game.
      const known = isHandle(world, eid[row]!, store) ? eid[row]! : lost;
      const list = handles[store].get(id[row]!);
      if (list) list.push(known);
      else handles[store].set(id[row]!, [known]);
    }
  }
  return handles;
}

const hasHandles = (store: StoreName): store is EntityStore | 'bone' =>
  store === 'bone' || entityStores.includes(store as EntityStore);

/** Gives every row its handle: the one that its stable id had, else a new one. Handles that are left over go. */
function giveHandles(world: World, handles: Handles): void {
  const { views, rows, ecs } = world;
  const fresh: [EntityStore, number][] = [];
  for (const store of entityStores) {
    rows[store].clear();
    const { id, eid } = views[store];
    for (let row = 0; row < id.length; row++) {
      if (id[row] === 0) continue;
      const known = handles[store].get(id[row]!)?.shift() ?? lost;
      if (known === lost) fresh.push([store, row]);
      else {
        eid[row] = known;
        rows[store].set(known, row);
      }
    }
  }
  const newBones: number[] = [];
  const { id, eid } = views.bone;
  for (let row = 0; row < id.length; row++) {
    if (id[row] === 0) continue;
    const known = handles.bone.get(id[row]!)?.shift() ?? lost;
    if (known === lost) newBones.push(row);
    else eid[row] = known;
  }
  // Removed first, so that bitECS can give their numbers again.
  for (const store of storeNames)
    for (const left of handles[store].values()) for (const entity of left) removeHandle(world, entity, store);
  for (const [store, row] of fresh) addHandle(world, store, row);
  for (const row of newBones) {
    eid[row] = addEntity(ecs);
    addComponent(ecs, eid[row]!, components.bone);
  }
}
