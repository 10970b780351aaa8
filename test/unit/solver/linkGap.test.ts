/** Distance of a link to a round cone, against sampling both: never more than the samples find, hardly less. */
import { describe, expect, it } from 'vitest';
import { gapResult, linkGap } from '../../../src/systems/linkGap.js';
import { headPoint, linkLength, linkRadius, tipDirection } from '../../../src/systems/registers.js';
import { add, len, mul, seeded, sub, unit, type V3 } from '../../support/referenceMath.js';

interface Case {
  h: V3;
  d: V3;
  l: number;
  a: V3;
  b: V3;
  ra: number;
  rb: number;
}

function randomCase(random: () => number): Case {
  const point = (size: number): V3 => [
    size * (random() - 0.5),
    size * (random() - 0.5),
    size * (random() - 0.5),
  ];
  for (;;) {
    const [a, b] = [point(1), point(1)];
    const [ra, rb] = [0.2 * random(), 0.2 * random()];
    // One end that holds the other is a ball, which the caller makes of it.
    if (len(sub(b, a)) > 1.05 * Math.abs(rb - ra))
      return { h: point(1.5), d: unit(point(1)), l: 0.05 + random(), a, b, ra, rb };
  }
}

function gapOf({ h, d, l, a, b, ra, rb }: Case, tipOnly = false): { gap: number; s: number; u: number } {
  const length = len(sub(b, a));
  const cone = Float64Array.from([...a, ...unit(sub(b, a)), length, ra, (rb - ra) / length]);
  headPoint.set(h);
  tipDirection.set(d);
  linkLength[0] = l;
  linkRadius[0] = 0;
  linkGap(cone, 0, tipOnly);
  return { gap: gapResult[0]!, s: gapResult[1]!, u: gapResult[2]! };
}

/** Distance of the point at u of the link from the ball at share t of the axis. */
function distance({ h, d, a, b, ra, rb }: Case, u: number, t: number): number {
  return len(sub(add(h, mul(d, u)), add(a, mul(sub(b, a), t)))) - (ra + t * (rb - ra));
}

describe('distance of a link to a round cone', () => {
  const random = seeded(11);
  const cases = Array.from({ length: 300 }, () => randomCase(random));

  it('is the least over both', () => {
    for (const one of cases) {
      const { gap, s, u } = gapOf(one);
      let least = Infinity;
      const n = 120;
      for (let i = 0; i <= n; i++)
        for (let j = 0; j <= n; j++) least = Math.min(least, distance(one, (i * one.l) / n, j / n));
      expect(gap).toBeLessThanOrEqual(least + 1e-12);
      expect(gap).toBeGreaterThan(least - 0.01);
      // It is taken where it says.
      expect(distance(one, u, s / len(sub(one.b, one.a)))).toBeCloseTo(gap, 9);
    }
  });

  it('of the tip alone', () => {
    for (const one of cases) {
      const { gap } = gapOf(one, true);
      let least = Infinity;
      for (let j = 0; j <= 4000; j++) least = Math.min(least, distance(one, one.l, j / 4000));
      expect(gap).toBeLessThanOrEqual(least + 1e-12);
      expect(gap).toBeGreaterThan(least - 1e-4);
    }
  });

  it('for links along the axis, across it, and without length', () => {
    const cone = { a: [0, 0, 0] as V3, b: [1, 0, 0] as V3, ra: 0.1, rb: 0.1 };
    expect(gapOf({ ...cone, h: [0.2, 0.3, 0], d: [1, 0, 0], l: 0.5 }).gap).toBeCloseTo(0.2, 12);
    expect(gapOf({ ...cone, h: [0.5, -1, 0.25], d: [0, 1, 0], l: 2 }).gap).toBeCloseTo(0.15, 12);
    expect(gapOf({ ...cone, h: [0.5, -1, 0], d: [0, 1, 0], l: 2 }).gap).toBeCloseTo(-0.1, 12);
    expect(gapOf({ ...cone, h: [2, 0, 0], d: [0, 1, 0], l: 0 }).gap).toBeCloseTo(0.9, 12);
  });
});
