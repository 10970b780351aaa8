/** Bounds on the motion, with the numbers and for the counts of links that the other tests leave out. */
import { describe, expect, it } from 'vitest';
import { advance, play, step } from '../../../src/index.js';
import type { Scene } from '../../support/chains.js';
import {
  bendReader,
  degrees,
  down,
  jointsOf,
  lengthFault,
  makeScene,
  makeTail,
  plain,
  radians,
  run,
  runAlong,
  stateBytes,
  tipsOf,
} from '../../support/chains.js';
import { fastHips, fastHipsSmooth, poseHips, swayClip } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import { add, axisAngle, len, mul, seeded, sub } from '../../support/referenceMath.js';

const carried = { ...plain, carry: radians(50), restCurve: 0, gravity: 1, air: 1, keepOut: true };

describe('without air', () => {
  for (const speed of [1.4, 20]) {
    it.each([1, 2, 3, 4, 5, 6, 7, 8])(
      `a tail has its rest shape to 1e-9 after 40 s at a constant ${speed} m/s (%i links)`,
      (links) => {
        const tail = makeTail({ links, direction: down });
        const scene = makeScene(tail, { ...plain, air: 0 });
        run(scene, 1);
        runAlong(scene, 40, (t) => [speed * t, 0, 0]);
        tipsOf(scene).forEach((tip, i) =>
          expect(len(sub(sub(tip, [speed * 40, 0, 0]), tail.bindTips[i]!))).toBeLessThan(1e-9),
        );
      },
    );
  }
});

describe('fast hips', () => {
  it.each([2, 3, 4, 6, 8])(
    'bend neighbours unevenly by 27 to 29 degrees without coupling (%i links)',
    (links) => {
      const tail = makeTail({ links, direction: down });
      const options = { ...carried, coupling: 0 };
      const read = bendReader(tail, options);
      const scene = makeScene(tail, options);
      run(scene, 8 * 120);
      let uneven = 0;
      runAlong(
        scene,
        2.667,
        (t) => [fastHips(t), 0, 0],
        () => {
          const bends = read(scene);
          for (let i = 1; i < links; i++) uneven = Math.max(uneven, Math.abs(bends[i]! - bends[i - 1]!));
        },
      );
      expect(degrees(uneven)).toBeGreaterThan(27);
      expect(degrees(uneven)).toBeLessThan(29);
    },
  );

  const axes: [string, V3][] = [
    ['+X', [1, 0, 0]],
    ['-Z', [0, 0, -1]],
    ['+Y', [0, 1, 0]],
  ];
  it.each(axes)('along %s change no length by more than 1e-12 m at any tick', (_, axis) => {
    for (const links of [1, 2, 3, 4, 6, 8])
      for (const path of [fastHips, fastHipsSmooth]) {
        const scene = makeScene(makeTail({ links, direction: down }), carried);
        run(scene, 8 * 120);
        runAlong(
          scene,
          2.667,
          (t) => mul(axis, path(t)),
          (tick) =>
            expect(lengthFault(scene, add([0, 1, 0], mul(axis, path(tick / 120))))).toBeLessThanOrEqual(1),
        );
      }
  });
});

describe('frames', () => {
  const settings = { ...plain, gravity: 1, air: 0.6, keepOut: true };

  it('of any length leave the whole state region as single steps do, to the bit', () => {
    const swaying = (): Scene => {
      const tail = makeTail({ links: 5, clips: ({ hips }) => [swayClip(hips, [0.2, 1, 0.3], 0.6, 0.9)] });
      const scene = makeScene(tail, settings);
      play(scene.world, scene.character, 'Sway');
      return scene;
    };
    const random = seeded(17);
    const rates = [24, 30, 60, 90, 144, 240].map((fps) => (): number => 1 / fps);
    for (const frame of [...rates, (): number => 0.008 + 0.032 * random()]) {
      const [whole, stepped] = [swaying(), swaying()];
      while (whole.world.tick < 400) {
        const ticks = advance(whole.world, frame());
        for (let k = 0; k < ticks; k++) step(stepped.world);
        // Before the first tick a frame already takes note of where the root was put.
        if (whole.world.tick === 0) continue;
        expect(withoutClock(whole).equals(withoutClock(stepped)), `tick ${whole.world.tick}`).toBe(true);
      }
    }
  });

  it('of 8 to 40 ms lead the tip along the path of 240 fps when the game gives the poses', () => {
    const path = (frame: () => number): { t: number; tip: V3 }[] => {
      const scene = makeScene(makeTail({ links: 4 }), settings);
      const made: { t: number; tip: V3 }[] = [];
      let t = 0;
      const pose = (): void =>
        poseHips(scene, axisAngle([0.3, 1, 0.5], 0.5 * Math.sin(1.6 * Math.PI * t)), [
          0.1 * Math.sin(5 * t),
          0,
          0,
        ]);
      pose();
      step(scene.world);
      while (t < 6) {
        const dt = frame();
        t += dt;
        pose();
        advance(scene.world, dt);
        made.push({ t, tip: jointsOf(scene).at(-1)! });
      }
      return made;
    };
    const fine = path(() => 1 / 240);
    const random = seeded(7);
    let worst = 0;
    for (const { t, tip } of path(() => 0.008 + 0.032 * random())) {
      if (t < 1 || t > 5.5) continue;
      const k = Math.floor(t * 240) - 1;
      const [a, b] = [fine[k]!, fine[k + 1]!];
      const between = add(a.tip, mul(sub(b.tip, a.tip), (t - a.t) / (b.t - a.t)));
      worst = Math.max(worst, len(sub(tip, between)) / 0.8);
    }
    expect(worst).toBeLessThan(0.02);
  });
});

/** The state region without the time that `advance` has put aside for the next tick. */
function withoutClock({ world }: Scene): Buffer {
  const { pending } = world.views.global;
  const aside = pending[0]!;
  pending[0] = 0;
  const bytes = Buffer.from(stateBytes(world));
  pending[0] = aside;
  return bytes;
}
