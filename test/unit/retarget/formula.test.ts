/**
 * The retargeting formula against what must come out: identities, the formula of the VRM specification written naively
 * (`how_to_transform_human_pose.md`), the same motion on bodies that differ in rest, axes, unit, facing and bones between.
 * A body's flesh (`bodies.ts`) says how it stands, whatever its bones are like.
 */
import { describe, expect, test } from 'vitest';
import { axisAngle, identity, mul, qinv, qmul, qrot, type Q4 } from '../../support/referenceMath.js';
import { FINGER_ROLES, makeBody, RESTS, type BodyOptions, type TestBody } from './bodies.js';
import {
  apartDeg,
  calibrateBodies,
  direction,
  dist,
  flesh,
  place,
  poseBody,
  quatAt,
  randomMoment,
  solve,
  solveMany,
  turnBetween,
  turnDeg,
  vecAt,
} from './motion.js';

const facingBack = axisAngle([0, 1, 0], Math.PI);
const facingLeft = axisAngle([0, 1, 0], Math.PI / 2);
const zUp = axisAngle([1, 0, 0], Math.PI / 2);
const tilted = qmul(axisAngle([0, 1, 0], 0.3), axisAngle([1, 0, 0], -1.2));

/** Bodies that are alike in the flesh of a T, and unlike in everything else. */
const VARIANTS: readonly [string, BodyOptions][] = [
  ['plain', {}],
  ['other axes', { axes: 11 }],
  ['in centimetres', { axes: 12, unit: 100 }],
  ['a hundredth', { unit: 0.01 }],
  ['facing -Z', { axes: 13, world: facingBack }],
  ['facing +X', { world: facingLeft }],
  ['Z up', { axes: 14, world: zUp }],
  ['Z up, facing +Y', { axes: 15, world: qmul(zUp, facingBack) }],
  [
    'a scaled, turned armature',
    { axes: 16, roots: [{ name: 'Armature', t: [1, 0.2, 3], r: tilted, s: 0.01 }] },
  ],
  [
    'two static roots, in centimetres',
    {
      axes: 17,
      unit: 100,
      roots: [
        { name: 'Scene', r: zUp, s: 100 },
        { name: 'Rig', t: [5, 1, 0], r: tilted },
      ],
    },
  ],
  [
    'bones in between that stand still',
    { axes: 18, between: { spine: ['a'], head: ['b', 'c'], leftLowerArm: ['d'], rightFoot: ['e'] } },
  ],
  ['arms down in the rest pose', { axes: 19, turns: RESTS.N }],
  [
    'saved in another pose than its skin was bound to',
    { axes: 20, saved: 7, roots: [{ name: 'Armature', s: 0.01, r: tilted }] },
  ],
];

/** Largest difference of flesh over the bones that both have, degrees. */
function fleshDeg(source: TestBody, target: TestBody, solved: ReturnType<typeof solveMany>): number {
  const shared = source.roles.filter((role) => target.bones[role] !== undefined);
  return Math.max(
    ...solved.flatMap(({ from, to }) =>
      shared.map((role) => turnDeg(flesh(source, from, role), flesh(target, to, role))),
    ),
  );
}

describe('the same skeleton on both sides', () => {
  test.each(VARIANTS)('%s: every pose stays what it is', (_, options) => {
    const body = makeBody({
      ...options,
      turns: { ...options.turns, spine: axisAngle([1, 0, 1], 0.4), leftHand: axisAngle([1, 1, 0], 0.5) },
    });
    for (const { pose, solved } of solveMany(body, body)) {
      for (const bone of body.keys.keys()) {
        expect(turnDeg(quatAt(solved.rotations, bone), quatAt(pose.rotations, bone))).toBeLessThan(1e-6);
        const size = Math.max(1, Math.hypot(...vecAt(pose.translations, bone)));
        expect(dist(vecAt(solved.translations, bone), vecAt(pose.translations, bone)) / size).toBeLessThan(
          1e-6,
        );
      }
      expect(solved.scales).toEqual(pose.scales);
    }
  });
});

