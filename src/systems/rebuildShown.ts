/**
 * What bones show, made anew out of the state: after a snapshot or a rollback has put the state of another tick in place.
 * It is what stages 2 and 4 of that tick left behind, to the last bit, as long as nothing was set since.
 */
import { movedPart } from '../components/codes.js';
import { orderOf } from '../setup/buildOrder.js';
import type { World } from '../setup/world.js';
import { animatedRest } from './animatedRest.js';
import { rebuildBones } from './boneRebuild.js';
import { driverTransforms } from './driverTransforms.js';
import { rememberShownPose } from './pipeline.js';

/** Rebuilds local and world transforms of all bones; changes no state. */
export function rebuildShown(world: World): void {
  const { character } = world.views;
  const { chains, levels, characters } = orderOf(world);
  const moved = character.moved.slice();
  for (const row of characters) character.moved[row] = movedPart.bones;
  driverTransforms(world);
  for (const row of chains) animatedRest(world.views, row);
  for (let level = 0; level + 1 < levels.length; level++)
    rebuildBones(world, chains, levels[level]!, levels[level + 1]!);
  character.moved.set(moved);
  rememberShownPose(world);
}
