/**
 * A tenth of the fuzz of `scripts/fuzz-contact.mjs`: random links among random shapes against directions found by
 * looking at many. The bound is that of docs/solver.md, "Contact" and "Colliders": the nearest direction that is free; no
 * deeper than 1e-6 m where one is, else as little deep as can be.
 */
import { describe, expect, it } from 'vitest';
import type { ColliderShape } from '../../../src/index.js';
import { faultsOf, fuzz, fuzzSets } from '../../support/contactFuzz.js';
import { linkGap } from '../../support/contactGaps.js';
import { add, len, mul, seeded, sub, unit, type V3 } from '../../support/referenceMath.js';

describe('the direction that contact finds', () => {
  it.each(fuzzSets)('is free and the nearest, or the least deep: $name', (set) => {
    const result = fuzz(set, set.cases / 10, 1);
    expect(result.contacts).toBeGreaterThan(0.3 * (set.cases / 10));
    expect(faultsOf(set, result)).toEqual([]);
  });

  it('is put to a test that finds jams', () => {
    const jams = fuzzSets.find(({ name }) => name === 'jammed, all but inside capsules')!;
    expect(fuzz(jams, 100, 1).jammed).toBeGreaterThan(5);
  });
});

describe('the distance that tests measure', () => {
  it('is the least over a link and over the balls of a shape', () => {
    const random = seeded(5);
    const point = (size: number): V3 => mul([random() - 0.5, random() - 0.5, random() - 0.5], size);
    for (let n = 0; n < 200; n++) {
      const offset = point(1);
      const ends = { offset, tail: n % 9 === 0 ? offset : point(1) };
      const radii = { radius: 0.3 * random(), tailRadius: 0.3 * random() };
      const shape: ColliderShape = { kind: 'capsule', ...ends, ...radii, inside: false };
      const from = point(2);
      const to = add(from, mul(unit(point(1)), 0.1 + random()));
      let least = Infinity;
      for (let i = 0; i <= 150; i++)
        for (let j = 0; j <= 150; j++) {
          const [u, t] = [i / 150, j / 150];
          const centre = add(mul(offset, 1 - t), mul(ends.tail, t));
          const r = radii.radius + t * (radii.tailRadius - radii.radius);
          least = Math.min(least, len(sub(add(mul(from, 1 - u), mul(to, u)), centre)) - r - 0.02);
        }
      const gap = linkGap(shape, from, to, 0.02, false);
      expect(gap).toBeLessThan(least + 1e-9);
      expect(gap).toBeGreaterThan(least - 0.012);
    }
  });
});
