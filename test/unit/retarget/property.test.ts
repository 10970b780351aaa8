/**
 * Any body onto any other, in any pose: identity, limbs that point alike, unit quaternions, finite numbers, mirrors of what
 * the formula says; and every refusal is a `FollowthroughError` of one line.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FollowthroughError } from '../../../src/asset/errors.js';
import { calibrate, type CalibrateOptions } from '../../../src/retarget/calibrate.js';
import { retargetClip } from '../../../src/retarget/retargetClip.js';
import { axisAngle, identity, mul, qinv, qmul, qrot, type Q4, type V3 } from '../../support/referenceMath.js';
import { makeBody, OPTIONAL_ROLES, ROLES, type BodyOptions, type RootNode, type TestBody } from './bodies.js';
import {
  apartDeg,
  clipOf,
  direction,
  dist,
  flesh,
  place,
  poseBody,
  poseOfKey,
  quatAt,
  randomMoment,
  solve,
  turnBetween,
  turnDeg,
  vecAt,
  withClips,
} from './motion.js';
import { schemes } from './names.js';

const seeds = fc.integer({ min: 1, max: 1e6 });
const share = fc.double({ min: -1, max: 1, noNaN: true });
const axis = fc.tuple(share, share, share).filter((v) => Math.hypot(...v) > 0.1);
const turnsUpTo = (most: number): fc.Arbitrary<Q4> =>
  fc.tuple(axis, share).map(([about, part]) => axisAngle(about as V3, most * part));

/** Standing along an axis, facing along another. */
const worlds = fc.constantFrom<Q4>(
  identity,
  axisAngle([0, 1, 0], Math.PI),
  axisAngle([0, 1, 0], -Math.PI / 2),
  axisAngle([1, 0, 0], Math.PI / 2),
  axisAngle([1, 0, 0], -Math.PI / 2),
  axisAngle([0, 0, 1], Math.PI / 2),
);

const rootNodes: fc.Arbitrary<RootNode> = fc.record({
  name: fc.constantFrom('Armature', 'Scene', 'root'),
  t: fc.tuple(share, share, share).map((v): V3 => [v[0], v[1], v[2]]),
  r: turnsUpTo(3),
  s: fc.constantFrom(1, 0.01, 100, 39.37),
});

/** Rest turns of arms, fingers and trunk; of legs by so little that up is along an axis of the file. */
const turnsOf = (parts: RegExp, most: number): fc.Arbitrary<Record<string, Q4>> =>
  fc.dictionary(fc.constantFrom(...ROLES.filter((role) => parts.test(role))), turnsUpTo(most), {
    maxKeys: 6,
  });
const restTurns = fc
  .tuple(turnsOf(/Arm|Hand|Shoulder|Intermediate|spine|head/, 0.5), turnsOf(/Leg|Foot/, 0.25))
  .map(([others, legs]) => ({ ...others, ...legs }));

/** What bodies lack: of the spine from the top, whole fingers, the ends of fingers. */
const fingers = ['left', 'right'].flatMap((side) =>
  ['Thumb', 'Index', 'Middle', 'Ring', 'Little'].map((finger) => side + finger),
);
const lacking = fc
  .tuple(
    fc.constantFrom([], ['upperChest'], ['upperChest', 'chest']),
    fc.subarray(['neck', 'leftShoulder', 'rightShoulder', 'leftToes', 'rightToes']),
    fc.subarray(fingers, { maxLength: 6 }),
    fc.subarray(
      fingers.filter((finger) => !finger.endsWith('Thumb')),
      { maxLength: 3 },
    ),
  )
  .map(([spine, others, whole, ends]) => [
    ...spine,
    ...others,
    ...OPTIONAL_ROLES.filter((role) => whole.some((finger) => role.startsWith(finger))),
    ...ends.map((finger) => `${finger}Distal`),
  ]);

/** Bodies as options, so that a counterexample can be read. */
const bodies: fc.Arbitrary<BodyOptions & { scheme: string }> = fc.record({
  axes: seeds,
  without: lacking,
  turns: restTurns,
  sizes: fc.record({
    all: fc.constantFrom(1, 0.5, 2),
    legs: fc.double({ min: 0.7, max: 1.4, noNaN: true }),
    arms: fc.double({ min: 0.6, max: 1.5, noNaN: true }),
    trunk: fc.double({ min: 0.7, max: 1.4, noNaN: true }),
    hands: fc.double({ min: 0.5, max: 2, noNaN: true }),
  }),
  unit: fc.constantFrom(1, 0.01, 100),
  world: worlds,
  between: fc.constantFrom(
    {},
    { leftLowerArm: ['twist'], rightUpperLeg: ['roll', 'cover'] },
    { head: ['collar band'] },
  ),
  roots: fc.array(rootNodes, { maxLength: 2 }),
  scheme: fc.constantFrom(...Object.keys(schemes).filter((name) => !name.startsWith('Rigify'))),
});