describe('bodies that are alike but for what means nothing', () => {
  const plain = makeBody({ axes: 1 });

  test.each(VARIANTS)('%s, as source and as target', (_, options) => {
    const body = makeBody(options);
    expect(fleshDeg(body, plain, solveMany(body, plain))).toBeLessThan(1e-5);
    const onto = solveMany(plain, body);
    expect(fleshDeg(plain, body, onto)).toBeLessThan(1e-5);
    // Places too, in the unit and the axes of the target.
    for (const { from, to } of onto)
      for (const role of plain.roles) {
        const at = mul(qrot(body.world, from.at[plain.bones[role]!]!), body.unit);
        expect(dist(to.at[body.bones[role]!]!, at) / body.unit).toBeLessThan(1e-6);
      }
  });

  test('every bone but the hips keeps its place beside its parent, to the bit', () => {
    const target = makeBody({ axes: 2, sizes: { arms: 1.2, legs: 0.8 } });
    for (const { solved } of solveMany(plain, target))
      for (const bone of target.keys.keys())
        if (bone !== target.bones['hips'])
          expect(vecAt(solved.translations, bone)).toEqual(vecAt(target.rest.translations, bone));
  });

  /** The formula of the specification for one bone; all arguments are rotations at rest but the last. */
  function specified(parent: Q4, local: Q4, targetParent: Q4, targetLocal: Q4, pose: Q4): Q4 {
    const world = qmul(parent, local);
    const normal = qmul(qmul(qmul(world, qinv(local)), pose), qinv(world));
    const targetWorld = qmul(targetParent, targetLocal);
    return qmul(qmul(qmul(targetLocal, qinv(targetWorld)), normal), targetWorld);
  }

  function specifiedPose(source: TestBody, target: TestBody, rotations: ArrayLike<number>): Map<string, Q4> {
    const from = place(source.asset, source.rest).turn;
    const to = place(target.asset, target.rest).turn;
    return new Map(
      target.roles.flatMap((role): [string, Q4][] => {
        const [a, b] = [source.bones[role], target.bones[role]!];
        if (a === undefined) return [];
        const above = (parents: Int32Array, turns: Q4[], bone: number): Q4 =>
          turns[parents[bone]!] ?? identity;
        return [
          [
            role,
            specified(
              above(source.asset.skeleton.parents, from, a),
              quatAt(source.rest.rotations, a),
              above(target.asset.skeleton.parents, to, b),
              quatAt(target.rest.rotations, b),
              quatAt(rotations, a),
            ),
          ],
        ];
      }),
    );
  }

  test('with every bone mapped it is the formula of the VRM specification', () => {
    const target = makeBody({ axes: 2 });
    for (const { pose, solved } of solveMany(plain, target, { most: 3 }))
      for (const [role, expected] of specifiedPose(plain, target, pose.rotations))
        expect(turnDeg(quatAt(solved.rotations, target.bones[role]!), expected)).toBeLessThan(1e-5);
  });

  test.each<[string, BodyOptions, BodyOptions, string]>([
    [
      'an upper chest that the target has not',
      { axes: 3 },
      { axes: 4, without: ['upperChest'] },
      'leftUpperArm',
    ],
    ['a neck that the target has not', { axes: 3 }, { axes: 4, without: ['neck'] }, 'head'],
    [
      'bones that nothing is mapped to',
      { axes: 3, between: { leftLowerLeg: ['roll'], chest: ['belly'] } },
      { axes: 4 },
      'leftFoot',
    ],
  ])(
    '%s: what hangs below moves as in the source, where the specification is far off',
    (_, from, to, witness) => {
      const source = makeBody(from);
      const target = makeBody(to);
      const moments = Array.from({ length: 8 }, (_unused, seed) => {
        const { turns, hips } = randomMoment(seed);
        const still = axisAngle([0.3, 1, -0.4], 1.2);
        return { hips, turns: { ...turns, upperChest: still, neck: still, roll: still, belly: still } };
      });
      const solved = solveMany(source, target, { moments });
      expect(fleshDeg(source, target, solved)).toBeLessThan(1e-5);
      let most = 0;
      for (const one of solved) {
        const pose = { ...target.rest, rotations: one.solved.rotations.slice() };
        for (const [role, rotation] of specifiedPose(source, target, one.pose.rotations))
          pose.rotations.set(rotation, 4 * target.bones[role]!);
        const placed = place(target.asset, pose);
        most = Math.max(most, turnDeg(flesh(source, one.from, witness), flesh(target, placed, witness)));
      }
      expect(most).toBeGreaterThan(30);
    },
  );

  test('a root that moves and turns in the source is counted in', () => {
    const source = makeBody({ axes: 5, between: { hips: ['motion'] } });
    const moment = {
      turns: { motion: axisAngle([0, 1, 0], 2), hips: axisAngle([1, 0, 0], 0.3) },
      hips: [0, 0, 0] as [number, number, number],
    };
    const pose = poseBody(source, moment);
    const root = source.keys.indexOf('motion');
    pose.translations.set([3, 0.1, -2], 3 * root);
    const from = place(source.asset, pose);
    const solved = solve(calibrateBodies(source, plain), pose);
    const to = place(plain.asset, solved);
    expect(fleshDeg(source, plain, [{ from, to, pose, solved }])).toBeLessThan(1e-5);
    expect(dist(from.at[source.bones['hips']!]!, to.at[plain.bones['hips']!]!)).toBeLessThan(1e-9);
  });
});

