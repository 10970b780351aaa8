/**
 * `auditLeaves` on hands whose truth is known: a leaf is faulty if its tip is missing and it bends backward as no finger
 * can; the distribution of its channels alone (zero in one frame, to one side in all others) proves nothing. Angles of a
 * finding are held against the truth.
 */
import { describe, expect, test } from 'vitest';
import { auditLeaves } from '../../../../src/io/bvh/leafAudit.js';
import type { Bvh } from '../../../../src/io/bvh/bvh.js';
import type { LeafFinding } from '../../../../src/io/bvh/leafTypes.js';
import {
  digitOf,
  FIST,
  fingerNames,
  fingerPoses,
  HALF,
  laws,
  makeHand,
  OPEN,
  orders,
  split,
  type Ends,
  type Hand,
} from './hand.js';

function leavesOf(...files: Bvh[]): LeafFinding[] {
  const { groups } = auditLeaves(files);
  expect(groups).toHaveLength(1);
  return groups[0]!.leaves;
}

const verdicts = (...files: Bvh[]): string[] => leavesOf(...files).map(({ verdict }) => verdict);
const all = (verdict: string, count = 5): string[] => Array.from({ length: count }, () => verdict);
describe('what counts from a fist', () => {
  test.each(laws)('%s: all five fingers are faulty, whatever the order of the channels', (law) => {
    for (const order of orders)
      for (const end of ['none', 'zero', 'straight'] as Ends[]) {
        const { bvh, leaves } = makeHand(fingerPoses({ law, seed: 2 }), { order, ends: end });
        const found = leavesOf(bvh);
        expect(found.map(({ name }) => name)).toEqual(leaves);
        expect(found.map(({ joint }) => bvh.joints[joint]!.name)).toEqual(leaves);
        expect(found.map((leaf) => [leaf.verdict, leaf.end])).toEqual(leaves.map(() => ['defect', end]));
      }
  });

  test('the angles are those of the hand', () => {
    const hand = makeHand(fingerPoses({ thumbJoints: 2 }));
    for (const leaf of leavesOf(hand.bvh)) {
      const inner = hand.innerBends[leaf.name]!;
      const bends = hand.leafBends[leaf.name]!;
      const missing = bends[FIST]!;
      expect(leaf.restBendDeg).toBeCloseTo(inner[FIST]!, 6);
      closeRange(leaf.innerBendDeg, inner);
      closeRange(
        leaf.apparentBendDeg,
        bends.map((bend) => bend - missing),
      );
      const turns = bends.map((bend) => Math.abs(bend - missing));
      expect(leaf.stillFrames).toBe(turns.filter((turn) => turn < 1).length);
      const moved = turns.filter((turn) => turn >= 1).toSorted((a, b) => a - b);
      expect(moved.filter((turn) => turn < leaf.medianTurnDeg - 1e-6).length).toBeLessThanOrEqual(
        moved.length / 2,
      );
      expect(moved.filter((turn) => turn > leaf.medianTurnDeg + 1e-6).length).toBeLessThanOrEqual(
        moved.length / 2,
      );
      // All turns are about one axis: the mean of unit vectors counts those of either sign.
      const sides = bends
        .filter((bend) => Math.abs(bend - missing) >= 1)
        .map((bend) => Math.sign(bend - missing));
      expect(leaf.oneSided).toBeCloseTo(Math.abs(sides.reduce((a, b) => a + b, 0)) / sides.length, 6);
      const weights = inner.map((bend) => Math.exp(-((bend / 8) ** 2)));
      expect(leaf.support).toBeCloseTo(sum(weights), 6);
      const error = mean(bends, weights);
      const repaired = bends.map((bend) => bend - error);
      expect(leaf.repairedBendDeg[0]).toBeCloseTo(Math.min(...repaired), 0);
      expect(leaf.repairedBendDeg[1]).toBeCloseTo(Math.max(...repaired), 0);
    }
  });

  test('half a fist is found as well, where the tip then misses more than 20 degrees', () => {
    for (const law of ['linear', 'independent'] as const) {
      const { bvh } = makeHand(fingerPoses({ law, noise: 1 }), { reference: HALF });
      // The thumb's limit is another.
      expect(verdicts(bvh).slice(1)).toEqual(all('defect', 4));
    }
    const { bvh } = makeHand(fingerPoses({ law: 'dead zone', noise: 1 }), { reference: HALF });
    expect(verdicts(bvh)).not.toContain('defect');
  });

  test('a joint that most poses stretch a little too far still flexes the other way', () => {
    const bends = stretched(90, 70);
    const [leaf] = leavesOf(makeHand([digitOf('Index*', bends)]).bvh);
    expect(leaf!.verdict).toBe('defect');
    closeRange(
      leaf!.innerBendDeg,
      bends.map(([inner]) => inner),
    );
  });
});

