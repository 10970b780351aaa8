/**
 * Random files: what is printed is read back to the last bit, however it is laid out; and what damage makes of a file is
 * read or refused, never anything else.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBvh } from '../../../src/io/bvh/readBvh.js';
import { files, layouts, numbers, print, type File, type Manners } from './print.js';
import { outcome } from './support.js';

/** What a reader must make of a file, from the file's data alone. */
function expected({ rows, frames, frameTime }: File): object {
  let channelCount = 0;
  const joints = rows.map(({ name, depth, offset, channels, ends }, j) => {
    const parent = rows.slice(0, j).findLastIndex((row) => row.depth === depth - 1);
    const firstChannel = channelCount;
    channelCount += channels.length;
    return { name, parent: depth === 0 ? -1 : parent, offset, channels, firstChannel, ends };
  });
  return {
    name: 'bvh',
    joints,
    channelCount,
    frameCount: frames.length,
    frameTime,
    frames: Float64Array.from(frames.flat()),
  };
}

test('what is printed is read back to the last bit', () => {
  fc.assert(
    fc.property(files(numbers), layouts, (file, layout) => {
      const { text } = print(file, layout);
      expect(readBvh(text)).toEqual({ ...expected(file), warnings: [] });
      expect(readBvh(new TextEncoder().encode(text))).toEqual({ ...expected(file), warnings: [] });
    }),
    { numRuns: 1000 },
  );
});

const decimals = fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 1000 + 0);

test.each<[what: string, values: fc.Arbitrary<number>, manners: Manners]>([
  ['lacks blanks before signs', numbers, { glue: true }],
  ['has decimal commas', decimals, { commas: true }],
  ['has decimal commas and lacks blanks before signs', decimals, { commas: true, glue: true }],
])('what %s too, with a warning', (_, values, manners) => {
  fc.assert(
    fc.property(files(values), layouts, (file, layout) => {
      const { text, glued, withCommas } = print(file, layout, manners);
      const { warnings, ...rest } = readBvh(text);
      expect(rest).toEqual(expected(file));
      const codes = [...(withCommas ? ['decimal-comma'] : []), ...(glued ? ['missing-blank'] : [])];
      expect(warnings.map(({ code }) => code).toSorted()).toEqual(codes);
    }),
    { numRuns: 500 },
  );
});

/** One character more, less or other. */
const damages = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'insert', 'delete'),
  char: fc.oneof(
    fc.constantFrom(...'{}0159-+.,eE:#x \t\r\n\0\ufeff\u00a0\u2028'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

test('one character more, less or other gives a file or one line', () => {
  const moderate = fc.double({ noNaN: true, min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(
      files(moderate),
      layouts,
      fc.array(damages, { minLength: 1, maxLength: 30 }),
      (file, layout, list) => {
        const { text } = print(file, layout);
        for (const { at, kind, char } of list) {
          const i = at % (text.length + 1);
          outcome(
            text.slice(0, i) + (kind === 'delete' ? '' : char) + text.slice(kind === 'insert' ? i : i + 1),
          );
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('every place of one file, some damages each', () => {
  const text = `HIERARCHY
ROOT Hips
{
  OFFSET 0 90.5 -1e-3
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT L Knee
  {
    OFFSET 0 1,5 0
    CHANNELS 1 Xrotation
    End Site {
      OFFSET 0 -40 0
    }
  }
}
MOTION
Frames: 2
Frame Time: .033
1 2 3 4-5 6 7
0 0 0 0 0 0 1e2
`;
  expect(outcome(text)).toBe('');
  for (let i = 0; i < text.length; i++)
    for (const other of ['', ' ', '\n', '{', '}', '0', '9', '-', ',', '.', 'e', ':', '\0', '😀'])
      for (const rest of [i, i + 1]) outcome(text.slice(0, i) + other + text.slice(rest));
});
