/**
 * Small cases in which one contact is not all: a capsule met along its axis, two shapes at once, more than can be left,
 * many. The rules are those of docs/solver.md, "Contact" and "Colliders": the nearest free direction, else the least
 * depth; motion into a surface stops; the order of colliders changes no bit.
 */
import { describe, expect, it } from 'vitest';
import { addCollider, type ColliderShape, step } from '../../../src/index.js';
import { down, makeScene, makeTail, motionBits, plain, tipOf, velocitiesOf } from '../../support/chains.js';
import { type FuzzCase, judge, solve } from '../../support/contactFuzz.js';
import { depthAlong, type Felt, leastDepth, type Link, linkGap } from '../../support/contactGaps.js';
import { add, angleBetween, len, mul, seeded, sub, unit, type V3 } from '../../support/referenceMath.js';

const sphere = (offset: V3, radius: number, inside = false): ColliderShape => ({
  kind: 'sphere',
  offset,
  radius,
  inside,
});
const capsule = (
  offset: V3,
  tail: V3,
  radius: number,
  tailRadius: number,
  inside = false,
): ColliderShape => ({
  kind: 'capsule',
  offset,
  tail,
  radius,
  tailRadius,
  inside,
});
const head: V3 = [0, 1, 0];

/** Found by the fuzz: caps of one capsule that are nearly the same, so that where their rims meet is ill conditioned. */
const throughAxis: [string, FuzzCase][] = [
  [
    'with another shape far to the side',
    {
      link: {
        head: [0.888575721727667, 0.19288617990913087, -0.20083711057576045],
        length: 0.05,
        radius: 0,
      },
      candidate: [-0.9540990259839225, -0.13170940582336893, 0.268975242418676],
      shapes: [
        capsule(
          [0.8535377568780158, 0.18824472627845157, -0.16648212671002782],
          [0.8417050629178768, 0.18752352397599162, -0.19554003386523827],
          0.004881827238224504,
          0.002943057951444714,
        ),
        capsule(
          [0.9097325552107286, 0.21353644904074168, -0.139940677609042],
          [0.909264484952382, 0.21217668391577746, -0.13471440281931307],
          0.0031131750721768163,
          0.025561292570377165,
        ),
      ],
    },
  ],
  [
    'alone',
    {
      link: {
        head: [-0.682077833960096, -0.6090908836978206, -1.6956978092048378],
        length: 0.05,
        radius: 0,
      },
      candidate: [-0.39463502208278883, 0.5678476591612379, -0.722365721314916],
      shapes: [
        capsule(
          [-0.6969938393704894, -0.5869091029110267, -1.723978808585743],
          [-0.7809422603334436, -0.5646365885937663, -1.7697118453897118],
          0.0015824398730736938,
          0.020962859742283957,
        ),
      ],
    },
  ],
];

describe('a candidate straight through the axis of a capsule', () => {
  it.each(throughAxis)('leaves right beside it: %s', (_, one) => {
    const found = solve(one);
    const { depth, nearerRad } = judge(one, found, 2000);
    expect(depth).toBeLessThan(1e-6);
    expect(nearerRad).toBe(0);
    expect(angleBetween(found, one.candidate)).toBeLessThan(0.06);
  });
});

/** A link of 20 cm that falls among shapes. */
function falling(shapes: readonly ColliderShape[], direction: V3): ReturnType<typeof makeScene> {
  const scene = makeScene(makeTail({ links: 1, length: 0.2, hips: head, direction }), {
    ...plain,
    frequency: 0.5,
    damping: 0.3,
    gravity: 9.8,
    limit: Infinity,
    coupling: 0,
    radius: 0.01,
  });
  for (const shape of shapes) addCollider(scene.world, { shape });
  return scene;
}

const corner = [
  sphere([-0.00910073198253565, 0.9263423982563253, 0.12436235786753519], 0.03783320262562483),
  sphere([-0.14611054399383952, 0.8360414979607107, 0.054371], 0.12095910999458284),
];
const intoCorner: V3 = [-0.7671347689104582, -0.3387038266319642, 0.544778821315185];

