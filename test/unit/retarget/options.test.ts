/**
 * What callers of `calibrate` say themselves: bones of rigs whose names say nothing, up and forward, the pose that stands
 * for the rest pose of the target.
 */
import { describe, expect, test } from 'vitest';
import { calibrate } from '../../../src/retarget/calibrate.js';
import { findHumanoid } from '../../../src/retarget/humanoid.js';
import { axisAngle, identity, qmul, qrot, type Q4, type V3 } from '../../support/referenceMath.js';
import { lowered, makeBody, RESTS, type TestBody } from './bodies.js';
import {
  apartDeg,
  calibrateBodies,
  clipOf,
  direction,
  flesh,
  given,
  place,
  poseBody,
  randomMoment,
  solve,
  turnDeg,
  withClips,
} from './motion.js';

const plain = makeBody({ axes: 101 });
const facingBack = axisAngle([0, 1, 0], Math.PI);
const zUp = axisAngle([1, 0, 0], Math.PI / 2);

/** Names as some exporters number them. */
const numbered = (role: string): string =>
  `Object_${[...role].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 99991, 7)}`;

const fleshDeg = (source: TestBody, target: TestBody, calibration: ReturnType<typeof calibrate>): number =>
  Math.max(
    ...[1, 2, 3, 4].flatMap((seed) => {
      const pose = poseBody(source, randomMoment(seed));
      const from = place(source.asset, pose);
      const to = place(target.asset, solve(calibration, pose));
      return target.roles
        .filter((role) => source.bones[role] !== undefined)
        .map((role) => turnDeg(flesh(source, from, role), flesh(target, to, role)));
    }),
  );

describe('names that say nothing', () => {
  test.each<[string, Q4]>([
    ['+Z', identity],
    ['-Z', facingBack],
    ['+Y with Z up', qmul(zUp, facingBack)],
  ])('bones and frame are given: a body that faces %s', (_, world) => {
    const body = makeBody({ axes: 102, names: numbered, world });
    expect(findHumanoid(body.asset).bones).toEqual({});
    const up = qrot(world, [0, 1, 0]);
    const forward = qrot(world, [0, 0, 1]);
    const asSource = calibrateBodies(body, plain, { sourceFrame: { up, forward } });
    expect(fleshDeg(body, plain, asSource)).toBeLessThan(1e-5);
    const asTarget = calibrateBodies(plain, body, { targetFrame: { up, forward } });
    expect(fleshDeg(plain, body, asTarget)).toBeLessThan(1e-5);
    expect([asSource.warnings, asTarget.warnings]).toEqual([[], []]);
  });

  test('only what is given is moved', () => {
    const body = makeBody({ axes: 103, names: numbered });
    const names = given(body);
    const few = {
      hips: names['hips']!,
      leftUpperArm: names['leftUpperArm']!,
      leftUpperLeg: names['leftUpperLeg']!,
      leftLowerLeg: names['leftLowerLeg']!,
      leftFoot: names['leftFoot']!,
    };
    const calibration = calibrate(plain.asset, body.asset, { targetBones: few });
    expect([...calibration.roles].toSorted()).toEqual(Object.keys(few).toSorted());
    const solved = solve(calibration, poseBody(plain, randomMoment(1)));
    for (const role of body.roles) {
      const o = 4 * body.bones[role]!;
      const kept = solved.rotations
        .subarray(o, o + 4)
        .every((value, k) => value === body.rest.rotations[o + k]);
      expect([role, kept]).toEqual([role, !(role in few)]);
    }
  });

  test('a name that two bones have is none', () => {
    const twins = makeBody({ names: (role) => role.replace(/^(?:left|right)Hand$/, 'Hand') });
    expect(() => findHumanoid(twins.asset, { leftHand: 'Hand' })).toThrow(
      expect.objectContaining({ name: 'FollowthroughError', code: 'unknown-name' }),
    );
  });
});

describe('the pose that stands for the rest pose of the target', () => {
  const slouch: Record<string, Q4> = {
    ...lowered(60),
    spine: axisAngle([1, 0, 0], 0.5),
    head: axisAngle([1, 0, 0], -0.4),
  };
  const source = makeBody({ axes: 104, turns: slouch });
  const still: V3 = [0, 0, 0];
  // As many exporters do: the first frame is a T, whatever the skeleton rests in.
  const poses = [
    { turns: {}, hips: still },
    { turns: slouch, hips: still },
  ].map((moment) => poseBody(source, moment));
  const asset = withClips(source, clipOf(source, poses, [0, 1], { name: 'capture' }));

  test('a moment of a clip', () => {
    const calibration = calibrate(asset, plain.asset, { sourcePose: { clip: 'capture', timeSeconds: 0 } });
    expect(fleshDeg(source, plain, calibration)).toBeLessThan(1e-5);
  });

  test('the bind pose, on demand and by default where it stands', () => {
    for (const options of [{}, { sourcePose: 'bind' as const }, { sourcePose: 'auto' as const }]) {
      const calibration = calibrate(asset, plain.asset, options);
      const placed = place(plain.asset, solve(calibration, poses[1]!));
      // The trunk stands as at rest, the arms point where they point.
      expect(turnDeg(flesh(plain, placed, 'spine'), identity)).toBeLessThan(1e-5);
      const from = place(source.asset, poses[1]!);
      expect(
        apartDeg(
          direction(plain, placed, 'leftUpperArm', 'leftLowerArm'),
          direction(source, from, 'leftUpperArm', 'leftLowerArm'),
        ),
      ).toBeLessThan(1e-4);
    }
  });

  test('what the clip does not move stands as in the bind pose', () => {
    const arms = makeBody({ axes: 105, turns: RESTS.A });
    const pose = poseBody(arms, {
      turns: { ...RESTS.T, rightUpperArm: RESTS.A['rightUpperArm']! },
      hips: still,
    });
    const clip = clipOf(arms, [pose], [0], { name: 'left' });
    expect(clip.tracks.length).toBe(1);
    const options = { sourcePose: { clip: 'left', timeSeconds: 0 } };
    expect(fleshDeg(arms, plain, calibrate(withClips(arms, clip), plain.asset, options))).toBeLessThan(1e-5);
  });
});
