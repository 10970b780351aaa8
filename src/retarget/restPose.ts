/**
 * The pose of a skeleton from which rotations are measured: copies of its own, so that nothing that happens to a live
 * character afterwards can change a calibration.
 */
import type { Asset, Clip } from '../asset/asset.js';
import { composeMat4, distance3, multiplyMat4, multiplyQuat, rotateVec3 } from '../math/index.js';
import { prepareClip, sampleClip, type PreparedClip } from '../setup/clipSampling.js';
import { anatomicalFrame, type GivenFrame } from '../setup/anatomicalFrame.js';
import { recoverNeutral, type Neutral } from '../setup/neutral.js';

/** Local transforms of all bones of a skeleton. */
export interface LocalPose {
  /** 3 per bone. */
  translations: Float64Array;
  /** 4 per bone, unit. */
  rotations: Float64Array;
  /** 3 per bone. */
  scales: Float64Array;
}

/** A skeleton in one pose. All arrays are by bone and never change. */
export interface RestPose {
  /** Bone names. */
  names: readonly string[];
  /** Parent per bone, smaller than the bone's own index, -1 at the top. */
  parents: Int32Array;
  /** Local translations, 3 per bone. */
  translations: Float64Array;
  /** Local rotations, 4 per bone. */
  rotations: Float64Array;
  /** Local scales, 3 per bone. */
  scales: Float64Array;
  /** World rotations, 4 per bone: products of the local ones. */
  worldRotations: Float64Array;
  /** World matrices, 16 per bone, column-major. */
  worldMatrices: Float64Array;
  /** Takes the axes lateral (the body's left), up and forward to the world of this pose; a unit quaternion. */
  frame: Float64Array;
}

/** The neutral pose of a character, recovered from its bind data. */
export function bindPose(asset: Asset, given?: GivenFrame): RestPose {
  return restPose(asset, recoverNeutral(asset), given);
}

/**
 * The pose of a clip at a time; what the clip does not move stands as in the bind pose.
 *
 * @param clip - index of the clip
 */
export function clipPose(asset: Asset, clip: number, timeSeconds: number, given?: GivenFrame): RestPose {
  const pose = recoverNeutral(asset);
  writeClipPose(asset, prepareClip(asset.clips[clip]!), timeSeconds, pose);
  return restPose(asset, pose, given);
}

/** Where the bones of a moment stand. */
export interface Places {
  /** World matrices, 16 per bone, column-major. */
  worldMatrices: Float64Array;
}

/** Gives the bones' places at many moments of a clip of the asset's bones; every call writes the same list anew. */
export function clipPlaces(asset: Asset, clip: Clip): (timeSeconds: number) => Places {
  const prepared = prepareClip(clip);
  const pose = recoverNeutral(asset);
  return (timeSeconds) => {
    writeClipPose(asset, prepared, timeSeconds, pose);
    return { worldMatrices: pose.worlds };
  };
}

function writeClipPose(asset: Asset, clip: PreparedClip, timeSeconds: number, pose: Neutral): void {
  const { parents, count } = asset.skeleton;
  const { translations, rotations, scales, worlds } = pose;
  sampleClip(clip, timeSeconds, translations, rotations, scales, 0);
  for (let bone = 0; bone < count; bone++) {
    composeMat4(worlds, 16 * bone, translations, 3 * bone, rotations, 4 * bone, scales, 3 * bone);
    const parent = parents[bone]!;
    if (parent >= 0) multiplyMat4(worlds, 16 * bone, worlds, 16 * parent, worlds, 16 * bone);
  }
}

function restPose(asset: Asset, pose: Neutral, given?: GivenFrame): RestPose {
  const { names, parents, count } = asset.skeleton;
  const { translations, rotations, scales, worlds } = pose;
  const worldRotations = new Float64Array(4 * count);
  writeWorldRotations(parents, rotations, worldRotations);
  const { rotation: frame } = anatomicalFrame(asset, pose, given);
  return {
    names: [...names],
    parents: parents.slice(),
    translations,
    rotations,
    scales,
    worldRotations,
    worldMatrices: worlds,
    frame,
  };
}

/** Copies of the local transforms of a pose. */
export function localsOf({ translations, rotations, scales }: LocalPose): LocalPose {
  return { translations: translations.slice(), rotations: rotations.slice(), scales: scales.slice() };
}

/** Writes the world rotations of all bones, 4 per bone. */
export function writeWorldRotations(parents: Int32Array, rotations: Float64Array, out: Float64Array): void {
  for (let bone = 0; bone < parents.length; bone++) {
    const parent = parents[bone]!;
    if (parent < 0) for (let k = 4 * bone; k < 4 * bone + 4; k++) out[k] = rotations[k]!;
    else multiplyQuat(out, 4 * bone, out, 4 * parent, rotations, 4 * bone);
  }
}

/** Up of the body in the world of the pose, unit. */
export function upOf({ frame }: RestPose): Float64Array {
  const up = Float64Array.of(0, 1, 0);
  rotateVec3(up, 0, frame, 0, up, 0);
  return up;
}

/** Place of a bone in the world, a new list of 3. */
export function placeOf({ worldMatrices }: Places, bone: number): Float64Array {
  return worldMatrices.slice(16 * bone + 12, 16 * bone + 15);
}

/** Distance of two bones. */
export function gapBetween({ worldMatrices }: Places, a: number, b: number): number {
  return distance3(worldMatrices, 16 * a + 12, worldMatrices, 16 * b + 12);
}

/** Unit direction from one bone to another, undefined when they stand at one place. */
export function directionBetween(pose: Places, from: number, to: number): Float64Array | undefined {
  const a = placeOf(pose, from);
  const out = placeOf(pose, to).map((value, k) => value - a[k]!);
  const length = Math.sqrt(out[0]! * out[0]! + out[1]! * out[1]! + out[2]! * out[2]!);
  const size = Math.sqrt(a[0]! * a[0]! + a[1]! * a[1]! + a[2]! * a[2]!);
  if (!(length > 1e-9 * size) || !(length > 0)) return undefined;
  return out.map((value) => value / length);
}
