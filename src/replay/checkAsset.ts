/** Assets as a replay carries them: without meshes, which no world needs that already has its chains. Nothing in them is believed. */
import {
  FollowthroughError,
  type Asset,
  type Clip,
  type Skeleton,
  type Skin,
  type Track,
} from '../asset/index.js';

/** What of an asset a replay carries. */
export interface CarriedAsset {
  name: string;
  skeleton: Skeleton;
  skins: Skin[];
  clips: Clip[];
}

/** Leaves out what a world does not need. */
export function carried({ name, skeleton, skins, clips }: Asset): CarriedAsset {
  return { name, skeleton, skins, clips };
}

/**
 * An asset as it was read.
 *
 * @throws FollowthroughError `invalid-file`
 */
export function checkAsset(value: unknown): Asset {
  const { name, skeleton, skins, clips } = Object(value) as Partial<CarriedAsset>;
  if (
    typeof name !== 'string' ||
    !isSkeleton(skeleton) ||
    !isListOf(skins, (skin) => isSkin(skin, skeleton.count)) ||
    !isListOf(clips, (clip) => isClip(clip, skeleton.count))
  )
    throw new FollowthroughError('invalid-file', 'replay: an asset in it is broken');
  return { name, skeleton, skins: skins as Skin[], meshes: [], clips: clips as Clip[], warnings: [] };
}

function isListOf(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => test(item));
}

function isIndex(value: unknown, count: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;
}

function isSkeleton(value: unknown): value is Skeleton {
  const { count, names, parents, nodes, translations, rotations, scales } = Object(
    value,
  ) as Partial<Skeleton>;
  if (typeof count !== 'number' || !(parents instanceof Int32Array) || !(nodes instanceof Int32Array))
    return false;
  const floats: [unknown, number][] = [
    [translations, 3],
    [rotations, 4],
    [scales, 3],
  ];
  return (
    Array.isArray(names) &&
    names.length === count &&
    names.every((name) => typeof name === 'string') &&
    nodes.length === count &&
    parents.length === count &&
    parents.every((parent, bone) => parent >= -1 && parent < bone) &&
    floats.every(([list, width]) => list instanceof Float64Array && list.length === width * count)
  );
}

function isSkin(value: unknown, bones: number): boolean {
  const { name, joints, inverseBinds } = Object(value) as Partial<Skin>;
  return (
    typeof name === 'string' &&
    joints instanceof Int32Array &&
    joints.every((joint) => joint >= 0 && joint < bones) &&
    inverseBinds instanceof Float64Array &&
    inverseBinds.length === joints.length * 16
  );
}

function isClip(value: unknown, bones: number): boolean {
  const { name, duration, tracks, bakedBones } = Object(value) as Partial<Clip>;
  return (
    typeof name === 'string' &&
    typeof duration === 'number' &&
    isListOf(tracks, (track) => isTrack(track, bones)) &&
    isListOf(bakedBones, (bone) => isIndex(bone, bones))
  );
}

function isTrack(value: unknown, bones: number): boolean {
  const { bone, path, interpolation, times, values } = Object(value) as Partial<Track>;
  if (!(times instanceof Float64Array) || !(values instanceof Float64Array)) return false;
  const size = path === 'rotation' ? 4 : 3;
  const perKey = interpolation === 'cubic' ? 3 * size : size;
  return (
    isIndex(bone, bones) &&
    ['translation', 'rotation', 'scale'].includes(path!) &&
    ['step', 'linear', 'cubic'].includes(interpolation!) &&
    values.length === perKey * times.length
  );
}