/** A bone of a limb and the next. */
const LIMBS: readonly [string, string][] = ['left', 'right'].flatMap((side) =>
  [
    ['UpperArm', 'LowerArm'],
    ['LowerArm', 'Hand'],
    ['UpperLeg', 'LowerLeg'],
    ['LowerLeg', 'Foot'],
    ['Hand', 'MiddleProximal'],
    ['IndexProximal', 'IndexIntermediate'],
    ['IndexIntermediate', 'IndexDistal'],
    ['IndexDistal', 'IndexEnd'],
    ['LittleIntermediate', 'LittleDistal'],
    ['ThumbMetacarpal', 'ThumbProximal'],
    ['ThumbProximal', 'ThumbDistal'],
    ['ThumbDistal', 'ThumbEnd'],
  ].map(([from, to]): [string, string] => [side + from!, side + to!]),
);

function limbsDeg(source: TestBody, target: TestBody, solved: ReturnType<typeof solveMany>): number {
  const turn = turnBetween(source, target);
  return Math.max(
    ...solved.flatMap(({ from, to }) =>
      LIMBS.map(([a, b]) => apartDeg(qrot(turn, direction(source, from, a, b)), direction(target, to, a, b))),
    ),
  );
}

describe('limbs point where the source points', () => {
  const bent: Record<string, Q4> = {
    leftLowerArm: axisAngle([0, 1, 0.2], -1),
    rightUpperLeg: axisAngle([1, 0, 0.4], -0.5),
    rightLowerLeg: axisAngle([1, 0, 0], 0.6),
    leftUpperLeg: axisAngle([0, 0, 1], 0.4),
    leftIndexIntermediate: axisAngle([0, 0, 1], -0.7),
    spine: axisAngle([1, 0, 0], 0.2),
    leftShoulder: axisAngle([0, 0, 1], 0.3),
  };
  const rests = Object.entries({ ...RESTS, bent }).flatMap(([from, a]) =>
    Object.entries({ ...RESTS, bent }).map(([to, b]) => ({ from, to, a, b })),
  );

  test.each(rests)('$from onto $to, of other proportions', ({ a, b }) => {
    const source = makeBody({ axes: 21, turns: a });
    const target = makeBody({
      axes: 22,
      turns: b,
      world: facingBack,
      unit: 100,
      sizes: { thigh: 1.3, shin: 0.9, arms: 0.7, trunk: 1.2, hands: 1.5 },
      between: { leftLowerArm: ['twist'], rightUpperLeg: ['roll'] },
    });
    expect(limbsDeg(source, target, solveMany(source, target))).toBeLessThan(1e-4);
  });

  test('arms that were lowered by a plain turn roll no further than that', () => {
    for (const a of Object.values(RESTS))
      for (const b of Object.values(RESTS)) {
        const source = makeBody({ axes: 23, turns: a });
        const target = makeBody({ axes: 24, turns: b });
        expect(fleshDeg(source, target, solveMany(source, target))).toBeLessThan(1e-5);
        // Nor do they without fingers, by which a hand could be told.
        const bare = makeBody({ axes: 25, turns: b, without: FINGER_ROLES });
        expect(fleshDeg(source, bare, solveMany(source, bare))).toBeLessThan(1e-5);
      }
  });

  test('arms opposite to those of the source are turned somehow, never to nothing', () => {
    const source = makeBody({ turns: { leftUpperArm: axisAngle([0, 0, 1], Math.PI) } });
    const target = makeBody({});
    const solved = solveMany(source, target);
    expect(limbsDeg(source, target, solved)).toBeLessThan(1e-4);
    for (const one of solved) expect(one.solved.rotations.every(Number.isFinite)).toBe(true);
  });
});

