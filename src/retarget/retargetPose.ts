/**
 * Moves one pose from the source of a calibration to its target:
 *
 *   D_b = world rotation of the source's bone x inverse of its rest rotation, seen in the target's world
 *   N_b = inverse of D of the nearest mapped ancestor in the target x D_b
 *   q_b = inverse of the parent's aligned rest rotation x N_b x the bone's aligned rest rotation
 *
 * With D taken in the world, unmapped bones of the source are counted in; with N against the target's ancestor, unmapped
 * bones of the target keep their rest pose. Where every bone is mapped this is the formula of the VRM specification.
 */
import {
  conjugateQuat,
  dot3,
  invertMat4,
  multiplyMat4,
  multiplyQuat,
  normalizeQuat,
  rotateVec3,
  transformPoint,
  composeMat4,
} from '../math/index.js';
import type { Calibration } from './calibrate.js';
import type { HipsMotion } from './hips.js';
import { writeWorldRotations, type LocalPose } from './restPose.js';

/** A pose of the target, and room to work in: one per solve that runs at the same time. */
export interface RetargetedPose extends LocalPose {
  /** World rotations of the source. */
  sourceWorld: Float64Array;
  /** D per mapped bone, 4 each. */
  turned: Float64Array;
}

/** A pose to solve into; it stands in the target's rest pose. */
export function createRetargetedPose({ source, target, roles }: Calibration): RetargetedPose {
  return {
    translations: target.translations.slice(),
    rotations: target.rotations.slice(),
    scales: target.scales.slice(),
    sourceWorld: new Float64Array(4 * source.parents.length),
    turned: new Float64Array(4 * roles.length),
  };
}

const inverse = new Float64Array(4);
const place = new Float64Array(3);
const matrix = new Float64Array(16);
const local = new Float64Array(16);

/**
 * Writes the target's pose for a pose of the source. Only mapped bones are written; nothing is allocated, nothing but
 * `out` is changed.
 *
 * @param pose - local transforms of all bones of the source
 * @param out - from {@link createRetargetedPose}
 *
 * @example
 * retargetPose(calibration, sourcePose, solved);
 * setPose(world, character, solved);
 */
export function retargetPose(calibration: Calibration, pose: LocalPose, out: RetargetedPose): void {
  const { ancestors, fromRest, intoParent, motion, sourceBones, targetBones, toRest } = calibration;
  const { sourceWorld, turned, rotations } = out;
  writeWorldRotations(calibration.source.parents, pose.rotations, sourceWorld);
  for (let i = 0; i < sourceBones.length; i++) {
    multiplyQuat(turned, 4 * i, motion, 0, sourceWorld, 4 * sourceBones[i]!);
    multiplyQuat(turned, 4 * i, turned, 4 * i, fromRest, 4 * i);
    const bone = 4 * targetBones[i]!;
    multiplyQuat(rotations, bone, turned, 4 * i, toRest, 4 * i);
    if (ancestors[i]! >= 0) {
      conjugateQuat(inverse, 0, turned, 4 * ancestors[i]!);
      multiplyQuat(rotations, bone, inverse, 0, rotations, bone);
    }
    multiplyQuat(rotations, bone, intoParent, 4 * i, rotations, bone);
    normalizeQuat(rotations, bone, rotations, bone);
  }
  if (calibration.hips !== undefined) moveHips(calibration, calibration.hips, pose, out);
  placeDetached(calibration, out);
}

/** The target's hips go as far from rest as the source's, by the size of the bodies. */
function moveHips(
  { source, motion }: Calibration,
  hips: HipsMotion,
  pose: LocalPose,
  out: RetargetedPose,
): void {
  worldPlace(source.parents, pose, hips.sourceBone, place);
  rotateVec3(place, 0, motion, 0, place, 0);
  for (let k = 0; k < 3; k++) place[k] = place[k]! - hips.sourceRest[k]!;
  const { up, scale } = hips;
  const height = dot3(place, 0, up, 0);
  for (let k = 0; k < 3; k++) {
    const across = place[k]! - height * up[k]!;
    place[k] = hips.targetRest[k]! + scale.across * across + scale.up * height * up[k]!;
  }
  transformPoint(out.translations, 3 * hips.targetBone, hips.intoParent, 0, place, 0);
}

/** Bones that hang from elsewhere go where the bone that they belong to would take them. */
function placeDetached({ target, targetBones, toRest, detached }: Calibration, out: RetargetedPose): void {
  for (const { index, owner, offset } of detached) {
    const bone = targetBones[index]!;
    worldPlace(target.parents, out, targetBones[owner]!, place);
    multiplyQuat(inverse, 0, out.turned, 4 * owner, toRest, 4 * owner);
    rotateVec3(matrix, 0, inverse, 0, offset, 0);
    for (let k = 0; k < 3; k++) place[k] = place[k]! + matrix[k]!;
    const parent = target.parents[bone]!;
    if (parent >= 0) {
      worldMatrix(target.parents, out, parent, matrix);
      if (!invertMat4(matrix, 0, matrix, 0)) continue;
      transformPoint(out.translations, 3 * bone, matrix, 0, place, 0);
    } else out.translations.set(place, 3 * bone);
  }
}

/** Writes the place of a bone in the world of a pose. */
function worldPlace(parents: Int32Array, pose: LocalPose, bone: number, out: Float64Array): void {
  worldMatrix(parents, pose, bone, matrix);
  for (let k = 0; k < 3; k++) out[k] = matrix[12 + k]!;
}

function worldMatrix(parents: Int32Array, pose: LocalPose, bone: number, out: Float64Array): void {
  const { translations, rotations, scales } = pose;
  composeMat4(out, 0, translations, 3 * bone, rotations, 4 * bone, scales, 3 * bone);
  for (let b = parents[bone]!; b >= 0; b = parents[b]!) {
    composeMat4(local, 0, translations, 3 * b, rotations, 4 * b, scales, 3 * b);
    multiplyMat4(out, 0, local, 0, out, 0);
  }
}
