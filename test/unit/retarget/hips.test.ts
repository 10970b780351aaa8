/**
 * Where the hips go: displacements are scaled by the length of the legs, feet that the source plants stand as high as the
 * target's do at rest, whatever the rest poses, units and origins; and bones that hang from elsewhere follow their limb.
 */
import { describe, expect, test } from 'vitest';
import { calibrate } from '../../../src/retarget/calibrate.js';
import { retargetClip } from '../../../src/retarget/retargetClip.js';
import { add, axisAngle, mul, qrot, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import { makeBody, RESTS, type BodyOptions, type TestBody } from './bodies.js';
import {
  calibrateBodies,
  clipOf,
  dist,
  place,
  poseBody,
  poseOfKey,
  randomMoment,
  solve,
  solveMany,
  vecAt,
  withClips,
  type Moment,
} from './motion.js';

const facingBack = axisAngle([0, 1, 0], Math.PI);
const zUp = axisAngle([1, 0, 0], Math.PI / 2);
const spread: Record<string, Q4> = {
  leftUpperLeg: axisAngle([0, 0, 1], 0.35),
  rightUpperLeg: axisAngle([0, 0, 1], -0.35),
};

/** Height of the ankles, the lower of the two, metres. */
function ankleHeight(body: TestBody, at: readonly V3[]): number {
  const up = qrot(body.world, [0, 1, 0]);
  const heights = ['leftFoot', 'rightFoot'].map((role) => {
    const foot = at[body.bones[role]!]!;
    return (foot[0] * up[0] + foot[1] * up[1] + foot[2] * up[2]) / body.unit;
  });
  return Math.min(...heights);
}

/** Hips sink, turn and go about while the ankles stay at a height. */
function crouches(body: TestBody, ankles: number): Moment[] {
  // As many as the library looks at, so that it sees no moment between two keys.
  const count = 100;
  return Array.from({ length: count }, (_, i): Moment => {
    const bend = 0.9 * Math.sin((i / count) * 6) ** 2;
    const turns = {
      hips: axisAngle([0, 1, 0], i / 20),
      leftUpperLeg: axisAngle([1, 0, 0], -bend),
      rightUpperLeg: axisAngle([1, 0, 0], -bend),
      leftLowerLeg: axisAngle([1, 0, 0], 1.8 * bend),
      rightLowerLeg: axisAngle([1, 0, 0], 1.8 * bend),
    };
    const moment: Moment = { turns, hips: [Math.sin(i / 30), 0, i / 40] };
    const floating = ankleHeight(body, place(body.asset, poseBody(body, moment)).at);
    return { turns, hips: add(moment.hips, [0, ankles - floating, 0]) };
  });
}

const TARGETS: readonly [string, BodyOptions][] = [
  ['the same', {}],
  ['longer legs', { sizes: { legs: 1.3 } }],
  ['a child', { sizes: { all: 0.55 } }],
  ['centimetres', { unit: 100, sizes: { legs: 0.9, trunk: 1.3 } }],
  ['facing -Z', { world: facingBack }],
  ['Z up below a scaled armature', { world: zUp, saved: 3, roots: [{ name: 'Armature', s: 0.01, r: zUp }] }],
  ['spread legs', { turns: spread }],
  ['arms down', { turns: RESTS.N }],
  ['away from the origin', { offset: [3, 0, -4] }],
  ['on a hill', { offset: [0, 0.1, 0] }],
  [
    'shadowed by bones far below',
    {
      roots: [
        { name: 'Camera', t: [0, -5, 0] },
        { name: 'Rig', t: [2, 5, 0] },
      ],
    },
  ],
];

describe('displacements', () => {
  test.each(TARGETS)('%s: scaled by the legs, in the axes of the target', (_, options) => {
    const source = makeBody({ axes: 51 });
    const target = makeBody({ axes: 52, ...options });
    const legs = options.sizes?.legs ?? options.sizes?.all ?? 1;
    const moments: Moment[] = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 0.5, 0],
      [0, -0.3, 2],
    ].map(([x, y, z]) => ({ turns: {}, hips: [x!, y!, z!] }));
    const solved = solveMany(source, target, { moments });
    const hips = solved.map(({ to }) => to.at[target.bones['hips']!]!);
    for (const [i, { hips: moved }] of moments.entries()) {
      const expected = mul(qrot(target.world, moved), legs * target.unit);
      expect(dist(sub(hips[i]!, hips[0]!), expected) / target.unit).toBeLessThan(1e-9);
    }
  });

  test.each(TARGETS)('%s as a source moves the plain body as the plain body does', (_, options) => {
    const source = makeBody({ axes: 53, ...options });
    const target = makeBody({ axes: 54 });
    const legs = options.sizes?.legs ?? options.sizes?.all ?? 1;
    const moments: Moment[] = [
      { turns: {}, hips: [0, 0, 0] },
      { turns: {}, hips: [legs, -legs / 2, 2 * legs] },
    ];
    const [from, to] = solveMany(source, target, { moments }).map((one) => one.to.at[target.bones['hips']!]!);
    expect(dist(sub(to!, from!), [1, -0.5, 2])).toBeLessThan(1e-9);
  });

  test('bones that move nothing of the body do not say where the ground is', () => {
    const rest = { turns: {}, hips: [0, 0, 0] as V3 };
    for (const depth of [-0.5, -5, -500]) {
      const roots = [
        { name: 'Light', t: [0, depth, 0] as V3 },
        { name: 'Rig', t: [0, -depth, 0] as V3 },
      ];
      const body = makeBody({ axes: 55, roots });
      for (const [source, target] of [
        [body, body],
        [makeBody({}), body],
        [body, makeBody({})],
      ] as const) {
        const { to } = solveMany(source, target, { moments: [rest] })[0]!;
        const still = place(target.asset, target.rest);
        expect(dist(to.at[target.bones['hips']!]!, still.at[target.bones['hips']!]!)).toBeLessThan(1e-9);
      }
    }
  });

  test('hips at the height of the feet say nothing, which is an error', () => {
    const legs = ['left', 'right'].flatMap((side) =>
      ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].map((part) => side + part),
    );
    const bust = makeBody({ without: legs });
    expect(() => calibrate(bust.asset, makeBody({}).asset)).toThrow(
      expect.objectContaining({ name: 'FollowthroughError', code: 'invalid-argument' }),
    );
  });
});

