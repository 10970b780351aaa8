/**
 * How the hips move: displacement from where they are when the body stands with straight legs, scaled by the length of
 * the legs, added to where the target's are then. A displacement, not a place: scaled places drift wherever the rest hips
 * do not stand over the origin. Straight legs, not the legs of the rest pose: these are spread in one file and not in the
 * next, and the body would float by the difference.
 */
import type { Asset, Warning } from '../asset/index.js';
import { FollowthroughError } from '../asset/errors.js';
import { dot3, invertMat4, rotateVec3 } from '../math/index.js';
import type { Body } from './alignment.js';
import { legLengths, legsOf } from './legs.js';
import { clipPlaces, placeOf, upOf } from './restPose.js';

/** How much longer the ways of the target's hips are. */
export interface HipsScale {
  /** Along up. */
  up: number;
  /** Across. */
  across: number;
}

/** How the hips move. */
export interface HipsMotion {
  /** Bone of the source. */
  sourceBone: number;
  /** Bone of the target. */
  targetBone: number;
  /** Place of the source's hips over its ground when its legs are straight, in the axes of the target's world. */
  sourceRest: Float64Array;
  /** Place of the target's hips when its legs are straight. */
  targetRest: Float64Array;
  /** Up of the target's world, unit. */
  up: Float64Array;
  /** Target units per source unit, along up and across. */
  scale: HipsScale;
  /** Takes places of the target's world to the frame of its hips' parent, 4x4. */
  intoParent: Float64Array;
}

/** Share of the body's height within which hips at the origin are no place over a ground. */
const AT_ORIGIN = 0.2;

/**
 * Calibrates the hips; undefined where one of the bodies has none.
 *
 * @param origin - place of the source's hips in its bind pose: where it stands on the ground does not go by the moment of a
 *   clip that serves as its rest pose
 * @throws FollowthroughError `invalid-argument` when a body has no height
 */
export function calibrateHips(
  asset: Asset,
  source: Body,
  target: Body,
  motion: Float64Array,
  origin: Float64Array | undefined,
  warnings: Warning[],
): HipsMotion | undefined {
  const sourceBone = source.bones['hips'];
  const targetBone = target.bones['hips'];
  if (sourceBone === undefined || targetBone === undefined || origin === undefined) return undefined;
  const up = upOf(target.pose);
  const scale = sizeRatio(source, target, up);
  const sourceRest = placeIn(source, sourceBone);
  const targetRest = placeOf(target.pose, targetBone);
  rotateVec3(origin, 0, source.turn, 0, origin, 0);
  const height = dot3(sourceRest, 0, up, 0) - dot3(origin, 0, up, 0);
  for (let k = 0; k < 3; k++) sourceRest[k] = origin[k]! + height * up[k]!;
  if (standsAtOrigin(source, sourceBone, up)) {
    raise(sourceRest, plantedHeight(asset, source, up, motion) - ankleHeight(source, up), up);
    warnings.push({
      code: 'rest-lifted',
      message: 'the rest pose does not stand on the ground; it was lifted to where the clip plants its feet',
      at: asset.name,
    });
  }
  // A target without a ground of its own has its ankles where the source has them.
  if (standsAtOrigin(target, targetBone, up)) {
    const ankles =
      ankleHeight(source, up) + dot3(sourceRest, 0, up, 0) - dot3(placeIn(source, sourceBone), 0, up, 0);
    raise(targetRest, scale * ankles - ankleHeight(target, up), up);
  }
  raise(sourceRest, legLength(source) - stance(source, up), up);
  raise(targetRest, legLength(target) - stance(target, up), up);
  const parent = target.pose.parents[targetBone]!;
  const intoParent = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  if (parent >= 0 && !invertMat4(intoParent, 0, target.pose.worldMatrices, 16 * parent))
    throw new FollowthroughError(
      'invalid-argument',
      `${target.pose.names[parent]!}: is scaled to nothing, so that the hips below it cannot be moved`,
    );
  return {
    sourceBone,
    targetBone,
    sourceRest,
    targetRest,
    up,
    scale: { up: scale, across: scale },
    intoParent,
  };
}

