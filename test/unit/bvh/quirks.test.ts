/**
 * What exporters made of BVH, one row per quirk: those on which three, assimp, Blender and others were seen to fail,
 * and those of bug reports. There is no specification; the rule is that a text with one possible meaning is read, and
 * that whatever was guessed is said in a warning.
 */
import { describe, expect, test } from 'vitest';
import { FollowthroughError } from '../../../src/asset/errors.js';
import { readBvh } from '../../../src/io/bvh/readBvh.js';
import { motion, ONE_JOINT, read } from './support.js';

/** A file of joints alone. */
const skeleton = (blocks: string): string => `HIERARCHY\n${blocks}\n${motion('', 0)}`;

describe('frames', () => {
  test.each<[quirk: string, frames: string, count: number, rows: string, codes: string[]]>([
    ['nothing odd', '1 2\n3 4', 2, '1 2 | 3 4', []],
    ['a single frame', '1 2', 1, '1 2', []],
    ['no frames', '', 0, '', []],
    ['the last line is missing', '1 2\n3 4', 3, '1 2 | 3 4', ['truncated']],
    ['all lines are missing', '', 3, '', ['truncated']],
    ['the last line is short', '1 2\n3', 2, '1 2', ['truncated']],
    ['more lines than announced', '1 2\n3 4\n5 6', 2, '1 2 | 3 4 | 5 6', ['frame-count']],
    ['more lines than announced, the last one short', '1 2\n3 4\n5', 1, '1 2 | 3 4', ['frame-count']],
    ['a frame wrapped over lines', '1\n2\n3\n\n4', 2, '1 2 | 3 4', []],
    ['all frames on one line', '1 2 3 4', 2, '1 2 | 3 4', []],
    ['blanks at both ends, two in between', '  1  2 \n\n \t3 \t 4\t\n \n', 2, '1 2 | 3 4', []],
    ['decimal commas', '0,5 -1,25\n3 4', 2, '0.5 -1.25 | 3 4', ['decimal-comma']],
    ['decimal commas and exponents', '1,5e-3 2\n3 4', 2, '0.0015 2 | 3 4', ['decimal-comma']],
    ['commas behind numbers', '1, 2\n3, 4', 2, '1 2 | 3 4', []],
    ['commas behind numbers and at the end of lines', '1, 2,\n3, 4,', 2, '1 2 | 3 4', []],
    ['commas between numbers with points', '1.5,2.5\n-3,4.0', 2, '1.5 2.5 | -3 4', []],
    ['commas behind points', '1.5,2\n3.5,4', 2, '1.5 2 | 3.5 4', []],
    ['commas before points', '1,2.5\n3,4.5', 2, '1 2.5 | 3 4.5', []],
    ['exponents', '1.0E+02 -1.2379e-06\n1e3 5E-1', 2, '100 -0.0000012379 | 1000 0.5', []],
    ['a blank missing before a sign', '0.0-7.5\n3 4', 2, '0 -7.5 | 3 4', ['missing-blank']],
    ['a blank missing behind a point', '1.-3\n.5+4', 2, '1 -3 | 0.5 4', ['missing-blank']],
    ['a blank missing behind an exponent', '1e-2-3\n2E+1+4', 2, '0.01 -3 | 20 4', ['missing-blank']],
    [
      'a blank missing, decimal commas',
      '0,0-7,5\n3 4',
      2,
      '0 -7.5 | 3 4',
      ['decimal-comma', 'missing-blank'],
    ],
    ['signs, no digit on one side of the point', '+1 .5\n-.5 2.', 2, '1 0.5 | -0.5 2', []],
    ['words behind the last frame', '1 2\n3 4\n# by hand', 2, '1 2 | 3 4', ['trailing-text']],
    ['a NUL, or the mark of DOS, at the end', '1 2\n3 4\n\0\x1a', 2, '1 2 | 3 4', []],
  ])('%s', (_, frames, count, rows, codes) => {
    const got = read(ONE_JOINT + motion(frames, count));
    const frameCount = rows === '' ? 0 : rows.split('|').length;
    expect({ rows: got.rows, codes: got.codes.toSorted() }).toEqual({ rows, codes });
    expect(got.bvh).toMatchObject({ channelCount: 2, frameTime: 0.5, frameCount });
  });

  test('what is missing is said in figures, what was guessed with its line', () => {
    const [truncated] = readBvh(ONE_JOINT + motion('1 2\n3 4\n5', 7)).warnings;
    expect(truncated!.message).toMatch(/\b7 frames\b.*\b2 are there\b.*\b1 numbers\b/);
    const [commas] = readBvh(ONE_JOINT + motion('0,5 1\n3 4,5')).warnings;
    expect(commas).toMatchObject({ at: 'line 10', message: expect.stringContaining('2 numbers') });
    const [blanks] = readBvh(ONE_JOINT + motion('1 2\n3-4')).warnings;
    expect(blanks!.at).toBe('line 11');
  });

  test('a comma in a name says nothing about those in numbers', () => {
    const { rows, codes } = read(ONE_JOINT.replace('Hips', 'Tail1, left') + motion('0,5 1,5\n2 3'));
    expect({ rows, codes }).toEqual({ rows: '0.5 1.5 | 2 3', codes: ['decimal-comma'] });
  });
});

