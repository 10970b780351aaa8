/** A clip of the source as a clip of the target: {@link retargetPose} at every moment at which a key stands. */
import type { Asset, Clip, Track, TrackPath } from '../asset/asset.js';
import { FollowthroughError } from '../asset/errors.js';
import { prepareClip, sampleClip } from '../setup/clipSampling.js';
import type { Calibration } from './calibrate.js';
import { localsOf } from './restPose.js';
import { createRetargetedPose, retargetPose } from './retargetPose.js';

/** How to retarget a clip. */
export interface RetargetClipOptions {
  /** Keys per second. Default: where the source has keys. Needed for cubic curves, whose tangents cannot be taken over. */
  fps?: number;
  /** Name of the new clip. Default that of the source. */
  name?: string;
}

/**
 * Retargets a clip. The clip is of the target's own bones and needs neither the source nor the calibration any more.
 *
 * @param calibration - of `source`
 * @param source - whose clip it is
 * @param clip - name or index of the clip
 * @returns rotations of every mapped bone, translations of the hips; times as in the source
 * @throws FollowthroughError `unknown-name` for a clip that does not exist, `invalid-argument` for a source of another
 * skeleton than the calibration's
 *
 * @example
 * const walk = retargetClip(calibrate(motion, fox), motion, 0);
 */
export function retargetClip(
  calibration: Calibration,
  source: Asset,
  clip: string | number,
  options: RetargetClipOptions = {},
): Clip {
  const index = typeof clip === 'number' ? clip : source.clips.findIndex(({ name }) => name === clip);
  const found = source.clips[index];
  if (found === undefined)
    throw new FollowthroughError('unknown-name', `${source.name}: there is no clip '${clip}'`);
  requireSame(source, calibration);
  const times = keyTimes(found, options.fps);
  const prepared = prepareClip(found);
  const pose = localsOf(calibration.sourceBind);
  const solved = createRetargetedPose(calibration);
  const places = new Set(calibration.detached.map((one) => calibration.targetBones[one.index]!));
  if (calibration.hips) places.add(calibration.hips.targetBone);
  const moved = [...places].toSorted((a, b) => a - b);
  const turned = [...calibration.targetBones];
  const translations = moved.map(() => new Float64Array(3 * times.length));
  const rotations = turned.map(() => new Float64Array(4 * times.length));
  for (let key = 0; key < times.length; key++) {
    sampleClip(prepared, times[key]!, pose.translations, pose.rotations, pose.scales, 0);
    retargetPose(calibration, pose, solved);
    for (const [i, bone] of turned.entries())
      rotations[i]!.set(solved.rotations.subarray(4 * bone, 4 * bone + 4), 4 * key);
    for (const [i, bone] of moved.entries())
      translations[i]!.set(solved.translations.subarray(3 * bone, 3 * bone + 3), 3 * key);
  }
  // What stands still between two keys of a clip of steps shall not begin to glide.
  const interpolation = found.tracks.every((track) => track.interpolation === 'step') ? 'step' : 'linear';
  const track = (path: TrackPath, bone: number, values: Float64Array): Track => ({
    bone,
    path,
    interpolation,
    times,
    values,
  });
  const tracks =
    times.length === 0
      ? []
      : [
          ...moved.map((bone, i) => track('translation', bone, translations[i]!)),
          ...turned.map((bone, i) => track('rotation', bone, rotations[i]!)),
        ];
  return {
    name: options.name ?? found.name,
    index: found.index,
    duration: times.at(-1) ?? 0,
    tracks,
    bakedBones: [],
  };
}

/** A calibration fits files of the same skeleton: takes of one actor, say. */
function requireSame({ name, skeleton }: Asset, { source: { names, parents } }: Calibration): void {
  const other = names.findIndex(
    (bone, i) => bone !== skeleton.names[i] || parents[i] !== skeleton.parents[i],
  );
  if (skeleton.count === names.length && other < 0) return;
  const found =
    other < 0 ? `${skeleton.count} bones, not ${names.length}` : `another bone than ${names[other]!}`;
  throw new FollowthroughError(
    'invalid-argument',
    `${name}: has ${found}, for which the calibration was made`,
  );
}

/** All times at which any track has a key, or a grid with the last moment at its end. */
function keyTimes(clip: Clip, fps: number | undefined): Float64Array {
  const all = Float64Array.from(new Set(clip.tracks.flatMap(({ times }) => [...times]))).toSorted(
    (a, b) => a - b,
  );
  if (fps === undefined) return all;
  if (!(fps > 0 && fps < Infinity))
    throw new FollowthroughError('invalid-argument', 'fps: expected a number above 0');
  const first = all[0];
  if (first === undefined) return all;
  const span = all.at(-1)! - first;
  const steps = span > 0 ? Math.max(1, Math.round(span * fps)) : 0;
  return Float64Array.from({ length: steps + 1 }, (_, k) => (k === 0 ? first : first + (span * k) / steps));
}
