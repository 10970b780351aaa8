/**
 * What only shows at the edges of the rules: the forearm's share of the turn about the wrist, tips that the target does not
 * have, jumps, bodies whose rest pose hangs at the origin on both sides (docs/retarget.md).
 */
import { expect, test } from 'vitest';
import { axisAngle, qinv, qmul, qrot, type Q4 } from '../../support/referenceMath.js';
import { makeBody, type TestBody } from './bodies.js';
import {
  apartDeg,
  calibrateBodies,
  clipOf,
  direction,
  dist,
  place,
  poseBody,
  rad,
  solve,
  solveMany,
  turnDeg,
  withClips,
  type Moment,
  type Placed,
} from './motion.js';

const rest: Moment = { turns: {}, hips: [0, 0, 0] };

/** How a hand is turned against its forearm. */
const wrist = ({ bones }: TestBody, { turn }: Placed, side: string): Q4 =>
  qmul(qinv(turn[bones[`${side}LowerArm`]!]!), turn[bones[`${side}Hand`]!]!);

test('the forearm takes its part of a turn about the wrist: the skin there is not wrung', () => {
  const source = makeBody({ axes: 91 });
  const rolled = axisAngle([1, 0, 0], rad(60));
  const target = makeBody({ axes: 92, turns: { leftHand: rolled, rightHand: rolled } });
  const still = place(target.asset, target.rest);
  const { to } = solveMany(source, target, { moments: [rest] })[0]!;
  for (const side of ['left', 'right'])
    expect(turnDeg(wrist(target, to, side), wrist(target, still, side))).toBeLessThan(1e-6);
});

test('a last phalanx without a tip is straight at rest, and bends as far as one that has a tip', () => {
  const bend = axisAngle([0, 0, 1], rad(-40));
  const source = makeBody({ axes: 93, turns: { leftIndexDistal: bend } });
  const target = makeBody({ axes: 94, ends: false });
  const still = place(target.asset, target.rest);
  const straight = direction(target, still, 'leftIndexIntermediate', 'leftIndexDistal');
  const bone = target.bones['leftIndexDistal']!;
  for (const { from, to } of solveMany(source, target, { count: 4 })) {
    const turned = qrot(qmul(to.turn[bone]!, qinv(still.turn[bone]!)), straight);
    expect(apartDeg(turned, direction(source, from, 'leftIndexDistal', 'leftIndexEnd'))).toBeLessThan(1e-4);
  }
});

/** Moments of a body whose rest hips are at the origin: hips at a height above it. */
const standing = (height: number): Moment => ({ turns: {}, hips: [0, height, 0] });
const hanging = { offset: [0, -0.95, 0] as [number, number, number] };

test('a jump does not lift the ground', () => {
  const source = makeBody({ axes: 95, ...hanging });
  const target = makeBody({ axes: 96 });
  // Three moments of four are in the air.
  const poses = Array.from({ length: 100 }, (_, i) => poseBody(source, standing(i % 4 === 0 ? 0.95 : 1.5)));
  const asset = withClips(
    source,
    clipOf(
      source,
      poses,
      poses.map((_, i) => i / 99),
    ),
  );
  const calibration = calibrateBodies({ ...source, asset }, target);
  const ankle = (pose: Parameters<typeof solve>[1]): number =>
    place(target.asset, pose).at[target.bones['leftFoot']!]![1];
  expect(ankle(solve(calibration, poses[0]!))).toBeCloseTo(ankle(target.rest), 9);
  expect(ankle(solve(calibration, poses[1]!))).toBeCloseTo(ankle(target.rest) + 0.55, 9);
});

test('a body that hangs at the origin moves itself as it is', () => {
  const source = makeBody({ axes: 97, ...hanging });
  const poses = [0.95, 0.9, 1.2].map((height) => poseBody(source, standing(height)));
  const asset = withClips(source, clipOf(source, poses, [0, 1, 2]));
  const calibration = calibrateBodies({ ...source, asset }, source);
  for (const pose of poses) {
    const [from, to] = [pose, solve(calibration, pose)].map((one) => place(source.asset, one));
    for (const [bone, at] of from!.at.entries()) expect(dist(at, to!.at[bone]!)).toBeLessThan(1e-9);
  }
});