describe('a link that touches two shapes at once', () => {
  it('has no velocity into either', () => {
    const random = seeded(3);
    const direction = (): V3 => unit([2 * random() - 1, 2 * random() - 1, 2 * random() - 1]);
    const pairs = [
      corner,
      ...Array.from({ length: 400 }, () =>
        [0, 1].map(() => sphere(add(head, mul(direction(), 0.1 + 0.2 * random())), 0.03 + 0.1 * random())),
      ),
    ];
    let both = 0;
    pairs.forEach((shapes, n) => {
      const scene = falling(shapes, n === 0 ? intoCorner : direction());
      for (let k = 0; k < 120; k++) {
        step(scene.world);
        const tip = tipOf(scene);
        const gaps = shapes.map((shape) => linkGap(shape, head, tip, 0.01, false));
        if (gaps.some((gap) => Math.abs(gap) > 1e-9)) continue;
        both++;
        // A moment later the link is no deeper than by what turning it straight on makes of second order.
        const moment = 1e-6;
        const later = add(head, mul(unit(sub(add(tip, mul(velocitiesOf(scene)[0]!, moment)), head)), 0.2));
        for (const shape of shapes)
          expect(linkGap(shape, head, later, 0.01, false)).toBeGreaterThan(-1e-4 * moment - 1e-9);
      }
    });
    expect(both).toBeGreaterThan(20);
  });

  it.each<[string, ColliderShape[], V3]>([
    ['falls into a corner', corner, intoCorner],
    [
      'hangs into two balls alike, that it has to leave to one side',
      [sphere([-0.1, 0.8, 0], 0.1), sphere([0.1, 0.8, 0], 0.1)],
      down,
    ],
    [
      'stands on two planes alike',
      [
        { kind: 'plane', offset: [0, 0.85, 0], normal: [1, 1, 0] },
        { kind: 'plane', offset: [0, 0.85, 0], normal: [-1, 1, 0] },
      ],
      down,
    ],
  ])('and %s: the order of both changes no bit', (_, shapes, direction) => {
    const scenes = [shapes, shapes.toReversed()].map((order) => falling(order, direction));
    for (let k = 0; k < 240; k++) {
      for (const scene of scenes) step(scene.world);
      expect(motionBits(scenes[1]!.world) === motionBits(scenes[0]!.world), `tick ${k}`).toBe(true);
    }
  });
});

describe('a link that cannot be free', () => {
  it.each<[string, ColliderShape[]]>([
    ['of two balls that hold its head', [sphere([0.05, 1.02, 0], 0.3), sphere([-0.06, 0.99, 0.02], 0.32)]],
    [
      'between two planes',
      [
        { kind: 'plane', offset: [0, 1.05, 0], normal: [0.3, 1, 0] },
        { kind: 'plane', offset: [0, 0.95, 0], normal: [0.2, -1, 0.1] },
      ],
    ],
    [
      'in a ball with a plane before the way out',
      [sphere([0, 1.02, 0.05], 0.3), { kind: 'plane', offset: [0, 0.95, 0], normal: [0.2, 1, 0.4] }],
    ],
  ])('%s: its tip is as little deep as can be', (_, shapes) => {
    const scene = makeScene(makeTail({ links: 1, length: 0.2, hips: head, direction: down }), {
      ...plain,
      contactPart: 'tip',
      limit: Infinity,
      radius: 0.01,
    });
    for (const shape of shapes) addCollider(scene.world, { shape });
    step(scene.world);
    const link: Link = { head, length: 0.2, radius: 0.01 };
    const felt = shapes.map((shape): Felt => ({ shape, tipOnly: true }));
    const { depth: least } = leastDepth(link, felt, [down]);
    expect(least).toBeGreaterThan(0.001);
    expect(depthAlong(link, felt, unit(sub(tipOf(scene), head)))).toBeLessThan(least + 1e-6);
  });
});

describe('a capsule that keeps a link inside', () => {
  it('longer than the capsule is wide: the tip turns to where there is room', () => {
    const shape = capsule([0, 1.05, 0], [0, 0.55, 0], 0.15, 0.15, true);
    for (const direction of [down, [0, 1, 0], [1, 0, 0], [0.2, 0.9, -0.3]] as V3[]) {
      const link: Link = { head, length: 0.3, radius: 0.01 };
      const tip = add(head, mul(solve({ link, candidate: unit(direction), shapes: [shape] }), 0.3));
      expect(linkGap(shape, head, tip, 0.01, false), String(direction)).toBeGreaterThan(-1e-6);
    }
  });
});

describe('many colliders within reach', () => {
  it('none is left out', () => {
    const random = seeded(12);
    const point = (): V3 =>
      mul(unit([2 * random() - 1, 2 * random() - 1, 2 * random() - 1]), 0.12 + 0.1 * random());
    let touched = 0;
    for (let n = 0; n < 60; n++) {
      const shapes = Array.from({ length: 40 }, () => sphere(point(), 0.01 + 0.02 * random()));
      const link: Link = { head: [0, 0, 0], length: 0.2, radius: 0.005 };
      // Into the last of them.
      const last = shapes.at(-1)!;
      const one = { link, candidate: unit([...last.offset] as V3), shapes };
      const found = solve(one);
      const { depth, least } = judge(one, found, 200);
      if (angleBetween(found, one.candidate) > 1e-6) touched++;
      expect(len(found)).toBeCloseTo(1, 12);
      expect(least === undefined ? depth : depth - least).toBeLessThan(1e-6);
    }
    expect(touched).toBe(60);
  });
});
