/** Key reduction against a player written another way, over curves of all kinds. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alignHemispheres,
  gridKeys,
  reduceKeys,
  type RotationKeys,
} from '../../../src/io/bake/reduceKeys.js';
import { axisAngle, type Q4, qmul, slerp } from '../../support/referenceMath.js';
import { angleDeg } from './support/threePlayer.js';

interface Curve {
  times: Float64Array;
  rotations: Float64Array;
}

/** A curve over `ticks` ticks of h seconds. */
function curve(ticks: number, h: number, at: (t: number) => Q4): Curve {
  const times = Float64Array.from({ length: ticks + 1 }, (_, k) => k * h);
  const rotations = Float64Array.from([...times].flatMap((t) => at(t)));
  alignHemispheres(rotations);
  return { times, rotations };
}

/** What a player shows at a time: binary search, clamped ends, slerp. */
function shownAt({ times, values }: RotationKeys, t: number): Q4 {
  const key = (i: number): Q4 => [...values.subarray(4 * i, 4 * i + 4)] as Q4;
  const after = times.findIndex((time) => time > t);
  if (after === 0) return key(0);
  if (after < 0) return key(times.length - 1);
  return slerp(key(after - 1), key(after), (t - times[after - 1]!) / (times[after]! - times[after - 1]!));
}

function worstDeg(keys: RotationKeys, { times, rotations }: Curve): number {
  let worst = 0;
  times.forEach((t, k) => {
    worst = Math.max(worst, angleDeg(shownAt(keys, t), rotations.subarray(4 * k, 4 * k + 4)));
  });
  return worst;
}

const swinging =
  (amplitude: number, hz: number, twist: number) =>
  (t: number): Q4 =>
    qmul(
      axisAngle([1, 0, 0], amplitude * Math.sin(2 * Math.PI * hz * t)),
      axisAngle([0, 0.6, 0.8], twist * t * t),
    );

describe('reduced keys', () => {
  test('stay within the tolerance at every tick, whatever the curve', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 240 }),
        fc.double({ min: 0.001, max: 0.05, noNaN: true }),
        fc.double({ min: 0, max: 1.5, noNaN: true }),
        fc.double({ min: 0.1, max: 12, noNaN: true }),
        fc.double({ min: -40, max: 40, noNaN: true }),
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        (ticks, h, amplitude, hz, twist, maxErrorDeg) => {
          const given = curve(ticks, h, swinging(amplitude, hz, twist));
          const keys = reduceKeys(given.times, given.rotations, maxErrorDeg);
          expect(worstDeg(keys, given)).toBeLessThanOrEqual(maxErrorDeg);
          expect(keys.times[0]).toBe(0);
          expect(keys.times.at(-1)).toBe(Math.fround(given.times.at(-1)!));
          for (let i = 1; i < keys.times.length; i++)
            expect(keys.times[i]).toBeGreaterThan(keys.times[i - 1]!);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('a curve that stands still needs two keys, one tick of a pose one', () => {
    const still = curve(500, 1 / 120, () => axisAngle([0, 1, 0], 0.4));
    expect(reduceKeys(still.times, still.rotations, 0.1).times.length).toBe(2);
    const pose = curve(0, 1 / 120, () => axisAngle([0, 1, 0], 0.4));
    expect([...reduceKeys(pose.times, pose.rotations, 0.1).times]).toEqual([0]);
  });

  test('a turn at constant speed needs two keys up to half a turn', () => {
    const turn = curve(100, 1 / 120, (t) => axisAngle([0.6, 0, 0.8], 3 * t));
    expect(reduceKeys(turn.times, turn.rotations, 0.01).times.length).toBe(2);
  });

  test('a corner gets a key', () => {
    const corner = curve(100, 0.01, (t) => axisAngle([1, 0, 0], t < 0.37 ? t : 0.74 - t));
    const keys = reduceKeys(corner.times, corner.rotations, 0.001);
    expect([...keys.times]).toContain(Math.fround(0.37));
  });

  test('a jump within one tick survives', () => {
    const jump = curve(100, 0.01, (t) => axisAngle([1, 0, 0], t < 0.505 ? 0 : 1));
    const keys = reduceKeys(jump.times, jump.rotations, 0.1);
    expect(worstDeg(keys, jump)).toBeLessThanOrEqual(0.1);
    expect(keys.times.length).toBe(4);
  });

  test('a wider tolerance never needs more keys on a smooth swing', () => {
    const swing = curve(480, 1 / 120, swinging(0.5, 0.9, 0));
    const counts = [0.02, 0.1, 0.5, 2].map(
      (deg) => reduceKeys(swing.times, swing.rotations, deg).times.length,
    );
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts[1]!).toBeLessThan(481 / 4);
  });
});

describe('keys on a fixed grid', () => {
  test('stand at every frame and at the end, on the curve', () => {
    const swing = curve(85, 0.7083333 / 85, swinging(0.5, 2, 0));
    const keys = gridKeys(swing.times, swing.rotations, 30);
    expect(keys.times.length).toBe(23);
    expect(keys.times[3]).toBe(Math.fround(0.1));
    expect(keys.times.at(-1)).toBe(Math.fround(0.7083333));
    for (let k = 0; k < keys.times.length; k++) {
      const expected = swinging(0.5, 2, 0)(keys.times[k]!);
      expect(angleDeg(keys.values.subarray(4 * k, 4 * k + 4), expected)).toBeLessThan(0.1);
    }
  });
});

test('hemispheres: no rotation lies opposite to the one before', () => {
  const q = axisAngle([1, 0, 0], 0.1);
  const flipped = Float64Array.from([...q, ...q.map((x) => -x), ...q]);
  alignHemispheres(flipped);
  expect([...flipped.subarray(4, 8)]).toEqual([...q]);
});

test('a grid never puts two keys on one float32 time', () => {
  // A step of float32 is 3.8e-6 s here: 50.0000025 and the end fall on one.
  const end = Math.fround(50.000004);
  const { times } = gridKeys(
    Float64Array.of(0, end),
    Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    1 / 2.500000125,
  );
  expect(times.at(-1)).toBe(end);
  times.forEach((time, k) => k > 0 && expect(time).toBeGreaterThan(times[k - 1]!));
});