describe('what keeps its own rest shape', () => {
  const stooped: Record<string, Q4> = {
    spine: axisAngle([1, 0, 0], 0.4),
    neck: axisAngle([1, 0, 0.3], -0.3),
    head: axisAngle([1, 0, 0], 0.2),
    leftShoulder: axisAngle([0, 0, 1], -0.4),
    leftFoot: axisAngle([1, 0, 0], 0.5),
    rightToes: axisAngle([1, 0, 0], -0.3),
  };
  const DELTA = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'].concat(
    ['left', 'right'].flatMap((side) => [`${side}Shoulder`, `${side}Foot`, `${side}Toes`]),
  );

  test('trunk, shoulders and feet stand as at rest while the source does, and turn as far as the source', () => {
    const source = makeBody({ axes: 31, turns: RESTS.T });
    const target = makeBody({ axes: 32, turns: { ...stooped, ...RESTS.A } });
    const rest = place(target.asset, target.rest);
    const still = place(target.asset, solve(calibrateBodies(source, target), source.rest));
    for (const role of DELTA)
      expect(turnDeg(flesh(target, still, role), flesh(target, rest, role))).toBeLessThan(1e-5);
    for (const { from, to } of solveMany(source, target))
      for (const role of DELTA) {
        const expected = qmul(flesh(source, from, role), flesh(target, rest, role));
        expect(turnDeg(flesh(target, to, role), expected)).toBeLessThan(1e-5);
      }
  });

  test('modes choose otherwise: an arm that keeps its shape', () => {
    const source = makeBody({ axes: 33 });
    const target = makeBody({ axes: 34, turns: { ...stooped, ...RESTS.A } });
    const rest = place(target.asset, target.rest);
    const modes = { leftUpperArm: 'delta', leftLowerArm: 'delta', leftHand: 'delta' } as const;
    const still = place(target.asset, solve(calibrateBodies(source, target, { modes }), source.rest));
    for (const role of Object.keys(modes))
      expect(turnDeg(flesh(target, still, role), flesh(target, rest, role))).toBeLessThan(1e-5);
  });

  test.each([
    ['spine', 'chest'],
    ['chest', 'upperChest'],
    ['neck', 'head'],
    ['leftShoulder', 'leftUpperArm'],
    ['leftFoot', 'leftToes'],
  ])('or a %s that points where that of the source points', (role, next) => {
    const source = makeBody({ axes: 33 });
    const target = makeBody({
      axes: 34,
      turns: { ...stooped, chest: axisAngle([0, 0, 1], 0.3), ...RESTS.A },
    });
    for (const { from, to } of solveMany(source, target, { options: { modes: { [role]: 'match' } } }))
      expect(apartDeg(direction(source, from, role, next), direction(target, to, role, next))).toBeLessThan(
        1e-4,
      );
  });
});
