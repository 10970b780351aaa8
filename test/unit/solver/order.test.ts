/** The order in which unrelated things are created changes no bit of what they do. */
import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../src/setup/buildOrder.js';
import type { World } from '../../../src/index.js';
import { addFloor, createWorld, play, removeCharacter, setRoot, step } from '../../../src/index.js';
import { animate } from '../../../src/systems/animate.js';
import { rebuildBones } from '../../../src/systems/boneRebuild.js';
import { driverTransforms } from '../../../src/systems/driverTransforms.js';
import { measureFloors, settleFloors } from '../../../src/systems/floorMotion.js';
import { endTick } from '../../../src/systems/pipeline.js';
import { walkChains } from '../../../src/systems/walk.js';
import type { Scene } from '../../support/chains.js';
import {
  jointsOf,
  makeScene,
  makeTail,
  motionBits,
  plain,
  tipsOf,
  velocitiesOf,
} from '../../support/chains.js';
import { swayClip, wander } from '../../support/poses.js';

const options = { ...plain, air: 0.6, gravity: 1, floor: true, keepOut: true };

/** One tick as an engine with a schedule of its own would run it: the chains of each level in small blocks. */
function tickInBlocks(world: World, block: number): void {
  const { chains, levels } = orderOf(world);
  animate(world, 1);
  driverTransforms(world);
  measureFloors(world);
  for (let level = 0; level + 1 < levels.length; level++) {
    for (let from = levels[level]!; from < levels[level + 1]!; from += block) {
      const to = Math.min(levels[level + 1]!, from + block);
      walkChains(world, chains, from, to);
      rebuildBones(world, chains, from, to);
    }
  }
  settleFloors(world);
  endTick(world);
}

/** Creates six characters in this order, with passers-by between them, and returns what each of them does. */
function runs(order: number[], passers: number[]): string[] {
  const world = createWorld();
  const scenes: Scene[] = [];
  const leaving: Scene[] = [];
  for (const [k, i] of order.entries()) {
    if (passers.includes(k)) leaving.push(makeScene(makeTail({ links: 3 + k }), options, world));
    scenes[i] = makeScene(makeTail({ links: 1 + i, axes: i }), { ...options, position: [i, 0, 0] }, world);
  }
  addFloor(world, { point: [0, 0.35, 0] });
  const records = order.map((): unknown[] => []);
  for (let tick = 0; tick < 300; tick++) {
    if (tick === 50) for (const { character } of leaving) removeCharacter(world, character);
    for (const [i, scene] of scenes.entries()) {
      const { move, turn } = wander(tick / 120 + i);
      setRoot(world, scene.character, { position: [move[0] + i, move[1], move[2]], rotation: turn });
    }
    step(world);
    for (const [i, scene] of scenes.entries()) {
      records[i]!.push([tipsOf(scene), velocitiesOf(scene), jointsOf(scene)]);
    }
  }
  return records.map((record) => JSON.stringify(record));
}

describe('creation order', () => {
  const expected = runs([0, 1, 2, 3, 4, 5], []);

  it.each([
    [[5, 4, 3, 2, 1, 0], []],
    [[2, 0, 5, 1, 4, 3], []],
    [
      [0, 1, 2, 3, 4, 5],
      [0, 2, 4],
    ],
    [
      [3, 5, 1, 0, 2, 4],
      [1, 5],
    ],
  ])('%j with passers-by at %j changes no bit', (order, passers) => {
    const records = runs(order, passers);
    for (const [i, record] of records.entries()) expect(record === expected[i], `character ${i}`).toBe(true);
  });

  it.each([1, 2, 3, 5, 100])('and blocks of %i chains change no bit', (block) => {
    const build = (): World => {
      const world = createWorld();
      addFloor(world, { point: [0, 0.35, 0] });
      for (let i = 0; i < 7; i++) {
        const tail = makeTail({
          links: 1 + i,
          axes: i,
          clips: ({ hips }) => [swayClip(hips, [0.3, 1, 0], 0.5, 0.8)],
        });
        const { character } = makeScene(tail, options, world);
        play(world, character, 'Sway');
      }
      return world;
    };
    const whole = build();
    const split = build();
    for (let k = 0; k < 200; k++) {
      step(whole);
      tickInBlocks(split, block);
      expect(motionBits(split) === motionBits(whole), `tick ${k}`).toBe(true);
    }
  });

  it('of floors changes no bit', () => {
    const floors = [
      { point: [0, 0.4, 0], normal: [0, 1, 0] },
      { point: [0, 0.3, 0], normal: [0.4, 1, 0] },
      { point: [0, 0.3, 0], normal: [0, 1, -0.4] },
    ] as const;
    const results = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ].map((order) => {
      const scene = makeScene(makeTail({ links: 5 }), { ...options, carry: 0.4 });
      for (const i of order)
        addFloor(scene.world, { point: [...floors[i]!.point], normal: [...floors[i]!.normal] });
      const record: unknown[] = [];
      for (let tick = 0; tick < 600; tick++) {
        const { move } = wander(tick / 120);
        setRoot(scene.world, scene.character, { position: [move[0], move[1] - 0.2, move[2]] });
        step(scene.world);
        record.push(tipsOf(scene));
      }
      return JSON.stringify(record);
    });
    expect(results[1] === results[0] && results[2] === results[0]).toBe(true);
  });
});
