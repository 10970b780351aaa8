/**
 * A real hand (the rig of an animation library's sample, posed 34 times) that was exported from its fist without tips: the
 * end bone of the same rig says where they are. Its open hand bends the last phalanges back by 8 to 13 degrees, so that is
 * how near a repair can come. And files of other people, none of which has this fault.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Bvh } from '../../../../src/io/bvh/bvh.js';
import { auditLeaves } from '../../../../src/io/bvh/leafAudit.js';
import { repairLeaves } from '../../../../src/io/bvh/leafRepair.js';
import { readBvh } from '../../../../src/io/bvh/readBvh.js';
import { len, sub, type V3 } from '../../../support/referenceMath.js';
import { shared, sharedNames } from '../../../support/shared.js';
import { angleDeg, endOf, forward, shownBend, split } from './hand.js';

interface Truth {
  /** Bends between the bones before the leaf and at it, without sign, and where the tip is, per digit. */
  poses: { flexMidDistalDeg: Record<string, [number, number]>; tips: Record<string, V3> }[];
}

const fist = 0;
const open = 1;
const digits = ['Thumb', 'Index', 'Middle', 'Ring', 'Pinky'];
const leafOf = (digit: string): string => `RightHand${digit}3`;

const read = (folder: string, name: string): Bvh =>
  readBvh(readFileSync(join(shared!, folder, name)), { name, fps: 30 });

describe.skipIf(shared === undefined)('a hand exported from its fist', () => {
  const load = (end: string): Bvh => read('derived', `biped_hand_fistref_${end}.bvh`);
  const truthOf = (): Truth =>
    JSON.parse(readFileSync(join(shared!, 'derived', 'biped_hand_fistref.truth.json'), 'utf8')) as Truth;
  /** Tip in the frame of the leaf: nothing turns in the fist. */
  const tipOf = (bvh: Bvh, digit: string): V3 =>
    sub(truthOf().poses[fist]!.tips[digit]!, forward(bvh, fist)[leafOf(digit)]!.position);

  test('with Nubs it is right: the End Sites are the tips', () => {
    const bvh = load('nub');
    const { poses } = truthOf();
    for (const digit of digits) {
      const end = bvh.joints.find(({ name }) => name === leafOf(digit))!.ends[0]!;
      expect(len(sub(end.offset, tipOf(bvh, digit)))).toBeLessThan(1e-3);
    }
    expect(poses).toHaveLength(bvh.frameCount);
    expect(auditLeaves([bvh]).groups[0]!.leaves).toEqual([]);
    expect(repairLeaves([bvh]).files[0]).toBe(bvh);
  });

  test.each(['no_end', 'zero_end'])(
    '%s: all leaves are faulty, and repaired as far as the open hand allows',
    (end) => {
      const bvh = load(end);
      const { poses } = truthOf();
      const { files, audit, repaired } = repairLeaves([bvh]);
      const [mended] = files;
      expect(repaired).toEqual(digits.map(leafOf));
      for (const leaf of audit.groups[0]!.leaves) {
        const digit = leaf.name.slice('RightHand'.length, -1);
        expect([leaf.verdict, leaf.end]).toEqual(['defect', end === 'no_end' ? 'none' : 'zero']);
        const [inner, missing] = poses[fist]!.flexMidDistalDeg[digit]!;
        expect(leaf.restBendDeg).toBeCloseTo(inner, 0);
        const naive = angleDeg(bvh.joints[leaf.joint]!.offset, tipOf(bvh, digit));
        expect(naive).toBeCloseTo(missing, 0);
        const error = angleDeg(endOf(mended!, leaf.name)!.offset, tipOf(bvh, digit));
        // A mean of straight poses is no further off than the worst of them.
        const straight = poses.map((pose) => pose.flexMidDistalDeg[digit]!).filter(([bend]) => bend < 16);
        expect(error).toBeLessThan(Math.max(...straight.map(([, bend]) => bend)));
        expect(error).toBeLessThan(naive / 2.9);
        expect(Math.abs(shownBend(mended!, leaf.name, open))).toBeLessThan(3);
        expect(shownBend(mended!, leaf.name, fist)).toBeGreaterThan(40);
        for (const [f, pose] of poses.entries()) {
          const placed = forward(mended!, f);
          const base = placed[leaf.name]!.position;
          const off = angleDeg(sub(placed[`${leaf.name}_End`]!.position, base), sub(pose.tips[digit]!, base));
          expect(off).toBeCloseTo(error, 1);
        }
      }
      for (const f of poses.keys())
        for (const [name, place] of Object.entries(forward(bvh, f)))
          expect(forward(mended!, f)[name]).toEqual(place);
      const apart = repairLeaves(split(bvh));
      for (const file of apart.files) expect(file.joints).toEqual(mended!.joints);
    },
  );
});

test.skipIf(shared === undefined)('files of other people have no such fault and stay as they are', () => {
  const names = sharedNames('bvh', '.bvh');
  expect(names.length).toBeGreaterThan(10);
  const files = names.map((name) => read('bvh', name));
  const { files: after, repaired, audit } = repairLeaves(files);
  expect(repaired).toEqual([]);
  for (const [i, file] of after.entries()) expect(file).toBe(files[i]);
  for (const { leaves } of audit.groups)
    for (const leaf of leaves) {
      expect(leaf.verdict).not.toBe('defect');
      expect(JSON.stringify(leaf)).not.toContain('null');
    }
});
