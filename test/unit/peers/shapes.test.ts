/**
 * Faults that users of other spring-bone systems report, by their K numbers: the shapes of colliders, their size and place.
 * Small inputs and right values are those of the survey of peers; each test names the fault and what is right here.
 */
import { describe, expect, it } from 'vitest';
import { addCollider, setRoot, step, type ChainOptions, type ColliderShape } from '../../../src/index.js';
import {
  degrees,
  directionsOf,
  jointsOf,
  lengthFault,
  makeScene,
  makeTail,
  plain,
  run,
  tipOf,
  tipsOf,
} from '../../support/chains.js';
import { mirrored, mirroredTurn, wander } from '../../support/poses.js';
import { add, len, sub, type V3 } from '../../support/referenceMath.js';
import { capsule, distance, free, sphere } from './support.js';

const quick: ChainOptions = { ...free, frequency: 3, damping: 1 };

/** Angle in degrees from straight down, toward +X, to which a link of 1 m below (0, 1, 0) is turned. */
function turnedBy(shape: ColliderShape, radius: number, options: ChainOptions = {}): number {
  const scene = makeScene(makeTail({ links: 1, length: 1 }), { ...quick, radius, ...options });
  addCollider(scene.world, { shape });
  run(scene, 480);
  expect(lengthFault(scene, [0, 1, 0])).toBeLessThanOrEqual(1);
  const [x, y, z] = tipOf(scene);
  expect(Math.abs(z)).toBeLessThan(1e-9);
  return degrees(Math.atan2(x, 1 - y));
}

/** Where a link that touches a ball beside it stands, in degrees: the tangent from (0, 1). */
function tangent(x: number, y: number, reach: number): number {
  return degrees(Math.asin(reach / Math.hypot(x, 1 - y)) - Math.atan2(-x, 1 - y));
}

/** The same where the tip touches first: the triangle of head, tip and centre has the sides D, 1 and the reach. */
function tipFirst(x: number, y: number, reach: number): number {
  const d = Math.hypot(x, 1 - y);
  return degrees(Math.acos((d * d + 1 - reach * reach) / (2 * d)) - Math.atan2(-x, 1 - y));
}

