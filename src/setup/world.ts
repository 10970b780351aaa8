/**
 * The world: the arena, the bitECS world that holds the handles, and what belongs to no column (rigs, reports,
 * the processing order). Entities are handles only: stores are indexed by rows, and rows are processed by stable
 * id, never in the order of a bitECS query.
 */
import {
  addComponent,
  addEntity,
  createWorld as createEcs,
  entityExists,
  hasComponent,
  removeEntity,
  type World as Ecs,
} from 'bitecs';
import { FollowthroughError, type ChainDefinition, type Warning } from '../asset/index.js';
import { createArena, freeRows, takeRows, type Arena, type Capacity } from '../components/arena.js';
import { components, type StoreName, type Views } from '../components/stores.js';
import { exp } from '../math/index.js';
import type { Order } from './order.js';
import type { Rig } from './rig.js';
import { vrmRate } from './vrmFrame.js';

/** Stores whose rows are entities of their own. */
export type EntityStore = 'character' | 'chain' | 'floor' | 'player' | 'collider' | 'constraint';

/** All of them. */
export const entityStores: readonly EntityStore[] = [
  'character',
  'chain',
  'floor',
  'player',
  'collider',
  'constraint',
];

/** What happened that a caller may want to know. Nothing is ever printed. */
export interface Report {
  /** Repairs, guesses and faults since the world was made, each once. */
  warnings: Warning[];
  /** Ticks that `advance` left out because a frame was longer than `maxTicksPerAdvance`. */
  droppedTicks: number;
  /** Teleports that a policy answered. */
  teleports: number;
}

/** A simulation. Read and write its columns through `views`; everything else goes through functions. */
export interface World {
  /** The bitECS world that holds the handles: its own, or the game's. */
  readonly ecs: Ecs;
  /** Ticks per second. */
  readonly tickRate: number;
  /** Most ticks one `advance` runs. */
  readonly maxTicksPerAdvance: number;
  /** @internal What one tick leaves of a velocity along a floor. */
  readonly floorDecay: number;
  /** @internal Steps that a chain of the VRM model takes per tick: at least 60 a second. */
  readonly vrmSteps: number;
  /** @internal What one of those steps leaves of a velocity along a floor. */
  readonly vrmFloorDecay: number;
  /** The buffer behind the columns. */
  readonly arena: Arena;
  /** The columns; look at `views.generation` after adding things before using arrays you kept. */
  readonly views: Views;
  /** What was repaired, dropped or faulted. */
  readonly report: Report;
  /** Ticks run so far. */
  readonly tick: number;
  /** @internal Skeletons with what was derived from them, shared by characters of one asset. */
  readonly rigs: Rig[];
  /** @internal What each chain was built from, by stable id. */
  readonly definitions: Map<number, ChainDefinition>;
  /** @internal Row of each handle. */
  readonly rows: Record<EntityStore, Map<number, number>>;
  /** @internal Processing order; undefined after a change of structure. */
  order: Order | undefined;
  /**
   * Rises when anything of the region `fixed` changes: things that come and go, options, shapes. Add one when you write
   * columns of that region yourself, so that a history of the world sees it.
   */
  structure: number;
}

/** Options of {@link createWorld}. */
export interface WorldOptions {
  /** Ticks per second, default 120. */
  tickRate?: number;
  /** Most ticks one `advance` runs before it drops the rest, default 8. */
  maxTicksPerAdvance?: number;
  /** A bitECS world to put the handles in, default a new one. */
  ecs?: Ecs;
  /** Rows to start with, per store; stores double when full. */
  capacity?: Partial<Capacity>;
  /** Makes a zeroed buffer, default `new ArrayBuffer(bytes)`; for shared or WebAssembly memory. */
  allocate?: (bytes: number) => ArrayBufferLike;
}

/** Rate at which motion along a floor decays, 1/s. */
const floorDamping = 8;

const startCapacity: Capacity = {
  global: 1,
  character: 4,
  bone: 256,
  chain: 8,
  particle: 64,
  collider: 0,
  floor: 2,
  player: 4,
  input: 0,
  constraint: 0,
};

/**
 * Makes an empty world.
 *
 * @example
 * const world = createWorld({ tickRate: 120 });
 * @throws FollowthroughError `invalid-argument` when a rate or capacity is not a positive finite number, `unknown-name`
 */
export function createWorld(options: WorldOptions = {}): World {
  requireKnown(options, ['tickRate', 'maxTicksPerAdvance', 'ecs', 'capacity', 'allocate'], 'world');
  const tickRate = options.tickRate ?? 120;
  const maxTicksPerAdvance = options.maxTicksPerAdvance ?? 8;
  requirePositive(tickRate, 'tickRate');
  if (!Number.isInteger(maxTicksPerAdvance) || maxTicksPerAdvance < 1)
    throw new FollowthroughError(
      'invalid-argument',
      `maxTicksPerAdvance is ${maxTicksPerAdvance}, expected a whole number, 1 or more`,
    );
  const capacity = { ...startCapacity, ...options.capacity, global: 1 };
  for (const [store, rows] of Object.entries(capacity))
    if (!Number.isInteger(rows) || rows < 0)
      throw new FollowthroughError(
        'invalid-argument',
        `capacity.${store} is ${rows}, expected a whole number`,
      );
  const vrmSteps = Math.ceil(vrmRate / tickRate);
  const { arena, views } = createArena(capacity, options.allocate ?? ((bytes) => new ArrayBuffer(bytes)));
  takeRows(arena, views, 'global', 1, 1);
  views.global.nextId[0] = 1;
  return {
    ecs: options.ecs ?? createEcs(),
    tickRate,
    maxTicksPerAdvance,
    floorDecay: exp(-floorDamping / tickRate),
    vrmSteps,
    vrmFloorDecay: exp(-floorDamping / (tickRate * vrmSteps)),
    arena,
    views,
    report: { warnings: [], droppedTicks: 0, teleports: 0 },
    get tick() {
      return views.global.tick[0]!;
    },
    rigs: [],
    definitions: new Map(),
    rows: Object.fromEntries(entityStores.map((store) => [store, new Map()])) as World['rows'],
    order: undefined,
    structure: 0,
  };
}

