/** Metres, scales and sides: what counts in the character's size, and what happens when the size changes. */
import { describe, expect, it } from 'vitest';
import { addFloor, rowOf, setRoot, step } from '../../../src/index.js';
import type { Scene } from '../../support/chains.js';
import {
  back,
  directionsOf,
  down,
  jointsOf,
  makeScene,
  makeTail,
  plain,
  run,
  runAlong,
  tipOf,
  tipsOf,
} from '../../support/chains.js';
import { poseHips } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import { angleBetween, axisAngle, len, sub } from '../../support/referenceMath.js';

function tipsAtJoints(scene: Scene, digits = 11): void {
  const joints = jointsOf(scene);
  tipsOf(scene).forEach((tip, i) => tip.forEach((x, c) => expect(x).toBeCloseTo(joints[i + 1]![c]!, digits)));
}

describe('scale', () => {
  it('that is not uniform at bind leaves the links as long as the bones', () => {
    const tail = makeTail({ links: 3 });
    tail.asset.skins = [];
    tail.asset.skeleton.scales.set([1, 2, 1], 3);
    const scene = makeScene(tail, plain);
    step(scene.world);
    const joints = jointsOf(scene);
    tipsOf(scene).forEach((tip, i) => tip.forEach((x, c) => expect(x).toBeCloseTo(joints[i + 1]![c]!, 9)));
  });

  it('that changes at once swings no tail that rests', () => {
    const scene = makeScene(makeTail({ directions: [back, [0, -1, -1], down] }), plain);
    run(scene, 10);
    const before = directionsOf(scene);
    setRoot(scene.world, scene.character, { scale: [1.5, 1.5, 1.5] });
    let most = 0;
    run(scene, 60, undefined, () =>
      directionsOf(scene).forEach((d, i) => (most = Math.max(most, angleBetween(d, before[i]!)))),
    );
    expect(most).toBeLessThan(0.01);
  });
});

describe('a non-uniform scale', () => {
  it.each([1, 0.01])('of the root lengthens links along their own direction (armature %f)', (armature) => {
    const s = makeScene(makeTail({ links: 2, armature }), { ...plain, scale: [1, 2, 3] });
    run(s, 2);
    tipsOf(s).forEach((tip, i) => expect(tip[1]).toBeCloseTo(2 - 0.8 * (i + 1), 9));
  });
});

describe('an attachment scaled to nothing', () => {
  it('and back begins at rest, asleep or awake', () => {
    for (const ticks of [60, 40 * 120]) {
      const scene = makeScene(makeTail({ links: 3, direction: back }), { ...plain, gravity: 1 });
      run(scene, ticks);
      expect(angleBetween(directionsOf(scene)[2]!, back)).toBeGreaterThan(0.1);
      setRoot(scene.world, scene.character, { scale: [0, 0, 0] });
      run(scene, 3);
      setRoot(scene.world, scene.character, { scale: [1, 1, 1] });
      step(scene.world);
      directionsOf(scene).forEach((d) => expect(angleBetween(d, back)).toBeLessThan(0.01));
    }
  });
});

describe('an attachment that changes sides', () => {
  it('begins at rest on the other side', () => {
    const direction: V3 = [0.6, -0.8, 0];
    const scene = makeScene(makeTail({ links: 3, direction }), { ...plain, air: 1 });
    run(scene, 1);
    runAlong(scene, 1, (t) => [0, 0, 2 * t]);
    expect(angleBetween(directionsOf(scene)[2]!, direction)).toBeGreaterThan(0.1);
    setRoot(scene.world, scene.character, { position: [0, 0, 2], scale: [-1, 1, 1] });
    step(scene.world);
    directionsOf(scene).forEach((d) => expect(angleBetween(d, [-0.6, -0.8, 0])).toBeLessThan(1e-6));
    tipsAtJoints(scene);
  });
});

describe('metres', () => {
  const sized = (unit: number, options: Parameters<typeof makeScene>[1]): Scene =>
    makeScene(makeTail({ links: 3, length: 0.3 * unit, hips: [0, unit, 0] }), { ...plain, unit, ...options });

  it.each([1, 100])('of the teleport distance count in units of %i', (unit) => {
    for (const [way, expected] of [
      [0.45, 0],
      [0.55, 1],
    ] as const) {
      const scene = sized(unit, {});
      run(scene, 3);
      setRoot(scene.world, scene.character, { position: [way * unit, 0, 0] });
      run(scene, 3);
      expect(scene.world.report.teleports).toBe(expected);
    }
  });

  it.each([
    [55, 0],
    [65, 1],
  ])('a turn of %i degrees in one tick is a teleport: %i', (degrees, expected) => {
    const scene = sized(1, {});
    run(scene, 3);
    poseHips(scene, axisAngle([1, 2, 0], (degrees * Math.PI) / 180));
    step(scene.world);
    expect(scene.world.report.teleports).toBe(expected);
  });

  it('of maxSpeed count in file units', () => {
    const ends = [1, 100].map((unit) => {
      const scene = sized(unit, { air: 1, maxSpeed: 0.5, inertia: 0.6 });
      run(scene, 1);
      runAlong(scene, 1, (t) => [2 * unit * t, 0, 0]);
      return directionsOf(scene);
    });
    ends[0]!.forEach((d, i) => expect(angleBetween(d, ends[1]![i]!)).toBeLessThan(1e-9));
    expect(angleBetween(ends[0]![2]!, down)).toBeGreaterThan(0.03);
  });

  it('maxSpeed caps what is felt, not what happens: below it inertia counts', () => {
    const bends = [0.6, Infinity].map((maxSpeed) => {
      const scene = sized(1, { air: 1, inertia: 0.5, maxSpeed });
      run(scene, 1);
      runAlong(scene, 1, (t) => [t, 0, 0]); // 0.5 m/s are felt
      return directionsOf(scene)[2]!;
    });
    expect(angleBetween(bends[0]!, bends[1]!)).toBeLessThan(1e-9);
  });

  it.each([
    [1, 2],
    [100, 1],
    [100, 0.5],
  ])('of the clearance count in units of %i at scale %f', (unit, s) => {
    const scene = makeScene(
      makeTail({ links: 4, length: 0.8 * unit, hips: [0, 0.3 * unit, 0], direction: back }),
      {
        ...plain,
        unit,
        floor: true,
        gravity: 4,
        scale: [s, s, s],
      },
    );
    addFloor(scene.world);
    run(scene, 20 * 120);
    expect(tipOf(scene)[1] / (unit * s)).toBeCloseTo(0.025, 9);
  });
});

describe('a sheared attachment', () => {
  it('turns its tail by a rotation: at rest no link bends, and links stay straight', () => {
    const s = makeScene(makeTail({ links: 3, axes: 7 }), { ...plain, scale: [1, 2, 3] });
    poseHips(s, axisAngle([1, 1, 1], 0.7));
    run(s, 240);
    const row = rowOf(s.world, 'chain', s.chain);
    const first = s.world.views.chain.first[row]!;
    for (let p = first; p < first + 3; p++) expect(s.world.views.particle.bend[4 * p + 3]).toBeCloseTo(1, 12);
    const tips = tipsOf(s);
    for (let i = 1; i < 3; i++) {
      const way = len(sub(tips[i]!, tips[i - 1]!));
      expect(way).toBeGreaterThan(0.2);
      expect(way).toBeCloseTo(len(sub(tips[1]!, tips[0]!)), 9);
    }
  });
});