describe('users have seen', () => {
  it('K5: a collider that is felt as if it had come from the origin in the first frame; here nothing moves', () => {
    const scene = makeScene(makeTail({ links: 3, length: 0.6 }), {
      ...free,
      radius: 0.01,
      position: [50, 0, 3],
    });
    const { world, character, tail } = scene;
    // On the way from the origin both would sweep the links; where they stand they touch none.
    addCollider(world, { character, bone: tail.bones.hips, shape: sphere([0.08, -0.3, 0], 0.05) });
    addCollider(world, { shape: sphere([50, 0.7, 3.08], 0.05) });
    const bind = tail.bindTips.map((p) => add(p, [50, 0, 3]));
    run(scene, 5, undefined, () => {
      tipsOf(scene).forEach((tip, i) => expect(len(sub(tip, bind[i]!))).toBeLessThan(1e-9));
    });
  });

  it.each([
    ['a collider of the body', true, 0.36],
    ['one that stands in the world and has no scale', false, 0.16],
  ])(
    'K9: radii that stay behind when the model grows; here at scale 3 %s is touched at %d m',
    (_, own, reach) => {
      for (const contactPart of ['tip', 'segment'] as const) {
        const scene = makeScene(makeTail({ links: 1, length: 0.8 }), {
          ...quick,
          radius: 0.02,
          contactPart,
          scale: [3, 3, 3],
        });
        // The link hangs from (0, 3, 0) to (0, 0.6, 0); the centre stands beside its end.
        if (own) {
          const { character, tail } = scene;
          addCollider(scene.world, {
            character,
            bone: tail.bones.hips,
            shape: sphere([-0.02, -0.8, 0], 0.1),
          });
        } else addCollider(scene.world, { shape: sphere([-0.06, 0.6, 0], 0.1) });
        run(scene, 480);
        const centre: V3 = [-0.06, 0.6, 0];
        const gap =
          contactPart === 'tip' ? len(sub(tipOf(scene), centre)) : distance(centre, [0, 3, 0], tipOf(scene));
        expect(gap).toBeCloseTo(reach, 9);
      }
    },
  );

  it('K10: radii of a model scaled unevenly; here the largest axis of the bone counts, the mean for the link', () => {
    const scene = makeScene(makeTail({ links: 1, length: 0.8 }), {
      ...quick,
      radius: 0.03,
      scale: [1, 2, 1],
    });
    const { character, tail } = scene;
    // The link hangs from (0, 2, 0), 1.6 m long; the centre stands beside its middle.
    addCollider(scene.world, { character, bone: tail.bones.hips, shape: sphere([-0.02, -0.4, 0], 0.1) });
    run(scene, 480);
    expect(distance([-0.02, 1.2, 0], [0, 2, 0], tipOf(scene))).toBeCloseTo(0.2 + 0.04, 9);
  });

  it('K10: colliders that stay on their side when the model is mirrored; here all moves as the mirror image', () => {
    const tail = makeTail({ links: 4, axes: 5, hips: [0.2, 1, 0.1], legs: 2 });
    const options: ChainOptions = { ...plain, gravity: 1, air: 0.7, radius: 0.02 };
    const scenes = [1, -1].map((side) => makeScene(tail, { ...options, scale: [side, 1, 1] }));
    const bare = makeScene(tail, options);
    for (const { world, character } of scenes) {
      const [leg, other] = tail.bones.legs;
      addCollider(world, { character, bone: leg!, shape: sphere([0.03, 0.05, 0.01], 0.08) });
      addCollider(world, {
        character,
        bone: other!,
        shape: capsule([0.02, 0.1, -0.03], [-0.1, 0.06, 0.2], 0.06, 0.03),
      });
    }
    let felt = 0;
    for (let k = 0; k < 600; k++) {
      const { move, turn } = wander(k / 120);
      for (const scene of [bare, ...scenes]) {
        const { world, character } = scene;
        if (scene === scenes[1])
          setRoot(world, character, { position: mirrored(move), rotation: mirroredTurn(turn) });
        else setRoot(world, character, { position: move, rotation: turn });
        step(world);
      }
      const joints = jointsOf(scenes[1]!);
      jointsOf(scenes[0]!).forEach((p, i) => {
        expect(len(sub(mirrored(p), joints[i]!))).toBeLessThanOrEqual(1e-9);
      });
      felt = Math.max(felt, len(sub(tipOf(scenes[0]!), tipOf(bare))));
    }
    expect(felt).toBeGreaterThan(0.02);
  });

  describe('K11: shapes that are longer, shorter or elsewhere than drawn; here the link stops at', () => {
    const r = 0.02;
    it.each<[string, ColliderShape, number]>([
      ['a sphere beside its middle', sphere([-0.05, 0.5, 0], 0.1), tangent(-0.05, 0.5, 0.12)],
      ['a sphere under its tip', sphere([-0.05, -0.05, 0], 0.1), tipFirst(-0.05, -0.05, 0.12)],
      ['a sphere without radius', sphere([-0.01, 0.5, 0], 0), tangent(-0.01, 0.5, 0.02)],
      ['no sphere that it does not reach', sphere([-0.13, 0.5, 0], 0.1), 0],
      ['no sphere that holds its head', sphere([-0.05, 0.97, 0], 0.1), 0],
      [
        'the side of a capsule',
        capsule([-0.05, 0.5, -0.4], [-0.05, 0.5, 0.4], 0.1),
        tangent(-0.05, 0.5, 0.12),
      ],
      ['the head of a capsule', capsule([-0.05, 0.5, 0], [-0.6, 0.5, 0], 0.1), tangent(-0.05, 0.5, 0.12)],
      ['the tail of a capsule', capsule([-0.6, 0.5, 0], [-0.05, 0.5, 0], 0.1), tangent(-0.05, 0.5, 0.12)],
      [
        'the tail of a capsule of two radii',
        capsule([-0.6, 0.5, 0], [-0.05, 0.5, 0], 0.02, 0.1),
        tangent(-0.05, 0.5, 0.12),
      ],
      ['no capsule beyond the end of its axis', capsule([-0.6, 0.5, 0], [-0.13, 0.5, 0], 0.1), 0],
      ['a plane', { kind: 'plane', offset: [0.3, 7, 5], normal: [2, 0, 0] }, degrees(Math.asin(0.32))],
      ['no plane that it is above', { kind: 'plane', offset: [-0.03, 7, 5], normal: [2, 0, 0] }, 0],
      ['the inner side of a sphere', sphere([0.3, 1, 0], 1.02, true), degrees(Math.asin(0.15))],
      ['no inner side that it does not reach', sphere([0.3, 1, 0], 1.1, true), 0],
      [
        'the inner side of a capsule',
        capsule([0.3, 1, 0], [0.3, 2, 0], 1.02, 1.02, true),
        degrees(Math.asin(0.15)),
      ],
    ])('%s', (_, shape, angleDeg) => {
      expect(turnedBy(shape, r)).toBeCloseTo(angleDeg, 6);
    });

    it('a capsule without length as at a sphere, to the bit', () => {
      for (const inside of [false, true]) {
        const centre: V3 = inside ? [0.3, 1, 0] : [-0.05, 0.5, 0];
        const size = inside ? 1.02 : 0.1;
        expect(turnedBy(capsule(centre, centre, size, size, inside), r)).toBe(
          turnedBy(sphere(centre, size, inside), r),
        );
      }
    });

    it('a sphere whose centre its tip stands on, one reach away to some side', () => {
      const scene = makeScene(makeTail({ links: 1, length: 1 }), { ...quick, radius: r });
      addCollider(scene.world, { shape: sphere([0, 0, 0], 0.1) });
      run(scene, 240, undefined, () => {
        expect(distance([0, 0, 0], [0, 1, 0], tipOf(scene))).toBeCloseTo(0.12, 9);
        expect(lengthFault(scene, [0, 1, 0])).toBeLessThanOrEqual(1);
      });
    });
  });

  it.each<[string, ColliderShape]>([
    ['a sphere on its tip', sphere([0, 0.2, 0], 0.05)],
    ['a sphere on its head', sphere([0, 1, 0], 0.05)],
    ['a point on a joint', sphere([0, 0.6, 0], 0)],
    ['a capsule along it', capsule([0, 1.1, 0], [0, 0.1, 0], 0.05, 0.02)],
    ['a capsule without length on a joint', capsule([0, 0.6, 0], [0, 0.6, 0], 0.05)],
    ['a plane through its head', { kind: 'plane', offset: [0, 1, 0], normal: [0, 1, 0] }],
    ['an inner side without room', sphere([0, 1, 0], 0, true)],
    ['a sphere around all of it', sphere([0, 0.5, 0], 50)],
  ])('K16: numbers that are none; here %s leaves all finite and a neighbour to the bit', (_, shape) => {
    for (const radius of [0, 0.02]) {
      const scene = makeScene(makeTail({ links: 4 }), { ...quick, radius });
      const next = makeScene(makeTail({ links: 4, hips: [9, 1, 0] }), quick, scene.world);
      const alone = makeScene(makeTail({ links: 4, hips: [9, 1, 0] }), quick);
      addCollider(scene.world, { character: scene.character, bone: 0, shape });
      for (let k = 0; k < 240; k++) {
        setRoot(next.world, next.character, { position: [0.2 * Math.sin(k / 20), 0, 0] });
        setRoot(alone.world, alone.character, { position: [0.2 * Math.sin(k / 20), 0, 0] });
        step(scene.world);
        step(alone.world);
        expect(tipsOf(scene).flat().every(Number.isFinite)).toBe(true);
        expect(lengthFault(scene, [0, 1, 0])).toBeLessThanOrEqual(1);
      }
      for (const d of directionsOf(scene)) expect(len(d)).toBeCloseTo(1, 9);
      expect(scene.world.report.warnings.filter(({ code }) => code === 'chain-faulted')).toEqual([]);
      expect(tipsOf(next)).toEqual(tipsOf(alone));
    }
  });
});
