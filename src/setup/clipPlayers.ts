/** Clips that play on characters. */
import { movedPart } from '../components/codes.js';
import { FollowthroughError } from '../asset/index.js';
import { releaseInput } from './characters.js';
import { applyOwner } from './owner.js';
import { addRow, changeStructure, removeRow, rowOf, rowsOfCharacter, type World } from './world.js';

/** Options of {@link play}. */
export interface PlayOptions {
  /** Clip seconds per second, default 1; negative plays backwards. */
  speed?: number;
  /** Wraps around (default) or holds its ends. */
  loop?: boolean;
  /** Clip time to start at, seconds, default 0. */
  time?: number;
  /** Share in the blend with other players of the character, 0..1, default 1. */
  weight?: number;
  /** Keep the clips that already play and blend with them, default false. */
  add?: boolean;
}

/**
 * Plays a clip on a character, in place of what played before unless `add` is set. Bones that no playing clip moves
 * stand as the file was saved.
 *
 * @param clip - name or index of the clip
 * @returns the player's bitECS entity
 * @throws FollowthroughError `unknown-name` when the asset has no such clip; `invalid-argument`
 */
export function play(
  world: World,
  character: number,
  clip: string | number,
  options: PlayOptions = {},
): number {
  const row = rowOf(world, 'character', character);
  const { speed = 1, time = 0, weight = 1 } = options;
  const { asset } = world.rigs[world.views.character.rig[row]!]!;
  const index = typeof clip === 'number' ? clip : asset.clips.findIndex(({ name }) => name === clip);
  if (asset.clips[index] === undefined)
    throw new FollowthroughError(
      'unknown-name',
      `${asset.name} has no clip ${clip}; it has ${asset.clips.map(({ name }) => name).join(', ') || 'none'}`,
    );
  if (!Number.isFinite(speed) || !Number.isFinite(time) || !(weight >= 0 && weight <= 1))
    throw new FollowthroughError('invalid-argument', `play: speed ${speed}, time ${time}, weight ${weight}`);
  if (options.add !== true) removePlayers(world, row);
  releaseInput(world, row);
  const { row: player, eid } = addRow(world, 'player');
  const columns = world.views.player;
  columns.character[player] = row;
  columns.clip[player] = index;
  columns.startTick[player] = world.tick;
  columns.startTime[player] = time;
  columns.speed[player] = speed;
  columns.loop[player] = (options.loop ?? true) ? 1 : 0;
  columns.weight[player] = weight;
  changeStructure(world);
  restoreSavedPose(world, row);
  applyOwner(world, row);
  return eid;
}

/** Changes the weight of a clip player in its character's blend, 0..1. */
export function setPlayerWeight(world: World, player: number, weight: number): void {
  if (!(weight >= 0 && weight <= 1))
    throw new FollowthroughError(
      'invalid-argument',
      `player weight is ${weight}, expected a number from 0 to 1`,
    );
  world.views.player.weight[rowOf(world, 'player', player)] = weight;
}

/** Stops every clip of a character; it stands as its file was saved. */
export function stop(world: World, character: number): void {
  const row = rowOf(world, 'character', character);
  if (rowsOfCharacter(world, 'player', row).length === 0) return;
  removePlayers(world, row);
  restoreSavedPose(world, row);
  applyOwner(world, row);
}

/** Removes a character's players without touching its pose. */
export function removePlayers(world: World, row: number): void {
  for (const player of rowsOfCharacter(world, 'player', row)) removeRow(world, 'player', player);
  changeStructure(world);
}

function restoreSavedPose(world: World, row: number): void {
  const { bone, character } = world.views;
  const { skeleton } = world.rigs[character.rig[row]!]!.asset;
  const first = character.firstBone[row]!;
  bone.poseTranslation.set(skeleton.translations, first * 3);
  bone.poseRotation.set(skeleton.rotations, first * 4);
  bone.poseScale.set(skeleton.scales, first * 3);
  character.moved[row] = movedPart.bones;
}
