/**
 * Motions for the solver's tests: paths of the hips, poses with the hips turned, clips made by hand.
 */
import { setPose } from '../../src/index.js';
import type { Clip, Track } from '../../src/index.js';
import type { Scene, Tail, TailBones } from './chains.js';
import type { Q4, V3 } from './referenceMath.js';
import { axisAngle, qmul } from './referenceMath.js';

/** The fast hips: 0.5 m at constant speed in 0.667 s, then still. */
export function fastHips(t: number): number {
  return 0.5 * Math.min(1, Math.max(0, t / 0.667));
}

/** The same way with least jerk. */
export function fastHipsSmooth(t: number): number {
  return 0.5 * smooth(t / 0.667);
}

/** 0 to 1 with zero speed and acceleration at both ends. */
export function smooth(x: number): number {
  const t = Math.min(1, Math.max(0, x));
  return t * t * t * (10 + t * (6 * t - 15));
}

/** Turns the hips bone about its own head (and moves it, in world metres of an unscaled character) by a pose. */
export function poseHips(scene: Scene, turn: Q4, move: V3 = [0, 0, 0]): void {
  const { translations, rotations, scales } = scene.tail.asset.skeleton;
  const t = translations.slice();
  const r = rotations.slice();
  const b = scene.tail.bones.hips;
  for (let c = 0; c < 3; c++) t[3 * b + c]! += move[c]!;
  const bind = [...rotations.subarray(4 * b, 4 * b + 4)] as unknown as Q4;
  r.set(qmul(turn, bind), 4 * b);
  setPose(scene.world, scene.character, { translations: t, rotations: r, scales });
}

/** A busy but smooth motion of the hips: two metres around, turning about all axes. */
export function wander(t: number): { move: V3; turn: Q4 } {
  return {
    move: [0.3 * Math.sin(2.1 * t), 0.1 * Math.sin(3.3 * t), 0.3 * Math.sin(1.3 * t + 1) - 0.3 * Math.sin(1)],
    turn: qmul(
      axisAngle([0, 1, 0], 0.8 * Math.sin(1.7 * t)),
      axisAngle([1, 0, 0.3], 0.5 * Math.sin(2.9 * t)),
    ),
  };
}

/** A clip that holds the hips' translation at keys; linear. */
export function hipsPathClip(
  tail: Pick<Tail, 'bones'>,
  keys: { t: number; position: V3 }[],
  name: string,
): Clip {
  return clipOf(name, [
    {
      bone: tail.bones.hips,
      path: 'translation',
      interpolation: 'linear',
      times: Float64Array.from(keys, (k) => k.t),
      values: Float64Array.from(keys.flatMap((k) => k.position)),
    },
  ]);
}

/** A looping clip that sways the hips about an axis: `count` linear keys over `duration` seconds. */
export function swayClip(hips: number, axis: V3, amplitudeRad: number, duration: number, count = 24): Clip {
  const times = Array.from({ length: count + 1 }, (_, k) => (k * duration) / count);
  return clipOf('Sway', [
    {
      bone: hips,
      path: 'rotation',
      interpolation: 'linear',
      times: Float64Array.from(times),
      values: Float64Array.from(
        times.flatMap((t) => axisAngle(axis, amplitudeRad * Math.sin((2 * Math.PI * t) / duration))),
      ),
    },
  ]);
}

/** A clip that turns the hips to and fro in jumps: the square wave of a turning parent. */
export function squareClip(hips: number, axis: V3, amplitudeRad: number, duration: number): Clip {
  return clipOf('Square', [
    {
      bone: hips,
      path: 'rotation',
      interpolation: 'step',
      times: Float64Array.of(0, duration / 2, duration),
      values: Float64Array.from([
        ...axisAngle(axis, amplitudeRad),
        ...axisAngle(axis, -amplitudeRad),
        ...axisAngle(axis, amplitudeRad),
      ]),
    },
  ]);
}

export function clipOf(name: string, tracks: Track[]): Clip {
  const duration = Math.max(0, ...tracks.map((track) => track.times.at(-1) ?? 0));
  return { name, index: 0, duration, tracks, bakedBones: [] };
}

/** The mirror image across the plane x = 0. */
export function mirrored(v: V3): V3 {
  return [-v[0], v[1], v[2]];
}

/** The mirror image of a rotation across the plane x = 0. */
export function mirroredTurn(q: Q4): Q4 {
  return [q[0], -q[1], -q[2], q[3]];
}

/** Wags the second tail bone after holding it still for `hold` seconds. */
export function wagClip({ links }: TailBones, hold = 0): Clip {
  const times = [0, ...Array.from({ length: 25 }, (_, k) => hold + 0.001 + k / 24)];
  return clipOf('Wag', [
    {
      bone: links[1]!,
      path: 'rotation',
      interpolation: 'linear',
      times: Float64Array.from(times),
      values: Float64Array.from(
        times.flatMap((t) =>
          axisAngle([0, 0, 1], t < hold ? 0 : 0.6 * Math.sin(2 * Math.PI * (t - hold - 0.001))),
        ),
      ),
    },
  ]);
}

/** A clip that moves the tail itself, and one that sways the hips. */
export const wagAndSway = (bones: TailBones): Clip[] => [
  wagClip(bones),
  swayClip(bones.hips, [0, 0, 1], 0.3, 1),
];
