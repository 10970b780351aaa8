/**
 * The tick: which systems run and in which order. An engine that has its own schedule can call the stages itself, in
 * this order, and split the chains of a level into blocks as it likes.
 *
 * 1. animate: clips and given poses -> local poses
 * 2. driverTransforms: world transforms of the bones that drive chains
 * per level of chains:
 * 3. walkChains: spring, bend, contact, link by link from root to tip
 * 4. rebuildBones: rotations and world transforms of what the chains carry
 */
import { orderOf } from '../setup/buildOrder.js';
import type { World } from '../setup/world.js';
import { animate } from './animate.js';
import { rebuildBones } from './boneRebuild.js';
import { driverTransforms } from './driverTransforms.js';
import { measureFloors, settleFloors } from './floorMotion.js';
import { walkChains } from './walk.js';

/**
 * Runs one tick.
 *
 * @param blend - how far the tick lies between the pose given before (0) and the one given last (1)
 */
export function tick(world: World, blend: number): void {
  const { chains, levels } = orderOf(world);
  animate(world, blend);
  driverTransforms(world);
  measureFloors(world);
  for (let level = 0; level + 1 < levels.length; level++) {
    walkChains(world, chains, levels[level]!, levels[level + 1]!);
    rebuildBones(world, chains, levels[level]!, levels[level + 1]!);
  }
  settleFloors(world);
  endTick(world);
}

/** Keeps the shown local poses, so that a reader can interpolate between two ticks; runs before each tick. */
export function rememberShownPose({ views: { bone } }: World): void {
  bone.lastTranslation.set(bone.localTranslation);
  bone.lastRotation.set(bone.localRotation);
  bone.lastScale.set(bone.localScale);
}

/** Ends the tick: what moved has been seen, and time goes on by one. */
export function endTick(world: World): void {
  const { character, global } = world.views;
  for (const row of world.order!.characters) {
    character.moved[row] = 0;
    character.teleported[row] = 0;
  }
  global.tick[0]!++;
}
