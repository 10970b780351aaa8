/**
 * `retargetClip`: keys where the source has them or on a grid, one frame, ranges that do not begin at 0, steps and curves,
 * what the clip holds, mirrors (R6), and bodies that lie or whose file stands along another axis than its motion.
 */
import { describe, expect, test } from 'vitest';
import type { Asset, Clip, Interpolation } from '../../../src/asset/asset.js';
import { calibrate } from '../../../src/retarget/calibrate.js';
import { retargetClip } from '../../../src/retarget/retargetClip.js';
import { axisAngle, identity, qrot, slerp, type Q4, type V3 } from '../../support/referenceMath.js';
import { lowered, makeBody, RESTS, type TestBody } from './bodies.js';
import {
  apartDeg,
  clipOf,
  copyPose,
  direction,
  dist,
  place,
  poseBody,
  poseOfKey,
  quatAt,
  randomMoment,
  solve,
  turnDeg,
  vecAt,
  withClips,
} from './motion.js';
import type { LocalPose } from '../../../src/retarget/index.js';

const source = makeBody({ axes: 71, turns: RESTS.A });
const target = makeBody({ axes: 72, sizes: { legs: 1.2 }, world: axisAngle([0, 1, 0], Math.PI) });
const poses = [1, 2, 3].map((seed) => poseBody(source, randomMoment(seed)));

/** The clip of the target must stand as the solved pose at a key. */
function sameAs(clip: Clip, key: number, expected: LocalPose): void {
  const pose = poseOfKey(target, clip, key);
  for (const role of target.roles) {
    const bone = target.bones[role]!;
    expect(turnDeg(quatAt(pose.rotations, bone), quatAt(expected.rotations, bone))).toBeLessThan(1e-6);
    expect(dist(vecAt(pose.translations, bone), vecAt(expected.translations, bone))).toBeLessThan(1e-9);
  }
}

const retarget = (asset: Asset, options = {}): Clip =>
  retargetClip(calibrate(asset, target.asset), asset, 0, options);