describe('the head of the frames', () => {
  test.each<[quirk: string, head: string]>([
    ['nothing odd', 'MOTION\nFrames: 2\nFrame Time: 0.5\n'],
    ['no blank behind the colon', 'MOTION\nFrames:2\nFrame Time:0.5\n'],
    ['tabs', 'MOTION\nFrames:\t2\nFrame Time:\t0.5\n'],
    ['no digit before the point', 'MOTION\nFrames: 2\nFrame Time: .5\n'],
    ['lower case', 'motion\nframes: 2\nframe time: 0.5\n'],
    ['upper case, no colon', 'MOTION\nFRAMES 2\nFRAME TIME 0.5\n'],
    ['a blank before the colon', 'MOTION\nFrames : 2\nFrame Time : 0.5\n'],
    ['everything on one line', 'MOTION Frames: 2 Frame Time: 5e-1 '],
    ['blank lines', '\n\nMOTION\n\nFrames: 2\n\nFrame Time: 0.5\n\n'],
  ])('%s', (_, head) => {
    const { rows, bvh, codes } = read(`${ONE_JOINT}${head}1 2\n3 4\n`);
    expect({ rows, time: bvh.frameTime, codes }).toEqual({ rows: '1 2 | 3 4', time: 0.5, codes: [] });
  });

  test('a decimal comma in the frame time', () => {
    const { bvh, codes } = read(ONE_JOINT + motion('1 2\n3 4', 2, '0,0333'));
    expect({ time: bvh.frameTime, codes }).toEqual({ time: 0.0333, codes: ['decimal-comma'] });
  });

  test.each(['0', '0.0', '-0.5', 'nan', '-1.#IND', 'inf', '1e999', '1e-999'])(
    'Frame Time: %s needs the option fps',
    (time) => {
      const text = ONE_JOINT + motion('1 2\n3 4', 2, time);
      expect(() => readBvh(text, { name: 'f.bvh' })).toThrow(/^f\.bvh: line 9: expected .*frame time/);
      const { rows, bvh } = read(text, { fps: 25 });
      expect({ rows, time: bvh.frameTime }).toEqual({ rows: '1 2 | 3 4', time: 0.04 });
    },
  );

  test('so does no frame time', () => {
    const text = `${ONE_JOINT}MOTION\nFrames: 2\n1 2\n3 4\n`;
    expect(() => readBvh(text, { name: 'f.bvh' })).toThrow('f.bvh: line 9: expected Frame Time');
    expect(read(text, { fps: 50 }).bvh).toMatchObject({ frameTime: 0.02, frameCount: 2 });
  });

  test('fps counts instead of a frame time that is fine', () => {
    expect(read(ONE_JOINT + motion('1 2\n3 4'), { fps: 60 }).bvh.frameTime).toBe(1 / 60);
  });

  test.each([0, -1, NaN, Infinity, 5e-324])(
    'fps %d is refused: no finite time lies between frames',
    (fps) => {
      const act = (): unknown => readBvh(ONE_JOINT + motion('1 2\n3 4'), { fps });
      expect(act).toThrow(FollowthroughError);
      expect(act).toThrow(/^fps: expected/);
    },
  );

  test.each<[quirk: string, rest: string]>([
    ['Frames: 0', motion('', 0)],
    ['Frames: 0 and no frame time', 'MOTION\nFrames: 0\n'],
    ['Frames: 0 and Frame Time: 0, which no frame needs,', motion('', 0, 0)],
    ['no MOTION', ''],
  ])('%s is a skeleton alone', (_, rest) => {
    const { names, rows, codes } = read(ONE_JOINT + rest);
    expect({ names, rows, codes }).toEqual({ names: ['Hips'], rows: '', codes: [] });
  });
});

