/** Writing BVH: what is written reads back the same, here and in other programs (docs/bvh.md). */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { describe, expect, test } from 'vitest';
import { readBvh, writeBvh, type Bvh } from '../../../src/io/bvh/index.js';
import { shared, sharedNames } from '../../support/shared.js';
import { walkerBvh } from '../../support/walkerBvh.js';
import { files, layouts, numbers, print } from './print.js';

/** All but what was said while reading. */
const content = (file: Bvh): Bvh => ({ ...file, warnings: [] });

test('what is written reads back bit for bit, whatever the file', () => {
  fc.assert(
    fc.property(files(numbers), layouts, (file, layout) => {
      const before = readBvh(print(file, layout).text);
      const text = writeBvh(before);
      const after = readBvh(text);
      expect(content(after)).toEqual(content(before));
      expect(after.warnings).toEqual([]);
      // Not every reader knows exponents.
      expect(text.replace(/(ROOT|JOINT|End Site).*/g, '')).not.toMatch(/\de[+-]?\d/);
      expect(writeBvh(after)).toBe(text);
    }),
  );
});

test.each([
  [5e-324, `0.${'0'.repeat(323)}5`],
  [1.25e21, '1250000000000000000000'],
  [-1.5e-7, '-0.00000015'],
  [-0, '-0'],
  [0.1, '0.1'],
])('%s is written as %s', (value, expected) => {
  const file = readBvh('ROOT a { OFFSET 0 0 0 }');
  file.joints[0]!.offset = [value, 0, 0];
  expect(writeBvh(file)).toContain(`OFFSET ${expected} 0 0\n`);
});

test('three reads what is written', () => {
  const text = writeBvh(readBvh(walkerBvh(7)));
  const [mine, theirs] = [new BVHLoader().parse(text), new BVHLoader().parse(walkerBvh(7))];
  expect(mine.skeleton.bones.map(({ name }) => name)).toEqual(theirs.skeleton.bones.map(({ name }) => name));
  expect(mine.clip.tracks.map(({ values }) => [...values])).toEqual(
    theirs.clip.tracks.map(({ values }) => [...values]),
  );
});

describe('real files', () => {
  test.each(sharedNames('bvh', '.bvh'))('%s', (name) => {
    const before = readBvh(readFileSync(`${shared}/bvh/${name}`));
    expect(content(readBvh(writeBvh(before)))).toEqual(content(before));
  });
});
