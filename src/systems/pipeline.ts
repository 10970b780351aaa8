/**
 * The tick: which systems run and in which order. An engine that has its own schedule can call the stages itself, in
 * this order, and split the chains of a level into blocks as it likes.
 *
 * 1. animate: clips and given poses -> local poses; constrainPoses: constrained bones after the bones they follow
 * 2. driverTransforms: world transforms of the bones that drive chains
 * per level of chains:
 * 3. meetChains: planes between chains that stay out of each other
 * 4. walkChains: spring, bend, contact, link by link from root to tip
 * 5. rebuildBones: rotations and world transforms of what the chains carry
 */
import { movedPart, teleportState } from '../components/codes.js';
import { orderOf } from '../setup/buildOrder.js';
import type { Views } from '../components/stores.js';
import type { World } from '../setup/world.js';
import { animate } from './animate.js';
import { rebuildBones } from './boneRebuild.js';
import { constrainPoses } from './constraints.js';
import { measureColliders, settleColliders } from './colliderMotion.js';
import { driverTransforms } from './driverTransforms.js';
import { meetChains } from './meetChains.js';
import { measureFloors, settleFloors } from './floorMotion.js';
import { walkChains } from './walk.js';
import { measureWind, settleWind } from './wind.js';

/**
 * Runs one tick.
 *
 * @param blend - how far the tick lies between the pose given before (0) and the one given last (1)
 */
export function tick(world: World, blend: number): void {
  const { chains, levels } = orderOf(world);
  animate(world, blend);
  constrainPoses(world);
  driverTransforms(world);
  measureFloors(world);
  measureColliders(world);
  measureWind(world);
  for (let level = 0; level + 1 < levels.length; level++) {
    meetChains(world, level);
    walkChains(world, chains, levels[level]!, levels[level + 1]!);
    rebuildBones(world, chains, levels[level]!, levels[level + 1]!);
  }
  settleFloors(world);
  settleColliders(world);
  settleWind(world);
  endTick(world);
}

/** Keeps the shown local poses, so that a reader can interpolate between two ticks; runs before each tick. */
export function rememberShownPose({ views: { bone } }: World): void {
  bone.lastTranslation.set(bone.localTranslation);
  bone.lastRotation.set(bone.localRotation);
  bone.lastScale.set(bone.localScale);
}

/** Makes the pose of this tick the one shown before, too. */
function forgetShownPose({ bone, character }: Views, row: number): void {
  const first = character.firstBone[row]! - 1;
  const end = first + 1 + character.boneCount[row]!;
  for (let i = first * 3; i < end * 3; i++) {
    bone.lastTranslation[i] = bone.localTranslation[i]!;
    bone.lastScale[i] = bone.localScale[i]!;
  }
  for (let i = first * 4; i < end * 4; i++) bone.lastRotation[i] = bone.localRotation[i]!;
}

/** Ends the tick: what moved has been seen, and time goes on by one. */
export function endTick(world: World): void {
  const { character, global } = world.views;
  for (const row of orderOf(world).characters) {
    // Between the two sides of a jump there is nothing to show.
    if (character.teleported[row] !== teleportState.none) forgetShownPose(world.views, row);
    character.moved[row] = movedPart.nothing;
    character.teleported[row] = teleportState.none;
  }
  global.tick[0]!++;
}
