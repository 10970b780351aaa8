/**
 * Stage 1, after the clips: node constraints, bones that roll with, aim at or turn with another bone (docs/solver.md, "Constraints"; the rules are
 * those of VRMC_node_constraint 1.0). They rewrite rotations of the animated pose, after the clips and before anything
 * that hangs from it, each after those that it depends on.
 */
import type { Bone } from '../components/bone.js';
import { constraintKind, movedPart } from '../components/codes.js';
import type { Columns } from '../components/field.js';
import type { Views } from '../components/stores.js';
import {
  conjugateQuat,
  cross3,
  multiplyQuat,
  rotateVec3,
  slerpQuatBy,
  swingQuat,
  swingTwist,
} from '../math/index.js';
import { orderOf } from '../setup/buildOrder.js';
import type { World } from '../setup/world.js';

/** Writes the constrained bones of every character whose pose may have changed. */
export function constrainPoses(world: World): void {
  const { constraints } = orderOf(world);
  const { character, constraint } = world.views;
  for (let i = 0; i < constraints.length; i++) {
    const row = constraints[i]!;
    // Nothing here depends on where the character stands: a root that moves changes no constraint.
    if (character.moved[constraint.character[row]!] === movedPart.bones) constrainBone(world.views, row);
  }
}

/** What the source asks for: the local rotation of the bone at weight 1. */
const target = new Float64Array(4);
const delta = new Float64Array(4);
const swing = new Float64Array(4);

/** Writes the pose rotation of one constrained bone. */
function constrainBone(views: Views, row: number): void {
  const { bone, constraint } = views;
  const b = constraint.bone[row]! * 4;
  const r = row * 4;
  const { poseRotation } = bone;
  for (let i = 0; i < 4; i++) poseRotation[b + i] = constraint.rest[r + i]!;
  if (constraint.frozen[row] === 1 || constraint.weight[row] === 0) return;
  const kind = constraint.kind[row];
  if (kind === constraintKind.roll) rollTarget(views, row);
  else if (kind === constraintKind.rotation) rotationTarget(views, row);
  else if (!aimTarget(views, row)) return;
  if (unitTarget()) slerpQuatBy(poseRotation, b, constraint.rest, r, target, 0, constraint.weight, row);
}

/** Roll: of the source's turn since rest, seen in the bone's own frame, the part about the axis. */
function rollTarget({ bone, constraint }: Views, row: number): void {
  const r = row * 4;
  // The turn in the source's parent, source x sourceRest^-1; the bone's parent counts as the same frame.
  conjugateQuat(delta, 0, constraint.sourceRest, r);
  multiplyQuat(delta, 0, bone.poseRotation, constraint.source[row]! * 4, delta, 0);
  conjugateQuat(target, 0, constraint.rest, r);
  multiplyQuat(delta, 0, target, 0, delta, 0);
  multiplyQuat(delta, 0, delta, 0, constraint.rest, r);
  swingTwist(swing, 0, delta, 0, delta, 0, constraint.axis, row * 3);
  multiplyQuat(target, 0, constraint.rest, r, delta, 0);
}

/** Rotation: the source's turn since rest, from its own frame into that of the bone. */
function rotationTarget({ bone, constraint }: Views, row: number): void {
  const r = row * 4;
  conjugateQuat(delta, 0, constraint.sourceRest, r);
  multiplyQuat(delta, 0, delta, 0, bone.poseRotation, constraint.source[row]! * 4);
  multiplyQuat(target, 0, constraint.rest, r, delta, 0);
}

/** Positions of the source and of the bone in the frame of `meet`, and the axes of the bone's parent there. */
const there = new Float64Array(3);
const here = new Float64Array(3);
const axis0 = new Float64Array(3);
const axis1 = new Float64Array(3);
const axis2 = new Float64Array(3);
/** Where the axis points at rest, and where it shall point, unit, in the bone's parent. */
const from = new Float64Array(3);
const to = new Float64Array(3);

/** Distance, as a share of the coordinates, below which a direction is nothing but rounding. */
const samePlace = 1e-12;

