/**
 * Which files `repairLeaves` touches, and what the caller says: healthy sets and leaves that few straight poses speak for
 * stay the very objects they are; force, tips that are known and a straight pose change that. All files of a set get one
 * tip, however the set is cut into files.
 */
import { describe, expect, test } from 'vitest';
import { FollowthroughError } from '../../../../src/asset/errors.js';
import type { Bvh } from '../../../../src/io/bvh/bvh.js';
import { auditLeaves } from '../../../../src/io/bvh/leafAudit.js';
import { repairLeaves } from '../../../../src/io/bvh/leafRepair.js';
import { len, mul, sub, type V3 } from '../../../support/referenceMath.js';
import {
  angleDeg,
  digitOf,
  endOf,
  FIST,
  fingerPoses,
  HALF,
  laws,
  makeHand,
  OPEN,
  orders,
  split,
} from './hand.js';

/** One or all files must be the objects that came in. */
function untouched(files: readonly Bvh[], options: Parameters<typeof repairLeaves>[1] = {}): void {
  const result = repairLeaves(files, options);
  expect(result.repaired).toEqual([]);
  expect(result.files).toHaveLength(files.length);
  for (const [i, file] of result.files.entries()) expect(file).toBe(files[i]);
}

const tipsOf = (file: Bvh): (number[] | undefined)[] =>
  file.joints.flatMap(({ name }) => (name.endsWith('3') ? [endOf(file, name)?.offset] : []));

describe('left alone', () => {
  test.each(laws)('%s: what counts from the open hand', (law) => {
    for (const ends of ['none', 'zero', 'straight', 'nub'] as const) {
      const { bvh } = makeHand(fingerPoses({ law }), { reference: OPEN, ends });
      untouched([bvh]);
      untouched(split(bvh));
    }
    // Zero in one frame only, far to one side in all others.
    untouched([makeHand(fingerPoses({ law, open: 1, closedFrom: 65 }), { reference: OPEN }).bvh]);
  });

  test('what counts from a fist, but has Nubs', () => {
    const { bvh } = makeHand(fingerPoses(), { ends: 'nub' });
    untouched([bvh]);
    untouched([bvh], { force: true });
  });

  test('no files, one frame, the frame that counts from itself', () => {
    untouched([]);
    const [fist, , open] = split(makeHand(fingerPoses()).bvh);
    untouched([fist!], { force: true });
    untouched([open!], { force: true });
  });

  test('where hardly a pose is straight, unless forced; the sum of the weights says so', () => {
    const { bvh, leaves } = makeHand(fingerPoses({ open: 1, closedFrom: 40 }));
    const { groups } = auditLeaves([bvh]);
    expect(groups[0]!.leaves.map(({ verdict }) => verdict)).toEqual(leaves.map(() => 'defect'));
    for (const { support } of groups[0]!.leaves) expect(support).toBeLessThanOrEqual(1);
    untouched([bvh]);
    expect(repairLeaves([bvh], { force: true }).repaired).toEqual(leaves);
  });

  test('by finger, not by hand', () => {
    const count = 20;
    const bends = (open: number): [number, number][] =>
      Array.from({ length: count }, (_, f) => (f === 0 ? [95, 70] : f <= open ? [1, 2] : [50 + f, 35 + f]));
    const { bvh } = makeHand([
      digitOf('Index*', bends(1)),
      digitOf('Middle*', bends(2)),
      digitOf('Ring*', bends(9)),
    ]);
    const { files, repaired, audit } = repairLeaves([bvh]);
    expect(audit.groups[0]!.leaves.map(({ support }) => Math.round(support))).toEqual([1, 2, 9]);
    expect(repaired).toEqual(['Middle3', 'Ring3']);
    expect(tipsOf(files[0]!).map((tip) => tip !== undefined)).toEqual([false, true, true]);
  });
});

