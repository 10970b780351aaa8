/**
 * BVH texts that are broken or mean harm: one FollowthroughError of one line that names the line, soon, and memory for
 * what is there, never for what is announced.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBvh } from '../../../src/io/bvh/readBvh.js';
import { motion, ONE_JOINT, outcome, read } from './support.js';

/** Work that grows with the text takes some ms here, work that grows with its square many seconds. */
const SOON_MS = 1000;

function soon<T>(act: () => T): T {
  const started = performance.now();
  const result = act();
  expect(performance.now() - started).toBeLessThan(SOON_MS);
  return result;
}

const offset = (numbers: string): string => ONE_JOINT.replace('0 0 0', numbers) + motion('1 2\n3 4');

describe('the message names the line', () => {
  test.each<[line: number, expected: string, text: string]>([
    [1, 'ROOT, found the end of the file', ''],
    [3, 'ROOT, found the end of the file', 'HIERARCHY\n\n'],
    [1, "ROOT, found 'MOTION'", motion('1 2')],
    [1, "ROOT or MOTION, found '<html>'", '<html>\n</html>'],
    [2, "ROOT or MOTION, found 'JOINT'", 'HIERARCHY\nJOINT a\n{\n}'],
    [3, "{, found 'OFFSET'", 'HIERARCHY\nROOT a\nOFFSET 0 0 0\n}'],
    [4, "a number, found 'x'", offset('0 x 0')],
    [5, "a number, found 'CHANNELS'", offset('0 0')],
    [4, "OFFSET, CHANNELS, JOINT, End Site or }, found '4'", offset('1 2 3 4')],
    [5, "the number of channels, found 'Xrotation'", ONE_JOINT.replace('2 X', 'X')],
    [6, "found '}'", ONE_JOINT.replace('CHANNELS 2', 'CHANNELS 3')],
    [5, "found 'Wrotation'", ONE_JOINT.replace('Yr', 'Wr')],
    [5, 'each channel once', ONE_JOINT.replace('Yr', 'Xr')],
    [6, 'CHANNELS of Hips once only', ONE_JOINT.replace('}', '  CHANNELS 1 Zrotation\n}')],
    [7, 'no channels in an End Site', ONE_JOINT.replace('}', 'End Site {\nCHANNELS 1 Zrotation\n}\n}')],
    [7, "OFFSET or }, found 'JOINT'", ONE_JOINT.replace('}', 'End Site {\nJOINT b\n{\n}\n}\n}')],
    [6, '} of Hips, found the end of the file', ONE_JOINT.replace('}\n', '')],
    [8, "Frames: and a number, found 'Frame:'", ONE_JOINT + 'MOTION\nFrame: 1\n'],
    [8, 'a whole number', ONE_JOINT + motion('1 2', -1)],
    [8, 'a whole number', ONE_JOINT + motion('1 2', 1.5)],
    [8, 'a whole number', ONE_JOINT + motion('1 2', 'many')],
    [8, 'a whole number', ONE_JOINT + motion('1 2', '1e999')],
    [11, "a number, found 'MOTION'", ONE_JOINT + motion('1 2\nMOTION\n3 4')],
  ])('line %i: expected %s', (line, expected, text) => {
    for (const ends of ['\n', '\r\n', '\r']) {
      const message = outcome(text.replaceAll('\n', ends));
      expect(message).toMatch(new RegExp(`^f\\.bvh: line ${line}: expected `));
      expect(message).toContain(expected);
    }
  });

  test.each([
    'nan',
    'NaN',
    '-nan',
    'inf',
    '-Infinity',
    '1e999',
    '-1e999',
    '-1.#IND',
    '1.#QNAN',
    '0x10',
    '1e',
    '-',
    '1_0',
    '1.2.3',
  ])('%s is no number', (word) => {
    expect(outcome(offset(`0 0 ${word}`))).toMatch(/^f\.bvh: line 4: expected .*number/);
    const end = ONE_JOINT.replace('}', `End Site\n{\nOFFSET ${word} 0 0\n}\n}`);
    expect(outcome(end)).toMatch(/^f\.bvh: line 8: expected .*number/);
    expect(outcome(ONE_JOINT + motion(`1 2\n3 ${word}`))).toMatch(/^f\.bvh: line 11: expected .*number/);
  });

  test.each<[what: string, text: string]>([
    ['a number of frames', ONE_JOINT + motion('1 2', 'many')],
    ['a frame time', ONE_JOINT + motion('1 2', 1, 'nan')],
    ['a number', ONE_JOINT + motion('1 1e999', 1)],
  ])('what was found in place of %s is said', (_, text) => {
    expect(outcome(text)).toMatch(/, found '(many|nan|1e999)'/);
  });

  test.each<[what: string, text: string, right: RegExp]>([
    // Either the line of the keyword or that of the number will do.
    ['OFFSET', 'ROOT a\n{\nOFFSET\n0\n0\n0-1\n}', /line [36]: /],
    ['CHANNELS', `ROOT a\n{\nEnd Site\n{\nCHANNELS${'\n'.repeat(20)}3\n}\n}`, /line (5|25): /],
  ])('a wrapped %s has its line too', (_, text, right) => {
    expect(outcome(text)).toMatch(right);
  });

  test('long words and odd ones stay in one short line', () => {
    for (const word of ['x'.repeat(1e5), '\u2028\u0085\x07'.repeat(50), '😀'.repeat(500)])
      expect(outcome(`ROOT a\n{\n${word}\n}`).length).toBeLessThan(150);
    expect(() => readBvh('?', { name: 'a\nb\u2028c' })).toThrow(/^a b c: line 1: expected ROOT/);
  });
});

