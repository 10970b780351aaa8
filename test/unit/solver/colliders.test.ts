/**
 * Colliders: no link lies in one where a direction is free, lengths stay exact, nothing is thrown off, and the order
 * in which they were added changes no bit. Distances are sampled here, along the link and along the collider's axis.
 */
import { describe, expect, it } from 'vitest';
import {
  addCollider,
  type ColliderShape,
  FollowthroughError,
  removeCollider,
  rowOf,
  setCollider,
  setPose,
  step,
} from '../../../src/index.js';
import {
  back,
  lengthFault,
  makeScene,
  makeTail,
  motionBits,
  plain,
  run,
  type Scene,
  tipsOf,
  velocitiesOf,
} from '../../support/chains.js';
import { add, len, mul, seeded, sub, unit, type V3 } from '../../support/referenceMath.js';

const hips: V3 = [0, 1, 0];
const radius = 0.01;
const sphere = (offset: V3, r: number, inside = false): ColliderShape => ({
  kind: 'sphere',
  offset,
  radius: r,
  inside,
});
const capsule = (offset: V3, tail: V3, r: number, tailRadius = r): ColliderShape => ({
  kind: 'capsule',
  offset,
  tail,
  radius: r,
  tailRadius,
  inside: false,
});

/** Signed distance of a point to a solid shape. */
function outside(shape: ColliderShape, p: V3): number {
  if (shape.kind === 'plane') {
    const n = unit(shape.normal);
    return (
      (p[0] - shape.offset[0]) * n[0] + (p[1] - shape.offset[1]) * n[1] + (p[2] - shape.offset[2]) * n[2]
    );
  }
  if (shape.kind === 'sphere') {
    const away = len(sub(p, shape.offset)) - shape.radius;
    return shape.inside ? -away : away;
  }
  let least = Infinity;
  for (let i = 0; i <= 400; i++) {
    const t = i / 400;
    const centre = add(shape.offset, mul(sub(shape.tail, shape.offset), t));
    least = Math.min(least, len(sub(p, centre)) - shape.radius - t * (shape.tailRadius - shape.radius));
  }
  return least;
}

/** How deep the links are in a shape at worst, their radius counted; the tips only where `tips`. */
function depth(scene: Scene, shape: ColliderShape, tips = false): number {
  const points = [hips, ...tipsOf(scene)];
  let deepest = -Infinity;
  for (let i = 1; i < points.length; i++)
    for (let k = tips ? 40 : 0; k <= 40; k++) {
      const p = add(points[i - 1]!, mul(sub(points[i]!, points[i - 1]!), k / 40));
      deepest = Math.max(deepest, radius - outside(shape, p));
    }
  return deepest;
}

/** A level tail that gravity lets down onto shapes. */
function falling(shapes: readonly ColliderShape[], options: object = {}, links = 6): Scene {
  const scene = makeScene(makeTail({ links, direction: back }), {
    ...plain,
    frequency: 2.5,
    tipRatio: 1,
    damping: 0.8,
    gravity: 9.8,
    coupling: 0,
    limit: Infinity,
    radius,
    ...options,
  });
  for (const shape of shapes) addCollider(scene.world, { shape });
  return scene;
}

const shapes: [string, ColliderShape[]][] = [
  ['a sphere under the middle', [sphere([0, 0.75, -0.4], 0.15)]],
  ['a small sphere under one link', [sphere([0, 0.85, -0.33], 0.03)]],
  ['a capsule across', [capsule([-0.4, 0.75, -0.4], [0.4, 0.75, -0.4], 0.1)]],
  ['a tapered capsule aslant', [capsule([-0.3, 0.6, -0.2], [0.3, 0.8, -0.6], 0.12, 0.05)]],
  ['a capsule along the tail', [capsule([0.02, 0.8, -0.1], [0.02, 0.8, -0.9], 0.08)]],
  ['a plane', [{ kind: 'plane', offset: [0, 0.7, 0], normal: [0, 1, 0.2] }]],
  ['two spheres it falls between', [sphere([-0.12, 0.6, -0.45], 0.115), sphere([0.12, 0.6, -0.45], 0.115)]],
  [
    'capsule, sphere and plane',
    [
      capsule([-0.4, 0.7, -0.3], [0.4, 0.72, -0.3], 0.1),
      sphere([0.05, 0.6, -0.6], 0.12),
      { kind: 'plane', offset: [0, 0.45, 0], normal: [0, 1, 0] },
    ],
  ],
];

