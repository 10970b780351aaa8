/**
 * Random BVH files: a forest of joints as plain data, and a naive printer that breaks lines, spells numbers and writes
 * keywords as a list of choices says. The first of every alternative is the usual one, so that what fails shrinks to a
 * usual file.
 */
import fc from 'fast-check';
import type { BvhChannel } from '../../../src/io/bvh/bvh.js';

/** A joint of a forest, in the order of the file. */
export interface Row {
  name: string;
  /** Joints around it: 0 for a root, at most one more than the joint before has. */
  depth: number;
  offset: [number, number, number];
  channels: BvhChannel[];
  ends: { name: string; offset: [number, number, number] }[];
  /** Does it write its End Sites behind its children? */
  endsLast: boolean;
}

/** A file. */
export interface File {
  rows: Row[];
  frames: number[][];
  frameTime: number;
}

const CHANNELS = ['Xposition', 'Yposition', 'Zposition', 'Xrotation', 'Yrotation', 'Zrotation'] as const;

/** Any number of 64 bits, more often one that people write; -0 is 0, for not all spellings keep it. */
export const numbers: fc.Arbitrary<number> = fc
  .oneof(
    fc.integer({ min: -360, max: 360 }),
    fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 1000),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  .map((value) => value + 0);

const places = (from: fc.Arbitrary<number>): fc.Arbitrary<[number, number, number]> =>
  fc.tuple(from, from, from);

/** Words of one name: neither braces nor line ends; what several blanks mean is no matter here. */
const names: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('Hips', 'Bip01', 'L', 'mixamorig:Hips', 'Hips.L', 'A:', '#2', '-1', 'é', '骨'),
      fc.constantFrom('JOINT', 'End', 'Site', 'OFFSET', 'MOTION', '1', '2.5', '__proto__'),
      fc.stringMatching(/^[!-z|~]{1,6}$/),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => words.join(' '))
  // A comma between digits has a meaning of its own: quirks.test.ts.
  .filter((name) => !/\d.*,/.test(name));

/** Names of End Sites; those of nobody are empty. */
const endNames = fc.oneof(
  fc.constant(''),
  names.filter((name) => !/^(site\b|end[ _]?site$)/i.test(name)),
);

/** Files whose numbers are those of an arbitrary. */
export function files(values: fc.Arbitrary<number>): fc.Arbitrary<File> {
  const row = fc.record({
    name: names,
    depth: fc.nat(6),
    offset: places(values),
    channels: fc.shuffledSubarray([...CHANNELS]),
    ends: fc.array(fc.record({ name: endNames, offset: places(values) }), { maxLength: 2 }),
    endsLast: fc.boolean(),
  });
  const rows = fc
    .uniqueArray(row, { minLength: 1, maxLength: 10, selector: ({ name }) => name })
    .map((list) => {
      let before = -1;
      return list.map((one) => ({ ...one, depth: (before = Math.min(one.depth, before + 1)) }));
    });
  return rows.chain((list) => {
    const count = list.reduce((sum, { channels }) => sum + channels.length, 0);
    const frame = fc.array(values, { minLength: count, maxLength: count });
    return fc.record({
      rows: fc.constant(list),
      frames: fc.array(frame, { maxLength: count > 0 ? 4 : 0 }),
      frameTime: values.map((value) => Math.abs(value)).filter((time) => time > 0),
    });
  });
}

/** Choices for the printer. */
export const layouts: fc.Arbitrary<number[]> = fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 60 });

const GAPS = [' ', '\n', '\t', '  ', '\r\n', '\r', ' \n', '\n\t\t', '\n\n', '\u00a0'];
const BLANKS = [' ', '\t', '  ', ' \t '];