test.each<[what: string, text: string]>([
  ['the number of frames', `${ONE_JOINT}MOTION\nFrames: 1+5\nFrame Time: 0.5\n1 2\n`],
  ['the channels of an End Site', ONE_JOINT.replace('}', 'End Site\n{\nCHANNELS 0-1\nOFFSET 2 3\n}\n}')],
])('a second number in the word of %s is not that of the next line', (_, text) => {
  expect(outcome(text)).toMatch(/^f\.bvh: line \d+: expected/);
});

describe('size and depth', () => {
  test.each([1e6, 1e12, 9e15, 9007199254740991])('%d frames are announced and none is there', (count) => {
    const before = process.memoryUsage().arrayBuffers;
    const { bvh, codes } = soon(() => read(ONE_JOINT + motion('', count)));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
    expect(bvh.frames.buffer.byteLength).toBe(0);
    expect(codes).toEqual(['truncated']);
  });

  test('channels are announced that are not there', () => {
    for (const count of ['1e12', '1e999', '99999999999999999999'])
      expect(soon(() => outcome(ONE_JOINT.replace('S 2', `S ${count}`)))).toMatch(/line [56]: expected/);
  });

  test('100,000 joints, each in the one before', () => {
    const depth = 100_000;
    const open = Array.from({ length: depth - 1 }, (_, i) => `JOINT j${i} {\n`).join('');
    const text = `ROOT r {\n${open}${'}'.repeat(depth)}`;
    expect(soon(() => readBvh(text)).joints.at(-1)).toMatchObject({ name: 'j99998', parent: depth - 2 });
    expect(soon(() => outcome(text.slice(0, -1)))).toContain('} of r, found the end of the file');
    const unclosed = soon(() => readBvh(`ROOT r {\n${open}${motion('', 0)}`));
    expect(unclosed.warnings.map(({ code }) => code)).toEqual(['braces']);
  });

  test.each<[what: string, text: string]>([
    ['braces only', '{'.repeat(100_000)],
    ['closing braces only', '}'.repeat(20_000)],
    ['closing braces behind the last block', ONE_JOINT + '}\n'.repeat(12_000) + motion('', 0)],
    ['joints of one name', `ROOT a {${'JOINT a {}\n'.repeat(12_000)}}`],
    [
      'joints whose channels do not fit their number',
      `ROOT a {${Array.from({ length: 8000 }, (_, i) => `JOINT b${i} {\nCHANNELS 0 Xrotation\n}\n`).join('')}}`,
    ],
    ['a word of digits and one letter', offset(`${'1'.repeat(60_000)}x 0 0`)],
    ['a word of commas', offset(`${','.repeat(100_000)} 0 0`)],
    ['a word of digits, commas and points', offset(`${'1,1.'.repeat(50_000)} 0 0`)],
    ['a name without end', `ROOT ${'a b'.repeat(100_000)}`],
    ['blanks without end', `ROOT a {${' '.repeat(300_000)}OFFSET${'\n'.repeat(300_000)}`],
    ['End Sites', `ROOT a {${'End Site {OFFSET 1 2 3}\n'.repeat(30_000)}}`],
  ])('%s', (_, text) => {
    soon(() => outcome(text));
  });

  test('200,000 numbers without a blank', () => {
    const all = Array.from({ length: 200_000 }, (_, i) => -1 - i);
    expect(soon(() => readBvh(ONE_JOINT + motion(all.join(''), 1e5))).frames).toEqual(Float64Array.from(all));
    expect(soon(() => readBvh(ONE_JOINT + motion(all.join(','), 1e5))).frames).toEqual(
      Float64Array.from(all),
    );
  });
});

test('random bytes are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(outcome(bytes)).not.toBe('');
      outcome(Uint8Array.of(0xff, 0xfe, ...bytes));
      outcome(Uint8Array.of(...new TextEncoder().encode(ONE_JOINT), ...bytes));
    }),
  );
});

test('no order of the words of the format lets anything else escape', () => {
  const words = fc.constantFrom(
    ...[
      'HIERARCHY',
      'ROOT a',
      'JOINT a',
      'JOINT',
      'End Site',
      'End',
      '{',
      '}',
      'OFFSET 0 0 0',
      'OFFSET',
      'CHANNELS',
    ],
    ...[
      '1',
      'Xrotation',
      'CHANNELS 0',
      '0,5',
      '1-2',
      '1,2,3',
      '1e999',
      'MOTION',
      'Frames: 1',
      'Frames:',
      ':',
      '',
    ],
    ...['Frame Time: 1', 'Frame Time', 'Frame', 'nan', '-', ',', '\ufeff', '\0', '\u2028'],
  );
  const gaps = fc.constantFrom(' ', '\n', '\r', '\t', '');
  fc.assert(
    fc.property(fc.array(fc.tuple(words, gaps), { maxLength: 40 }), fc.boolean(), (soup, begun) => {
      outcome((begun ? 'ROOT a {\n' : '') + soup.flat().join(''));
    }),
    { numRuns: 3000 },
  );
});

test('a file cut at any character is read to there or refused', () => {
  const text = ONE_JOINT.replace('}', 'End Site\n{\nOFFSET 0 1 0\n}\n}') + motion('1.5 2e1\n-3 4', 2);
  for (let n = 0; n < text.length; n++) outcome(text.slice(0, n));
  // Cut between frames, or in them, it keeps what is whole.
  const first = text.indexOf('-3');
  for (let n = first; n < text.length - 2; n++)
    expect(read(text.slice(0, n).trimEnd().replace(/-$/, '')).rows, `cut at ${n}`).toMatch(/^1.5 20/);
});