describe('keys', () => {
  test('stand where the source has keys, the last one too', () => {
    const asset = withClips(source, clipOf(source, poses, [0, 0.3, 1.1]));
    const clip = retarget(asset);
    const calibration = calibrate(asset, target.asset);
    for (const { times } of clip.tracks) expect([...times]).toEqual([0, 0.3, 1.1]);
    for (const key of [0, 1, 2]) sameAs(clip, key, solve(calibration, poses[key]!));
    expect([clip.name, clip.index, clip.duration, clip.bakedBones]).toEqual(['clip', 0, 1.1, []]);
    expect(retarget(asset, { name: 'walk' }).name).toBe('walk');
  });

  test('are those of all tracks together', () => {
    const clip = clipOf(source, poses, [0, 0.5, 1]);
    const [first, ...others] = clip.tracks;
    const early = { ...first!, times: Float64Array.of(0, 0.25, 0.75) };
    const asset = withClips(source, { ...clip, tracks: [early, ...others] });
    for (const { times } of retarget(asset).tracks) expect([...times]).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  test('need not begin at 0', () => {
    const asset = withClips(source, clipOf(source, poses, [2.5, 3, 3.25]));
    const calibration = calibrate(asset, target.asset);
    const clip = retarget(asset);
    for (const { times } of clip.tracks) expect([...times]).toEqual([2.5, 3, 3.25]);
    expect(clip.duration).toBe(3.25);
    const grid = retarget(asset, { fps: 8 });
    for (const { times } of grid.tracks)
      expect([...times]).toEqual([2.5, 2.625, 2.75, 2.875, 3, 3.125, 3.25]);
    for (const one of [clip, grid]) {
      sameAs(one, 0, solve(calibration, poses[0]!));
      sameAs(one, one.tracks[0]!.times.length - 1, solve(calibration, poses[2]!));
    }
  });

  test('on a grid end with the last moment', () => {
    const asset = withClips(source, clipOf(source, poses, [0, 0.3, 1.03]));
    const { times } = retarget(asset, { fps: 30 }).tracks[0]!;
    expect([times.length, times[0], times.at(-1)]).toEqual([32, 0, 1.03]);
    for (const [k, time] of times.entries()) expect(time).toBeCloseTo((1.03 * k) / 31, 12);
  });

  test.each([0, 0.5])('one frame (R9) at %d s is one key, with a grid as well', (time) => {
    const asset = withClips(source, clipOf(source, poses.slice(0, 1), [time]));
    for (const options of [{}, { fps: 30 }]) {
      const clip = retarget(asset, options);
      for (const { times } of clip.tracks) expect([...times]).toEqual([time]);
      expect(clip.duration).toBe(time);
      sameAs(clip, 0, solve(calibrate(asset, target.asset), poses[0]!));
    }
  });

  test.each([
    ['no track', []],
    [
      'a track without keys',
      [
        {
          bone: 1,
          path: 'rotation',
          interpolation: 'linear',
          times: new Float64Array(),
          values: new Float64Array(),
        },
      ],
    ],
  ] as const)('a clip of %s has no time at which anything could stand', (_, tracks) => {
    const asset = withClips(source, {
      name: 'none',
      index: 0,
      duration: 0,
      tracks: [...tracks],
      bakedBones: [],
    });
    for (const options of [{}, { fps: 30 }])
      for (const { times, values } of retarget(asset, options).tracks) {
        expect(times.every(Number.isFinite)).toBe(true);
        expect(values.every(Number.isFinite)).toBe(true);
        expect([...times]).toEqual([...new Set(times)]);
      }
  });
});

describe('between keys', () => {
  const times = [0, 0.4, 1];
  // So near to each other that all keys lie in one hemisphere.
  const near = [1, 2, 3].map((seed) => {
    const { turns, hips } = randomMoment(seed, 0.5);
    return poseBody(source, { turns: { ...turns, hips: axisAngle([0, 1, 0.2], seed / 4) }, hips });
  });

  /** What the source does at a time, as glTF has it. */
  function sampled(interpolation: Interpolation, time: number): LocalPose {
    const key = time < 0.4 ? 0 : time < 1 ? 1 : 2;
    const from = near[key]!;
    const to = near[key + 1] ?? from;
    const u = key === 2 ? 0 : (time - times[key]!) / (times[key + 1]! - times[key]!);
    const pose = copyPose(from);
    const share = interpolation === 'step' ? 0 : interpolation === 'linear' ? u : 3 * u * u - 2 * u * u * u;
    for (let i = 0; i < pose.translations.length; i++)
      pose.translations[i] = from.translations[i]! + share * (to.translations[i]! - from.translations[i]!);
    for (let bone = 0; bone < pose.rotations.length / 4; bone++) {
      const [a, b] = [quatAt(from.rotations, bone), quatAt(to.rotations, bone)];
      const mixed = a.map((value, k) => value + share * (b[k]! - value)) as Q4;
      const size = Math.hypot(...mixed);
      const turned =
        interpolation === 'cubic' ? (mixed.map((value) => value / size) as Q4) : slerp(a, b, share);
      pose.rotations.set(turned, 4 * bone);
    }
    return pose;
  }

  test.each(['step', 'linear', 'cubic'] as const)('%s is sampled on the grid', (interpolation) => {
    const asset = withClips(source, clipOf(source, near, times, { interpolation }));
    const calibration = calibrate(asset, target.asset);
    const clip = retarget(asset, { fps: 20 });
    expect(clip.tracks[0]!.times.length).toBe(21);
    // What is at a key to the last bit, is on either side of it otherwise.
    for (const [key, time] of clip.tracks[0]!.times.entries())
      sameAs(clip, key, solve(calibration, sampled(interpolation, time + 1e-12)));
  });

  test('a clip of steps stays one: what stands still does not glide', () => {
    const asset = withClips(source, clipOf(source, poses, times, { interpolation: 'step' }));
    for (const { interpolation } of retarget(asset).tracks) expect(interpolation).toBe('step');
  });
});

describe('what the clip holds', () => {
  test("rotations of the mapped bones, the hips' place, and nothing else; unit quaternions, finite numbers", () => {
    const asset = withClips(source, clipOf(source, poses, [0, 1, 2]));
    const { tracks } = retarget(asset);
    const moved = tracks.filter(({ path }) => path === 'translation').map(({ bone }) => bone);
    const turned = tracks.filter(({ path }) => path === 'rotation').map(({ bone }) => bone);
    expect(moved).toEqual([target.bones['hips']]);
    expect(turned.toSorted((a, b) => a - b)).toEqual(
      target.roles.map((role) => target.bones[role]!).toSorted((a, b) => a - b),
    );
    expect(tracks.length).toBe(moved.length + turned.length);
    for (const { path, times, values } of tracks) {
      expect(values.length).toBe(times.length * (path === 'rotation' ? 4 : 3));
      if (path === 'rotation')
        for (const key of times.keys()) expect(Math.hypot(...quatAt(values, key))).toBeCloseTo(1, 12);
    }
  });

  test('is found by name and by number', () => {
    const asset = withClips(
      source,
      clipOf(source, poses, [0, 1, 2], { name: 'a' }),
      clipOf(source, poses, [0, 2, 4], { name: 'b' }),
    );
    const calibration = calibrate(asset, target.asset);
    expect(retargetClip(calibration, asset, 'b').duration).toBe(4);
    expect(retargetClip(calibration, asset, 1)).toEqual(retargetClip(calibration, asset, 'b'));
  });
});

describe('the mirror of a clip on mirrored bodies is the mirror of the clip (R6)', () => {
  const swapped = (name: string): string =>
    name.replace(/left|right/, (side) => (side === 'left' ? 'right' : 'left'));
  const mirrorNumbers = (values: Float64Array, size: number): Float64Array =>
    values.map((value, i) =>
      size === 3 ? (i % 3 === 0 ? 0 - value : value) : i % 4 === 1 || i % 4 === 2 ? 0 - value : value,
    );

  /** All x are the other way round, and the sides change their names. */
  const mirrored = (asset: Asset): Asset => ({
    ...asset,
    skeleton: {
      ...asset.skeleton,
      names: asset.skeleton.names.map(swapped),
      translations: mirrorNumbers(asset.skeleton.translations, 3),
      rotations: mirrorNumbers(asset.skeleton.rotations, 4),
    },
    clips: asset.clips.map(mirroredClip),
  });
  const mirroredClip = (clip: Clip): Clip => ({
    ...clip,
    tracks: clip.tracks.map((track) => ({
      ...track,
      values: mirrorNumbers(track.values, track.path === 'rotation' ? 4 : 3),
    })),
  });

  test('for limbs, hands, hips', () => {
    const from = makeBody({
      axes: 73,
      turns: { ...lowered(30), leftHand: axisAngle([1, 0.2, 0], 0.6), spine: axisAngle([1, 0, 1], 0.2) },
    });
    const to = makeBody({
      axes: 74,
      sizes: { legs: 0.8 },
      turns: { ...lowered(70), rightIndexIntermediate: axisAngle([0, 0, 1], 0.8) },
    });
    const asset = withClips(
      from,
      clipOf(
        from,
        poses.map((_, seed) => poseBody(from, randomMoment(seed))),
        [0, 1, 2],
      ),
    );
    const plain = mirroredClip(retargetClip(calibrate(asset, to.asset), asset, 0));
    const other = retargetClip(calibrate(mirrored(asset), mirrored(to.asset)), mirrored(asset), 0);
    expect(other.tracks.length).toBe(plain.tracks.length);
    for (const { bone, path, values } of plain.tracks) {
      const mate = other.tracks.find((track) => track.bone === bone && track.path === path)!;
      for (const key of [0, 1, 2])
        if (path === 'rotation')
          expect(turnDeg(quatAt(values, key), quatAt(mate.values, key))).toBeLessThan(1e-6);
        else expect(dist(vecAt(values, key), vecAt(mate.values, key))).toBeLessThan(1e-9);
    }
  });
});

describe('up', () => {
  /** A clip in which the whole body is turned, the hips at some place, metres from their rest. */
  function turned(body: TestBody, turn: Q4, hips: V3): { asset: Asset; pose: LocalPose } {
    const pose = poseBody(body, { turns: { hips: turn, leftUpperArm: axisAngle([0, 0, 1], 0.5) }, hips });
    return { asset: withClips(body, clipOf(body, [pose, pose], [0, 1])), pose };
  }
  const body = makeBody({ axes: 75 });
  const onto = makeBody({ axes: 76 });

  test.each<[string, Q4]>([
    ['its back', axisAngle([1, 0, 0], -Math.PI / 2)],
    ['its face', axisAngle([1, 0, 0], Math.PI / 2)],
    ['its side', axisAngle([0, 0, 1], Math.PI / 2)],
  ])('a body that lies on %s from first to last goes on lying', (_, turn) => {
    const { asset, pose } = turned(body, turn, [0, -0.83, 0]);
    const calibration = calibrate(asset, onto.asset);
    const expected = qrot(turn, [0, 1, 0]);
    const placed = place(onto.asset, solve(calibration, pose));
    expect(apartDeg(direction(onto, placed, 'hips', 'head'), expected)).toBeLessThan(5);
    expect(placed.at[onto.bones['hips']!]![1]).toBeCloseTo(0.12, 2);
  });

  test.each<[string, Q4]>([
    ['+Z', axisAngle([1, 0, 0], Math.PI / 2)],
    ['-Z', axisAngle([1, 0, 0], -Math.PI / 2)],
    ['+X', axisAngle([0, 0, 1], -Math.PI / 2)],
  ])(
    'a motion that stands along %s while the rest pose of its file stands along +Y is set upright',
    (_, turn) => {
      const standing = qrot(turn, [0, 0.95, 0]);
      const { asset, pose } = turned(body, turn, [standing[0], standing[1] - 0.95, standing[2]]);
      const calibration = calibrate(asset, onto.asset);
      expect(calibration.warnings.map(({ code }) => code)).toContain('motion-up');
      const placed = place(onto.asset, solve(calibration, pose));
      expect(apartDeg(direction(onto, placed, 'hips', 'head'), [0, 1, 0])).toBeLessThan(5);
      expect(placed.at[onto.bones['leftFoot']!]![1]).toBeCloseTo(0.08, 6);
    },
  );

  test('a body that is upside down now and then is left as it is', () => {
    const flips = Array.from({ length: 9 }, (_, i) =>
      poseBody(body, { turns: { hips: axisAngle([1, 0, 0], (i / 8) * 2 * Math.PI) }, hips: [0, 0, 0] }),
    );
    const asset = withClips(
      body,
      clipOf(
        body,
        flips,
        flips.map((_, i) => i / 8),
      ),
    );
    const calibration = calibrate(asset, onto.asset);
    expect(calibration.warnings).toEqual([]);
    expect(turnDeg(quatAt(calibration.motion, 0), identity)).toBeLessThan(1e-9);
  });
});
