/**
 * Directions that go through a file bit for bit.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gravityOf } from '../../../src/io/vrm/springValues.js';
import { writableUnit } from '../../../src/io/vrm/unitVector.js';
import { row } from '../vrm/support.js';
import { fileOf, jointOf, only, rewritten, springOf } from './support.js';

type Vector = [number, number, number];
/** As readers do it, written out once more. */
function unit([x, y, z]: Vector): Vector {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}
const share = fc.integer({ min: -(2 ** 50), max: 2 ** 50 }).map((value) => value / 2 ** 50);
/** Along an axis but for noise, as engines write it, in float32. */
const axes = fc
  .tuple(share, share, fc.integer({ min: 10, max: 40 }), fc.integer({ min: 0, max: 3 }))
  .map(([x, y, bits, off]): Vector => [x / 2 ** bits, y / 2 ** bits, off * 2 ** -24 - 1])
  .map((v) => unit(v.map(Math.fround) as Vector));
/** All over the sphere. */
const sphere = fc
  .tuple(share, share, share)
  .filter((v) => Math.hypot(...v) > 0.1 && v.every((value) => Math.abs(value) > 0.01))
  .map(unit);
const directions = fc.oneof(sphere, axes).map((v) => v.map((value) => value + 0) as Vector);

describe('a unit vector', () => {
  test('of a file is read back to the bit, its power untouched', () => {
    fc.assert(
      fc.property(directions, (meant) => {
        const { written, read } = writableUnit(meant)!;
        expect(read).toEqual(meant);
        expect(gravityOf(0.1, JSON.parse(JSON.stringify(written)) as Vector)).toEqual({
          gravityPower: 0.1,
          gravityDir: read,
        });
      }),
      { numRuns: 2000, seed: 3 },
    );
  });

  test('of any other last bits, or along an axis but for a hair, is read back within them, then to the bit', () => {
    const bits = fc.integer({ min: -4, max: 4 }).map((k) => 1 + k * 2 ** -52);
    fc.assert(
      fc.property(directions, fc.boolean(), fc.tuple(bits, bits, bits), (direction, isFlat, factors) => {
        const flat: Vector = isFlat ? unit([direction[0] / 1e3, 0, direction[2]]) : direction;
        const meant = flat.map((value, k) => value * factors[k]!) as Vector;
        const { written, read } = writableUnit(meant)!;
        expect(unit(written).map((value) => value + 0)).toEqual(read);
        for (let k = 0; k < 3; k++) expect(Math.abs(read[k]! - meant[k]!)).toBeLessThan(1e-15);
        expect(writableUnit(read)!.read).toEqual(read);
      }),
      { numRuns: 500, seed: 5 },
    );
  });

  test('plain division would change many of them', () => {
    const sample = fc.sample(directions, { numRuns: 1000, seed: 1 });
    const changed = sample.filter((v) => unit(v).some((value, k) => value !== v[k]));
    expect(changed.length).toBeGreaterThan(100);
  });

  test('that is none has no writing', () => {
    for (const vector of [
      [0, 0, 0],
      [0, 2, 0],
      [NaN, 0, 1],
      [Infinity, 0, 0],
      [0, 0.99999, 0],
    ] as Vector[])
      expect(writableUnit(vector)).toBeUndefined();
  });

  test('goes through a file: gravity and planes', async () => {
    for (const direction of fc.sample(directions, { numRuns: 20, seed: 7 })) {
      const motion = only({
        colliders: [{ bone: 0, shape: { kind: 'plane', offset: [0.1, 0.2, 0.3], normal: direction } }],
        springs: [springOf([0, 1], { joints: [jointOf(0, { gravityDir: direction })] })],
      });
      const { secondary } = await rewritten(fileOf(row(2)), motion);
      expect(secondary.springs).toEqual(motion.springs);
      expect(secondary.colliders).toEqual(motion.colliders);
    }
  });
});
