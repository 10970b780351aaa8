/** Who moves a chain: the clip's keys, the solver, or the solver on top of the clip. */
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/index.js';
import { play, setChain, setRoot, step, stop } from '../../../src/index.js';
import type { Scene, TailBones } from '../../support/chains.js';
import {
  directionsOf,
  down,
  localRotationsOf,
  makeScene,
  makeTail,
  plain,
  run,
} from '../../support/chains.js';
import { clipOf, swayClip } from '../../support/poses.js';
import type { Q4 } from '../../support/referenceMath.js';
import { angleBetween, angleOf, axisAngle, identity, qrot } from '../../support/referenceMath.js';

/** A clip that turns the second tail bone to and fro about Z by this angle, every second. */
function wag({ links }: TailBones, angleRad: number): Clip {
  const times = Array.from({ length: 25 }, (_, k) => k / 24);
  return clipOf('Wag', [
    {
      bone: links[1]!,
      path: 'rotation',
      interpolation: 'linear',
      times: Float64Array.from(times),
      values: Float64Array.from(
        times.flatMap((t) => axisAngle([0, 0, 1], angleRad * Math.sin(2 * Math.PI * t))),
      ),
    },
  ]);
}

/** A clip that holds the second tail bone turned, without moving it. */
function held({ links }: TailBones): Clip {
  const turned = axisAngle([0, 0, 1], 0.7);
  return clipOf('Held', [
    {
      bone: links[1]!,
      path: 'rotation',
      interpolation: 'linear',
      times: Float64Array.of(0, 1),
      values: Float64Array.from([...turned, ...turned]),
    },
  ]);
}

function scene(options: Parameters<typeof makeScene>[1]): Scene {
  const tail = makeTail({
    links: 3,
    clips: (bones) => [wag(bones, 0.5), held(bones), swayClip(bones.hips, [0, 0, 1], 0.3, 1)],
  });
  return makeScene(tail, { ...plain, air: 1, ...options });
}

/** The wag's angle after a number of ticks. */
const wagAt = (tick: number): Q4 => axisAngle([0, 0, 1], 0.5 * Math.sin((2 * Math.PI * (tick % 120)) / 120));

describe('owner', () => {
  it('auto leaves a tail to a clip that moves it', () => {
    const s = scene({ owner: 'auto' });
    play(s.world, s.character, 'Wag');
    for (let tick = 1; tick <= 240; tick++) {
      step(s.world);
      const [first, second, third] = localRotationsOf(s, s.tail.bones.links);
      expect(angleOf(second!, wagAt(tick))).toBeLessThan(5e-3); // linear keys against the sine
      expect(angleOf(first!, identity)).toBe(0);
      expect(angleOf(third!, identity)).toBe(0);
    }
  });

  it('auto takes a tail that no clip moves, and constant tracks are no motion and no rest', () => {
    for (const clip of ['Sway', 'Held']) {
      const s = scene({ owner: 'auto' });
      play(s.world, s.character, clip);
      run(s, 1);
      run(s, 60, (k) => setRoot(s.world, s.character, { position: [k / 100, 0, 0] }));
      expect(angleBetween(directionsOf(s)[0]!, down)).toBeGreaterThan(0.02);
    }
    const s = scene({ owner: 'auto' });
    play(s.world, s.character, 'Held');
    run(s, 40 * 120);
    for (const d of directionsOf(s)) expect(angleBetween(d, down)).toBeLessThan(1e-6);
  });

  it('solver simulates a tail whatever the clip does with it', () => {
    const s = scene({ owner: 'solver' });
    play(s.world, s.character, 'Wag');
    run(s, 360, undefined, () => {
      for (const d of directionsOf(s)) expect(angleBetween(d, down)).toBeLessThan(1e-9);
    });
  });

  it('clip leaves even a tail without tracks alone', () => {
    const s = scene({ owner: 'clip' });
    play(s.world, s.character, 'Sway');
    run(s, 1);
    run(s, 120, (k) => setRoot(s.world, s.character, { position: [k / 50, 0, 0] }));
    for (const q of localRotationsOf(s, s.tail.bones.links)) expect(angleOf(q, identity)).toBe(0);
  });

  it('hands a tail over from the clip to the solver without a jump', () => {
    const s = scene({ owner: 'auto' });
    play(s.world, s.character, 'Wag');
    run(s, 150);
    let before = directionsOf(s);
    setChain(s.world, s.chain, { owner: 'solver' });
    run(s, 60, undefined, () => {
      const now = directionsOf(s);
      now.forEach((d, i) => expect(angleBetween(d, before[i]!)).toBeLessThan(0.06));
      before = now;
    });
    run(s, 40 * 120);
    for (const d of directionsOf(s)) expect(angleBetween(d, down)).toBeLessThan(1e-6);
  });

  it('returns to the solver when the clip stops', () => {
    const s = scene({ owner: 'auto' });
    play(s.world, s.character, 'Wag');
    run(s, 100);
    stop(s.world, s.character);
    run(s, 1);
    run(s, 60, (k) => setRoot(s.world, s.character, { position: [k / 100, 0, 0] }));
    expect(angleBetween(directionsOf(s)[0]!, down)).toBeGreaterThan(0.02);
  });
});

describe('restPose animated', () => {
  it('settles on the pose that a clip holds', () => {
    const s = scene({ owner: 'auto', restPose: 'animated' });
    play(s.world, s.character, 'Held');
    run(s, 40 * 120);
    const turned = qrot(axisAngle([0, 0, 1], 0.7), down);
    const expected = [down, turned, turned];
    directionsOf(s).forEach((d, i) => expect(angleBetween(d, expected[i]!)).toBeLessThan(1e-6));
  });

  it('follows a slow clip and adds its own motion to a fast one', () => {
    const s = scene({ owner: 'auto', restPose: 'animated', air: 1 });
    play(s.world, s.character, 'Wag', { speed: 0.02 });
    run(s, 600);
    let apart = 0;
    for (let tick = 601; tick <= 6000; tick++) {
      step(s.world);
      const turn = axisAngle([0, 0, 1], 0.5 * Math.sin((2 * Math.PI * tick * 0.02) / 120));
      apart = Math.max(apart, angleBetween(directionsOf(s)[1]!, qrot(turn, down)));
    }
    expect(apart).toBeLessThan(0.1);
    play(s.world, s.character, 'Wag');
    run(s, 600);
    apart = 0;
    for (let tick = 601; tick <= 720; tick++) {
      step(s.world);
      apart = Math.max(apart, angleBetween(directionsOf(s)[1]!, qrot(wagAt(tick), down)));
    }
    expect(apart).toBeGreaterThan(0.1);
  });
});
