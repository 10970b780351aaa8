/**
 * Hands: a pointing hand fails first when the turn about the wrist is not matched. Two hands that differ only in how their
 * joints stand at rest must move alike: not only where fingers point, but also how they are rolled about their own length.
 */
import { describe, expect, test } from 'vitest';
import { axisAngle, cross, qrot, type Q4 } from '../../support/referenceMath.js';
import { FINGER_ROLES, makeBody, RESTS, type BodyOptions, type TestBody } from './bodies.js';
import {
  apartDeg,
  direction,
  flesh,
  rad,
  randomMoment,
  solveMany,
  turnBetween,
  turnDeg,
  type Moment,
  type Placed,
} from './motion.js';

const SIDES = ['left', 'right'] as const;

/** Bends of the four long fingers at their three joints, towards the palm. */
const bent = (proximal: number, intermediate: number, distal: number): Record<string, Q4> =>
  Object.fromEntries(
    FINGER_ROLES.filter((role) => !role.includes('Thumb')).map((role) => {
      const bend = role.endsWith('Proximal')
        ? proximal
        : role.endsWith('Intermediate')
          ? intermediate
          : distal;
      return [role, axisAngle([0, 0, 1], rad(role.startsWith('left') ? -bend : bend))];
    }),
  );

/** The index is straight, all others are closed. */
const pointing: Record<string, Q4> = Object.fromEntries(
  Object.entries(bent(80, 95, 50)).filter(([role]) => !role.includes('Index')),
);

/** Wrists turned about the forearm. */
const rolled = (degrees: number): Record<string, Q4> => ({
  leftHand: axisAngle([1, 0, 0], rad(degrees)),
  rightHand: axisAngle([1, 0, 0], rad(degrees)),
});

const palmNormal = (body: TestBody, placed: Placed, side: string): [number, number, number] =>
  cross(
    direction(body, placed, `${side}Hand`, `${side}MiddleProximal`),
    direction(body, placed, `${side}IndexProximal`, `${side}LittleProximal`),
  );

/** Moments in which the body does anything, its hands point. */
const pointed: readonly Moment[] = Array.from({ length: 12 }, (_, seed) => {
  const { turns, hips } = randomMoment(seed);
  const others = Object.entries(turns).filter(([role]) => !FINGER_ROLES.includes(role));
  return { hips, turns: { ...Object.fromEntries(others), ...pointing } };
});

describe('a pointing hand', () => {
  const pairs = [0, 20, 60, -60].flatMap((a) =>
    [0, -30, 30].flatMap((b) => (Math.abs(a - b) <= 60 ? [{ a, b }] : [])),
  );

  test.each(pairs)('points, whose wrist rests at $a degrees, onto one at $b', ({ a, b }) => {
    const source = makeBody({ axes: 41, turns: { ...RESTS.T, ...rolled(a) } });
    const target = makeBody({
      axes: 42,
      turns: { ...RESTS.A, ...rolled(b), ...bent(10, 20, 10) },
      sizes: { hands: 1.3, arms: 0.8 },
      world: axisAngle([0, 1, 0], Math.PI),
    });
    const turn = turnBetween(source, target);
    for (const { from, to } of solveMany(source, target, { moments: pointed }))
      for (const side of SIDES) {
        for (const [bone, next] of [
          ['LowerArm', 'Hand'],
          ['Hand', 'MiddleProximal'],
          ['IndexProximal', 'IndexIntermediate'],
          ['IndexIntermediate', 'IndexDistal'],
          ['IndexDistal', 'IndexEnd'],
          ['MiddleDistal', 'MiddleEnd'],
        ]) {
          const expected = qrot(turn, direction(source, from, side + bone!, side + next!));
          expect(apartDeg(direction(target, to, side + bone!, side + next!), expected)).toBeLessThan(1e-4);
        }
        const normal = qrot(turn, palmNormal(source, from, side));
        expect(apartDeg(palmNormal(target, to, side), normal)).toBeLessThan(1e-4);
      }
  });

  test.each([
    ['without a little finger', /Little/],
    ['with index and middle finger only', /Little|Ring/],
    ['without a middle finger', /Middle/],
  ])('%s keeps the turn about the wrist too', (_, missing) => {
    const source = makeBody({ axes: 43, turns: rolled(40) });
    const target = makeBody({ axes: 44, without: FINGER_ROLES.filter((role) => missing.test(role)) });
    for (const { from, to } of solveMany(source, target, { moments: pointed }))
      for (const side of SIDES)
        expect(turnDeg(flesh(target, to, `${side}Hand`), flesh(source, from, `${side}Hand`))).toBeLessThan(
          1e-4,
        );
  });
});

