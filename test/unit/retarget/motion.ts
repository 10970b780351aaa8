/**
 * Poses and clips of test bodies, and where they put every bone: naive forward kinematics by 4x4 matrices, apart from the
 * library's.
 */
import type { Asset, Clip, Interpolation, Track } from '../../../src/asset/asset.js';
import { calibrate, type CalibrateOptions, type Calibration } from '../../../src/retarget/calibrate.js';
import { createRetargetedPose, retargetPose, type LocalPose } from '../../../src/retarget/index.js';
import {
  angleBetween,
  angleOf,
  axisAngle,
  fromColumns,
  identity,
  len,
  mul,
  qinv,
  qmul,
  qrot,
  seeded,
  sub,
  type Q4,
  type V3,
} from '../../support/referenceMath.js';
import { ROLES, type TestBody } from './bodies.js';

const DEG = 180 / Math.PI;
export const rad = (degrees: number): number => degrees / DEG;

export const quatAt = (values: ArrayLike<number>, i: number): Q4 => [
  values[4 * i]!,
  values[4 * i + 1]!,
  values[4 * i + 2]!,
  values[4 * i + 3]!,
];
export const vecAt = (values: ArrayLike<number>, i: number): V3 => [
  values[3 * i]!,
  values[3 * i + 1]!,
  values[3 * i + 2]!,
];

export const copyPose = ({ translations, rotations, scales }: LocalPose): LocalPose => ({
  translations: translations.slice(),
  rotations: rotations.slice(),
  scales: scales.slice(),
});

/** A 4x4 matrix as rows. */
type Matrix = number[][];

function composed({ translations: t, rotations, scales: s }: LocalPose, bone: number): Matrix {
  const [x, y, z, w] = quatAt(rotations, bone);
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  return [...r.map((row, i) => [...row.map((v, k) => v * s[3 * bone + k]!), t[3 * bone + i]!]), [0, 0, 0, 1]];
}

const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => [0, 1, 2, 3].map((k) => row.reduce((sum, v, i) => sum + v * b[i]![k]!, 0)));

/** Where the bones of a pose stand and how they are turned. */
export interface Placed {
  at: V3[];
  turn: Q4[];
}

/** Naive forward kinematics. */
export function place({ skeleton }: Asset, pose: LocalPose): Placed {
  const worlds: Matrix[] = [];
  for (let bone = 0; bone < skeleton.count; bone++) {
    const local = composed(pose, bone);
    const parent = skeleton.parents[bone]!;
    worlds.push(parent < 0 ? local : product(worlds[parent]!, local));
  }
  return {
    at: worlds.map((m) => [m[0]![3]!, m[1]![3]!, m[2]![3]!]),
    turn: worlds.map((m) => {
      const [x, y, z] = [0, 1, 2].map((k): V3 => {
        const column: V3 = [m[0]![k]!, m[1]![k]!, m[2]![k]!];
        return mul(column, 1 / len(column));
      });
      return fromColumns(x!, y!, z!);
    }),
  };
}

/** The direction from one bone to another, by VRM name. */
export const direction = ({ bones }: TestBody, { at }: Placed, from: string, to: string): V3 =>
  sub(at[bones[to]!]!, at[bones[from]!]!);

/** The flesh of a bone in the body's own world: how it is turned from the T. */
export const flesh = ({ bones, axes, world }: TestBody, { turn }: Placed, role: string): Q4 =>
  qmul(qmul(qinv(world), turn[bones[role]!]!), qinv(axes[bones[role]!]!));

/** Takes directions of one body's world to those of another's. */
export const turnBetween = (from: TestBody, to: TestBody): Q4 => qmul(to.world, qinv(from.world));

export const apartDeg = (a: V3, b: V3): number => angleBetween(a, b) * DEG;
export const turnDeg = (a: Q4, b: Q4): number => angleOf(a, b) * DEG;
export const dist = (a: V3, b: V3): number => len(sub(a, b));

/** A motion of any body at one moment: how flesh is turned against the bone above, by VRM name, as from a T. */
export interface Moment {
  /** Turns; a bone without one stands as in a T. Bones in between go by their name. */
  turns: Readonly<Record<string, Q4>>;
  /** Where the hips are, metres from their rest, in the axes of the body. */
  hips: V3;
}

