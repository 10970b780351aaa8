/** A frame of five seconds: the tail goes on as if nothing had happened. */
import { describe, expect, it } from 'vitest';
import { advance, createWorld, play } from '../../../src/index.js';
import type { Scene } from '../../support/chains.js';
import { jointsOf, makeScene, makeTail, plain, tipOf } from '../../support/chains.js';
import { poseHips, swayClip } from '../../support/poses.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { axisAngle, len, qinv, qrot, sub } from '../../support/referenceMath.js';

const settings = { ...plain, gravity: 1, air: 1, keepOut: true };

function swaying(maxTicksPerAdvance?: number): Scene {
  const world = createWorld(maxTicksPerAdvance === undefined ? {} : { maxTicksPerAdvance });
  const tail = makeTail({ links: 4, clips: ({ hips }) => [swayClip(hips, [1, 0.4, 0.2], 0.5, 1.1)] });
  const scene = makeScene(tail, settings, world);
  play(world, scene.character, 'Sway');
  return scene;
}

describe('a hitch of 5 s', () => {
  it('runs at most maxTicksPerAdvance ticks and reports the rest', () => {
    const { world } = swaying();
    for (let frame = 0; frame < 120; frame++) advance(world, 1 / 60);
    const before = world.tick;
    expect(advance(world, 5)).toBe(8);
    expect(world.tick - before).toBe(8);
    expect(world.report.droppedTicks).toBe(600 - 8);
    for (let frame = 0; frame < 60; frame++) expect(advance(world, 1 / 60)).toBeLessThanOrEqual(3);
  });

  it('moves the tip in no tick by more than 1.5 times the largest tick before', () => {
    const scene = swaying(1);
    let last = tipOf(scene);
    let largest = 0;
    for (let frame = 0; frame < 600; frame++) {
      advance(scene.world, 1 / 120);
      if (frame > 0) largest = Math.max(largest, len(sub(tipOf(scene), last)));
      last = tipOf(scene);
    }
    expect(advance(scene.world, 5)).toBe(1);
    for (let frame = 0; frame < 240; frame++) {
      expect(len(sub(tipOf(scene), last))).toBeLessThanOrEqual(1.5 * largest);
      last = tipOf(scene);
      advance(scene.world, 1 / 120);
    }
    expect(scene.world.report.droppedTicks).toBeGreaterThanOrEqual(599);
  });

  it('with poses that jump meanwhile leaves the tip as calm in the frame of the hips', () => {
    const scene = makeScene(makeTail({ links: 4 }), { ...settings, teleport: 'keep' });
    const turnAt = (t: number): Q4 => axisAngle([0, 1, 0], 0.3 * Math.sin(4 * t));
    const pose = (t: number): void => poseHips(scene, turnAt(t), [1.4 * t, 0, 0]);
    let before: V3 | undefined;
    /** Way of the tip in the frame of the hips since the last call. */
    const way = (t: number): number => {
      const joints = jointsOf(scene);
      const local = qrot(qinv(turnAt(t)), sub(joints.at(-1)!, joints[0]!));
      const moved = before === undefined ? 0 : len(sub(local, before));
      before = local;
      return moved;
    };
    let largest = 0;
    let t = 0;
    for (let frame = 0; frame < 300; frame++) {
      t += 1 / 60;
      pose(t);
      advance(scene.world, 1 / 60);
      const moved = way(t);
      if (frame > 1) largest = Math.max(largest, moved);
    }
    for (const dt of [5, ...Array.from({ length: 120 }, () => 1 / 60)]) {
      t += dt;
      pose(t);
      const ticks = advance(scene.world, dt);
      expect(way(t) / Math.max(1, ticks / 2)).toBeLessThanOrEqual(1.5 * largest);
    }
    expect(scene.world.report.teleports).toBe(1);
  });
});