/** Largest difference of the flesh of hands and fingers, degrees. */
function handsDeg(a: BodyOptions, b: BodyOptions): number {
  const source = makeBody({ axes: 45, ...a });
  const target = makeBody({ axes: 46, ...b });
  const roles = ['leftHand', 'rightHand', ...FINGER_ROLES].filter((role) => target.bones[role] !== undefined);
  return Math.max(
    ...solveMany(source, target).flatMap(({ from, to }) =>
      roles.map((role) => turnDeg(flesh(source, from, role), flesh(target, to, role))),
    ),
  );
}

describe('hands that differ in their rest only move alike, rolls of fingers included', () => {
  test.each<[string, Record<string, Q4>]>([
    ['wrists rolled', rolled(60)],
    ['wrists bent', { leftHand: axisAngle([0, 0, 1], 0.6), rightHand: axisAngle([0, 1, 0], -0.5) }],
    ['elbows bent', { leftLowerArm: axisAngle([0, 1, 0], -1), rightLowerArm: axisAngle([0, 1, 0.3], 1) }],
    ['arms down and wrists rolled', { ...RESTS.N, ...rolled(-45) }],
  ])('%s', (_, turns) => {
    expect(handsDeg({ turns }, {})).toBeLessThan(1e-4);
    expect(handsDeg({}, { turns })).toBeLessThan(1e-4);
  });

  // Fingers lie nearly in the plane of the palm, not quite: what rolls them is known to some degrees only.
  test.each([
    ['slightly bent fingers', bent(15, 20, 10), 10],
    ['half a fist', bent(45, 50, 30), 10],
    ['a fist', bent(80, 95, 50), 10],
    ['fingers bent backward', bent(-15, -5, -5), 10],
  ])('%s', (_, turns, most) => {
    expect(handsDeg({ turns }, {})).toBeLessThan(most);
    expect(handsDeg({}, { turns })).toBeLessThan(most);
  });

  test.each<[string, [number, number, number]]>([
    ['the axis in which they are bent at rest', cross([0.03, -0.01, 0.03], [0.025, -0.002, 0.018])],
    ['the axis that closes them', [-1, 0, 1]],
    ['the axis that spreads them', [0, 1, 0]],
  ])('thumbs that rest bent by 20 degrees about %s, to either side', (_, axis) => {
    const bend = (degrees: number): BodyOptions => ({
      turns: { leftThumbProximal: axisAngle(axis, rad(degrees)) },
    });
    for (const [a, b] of [
      [20, 0],
      [-20, 0],
      [0, 20],
      [20, -20],
    ])
      expect(handsDeg(bend(a!), bend(b!))).toBeLessThan(30);
  });
});

describe('fingers of other numbers of bones', () => {
  const last = FINGER_ROLES.filter((role) => role.endsWith('Distal') && !role.includes('Thumb'));

  test.each(['source', 'target'])('two in the %s: both bones point where the others do', (which) => {
    const few: BodyOptions = { axes: 47, without: last, turns: bent(10, 40, 0) };
    const many: BodyOptions = { axes: 48 };
    const source = makeBody(which === 'source' ? few : many);
    const target = makeBody(which === 'source' ? many : few);
    for (const { from, to } of solveMany(source, target)) {
      for (const [a, b] of [['leftIndexProximal', 'leftIndexIntermediate']] as const)
        expect(apartDeg(direction(source, from, a, b), direction(target, to, a, b))).toBeLessThan(1e-4);
      const end = (body: TestBody): string =>
        body.bones['leftIndexDistal'] === undefined ? 'leftIndexEnd' : 'leftIndexDistal';
      expect(
        apartDeg(
          direction(source, from, 'leftIndexIntermediate', end(source)),
          direction(target, to, 'leftIndexIntermediate', end(target)),
        ),
      ).toBeLessThan(1e-4);
    }
  });

  test('the last bone without an end helper goes on where the bone before came from', () => {
    const source = makeBody({ axes: 49 });
    const target = makeBody({ axes: 50, turns: bent(5, 30, 0), ends: false });
    for (const { from, to } of solveMany(source, target))
      for (const role of ['leftIndexDistal', 'rightLittleDistal'])
        expect(turnDeg(flesh(source, from, role), flesh(target, to, role))).toBeLessThan(8);
  });
});
