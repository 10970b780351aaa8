/**
 * Characters: adding one copies the skeleton of its asset into contiguous bone rows, with a root row before them
 * that the game moves. Removing one takes everything along that hangs from it.
 */
import { givenState, movedPart, teleportState } from '../components/codes.js';
import { addComponent, addEntity } from 'bitecs';
import { FollowthroughError, type Asset } from '../asset/index.js';
import { freeRows, takeRows } from '../components/arena.js';
import { components } from '../components/stores.js';
import { writeUnitQuat } from '../math/index.js';
import { removeChainRow } from './chains.js';
import { createRig, sameFrame, type FrameOption, type Rig } from './rig.js';
import {
  addRow,
  changeStructure,
  removeHandle,
  removeRow,
  requireList,
  requirePositive,
  rowOf,
  rowsOfCharacter,
  warn,
  type World,
} from './world.js';

/** Where a character stands. */
export interface RootTransform {
  /** Position in world space, file units; default the origin. */
  position?: readonly [number, number, number];
  /** Rotation x, y, z, w; default none. */
  rotation?: readonly [number, number, number, number];
  /** Scale per axis; default 1. */
  scale?: readonly [number, number, number];
}

/** Options of {@link addCharacter}. */
export interface CharacterOptions extends RootTransform {
  /** File units per metre, default 1: 100 for a file in centimetres. */
  unit?: number;
  /** Fixes the anatomical frame where the guess is wrong. */
  frame?: FrameOption;
}

function rigOf(world: World, asset: Asset, given: FrameOption | undefined): number {
  const known = world.rigs.findIndex((rig) => rig.asset === asset && sameFrame(rig.given, given));
  return known >= 0 ? known : world.rigs.push(createRig(asset, given)) - 1;
}

/**
 * Adds a character in the pose its file was saved in.
 *
 * @returns its bitECS entity
 * @throws FollowthroughError `invalid-argument` for a root or unit that is not finite
 */
export function addCharacter(world: World, asset: Asset, options: CharacterOptions = {}): number {
  const unit = options.unit ?? 1;
  requirePositive(unit, 'unit');
  checkRoot(options);
  const rig = rigOf(world, asset, options.frame);
  const { row, eid, id } = addRow(world, 'character');
  const count = asset.skeleton.count;
  const first = takeRows(world.arena, world.views, 'bone', count + 1, id) + 1;
  const { character } = world.views;
  character.rig[row] = rig;
  character.firstBone[row] = first;
  character.boneCount[row] = count;
  character.unit[row] = unit;
  character.firstInput[row] = -1;
  character.moved[row] = movedPart.bones;
  for (let b = -1; b < count; b++) {
    const bone = addEntity(world.ecs);
    addComponent(world.ecs, bone, components.bone);
    world.views.bone.eid[first + b] = bone;
  }
  copySkeleton(world, world.rigs[rig]!, first);
  writeRoot(character.rootTo, row, options, identityRoot);
  poseRoot(world, row);
  showAsAdded(world, row);
  character.rootFrom.set(character.rootTo.subarray(row * 10, row * 10 + 10), row * 10);
  character.fresh[row] = givenState.arrived;
  // A bone without length matters only inside a chain, and the chain says so itself.
  const { warnings } = world.rigs[rig]!.neutral;
  for (const warning of [...asset.warnings, ...warnings])
    if (warning.code !== 'zero-length-bone') warn(world, warning);
  changeStructure(world);
  return eid;
}

function copySkeleton(world: World, { asset, neutral }: Rig, first: number): void {
  const { bone } = world.views;
  const { skeleton } = asset;
  const root = first - 1;
  bone.parent[root] = -1;
  bone.neutralRotation[root * 4 + 3] = 1;
  bone.neutralScale.fill(1, root * 3, root * 3 + 3);
  for (let b = 0; b < skeleton.count; b++) {
    const parent = skeleton.parents[b]!;
    bone.parent[first + b] = parent < 0 ? root : first + parent;
  }
  bone.poseTranslation.set(skeleton.translations, first * 3);
  bone.poseRotation.set(skeleton.rotations, first * 4);
  bone.poseScale.set(skeleton.scales, first * 3);
  bone.neutralTranslation.set(neutral.translations, first * 3);
  bone.neutralRotation.set(neutral.rotations, first * 4);
  bone.neutralScale.set(neutral.scales, first * 3);
}