describe('bytes', () => {
  const text = `${ONE_JOINT.replace('Hips', 'Hüfte')}${motion('1 2\n3 4')}`;
  const utf8 = (string: string): Uint8Array => new TextEncoder().encode(string);
  const utf16 = (string: string): Uint8Array => new Uint8Array(Buffer.from(string, 'utf16le'));
  const swapped = (string: string): Uint8Array => new Uint8Array(Buffer.from(string, 'utf16le').swap16());
  /** As Node gives small files: somewhere in a larger buffer. */
  const inside = (bytes: Uint8Array): Uint8Array =>
    Uint8Array.of(65, 66, 67, ...bytes, 68).subarray(3, 3 + bytes.length);

  test.each<[quirk: string, data: string | Uint8Array | ArrayBuffer]>([
    ['text', text],
    ['text with a byte order mark', `\ufeff${text}`],
    ['UTF-8', utf8(text)],
    ['UTF-8 with its mark', utf8(`\ufeff${text}`)],
    ['an ArrayBuffer', utf8(text).slice().buffer as ArrayBuffer],
    ['a part of a buffer', inside(utf8(text))],
    ['UTF-16 with its mark', utf16(`\ufeff${text}`)],
    ['UTF-16, the high byte first', swapped(`\ufeff${text}`)],
    ['UTF-16 in a part of a buffer at an odd place', inside(utf16(`\ufeff${text}`))],
    ['CRLF', utf8(text.replaceAll('\n', '\r\n'))],
    ['CR alone', utf8(text.replaceAll('\n', '\r'))],
    ['CRLF here, LF there', utf8(text.replace('\n', '\r\n').replace('MOTION\n', 'MOTION\r\n'))],
    ['tabs for blanks', utf8(text.replaceAll(' ', '\t').replace('Frame\t', 'Frame '))],
    ['no line end at the end', utf8(text.trimEnd())],
  ])('%s', (_, data) => {
    const { names, rows, codes } = read(data);
    expect({ names, rows, codes }).toEqual({
      names: ['Hüfte'],
      rows: '1 2 | 3 4',
      codes: [],
    });
  });
});