/** Ways to write a number; all mean the same 64 bits. */
function spellings(value: number): string[] {
  const usual = String(value);
  const scientific = value.toExponential();
  const all = [
    usual,
    scientific,
    scientific.toUpperCase(),
    scientific.replace('e-', 'E-0').replace('e+', 'e'),
  ];
  all.push(usual.replace(/^(-?)0\./, '$1.'), usual.replace(/^(-?)/, '$100'), usual.replace(/^(\d)/, '+$1'));
  if (/^-?\d+$/.test(usual)) all.push(`${usual}.`, `${usual}.000`, `${usual}.e0`);
  else if (!usual.includes('e')) all.push(`${usual}00`, `+${usual}`.replace('+-', '-'));
  return all;
}

/** What exporters do that a reader has to guess at. */
export interface Manners {
  /** Leave out blanks before signs. */
  glue?: boolean;
  /** Write commas for decimal points. */
  commas?: boolean;
}

/** A text, and what of the manners came to be used in it. */
export interface Printed {
  text: string;
  glued: boolean;
  withCommas: boolean;
}

/**
 * Prints a file.
 *
 * @param choices - what to choose at each alternative, from the start again at their end
 */
export function print(
  { rows, frames, frameTime }: File,
  choices: readonly number[],
  { glue = false, commas = false }: Manners = {},
): Printed {
  let made = 0;
  const pick = <T>(list: readonly T[]): T => list[choices[made++ % choices.length]! % list.length]!;
  const gap = (): string => pick(GAPS);
  const blank = (): string => pick(BLANKS);
  const word = (usual: string): string => pick([usual, usual.toLowerCase(), usual.toUpperCase()]);
  let text = pick(['', '\ufeff', '\n', ' ']);
  let [glued, withCommas] = [false, false];

  const number = (value: number): string => {
    // A comma at the end of a word would part words.
    const spelt = commas ? String(value).replace('.', ',') : pick(spellings(value));
    withCommas ||= spelt.includes(',');
    return spelt;
  };
  const list = (values: readonly number[]): void => {
    values.forEach((value, i) => {
      const spelt = number(value);
      const close = glue && i > 0 && /^[+-]/.test(spelt) && /\d$/.test(text) && pick([false, true]);
      glued ||= close;
      text += close ? spelt : gap() + spelt;
    });
  };
  const block = (head: string, offset: readonly number[]): void => {
    text += `${head}${pick(['\n', ' ', '', '\t\r\n'])}{${pick(['\n', ' ', ''])}${word('OFFSET')}`;
    list(offset);
  };
  const ends = (row: Row): void => {
    for (const { name, offset } of row.ends) {
      const site =
        name === '' ? pick([`End${blank()}Site`, 'ENDSITE', `End${blank()}Site${blank()}ENDSITE`]) : '';
      block(
        `${gap()}${site || `${word('End')}${blank()}${word('Site')}${blank()}${name}`}${pick(['', blank()])}`,
        offset,
      );
      text += `${gap()}}`;
    }
  };
  const open: Row[] = [];
  const close = (depth: number): void => {
    while (open.length > depth) {
      const row = open.pop()!;
      if (row.endsLast) ends(row);
      text += `${gap()}}`;
    }
  };

  text += word('HIERARCHY');
  for (const row of rows) {
    close(row.depth);
    block(
      `${gap()}${word(row.depth === 0 ? 'ROOT' : 'JOINT')}${blank()}${row.name}${pick(['', blank()])}`,
      row.offset,
    );
    if (row.channels.length > 0 || pick([true, false]))
      text += `${gap()}${word('CHANNELS')}${gap()}${row.channels.length}`;
    for (const channel of row.channels) text += `${gap()}${word(channel)}`;
    if (!row.endsLast) ends(row);
    open.push(row);
  }
  close(0);
  text += `${gap()}${word('MOTION')}${gap()}${word('Frames')}${pick([': ', ':', ' :\t', ' '])}${frames.length}`;
  text += `${gap()}${word('Frame')}${blank()}${word('Time')}${pick([': ', ':', ' :\t', ' '])}`;
  text += number(frameTime);
  for (const frame of frames) {
    text += pick(['\n', '\r\n', ' ']);
    list(frame);
  }
  return { text: text + pick(['\n', '', '\r\n\r\n', '\0']), glued, withCommas };
}
