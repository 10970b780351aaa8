/**
 * Node constraints: adding them takes their rest from the file and finds out which depend on which, so that a tick only
 * walks down a list (docs/solver.md, "Constraints"; VRMC_node_constraint 1.0).
 */
import { FollowthroughError, type ConstraintDefinition } from '../asset/index.js';
import { constraintKind, movedPart } from '../components/codes.js';
import { normalize3, normalizeQuat } from '../math/index.js';
import { rankConstraints } from './constraintOrder.js';
import {
  addRow,
  changeStructure,
  removeRow,
  requireList,
  rowOf,
  rowsOfCharacter,
  warn,
  type World,
} from './world.js';

/** What {@link setConstraint} changes. */
export interface ConstraintOptions {
  /** Share of the way from rest to what the source asks for, 0..1. */
  weight?: number;
}

/**
 * Adds node constraints to a character: bones that follow other bones of it, before its chains move.
 *
 * Rest is the pose of the file (`asset.skeleton`), which is what VRMC_node_constraint measures from, and not the
 * neutral pose of the skins. A constrained bone stands at rest where its constraint depends on itself
 * (`constraint-cycle`); a bone that has a constraint already keeps it (`bone-in-two-constraints`).
 *
 * @param definitions - default: those of the file
 * @returns their bitECS entities, in the order of the definitions; one that is left out has none
 * @throws FollowthroughError `unknown-entity`; `invalid-argument` for a bone that the skeleton does not have, an axis
 * without direction or a weight outside 0..1, `unknown-name` for a kind that does not exist (nothing is added)
 * @example
 * const constraints = addConstraints(world, avatar);
 */
export function addConstraints(
  world: World,
  character: number,
  definitions?: readonly ConstraintDefinition[],
): number[] {
  const row = rowOf(world, 'character', character);
  const { asset } = world.rigs[world.views.character.rig[row]!]!;
  const all = definitions ?? asset.secondary?.constraints ?? [];
  for (const definition of all) checkDefinition(definition, asset.skeleton.count);
  const firstBone = world.views.character.firstBone[row]!;
  const { bone } = world.views.constraint;
  const held = new Set(rowsOfCharacter(world, 'constraint', row).map((c) => bone[c]! - firstBone));
  const added: number[] = [];
  for (const definition of all)
    if (!held.has(definition.bone)) {
      held.add(definition.bone);
      added.push(addConstraint(world, row, definition));
    } else
      warn(world, {
        code: 'bone-in-two-constraints',
        message: `bone ${asset.skeleton.names[definition.bone]!} already has a constraint`,
        at: asset.skeleton.names[definition.bone]!,
      });
  if (added.length > 0) structureChanged(world, row);
  return added;
}

function checkDefinition({ bone, source, kind, axis, weight }: ConstraintDefinition, count: number): void {
  for (const index of [bone, source])
    if (!(Number.isInteger(index) && index >= 0 && index < count))
      throw new FollowthroughError('invalid-argument', `constraint: the skeleton has no bone ${index}`);
  if (!Object.hasOwn(constraintKind, kind))
    throw new FollowthroughError(
      'unknown-name',
      `constraint on bone ${bone}: kind ${kind}, expected ${Object.keys(constraintKind).join(', ')}`,
    );
  requireList(axis, 'axis', 3);
  if (axis.every((x) => x === 0))
    throw new FollowthroughError('invalid-argument', `constraint on bone ${bone}: axis is 0, 0, 0`);
  checkWeight(weight);
}

function checkWeight(weight: number): void {
  if (!(weight >= 0 && weight <= 1))
    throw new FollowthroughError(
      'invalid-argument',
      `constraint weight is ${weight}, expected a number from 0 to 1`,
    );
}

function addConstraint(world: World, character: number, definition: ConstraintDefinition): number {
  const { row, eid } = addRow(world, 'constraint');
  const { bone, constraint } = world.views;
  const { rotations } = world.rigs[world.views.character.rig[character]!]!.asset.skeleton;
  const firstBone = world.views.character.firstBone[character]!;
  constraint.character[row] = character;
  constraint.bone[row] = firstBone + definition.bone;
  constraint.source[row] = firstBone + definition.source;
  constraint.kind[row] = constraintKind[definition.kind];
  normalize3(constraint.axis, row * 3, definition.axis, 0);
  normalizeQuat(constraint.rest, row * 4, rotations, definition.bone * 4);
  normalizeQuat(constraint.sourceRest, row * 4, rotations, definition.source * 4);
  constraint.meet[row] = meetingBone(bone.parent, constraint.bone[row]!, constraint.source[row]!);
  constraint.weight[row] = definition.weight;
  return eid;
}

/** Lowest row above both bones. A parent stands before its children, so the later of two rows is never above the other. */
function meetingBone(parents: Int32Array, first: number, second: number): number {
  let a = parents[first]!;
  let b = parents[second]!;
  while (a !== b)
    if (a > b) a = parents[a]!;
    else b = parents[b]!;
  return a;
}

/** Finds the order anew and says which constraints stand still. */
function structureChanged(world: World, character: number): void {
  const { names } = world.rigs[world.views.character.rig[character]!]!.asset.skeleton;
  const { bone } = world.views.constraint;
  const firstBone = world.views.character.firstBone[character]!;
  for (const cycle of rankConstraints(world, character)) {
    const all = cycle.map((row) => names[bone[row]! - firstBone]!);
    const shown =
      all.length > 8 ? `${all.slice(0, 8).join(', ')} and ${all.length - 8} more` : all.join(', ');
    const message = `constraint of ${shown} depends on itself: ${all.length === 1 ? 'it stands' : 'they stand'} at rest`;
    warn(world, { code: 'constraint-cycle', message, at: all[0]! });
  }
  world.views.character.moved[character] = movedPart.bones;
  changeStructure(world);
}

/**
 * Changes a constraint.
 *
 * @throws FollowthroughError `unknown-entity`; `invalid-argument` for a weight outside 0..1 (nothing changes)
 */
export function setConstraint(world: World, entity: number, { weight }: ConstraintOptions): void {
  const row = rowOf(world, 'constraint', entity);
  if (weight === undefined) return;
  checkWeight(weight);
  const { character, constraint } = world.views;
  constraint.weight[row] = weight;
  character.moved[constraint.character[row]!] = movedPart.bones;
}

/** Removes a constraint; its bone shows the animated pose again, at the next tick. */
export function removeConstraint(world: World, entity: number): void {
  const row = rowOf(world, 'constraint', entity);
  const { bone, character, constraint, input } = world.views;
  const owner = constraint.character[row]!;
  const b = constraint.bone[row]!;
  // What the constraint wrote there is gone: the game's pose, else the file's, over which a clip writes its own.
  const asked = b - character.firstBone[owner]!;
  const given = character.firstInput[owner]!;
  const { rotations } = world.rigs[character.rig[owner]!]!.asset.skeleton;
  for (let i = 0; i < 4; i++)
    bone.poseRotation[b * 4 + i] =
      given < 0 ? rotations[asked * 4 + i]! : input.to[(given + asked) * 10 + 3 + i]!;
  removeRow(world, 'constraint', row);
  structureChanged(world, owner);
}
