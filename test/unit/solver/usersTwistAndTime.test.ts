/** Faults that users of other spring-bone systems report, by their K numbers: twist, flips, pause and slow motion. */
import { describe, expect, it } from 'vitest';
import { advance, createWorld, setRoot, step } from '../../../src/index.js';
import type { ChainOptions } from '../../../src/index.js';
import {
  back,
  degrees,
  down,
  lengthFault,
  localRotationsOf,
  makeScene,
  makeTail,
  motionBits,
  plain,
  run,
  runAlong,
} from '../../support/chains.js';
import { angleOf, axisAngle, identity } from '../../support/referenceMath.js';

const hanging: ChainOptions = { ...plain, gravity: 1 };

describe('users have seen', () => {
  it('K23: a pause that is none; here 100 frames of no time change no bit', () => {
    const scene = makeScene(makeTail({ direction: back }), hanging);
    for (let k = 0; k < 30; k++) advance(scene.world, 1 / 70);
    const bits = motionBits(scene.world);
    const tick = scene.world.tick;
    for (let k = 0; k < 100; k++) expect(advance(scene.world, 0)).toBe(0);
    expect(scene.world.tick).toBe(tick);
    expect(motionBits(scene.world)).toBe(bits);
  });

  it('K23: slow motion runs through the same states', () => {
    const normal = makeScene(makeTail({ direction: back }), hanging);
    const slow = makeScene(makeTail({ direction: back }), hanging);
    const seen = new Map<number, string>();
    for (let k = 0; k < 400; k++) {
      step(normal.world);
      seen.set(normal.world.tick, motionBits(normal.world));
    }
    for (let k = 0; k < 240; k++) {
      advance(slow.world, 0.25 / 60);
      if (slow.world.tick > 0) expect(motionBits(slow.world)).toBe(seen.get(slow.world.tick));
    }
    expect(slow.world.tick).toBe(120);
  });

  it.each([-1, -1e-9, Number.NaN, Infinity, -Infinity])(
    'K23: a time step of %d is refused and changes nothing',
    (dt) => {
      const scene = makeScene(makeTail({ direction: back }), hanging);
      run(scene, 10);
      const bits = motionBits(scene.world);
      expect(() => advance(scene.world, dt)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
      expect(motionBits(scene.world)).toBe(bits);
      expect(scene.world.tick).toBe(10);
    },
  );

  it('K23: a world refuses a tick rate it cannot run', () => {
    for (const tickRate of [0, -60, Number.NaN, Infinity]) {
      expect(() => createWorld({ tickRate })).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
    }
  });

  it('K20: a tail that twists up; here every bend is a pure swing, also after many circles', () => {
    const tail = makeTail({ links: 4, direction: down });
    const scene = makeScene(tail, { ...plain, air: 1 });
    run(scene, 1);
    runAlong(scene, 12, (t) => [0.25 * Math.cos(6 * t), 0, 0.25 * Math.sin(6 * t)]);
    for (const q of localRotationsOf(scene, tail.bones.links)) {
      // Bones are aligned with the world at bind and hang along -Y: twist is the part about Y.
      expect(Math.abs(2 * Math.atan2(q[1], q[3]))).toBeLessThan(1e-9);
    }
    run(scene, 40 * 120);
    for (const q of localRotationsOf(scene, tail.bones.links))
      expect(angleOf(q, identity)).toBeLessThan(1e-6);
  });

  it('K20: a tail that flips on its way past half a turn', () => {
    const scene = makeScene(makeTail({ links: 3, direction: back }), { ...plain, air: 1, teleport: 'none' });
    run(scene, 1);
    let last = localRotationsOf(scene, scene.tail.bones.links);
    for (let k = 0; k < 600; k++) {
      if (k === 5) setRoot(scene.world, scene.character, { rotation: axisAngle([0, 1, 0], Math.PI) });
      step(scene.world);
      const now = localRotationsOf(scene, scene.tail.bones.links);
      now.forEach((q, i) => expect(degrees(angleOf(q, last[i]!))).toBeLessThan(30 + 1e-6));
      last = now;
      expect(lengthFault(scene, [0, 1, 0])).toBeLessThanOrEqual(1);
    }
    expect(localRotationsOf(scene, [scene.tail.bones.hips])[0]).toEqual(identity);
  });
});