/**
 * Aim: the shortest turn in the bone's parent that takes the axis from rest to the source.
 *
 * @returns false when there is no direction: both stand at one place, or something above is scaled to nothing
 */
function aimTarget({ bone, constraint }: Views, row: number): boolean {
  const own = constraint.bone[row]!;
  const source = constraint.source[row]!;
  const meet = constraint.meet[row]!;
  for (let i = 0; i < 3; i++) {
    there[i] = bone.poseTranslation[source * 3 + i]!;
    here[i] = bone.poseTranslation[own * 3 + i]!;
    axis0[i] = i === 0 ? 1 : 0;
    axis1[i] = i === 1 ? 1 : 0;
    axis2[i] = i === 2 ? 1 : 0;
  }
  for (let b = bone.parent[source]!; b !== meet; b = bone.parent[b]!) {
    carry(bone, b, there);
    shift(bone, b, there);
  }
  for (let b = bone.parent[own]!; b !== meet; b = bone.parent[b]!) {
    carry(bone, b, here);
    shift(bone, b, here);
    carry(bone, b, axis0);
    carry(bone, b, axis1);
    carry(bone, b, axis2);
  }
  if (!directionInParent()) return false;
  rotateVec3(from, 0, constraint.rest, row * 4, constraint.axis, row * 3);
  swingQuat(delta, 0, from, 0, to, 0);
  multiplyQuat(target, 0, delta, 0, constraint.rest, row * 4);
  return true;
}

/**
 * Writes `to`: the direction from `here` to `there` in the frame with the axes axis0, axis1, axis2, which need neither
 * be unit nor square to each other. Its inverse is the matrix of their cross products over the determinant, and of the
 * determinant only the sign counts.
 */
function directionInParent(): boolean {
  const x = there[0]! - here[0]!;
  const y = there[1]! - here[1]!;
  const z = there[2]! - here[2]!;
  const size =
    there[0]! * there[0]! +
    there[1]! * there[1]! +
    there[2]! * there[2]! +
    (here[0]! * here[0]! + here[1]! * here[1]! + here[2]! * here[2]!);
  if (!(x * x + y * y + z * z > samePlace * samePlace * size)) return false;
  cross3(from, 0, axis1, 0, axis2, 0);
  const det = axis0[0]! * from[0]! + axis0[1]! * from[1]! + axis0[2]! * from[2]!;
  if (det === 0) return false;
  const side = det < 0 ? -1 : 1;
  to[0] = side * (from[0]! * x + from[1]! * y + from[2]! * z);
  cross3(from, 0, axis2, 0, axis0, 0);
  to[1] = side * (from[0]! * x + from[1]! * y + from[2]! * z);
  cross3(from, 0, axis0, 0, axis1, 0);
  to[2] = side * (from[0]! * x + from[1]! * y + from[2]! * z);
  const length = Math.sqrt(to[0]! * to[0]! + to[1]! * to[1]! + to[2]! * to[2]!);
  if (!(length > 0 && length < Infinity)) return false;
  to[0] = to[0]! / length;
  to[1] = to[1]! / length;
  to[2] = to[2]! / length;
  return true;
}

/** Takes a direction from the frame of bone `b` to that of its parent, as posed. */
function carry(bone: Columns<typeof Bone>, b: number, v: Float64Array): void {
  for (let i = 0; i < 3; i++) v[i] = v[i]! * bone.poseScale[b * 3 + i]!;
  rotateVec3(v, 0, bone.poseRotation, b * 4, v, 0);
}

/** Adds the place of bone `b` in its parent: what a point takes along besides {@link carry}. */
function shift(bone: Columns<typeof Bone>, b: number, v: Float64Array): void {
  for (let i = 0; i < 3; i++) v[i] = v[i]! + bone.poseTranslation[b * 3 + i]!;
}

/** Makes `target` unit; false when it is not finite, because a pose is not: then the bone stays at rest. */
function unitTarget(): boolean {
  const x = target[0]!;
  const y = target[1]!;
  const z = target[2]!;
  const w = target[3]!;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 0 && length < Infinity)) return false;
  target[0] = x / length;
  target[1] = y / length;
  target[2] = z / length;
  target[3] = w / length;
  return true;
}
