/**
 * Values set in springs: data in, data out.
 */
import { describe, expect, test } from 'vitest';
import type { SecondaryMotion } from '../../../src/asset/secondary.js';
import { tuneSprings, type SpringEdit } from '../../../src/io/vrm/index.js';
import { only, springOf } from './support.js';

const motion: SecondaryMotion = {
  source: 'vrm-1',
  ...only({
    springs: [
      springOf([0, 1, 2], { name: 'a' }),
      springOf([3, 4], { name: 'b' }),
      springOf([5, 6], { name: 'b' }),
    ],
  }),
  constraints: [],
  humanoid: { head: 0 },
};
const numbers = (edits: SpringEdit[], key: 'stiffness' | 'dragForce' | 'gravityDir'): unknown[] =>
  tuneSprings(motion, ...edits).springs.map(({ joints }) => joints.map((joint) => joint[key]));

describe('tuneSprings', () => {
  test('all springs, those of a name, one by its index; later edits over earlier ones', () => {
    const before = structuredClone(motion);
    const edits = [{ stiffness: 5 }, { spring: 'b', stiffness: 6 }, { spring: 2, stiffness: 7 }];
    expect(numbers(edits, 'stiffness')).toEqual([[5, 5], [6], [7]]);
    expect(numbers([{ spring: 'b', stiffness: 6 }], 'stiffness')).toEqual([[2, 2], [6], [6]]);
    expect(motion).toEqual(before);
  });

  test('one value each from root to tip; a direction of any length', () => {
    expect(numbers([{ spring: 'a', dragForce: [0.1, 1] }], 'dragForce')).toEqual([[0.1, 1], [0.3], [0.3]]);
    const down = [0, -1, 0];
    expect(numbers([{ spring: 0, gravityDir: [3, 0, 4] }], 'gravityDir')).toEqual([
      [
        [0.6, 0, 0.8],
        [0.6, 0, 0.8],
      ],
      [down],
      [down],
    ]);
  });

  test('what is not touched is the same; nothing to set is nothing', () => {
    const tuned = tuneSprings(motion, { spring: 0, hitRadius: 0, gravityPower: 3 });
    expect(tuned.springs[1]).toBe(motion.springs[1]);
    expect(tuned.springs[0]!.joints[1]).toEqual({
      ...motion.springs[0]!.joints[1],
      hitRadius: 0,
      gravityPower: 3,
    });
    expect(tuned.humanoid).toBe(motion.humanoid);
    expect(tuneSprings(motion)).toEqual(motion);
  });

  test.each<[string, object, string, string]>([
    ['a name that is not there', { spring: 'c' }, 'unknown-name', "edits/0/spring: there is no spring 'c'"],
    ['an index that is not there', { spring: 3 }, 'unknown-name', 'edits/0/spring: there is no spring 3'],
    [
      'a drag above 1',
      { dragForce: 1.1 },
      'invalid-argument',
      'edits/0/dragForce: 1.1, expected a number from 0 to 1',
    ],
    [
      'a number below 0',
      { stiffness: -1 },
      'invalid-argument',
      'edits/0/stiffness: -1, expected a number from 0',
    ],
    [
      'a number that is none',
      { hitRadius: NaN },
      'invalid-argument',
      'edits/0/hitRadius: NaN, expected a number from 0',
    ],
    [
      'an endless one',
      { gravityPower: [Infinity, 1], spring: 0 },
      'invalid-argument',
      'edits/0/gravityPower: Infinity,',
    ],
    [
      'a list too short',
      { stiffness: [1], spring: 0 },
      'invalid-argument',
      "1 numbers for the 2 joints of 'a'",
    ],
    [
      'no direction',
      { gravityDir: [0, 0, 0] },
      'invalid-argument',
      'edits/0/gravityDir: (0, 0, 0) has no direction',
    ],
    [
      'another spelling',
      { stiffiness: 1 },
      'invalid-argument',
      'edits/0/stiffiness: is no value of a spring',
    ],
  ])('%s', (_, edit, code, message) => {
    const tune = (): unknown => tuneSprings(motion, edit);
    expect(tune).toThrow(expect.objectContaining({ code }));
    expect(tune).toThrow(message);
  });
});