describe('a tail that falls on', () => {
  it.each(shapes)('%s: never in, never stretched, at rest in the end', (_, list) => {
    const scene = falling(list);
    let moved = Infinity;
    for (let second = 1; second <= 14; second++) {
      const before = tipsOf(scene);
      for (let k = 0; k < 120; k++) {
        step(scene.world);
        if (k % 4 === 0)
          // Sampling 400 places of an axis finds a capsule up to a millionth deeper than it is.
          for (const shape of list) expect(depth(scene, shape)).toBeLessThan(2e-6);
        expect(lengthFault(scene, hips)).toBeLessThanOrEqual(1);
      }
      moved = Math.max(...tipsOf(scene).map((tip, i) => len(sub(tip, before[i]!))));
    }
    expect(moved).toBeLessThan(1e-4);
    // It does lie on them.
    for (const shape of list.slice(0, 1)) expect(depth(scene, shape)).toBeGreaterThan(-0.02);
  });

  it('a sphere, by its tips only: links may cut it, tips may not', () => {
    const shape = sphere([0, 0.8, -0.36], 0.05);
    const scene = falling([shape], { contactPart: 'tip' });
    let deepest = 0;
    for (let k = 0; k < 600; k++) {
      step(scene.world);
      expect(depth(scene, shape, true)).toBeLessThan(1e-6);
      deepest = Math.max(deepest, depth(scene, shape));
    }
    expect(deepest).toBeGreaterThan(0.003);
  });
});

describe('kept inside', () => {
  it.each<[string, ColliderShape]>([
    ['a sphere', sphere([0, 1, -0.3], 0.45, true)],
    [
      'a capsule',
      { kind: 'capsule', offset: [0, 1, 0], tail: [0, 1, -0.8], radius: 0.2, tailRadius: 0.2, inside: true },
    ],
  ])('%s the tips stay', (_, shape) => {
    const scene = falling([shape]);
    const solid: ColliderShape = shape.kind === 'plane' ? shape : { ...shape, inside: false };
    for (let k = 0; k < 900; k++) {
      step(scene.world);
      for (const tip of tipsOf(scene)) expect(outside(solid, tip)).toBeLessThan(-radius + 1e-5);
    }
  });
});

describe('contact gives nothing back', () => {
  it('a link that drops on a sphere never rises again', () => {
    const scene = falling([sphere([0, 0.7, -0.6], 0.15)], { frequency: 0.05, damping: 0, coupling: 0 }, 1);
    let lowest = Infinity;
    let touched = false;
    // It swings until it touches; from then on it only comes to rest.
    for (let k = 0; k < 480; k++) {
      step(scene.world);
      const y = tipsOf(scene)[0]![1];
      touched ||= depth(scene, sphere([0, 0.7, -0.6], 0.15)) > -1e-3;
      if (touched) expect(y).toBeLessThan(lowest + 1e-9);
      lowest = Math.min(lowest, y);
    }
    expect(touched).toBe(true);
  });

  it('a sphere that pushes and stops leaves no speed', () => {
    const scene = falling([], { gravity: 0, frequency: 0.05, damping: 0.3 }, 3);
    const ball = addCollider(scene.world, { shape: sphere([0, 0.5, -0.4], 0.1) });
    for (let k = 0; k < 60; k++) {
      setCollider(scene.world, ball, sphere([0, 0.5 + 0.008 * k, -0.4], 0.1));
      step(scene.world);
    }
    const highest = Math.max(...tipsOf(scene).map((tip) => tip[1]));
    for (let k = 0; k < 60; k++) step(scene.world);
    expect(Math.max(...tipsOf(scene).map((tip) => tip[1]))).toBeLessThan(highest + 1e-3);
    expect(Math.max(...velocitiesOf(scene).map(len))).toBeLessThan(0.2);
  });
});

describe('what changes nothing', () => {
  it('the order of the colliders', () => {
    const list = shapes.at(-1)![1];
    const bits = [list, list.toReversed(), [list[1]!, list[2]!, list[0]!]].map((order) => {
      const scene = falling(order);
      for (let k = 0; k < 500; k++) step(scene.world);
      return motionBits(scene.world);
    });
    expect(bits[1]).toBe(bits[0]);
    expect(bits[2]).toBe(bits[0]);
  });

  it('colliders out of reach, of another group, or of another character', () => {
    const alone = falling([sphere([0, 0.75, -0.4], 0.15)]);
    const other = falling([sphere([0, 0.75, -0.4], 0.15)], { colliderMask: 1 });
    addCollider(other.world, { shape: sphere([50, 0, 0], 1) });
    addCollider(other.world, { shape: sphere([0, 0.9, -0.5], 0.2), groups: 2 });
    const stranger = makeScene(makeTail({ hips: [9, 1, 0] }), plain, other.world);
    addCollider(other.world, {
      character: stranger.character,
      bone: 2,
      shape: sphere([-9, -0.1, -0.5], 0.2),
    });
    for (let k = 0; k < 400; k++) {
      step(alone.world);
      step(other.world);
    }
    expect(tipsOf(other)).toEqual(tipsOf(alone));
  });
});

