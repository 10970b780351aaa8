/**
 * Nothing that happens to a live character changes a result, and no result changes a character (R1 to R5; three-vrm #1643,
 * where a character sank at every change of clips; Babylon.js #18450, where retargeting reset who was playing; Expy-Kit
 * #21, whose third import was twisted). Compared to the bit.
 */
import { describe, expect, test } from 'vitest';
import type { Asset } from '../../../src/asset/asset.js';
import { addCharacter, createPose, createWorld, play, setPose, step } from '../../../src/index.js';
import { hash } from '../../../src/replay/index.js';
import { calibrate, type Calibration } from '../../../src/retarget/calibrate.js';
import { findHumanoid } from '../../../src/retarget/humanoid.js';
import { retargetClip } from '../../../src/retarget/retargetClip.js';
import { createRetargetedPose, retargetPose, type LocalPose } from '../../../src/retarget/index.js';
import { fingerprint } from '../../support/gltfBuilder.js';
import { axisAngle, qmul, type Q4 } from '../../support/referenceMath.js';
import { makeBody, RESTS, spoil, type TestBody } from './bodies.js';
import { clipOf, copyPose, poseBody, poseOfKey, quatAt, randomMoment, solve, withClips } from './motion.js';

const source = makeBody({ axes: 81, turns: RESTS.A, offset: [0, -0.95, 0] });
/** Its bind pose is that of its skin, but for the root. */
const target = makeBody({
  axes: 82,
  saved: 4,
  roots: [{ name: 'root' }],
  detached: ['leftFoot', 'rightFoot'],
});
const poses = [1, 2, 3, 4].map((seed) => {
  const { turns, hips } = randomMoment(seed);
  return poseBody(source, { turns, hips: [hips[0], hips[1] + 0.95, hips[2]] });
});
const motion = withClips(
  source,
  clipOf(source, poses, [0, 0.5, 1, 1.5], { name: 'a' }),
  clipOf(source, poses.toReversed(), [0, 1, 2, 3], { name: 'b' }),
);

const result = (from: Asset = motion, to: Asset = target.asset): string => {
  const calibration = calibrate(from, to);
  return fingerprint([
    calibration,
    retargetClip(calibration, from, 'a'),
    retargetClip(calibration, from, 'b', { fps: 24 }),
  ]);
};

describe('inputs are never changed', () => {
  test('assets by finding bones, calibrating, retargeting', () => {
    const before = fingerprint([motion, target.asset]);
    for (const asset of [motion, target.asset]) findHumanoid(asset);
    result();
    expect(fingerprint([motion, target.asset])).toBe(before);
  });

  test('options', () => {
    const options = {
      sourceBones: { hips: 'hips' },
      targetBones: { head: 'head' },
      modes: { head: 'match' },
      sourcePose: { clip: 'a', timeSeconds: 0.5 },
      sourceFrame: { up: [0, 2, 0], forward: [0, 1, 1] },
    } as const;
    const frozen = Object.freeze(structuredClone(options)) as Parameters<typeof calibrate>[2];
    calibrate(motion, target.asset, frozen);
    expect(frozen).toEqual(options);
  });

  test('the pose of the source, and the calibration, by solving', () => {
    const calibration = calibrate(motion, target.asset);
    const before = fingerprint([calibration, poses]);
    for (const pose of poses) solve(calibration, pose);
    retargetClip(calibration, motion, 0);
    expect(fingerprint([calibration, poses])).toBe(before);
  });

  test('a world in which the target plays, by retargeting onto it (R2)', () => {
    const clip = retargetClip(calibrate(motion, target.asset), motion, 'a');
    const live: Asset = { ...target.asset, clips: [clip] };
    const run = (retargets: boolean): unknown => {
      const world = createWorld({});
      const character = addCharacter(world, live);
      play(world, character, clip.name);
      for (let tick = 0; tick < 30; tick++) {
        step(world);
        if (retargets && tick % 10 === 5) retargetClip(calibrate(motion, live), motion, 'b');
      }
      return hash(world);
    };
    expect(run(true)).toEqual(run(false));
  });
});

