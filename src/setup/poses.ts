/** Poses: what a game hands in and reads out, local transforms of all bones of a character in the asset's order. */
import { givenState } from '../components/codes.js';
import { takeRows } from '../components/arena.js';
import { writeUnitQuat, type Numbers } from '../math/index.js';
import { applyOwner } from './owner.js';
import { removePlayers } from './clipPlayers.js';
import { requireList, rowOf, rowsOfCharacter, type World } from './world.js';

/** A pose to hand in. Lists that are left out keep what was given before, at first the saved pose. */
export interface PoseInputs {
  /** Local translations, 3 per bone. */
  translations?: Numbers;
  /** Local rotations, 4 per bone, x, y, z, w; made unit where they are not, zero becomes none. */
  rotations?: Numbers;
  /** Local scales, 3 per bone. */
  scales?: Numbers;
}

/** A pose to read into. */
export interface Pose {
  /** Local translations, 3 per bone. */
  translations: Float64Array;
  /** Local rotations, 4 per bone, unit x, y, z, w. */
  rotations: Float64Array;
  /** Local scales, 3 per bone. */
  scales: Float64Array;
  /** World matrices, 16 per bone, column-major. */
  worlds: Float64Array;
}

/** Makes a pose of the right size for a character; keep it and read into it every frame. */
export function createPose(world: World, character: number): Pose {
  const count = world.views.character.boneCount[rowOf(world, 'character', character)]!;
  return {
    translations: new Float64Array(count * 3),
    rotations: new Float64Array(count * 4),
    scales: new Float64Array(count * 3),
    worlds: new Float64Array(count * 16),
  };
}

/**
 * Poses a character from outside, in place of clips. `step` uses it at once; inside `advance` the ticks see it
 * interpolated from the pose given before, one frame late.
 *
 * @throws FollowthroughError `unknown-entity`; `invalid-argument` for a list of the wrong length or a number that is
 * not finite (nothing changes)
 */
export function setPose(world: World, character: number, pose: PoseInputs): void {
  const row = rowOf(world, 'character', character);
  const count = world.views.character.boneCount[row]!;
  requireList(pose.translations, 'translations', count * 3);
  requireList(pose.rotations, 'rotations', count * 4);
  requireList(pose.scales, 'scales', count * 3);
  if (world.views.character.firstInput[row]! < 0) takeOver(world, row, count);
  writeInput(world, row, pose);
  world.views.character.fresh[row] = givenState.onTheWay;
}

/** The game takes a character over from its clips: input rows start at the pose of now. */
function takeOver(world: World, row: number, count: number): void {
  if (rowsOfCharacter(world, 'player', row).length > 0) {
    removePlayers(world, row);
    applyOwner(world, row);
  }
  const id = world.views.character.id[row]!;
  const first = takeRows(world.arena, world.views, 'input', count, id);
  const { bone, character, input } = world.views;
  character.firstInput[row] = first;
  for (let k = 0; k < count; k++) {
    const b = character.firstBone[row]! + k;
    const at = (first + k) * 10;
    for (const column of [input.from, input.to]) {
      for (let i = 0; i < 3; i++) {
        column[at + i] = bone.poseTranslation[b * 3 + i]!;
        column[at + 7 + i] = bone.poseScale[b * 3 + i]!;
      }
      for (let i = 0; i < 4; i++) column[at + 3 + i] = bone.poseRotation[b * 4 + i]!;
    }
  }
}

function writeInput(world: World, row: number, { translations, rotations, scales }: PoseInputs): void {
  const { character, input } = world.views;
  for (let k = 0; k < character.boneCount[row]!; k++) {
    const at = (character.firstInput[row]! + k) * 10;
    for (let i = 0; i < 3; i++) {
      if (translations) input.to[at + i] = translations[k * 3 + i]!;
      if (scales) input.to[at + 7 + i] = scales[k * 3 + i]!;
    }
    if (rotations) writeUnitQuat(input.to, at + 3, rotations, k * 4);
  }
}
