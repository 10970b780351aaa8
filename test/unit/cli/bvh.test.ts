/** `followthrough bvh`: a set of poses baked from a fist looked at and mended, and what makes no sense said in one line. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBvh } from '../../../src/io/bvh/index.js';
import { walkerBvh } from '../../support/walkerBvh.js';
import { run } from './support/run.js';

let folder: string;
let poses: string;

/**
 * A finger of three bones whose rotations count from a fist (90 degrees, and 70 at the tip), with no end site.
 *
 * @param bend - of the middle joint; the tip bends in proportion
 */
function fingerBvh(...bends: number[]): string {
  const frames = bends.map((bend) => `0 0 0 ${bend - 90} 0 0 ${(bend - 90) * (70 / 90)} 0 0`);
  const turns = 'CHANNELS 3 Zrotation Xrotation Yrotation';
  return `HIERARCHY
ROOT RightHandIndex1
{
  OFFSET 0 0 0
  ${turns}
  JOINT RightHandIndex2
  {
    OFFSET 4 0 0
    ${turns}
    JOINT RightHandIndex3
    {
      OFFSET 0 2.5 0
      ${turns}
    }
  }
}
MOTION
Frames: ${bends.length}
Frame Time: 0.033333
${frames.join('\n')}
`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  poses = join(folder, 'poses');
  await mkdir(join(poses, 'deep'), { recursive: true });
  await writeFile(join(poses, 'open.bvh'), fingerBvh(0));
  await writeFile(join(poses, 'fist.bvh'), fingerBvh(90, 60));
  await writeFile(join(poses, 'deep', 'half.bvh'), fingerBvh(2, 45, 30));
  await writeFile(join(poses, 'walker.bvh'), walkerBvh(5));
  await writeFile(join(poses, 'notes.txt'), 'no motion');
});

afterAll(() => rm(folder, { recursive: true }));

describe('followthrough bvh', () => {
  it('lists files and the leaves that are at fault, judged as one set', async () => {
    const { code, stdout, stderr } = await run('bvh', poses);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  '));
    expect(lines[0]).toBe('file  joints  frames  seconds  fps');
    expect(lines.filter((line) => line.includes('.bvh  '))).toHaveLength(4);
    expect(stdout).toMatch(/leaves of 3 files with 6 frames/);
    expect(stdout).toMatch(/RightHandIndex3 +defect +none +90 +-70 to 0 +-1 to 69 +1\.9/);
  });

  it('writes mended files; what needs nothing keeps its bytes', async () => {
    const out = join(folder, 'mended');
    const { code, stdout, stderr } = await run('bvh', poses, '-o', out, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const value = JSON.parse(stdout) as {
      files: { file: string; output: string; mended: boolean }[];
      groups: { files: string[]; leaves: { verdict: string }[] }[];
      repaired: string[];
    };
    expect(value.files.map(({ file, mended }) => [file.slice(poses.length + 1), mended])).toEqual([
      ['deep/half.bvh', true],
      ['fist.bvh', true],
      ['open.bvh', true],
      ['walker.bvh', false],
    ]);
    expect(value.repaired).toEqual(['RightHandIndex3']);
    const walker = await readFile(join(out, 'walker.bvh'), 'utf8');
    expect(walker).toBe(await readFile(join(poses, 'walker.bvh'), 'utf8'));
    const ends = await Promise.all(
      value.files.slice(0, 3).map(async ({ output }) => readBvh(await readFile(output)).joints.at(-1)!),
    );
    expect(ends.map(({ name }) => name)).toEqual(Array.from({ length: 3 }, () => 'RightHandIndex3_End'));
    expect(ends[1]!.offset).toEqual(ends[0]!.offset);
    // 70 degrees further than the bone before, which points along +Y, and 0.8 of its length.
    const [x, y] = ends[0]!.offset;
    expect((Math.atan2(-x, y) * 180) / Math.PI).toBeCloseTo(70, -0.5);
    expect(Math.hypot(x, y)).toBeCloseTo(2, 9);
    const again = await run('bvh', out, '-o', join(folder, 'again'));
    expect(again.stdout).toContain('0 files mended (no leaf), 4 copied as they are');
  });

  it('takes a tip, a straight pose and a length from the user', async () => {
    const end = async (...args: string[]): Promise<number[]> => {
      const out = join(folder, `out${args.join('').replaceAll(/\W/g, '')}`);
      const { code, stderr } = await run('bvh', poses, '-o', out, ...args);
      expect([code, stderr]).toEqual([0, '']);
      return readBvh(await readFile(join(out, 'open.bvh'))).joints.at(-1)!.offset;
    };
    expect(await end('--tip', 'RightHandIndex3=-1,2,0.5')).toEqual([-1, 2, 0.5]);
    const [x, y] = await end('--straight', 'open.bvh:0', '--end-length', '0.4');
    expect((Math.atan2(-x!, y!) * 180) / Math.PI).toBeCloseTo(70, 6);
    expect(Math.hypot(x!, y!)).toBeCloseTo(1, 9);
  });

  it.each<[string[], RegExp]>([
    [[], /missing required argument 'inputs'/],
    [['no.bvh'], /no\.bvh: there is no such file or folder/],
    [['notes.txt'], /notes\.txt: expected a \.bvh, or a folder/],
    [['empty'], /empty: there is no \.bvh in it/],
    [['broken.bvh'], /broken\.bvh: line 3: expected a number, found 'x'/],
    [['open.bvh', '-o', 'open.bvh'], /open\.bvh: is a file, expected a folder to write into/],
    [['open.bvh', '-o', 'out', '--tip', 'Index'], /expected leaf=x,y,z/],
    [['open.bvh', '-o', 'out', '--tip', 'Thumb=1,2,3'], /Thumb: no file has a leaf of that name/],
    [['open.bvh', '-o', 'out', '--straight', 'open.bvh'], /expected file:frame/],
    [['open.bvh', '-o', 'out', '--straight', 'fist.bvh:0'], /--straight fist\.bvh: is none of the files/],
    [['open.bvh', '-o', 'out', '--straight', 'open.bvh:3'], /straightPose\.frame: expected 0 to 0/],
    [['open.bvh', '--fps', '0'], /expected a number above 0/],
  ])('%j: exit code 2, one line, nothing written', async (args, message) => {
    await mkdir(join(poses, 'empty'), { recursive: true });
    await writeFile(join(poses, 'broken.bvh'), 'ROOT a\n{\nOFFSET x 0 0\n}\n');
    const before = await readdir(poses);
    const paths = args.map((arg) =>
      /\.|^empty$|^out$/.test(arg) && !/[=:]/.test(arg) ? join(poses, arg) : arg,
    );
    const { code, stdout, stderr } = await run('bvh', ...paths);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await readdir(poses)).toEqual(before);
    await rm(join(poses, 'broken.bvh'));
    await rm(join(poses, 'empty'), { recursive: true });
  });
});
