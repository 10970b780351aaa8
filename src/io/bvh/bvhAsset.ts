/**
 * `loadBvh`: a BVH file as an {@link Asset}: joints and tips as bones, the frames as one clip.
 * The rest pose is that of the OFFSETs; where those say nothing, or say otherwise than the frames, that of the first frame.
 */
import type { Asset, Clip, Skeleton, Track } from '../../asset/asset.js';
import { FollowthroughError, type Warning } from '../../asset/errors.js';
import { length3 } from '../../math/index.js';
import { isRotation, type Bvh } from './bvh.js';
import { createPose, poseOfFrame, positionMeanings, type PositionMeaning } from './bvhPose.js';
import { reach, restTranslations } from './bvhRest.js';
import { freeName } from './freeName.js';
import { guessUnit } from './bvhUnit.js';
import { readBvh, type ReadBvhOptions } from './readBvh.js';

/** How to make a character of a file. */
export interface BvhAssetOptions {
  /**
   * What position channels say: `add`, a displacement from OFFSET; `replace`, the translation itself. Default `auto`, per
   * joint: displacements are small beside OFFSET.
   */
  positionChannels?: PositionMeaning | 'auto';
  /**
   * Metres per unit of the file; `auto` takes the unit that makes the skeleton most nearly a grown person. Default 1: numbers
   * as they are.
   */
  unitScale?: number | 'auto';
  /** Leaves out the first frame, in which many exporters put the rest pose. Default false. */
  dropFirstFrame?: boolean;
}

/**
 * Reads a BVH file as a character with one clip.
 *
 * @param data - text or bytes
 * @param options - how to read and what to make of it
 * @throws FollowthroughError as {@link readBvh}
 *
 * @example
 * const walk = loadBvh(bytes, { name: 'walk.bvh', unitScale: 0.01 });
 */
export function loadBvh(
  data: string | Uint8Array | ArrayBuffer,
  options: ReadBvhOptions & BvhAssetOptions = {},
): Asset {
  return bvhAsset(readBvh(data, options), options);
}

/** {@link loadBvh} of a file that has been read, and repaired perhaps. */
export function bvhAsset(bvh: Bvh, options: BvhAssetOptions = {}): Asset {
  const { unitScale = 1, positionChannels = 'auto', dropFirstFrame = false } = options;
  if (unitScale !== 'auto' && !(unitScale > 0 && unitScale < Infinity))
    throw new FollowthroughError('invalid-argument', "unitScale: expected a number above 0, or 'auto'");
  const warnings: Warning[] = [...bvh.warnings];
  const meanings = positionMeanings(bvh, positionChannels);
  const rest = restTranslations(bvh, meanings, warnings);
  const unit = unitScale === 'auto' ? guessUnit(reach(bvh, rest)) : unitScale;
  const { skeleton, boneOfJoint } = skeletonOf(bvh, rest, unit);
  const firstFrame = dropFirstFrame && bvh.frameCount > 1 ? 1 : 0;
  const clips = bvh.frameCount === 0 ? [] : [clipOf(bvh, meanings, boneOfJoint, skeleton, unit, firstFrame)];
  return { name: bvh.name, skeleton, skins: [], meshes: [], clips, warnings };
}

/** Joints and the tips that the file gives, parents first. */
function skeletonOf(
  { joints }: Bvh,
  rest: Float64Array,
  unit: number,
): { skeleton: Skeleton; boneOfJoint: Int32Array } {
  const boneOfJoint = new Int32Array(joints.length);
  const names: string[] = [];
  const parents: number[] = [];
  const translations: number[] = [];
  const taken = new Set(joints.map(({ name }) => name));
  for (const [j, joint] of joints.entries()) {
    boneOfJoint[j] = names.length;
    names.push(joint.name);
    parents.push(joint.parent < 0 ? -1 : boneOfJoint[joint.parent]!);
    for (let k = 0; k < 3; k++) translations.push(rest[3 * j + k]! * unit);
    for (const end of joint.ends) {
      // A tip at the joint itself says nothing.
      if (!(length3(end.offset, 0) > 0)) continue;
      names.push(freeName(end.name === '' ? `${joint.name}_End` : end.name, taken));
      parents.push(boneOfJoint[j]!);
      for (const value of end.offset) translations.push(value * unit);
    }
  }
  const count = names.length;
  const rotations = new Float64Array(4 * count);
  for (let bone = 0; bone < count; bone++) rotations[4 * bone + 3] = 1;
  const skeleton: Skeleton = {
    count,
    names,
    parents: Int32Array.from(parents),
    nodes: Int32Array.from(names, (_, bone) => bone),
    translations: Float64Array.from(translations),
    rotations,
    scales: new Float64Array(3 * count).fill(1),
  };
  return { skeleton, boneOfJoint };
}

/** A key per frame; a joint that stays at its rest place has no translation track. */
function clipOf(
  bvh: Bvh,
  meanings: readonly PositionMeaning[],
  boneOfJoint: Int32Array,
  { translations: rest }: Skeleton,
  unit: number,
  firstFrame: number,
): Clip {
  const { joints } = bvh;
  const keys = bvh.frameCount - firstFrame;
  const turned = joints.map(() => new Float64Array(4 * keys));
  const moved = joints.map(() => new Float64Array(3 * keys));
  const pose = createPose(bvh);
  for (let key = 0; key < keys; key++) {
    poseOfFrame(bvh, meanings, firstFrame + key, pose);
    for (let j = 0; j < joints.length; j++) {
      turned[j]!.set(pose.rotations.subarray(4 * j, 4 * j + 4), 4 * key);
      for (let k = 0; k < 3; k++) moved[j]![3 * key + k] = pose.translations[3 * j + k]! * unit;
    }
  }
  const times = Float64Array.from({ length: keys }, (_, key) => key * bvh.frameTime);
  const tracks = joints.flatMap((joint, j): Track[] => {
    const bone = boneOfJoint[j]!;
    const out: Track[] = [];
    const stays = moved[j]!.every((value, i) => value === rest[3 * bone + (i % 3)]);
    if (!joint.channels.every(isRotation) && !stays)
      out.push({ bone, path: 'translation', interpolation: 'linear', times, values: moved[j]! });
    if (joint.channels.some(isRotation))
      out.push({ bone, path: 'rotation', interpolation: 'linear', times, values: turned[j]! });
    return out;
  });
  return { name: clipName(bvh.name), index: 0, duration: times.at(-1) ?? 0, tracks, bakedBones: [] };
}

/** The file's name without folders and ending. */
function clipName(name: string): string {
  return name.replace(/^.*[/\\]/, '').replace(/\.bvh$/i, '');
}