describe('sets', () => {
  const hand = makeHand(fingerPoses({ seed: 5 }));
  const [whole] = repairLeaves([hand.bvh]).files;

  test('34 files of one pose get the tips of one file of 34', () => {
    const files = split(hand.bvh);
    const result = repairLeaves(files);
    expect(result.repaired).toEqual(hand.leaves);
    for (const [f, file] of result.files.entries()) {
      expect(file).not.toBe(files[f]);
      expect(file.joints).toEqual(whole!.joints);
      expect(file.name).toBe(`pose ${f}`);
      const { channelCount } = whole!;
      expect(file.frames).toEqual(whole!.frames.slice(f * channelCount, (f + 1) * channelCount));
    }
  });

  test('mixed with files of another skeleton, in any order', () => {
    const other = split(makeHand(fingerPoses({ seed: 8 }), { reference: OPEN, seed: 2 }).bvh);
    const third = makeHand(fingerPoses({ seed: 9, law: 'power' }), { seed: 3 }).bvh;
    const files = split(hand.bvh).flatMap((file, f) => [other[f]!, file]);
    files.splice(10, 0, third);
    const result = repairLeaves(files);
    const [alone] = repairLeaves([third]).files;
    for (const [i, file] of result.files.entries()) {
      if (files[i]!.name === 'hand.bvh') expect(file).toEqual(alone);
      else if (other.includes(files[i]!)) expect(file).toBe(files[i]);
      else expect(file.joints).toEqual(whole!.joints);
    }
  });

  test('files whose offsets have fewer digits belong to the set and get its tips', () => {
    const rough = structuredClone(split(hand.bvh));
    for (const [f, file] of rough.entries())
      for (const { offset } of file.joints)
        for (let k = 0; k < 3; k++) offset[k] = Number(offset[k]!.toFixed(2 + (f % 4)));
    const { files, repaired } = repairLeaves(rough);
    expect(repaired).toEqual(hand.leaves);
    for (const file of files)
      for (const leaf of hand.leaves)
        expect(len(sub(endOf(file, leaf)!.offset, endOf(whole!, leaf)!.offset))).toBeLessThan(0.02);
  });

  test('with other orders of channels and other units one tip, in each file its own order and unit', () => {
    const digits = fingerPoses({ seed: 5 });
    const scales = [1, 0.01, 2.54, 100, 1, 10];
    const hands = orders.map((order, i) =>
      makeHand(digits, { order, scale: scales[i]!, seed: 4, ends: 'straight' }),
    );
    const { files, repaired } = repairLeaves(hands.map(({ bvh }) => bvh));
    expect(repaired).toEqual(hand.leaves);
    for (const leaf of hand.leaves) {
      const first = endOf(files[0]!, leaf)!.offset;
      for (const [i, file] of files.entries()) {
        const { offset, channels } = endOf(file, leaf)!;
        expect(len(sub(mul(offset, 1 / scales[i]!), first))).toBeLessThan(1e-9);
        expect(channels.map((channel) => channel[0]).join('')).toBe(orders[i]);
      }
    }
  });
});

