/**
 * What `repairLeaves` writes: faulty leaves get a joint at their tip, and nothing else changes; a leaf that is turned wrong
 * shows in a position from then on.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bvh } from '../../../../src/io/bvh/bvh.js';
import { repairLeaves } from '../../../../src/io/bvh/leafRepair.js';
import { axisAngle, cross, len, qmul, sub, type Q4, type V3 } from '../../../support/referenceMath.js';
import {
  angleDeg,
  deg,
  endOf,
  eulerOf,
  FIST,
  fingerPoses,
  forward,
  HALF,
  laws,
  makeHand,
  OPEN,
  orders,
  split,
  type Ends,
  type Hand,
  type Order,
} from './hand.js';

const missing: Ends[] = ['none', 'zero', 'straight'];

/** Repairs a hand of which every leaf is faulty. */
function mend(hand: Hand, options: Parameters<typeof repairLeaves>[1] = {}): Bvh {
  const { files, repaired } = repairLeaves([hand.bvh], options);
  expect(repaired).toEqual(hand.leaves);
  return files[0]!;
}

/** All that was there before stands bit for bit where it stood. */
function sameMotion(before: Bvh, after: Bvh): void {
  expect(after.frameCount).toBe(before.frameCount);
  expect(after.joints.map(({ name }) => name).filter((name) => !name.includes('_End'))).toEqual(
    before.joints.map(({ name }) => name),
  );
  for (let f = 0; f < before.frameCount; f++) {
    const placed = forward(after, f);
    for (const [name, { position, rotation }] of Object.entries(forward(before, f))) {
      expect(placed[name]!.position).toEqual(position);
      expect(placed[name]!.rotation).toEqual(rotation);
    }
  }
}

/** What readers rely on: parents first and depth first, channels in that order without gaps, one number each. */
function wellFormed(bvh: Bvh): void {
  let next = 0;
  const open: number[] = [];
  for (const [j, joint] of bvh.joints.entries()) {
    expect(joint.firstChannel).toBe(next);
    next += joint.channels.length;
    while (open.length > 0 && open.at(-1) !== joint.parent) open.pop();
    expect(open.at(-1) ?? -1).toBe(joint.parent);
    open.push(j);
  }
  expect(bvh.channelCount).toBe(next);
  expect(bvh.frames).toHaveLength(next * bvh.frameCount);
  expect(new Set(bvh.joints.map(({ name }) => name)).size).toBe(bvh.joints.length);
}

describe('what is written', () => {
  test.each(orders)('%s: a joint with three zero channels and an End Site of its own', (order) => {
    for (const ends of missing) {
      const hand = makeHand(fingerPoses({ thumbJoints: 2 }), { order, ends });
      const mended = mend(hand);
      wellFormed(mended);
      expect(mended.channelCount).toBe(hand.bvh.channelCount + 15);
      for (const leaf of hand.leaves) {
        const at = mended.joints.findIndex(({ name }) => name === leaf);
        const end = mended.joints[at + 1]!;
        expect(mended.joints[at]!.ends).toEqual([]);
        expect(end).toMatchObject({
          name: `${leaf}_End`,
          parent: at,
          ends: [{ name: '', offset: [0, 0, 0] }],
        });
        expect(end.channels).toEqual([...order].map((letter) => `${letter}rotation`));
        for (let f = 0; f < mended.frameCount; f++)
          expect([
            ...mended.frames.subarray(f * mended.channelCount + end.firstChannel).subarray(0, 3),
          ]).toEqual([0, 0, 0]);
      }
      sameMotion(hand.bvh, mended);
    }
  });

  test('the length of the End Site, else a share of the bone', () => {
    const lengths = (ends: Ends, endLength?: number): number[] => {
      const hand = makeHand(fingerPoses(), { ends });
      const mended = mend(hand, endLength === undefined ? {} : { endLength });
      return hand.leaves.map((leaf) => {
        const bone = len(mended.joints.find(({ name }) => name === leaf)!.offset);
        return len(endOf(mended, leaf)!.offset) / (ends === 'straight' ? len(hand.tips[leaf]!) : bone);
      });
    };
    const close = (found: number[], expected: number): void => {
      for (const value of found) expect(value).toBeCloseTo(expected, 9);
    };
    close(lengths('straight'), 1);
    close(lengths('straight', 0.5), 1);
    close(lengths('none'), 0.8);
    close(lengths('zero'), 0.8);
    close(lengths('none', 0.5), 0.5);
    close(lengths('zero', 2), 2);
  });

  test('an End Site that the audit takes for none gives no length either', () => {
    const { bvh } = makeHand(fingerPoses());
    const total = bvh.joints.reduce((sum, { offset }) => sum + len(offset), 0);
    for (const name of ['RightHandIndex3', 'RightHandPinky3'])
      bvh.joints.find((joint) => joint.name === name)!.ends.push({ name: '', offset: [0, 5e-7 * total, 0] });
    const { files, audit } = repairLeaves([bvh]);
    expect(audit.groups[0]!.leaves.map(({ end }) => end)).toEqual(['none', 'zero', 'none', 'none', 'zero']);
    for (const { joint, name } of audit.groups[0]!.leaves)
      expect(len(endOf(files[0]!, name)!.offset) / len(bvh.joints[joint]!.offset)).toBeCloseTo(0.8, 9);
  });

  test('a leaf that also moves keeps its channels; its tip has the three that turn', () => {
    const { bvh } = makeHand(fingerPoses(), { order: 'YXZ' });
    const moving = withPositions(bvh);
    const { files } = repairLeaves([moving]);
    expect(endOf(files[0]!, 'RightHandPinky3')!.channels).toEqual(['Yrotation', 'Xrotation', 'Zrotation']);
    wellFormed(files[0]!);
    sameMotion(moving, files[0]!);
    const plain = repairLeaves([bvh]).files[0]!;
    const [a, b] = [endOf(files[0]!, 'RightHandPinky3')!.offset, endOf(plain, 'RightHandPinky3')!.offset];
    expect(angleDeg(a, b)).toBeLessThan(1e-5);
  });

  test('a name that is taken is not given twice', () => {
    const { bvh } = makeHand(fingerPoses());
    bvh.joints[1]!.name = 'RightHandIndex3_End';
    const { files } = repairLeaves([bvh]);
    wellFormed(files[0]!);
    expect(files[0]!.joints).toHaveLength(bvh.joints.length + 5);
  });
});