describe('planted feet', () => {
  const sources: [string, BodyOptions][] = [
    ['a plain source', {}],
    ['a source with spread legs', { turns: spread }],
    ['a source away from the origin', { offset: [-2, 0, 5] }],
    ['a source whose hips rest at the origin', { offset: [0, -0.95, 0] }],
  ];
  const pairs = sources.flatMap(([what, from]) => TARGETS.map(([onto, to]) => ({ what, onto, from, to })));

  test.each(pairs)('$what onto $onto', ({ from, to }) => {
    const source = makeBody({ axes: 56, ...from });
    const target = makeBody({ axes: 57, ...to });
    // Where the rest pose stands on nothing, the ground is at zero.
    const ankles = from.offset?.[1] ? 0.08 : ankleHeight(source, place(source.asset, source.rest).at);
    const poses = crouches(source, ankles).map((moment) => poseBody(source, moment));
    const asset = withClips(
      source,
      clipOf(
        source,
        poses,
        poses.map((_, i) => i / 99),
      ),
    );
    const calibration = calibrate(asset, target.asset);
    const rest = ankleHeight(target, place(target.asset, target.rest).at);
    for (const pose of poses.filter((_, i) => i % 9 === 0)) {
      const { at } = place(target.asset, solve(calibration, pose));
      expect(ankleHeight(target, at)).toBeCloseTo(rest, 6);
    }
  });

  test('frames that say nothing of the height leave the target where it stands', () => {
    const source = makeBody({ axes: 56, offset: [0, -0.95, 0] });
    const pose = poseBody(source, { turns: { hips: axisAngle([0, 1, 0], 1) }, hips: [0, 0, 0] });
    const clip = clipOf(source, [source.rest, pose], [0, 1]);
    expect(clip.tracks.map(({ path }) => path)).toEqual(['rotation']);
    const target = makeBody({ axes: 57, sizes: { all: 0.6 } });
    const calibration = calibrate(withClips(source, clip), target.asset);
    const { at } = place(target.asset, solve(calibration, pose));
    expect(
      dist(at[target.bones['hips']!]!, place(target.asset, target.rest).at[target.bones['hips']!]!),
    ).toBeLessThan(1e-9);
  });

  test('a clip that only turns the hips (R8) keeps them where they are', () => {
    const source = makeBody({ axes: 58 });
    const target = makeBody({ axes: 59, unit: 100, world: facingBack });
    const poses = [0, 1, 2].map((i) =>
      poseBody(source, { turns: { hips: axisAngle([0.2, 1, 0], i) }, hips: [0, 0, 0] }),
    );
    const asset = withClips(source, clipOf(source, poses, [0, 0.5, 1]));
    const clip = retargetClip(calibrate(asset, target.asset), asset, 0);
    const hips = vecAt(target.rest.translations, target.bones['hips']!);
    for (const { path, values } of clip.tracks)
      if (path === 'translation')
        for (const key of [0, 1, 2]) expect(dist(vecAt(values, key), hips) / 100).toBeLessThan(1e-9);
  });
});

