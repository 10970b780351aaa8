/** Colliders: shapes on bones, or in the world, that chains stay out of. They push nothing but chains. */
import { FollowthroughError } from '../asset/index.js';
import { colliderShape } from '../components/codes.js';
import { normalize3 } from '../math/index.js';
import { addRow, changeStructure, removeRow, requireBits, requireList, rowOf, type World } from './world.js';

/** Shape of a collider: that of files, with defaults. */
export type ShapeOptions =
  | {
      /** A ball. */
      kind: 'sphere';
      /** Its centre. */
      offset: readonly [number, number, number];
      /** Its radius, >= 0. */
      radius: number;
      /** Whether the inside is free; default false. */
      inside?: boolean | undefined;
    }
  | {
      /** Two balls and what lies between them. */
      kind: 'capsule';
      /** Centre of the first ball. */
      offset: readonly [number, number, number];
      /** Centre of the second ball. */
      tail: readonly [number, number, number];
      /** Radius of the first ball, >= 0. */
      radius: number;
      /** Radius of the second ball; default `radius`. */
      tailRadius?: number | undefined;
      /** Whether the inside is free; default false. */
      inside?: boolean | undefined;
    }
  | {
      /** A half space. */
      kind: 'plane';
      /** A point of the plane. */
      offset: readonly [number, number, number];
      /** Points to the free side, any length. */
      normal: readonly [number, number, number];
    };

/** A collider. */
export interface ColliderOptions {
  /** Its shape, in the space of its bone; in world space without one. */
  shape: ShapeOptions;
  /** Character whose chains feel it, default: every character's. */
  character?: number;
  /** Index of the bone that carries it in the asset; needs a character. Default: it stands in the world. */
  bone?: number;
  /** Groups it belongs to, one bit each, matched against a chain's `colliderMask`; default all. */
  groups?: number;
}

/**
 * Adds a collider.
 *
 * @returns its bitECS entity
 * @throws FollowthroughError `invalid-argument` for numbers that are not finite, a negative radius, a normal of length 0
 * or a bone without a character; `unknown-name` for a bone that is not there
 *
 * @example
 * const head = addCollider(world, {
 *   character: fox,
 *   bone: asset.skeleton.names.indexOf('Head'),
 *   shape: { kind: 'sphere', offset: [0, 0.1, 0], radius: 0.12 },
 * });
 */
export function addCollider(world: World, options: ColliderOptions): number {
  const { shape, groups = 0xffffffff } = options;
  checkShape(shape);
  requireBits(groups, 'groups');
  const character = options.character === undefined ? -1 : rowOf(world, 'character', options.character);
  const bone = boneRow(world, character, options.bone);
  const { row, eid } = addRow(world, 'collider');
  const { collider } = world.views;
  collider.character[row] = character;
  collider.bone[row] = bone;
  collider.groups[row] = groups;
  writeShape(world, row, shape);
  collider.fresh[row] = 1;
  changed(world, row);
  changeStructure(world);
  return eid;
}

/** Changes the shape of a collider; a jump of more than half a metre in one tick is felt as no motion. */
export function setCollider(world: World, entity: number, shape: ShapeOptions): void {
  const row = rowOf(world, 'collider', entity);
  checkShape(shape);
  writeShape(world, row, shape);
  world.structure++;
  changed(world, row);
}

/** Removes a collider. */
export function removeCollider(world: World, entity: number): void {
  const row = rowOf(world, 'collider', entity);
  changed(world, row);
  removeRow(world, 'collider', row);
  changeStructure(world);
}

function boneRow(world: World, character: number, bone: number | undefined): number {
  if (bone === undefined) return -1;
  if (character < 0)
    throw new FollowthroughError('invalid-argument', `bone is ${bone}, expected with a character`);
  const { firstBone, boneCount } = world.views.character;
  if (!Number.isInteger(bone) || bone < 0 || bone >= boneCount[character]!)
    throw new FollowthroughError(
      'unknown-name',
      `bone is ${bone}, the character has 0 to ${boneCount[character]! - 1}`,
    );
  return firstBone[character]! + bone;
}

/** Wakes the chains that may feel it. */
function changed(world: World, row: number): void {
  world.views.global.collidersMoved[0] = 1;
  const owner = world.views.collider.character[row]!;
  if (owner >= 0) world.views.character.collidersMoved[owner] = 1;
}

function invalid(name: string, value: unknown, expected: string): FollowthroughError {
  return new FollowthroughError('invalid-argument', `${name} is ${String(value)}, expected ${expected}`);
}

function checkShape(shape: ShapeOptions): void {
  if (!['sphere', 'capsule', 'plane'].includes(shape.kind))
    throw invalid('shape.kind', shape.kind, 'sphere, capsule or plane');
  requireList(shape.offset, 'shape.offset', 3);
  if (shape.kind === 'plane') {
    requireList(shape.normal, 'shape.normal', 3);
    if (normalize3([0, 0, 0], 0, [...shape.normal], 0) === 0)
      throw invalid('shape.normal', shape.normal, 'a direction');
    return;
  }
  requireRadius(shape.radius, 'shape.radius');
  if (shape.kind !== 'capsule') return;
  requireList(shape.tail, 'shape.tail', 3);
  if (shape.tailRadius !== undefined) requireRadius(shape.tailRadius, 'shape.tailRadius');
}

function requireRadius(radius: number, name: string): void {
  if (!(radius >= 0 && radius < Infinity)) throw invalid(name, radius, 'a number from 0');
}

function writeShape(world: World, row: number, shape: ShapeOptions): void {
  const { collider } = world.views;
  collider.offset.set(shape.offset, row * 3);
  if (shape.kind === 'plane') {
    const normal = [...shape.normal];
    normalize3(normal, 0, normal, 0);
    collider.tail.set(normal, row * 3);
    collider.radius.fill(0, row * 2, row * 2 + 2);
    collider.shape[row] = colliderShape.plane;
    return;
  }
  const isCapsule = shape.kind === 'capsule';
  collider.tail.set(isCapsule ? shape.tail : shape.offset, row * 3);
  collider.radius[row * 2] = shape.radius;
  collider.radius[row * 2 + 1] = (isCapsule ? shape.tailRadius : undefined) ?? shape.radius;
  if (isCapsule) collider.shape[row] = shape.inside ? colliderShape.insideCapsule : colliderShape.capsule;
  else collider.shape[row] = shape.inside ? colliderShape.insideSphere : colliderShape.sphere;
}
