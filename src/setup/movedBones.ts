/**
 * Which bones a clip really moves: what decides who owns a chain (`docs/solver.md`, "Owner"). Constant tracks, which
 * exporters write for every bone, do not count; nor do rotations this library baked itself.
 */
import type { Clip } from '../asset/asset.js';
import { radians } from '../math/angle.js';
import { angleQuat } from '../math/quat.js';
import { distance3, length3 } from '../math/vec3.js';
import { prepareClip, sampleTrackAt } from './clipSampling.js';
import type { PreparedTrack } from './clipSampling.js';
import type { Neutral } from './neutralPose.js';

/** Rotation from the first key that counts as moving: 0.01 degrees. */
const MOVED_RAD: number = radians(0.01);
/** Translation from the first key, relative to the bone's length, and change of scale that count as moving. */
const MOVED_SHARE = 1e-5;
/** Between two cubic keys tangents can move a bone although the keys are equal: sampled at these shares. */
const CUBIC_SHARES: readonly number[] = [0.25, 0.5, 0.75];

/**
 * Bones that a clip moves away from where its first key puts them: by more than 0.01 degrees, by more than 1e-5 of
 * the length of the bone (its distance from its parent at bind), or by a change of scale of more than 1e-5.
 *
 * @param clip - clip; rotations of its {@link Clip.bakedBones} are not counted
 * @param neutral - neutral pose, for the lengths
 * @returns indices of the bones, ascending
 */
export function movedBones(clip: Clip, neutral: Neutral): number[] {
  const moved = new Set<number>();
  const baked = new Set(clip.bakedBones);
  for (const track of prepareClip(clip).tracks) {
    if (track.path === 'rotation' && baked.has(track.bone)) continue;
    if (!moved.has(track.bone) && movesAway(track, neutral)) moved.add(track.bone);
  }
  return [...moved].toSorted((a, b) => a - b);
}

const clock = new Float64Array(1);

function movesAway(track: PreparedTrack, neutral: Neutral): boolean {
  const first = new Float64Array(4);
  const value = new Float64Array(4);
  clock[0] = track.times[0]!;
  sampleTrackAt(track, clock, first, 0);
  const limit = track.path === 'translation' ? MOVED_SHARE * unitLength(neutral, track.bone) : MOVED_SHARE;
  const isAway = (time: number): boolean => {
    clock[0] = time;
    sampleTrackAt(track, clock, value, 0);
    if (track.path === 'rotation') return angleQuat(first, 0, value, 0) > MOVED_RAD;
    return distance3(first, 0, value, 0) > limit;
  };
  for (const [key, time] of track.times.entries()) {
    if (isAway(time)) return true;
    const next = track.times[key + 1];
    if (track.interpolation !== 'cubic' || next === undefined) continue;
    if (CUBIC_SHARES.some((share) => isAway(time + share * (next - time)))) return true;
  }
  return false;
}

/** Length of a bone in its parent's units; of a bone without length, the mean of all that have one. */
function unitLength(neutral: Neutral, bone: number): number {
  const own = length3(neutral.translations, 3 * bone);
  if (own > 0) return own;
  let sum = 0;
  let count = 0;
  for (let o = 0; o < neutral.translations.length; o += 3) {
    const length = length3(neutral.translations, o);
    if (length === 0) continue;
    sum += length;
    count++;
  }
  return count > 0 ? sum / count : 1;
}
