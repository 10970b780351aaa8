/**
 * Grounding: a body whose skin would go below the ground is lifted at its hips. What hangs from it (a tail) and what a
 * limb solver owns must not lift it: with S the support points, T those of appendages, E those of owned limbs,
 *
 *   floor  = lowest of S without T in the rest pose
 *   c(t)   = lowest of S without T and E at t, over the floor
 *   lift   = max(0, a(t) - c(t)),  a(t) <= 0: how far below the motion itself goes
 *
 * The same T is left out of both: a tail that hangs below the feet would else make a floor that is too low.
 */
import type { Asset, Clip, Track } from '../asset/asset.js';
import { FollowthroughError } from '../asset/errors.js';
import { invertMat4, transformDirection } from '../math/index.js';
import { isTailName } from '../setup/boneNames.js';
import { findHumanoid } from './humanoid.js';
import { bindPose, clipPlaces, upOf, type RestPose } from './restPose.js';
import { supportPoints, type SupportPoints } from './supportPoints.js';

/** What counts of a body, and what does not. */
export interface ClearanceOptions {
  /** Bones that with all below them hang from the body: their skin makes no floor and touches none. Default every tail by name. */
  appendages?: readonly string[];
  /** Bones that with all below them are put on the ground by others. Default none. */
  owned?: readonly string[];
}

/** How to ground a clip. */
export interface GroundOptions extends ClearanceOptions {
  /** How far below the ground the body may go, per moment (seconds) or always; 0 or below, units of the character. Default 0. */
  allowance?: number | ((timeSeconds: number) => number);
  /** Seconds over which a lift comes and goes, to each side. Default 0.1; 0 lifts at once. */
  easeSeconds?: number;
}

/** A grounded clip, and what was done. */
export interface GroundedClip {
  /** The clip; the very one that came in when it needs no lift. */
  clip: Clip;
  /** Height of the ground: that of the lowest point of the rest pose. */
  floor: number;
  /** Times of the keys of the hips. */
  times: Float64Array;
  /** Lift at each of them, units of the character. */
  lifts: Float64Array;
}

/** Heights over the ground of what is lowest of a body, at many moments. */
interface Heights {
  floor: number;
  clearances: Float64Array;
}

/**
 * How far the lowest point of a body is over the ground of its rest pose; below zero under it.
 *
 * @returns one figure per time, units of the character
 * @throws FollowthroughError `unknown-name` for a bone that does not exist
 */
export function clearance(
  asset: Asset,
  clip: Clip,
  times: ArrayLike<number>,
  options: ClearanceOptions = {},
): Float64Array {
  return heightsOf(asset, bindPose(asset), clip, times, options).clearances;
}

/**
 * Lifts the hips of a clip wherever the body would go below the ground. The lift is eased in before and out after, and
 * never less than what is needed.
 *
 * @param asset - whose clip it is
 * @param clip - with a translation track of the hips, as {@link retargetClip} makes it; not changed
 * @throws FollowthroughError `unknown-name` for a bone that does not exist, `invalid-argument` for options out of range and
 * for a character or a clip whose hips cannot be lifted
 *
 * @example
 * const { clip, lifts } = groundClip(fox, retargetClip(calibration, motion, 0));
 */
export function groundClip(asset: Asset, clip: Clip, options: GroundOptions = {}): GroundedClip {
  const { allowance = 0, easeSeconds = 0.1 } = options;
  if (!(easeSeconds >= 0 && easeSeconds < Infinity))
    throw new FollowthroughError('invalid-argument', 'easeSeconds: expected a number from 0');
  const hips = findHumanoid(asset).bones['hips'];
  const track = clip.tracks.find(({ bone, path }) => bone === hips && path === 'translation');
  if (hips === undefined || track === undefined || track.interpolation !== 'linear')
    throw new FollowthroughError(
      'invalid-argument',
      `${asset.name}: clip '${clip.name}' has no linear translation track of the hips to lift`,
    );
  const rest = bindPose(asset);
  const { floor, clearances } = heightsOf(asset, rest, clip, track.times, options);
  const needed = Float64Array.from(track.times, (time, key) => {
    const allowed = typeof allowance === 'number' ? allowance : allowance(time);
    if (!(allowed <= 0 && allowed > -Infinity))
      throw new FollowthroughError('invalid-argument', `allowance at ${time} s: expected 0 or below`);
    return Math.max(0, allowed - clearances[key]!);
  });
  const lifts = eased(track.times, needed, easeSeconds);
  if (lifts.every((lift) => lift === 0)) return { clip, floor, times: track.times, lifts };
  const lifted: Track = { ...track, values: liftedValues(asset, rest, clip, track, lifts) };
  return {
    clip: { ...clip, tracks: clip.tracks.map((one) => (one === track ? lifted : one)) },
    floor,
    times: track.times,
    lifts,
  };
}