describe('bones that hang from elsewhere', () => {
  const rig = { name: 'root', t: [0, 0.3, 0] as V3, s: 0.1, r: axisAngle([1, 2, 3], 1) };

  test.each([
    [['leftFoot', 'rightFoot']],
    [['leftFoot', 'leftLowerLeg']],
    [['leftToes', 'leftFoot', 'leftLowerLeg', 'leftUpperLeg']],
    [['leftHand', 'rightLowerArm']],
    [['leftShoulder']],
    [['spine']],
    [['head', 'neck']],
    [['leftIndexProximal', 'rightThumbMetacarpal']],
  ])('%s follow, in whatever order they stand', (detached) => {
    const source = makeBody({ axes: 61 });
    const options: BodyOptions = { axes: 62, roots: [rig], unit: 100 };
    const whole = makeBody(options);
    const torn = makeBody({ ...options, detached });
    for (const seed of [1, 2, 3, 4]) {
      const pose = poseBody(source, randomMoment(seed));
      const expected = place(whole.asset, solve(calibrateBodies(source, whole), pose)).at;
      const { at } = place(torn.asset, solve(calibrateBodies(source, torn), pose));
      for (const role of torn.roles)
        expect([role, dist(at[torn.bones[role]!]!, expected[whole.bones[role]!]!) / 100]).toEqual([
          role,
          expect.closeTo(0, 6),
        ]);
    }
  });

  test('their places are in the clip', () => {
    const source = makeBody({ axes: 63 });
    const target = makeBody({ axes: 64, roots: [rig], detached: ['rightFoot', 'leftFoot'] });
    const poses = [1, 2].map((seed) => poseBody(source, randomMoment(seed)));
    const asset = withClips(source, clipOf(source, poses, [0, 1]));
    const calibration = calibrate(asset, target.asset);
    const clip = retargetClip(calibration, asset, 0);
    const moved = clip.tracks.filter(({ path }) => path === 'translation').map(({ bone }) => bone);
    const { hips, leftFoot, rightFoot } = target.bones;
    expect(moved.toSorted((a, b) => a - b)).toEqual([hips!, leftFoot!, rightFoot!].toSorted((a, b) => a - b));
    for (const key of [0, 1]) {
      const { at } = place(target.asset, poseOfKey(target, clip, key));
      const solved = place(target.asset, solve(calibration, poses[key]!));
      for (const bone of at.keys()) expect(dist(at[bone]!, solved.at[bone]!)).toBeLessThan(1e-9);
    }
  });
});

test('a rest pose that sits is replaced by the moment in which the body stands', () => {
  const sitting: Record<string, Q4> = Object.fromEntries(
    ['left', 'right'].flatMap((side) => [
      [`${side}UpperLeg`, axisAngle([1, 0, 0], -1.6)],
      [`${side}LowerLeg`, axisAngle([1, 0, 0], 0.1)],
    ]),
  );
  const source = makeBody({ axes: 65, turns: sitting });
  const target = makeBody({ axes: 66 });
  const poses = [
    { turns: sitting, hips: [0, 0, 0] as V3 },
    { turns: {}, hips: [0, 0, 0] as V3 },
  ].map((moment) => poseBody(source, moment));
  const asset = withClips(source, clipOf(source, poses, [0, 1]));
  const calibration = calibrate(asset, target.asset);
  expect(calibration.warnings.map(({ code }) => code)).toContain('rest-implausible');
  const standing = place(target.asset, solve(calibration, poses[1]!));
  const rest = place(target.asset, target.rest);
  for (const role of target.roles)
    expect(dist(standing.at[target.bones[role]!]!, rest.at[target.bones[role]!]!)).toBeLessThan(1e-6);
});