describe('the same result', () => {
  test('three times in a row, to the bit', () => {
    expect([result(), result(), result()]).toEqual(Array.from({ length: 3 }, () => result()));
  });

  test('after the target was saved in other poses: the skin knows better (R1, R4)', () => {
    const clean = result();
    const live = structuredClone(target.asset);
    const calibration = calibrate(motion, live);
    const clip = fingerprint(retargetClip(calibration, motion, 'b'));
    for (let change = 0; change < 5; change++) {
      // As a game does that plays one clip after the other.
      const pose = poseOfKey(target, retargetClip(calibrate(motion, live), motion, 'a'), change % 4);
      live.skeleton.translations.set(pose.translations);
      live.skeleton.rotations.set(pose.rotations);
      expect(fingerprint(retargetClip(calibrate(motion, live), motion, 'b'))).toBe(clip);
      expect(result(motion, live)).toBe(clean);
      spoil(live, change);
      expect(fingerprint(retargetClip(calibration, motion, 'b'))).toBe(clip);
    }
  });

  test('after both files were changed beyond recognition: a calibration has all it needs', () => {
    const [from, to] = [structuredClone(motion), structuredClone(target.asset)];
    // The clip leaves most bones where they rest.
    const few = from.clips[0]!.tracks.filter(({ bone }) => bone % 3 === 0);
    from.clips[0]!.tracks = few;
    const calibration = calibrate(from, to);
    const clean = fingerprint([calibration, retargetClip(calibration, from, 0)]);
    for (const { skeleton, skins } of [from, to]) {
      skeleton.translations.fill(7);
      for (let bone = 0; bone < skeleton.count; bone++) {
        const turn = qmul(quatAt(skeleton.rotations, bone), axisAngle([1, bone, 2], 1));
        skeleton.rotations.set(turn, 4 * bone);
      }
      skeleton.scales.fill(2);
      for (const { inverseBinds } of skins) inverseBinds.fill(0);
    }
    expect(fingerprint([calibration, retargetClip(calibration, from, 0)])).toBe(clean);
  });

  test('whatever a solve finds in the pose it writes to', () => {
    const calibration = calibrate(motion, target.asset);
    const used = createRetargetedPose(calibration);
    for (const pose of [...poses, ...poses.toReversed()]) {
      const fresh = createRetargetedPose(calibration);
      retargetPose(calibration, pose, fresh);
      retargetPose(calibration, pose, used);
      expect(fingerprint(used)).toBe(fingerprint(fresh));
    }
  });

  test('whatever became of the pose that was solved before', () => {
    const calibration = calibrate(motion, target.asset);
    const live = copyPose(poses[0]!);
    const out = createRetargetedPose(calibration);
    retargetPose(calibration, live, out);
    const solved = fingerprint(out);
    live.rotations.fill(0.5);
    live.translations.fill(99);
    expect(fingerprint(out)).toBe(solved);
    expect(fingerprint(solve(calibration, poses[0]!))).toBe(fingerprint(copyPose(out)));
  });
});

describe('solves share nothing', () => {
  /** Solves one pose after the other, one step at a time. */
  function* solves(calibration: Calibration, list: readonly LocalPose[]): Generator<string> {
    const out = createRetargetedPose(calibration);
    for (const pose of list) {
      retargetPose(calibration, pose, out);
      yield fingerprint(out);
    }
  }

  test('of one calibration, and of two, one step of each at a time (R3)', () => {
    const other = makeBody({ axes: 83, without: ['upperChest', 'neck'], unit: 100 });
    const [a, b] = [calibrate(motion, target.asset), calibrate(motion, other.asset)];
    const backward = poses.toReversed();
    const alone = [[...solves(a, poses)], [...solves(a, backward)], [...solves(b, poses)]];
    const rows = [solves(a, poses), solves(a, backward), solves(b, poses)];
    const together: string[][] = [[], [], []];
    for (let k = 0; k < poses.length; k++)
      for (const [i, row] of rows.entries()) together[i]!.push(row.next().value as string);
    expect(together).toEqual(alone);
  });

  test('what is done to one result changes no other and no calibration', () => {
    const calibration = calibrate(motion, target.asset);
    const before = fingerprint(calibration);
    const first = retargetClip(calibration, motion, 'a');
    const clean = fingerprint(first);
    for (const { times, values } of first.tracks) {
      times.fill(-1);
      values.fill(-1);
    }
    const out = createRetargetedPose(calibration);
    for (const list of [out.translations, out.rotations, out.scales, out.sourceWorld, out.turned])
      list.fill(-1);
    expect(fingerprint(calibration)).toBe(before);
    expect(fingerprint(retargetClip(calibration, motion, 'a'))).toBe(clean);
    expect(fingerprint(motion.clips.map(({ tracks }) => tracks))).toBe(
      fingerprint(structuredClone(motion.clips.map(({ tracks }) => tracks))),
    );
  });
});

test('a game that solves and poses a character never moves its calibration (R1)', () => {
  const calibration = calibrate(motion, target.asset);
  const clean = poses.map((pose) => fingerprint(solve(calibration, pose)));
  const world = createWorld({});
  const character = addCharacter(world, target.asset);
  const live = createPose(world, character);
  const out = createRetargetedPose(calibration);
  for (let round = 0; round < 3; round++)
    for (const [i, pose] of poses.entries()) {
      retargetPose(calibration, pose, out);
      expect(fingerprint(copyPose(out))).toBe(clean[i]);
      // The game spins the hips it was given.
      const hips = target.bones['hips']!;
      const spun: Q4 = qmul(axisAngle([0, 1, 0], round + 1), quatAt(out.rotations, hips));
      out.rotations.set(spun, 4 * hips);
      for (const property of ['translations', 'rotations', 'scales'] as const)
        live[property].set(out[property]);
      setPose(world, character, live);
      step(world);
    }
});

test('there and back again is where it was', () => {
  const bodies: TestBody[] = [makeBody({ axes: 84 }), makeBody({ axes: 85, turns: RESTS.N })];
  const there = calibrate(bodies[0]!.asset, bodies[1]!.asset);
  const back = calibrate(bodies[1]!.asset, bodies[0]!.asset);
  for (const seed of [1, 2, 3]) {
    const pose = poseBody(bodies[0]!, randomMoment(seed));
    const again = solve(back, solve(there, pose));
    for (let i = 0; i < pose.rotations.length; i += 4) {
      const sign = Math.sign(
        [0, 1, 2, 3].reduce((sum, k) => sum + pose.rotations[i + k]! * again.rotations[i + k]!, 0),
      );
      for (let k = 0; k < 4; k++)
        expect(sign * again.rotations[i + k]!).toBeCloseTo(pose.rotations[i + k]!, 9);
    }
  }
});