function raise(place: Float64Array, by: number, up: Float64Array): void {
  for (let k = 0; k < 3; k++) place[k] = place[k]! + by * up[k]!;
}

/** Many files put the root of the rest pose at zero and give its height in the frames. */
function standsAtOrigin(body: Body, hips: number, up: Float64Array): boolean {
  const height = dot3(placeIn(body, hips), 0, up, 0);
  return Math.abs(height) <= AT_ORIGIN * (height - lowest(body, up));
}

/** Length of the target's legs over the source's; where one has none, the heights of the hips over what is lowest. */
function sizeRatio(source: Body, target: Body, up: Float64Array): number {
  const legs = [legLength(source), legLength(target)];
  const sizes = legs[0]! > 0 && legs[1]! > 0 ? legs : [hipHeight(source, up), hipHeight(target, up)];
  const ratio = sizes[1]! / sizes[0]!;
  if (!(ratio > 0 && ratio < Infinity))
    throw new FollowthroughError(
      'invalid-argument',
      'the hips of source or target stand at the height of the feet: nothing says how far they shall move',
    );
  return ratio;
}

/** Mean length of the legs, 0 without one. */
function legLength({ pose, bones }: Body): number {
  const lengths = legLengths(pose, bones);
  return lengths.length === 0 ? 0 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

/** How far the higher end of a leg stands over the foot, of the leg that reaches farthest down. */
function stance(body: Body, up: Float64Array): number {
  const heights = legsOf(body.bones).map(
    ([thigh, , foot]) => dot3(placeIn(body, thigh), 0, up, 0) - dot3(placeIn(body, foot), 0, up, 0),
  );
  return heights.length === 0 ? 0 : Math.max(...heights);
}

function hipHeight(body: Body, up: Float64Array): number {
  return dot3(placeIn(body, body.bones['hips']!), 0, up, 0) - lowest(body, up);
}

/** Place of a bone in the axes of the target's world. */
function placeIn({ pose, turn }: Body, bone: number): Float64Array {
  const place = placeOf(pose, bone);
  rotateVec3(place, 0, turn, 0, place, 0);
  return place;
}

/** Height of the lowest bone of the body, tips of its feet included; lights and cameras beside it do not count. */
function lowest(body: Body, up: Float64Array): number {
  const { parents } = body.pose;
  const counted = new Set(Object.values(body.all));
  const feet = new Set(['leftFoot', 'rightFoot'].flatMap((role) => body.all[role] ?? []));
  let low = Infinity;
  for (const [bone, parent] of parents.entries()) {
    if (feet.has(parent)) feet.add(bone);
    if (counted.has(bone) || feet.has(bone)) low = Math.min(low, dot3(placeIn(body, bone), 0, up, 0));
  }
  return low;
}

/** Height of the lower ankle of the rest pose; of the lowest bone where a body has no ankles. */
function ankleHeight(body: Body, up: Float64Array): number {
  const ankles = anklesOf(body);
  if (ankles.length === 0) return lowest(body, up);
  return Math.min(...ankles.map((bone) => dot3(placeIn(body, bone), 0, up, 0)));
}

function anklesOf({ bones }: Body): number[] {
  return ['leftFoot', 'rightFoot'].flatMap((role) => bones[role] ?? []);
}

/**
 * How low ankles come in the first clip: the tenth lowest of a hundred moments, so that one jump or stumble does not count.
 * Without a clip as high as they are over the lowest bone.
 */
function plantedHeight(asset: Asset, source: Body, up: Float64Array, motion: Float64Array): number {
  const clip = asset.clips[0];
  const ankles = anklesOf(source);
  if (clip === undefined || ankles.length === 0) return ankleHeight(source, up) - lowest(source, up);
  const moments = 100;
  const heights = new Float64Array(moments);
  const poseAt = clipPlaces(asset, clip);
  for (let k = 0; k < moments; k++) {
    const pose = poseAt((clip.duration * k) / (moments - 1));
    heights[k] = Math.min(
      ...ankles.map((bone) => {
        const place = placeOf(pose, bone);
        rotateVec3(place, 0, motion, 0, place, 0);
        return dot3(place, 0, up, 0);
      }),
    );
  }
  return heights.toSorted((a, b) => a - b)[10]!;
}
