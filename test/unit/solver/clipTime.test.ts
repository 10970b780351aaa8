/** Clips at the tick: start, speed, both ends, blends, and what is left when one ends. */
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/index.js';
import { play, setPlayerWeight, setPose, step } from '../../../src/index.js';
import type { Scene } from '../../support/chains.js';
import { localRotationsOf, makeScene, makeTail, plain, run } from '../../support/chains.js';
import { clipOf, swayClip } from '../../support/poses.js';
import { angleOf, axisAngle, identity } from '../../support/referenceMath.js';

describe('clip time', () => {
  const hold =
    (name: string, angle: number): ((bone: number) => Clip) =>
    (bone) =>
      clipOf(name, [
        {
          bone,
          path: 'rotation',
          interpolation: 'linear',
          times: Float64Array.of(0, 1),
          values: Float64Array.from([...axisAngle([0, 0, 1], angle), ...axisAngle([0, 0, 1], 2 * angle)]),
        },
      ]);
  const scene = (): Scene =>
    makeScene(
      makeTail({ links: 1, clips: ({ hips }) => [hold('A', 0.3)(hips), hold('B', -0.1)(hips)] }),
      plain,
    );
  const turnOf = (s: Scene): number => {
    const [q] = localRotationsOf(s, [s.tail.bones.hips]);
    return 2 * Math.atan2(q![2], q![3]);
  };

  it('counts from the tick it was played in, at the time and speed given', () => {
    const s = scene();
    run(s, 7);
    play(s.world, s.character, 'A', { time: 0.25, speed: 2 });
    step(s.world);
    expect(turnOf(s)).toBeCloseTo(0.3 * (1 + 0.25 + 2 / 120), 12);
    run(s, 23);
    expect(turnOf(s)).toBeCloseTo(0.3 * (1 + 0.25 + 48 / 120), 12);
  });

  it('holds at both ends without loop and wraps at both with it', () => {
    for (const [options, ticks, expected] of [
      [{ loop: false }, 200, 2],
      [{ loop: false, speed: -1, time: 0.5 }, 200, 1],
      [{ loop: true }, 150, 1.25],
      [{ loop: true, speed: -1 }, 30, 1.75],
    ] as const) {
      const s = scene();
      play(s.world, s.character, 'A', options);
      run(s, ticks);
      expect(turnOf(s)).toBeCloseTo(0.3 * expected, 12);
    }
  });

  it('of a clip without duration is its first key', () => {
    const s = scene();
    s.tail.asset.clips.length = 0;
    const tail = makeTail({
      links: 1,
      clips: ({ hips }) => [
        clipOf('Key', [
          {
            bone: hips,
            path: 'rotation',
            interpolation: 'linear',
            times: Float64Array.of(0),
            values: Float64Array.from(axisAngle([0, 0, 1], 0.4)),
          },
        ]),
      ],
    });
    const one = makeScene(tail, plain);
    play(one.world, one.character, 'Key', { speed: -3 });
    run(one, 10);
    expect(turnOf(one)).toBeCloseTo(0.4, 12);
  });

  it('is exact beyond 2^31 ticks', () => {
    const [early, late] = [scene(), scene()];
    late.world.views.global.tick[0] = 2 ** 33 + 5;
    for (const s of [early, late]) {
      play(s.world, s.character, 'A');
      run(s, 500);
    }
    expect(turnOf(late)).toBe(turnOf(early));
    expect(late.world.tick).toBe(2 ** 33 + 505);
  });

  it('of two clips blends by their shares; what is missing to 1 is the saved pose', () => {
    const s = scene();
    const a = play(s.world, s.character, 'A', { speed: 0, weight: 0.25 });
    step(s.world);
    expect(turnOf(s)).toBeCloseTo(0.25 * 0.3, 9);
    const b = play(s.world, s.character, 'B', { speed: 0, weight: 0.25, add: true });
    step(s.world);
    // One after the other by weight over what is summed up so far.
    expect(turnOf(s)).toBeCloseTo(0.25 * 0.3 - 0.25 * 0.1, 9);
    setPlayerWeight(s.world, a, 0);
    setPlayerWeight(s.world, b, 0);
    step(s.world);
    expect(turnOf(s)).toBe(0);
    setPlayerWeight(s.world, a, 1);
    setPlayerWeight(s.world, b, 1);
    step(s.world);
    expect(turnOf(s)).toBeCloseTo(0.1, 9);
  });

  it('of a clip with weight 0 beside a full one counts for nothing', () => {
    const s = scene();
    play(s.world, s.character, 'B', { weight: 0 });
    play(s.world, s.character, 'A', { speed: 0, add: true });
    step(s.world);
    expect(turnOf(s)).toBeCloseTo(0.3, 12);
  });

  it('of a replaced clip leaves nothing behind on bones that the new one does not move', () => {
    const tail = makeTail({
      links: 1,
      legs: 1,
      clips: ({ hips, legs }) => [hold('Leg', 0.5)(legs[0]!), swayClip(hips, [0, 0, 1], 0.3, 1)],
    });
    const s = makeScene(tail, plain);
    play(s.world, s.character, 'Leg');
    run(s, 10);
    play(s.world, s.character, 'Sway');
    run(s, 2);
    expect(angleOf(localRotationsOf(s, tail.bones.legs)[0]!, identity)).toBe(0);
  });

  it('ends where it stands when the game takes the pose over', () => {
    const s = scene();
    play(s.world, s.character, 'A');
    run(s, 60);
    const before = turnOf(s);
    setPose(s.world, s.character, { scales: s.tail.asset.skeleton.scales });
    run(s, 2);
    expect(turnOf(s)).toBeCloseTo(before, 12);
  });
});
