/**
 * The last ticks of a world, to go back to (docs/replay.md, "Rollback"). A tick is kept as one copy of the state region;
 * what changes with structure is kept once and shared by the ticks between two changes. A rollback inside one structure
 * copies the region back and makes the bones show it; over a change of structure it puts rows, definitions and handles back
 * too.
 */
import { FollowthroughError, type ChainDefinition } from '../asset/index.js';
import { columnOver, layOut, type Capacity } from '../components/arena.js';
import type { AnyColumn } from '../components/columnList.js';
import { storeNames } from '../components/stores.js';
import type { World } from '../setup/world.js';
import { rebuildShown } from '../systems/rebuildShown.js';
import { captureWorld, isBetween, writeWorld, type Captured } from './capture.js';

/** The last ticks of a world. */
export interface History {
  /** Oldest tick that can be gone back to; NaN when none is kept. */
  readonly oldest: number;
  /** Newest tick that is kept; NaN when none is. */
  readonly newest: number;
  /**
   * Keeps the world as it stands: at the end of a tick, before the inputs of the next. Every tick is to be kept: after a jump,
   * forward or back, the ring begins anew. The oldest is dropped when the ring
   * is full; a tick that was kept before is kept anew. Makes no buffer unless structure or options changed.
   */
  save(): void;
  /**
   * Takes the world back to a kept tick; the ticks after it are forgotten. Real time that `advance` has not run yet stays.
   *
   * @throws FollowthroughError `invalid-argument` when the tick is not kept (nothing changes)
   */
  rewind(tick: number): void;
}

/** What does not change from tick to tick: kept at the first tick of a structure. */
interface Structure {
  /** `world.structure` and `views.generation` as long as the world has it. */
  version: number;
  generation: number;
  capacity: Capacity;
  /** Bytes of the fixed region. */
  fixed: Uint8Array;
  definitions: ReadonlyMap<number, ChainDefinition>;
}

/** One kept tick. */
interface Slot {
  tick: number;
  state: Uint8Array;
  structure: Structure;
  /** All of the world, where something was set since the tick. */
  all: Captured | undefined;
}

/**
 * Makes a history of a world.
 *
 * @param ticks - how many of the last ticks it keeps, 1 or more
 * @throws FollowthroughError `invalid-argument`
 * @example
 * const history = createHistory(world, 12);
 * history.save(); // after every step
 * history.rewind(world.tick - 8); // then step again with what is known now
 */
export function createHistory(world: World, ticks: number): History {
  if (!Number.isInteger(ticks) || ticks < 1)
    throw new FollowthroughError('invalid-argument', `ticks is ${ticks}, expected a whole number, 1 or more`);
  /** Kept ticks, each at its number modulo the length. */
  const ring: (Slot | undefined)[] = Array.from({ length: ticks });
  let live = structureOf(world);
  let newest = NaN;
  let oldest = NaN;

  const sameStructure = (): boolean =>
    live.version === world.structure && live.generation === world.views.generation;

  return {
    get oldest() {
      return oldest;
    },
    get newest() {
      return newest;
    },
    save() {
      if (!sameStructure()) live = structureOf(world);
      const { tick } = world;
      const { state } = world.arena.regions;
      const size = state.end - state.start;
      const place = tick % ticks;
      let slot = ring[place];
      if (slot === undefined || slot.state.length !== size)
        slot = { tick, state: new Uint8Array(size), structure: live, all: undefined };
      slot.tick = tick;
      slot.structure = live;
      slot.all = isBetween(world) ? captureWorld(world) : undefined;
      slot.state.set(new Uint8Array(world.arena.buffer, state.start, size));
      ring[place] = slot;
      // A jump in time leaves nothing in between to go back to.
      if (tick !== newest && tick !== newest + 1) oldest = tick;
      newest = tick;
      if (oldest < tick - ticks + 1) oldest = tick - ticks + 1;
    },
    rewind(tick) {
      const slot = tick >= oldest && tick <= newest ? ring[tick % ticks] : undefined;
      if (slot === undefined)
        throw new FollowthroughError(
          'invalid-argument',
          `tick ${tick} is not kept, there are ${newest >= oldest ? `${oldest} to ${newest}` : 'none'}`,
        );
      const pending = world.views.global.pending[0]!;
      if (slot.all === undefined && slot.structure === live && sameStructure()) {
        new Uint8Array(world.arena.buffer, world.arena.regions.state.start, slot.state.length).set(
          slot.state,
        );
        for (const store of storeNames) world.arena.fullBefore[store] = 0;
        rebuildShown(world);
      } else {
        writeWorld(world, slot.all ?? capturedOf(world, slot));
        live = structureOf(world);
      }
      world.views.global.pending[0] = pending;
      newest = tick;
    },
  };
}

function structureOf(world: World): Structure {
  const { buffer, regions, capacity } = world.arena;
  return {
    version: world.structure,
    generation: world.views.generation,
    capacity: { ...capacity },
    fixed: new Uint8Array(buffer, regions.fixed.start, regions.fixed.end - regions.fixed.start).slice(),
    definitions: new Map(world.definitions),
  };
}

/** A kept tick as columns over its own bytes. */
function capturedOf(world: World, { state, structure }: Slot): Captured {
  const { capacity, fixed, definitions } = structure;
  const columns: (AnyColumn | undefined)[] = [];
  layOut(capacity, ({ index, store, type, region, width }, offset) => {
    if (region === 'state') columns[index] = columnOver(state.buffer, type, offset, capacity[store] * width);
    if (region === 'fixed')
      columns[index] = columnOver(fixed.buffer, type, offset - state.length, capacity[store] * width);
  });
  return { rows: capacity, columns, definitions, rigs: world.rigs };
}
