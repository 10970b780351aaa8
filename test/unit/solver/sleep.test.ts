/** Chains that rest fall asleep, change no bit while they sleep, and wake on any change. */
import { describe, expect, it } from 'vitest';
import {
  addFloor,
  play,
  resetChain,
  rowOf,
  setChain,
  setFloor,
  setPose,
  setRoot,
  step,
  teleport,
} from '../../../src/index.js';
import { chainState } from '../../../src/components/codes.js';
import type { Scene } from '../../support/chains.js';
import { back, jointsOf, makeScene, makeTail, motionBits, plain, run, tipsOf } from '../../support/chains.js';
import { swayClip } from '../../support/poses.js';
import { len, sub } from '../../support/referenceMath.js';

const options = { ...plain, gravity: 1, floor: true };

function asleep({ world, chain }: Scene): boolean {
  return world.views.chain.status[rowOf(world, 'chain', chain)] === chainState.asleep;
}

function sleeping(): Scene {
  const tail = makeTail({
    links: 4,
    direction: back,
    clips: ({ hips }) => [swayClip(hips, [0, 1, 0], 0.4, 1)],
  });
  const scene = makeScene(tail, options);
  run(scene, 60 * 120);
  return scene;
}

describe('sleep', () => {
  it('comes half a second after the last motion at the earliest', () => {
    const scene = makeScene(makeTail({ links: 2 }), plain);
    // At rest from the first tick on: nothing ever moves.
    for (let tick = 1; tick <= 59; tick++) {
      step(scene.world);
      expect(asleep(scene)).toBe(false);
    }
    run(scene, 10);
    expect(asleep(scene)).toBe(true);
  });

  it('never comes while a link turns or its hips move', () => {
    const scene = makeScene(makeTail({ links: 4, direction: back }), options);
    let last = tipsOf(scene);
    run(scene, 30 * 120, undefined, () => {
      const tips = tipsOf(scene);
      const moved = Math.max(...tips.map((tip, i) => len(sub(tip, last[i]!))));
      if (moved > 0.2 * 1e-9) expect(asleep(scene)).toBe(false);
      last = tips;
    });
    const carried = makeScene(makeTail({ links: 4 }), { ...plain, air: 0 });
    run(
      carried,
      30 * 120,
      (k) => setRoot(carried.world, carried.character, { position: [k / 120, 0, 0] }),
      () => expect(asleep(carried)).toBe(false),
    );
  });

  it('leaves the tail within 1e-9 m of where it would settle awake', () => {
    const scene = sleeping();
    expect(asleep(scene)).toBe(true);
    const awake = makeScene(makeTail({ links: 4, direction: back }), options);
    run(awake, 60 * 120, (k) => {
      // A changed bit every tick keeps it awake and moves it by nothing that counts.
      if (k > 0) setRoot(awake.world, awake.character, { position: [k % 2 === 0 ? 1e-15 : 0, 0, 0] });
    });
    expect(asleep(awake)).toBe(false);
    tipsOf(scene).forEach((tip, i) => expect(len(sub(tip, tipsOf(awake)[i]!))).toBeLessThan(1e-9));
  });

  it('changes no bit', () => {
    const scene = sleeping();
    const bits = motionBits(scene.world);
    const joints = jointsOf(scene);
    run(scene, 240);
    expect(motionBits(scene.world)).toBe(bits);
    expect(jointsOf(scene)).toEqual(joints);
  });

  const alarms: [string, (scene: Scene) => void][] = [
    ['the root moves', ({ world, character }) => setRoot(world, character, { position: [1e-9, 0, 0] })],
    ['the root is scaled', ({ world, character }) => setRoot(world, character, { scale: [1.5, 1.5, 1.5] })],
    [
      'a pose is given that turns the hips',
      ({ world, character, tail }) => {
        const rotations = tail.asset.skeleton.rotations.slice();
        rotations.set([0.1, 0, 0, Math.sqrt(0.99)], 8);
        setPose(world, character, { rotations });
      },
    ],
    ['a clip plays', ({ world, character }) => play(world, character, 'Sway')],
    ['an option changes', ({ world, chain }) => setChain(world, chain, { gravity: 2 })],
    ['a floor comes', ({ world }) => addFloor(world, { point: [0, 0.9, 0] })],
    ['it is reset', ({ world, chain }) => resetChain(world, chain)],
  ];
  it.each(alarms)('ends when %s', (_, alarm) => {
    const scene = sleeping();
    expect(asleep(scene)).toBe(true);
    const before = tipsOf(scene);
    alarm(scene);
    run(scene, 30);
    expect(asleep(scene)).toBe(false);
    const moved = tipsOf(scene).some((tip, i) => len(sub(tip, before[i]!)) > 0);
    expect(moved).toBe(true);
  });

  it('ends when a floor that carries the tail moves', () => {
    const scene = makeScene(makeTail({ links: 4, direction: back }), options);
    const floor = addFloor(scene.world, { point: [0, 0.9, 0] });
    run(scene, 60 * 120);
    expect(asleep(scene)).toBe(true);
    setFloor(scene.world, floor, { point: [0, 0.91, 0] });
    run(scene, 5);
    expect(asleep(scene)).toBe(false);
  });

  it('goes on after a teleport that moves everything alike', () => {
    const scene = sleeping();
    const before = jointsOf(scene);
    teleport(scene.world, scene.character);
    setRoot(scene.world, scene.character, { position: [8, 0, 4] });
    run(scene, 10);
    jointsOf(scene).forEach((p, i) => expect(len(sub(sub(p, [8, 0, 4]), before[i]!))).toBeLessThan(1e-7));
  });

  it('ends when a clip moves the rest shape of a chain whose rest is the animated pose', () => {
    const tail = makeTail({
      links: 4,
      direction: back,
      // Still for a minute, then the root link turns, under hips that never move.
      clips: ({ links }) => [
        {
          name: 'Late',
          index: 0,
          duration: 90,
          bakedBones: [],
          tracks: [
            {
              bone: links[0]!,
              path: 'rotation',
              interpolation: 'linear',
              times: Float64Array.of(0, 60, 90),
              values: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.6, 0, 0.8),
            },
          ],
        },
      ],
    });
    const scene = makeScene(tail, { ...plain, restPose: 'animated' });
    play(scene.world, scene.character, 'Late');
    run(scene, 58 * 120);
    const before = tipsOf(scene);
    run(scene, 12 * 120);
    const turned = Math.max(...tipsOf(scene).map((tip, i) => len(sub(tip, before[i]!))));
    expect(turned).toBeGreaterThan(0.1);
  });
});
