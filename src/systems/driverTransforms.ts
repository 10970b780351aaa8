/**
 * Stage 2: world transforms of the bones that drive chains, which is every bone that no chain carries. Characters
 * that did not move keep theirs.
 */
import { movedPart } from '../components/codes.js';
import { orderOf } from '../setup/buildOrder.js';
import type { Order } from '../setup/order.js';
import type { World } from '../setup/world.js';
import type { Views } from '../components/stores.js';
import { boneWorld } from './boneWorld.js';

/** Rebuilds the driver bones of every character that moved. */
export function driverTransforms(world: World): void {
  const order = orderOf(world);
  if (order.isNew) standWhereShown(world, order);
  for (const row of order.characters)
    if (world.views.character.moved[row] !== movedPart.nothing)
      driveBones(world.views, row, order.drivers[row]!);
}

/**
 * World transforms of all bones that the order names, as they are shown: a collider or a chain that came since may hang
 * from a bone whose transform nobody wanted, of a character that stands still.
 */
function standWhereShown({ views: { bone } }: World, order: Order): void {
  for (const row of order.characters) for (const b of order.drivers[row]!) boneWorld(bone, b);
  for (const row of order.chains) for (const b of order.carried[row]!) boneWorld(bone, b);
  order.isNew = false;
}

/** Shows the animated pose of a character on all its bones and rebuilds the world transforms of its drivers. */
export function driveBones(views: Views, row: number, drivers: Int32Array): void {
  const { bone, character } = views;
  const root = character.firstBone[row]! - 1;
  // Bones that a chain carries need their pose too: what hangs from a chain keeps its own local motion.
  const end = character.moved[row] === movedPart.bones ? root + 1 + character.boneCount[row]! : root + 1;
  for (let b = root; b < end; b++) showPose(views, b);
  for (let i = 0; i < drivers.length; i++) boneWorld(bone, drivers[i]!);
}

/** Shows the animated local pose of the bone in row `b`. */
export function showPose({ bone }: Views, b: number): void {
  for (let i = b * 3; i < b * 3 + 3; i++) {
    bone.localTranslation[i] = bone.poseTranslation[i]!;
    bone.localScale[i] = bone.poseScale[i]!;
  }
  for (let i = b * 4; i < b * 4 + 4; i++) bone.localRotation[i] = bone.poseRotation[i]!;
}