describe('on bones', () => {
  it('a collider moves, turns and scales with its bone, and goes with its character', () => {
    const scene = makeScene(makeTail({ legs: 1 }), { ...plain, scale: [2, 2, 2], position: [1, 0, 0] });
    const leg = scene.tail.bones.legs[0]!;
    const ball = addCollider(scene.world, {
      character: scene.character,
      bone: leg,
      shape: sphere([0, 0.1, 0], 0.05),
    });
    step(scene.world);
    const row = rowOf(scene.world, 'collider', ball);
    const { collider } = scene.world.views;
    // The leg's head at bind is (0.1, 0.6, 0).
    expect([...collider.pose.slice(6 * row, 6 * row + 3)].map((x) => Math.round(x * 1e9) / 1e9)).toEqual([
      1.2, 1.4, 0,
    ]);
    expect(collider.worldRadius[2 * row]).toBeCloseTo(0.1, 12);
    removeCollider(scene.world, ball);
    expect(() => rowOf(scene.world, 'collider', ball)).toThrow(FollowthroughError);
  });

  it('a sleeping chain wakes when a collider comes', () => {
    const scene = makeScene(makeTail({ links: 4 }), { ...plain, radius });
    for (let k = 0; k < 240; k++) step(scene.world);
    const chain = rowOf(scene.world, 'chain', scene.chain);
    expect(scene.world.views.chain.status[chain]).toBe(1);
    const shape = sphere([0.05, 0.4, 0.05], 0.2);
    addCollider(scene.world, { shape });
    step(scene.world);
    expect(scene.world.views.chain.status[chain]).toBe(0);
    expect(depth(scene, shape)).toBeLessThan(1e-6);
  });

  it('what a shape leaves out has defaults, and what is wrong in it is named', () => {
    const { world } = makeScene(makeTail({ links: 1 }), plain);
    const bar = { kind: 'capsule', offset: [0, 0, 0], tail: [1, 0, 0], radius: 0.25 } as const;
    const row = rowOf(world, 'collider', addCollider(world, { shape: bar }));
    expect([...world.views.collider.radius.subarray(2 * row, 2 * row + 2)]).toEqual([0.25, 0.25]);
    expect(() => addCollider(world, { shape: { ...bar, tailRadius: -1 } })).toThrow('shape.tailRadius is -1');
    expect(() => addCollider(world, { shape: { ...bar, radius: Number.NaN } })).toThrow(
      'shape.radius is NaN',
    );
  });

  it('a sleeping chain wakes when a collider grows on its bone', () => {
    const scene = makeScene(makeTail({ legs: 1 }), { ...plain, radius });
    const { chain } = scene.world.views;
    // The leg stands 0.1 m beside the tail.
    const shape = sphere([0, 0, 0], 0.05);
    addCollider(scene.world, { character: scene.character, bone: scene.tail.bones.legs[0]!, shape });
    run(scene, 120);
    expect(chain.status[0]).toBe(1);
    const rest = tipsOf(scene).at(-1)!;
    const scales = scene.tail.asset.skeleton.scales.slice();
    scales.fill(3, 3 * scene.tail.bones.legs[0]!, 3 * scene.tail.bones.legs[0]! + 3);
    setPose(scene.world, scene.character, { scales });
    run(scene, 2);
    expect(chain.status[0]).toBe(0);
    expect(len(sub(tipsOf(scene).at(-1)!, rest))).toBeGreaterThan(0.01);
  });

  it('a root that a collider holds is felt at the tip only: the rest shape stays', () => {
    const scene = makeScene(makeTail({ links: 3, direction: back }), { ...plain, radius });
    step(scene.world);
    const rest = tipsOf(scene);
    addCollider(scene.world, { shape: sphere([0, 1, 0.02], 0.1) });
    for (let k = 0; k < 240; k++) step(scene.world);
    tipsOf(scene).forEach((tip, i) => expect(len(sub(tip, rest[i]!))).toBeLessThan(1e-9));
  });
});

describe('odd colliders', () => {
  it.each<[string, object]>([
    ['a negative radius', sphere([0, 0, 0], -1)],
    ['a centre that is not finite', sphere([0, NaN, 0], 1)],
    ['a normal of length 0', { kind: 'plane', offset: [0, 0, 0], normal: [0, 0, 0] }],
    ['a shape nobody knows', { kind: 'torus', offset: [0, 0, 0] }],
  ])('%s is refused', (_, shape) => {
    const scene = falling([]);
    expect(() => addCollider(scene.world, { shape: shape as ColliderShape })).toThrow(FollowthroughError);
    expect(scene.world.views.collider.id.every((id) => id === 0)).toBe(true);
  });

  it('random heaps keep everything finite and every length exact', () => {
    const random = seeded(5);
    const point = (): V3 => [random() - 0.5, 1.2 * random(), -1 * random()];
    for (let world = 0; world < 20; world++) {
      const scene = falling(
        Array.from({ length: 6 }, (_, i): ColliderShape =>
          i % 3 === 0
            ? sphere(point(), 0.3 * random())
            : i % 3 === 1
              ? capsule(point(), point(), 0.2 * random(), 0.2 * random())
              : sphere([0, 1, 0], 0.2 * random()),
        ),
      );
      for (let k = 0; k < 200; k++) step(scene.world);
      expect(tipsOf(scene).flat().every(Number.isFinite)).toBe(true);
      expect(lengthFault(scene, hips)).toBeLessThanOrEqual(1);
    }
  });
});
