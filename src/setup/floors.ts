/** Floor planes: what chains may lie on. They push nothing but chains. */
import { FollowthroughError } from '../asset/index.js';
import { normalize3 } from '../math/index.js';
import { addRow, changeStructure, removeRow, requireList, rowOf, type World } from './world.js';

/** A floor plane. */
export interface FloorOptions {
  /** A point of the plane in world space, default the origin. */
  point?: readonly [number, number, number];
  /** Direction out of the floor, any length, default +Y. */
  normal?: readonly [number, number, number];
}

/**
 * Adds a floor plane.
 *
 * @returns its bitECS entity
 * @throws FollowthroughError `invalid-argument` for numbers that are not finite or a normal of length 0
 */
export function addFloor(world: World, options: FloorOptions = {}): number {
  const normal = unitNormal(options.normal ?? [0, 1, 0]);
  const point = options.point ?? [0, 0, 0];
  requireList(point, 'point', 3);
  const { row, eid } = addRow(world, 'floor');
  const { floor, global } = world.views;
  floor.point.set(point, row * 3);
  floor.lastPoint.set(point, row * 3);
  floor.normal.set(normal, row * 3);
  global.floorsMoved[0] = 1;
  changeStructure(world);
  return eid;
}

/**
 * Moves or turns a floor plane. The way of its point from tick to tick is the velocity of its surface, and tails that
 * lie on it are taken along; a jump of more than half a metre in one tick is not.
 */
export function setFloor(world: World, entity: number, options: FloorOptions): void {
  const row = rowOf(world, 'floor', entity);
  const normal = options.normal && unitNormal(options.normal);
  requireList(options.point, 'point', 3);
  const { floor, global } = world.views;
  if (options.point) floor.point.set(options.point, row * 3);
  if (normal) floor.normal.set(normal, row * 3);
  global.floorsMoved[0] = 1;
}

/** Removes a floor plane. */
export function removeFloor(world: World, entity: number): void {
  removeRow(world, 'floor', rowOf(world, 'floor', entity));
  world.views.global.floorsMoved[0] = 1;
  changeStructure(world);
}

function unitNormal(normal: readonly [number, number, number]): number[] {
  requireList(normal, 'normal', 3);
  const out = [0, 0, 0];
  if (normalize3(out, 0, [...normal], 0) === 0)
    throw new FollowthroughError('invalid-argument', 'normal has length 0, expected a direction');
  return out;
}
