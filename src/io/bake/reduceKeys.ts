/**
 * Fewest keys for a rotation curve. The curve is what a player shows: slerp between float32 keys at float32
 * times. Each key is followed by the furthest tick for which every tick between stays within the tolerance; how
 * far is searched by doubling and halving, and every candidate is checked in full at every tick, so the result
 * never rests on an assumption about the curve (docs/baking.md, "Keys").
 */
import { FollowthroughError } from '../../asset/index.js';
import { angleQuat, degrees, slerpQuat } from '../../math/index.js';

/** Keys of one bone's rotation. */
export interface RotationKeys {
  /** Key times in seconds, strictly ascending. */
  times: Float32Array;
  /** Rotations x y z w, 4 per key, each in the hemisphere of the one before. */
  values: Float32Array;
}

/** Share of the tolerance that is used, so that players that compute the angle otherwise stay within it too. */
const usedShare = 0.999;

/** Turns every rotation into the hemisphere of the one before (q and -q are the same rotation). */
export function alignHemispheres(rotations: Float64Array): void {
  for (let i = 4; i < rotations.length; i += 4) {
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += rotations[i + k]! * rotations[i - 4 + k]!;
    if (dot < 0) for (let k = 0; k < 4; k++) rotations[i + k] = -rotations[i + k]!;
  }
}

/**
 * Reduces a curve that is known at every tick.
 *
 * @param times - time of each tick in seconds, ascending
 * @param rotations - rotation at each tick, aligned in hemisphere, 4 per tick
 * @param maxErrorDeg - largest angle between the written curve and the given rotation at any tick, degrees
 */
export function reduceKeys(times: Float64Array, rotations: Float64Array, maxErrorDeg: number): RotationKeys {
  const all: RotationKeys = { times: Float32Array.from(times), values: Float32Array.from(rotations) };
  const last = times.length - 1;
  const keys: number[] = [0];
  const fits = (from: number, to: number): boolean =>
    segmentFits(all, times, rotations, from, to, maxErrorDeg);
  while (keys.at(-1)! < last) {
    const from = keys.at(-1)!;
    let good = from + 1;
    let bad = last + 1;
    for (let reach = 2; from + reach < bad; reach *= 2) {
      const to = Math.min(from + reach, last);
      if (fits(from, to)) good = to;
      else bad = to;
      if (to === last) break;
    }
    while (bad - good > 1 && good < last) {
      const middle = (good + bad) >> 1;
      if (fits(from, middle)) good = middle;
      else bad = middle;
    }
    keys.push(good);
  }
  return pick(all, keys);
}

/** Whether slerp between two ticks stays within the tolerance at every tick of the segment. */
function segmentFits(
  all: RotationKeys,
  times: Float64Array,
  rotations: Float64Array,
  from: number,
  to: number,
  maxErrorDeg: number,
): boolean {
  const start = all.times[from]!;
  const length = all.times[to]! - start;
  const shown = new Float64Array(4);
  // The middle goes first: that is where a segment that is too long mostly fails.
  const middle = (from + to) >> 1;
  for (let i = from; i <= to; i++) {
    const tick = i === from ? middle : i === middle ? from : i;
    const t = Math.min(Math.max((times[tick]! - start) / length, 0), 1);
    slerpQuat(shown, 0, all.values, 4 * from, all.values, 4 * to, t);
    if (degrees(angleQuat(shown, 0, rotations, 4 * tick)) > maxErrorDeg * usedShare) return false;
  }
  return true;
}

/** Keys at the given ticks; a key whose float32 time is not later than the one before is dropped. */
function pick(all: RotationKeys, ticks: number[]): RotationKeys {
  const kept: number[] = [];
  for (const tick of ticks) {
    if (kept.length > 0 && !(all.times[tick]! > all.times[kept.at(-1)!]!)) kept.pop();
    kept.push(tick);
  }
  return {
    times: Float32Array.from(kept, (tick) => all.times[tick]!),
    values: Float32Array.from(
      { length: 4 * kept.length },
      (_, i) => all.values[4 * kept[i >> 2]! + (i & 3)]!,
    ),
  };
}

/** Most keys of a grid. */
const mostKeys = 1_000_000;

/**
 * Keys on a fixed grid: at 0, 1/fps, 2/fps, ... and at the end of the clip.
 *
 * @param fps - keys per second
 * @throws FollowthroughError `invalid-argument` when they are too many
 */
export function gridKeys(times: Float64Array, rotations: Float64Array, fps: number): RotationKeys {
  const end = times.at(-1)!;
  if (!(end * fps <= mostKeys))
    throw new FollowthroughError(
      'invalid-argument',
      `fps is ${fps}, expected at most ${Math.floor(mostKeys / end)} for a clip of ${end} s`,
    );
  const grid: number[] = [];
  // Compared as float32, as they are written: a key must not fall together with the last one.
  for (let k = 0; Math.fround(k / fps) < Math.fround(end - 1e-6); k++) grid.push(k / fps);
  grid.push(end);
  const values = new Float64Array(4 * grid.length);
  let tick = 0;
  grid.forEach((time, k) => {
    while (tick + 2 < times.length && times[tick + 1]! <= time) tick++;
    const next = Math.min(tick + 1, times.length - 1);
    const span = times[next]! - times[tick]!;
    const t = span > 0 ? Math.min(Math.max((time - times[tick]!) / span, 0), 1) : 0;
    slerpQuat(values, 4 * k, rotations, 4 * tick, rotations, 4 * next, t);
  });
  alignHemispheres(values);
  return { times: Float32Array.from(grid), values: Float32Array.from(values) };
}

/** Largest angle, in degrees, between what a player shows and the given rotations, over all ticks. */
export function curveErrorDeg(keys: RotationKeys, times: Float64Array, rotations: Float64Array): number {
  const shown = new Float64Array(4);
  let largest = 0;
  let key = 0;
  for (let tick = 0; tick < times.length; tick++) {
    while (key + 2 < keys.times.length && keys.times[key + 1]! <= times[tick]!) key++;
    const next = Math.min(key + 1, keys.times.length - 1);
    const span = keys.times[next]! - keys.times[key]!;
    const t = span > 0 ? Math.min(Math.max((times[tick]! - keys.times[key]!) / span, 0), 1) : 0;
    slerpQuat(shown, 0, keys.values, 4 * key, keys.values, 4 * next, t);
    largest = Math.max(largest, degrees(angleQuat(shown, 0, rotations, 4 * tick)));
  }
  return largest;
}
