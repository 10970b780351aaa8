/** What a tail returns to when nothing moves it. */
import { describe, expect, it } from 'vitest';
import type { Tail } from '../../support/chains.js';
import {
  back,
  directionsOf,
  down,
  makeScene,
  makeTail,
  plain,
  radians,
  run,
  tipsOf,
} from '../../support/chains.js';
import { poseHips } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import {
  add,
  angleBetween,
  axisAngle,
  identity,
  len,
  mul,
  qrot,
  sub,
  unit,
} from '../../support/referenceMath.js';

const counts = [1, 2, 3, 4, 5, 6, 7, 8];
const bentDirections: V3[] = [
  [0.1, -1, -0.3],
  [0.5, -0.8, -0.6],
  [0.8, -0.2, -0.9],
  [0.4, 0.3, -1],
];

/** Directions in which the tail has settled after being disturbed. */
function settled(tail: Tail, carryRad: number, restCurve: number, restFrame: 'parent' | 'attachment'): V3[] {
  const scene = makeScene(tail, { ...plain, carry: carryRad, restCurve, restFrame, teleport: 'none' });
  run(scene, 1);
  poseHips(scene, axisAngle([0.3, 0.2, 1], 0.5));
  run(scene, 40);
  poseHips(scene, identity);
  run(scene, 40 * 120);
  return directionsOf(scene);
}

describe('rest', () => {
  it.each(counts)('lifts the whole tail by the carry, shared by the joints (%i links)', (links) => {
    for (const direction of [down, back]) {
      for (const axes of [undefined, 4, 5]) {
        const tail = makeTail({ links, direction, ...(axes === undefined ? {} : { axes }) });
        settled(tail, radians(50), 0, 'parent').forEach((d, i) => {
          const lift = radians((50 * (i + 1)) / links);
          const expected = qrot(axisAngle([1, 0, 0], lift), direction);
          expect(angleBetween(d, expected)).toBeLessThan(1e-6);
        });
      }
    }
  });

  for (const restFrame of ['parent', 'attachment'] as const) {
    for (const axes of [undefined, 1, 2, 3]) {
      const turned = axes === undefined ? {} : { axes };
      const name = `(${restFrame}, ${axes === undefined ? 'plain axes' : `axes of seed ${axes}`})`;

      it(`keeps the modelled shape with restCurve 1 ${name}`, () => {
        const tail = makeTail({ directions: bentDirections, ...turned });
        settled(tail, 0, 1, restFrame).forEach((d, i) =>
          expect(angleBetween(d, bentDirections[i]!)).toBeLessThan(1e-6),
        );
      });

      it(`takes the sideways bend out with restCurve 0 ${name}`, () => {
        const tail = makeTail({ directions: bentDirections, ...turned });
        const first = unit([0, bentDirections[0]![1], bentDirections[0]![2]]);
        settled(tail, 0, 0, restFrame).forEach((d) => {
          expect(Math.abs(d[0])).toBeLessThan(1e-6);
          expect(angleBetween(d, first)).toBeLessThan(1e-6);
        });
      });

      it(`lifts the modelled shape joint by joint with carry 50 and restCurve 1 ${name}`, () => {
        const tail = makeTail({ directions: bentDirections, ...turned });
        settled(tail, radians(50), 1, restFrame).forEach((d, i) => {
          const lifted = qrot(axisAngle([1, 0, 0], radians((50 * (i + 1)) / 4)), bentDirections[i]!);
          expect(angleBetween(d, lifted)).toBeLessThan(1e-6);
        });
      });
    }
  }

  it('lies half way between arc and modelled shape with restCurve one half', () => {
    const tail = makeTail({ directions: bentDirections, axes: 8 });
    const c = unit([0, bentDirections[0]![1], bentDirections[0]![2]]);
    settled(tail, 0, 0.5, 'parent').forEach((d, i) => {
      const whole = angleBetween(c, bentDirections[i]!);
      expect(angleBetween(d, c)).toBeCloseTo(whole / 2, 6);
      expect(angleBetween(d, bentDirections[i]!)).toBeCloseTo(whole / 2, 6);
    });
  });

  it('points down with restCurve 0 when the modelled tail points straight aside', () => {
    const tail = makeTail({ links: 3, direction: [1, 0, 0], axes: 3 });
    settled(tail, 0, 0, 'parent').forEach((d) => expect(angleBetween(d, down)).toBeLessThan(1e-6));
  });

  it('follows the hips: the settled shape turns with them', () => {
    const tail = makeTail({ directions: bentDirections, axes: 6 });
    const scene = makeScene(tail, plain);
    run(scene, 1);
    const turn = axisAngle([0.2, 1, 0.4], 0.9);
    poseHips(scene, turn);
    run(scene, 40 * 120);
    directionsOf(scene).forEach((d, i) =>
      expect(angleBetween(d, qrot(turn, bentDirections[i]!))).toBeLessThan(1e-6),
    );
  });

  it('continues the incoming tangent where no end bone tells, with the length of the link before', () => {
    for (const axes of [1, 2, 3, 4]) {
      const tail = makeTail({ directions: bentDirections, axes, end: false });
      const scene = makeScene(tail, plain);
      run(scene, 1);
      const tips = tipsOf(scene);
      const along = unit(bentDirections[2]!);
      const head = tips[2]!;
      expect(len(sub(tips[3]!, add(head, mul(along, 0.2))))).toBeLessThan(1e-9);
    }
  });

  it('sags under gravity to where spring and weight balance (one link, angle from the statics)', () => {
    for (const gravity of [0.5, 1, 5]) {
      const scene = makeScene(makeTail({ links: 1, direction: back }), { ...plain, gravity });
      run(scene, 40 * 120);
      const d = directionsOf(scene)[0]!;
      // On the sphere only the tangential part counts: w^2 l sin(a) = g cos(a).
      const a = Math.atan2(-d[1], -d[2]);
      const w = 2 * Math.PI * 0.9;
      const limited = Math.min(radians(30), Math.atan(gravity / (w * w * 0.8)));
      expect(a).toBeCloseTo(limited, 6);
    }
  });
});
