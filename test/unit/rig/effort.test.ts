/** The search for protrusions ends when its effort is spent: the strongest tips come first, and the rest is told. */
import { expect, test } from 'vitest';
import { skinSpaces } from '../../../src/rig/bindSpace.js';
import { buildSkinGraph } from '../../../src/rig/buildSkinGraph.js';
import { drivingBones } from '../../../src/rig/drivingBones.js';
import { findProtrusions, type Protrusion } from '../../../src/rig/protrusions.js';
import { findRoles } from '../../../src/rig/roles.js';
import { weldSurface } from '../../../src/rig/surface.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { tailed } from '../../support/rig/fixtures.js';

test('spent effort leaves the least tips out and says how many', () => {
  const { asset } = tailed('fox', 'tubes');
  const neutral = recoverNeutral(asset);
  const surface = weldSurface(asset, skinSpaces(asset, neutral), []);
  const graph = buildSkinGraph(surface);
  const bones = drivingBones(asset, neutral, surface);
  const source = findRoles(asset, bones)!.rearLegs.middle;
  const search = (most?: number): { found: Protrusion[]; tips: number; stops: [number, number][] } => {
    const stops: [number, number][] = [];
    let tips = 0;
    const found = findProtrusions(
      graph,
      bones,
      [source],
      () => tips++,
      (left, count) => stops.push([left, count]),
      most,
    );
    return { found, tips, stops };
  };
  const all = search();
  expect(all.stops).toEqual([]);
  expect(all.tips).toBeGreaterThan(1);
  const few = search(1e-9);
  expect(few.tips).toBeLessThan(all.tips);
  expect(few.stops).toEqual([[all.tips - few.tips, all.tips]]);
  const nodes = (found: Protrusion[]): number[][] => found.map((piece) => [...piece.nodes]);
  expect(nodes(few.found)).toEqual(nodes(all.found).slice(0, few.found.length));
});