describe('what the caller knows', () => {
  test('tips: just these, whatever the verdict, in place of what was found', () => {
    const tip: [number, number, number] = [1, -2, 0.5];
    for (const reference of [FIST, HALF, OPEN])
      for (const bvh of [
        makeHand(fingerPoses(), { reference }).bvh,
        split(makeHand(fingerPoses()).bvh)[7]!,
      ]) {
        const found = repairLeaves([bvh]);
        const { files, repaired } = repairLeaves([bvh], { tips: { RightHandRing3: tip } });
        expect(endOf(files[0]!, 'RightHandRing3')!.offset).toEqual(tip);
        expect([...repaired].toSorted()).toEqual(
          [...new Set([...found.repaired, 'RightHandRing3'])].toSorted(),
        );
        for (const name of found.repaired)
          if (name !== 'RightHandRing3')
            expect(endOf(files[0]!, name)!.offset).toEqual(endOf(found.files[0]!, name)!.offset);
      }
  });

  test('tips of all leaves are true in every frame of a set that tells nothing', () => {
    const { bvh, tips, leaves } = makeHand(fingerPoses({ open: 1, closedFrom: 50 }));
    const { files, repaired } = repairLeaves(split(bvh), { tips });
    expect(repaired).toEqual(leaves);
    for (const file of files) expect(tipsOf(file)).toEqual(leaves.map((leaf) => tips[leaf]));
  });

  test('a tip is for leaves: a joint of that name that has a child in another set keeps it', () => {
    const { bvh, tips, leaves } = makeHand(fingerPoses());
    const [mended] = repairLeaves([bvh]).files;
    const { files, repaired } = repairLeaves([mended!, bvh], { tips });
    expect(files[0]).toBe(mended);
    expect(repaired).toEqual(leaves);
    for (const leaf of leaves) expect(endOf(files[1]!, leaf)!.offset).toEqual(tips[leaf]);
  });

  test('a straight pose: tips go on straight there, in the files of its set', () => {
    for (const open of [1, 14]) {
      const hand = makeHand(fingerPoses({ open, closedFrom: 40 }));
      const other = makeHand(fingerPoses({ open: 1, closedFrom: 40 }), { seed: 6 }).bvh;
      const files = [other, ...split(hand.bvh)];
      const { files: mended, repaired } = repairLeaves(files, { straightPose: { file: 1 + OPEN, frame: 0 } });
      expect(repaired).toEqual(hand.leaves);
      expect(mended[0]).toBe(other);
      for (const file of mended.slice(1)) {
        expect(file.joints).toEqual(mended[1]!.joints);
        for (const leaf of hand.leaves) {
          const error = angleDeg(endOf(file, leaf)!.offset, hand.tips[leaf]!);
          expect(error).toBeCloseTo(Math.abs(hand.leafBends[leaf]![OPEN]!), 6);
        }
      }
      const one = repairLeaves([hand.bvh], { straightPose: { file: 0, frame: OPEN } });
      expect(tipsOf(one.files[0]!).flat()).toEqual(tipsOf(mended[1]!).flat());
    }
  });

  test('a straight pose touches nothing that is healthy', () => {
    const { bvh } = makeHand(fingerPoses(), { reference: OPEN });
    untouched([bvh], { straightPose: { file: 0, frame: 7 } });
  });

  test('what fits no file is refused', () => {
    const { bvh } = makeHand(fingerPoses());
    const nan: V3 = [0, Number.NaN, 1];
    for (const options of [
      { endLength: 0 },
      { endLength: -1 },
      { endLength: Number.NaN },
      { straightPose: { file: 1, frame: 0 } },
      { straightPose: { file: 0, frame: 34 } },
      { straightPose: { file: 0, frame: 0.5 } },
      { tips: { RightHandRing3: nan } },
      { tips: { Tail3: [1, 0, 0] as V3 } },
      { tips: { RightHandRing2: [1, 0, 0] as V3 } },
    ])
      expect(() => repairLeaves([bvh], options)).toThrow(FollowthroughError);
  });
});

test('inputs stay as they are, and share nothing that can be written with what comes back', () => {
  const tips = { RightHandThumb3: [1, 2, 3] as [number, number, number] };
  const { bvh } = makeHand(fingerPoses(), { ends: 'straight' });
  const copy = structuredClone(bvh);
  const [mended] = repairLeaves([bvh], { tips }).files;
  for (const joint of mended!.joints) {
    joint.offset.fill(7);
    joint.channels.length = 0;
    for (const end of joint.ends) end.offset.fill(7);
    joint.ends.length = 0;
  }
  mended!.frames.fill(7);
  mended!.warnings.push({ code: 'other', message: '' } as never);
  expect(bvh).toEqual(copy);
  expect(tips).toEqual({ RightHandThumb3: [1, 2, 3] });
});

test('a leaf without a bone before it stays, forced or not', () => {
  const { bvh } = makeHand(fingerPoses());
  bvh.joints.find(({ name }) => name === 'RightHandRing3')!.offset.fill(0);
  const { files, repaired } = repairLeaves([bvh], { force: true });
  expect(repaired).not.toContain('RightHandRing3');
  expect(files[0]!.joints.every(({ offset }) => offset.every(Number.isFinite))).toBe(true);
});
