/** Which way a tail moves: it sags under gravity and trails behind moving hips; it never rises or runs ahead. */
import { describe, expect, it } from 'vitest';
import {
  back,
  degrees,
  directionsOf,
  down,
  makeScene,
  makeTail,
  plain,
  run,
  runAlong,
  tipOf,
  tipsOf,
} from '../../support/chains.js';
import type { V3 } from '../../support/referenceMath.js';
import { dot, len, sub } from '../../support/referenceMath.js';

const counts = [1, 2, 3, 4, 5, 6, 7, 8];
const constant = (t: number): number => 1.4 * t;
const accelerating = (t: number): number => t * t;

describe('which way a tail moves', () => {
  it.each(counts)('sags more from link to link under gravity when held out level (%i links)', (links) => {
    const scene = makeScene(makeTail({ links, direction: back }), { ...plain, gravity: 1 });
    run(scene, 40 * 120);
    const below = directionsOf(scene).map((d) => degrees(Math.atan2(-d[1], -d[2])));
    let last = 0;
    for (const angle of below) {
      expect(angle).toBeGreaterThan(last);
      expect(angle).toBeLessThan(95);
      last = angle;
    }
  });

  const ways: [string, V3][] = [
    ['forward', [0, 0, 1]],
    ['backward', [0, 0, -1]],
    ['left', [1, 0, 0]],
  ];
  for (const keepOut of [false, true]) {
    for (const [way, axis] of ways) {
      if (keepOut && way === 'backward') continue; // the plane itself forbids trailing to the front
      for (const [motion, path] of [
        ['at 1.4 m/s', constant],
        ['accelerating at 2 m/s^2', accelerating],
      ] as const) {
        it.each(counts)(
          `trails behind hips that go ${way} ${motion}, keep-out ${keepOut ? 'on' : 'off'} (%i links)`,
          (links) => {
            const tail = makeTail({ links, direction: down });
            const scene = makeScene(tail, { ...plain, air: 1, keepOut });
            run(scene, 1);
            const rest = tail.bindTips.at(-1)!;
            let ahead = -Infinity;
            runAlong(
              scene,
              6,
              (t) => [axis[0] * path(t), 0, axis[2] * path(t)],
              (tick) => {
                const t = tick / 120;
                const hips: V3 = [axis[0] * path(t), 0, axis[2] * path(t)];
                ahead = Math.max(ahead, dot(sub(sub(tipOf(scene), hips), rest), axis));
                if (t <= 4) return;
                for (const d of directionsOf(scene)) expect(dot(d, axis)).toBeLessThanOrEqual(1e-12);
              },
            );
            expect(ahead).toBeLessThanOrEqual(1e-12);
          },
        );
      }
    }
  }

  it.each([1.4, 20])('keeps the rest shape at a constant %d m/s without air', (speed) => {
    const tail = makeTail({ links: 4, direction: down });
    const scene = makeScene(tail, { ...plain, air: 0 });
    run(scene, 1);
    runAlong(scene, 12, (t) => [speed * t, 0, 0]);
    const shift: V3 = [speed * 12, 0, 0];
    tipsOf(scene).forEach((tip, i) =>
      expect(len(sub(sub(tip, shift), tail.bindTips[i]!))).toBeLessThan(1e-9),
    );
  });

  it('lags behind accelerating hips even without air', () => {
    const tail = makeTail({ links: 4, direction: down });
    const scene = makeScene(tail, { ...plain, air: 0 });
    run(scene, 1);
    runAlong(scene, 4, (t) => [t * t, 0, 0]);
    expect(tipOf(scene)[0] - 16).toBeLessThan(-0.05);
  });
});
