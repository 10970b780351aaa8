import { expect, it } from 'vitest';
import { soak } from '../../support/soak.js';

it('a million steps of links in a world where all comes and goes leave nothing behind', () => {
  const report = soak(1e6, 19);
  expect(report.notFinite).toEqual([]);
  expect(report.leftOver).toEqual([]);
  expect(report.handles).toBe(0);
  expect(report.rows).toBeLessThan(2 * report.rowsEarly);
  expect(report.ticks).toBeGreaterThan(10_000);
}, 60_000);