/** Stands the root bone where the root was given. */
function poseRoot({ views: { bone, character } }: World, row: number): void {
  const b = character.firstBone[row]! - 1;
  const root = character.rootTo.subarray(row * 10, row * 10 + 10);
  bone.poseTranslation.set(root.subarray(0, 3), b * 3);
  bone.poseRotation.set(root.subarray(3, 7), b * 4);
  bone.poseScale.set(root.subarray(7), b * 3);
}

/** Shows the animated pose of the character in a row, as if it had always stood so. */
export function showAsAdded({ views: { bone, character } }: World, row: number): void {
  const first = character.firstBone[row]! - 1;
  const end = first + 1 + character.boneCount[row]!;
  for (const [pose, ...shown] of [
    [bone.poseTranslation, bone.localTranslation, bone.lastTranslation],
    [bone.poseScale, bone.localScale, bone.lastScale],
  ] as const)
    for (const column of shown) column.set(pose.subarray(first * 3, end * 3), first * 3);
  for (const column of [bone.localRotation, bone.lastRotation])
    column.set(bone.poseRotation.subarray(first * 4, end * 4), first * 4);
}

/** Nothing to fall back on: what is left out stays as it is. */
const unchanged: RootTransform = {};
const identityRoot: Required<RootTransform> = {
  position: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
};

function checkRoot(root: RootTransform): void {
  requireList(root.position, 'position', 3);
  requireList(root.rotation, 'rotation', 4);
  requireList(root.scale, 'scale', 3);
  if (root.rotation?.every((value) => value === 0))
    throw new FollowthroughError('invalid-argument', 'rotation is 0, 0, 0, 0, expected a unit quaternion');
}

function writeRoot(out: Float64Array, row: number, root: RootTransform, fallback: RootTransform): void {
  const { position = fallback.position, rotation = fallback.rotation, scale = fallback.scale } = root;
  if (position) out.set(position, row * 10);
  if (rotation) writeUnitQuat(out, row * 10 + 3, rotation, 0);
  if (scale) out.set(scale, row * 10 + 7);
}

/**
 * Moves a character's root. The next `step` stands on it; inside `advance` the ticks see it interpolated from the
 * root given before.
 *
 * @throws FollowthroughError `unknown-entity`, `invalid-argument` when a number is not finite (nothing changes)
 */
export function setRoot(world: World, character: number, root: RootTransform): void {
  const row = rowOf(world, 'character', character);
  checkRoot(root);
  writeRoot(world.views.character.rootTo, row, root, unchanged);
  world.views.character.fresh[row] = givenState.onTheWay;
}

/** Says that the next jump of a character is a teleport, whatever its size. */
export function teleport(world: World, character: number): void {
  world.views.character.teleported[rowOf(world, 'character', character)] = teleportState.told;
}

/** Removes a character with its bones, chains and clip players. */
export function removeCharacter(world: World, character: number): void {
  const row = rowOf(world, 'character', character);
  const { views } = world;
  for (const chain of rowsOfCharacter(world, 'chain', row)) removeChainRow(world, chain);
  for (const player of rowsOfCharacter(world, 'player', row)) removeRow(world, 'player', player);
  for (const collider of rowsOfCharacter(world, 'collider', row)) removeRow(world, 'collider', collider);
  for (const constraint of rowsOfCharacter(world, 'constraint', row))
    removeRow(world, 'constraint', constraint);
  releaseInput(world, row);
  const first = views.character.firstBone[row]! - 1;
  const count = views.character.boneCount[row]! + 1;
  for (let b = first; b < first + count; b++) removeHandle(world, views.bone.eid[b]!, 'bone');
  freeRows(world.arena, views, 'bone', first, count);
  removeRow(world, 'character', row);
  changeStructure(world);
}

/** Gives back the rows of given poses, if the character has any. */
export function releaseInput(world: World, row: number): void {
  const { character } = world.views;
  const first = character.firstInput[row]!;
  if (first < 0) return;
  freeRows(world.arena, world.views, 'input', first, character.boneCount[row]!);
  character.firstInput[row] = -1;
}
