/**
 * Stable ids and handles. A stable id names a thing for as long as its world lives, in every copy of that world: on a
 * server, its clients, in a replay. A handle (bitECS entity) is good in one process only.
 */
import { FollowthroughError } from '../asset/index.js';
import { rowOf, rowsById, type EntityStore, type World } from './world.js';

/**
 * Entities of a store in the order of their stable ids, which is the order in which they were added: how to find things
 * again in a world that was restored.
 *
 * @example
 * const [fox] = entitiesOf(world, 'character');
 */
export function entitiesOf(world: World, store: EntityStore): number[] {
  return rowsById(world, store).map((row) => world.views[store].eid[row]!);
}

/**
 * Stable id of an entity: what to send to another machine instead of the entity.
 *
 * @throws FollowthroughError `unknown-entity`
 */
export function stableIdOf(world: World, store: EntityStore, entity: number): number {
  return world.views[store].id[rowOf(world, store, entity)]!;
}

/**
 * Entity with a stable id.
 *
 * @throws FollowthroughError `unknown-entity` when there is none in that store
 */
export function entityOf(world: World, store: EntityStore, stableId: number): number {
  const row = stableId === 0 ? -1 : world.views[store].id.indexOf(stableId);
  if (row < 0) throw new FollowthroughError('unknown-entity', `no ${store} has the stable id ${stableId}`);
  return world.views[store].eid[row]!;
}