/** Says that things came or went: rows are put in order anew. */
export function changeStructure(world: World): void {
  world.order = undefined;
  world.structure++;
}

/** Throws unless the value is a finite number above zero. */
export function requirePositive(value: number, name: string): void {
  if (!(value > 0 && value < Infinity))
    throw new FollowthroughError('invalid-argument', `${name} is ${value}, expected a finite number above 0`);
}

/** Throws for a member that is none of the options: a misspelt one would be passed over in silence. */
export function requireKnown(options: object, names: readonly string[], what: string): void {
  for (const name of Object.keys(options))
    if (!names.includes(name))
      throw new FollowthroughError('unknown-name', `there is no ${what} option ${name}`);
}

/** Throws unless the value is a whole number of 32 bits. */
export function requireBits(value: unknown, name: string): void {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffffffff)
    throw new FollowthroughError(
      'invalid-argument',
      `${name} is ${String(value)}, expected a whole number from 0 to 4294967295`,
    );
}

/** Throws unless every value is a finite number. */
function requireFinite(values: ArrayLike<number>, name: string): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i]))
      throw new FollowthroughError(
        'invalid-argument',
        `${name}[${i}] is ${values[i]}, expected a finite number`,
      );
}

/** Throws unless the list, if given, has that many numbers and all are finite. */
export function requireList(values: ArrayLike<number> | undefined, name: string, length: number): void {
  if (values === undefined) return;
  if (values.length !== length)
    throw new FollowthroughError(
      'invalid-argument',
      `${name} has ${values.length} numbers, expected ${length}`,
    );
  requireFinite(values, name);
}

/** Largest stable id: they are 32 bits wide and never used again. */
export const lastId = 0xfffffff0;

/** Takes a row for a new entity of a store and makes its handle. */
export function addRow(world: World, store: EntityStore): { row: number; eid: number; id: number } {
  const id = world.views.global.nextId[0]!;
  if (id >= lastId) throw new FollowthroughError('invalid-argument', 'this world has used up its stable ids');
  world.views.global.nextId[0] = id + 1;
  const row = takeRows(world.arena, world.views, store, 1, id);
  return { row, eid: addHandle(world, store, row), id };
}

/** Makes a bitECS entity for a row. */
export function addHandle(world: World, store: EntityStore, row: number): number {
  const eid = addEntity(world.ecs);
  addComponent(world.ecs, eid, components[store]);
  const orphan = world.rows[store].get(eid);
  world.views[store].eid[row] = eid;
  world.rows[store].set(eid, row);
  // The game removed an entity of ours and bitECS gave its number again: what it stood for gets another handle.
  if (orphan !== undefined && orphan !== row) addHandle(world, store, orphan);
  return eid;
}

/** Whether an entity still is the handle that it was: the game may have removed it, and bitECS given its number again. */
export function isHandle(world: World, eid: number, store: StoreName): boolean {
  return entityExists(world.ecs, eid) && hasComponent(world.ecs, eid, components[store]);
}

/** Removes a handle, unless the number now belongs to something of the game. */
export function removeHandle(world: World, eid: number, store: StoreName): void {
  if (isHandle(world, eid, store)) removeEntity(world.ecs, eid);
}

/** Removes an entity and its row. */
export function removeRow(world: World, store: EntityStore, row: number): void {
  const eid = world.views[store].eid[row]!;
  world.rows[store].delete(eid);
  removeHandle(world, eid, store);
  freeRows(world.arena, world.views, store, row, 1);
}

/**
 * Row of an entity in its store: the index into that store's columns.
 *
 * bitECS gives the number of a removed entity to a later one: forget a handle when you remove what it stands for.
 *
 * @throws FollowthroughError `unknown-entity` when the entity was removed or belongs to another store
 */
export function rowOf(world: World, store: EntityStore, entity: number): number {
  const row = world.rows[store].get(entity);
  if (row === undefined)
    throw new FollowthroughError('unknown-entity', `entity ${entity} is no ${store} of this world`);
  return row;
}

/** Rows of the chains, clip players, colliders or constraints of a character, by stable id. */
export function rowsOfCharacter(
  world: World,
  store: 'chain' | 'player' | 'collider' | 'constraint',
  character: number,
): number[] {
  const { id, character: owner } = world.views[store];
  const rows: number[] = [];
  for (let row = 0; row < id.length; row++) if (id[row] !== 0 && owner[row] === character) rows.push(row);
  return rows.toSorted((a, b) => id[a]! - id[b]!);
}

/** Rows of a store that are taken, by stable id. */
export function rowsById(world: World, store: StoreName): number[] {
  const ids = world.views[store].id;
  const rows: number[] = [];
  for (let row = 0; row < ids.length; row++) if (ids[row] !== 0) rows.push(row);
  return rows.toSorted((a, b) => ids[a]! - ids[b]! || a - b);
}

/** Adds a warning once. */
export function warn(world: World, warning: Warning): void {
  const known = world.report.warnings.some((w) => w.code === warning.code && w.at === warning.at);
  if (!known) world.report.warnings.push(warning);
}
