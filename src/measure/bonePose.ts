/**
 * A pose of all bones as plain arrays, and the world matrices that follow from it (glTF's rule: world = parent's
 * world x local). Measuring works on the pose a player of the file would show, so bones that no clip moves keep
 * the transform the file is saved with.
 */
import type { Asset, Skeleton } from '../asset/index.js';
import { composeMat4, multiplyMat4 } from '../math/index.js';

/** Local transforms and world matrices of all bones, in the order of the asset. */
export interface BonePose {
  /** Local translations, 3 per bone. */
  translations: Float64Array;
  /** Local rotations, 4 per bone, x y z w. */
  rotations: Float64Array;
  /** Local scales, 3 per bone. */
  scales: Float64Array;
  /** World matrices, 16 per bone, column-major. */
  worlds: Float64Array;
}

/** The pose a file is saved in, world matrices included. */
export function savedPose(asset: Asset): BonePose {
  const { skeleton } = asset;
  const pose: BonePose = {
    translations: skeleton.translations.slice(),
    rotations: skeleton.rotations.slice(),
    scales: skeleton.scales.slice(),
    worlds: new Float64Array(16 * skeleton.count),
  };
  updateWorlds(skeleton, pose);
  return pose;
}

/** Sets the local transforms back to those of the file; world matrices stay. */
export function resetPose(asset: Asset, pose: BonePose): void {
  pose.translations.set(asset.skeleton.translations);
  pose.rotations.set(asset.skeleton.rotations);
  pose.scales.set(asset.skeleton.scales);
}

/** Rebuilds the world matrices from the local transforms. */
export function updateWorlds(skeleton: Skeleton, pose: BonePose): void {
  const { translations, rotations, scales, worlds } = pose;
  for (let bone = 0; bone < skeleton.count; bone++) {
    composeMat4(worlds, 16 * bone, translations, 3 * bone, rotations, 4 * bone, scales, 3 * bone);
    const parent = skeleton.parents[bone]!;
    if (parent >= 0) multiplyMat4(worlds, 16 * bone, worlds, 16 * parent, worlds, 16 * bone);
  }
}

/** A bone and its ancestors, from the bone upwards; empty for -1. */
export function pathToRoot(skeleton: Skeleton, bone: number): number[] {
  const path: number[] = [];
  for (let b = bone; b >= 0; b = skeleton.parents[b]!) path.push(b);
  return path;
}
