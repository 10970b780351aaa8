/**
 * What a renderer shows: local and world transforms of a character's bones, between the last two ticks by the real
 * time that no tick has run yet. Derived data: reading changes nothing.
 */
import type { Pose } from '../setup/poses.js';
import { FollowthroughError } from '../asset/index.js';
import { rowOf, type World } from '../setup/world.js';
import { composeMat4, multiplyMat4, slerpQuat } from '../math/index.js';

const root = new Float64Array(16);
const local = new Float64Array(16);
const shown = { translation: new Float64Array(3), rotation: new Float64Array(4), scale: new Float64Array(3) };

/**
 * Reads a character's pose. After `step` it is that tick's; after `advance` it lies between the last two ticks, so
 * that motion is even at any frame rate.
 *
 * @param pose - from `createPose`; filled and returned
 * @throws FollowthroughError `unknown-entity`, `invalid-argument` when the pose is of another size
 */
export function readPose(world: World, character: number, pose: Pose): Pose {
  const row = rowOf(world, 'character', character);
  const { bone, global } = world.views;
  const first = world.views.character.firstBone[row]!;
  const count = world.views.character.boneCount[row]!;
  if (pose.worlds.length !== count * 16)
    throw new FollowthroughError(
      'invalid-argument',
      `pose holds ${pose.worlds.length / 16} bones, expected ${count}; make it with createPose`,
    );
  // With r ticks of real time left over, the picture stands r of the way from the last tick but one to the last.
  const share = global.betweenTicks[0] === 1 ? global.pending[0]! : 1;
  showBone(world, first - 1, share);
  composeMat4(root, 0, shown.translation, 0, shown.rotation, 0, shown.scale, 0);
  for (let k = 0; k < count; k++) {
    showBone(world, first + k, share);
    pose.translations.set(shown.translation, k * 3);
    pose.rotations.set(shown.rotation, k * 4);
    pose.scales.set(shown.scale, k * 3);
    composeMat4(local, 0, shown.translation, 0, shown.rotation, 0, shown.scale, 0);
    const parent = bone.parent[first + k]! - first;
    if (parent < 0) multiplyMat4(pose.worlds, k * 16, root, 0, local, 0);
    else multiplyMat4(pose.worlds, k * 16, pose.worlds, parent * 16, local, 0);
  }
  return pose;
}

/** Writes `shown`: the local pose of one bone between its last two. */
function showBone({ views: { bone } }: World, b: number, share: number): void {
  for (let i = 0; i < 3; i++) {
    shown.translation[i] = between(
      bone.lastTranslation[b * 3 + i]!,
      bone.localTranslation[b * 3 + i]!,
      share,
    );
    shown.scale[i] = between(bone.lastScale[b * 3 + i]!, bone.localScale[b * 3 + i]!, share);
  }
  if (share === 1) for (let i = 0; i < 4; i++) shown.rotation[i] = bone.localRotation[b * 4 + i]!;
  else slerpQuat(shown.rotation, 0, bone.lastRotation, b * 4, bone.localRotation, b * 4, share);
}

function between(a: number, b: number, share: number): number {
  return share === 1 || a === b ? b : a + share * (b - a);
}