/** Poses a body. Static roots stay. */
export function poseBody(body: TestBody, { turns, hips }: Moment): LocalPose {
  const { asset, axes, keys, world, unit, rest } = body;
  const { parents } = asset.skeleton;
  const pose = copyPose(rest);
  const still = place(asset, rest);
  const fleshes: Q4[] = [];
  const rotations: Q4[] = [];
  for (const [bone, key] of keys.entries()) {
    const parent = parents[bone]!;
    if (key === undefined) {
      fleshes.push(identity);
      rotations.push(still.turn[bone]!);
      continue;
    }
    fleshes.push(qmul(fleshes[parent] ?? identity, turns[key] ?? identity));
    rotations.push(qmul(qmul(world, fleshes[bone]!), axes[bone]!));
    pose.rotations.set(qmul(qinv(rotations[parent] ?? identity), rotations[bone]!), 4 * bone);
  }
  const bone = body.bones['hips']!;
  let size = 1;
  for (let b = parents[bone]!; b >= 0; b = parents[b]!) size *= rest.scales[3 * b]!;
  const local = qrot(qinv(rotations[parents[bone]!] ?? identity), qrot(world, mul(hips, unit / size)));
  for (let k = 0; k < 3; k++) pose.translations[3 * bone + k]! += local[k]!;
  return pose;
}

/** A random moment: any heading, hips that lean little, everything else turned by up to `most` radians. */
export function randomMoment(seed: number, most = 1): Moment {
  const random = seeded(seed);
  const axis = (): V3 => [random() - 0.5, random() - 0.5, random() - 0.5];
  const turns = Object.fromEntries(ROLES.map((role) => [role, axisAngle(axis(), most * random())]));
  const lean = axisAngle([random() - 0.5, 0, random() - 0.5], 0.4 * random());
  turns['hips'] = qmul(axisAngle([0, 1, 0], 6 * random()), lean);
  return { turns, hips: [random() - 0.5, (random() - 0.5) / 4, random() - 0.5] };
}

/** Tracks of the bones that poses turn or move. */
export function clipOf(
  { rest }: TestBody,
  poses: readonly LocalPose[],
  times: readonly number[],
  { interpolation = 'linear' as Interpolation, name = 'clip' } = {},
): Clip {
  const tracks: Track[] = [];
  for (const [path, property, size] of [
    ['translation', 'translations', 3],
    ['rotation', 'rotations', 4],
  ] as const)
    for (let bone = 0; bone < rest[property].length / size; bone++) {
      const keys = [rest, ...poses].map((pose) => [
        ...pose[property].subarray(size * bone, size * bone + size),
      ]);
      if (keys.every((key) => key.every((value, k) => Math.abs(value - keys[0]![k]!) < 1e-12))) continue;
      const still = keys[0]!.map(() => 0);
      const values = keys
        .slice(1)
        .flatMap((key) => (interpolation === 'cubic' ? [...still, ...key, ...still] : key));
      tracks.push({
        bone,
        path,
        interpolation,
        times: Float64Array.from(times),
        values: Float64Array.from(values),
      });
    }
  return { name, index: 0, duration: times.at(-1)!, tracks, bakedBones: [] };
}

/** The body's file with clips. */
export const withClips = (body: TestBody, ...clips: Clip[]): Asset => ({ ...body.asset, clips });

/** The pose of a body at a key of one of its clips, none of which may be cubic. */
export function poseOfKey({ rest }: TestBody, clip: Clip, key: number): LocalPose {
  const pose = copyPose(rest);
  for (const { bone, path, values } of clip.tracks) {
    const size = path === 'rotation' ? 4 : 3;
    const out = path === 'rotation' ? pose.rotations : path === 'scale' ? pose.scales : pose.translations;
    out.set(values.subarray(size * key, size * key + size), size * bone);
  }
  return pose;
}

/** The target's pose for a pose of the source. */
export function solve(calibration: Calibration, pose: LocalPose): LocalPose {
  const out = createRetargetedPose(calibration);
  retargetPose(calibration, pose, out);
  return copyPose(out);
}

/** Calibrates two bodies whose bones are known: what they are called does not count. */
export const calibrateBodies = (
  source: TestBody,
  target: TestBody,
  options: CalibrateOptions = {},
): Calibration =>
  calibrate(source.asset, target.asset, {
    sourceBones: given(source),
    targetBones: given(target),
    ...options,
  });

/** Poses of the source beside what the target makes of them, at moments of their own. */
export function solveMany(
  source: TestBody,
  target: TestBody,
  { options, count = 12, most = 1, moments }: SolveOptions = {},
): { from: Placed; to: Placed; pose: LocalPose; solved: LocalPose }[] {
  const calibration = calibrateBodies(source, target, options);
  const all = moments ?? Array.from({ length: count }, (_, seed) => randomMoment(seed, most));
  return all.map((moment) => {
    const pose = poseBody(source, moment);
    const solved = solve(calibration, pose);
    return { from: place(source.asset, pose), to: place(target.asset, solved), pose, solved };
  });
}

/** How to calibrate and what to move: given moments, or random ones. */
export interface SolveOptions {
  options?: CalibrateOptions;
  count?: number;
  /** Largest turn of a bone, radians. */
  most?: number;
  moments?: readonly Moment[];
}

/** The bones of a body as options name them. */
export const given = ({ asset, bones, roles }: TestBody): Record<string, string> =>
  Object.fromEntries(roles.map((role) => [role, asset.skeleton.names[bones[role]!]!]));