describe('a wrong leaf shows now', () => {
  test.each(orders)('%s: turned by 10 degrees no joint moved before, now its end does', (order) => {
    const hand = makeHand(fingerPoses(), { order });
    const mended = mend(hand);
    for (const leaf of hand.leaves)
      for (const f of [FIST, HALF, OPEN, 17]) {
        expect(moved(hand.bvh, turned(hand.bvh, leaf, f, order), f)).toEqual({});
        const { offset } = endOf(mended, leaf)!;
        const far = moved(mended, turned(mended, leaf, f, order), f);
        expect(Object.keys(far)).toEqual([`${leaf}_End`]);
        expect(far[`${leaf}_End`]).toBeCloseTo(2 * len(offset) * Math.sin(5 * deg), 6);
        // By the number in the file: the innermost channel turns about an axis of the leaf.
        const by = mended.joints.find(({ name }) => name === leaf)!.firstChannel + 2;
        const changed = { ...mended, frames: mended.frames.slice() };
        changed.frames[f * mended.channelCount + by]! += 10;
        const across = Math.hypot(...offset.filter((_, k) => k !== 'XYZ'.indexOf(order[2]!)));
        expect(moved(mended, changed, f)[`${leaf}_End`]).toBeCloseTo(2 * across * Math.sin(5 * deg), 6);
      }
  });

  /** The file with a leaf turned across its tip in one frame. */
  function turned(bvh: Bvh, leaf: string, frame: number, order: Order): Bvh {
    const joint = bvh.joints.find(({ name }) => name === leaf)!;
    const offset = endOf(bvh, leaf)?.offset ?? joint.offset;
    const at = frame * bvh.channelCount + joint.firstChannel;
    const local = [...order].reduce<Q4>(
      (q, letter, k) =>
        qmul(
          q,
          axisAngle(
            [0, 1, 2].map((axis) => +(axis === 'XYZ'.indexOf(letter))) as V3,
            bvh.frames[at + k]! * deg,
          ),
        ),
      [0, 0, 0, 1],
    );
    const frames = bvh.frames.slice();
    frames.set(eulerOf(qmul(local, axisAngle(cross(offset, [0.3, 0.5, -0.8]), 10 * deg)), order), at);
    return { ...bvh, frames };
  }

  function moved(before: Bvh, after: Bvh, frame: number): Record<string, number> {
    const placed = forward(after, frame);
    const ways = Object.entries(forward(before, frame)).map(([name, { position }]): [string, number] => [
      name,
      len(sub(placed[name]!.position, position)),
    ]);
    return Object.fromEntries(ways.filter(([, way]) => way > 0));
  }
});

test('whatever the hand: motion kept, files well formed, inputs as they were, nothing left for a second run', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(...laws),
      fc.constantFrom(...orders),
      fc.constantFrom<Ends>('none', 'zero', 'straight', 'nub'),
      fc.constantFrom(FIST, HALF, OPEN),
      fc.integer({ min: 1, max: 10 }),
      fc.boolean(),
      fc.boolean(),
      (seed, law, order, ends, reference, open, force, apart) => {
        const { bvh } = makeHand(fingerPoses({ seed, law, open, count: 12 }), {
          seed,
          order,
          ends,
          reference,
        });
        const files = apart ? split(bvh) : [bvh];
        const copies = structuredClone(files);
        const first = repairLeaves(files, { force });
        expect(files).toEqual(copies);
        for (const [i, file] of first.files.entries()) {
          wellFormed(file);
          sameMotion(files[i]!, file);
          if (first.repaired.length === 0) expect(file).toBe(files[i]);
          else expect(file.joints).toEqual(first.files[0]!.joints);
        }
        const second = repairLeaves(first.files, { force });
        expect(second.repaired).toEqual([]);
        for (const [i, file] of second.files.entries()) expect(file).toBe(first.files[i]);
        for (const { name } of second.audit.groups.flatMap(({ leaves }) => leaves))
          expect(first.repaired).not.toContain(name.replace(/_End$/, ''));
      },
    ),
    { numRuns: 60 },
  );
});

/** The file with position channels in front of every joint's rotations, as some exporters write all joints. */
function withPositions(bvh: Bvh): Bvh {
  const joints = bvh.joints.map((joint, j) => ({
    ...structuredClone(joint),
    channels: j === 0 ? joint.channels : [...bvh.joints[0]!.channels.slice(0, 3), ...joint.channels],
    firstChannel: 6 * j,
  }));
  const frames = Array.from({ length: bvh.frameCount }, (_, f) =>
    bvh.joints.map((joint, j) => {
      const own = [
        ...bvh.frames.subarray(f * bvh.channelCount + joint.firstChannel).subarray(0, joint.channels.length),
      ];
      return j === 0 ? own : [...joint.offset, ...own];
    }),
  );
  return { ...bvh, joints, channelCount: 6 * joints.length, frames: Float64Array.from(frames.flat(2)) };
}
