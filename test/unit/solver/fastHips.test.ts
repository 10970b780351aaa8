/** Hips that jump half a metre aside: the tail bends evenly from link to link and never beyond its limit. */
import { describe, expect, it } from 'vitest';
import type { SceneOptions } from '../../support/chains.js';
import {
  bendReader,
  degrees,
  down,
  makeScene,
  makeTail,
  plain,
  radians,
  run,
  runAlong,
} from '../../support/chains.js';
import { fastHips, fastHipsSmooth } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import { mul } from '../../support/referenceMath.js';

const settings: SceneOptions = {
  ...plain,
  carry: radians(50),
  restCurve: 0,
  gravity: 1,
  air: 1,
  keepOut: true,
};

/** Largest difference of neighbouring bend angles and largest bend, in degrees. */
function measure(
  links: number,
  axis: V3,
  path: (t: number) => number,
  options: SceneOptions = {},
): { uneven: number; largest: number } {
  const tail = makeTail({ links, direction: down });
  const all = { ...settings, ...options };
  const read = bendReader(tail, all);
  const scene = makeScene(tail, all);
  run(scene, 8 * 120);
  let uneven = 0;
  let largest = 0;
  runAlong(
    scene,
    2.667,
    (t) => mul(axis, path(t)),
    () => {
      const bends = read(scene);
      bends.forEach((bend, i) => {
        if (i > 0) uneven = Math.max(uneven, Math.abs(bend - bends[i - 1]!));
        largest = Math.max(largest, bend);
      });
    },
  );
  return { uneven: degrees(uneven), largest: degrees(largest) };
}

describe('fast hips', () => {
  const counts = [2, 3, 4, 6, 8];

  it.each(counts)('bend neighbouring links within 25 degrees of each other (%i links, along +X)', (links) => {
    const { uneven, largest } = measure(links, [1, 0, 0], fastHips);
    console.log(
      `fast hips +X, ${links} links: uneven ${uneven.toFixed(2)}, largest bend ${largest.toFixed(2)} deg`,
    );
    expect(uneven).toBeLessThan(25);
    expect(largest).toBeLessThanOrEqual(30 + 1e-6);
  });

  const others: [string, V3, (t: number) => number][] = [
    ['along -Z', [0, 0, -1], fastHips],
    ['along +Y', [0, 1, 0], fastHips],
    ['along +X with least jerk', [1, 0, 0], fastHipsSmooth],
  ];
  for (const [name, axis, path] of others) {
    it.each(counts)(`never bend a link beyond its limit ${name} (%i links)`, (links) => {
      const { uneven, largest } = measure(links, axis, path, { keepOut: false });
      console.log(
        `fast hips ${name}, ${links} links: uneven ${uneven.toFixed(2)}, largest ${largest.toFixed(2)} deg`,
      );
      expect(largest).toBeLessThanOrEqual(30 + 1e-6);
    });
  }

  it('bends the links less evenly without coupling, so that the coupling is what the bound measures', () => {
    const uneven = counts.map((links) => measure(links, [1, 0, 0], fastHips, { coupling: 0 }).uneven);
    console.log(`fast hips +X without coupling: ${uneven.map((x) => x.toFixed(2)).join(', ')} deg`);
    expect(Math.max(...uneven)).toBeGreaterThan(25);
  });
});
