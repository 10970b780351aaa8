/**
 * What lies on a collider comes to rest there: movement dies away second by second, and nothing is thrown off again
 * (docs/solver.md, "Contact" and "Colliders": motion into a surface stops, none pushes, there is no friction).
 */
import { describe, expect, it } from 'vitest';
import { addCollider, step, type ChainOptions, type ColliderShape } from '../../../src/index.js';
import { back, makeScene, makeTail, plain, type Scene, tipsOf } from '../../support/chains.js';
import { linkGap } from '../../support/contactGaps.js';
import { len, sub, type V3 } from '../../support/referenceMath.js';

const hips: V3 = [0, 1, 0];
const radius = 0.01;
const strand: ChainOptions = {
  ...plain,
  frequency: 2.5,
  tipRatio: 1,
  damping: 0.8,
  gravity: 9.8,
  coupling: 0,
  limit: Infinity,
  radius,
};

const sphere = (offset: V3, r: number): ColliderShape => ({
  kind: 'sphere',
  offset,
  radius: r,
  inside: false,
});
const across = (y: number, z: number, r: number, tailRadius = r): ColliderShape => ({
  kind: 'capsule',
  offset: [-0.4, y, z],
  tail: [0.4, y, z],
  radius: r,
  tailRadius,
  inside: false,
});
const ground = (y: number, tilt = 0): ColliderShape => ({
  kind: 'plane',
  offset: [0, y, 0],
  normal: [0, Math.cos(tilt), Math.sin(tilt)],
});

/** Least distance of any link to any shape. */
function gapOf(scene: Scene, shapes: readonly ColliderShape[]): number {
  const points = [hips, ...tipsOf(scene)];
  return Math.min(
    ...shapes.flatMap((shape) =>
      points.slice(1).map((tip, i) => linkGap(shape, points[i]!, tip, radius, false)),
    ),
  );
}

function put(
  shapes: readonly ColliderShape[],
  links: number,
  options: ChainOptions = {},
  tickRate = 120,
): Scene {
  const tail = makeTail({ links, length: 0.6, direction: back, hips });
  const scene = makeScene(tail, { ...strand, ...options, tickRate });
  for (const shape of shapes) addCollider(scene.world, { shape });
  return scene;
}

/** Two spheres closer together, by 5 mm, than a link is thick. */
const pinch = [-1, 1].map((side) => sphere([side * (0.105 + 0.0075), 0.8, -0.3], 0.105));

/** Name, shapes, number of links. One link hangs from a weak spring, so that it lies on what is under it. */
const lying: [string, ColliderShape[], number][] = [
  ['six links on a sphere', [sphere([0, 0.75, -0.35], 0.15)], 6],
  ['six links on a capsule', [across(0.8, -0.35, 0.1)], 6],
  ['six links on a tapered capsule', [across(0.8, -0.35, 0.12, 0.06)], 6],
  ['six links on a plane', [ground(0.85)], 6],
  ['six links on a plane aslant', [ground(0.75, -0.3)], 6],
  ['six links on two spheres they do not fit between', pinch, 6],
  ['the tip of one link on a sphere', [sphere([0, 0.75, -0.6], 0.15)], 1],
  ['the middle of one link on a sphere', [sphere([0, 0.8, -0.25], 0.15)], 1],
  ['the tip of one link on a capsule', [across(0.75, -0.6, 0.15)], 1],
  ['the tip of one link on a tapered capsule', [across(0.75, -0.6, 0.15, 0.1)], 1],
  ['the middle of one link on a capsule', [across(0.8, -0.25, 0.15)], 1],
  ['the middle of one link on a tapered capsule', [across(0.8, -0.25, 0.15, 0.1)], 1],
  ['the tip of one link on a plane', [ground(0.8)], 1],
  ['the middle of one link in a pinch of two spheres', pinch, 1],
];
const weak = (links: number): ChainOptions => (links === 1 ? { frequency: 0.6 } : {});

/** How far any tip goes from where it stood at the begin of each second, metres. */
function movementPerSecond(scene: Scene, shapes: readonly ColliderShape[], seconds: number): number[] {
  return Array.from({ length: seconds }, () => {
    const before = tipsOf(scene);
    let way = 0;
    for (let k = 0; k < 120; k++) {
      step(scene.world);
      way = Math.max(way, ...tipsOf(scene).map((tip, i) => len(sub(tip, before[i]!))));
      expect(gapOf(scene, shapes)).toBeGreaterThan(-1e-6);
    }
    return way;
  });
}

/** A link may lie a ten millionth of its length in a collider: to and fro by less is no movement. */
const still = 1e-7 * 0.6;

describe('movement on colliders', () => {
  it.each(lying)('dies away second by second: %s', (_, shapes, links) => {
    const scene = put(shapes, links, { ...weak(links), damping: 0.25 });
    const moved = movementPerSecond(scene, shapes, 13);
    moved.forEach((way, second) => {
      if (second > 0 && way > still) expect(way, `second ${second}`).toBeLessThan(moved[second - 1]!);
    });
    expect(moved[12]).toBeLessThan(1e-6);
  });

  it.each(lying)('is gone after 4 s where damping acts: %s', (name, shapes, links) => {
    const scene = put(shapes, links, weak(links));
    const moved = movementPerSecond(scene, shapes, 6);
    for (const way of moved.slice(4)) expect(way).toBeLessThan(1e-6);
    // It does lie on them, and in a pinch nothing is left to move.
    expect(gapOf(scene, shapes)).toBeLessThan(1e-6);
    if (name.includes('pinch')) for (const way of moved.slice(1)) expect(way).toBeLessThan(1e-9);
  });
});

describe('a link that drops without damping', () => {
  const straight = lying.filter(([name, , links]) => links === 1 && !name.includes('tapered'));

  it.each(straight)('is not lifted by what it falls on: %s', (_, shapes) => {
    for (const tickRate of [30, 60, 120, 480]) {
      const scene = put(shapes, 1, { frequency: 0.05, damping: 0 }, tickRate);
      let touched = 0;
      let lowest = Infinity;
      let lift = 0;
      for (let k = 0; k < 3 * tickRate; k++) {
        step(scene.world);
        const gap = gapOf(scene, shapes);
        expect(gap).toBeGreaterThan(-1e-6);
        if (touched === 0 && gap > 1e-6) continue;
        touched++;
        const [, height] = tipsOf(scene)[0]!;
        lift = Math.max(lift, gap, height - lowest);
        lowest = Math.min(lowest, height);
      }
      expect(touched).toBeGreaterThan(tickRate);
      // 0.00 mm.
      expect(lift, `${tickRate} ticks`).toBeLessThan(5e-6);
    }
  });
});