/** Leaves out what a scheme has no name for. */
function bodyOf({ scheme, ...options }: BodyOptions & { scheme: string }): TestBody {
  const names = schemes[scheme]!;
  const missing = OPTIONAL_ROLES.filter((role) => names(role) === undefined);
  return makeBody({ ...options, names, without: [...options.without!, ...missing] });
}

const LIMBS: readonly [string, string][] = ['left', 'right'].flatMap((side) =>
  [
    ['UpperArm', 'LowerArm'],
    ['LowerArm', 'Hand'],
    ['UpperLeg', 'LowerLeg'],
    ['LowerLeg', 'Foot'],
    ['MiddleProximal', 'MiddleIntermediate'],
    ['LittleIntermediate', 'LittleDistal'],
    ['ThumbProximal', 'ThumbDistal'],
  ].map(([from, to]): [string, string] => [side + from!, side + to!]),
);

test('any pose on the same skeleton stays what it is', () => {
  fc.assert(
    fc.property(bodies, seeds, (options, seed) => {
      const body = bodyOf(options);
      const pose = poseBody(body, randomMoment(seed));
      const solved = solve(calibrate(body.asset, body.asset), pose);
      for (const bone of body.keys.keys()) {
        const size = Math.max(1, Math.hypot(...vecAt(pose.translations, bone)));
        expect(turnDeg(quatAt(solved.rotations, bone), quatAt(pose.rotations, bone))).toBeLessThan(1e-6);
        expect(dist(vecAt(solved.translations, bone), vecAt(pose.translations, bone)) / size).toBeLessThan(
          1e-6,
        );
      }
    }),
    { numRuns: 150 },
  );
});

test('limbs point alike, trunks turn alike, on any two bodies', () => {
  fc.assert(
    fc.property(bodies, bodies, seeds, (a, b, seed) => {
      const [source, target] = [bodyOf(a), bodyOf(b)];
      const pose = poseBody(source, randomMoment(seed));
      const solved = solve(calibrate(source.asset, target.asset), pose);
      for (const list of [solved.translations, solved.rotations, solved.scales])
        expect(list.every(Number.isFinite)).toBe(true);
      for (const bone of target.keys.keys())
        expect(Math.hypot(...quatAt(solved.rotations, bone))).toBeCloseTo(1, 12);
      const from = place(source.asset, pose);
      const to = place(target.asset, solved);
      const turn = turnBetween(source, target);
      const isShared = (role: string): boolean =>
        source.bones[role] !== undefined && target.bones[role] !== undefined;
      for (const [upper, lower] of LIMBS)
        if (isShared(upper) && isShared(lower))
          expect(
            apartDeg(direction(target, to, upper, lower), qrot(turn, direction(source, from, upper, lower))),
          ).toBeLessThan(1e-4);
      // D of the source's bone on the target's own rest.
      const [restFrom, restTo] = [place(source.asset, source.rest), place(target.asset, target.rest)];
      for (const role of ['hips', 'spine', 'head', 'leftFoot'].filter(isShared)) {
        const turned = qmul(flesh(source, from, role), qinv(flesh(source, restFrom, role)));
        expect(turnDeg(flesh(target, to, role), qmul(turned, flesh(target, restTo, role)))).toBeLessThan(
          1e-5,
        );
      }
    }),
    { numRuns: 200 },
  );
});

test('how far the hips go is how long the legs are', () => {
  fc.assert(
    fc.property(bodies, bodies, fc.tuple(share, share, share), (a, b, moved) => {
      const [source, target] = [bodyOf(a), bodyOf(b)];
      const calibration = calibrate(source.asset, target.asset);
      const hips = (at: V3): V3 =>
        place(target.asset, solve(calibration, poseBody(source, { turns: {}, hips: at }))).at[
          target.bones['hips']!
        ]!;
      const legs = (body: TestBody): number => {
        const { at } = place(body.asset, body.rest);
        const gap = (upper: string, lower: string): number =>
          dist(at[body.bones[upper]!]!, at[body.bones[lower]!]!);
        return gap('leftUpperLeg', 'leftLowerLeg') + gap('leftLowerLeg', 'leftFoot');
      };
      const ratio = legs(target) / legs(source);
      const expected = mul(
        qrot(turnBetween(source, target), qrot(source.world, moved as V3)),
        source.unit * ratio,
      );
      const [from, to] = [hips([0, 0, 0]), hips(moved as V3)];
      const went: V3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
      expect(dist(went, expected)).toBeLessThan(1e-6 * legs(target));
    }),
    { numRuns: 100 },
  );
});

