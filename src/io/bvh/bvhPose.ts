/**
 * Local transforms of a frame: rotations from the channels in the order of the file, translations from OFFSET and
 * position channels. Exporters mean two things by position channels, see {@link positionMeaning}.
 */
import { axisAngleQuat, identityQuat, length3, multiplyQuat, radians } from '../../math/index.js';
import { channelAxis, isRotation, type Bvh, type BvhJoint } from './bvh.js';

/**
 * What the position channels of a joint say: `add`, a displacement from OFFSET (as the format was described); `replace`,
 * the local translation itself (as most exporters write it).
 */
export type PositionMeaning = 'add' | 'replace';

/** Share of OFFSET below which the values of a joint are displacements. */
const ADDED_SHARE = 0.1;
/** The same for a root, of whose offset and values only the height counts: it walks about. */
const ADDED_SHARE_ROOT = 0.25;

/** Meaning of the position channels of every joint; where OFFSET is zero or there is no channel both are the same. */
export function positionMeanings(bvh: Bvh, asked: PositionMeaning | 'auto' = 'auto'): PositionMeaning[] {
  return bvh.joints.map((joint) => (asked === 'auto' ? positionMeaning(bvh, joint) : asked));
}

/**
 * Guesses the meaning from the values: displacements are small beside OFFSET, translations are about as large. Of Bandai
 * Namco's files every joint replaces; a file that gives its hips' height in OFFSET and moves by the channels adds.
 */
export function positionMeaning(bvh: Bvh, joint: BvhJoint): PositionMeaning {
  const root = joint.parent < 0;
  const size = root ? Math.abs(joint.offset[1]) : length3(joint.offset, 0);
  if (bvh.frameCount === 0 || !(size > 0)) return 'replace';
  const values = new Float64Array(bvh.frameCount);
  const position = new Float64Array(3);
  let moves = false;
  for (let frame = 0; frame < bvh.frameCount; frame++) {
    position.fill(0);
    for (const [k, channel] of joint.channels.entries()) {
      if (isRotation(channel)) continue;
      moves = true;
      position[channelAxis(channel)] = bvh.frames[frame * bvh.channelCount + joint.firstChannel + k]!;
    }
    values[frame] = root ? Math.abs(position[1]!) : length3(position, 0);
  }
  if (!moves) return 'replace';
  const median = values.toSorted((a, b) => a - b)[bvh.frameCount >> 1]!;
  return median < (root ? ADDED_SHARE_ROOT : ADDED_SHARE) * size ? 'add' : 'replace';
}

/** Local transforms of all joints. */
export interface BvhPose {
  /** 3 per joint, file units. */
  translations: Float64Array;
  /** 4 per joint, x, y, z, w. */
  rotations: Float64Array;
}

/** A pose with room for every joint of a file. */
export function createPose(bvh: Bvh): BvhPose {
  const { length } = bvh.joints;
  return { translations: new Float64Array(3 * length), rotations: new Float64Array(4 * length) };
}

const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const turn = new Float64Array(4);

/** Writes the local transforms of one frame. A component without a channel stands at OFFSET. */
export function poseOfFrame(
  bvh: Bvh,
  meanings: readonly PositionMeaning[],
  frame: number,
  out: BvhPose,
): void {
  for (const j of bvh.joints.keys()) poseJoint(bvh, j, meanings[j]!, frame, out);
}

/** Writes the local transform of one joint in one frame. */
export function poseJoint(
  bvh: Bvh,
  j: number,
  meaning: PositionMeaning,
  frame: number,
  { translations, rotations }: BvhPose,
): void {
  const { offset, channels, firstChannel } = bvh.joints[j]!;
  translations.set(offset, 3 * j);
  identityQuat(rotations, 4 * j);
  for (const [k, channel] of channels.entries()) {
    const value = bvh.frames[frame * bvh.channelCount + firstChannel + k]!;
    const axis = channelAxis(channel);
    if (isRotation(channel)) {
      axisAngleQuat(turn, 0, axes, 3 * axis, radians(value));
      multiplyQuat(rotations, 4 * j, rotations, 4 * j, turn, 0);
    } else if (meaning === 'add') translations[3 * j + axis] = translations[3 * j + axis]! + value;
    else translations[3 * j + axis] = value;
  }
}
