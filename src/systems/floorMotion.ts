/** Velocity of the floor planes in this tick, from the way they went since the last one. */
import { orderOf } from '../setup/buildOrder.js';
import type { World } from '../setup/world.js';

/** Measures every floor plane; run once per tick before the chains. */
export function measureFloors(world: World): void {
  const { floor } = world.views;
  for (const row of orderOf(world).floors)
    for (let i = row * 3; i < row * 3 + 3; i++) {
      floor.velocity[i] = (floor.point[i]! - floor.lastPoint[i]!) * world.tickRate;
      floor.lastPoint[i] = floor.point[i]!;
    }
}

/** Ends the tick: a plane that did not move since needs no more attention. */
export function settleFloors(world: World): void {
  const { floor, global } = world.views;
  let moving = 0;
  for (const row of orderOf(world).floors)
    for (let i = row * 3; i < row * 3 + 3; i++) if (floor.velocity[i] !== 0) moving = 1;
  global.floorsMoved[0] = moving;
}
