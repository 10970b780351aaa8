/** Percentiles against their definition, counted out. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { percentile, stretchFigures } from '../../../src/measure/figures.js';

describe('nearest-rank percentile', () => {
  test('is the smallest value that at least the given share does not exceed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.95, 0.99, 1),
        (values, share) => {
          const value = percentile(
            values.toSorted((a, b) => a - b),
            share,
          );
          const notAbove = values.filter((v) => v <= value).length;
          const below = values.filter((v) => v < value).length;
          expect(values).toContain(value);
          expect(notAbove).toBeGreaterThanOrEqual(share * values.length - 1e-9);
          expect(below).toBeLessThan(share * values.length + 1e-9);
        },
      ),
    );
  });

  test('a hundred values: the 95th and the 99th', () => {
    const hundred = Float64Array.from({ length: 100 }, (_, i) => 100 - i);
    const figures = stretchFigures(hundred, 50);
    expect(figures).toMatchObject({ edges: 50, samples: 100, p95: 95, p99: 99, max: 100, min: 1 });
  });

  test('torn is the share above 1.5 or below 0.67', () => {
    expect(stretchFigures(Float64Array.of(1, 1.5, 0.67, 1.51, 0.66), 5).torn).toBeCloseTo(0.4, 15);
  });
});
