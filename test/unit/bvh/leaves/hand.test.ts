/** The generator by itself: its files place every joint where it is, and say nothing of the tips. */
import { describe, expect, test } from 'vitest';
import {
  add,
  axisAngle,
  len,
  qmul,
  qrot,
  rotationOf,
  seeded,
  sub,
  type Q4,
  type V3,
} from '../../../support/referenceMath.js';
import {
  angleDeg,
  deg,
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
} from './hand.js';

const axes: Record<string, V3> = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };

test('angles of any order give the rotation back, at the pole too', () => {
  const random = seeded(5);
  for (const order of orders)
    for (let i = 0; i < 60; i++) {
      const pole = qmul(
        axisAngle(axes[order[1]!]!, (i % 2 ? 1 : -1) * 90 * deg),
        axisAngle(axes[order[2]!]!, i),
      );
      const q: Q4 = i < 20 ? pole : rotationOf(random(), random(), random());
      const angles = eulerOf(q, order);
      const back = [...order].reduce<Q4>(
        (r, letter, k) => qmul(r, axisAngle(axes[letter]!, angles[k]! * deg)),
        [0, 0, 0, 1],
      );
      expect(angleDeg(qrot(back, [0.3, -0.5, 0.8]), qrot(q, [0.3, -0.5, 0.8]))).toBeLessThan(1e-6);
      expect(angleDeg(qrot(back, [-0.9, 0.1, 0.4]), qrot(q, [-0.9, 0.1, 0.4]))).toBeLessThan(1e-6);
    }
});

describe.each([FIST, HALF, OPEN])('counted from pose %i', (reference) => {
  test.each(orders)('%s: joints stand where they are, tips by their rest', (order) => {
    for (const law of laws) {
      const hand = makeHand(fingerPoses({ law, seed: 3, thumbJoints: 2 }), { reference, order, scale: 2.54 });
      for (let f = 0; f < 34; f++) {
        const placed = forward(hand.bvh, f);
        for (const [name, at] of Object.entries(hand.positions[f]!))
          expect(len(sub(placed[name]!.position, at))).toBeLessThan(1e-9);
        for (const leaf of hand.leaves) {
          const { position, rotation } = placed[leaf]!;
          const tip = add(position, qrot(rotation, hand.tips[leaf]!));
          expect(len(sub(tip, hand.tipPositions[f]![leaf]!))).toBeLessThan(1e-9);
        }
      }
    }
  });

  test('a tip that goes on straight is wrong by the bend of that pose, in every frame', () => {
    const hand = makeHand(fingerPoses(), { reference });
    for (let f = 0; f < 34; f++) {
      const placed = forward(hand.bvh, f);
      for (const leaf of hand.leaves) {
        const { rotation, position } = placed[leaf]!;
        const { offset } = hand.bvh.joints.find(({ name }) => name === leaf)!;
        const wrong = angleDeg(qrot(rotation, offset), sub(hand.tipPositions[f]![leaf]!, position));
        expect(wrong).toBeCloseTo(Math.abs(hand.leafBends[leaf]![reference]!), 6);
      }
    }
  });
});

test('one file per pose holds what one file of all poses does', () => {
  const { bvh } = makeHand(fingerPoses());
  const files = split(bvh);
  expect(files.flatMap(({ frames }) => [...frames])).toEqual([...bvh.frames]);
});