/** Poses of which most stretch the joint before the leaf a little too far, counted from this one. */
const stretched = (inner: number, leaf: number): [number, number][] =>
  Array.from({ length: 34 }, (_, f) => {
    if (f === 0) return [inner, leaf];
    return f < 26 ? [-1 - (f % 3), 0.5 * (f % 4)] : [10 * (f - 25), 6 * (f - 25)];
  });

describe('what is healthy', () => {
  const healthy = (hand: Hand): void => expect(verdicts(hand.bvh)).not.toContain('defect');

  test.each(laws)('%s: a set that counts from the open hand has no fault', (law) => {
    for (const seed of [1, 2, 3, 4])
      for (const ends of ['none', 'zero', 'straight'] as const)
        healthy(makeHand(fingerPoses({ law, seed }), { reference: OPEN, ends }));
  });

  test('nor where all poses but that one bend one way and far: what the channels alone take for a fault', () => {
    for (const law of ['linear', 'dead zone'] as const) {
      const hand = makeHand(fingerPoses({ law, open: 1, closedFrom: 65 }), { reference: OPEN, ends: 'zero' });
      for (const leaf of leavesOf(hand.bvh)) {
        expect(leaf.stillFrames).toBe(1);
        expect(leaf.medianTurnDeg).toBeGreaterThan(20);
        expect(leaf.oneSided).toBeGreaterThan(0.8);
        expect(leaf.verdict).not.toBe('defect');
      }
    }
  });

  test('nor where the reference bends the finger but not its leaf, and most poses stretch it too far', () => {
    expect(verdicts(makeHand([digitOf('Index*', stretched(45, 2))]).bvh)).not.toContain('defect');
  });

  test.each(['LeftEye', 'Jaw', 'Tail4', 'LeftEar2', 'Hair3', 'LeftHand', 'Head', 'RightFoot', 'LeftToeBase'])(
    '%s bends both ways by nature: that it does is no proof',
    (name) => {
      const poses = Array.from({ length: 34 }, (_, f) => [
        10,
        40 + 30 * Math.sin(f),
        f === 0 ? 0 : 35 * Math.cos(f),
      ]);
      const { bvh } = makeHand([{ names: ['A', 'B', name], poses }]);
      expect(verdicts(bvh)).not.toContain('defect');
    },
  );

  test('a tip that the file gives is no candidate, bent or not', () => {
    expect(leavesOf(makeHand(fingerPoses(), { ends: 'nub' }).bvh)).toEqual([]);
  });

  test('an End Site counts as going on up to half a degree', () => {
    const tilted = (degrees: number): Bvh => {
      const { bvh } = makeHand(fingerPoses(), { ends: 'straight' });
      const { offset, ends } = bvh.joints.at(-1)!;
      // Across the bone, of the size that tilts by the angle.
      const side = [-offset[1], offset[0], 0];
      const grown =
        (Math.tan((degrees * Math.PI) / 180) * Math.hypot(...ends[0]!.offset)) / Math.hypot(...side);
      for (let k = 0; k < 3; k++) ends[0]!.offset[k]! += grown * side[k]!;
      return bvh;
    };
    expect(leavesOf(tilted(0.4)).at(-1)).toMatchObject({ name: 'RightHandPinky3', end: 'straight' });
    expect(leavesOf(tilted(0.6))).toHaveLength(4);
  });

  test('a leaf that never turns says nothing and needs nothing', () => {
    const { bvh } = makeHand(fingerPoses());
    const { firstChannel } = bvh.joints.at(-1)!;
    for (let f = 0; f < bvh.frameCount; f++)
      for (let k = 0; k < 3; k++) bvh.frames[f * bvh.channelCount + firstChannel + k] = 360 * (f % 2);
    expect(leavesOf(bvh).map(({ name }) => name)).toEqual(
      ['Thumb3', 'Index3', 'Middle3', 'Ring3'].map((name) => `RightHand${name}`),
    );
  });
});

describe('thumbs bend back', () => {
  const names = [
    'RightHandThumb*',
    'Bip01 R Finger0*',
    'thumb_0*_r',
    'J_Bip_R_Thumb*',
    'mixamorig:RightHandThumb*',
    'R_THUMB_*',
    'rThumb*',
  ];
  const hand = (name: string, least: number): Bvh => {
    const bends = Array.from({ length: 34 }, (_, f): [number, number] =>
      f === 0 ? [40, -least] : [f, f / 3],
    );
    return makeHand([digitOf(name, bends)]).bvh;
  };

  test.each(names)('%s', (name) => {
    expect(verdicts(hand(name, -40))).not.toContain('defect');
    expect(verdicts(hand(name, -50))).toEqual(['defect']);
  });

  test.each(['RightHandIndex*', 'Bip01 R Finger1*', 'index_0*_r', 'J_Bip_R_Little*', 'finger.*'])(
    '%s does not',
    (name) => {
      expect(verdicts(hand(name, -15))).not.toContain('defect');
      expect(verdicts(hand(name, -30))).toEqual(['defect']);
    },
  );
});