function heightsOf(
  asset: Asset,
  rest: RestPose,
  clip: Clip,
  times: ArrayLike<number>,
  { appendages, owned = [] }: ClearanceOptions,
): Heights {
  const up = upOf(rest);
  const hanging = below(asset, appendages ?? rest.names.filter(isTailName));
  const held = below(asset, owned);
  const body = supportPoints(asset, rest, (bone) => hanging.has(bone));
  const floor = lowest(body, rest.worldMatrices, up, () => false);
  const poseAt = clipPlaces(asset, clip);
  const clearances = Float64Array.from(
    times,
    (time) => lowest(body, poseAt(time).worldMatrices, up, (bone) => held.has(bone)) - floor,
  );
  return { floor, clearances };
}

/** Height of the lowest point; 0 for a body without points. */
function lowest(
  { bones, places }: SupportPoints,
  worlds: Float64Array,
  up: Float64Array,
  isLeft: (bone: number) => boolean,
): number {
  let low = Infinity;
  for (const [p, bone] of bones.entries()) {
    if (isLeft(bone)) continue;
    const m = 16 * bone;
    const [x, y, z] = [places[3 * p]!, places[3 * p + 1]!, places[3 * p + 2]!];
    let height = 0;
    for (let k = 0; k < 3; k++)
      height +=
        up[k]! * (worlds[m + k]! * x + worlds[m + 4 + k]! * y + worlds[m + 8 + k]! * z + worlds[m + 12 + k]!);
    low = Math.min(low, height);
  }
  return low < Infinity ? low : 0;
}

/** The least curve that is nowhere below another and changes slowly: the mean of its maxima over a window. */
function eased(times: Float64Array, needed: Float64Array, easeSeconds: number): Float64Array {
  // Times on a grid shall not miss a window by their last bit.
  const reach = easeSeconds * (1 + 1e-9);
  const overWindow = (values: Float64Array, fold: (from: number, to: number) => number): Float64Array => {
    let from = 0;
    let to = 0;
    return values.map((_, key) => {
      while (times[from]! < times[key]! - reach) from++;
      while (to < times.length && times[to]! <= times[key]! + reach) to++;
      return fold(from, to);
    });
  };
  const maxima = overWindow(needed, (from, to) => {
    let most = 0;
    for (let k = from; k < to; k++) most = Math.max(most, needed[k]!);
    return most;
  });
  return overWindow(maxima, (from, to) => {
    let sum = 0;
    for (let k = from; k < to; k++) sum += maxima[k]!;
    return sum / (to - from);
  });
}

/** Hips moved up in the world, seen from their parent as it stands at each key. */
function liftedValues(
  asset: Asset,
  rest: RestPose,
  clip: Clip,
  track: Track,
  lifts: Float64Array,
): Float64Array {
  const up = upOf(rest);
  const parent = rest.parents[track.bone]!;
  const poseAt = clipPlaces(asset, clip);
  const values = track.values.slice();
  const back = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const rise = new Float64Array(3);
  for (const [key, lift] of lifts.entries()) {
    if (lift === 0) continue;
    if (parent >= 0 && !invertMat4(back, 0, poseAt(track.times[key]!).worldMatrices, 16 * parent))
      throw new FollowthroughError(
        'invalid-argument',
        `${rest.names[parent]!}: is scaled to nothing, so that the hips below it cannot be lifted`,
      );
    transformDirection(rise, 0, back, 0, up, 0);
    for (let k = 0; k < 3; k++) values[3 * key + k] = values[3 * key + k]! + lift * rise[k]!;
  }
  return values;
}

/** Bones of these names and all below them. */
function below({ name: file, skeleton }: Asset, names: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (const name of names)
    if (!skeleton.names.includes(name))
      throw new FollowthroughError('unknown-name', `${file}: there is no bone '${name}'`);
  for (const [bone, parent] of skeleton.parents.entries())
    if (found.has(parent) || names.includes(skeleton.names[bone]!)) found.add(bone);
  return found;
}