test('a clip is the pose at every key', () => {
  fc.assert(
    fc.property(bodies, bodies, fc.array(seeds, { minLength: 1, maxLength: 4 }), (a, b, list) => {
      const [source, target] = [bodyOf(a), bodyOf(b)];
      const poses = list.map((seed) => poseBody(source, randomMoment(seed)));
      const asset = withClips(
        source,
        clipOf(
          source,
          poses,
          list.map((_, i) => i * i + 1),
        ),
      );
      const calibration = calibrate(asset, target.asset);
      const clip = retargetClip(calibration, asset, 0);
      for (const { times, values } of clip.tracks) {
        expect([...times]).toEqual(list.map((_, i) => i * i + 1));
        expect(values.every(Number.isFinite)).toBe(true);
      }
      for (const [key, pose] of poses.entries()) {
        const at = poseOfKey(target, clip, key);
        const solved = solve(calibration, pose);
        for (const bone of target.keys.keys())
          expect(turnDeg(quatAt(at.rotations, bone), quatAt(solved.rotations, bone))).toBeLessThan(1e-6);
      }
    }),
    { numRuns: 50 },
  );
});

describe('refusals', () => {
  const body = makeBody({ axes: 91 });
  const other = makeBody({ axes: 92 });
  const asset = withClips(body, clipOf(body, [body.rest, poseBody(body, randomMoment(1))], [0, 1]));
  const calibration = calibrate(asset, other.asset);
  const nameless = makeBody({ names: (role) => `bone of ${role.length}` });
  const renamed = makeBody({ axes: 91, names: (role) => `my ${role}` });
  const shuffled = makeBody({ axes: 91, detached: ['leftUpperLeg'] });
  const clips = asset.clips;
  const options =
    (given: object): (() => unknown) =>
    () =>
      calibrate(asset, other.asset, given as CalibrateOptions);

  test.each<[string, () => unknown, string]>([
    ['no common bone', () => calibrate(asset, nameless.asset), 'invalid-argument'],
    ['no bone at all', () => calibrate(nameless.asset, nameless.asset), 'invalid-argument'],
    ['an unknown bone of the source', options({ sourceBones: { hips: 'nothing' } }), 'unknown-name'],
    ['an unknown bone of the target', options({ targetBones: { hips: 'nothing' } }), 'unknown-name'],
    ['an unknown VRM name', options({ targetBones: { tail: 'hips' } }), 'unknown-name'],
    ['an unknown VRM name of a mode', options({ modes: { Hips: 'match' } }), 'unknown-name'],
    ['an unknown mode', options({ modes: { hips: 'copy' } }), 'invalid-argument'],
    ['an unknown clip as rest pose', options({ sourcePose: { clip: 'no', timeSeconds: 0 } }), 'unknown-name'],
    [
      'a rest pose at no time',
      options({ sourcePose: { clip: 'clip', timeSeconds: NaN } }),
      'invalid-argument',
    ],
    ['an unknown rest pose', options({ sourcePose: 'current' }), 'invalid-argument'],
    ['a frame without a direction', options({ sourceFrame: { up: [0, 0, 0] } }), 'invalid-argument'],
    ['a clip by a name that is none', () => retargetClip(calibration, asset, 'no'), 'unknown-name'],
    ['a clip by a number that is none', () => retargetClip(calibration, asset, 1), 'unknown-name'],
    ['a clip by half a number', () => retargetClip(calibration, asset, 0.5), 'unknown-name'],
    ['no frames per second', () => retargetClip(calibration, asset, 0, { fps: 0 }), 'invalid-argument'],
    [
      'frames per second that are no number',
      () => retargetClip(calibration, asset, 0, { fps: NaN }),
      'invalid-argument',
    ],
    [
      'a skeleton of other size',
      () => retargetClip(calibration, { ...makeBody({ without: ['neck'] }).asset, clips }, 0),
      'invalid-argument',
    ],
    [
      'a skeleton of other names',
      () => retargetClip(calibration, { ...renamed.asset, clips }, 0),
      'invalid-argument',
    ],
    [
      'a skeleton of other hierarchy',
      () => retargetClip(calibration, { ...shuffled.asset, clips }, 0),
      'invalid-argument',
    ],
  ])('%s', (_, act, code) => {
    let error: unknown;
    try {
      act();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(FollowthroughError);
    expect((error as FollowthroughError).code).toBe(code);
    expect((error as FollowthroughError).message).toMatch(/^[^\r\n]{10,300}$/);
  });
});