describe('groups', () => {
  const digits = fingerPoses();
  const indices = (...files: Bvh[]): number[][] => auditLeaves(files).groups.map((group) => group.files);

  test('one skeleton, whatever the orders of channels and the unit', () => {
    const files = orders.map((order, i) => makeHand(digits, { order, scale: [1, 0.01, 2.54][i % 3]! }).bvh);
    expect(indices(...files)).toEqual([[0, 1, 2, 3, 4, 5]]);
    expect(auditLeaves(files).groups[0]!.frames).toBe(6 * 34);
  });

  test('other offsets, names, parents or ends are other skeletons', () => {
    const { bvh } = makeHand(digits);
    const changed = (change: (copy: Bvh) => void): Bvh => {
      const copy = structuredClone(bvh);
      change(copy);
      return copy;
    };
    const length = bvh.joints.reduce((total, { offset }) => total + Math.hypot(...offset), 0);
    const files = [
      bvh,
      changed(({ joints }) => void (joints[5]!.offset[1] += 0.004 * length)),
      changed(({ joints }) => void (joints[3]!.name = 'Other')),
      changed(({ joints }) => void (joints[9]!.parent = 7)),
      makeHand(digits, { ends: 'zero' }).bvh,
      makeHand(digits, { ends: 'nub' }).bvh,
      makeHand(digits, { reference: HALF }).bvh,
      makeHand(digits.slice(1)).bvh,
      changed(({ joints }) => void (joints[5]!.offset[1] += 0.0004 * length)),
      structuredClone(bvh),
    ];
    expect(indices(...files)).toEqual([[0, 8, 9], [1], [2], [3], [4], [5], [6], [7]]);
  });

  test('sets that are mixed are told apart and audited each by itself', () => {
    const hand = split(makeHand(digits).bvh);
    const other = split(makeHand(digits, { reference: OPEN, seed: 9 }).bvh);
    const files = hand.flatMap((file, i) => [other[i]!, file]);
    const { groups } = auditLeaves(files);
    expect(groups.map((group) => group.files)).toEqual([
      hand.map((_, i) => 2 * i),
      hand.map((_, i) => 2 * i + 1),
    ]);
    expect(groups.map(({ frames }) => frames)).toEqual([34, 34]);
    expect(groups[0]!.leaves).toEqual(leavesOf(...other));
    expect(groups[1]!.leaves.map(({ verdict }) => verdict)).toEqual(all('defect'));
  });

  test('34 files of one pose say what one file of 34 says', () => {
    const { bvh } = makeHand(digits);
    expect(leavesOf(...split(bvh))).toEqual(leavesOf(bvh));
  });

  test('one frame in all says nothing', () => {
    const [first, second] = split(makeHand(digits).bvh);
    expect(leavesOf(first!)).toEqual([]);
    expect(verdicts(second!)).toEqual(all('unknown'));
  });

  test('no files, no frames, a root alone', () => {
    expect(auditLeaves([])).toEqual({ groups: [] });
    const { bvh } = makeHand(digits);
    const still = { ...bvh, frameCount: 0, frames: new Float64Array(0) };
    expect(verdicts(still)).not.toContain('defect');
    const root = structuredClone(split(bvh));
    for (const file of root) {
      file.joints.length = 1;
      file.channelCount = 6;
      file.frames = file.frames.slice(0, 6);
    }
    expect(verdicts(...root)).not.toContain('defect');
  });
});

test('toes of a foot are fingers; a ball under a foot is no proof by itself, but not in order', () => {
  const toes = fingerPoses({ names: fingerNames(2, 'RightToe') });
  expect(verdicts(makeHand(toes).bvh)).not.toContain('ok');
  const names = ['RightUpLeg', 'RightLeg', 'RightFoot', 'RightToeBase'];
  // A step: the reference stands on tiptoe, the ball bent by 80 degrees; flat on the ground it is 30.
  const poses = Array.from({ length: 40 }, (_, f) => [
    10,
    20,
    70 + 15 * Math.sin(f),
    f === 0 ? 80 : 40 + 15 * Math.cos(f),
  ]);
  expect(verdicts(makeHand([{ names, poses }]).bvh)).not.toContain('ok');
});

function closeRange(found: [number, number], truth: readonly number[]): void {
  expect(found[0]).toBeCloseTo(Math.min(...truth), 6);
  expect(found[1]).toBeCloseTo(Math.max(...truth), 6);
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function mean(values: readonly number[], weights: readonly number[]): number {
  return sum(values.map((value, i) => value * weights[i]!)) / sum(weights);
}
