/**
 * Sampling of clips as glTF defines it: step, linear (rotations by shortest-path slerp), cubic (Hermite splines whose
 * tangents are scaled by the key interval; rotations renormalised). Exact arithmetic only: a sample is the same number
 * in every engine. See the glTF 2.0 specification, appendix C.
 */
import type { Clip, Interpolation, Track, TrackPath } from '../asset/asset.js';
import type { Numbers } from '../math/numbers.js';
import { normalizeQuat } from '../math/quat.js';
import { slerpQuatBy } from '../math/slerp.js';

/** A track made ready for sampling. */
export interface PreparedTrack {
  /** Index of the bone. */
  bone: number;
  /** Which property. */
  path: TrackPath;
  /** Interpolation between keys. */
  interpolation: Interpolation;
  /** Numbers per value: 3, or 4 for rotations. */
  size: number;
  /** Key times in seconds, ascending. */
  times: Float64Array;
  /**
   * Values as in {@link Track}; rotations are turned so that no key lies in the hemisphere opposite to the key before
   * (tangents with their key), and those of step and linear tracks are unit quaternions.
   */
  values: Float64Array;
}

/** A clip made ready for sampling; never changed afterwards, so any number of players may share it. */
export interface PreparedClip {
  /** Name of the clip. */
  name: string;
  /** Last key time of any track, in seconds. */
  duration: number;
  /** Tracks with at least one key. */
  tracks: PreparedTrack[];
}

/**
 * Prepares a clip: copies its tracks and aligns the hemispheres of rotation keys, once.
 *
 * @param clip - as loaded; not changed
 */
export function prepareClip(clip: Clip): PreparedClip {
  const tracks = clip.tracks.filter(({ times }) => times.length > 0).map(prepareTrack);
  return { name: clip.name, duration: clip.duration, tracks };
}

/**
 * Writes the pose of a clip at a time. Only properties that have a track are written; before the first key and after
 * the last one the value is that key's. Nothing is allocated, nothing remembered.
 *
 * @param clip - prepared clip
 * @param timeSeconds - time within the clip; the caller loops
 * @param translations - 3 per bone
 * @param rotations - 4 per bone; written values are unit quaternions
 * @param scales - 3 per bone
 * @param boneOffset - index in these arrays of the clip's bone 0
 */
export function sampleClip(
  clip: PreparedClip,
  timeSeconds: number,
  translations: Numbers,
  rotations: Numbers,
  scales: Numbers,
  boneOffset: number,
): void {
  ownClock[0] = timeSeconds;
  sampleClipAt(clip, ownClock, translations, rotations, scales, boneOffset);
}

const ownClock = new Float64Array(1);
/** Share of the way between two keys. */
const between = new Float64Array(1);

/** {@link sampleClip} with the time read from `clock[0]`: a number that crosses a call would be boxed. */
export function sampleClipAt(
  clip: PreparedClip,
  clock: Float64Array,
  translations: Numbers,
  rotations: Numbers,
  scales: Numbers,
  boneOffset: number,
): void {
  const { tracks } = clip;
  for (let i = 0; i < tracks.length; i++) {
    const track = tracks[i]!;
    const out = track.path === 'rotation' ? rotations : track.path === 'translation' ? translations : scales;
    sampleTrackAt(track, clock, out, track.size * (boneOffset + track.bone));
  }
}

/**
 * Writes the value of one track at the time in `clock[0]`.
 *
 * @param out - receives 3 or 4 numbers from index `o`
 */
export function sampleTrackAt(track: PreparedTrack, clock: Float64Array, out: Numbers, o: number): void {
  const { times, values, size, interpolation } = track;
  const timeSeconds = clock[0]!;
  const last = times.length - 1;
  const perKey = interpolation === 'cubic' ? 3 * size : size;
  const inKey = interpolation === 'cubic' ? size : 0;
  // The last key that is not later, by halving; also what is not a number clamps to the first key.
  let key = -1;
  if (timeSeconds >= times[0]!) {
    key = 0;
    for (let end = last; key < end;) {
      const middle = (key + end + 1) >> 1;
      if (times[middle]! <= timeSeconds) key = middle;
      else end = middle - 1;
    }
  }
  if (key < 0 || key === last || interpolation === 'step') {
    if (key < 0) key = 0;
    for (let k = 0; k < size; k++) out[o + k] = values[key * perKey + inKey + k]!;
    if (size === 4) normalizeQuat(out, o, out, o);
    return;
  }
  const span = times[key + 1]! - times[key]!;
  const u = (timeSeconds - times[key]!) / span;
  const from = key * perKey + inKey;
  if (interpolation === 'linear') {
    between[0] = u;
    if (size === 4) slerpQuatBy(out, o, values, from, values, from + 4, between, 0);
    else
      for (let k = 0; k < 3; k++)
        out[o + k] = values[from + k]! + u * (values[from + 3 + k]! - values[from + k]!);
    return;
  }
  const u2 = u * u;
  const u3 = u2 * u;
  const value0 = 2 * u3 - 3 * u2 + 1;
  const value1 = 3 * u2 - 2 * u3;
  const tangent0 = span * (u3 - 2 * u2 + u);
  const tangent1 = span * (u3 - u2);
  const to = from + perKey;
  for (let k = 0; k < size; k++) {
    // Out-tangent of this key, in-tangent of the next.
    out[o + k] =
      value0 * values[from + k]! +
      tangent0 * values[from + size + k]! +
      value1 * values[to + k]! +
      tangent1 * values[to - size + k]!;
  }
  if (size === 4) normalizeQuat(out, o, out, o);
}

function prepareTrack(track: Track): PreparedTrack {
  const { bone, path, interpolation } = track;
  const size = path === 'rotation' ? 4 : 3;
  const values = track.values.slice();
  if (size === 4) alignHemispheres(values, interpolation, track.times.length);
  return { bone, path, interpolation, size, times: track.times.slice(), values };
}

/** q and -q are the same rotation: takes the one nearer to the key before. */
function alignHemispheres(values: Float64Array, interpolation: Interpolation, keys: number): void {
  const perKey = interpolation === 'cubic' ? 12 : 4;
  const inKey = interpolation === 'cubic' ? 4 : 0;
  for (let key = 0; key < keys; key++) {
    const value = key * perKey + inKey;
    if (interpolation !== 'cubic') normalizeQuat(values, value, values, value);
    if (key === 0) continue;
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += values[value + k]! * values[value - perKey + k]!;
    if (dot < 0) for (let k = 0; k < perKey; k++) values[key * perKey + k] = 0 - values[key * perKey + k]!;
  }
}