describe('joints', () => {
  test('offsets, parents and channels of a small tree', () => {
    const { bvh, names, parents, offsets, channels, rows } = read(`HIERARCHY
ROOT Hips
{
	OFFSET -42.2 91.6 -40.1
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Thigh
	{
		OFFSET 1 2 3
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT Foot
		{
			OFFSET 0 -40.5 0
			CHANNELS 3 Yrotation Xrotation Zrotation
			End Site
			{
				OFFSET 0 0 0
			}
		}
	}
	JOINT Spine
	{
		OFFSET 0 10 0
		CHANNELS 3 Xrotation Yrotation Zrotation
		End Site
		{
			OFFSET 0 5 0.5
		}
	}
}
${motion('1 2 3 4 5 6 7 8 9 10 11 12 13 14 15', 1)}`);
    expect(names).toEqual(['Hips', 'Thigh', 'Foot', 'Spine']);
    expect(parents).toEqual([-1, 0, 1, 0]);
    expect(offsets).toEqual(['-42.2 91.6 -40.1', '1 2 3', '0 -40.5 0', '0 10 0']);
    expect(channels).toEqual(['XpYpZpZrXrYr', 'ZrXrYr', 'YrXrZr', 'XrYrZr']);
    expect(bvh.joints.map(({ firstChannel }) => firstChannel)).toEqual([0, 6, 9, 12]);
    const tips = bvh.joints.map(({ ends }) => ends.map(({ offset }) => offset.join(' ')).join(' | '));
    expect(tips).toEqual(['', '', '0 0 0', '0 5 0.5']);
    expect(rows).toBe('1 2 3 4 5 6 7 8 9 10 11 12 13 14 15');
  });

  test.each<[quirk: string, blocks: string, names: string[], parents: number[], codes: string[]]>([
    ['blanks', 'ROOT Bip01\n{\nJOINT Bip01 L Hand\n{\n}\n}', ['Bip01', 'Bip01 L Hand'], [-1, 0], []],
    ['blanks around', 'ROOT \t Left Knee \t\n{\n}', ['Left Knee'], [-1], []],
    ['colons', 'ROOT A:Hips\n{\nJOINT A:Spine\n{\n}\n}', ['A:Hips', 'A:Spine'], [-1, 0], []],
    [
      'points and other signs',
      'ROOT Hips.L\n{\nJOINT a-b_c(1)#;"é\n{\n}\n}',
      ['Hips.L', 'a-b_c(1)#;"é'],
      [-1, 0],
      [],
    ],
    [
      'words of the format',
      'ROOT MOTION\n{\nJOINT OFFSET 1 2 3\n{\n}\n}',
      ['MOTION', 'OFFSET 1 2 3'],
      [-1, 0],
      [],
    ],
    [
      'the brace on their line',
      'ROOT a {\nJOINT b c {\n}\nJOINT d{\n}\n}',
      ['a', 'b c', 'd'],
      [-1, 0, 0],
      [],
    ],
    ['everything on one line', 'ROOT a { JOINT b { } JOINT c { } }', ['a', 'b', 'c'], [-1, 0, 0], []],
    ['lower case around', 'root Hips\n{\njoint Spine\n{\n}\n}', ['Hips', 'Spine'], [-1, 0], []],
    [
      'several roots',
      'ROOT a\n{\nJOINT b\n{\n}\n}\nROOT c\n{\nJOINT d\n{\n}\n}',
      ['a', 'b', 'c', 'd'],
      [-1, 0, -1, 2],
      [],
    ],
    [
      'names twice',
      'ROOT a\n{\nJOINT b\n{\n}\nJOINT b\n{\n}\n}',
      ['a', 'b', 'b#2'],
      [-1, 0, 0],
      ['duplicate-name'],
    ],
    [
      'names three times beside one that looks renamed',
      'ROOT b\n{\nJOINT b\n{\n}\nJOINT b#2\n{\n}\nJOINT b\n{\n}\n}',
      ['b', 'b#3', 'b#2', 'b#4'],
      [-1, 0, 0, 0],
      ['duplicate-name', 'duplicate-name'],
    ],
    [
      'names of Object.prototype',
      'ROOT __proto__\n{\nJOINT constructor\n{\n}\n}',
      ['__proto__', 'constructor'],
      [-1, 0],
      [],
    ],
    ['a brace too few', 'ROOT a\n{\nJOINT b\n{\n}\n', ['a', 'b'], [-1, 0], ['braces']],
    ['a brace too many', 'ROOT a\n{\n}\n}\n', ['a'], [-1], ['braces']],
  ])('names and blocks: %s', (_, blocks, names, parents, codes) => {
    const got = read(skeleton(blocks));
    expect({ names: got.names, parents: got.parents, codes: got.codes }).toEqual({ names, parents, codes });
  });

  test.each<[quirk: string, ends: string, names: string[]]>([
    ['none', '', []],
    ['nothing odd', 'End Site\n{\nOFFSET 1 2 3\n}', ['']],
    ['the brace on its line', 'End Site {\nOFFSET 1 2 3\n}', ['']],
    ['upper case', 'END SITE\n{\nOFFSET 1 2 3\n}', ['']],
    ['lower case, tabs', 'end\tsite\t\n{\noffset 1\t2\t3\n}', ['']],
    ['one word', 'ENDSITE\n{\nOFFSET 1 2 3\n}', ['']],
    ['the name that all have', 'End Site ENDSITE\n{\nOFFSET 1 2 3\n}', ['']],
    ['a name', 'End Site Bip01 L Finger0Nub\n{\nOFFSET 1 2 3\n}', ['Bip01 L Finger0Nub']],
    ['CHANNELS 0', 'End Site\n{\nOFFSET 1 2 3\nCHANNELS 0\n}', ['']],
    ['two', 'End Site\n{\nOFFSET 1 2 3\n}\nEnd Site b\n{\nOFFSET 1 2 3\n}', ['', 'b']],
  ])('End Site: %s', (_, ends, names) => {
    const { bvh, codes } = read(skeleton(`ROOT a\n{\nOFFSET 7 8 9\nCHANNELS 0\n${ends}\n}`));
    expect(bvh.joints[0]!.ends).toEqual(names.map((name) => ({ name, offset: [1, 2, 3] })));
    expect(bvh.joints[0]!.offset).toEqual([7, 8, 9]);
    expect(codes).toEqual([]);
  });

  test.each<[quirk: string, line: string, channels: string, codes: string[]]>([
    ['none', 'CHANNELS 0', '', []],
    ['no line', '', '', []],
    ['one rotation', 'CHANNELS 1 Zrotation', 'Zr', []],
    ['two rotations', 'CHANNELS 2 Yrotation Xrotation', 'YrXr', []],
    ['four, one of them a position', 'CHANNELS 4 Yposition Zrotation Xrotation Yrotation', 'YpZrXrYr', []],
    ['five', 'CHANNELS 5 Xposition Zposition Zrotation Xrotation Yrotation', 'XpZpZrXrYr', []],
    [
      'positions behind',
      'CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition',
      'ZrXrYrXpYpZp',
      [],
    ],
    ['lower case', 'channels 3 zrotation xrotation yrotation', 'ZrXrYr', []],
    ['upper case', 'CHANNELS 3 ZROTATION XROTATION YROTATION', 'ZrXrYr', []],
    ['blanks at the end, tabs', '\tCHANNELS\t3 \tZrotation  Xrotation\tYrotation  ', 'ZrXrYr', []],
    ['over lines', 'CHANNELS\n3\nZrotation\nXrotation Yrotation', 'ZrXrYr', []],
    ['more than announced', 'CHANNELS 2 Zrotation Xrotation Yrotation', 'ZrXrYr', ['channel-count']],
  ])('channels: %s', (_, line, channels, codes) => {
    const numbers = Array.from({ length: channels.length / 2 + 3 }, (__, i) => i + 1);
    const got = read(
      `HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n${line}\nJOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n}\n}\n` +
        motion(numbers.join(' '), 1),
    );
    // A joint that is not understood would shift the numbers of all joints behind it.
    expect(got.channels).toEqual([channels, 'ZrYrXr']);
    expect(got.bvh.joints[1]!.firstChannel).toBe(channels.length / 2);
    expect(got.rows).toBe(numbers.join(' '));
    expect(got.codes).toEqual(codes);
  });
});
