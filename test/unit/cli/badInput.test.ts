/** Whatever is wrong: exit code 2, one line on stderr that names file, place and expectation, nothing written. */
import { readdirSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foxWithTailGlb } from '../../../examples/characters/fox.js';
import { inspectAsset } from '../../../src/cli/inspectAsset.js';
import { besides, readInput } from '../../../src/cli/files.js';
import { FollowthroughError } from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { shared } from '../../support/shared.js';
import { inFolder, run, type Run } from './support/run.js';

function expectOneLine({ code, stdout, stderr }: Run, says: RegExp): void {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/\bat .*\.(js|ts|mjs):\d+/);
  expect(code).toBe(2);
}

describe('usage', () => {
  test.each<[string, string[], RegExp]>([
    [
      'no command',
      [],
      /expected a command: inspect, rig, bake, retarget, bvh, measure, springs, record or verify/,
    ],
    ['an unknown command', ['bak'], /unknown command 'bak' \(Did you mean bake\?\)/],
    ['no file', ['inspect'], /missing required argument 'file'/],
    ['an unknown option', ['inspect', 'x', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)/],
    ['no output', ['bake', 'x.glb'], /-o, --output <file>' not specified/],
    [
      'an output of no known kind',
      ['bake', 'x.glb', '-o', 'y.fbx'],
      /y\.fbx' is invalid.*\.glb, \.vrm or \.gltf/,
    ],
    ['an output into nowhere', ['bake', 'x.glb', '-o', '/no/where/y.glb'], /there is no folder \/no\/where/],
    [
      'a number that is none',
      ['bake', 'x.glb', '-o', 'y.glb', '--fps', 'fast'],
      /--fps <n>' argument 'fast'/,
    ],
    ['a negative number', ['measure', 'x.glb', '--max-warmup', '-3'], /number from 0/],
    ['half a sample', ['measure', 'x.glb', '--samples', '2.5'], /whole number above 0/],
    [
      'a pose of no known kind',
      ['measure', 'x.glb', '--pose', 'limp'],
      /Allowed choices are rigid, chain, clip/,
    ],
    [
      'edges of another file in a pose that is not the clip',
      ['measure', 'x.glb', '--edges-of', 'y.glb'],
      /--edges-of y\.glb: goes with --pose clip only, the pose is chain/,
    ],
    [
      'edges of a file that is not there',
      ['measure', 'x.glb', '--pose', 'clip', '--edges-of', 'no-such.glb'],
      /^error: no-such\.glb: there is no such file/,
    ],
    [
      'a setting without a value',
      ['measure', 'x.glb', '--set', 'Tail_1.damping'],
      /expected chain\.option=value/,
    ],
    ['a setting of nothing', ['measure', 'x.glb', '--set', '*.wobble=1'], /no chain option wobble/],
    [
      'a setting out of range',
      ['measure', 'x.glb', '--set', '*.damping=-1'],
      /damping is -1, expected a number from 0/,
    ],
    ['an angle out of range', ['measure', 'x.glb', '--set', '*.carry=400'], /degrees from -360 to 360/],
    ['no output of rig', ['rig', 'x.glb'], /-o, --output: .*left out with --dry-run or --svg/],
    [
      'a picture into nowhere',
      ['rig', 'x.glb', '--svg', '/no/where/y.svg'],
      /there is no folder \/no\/where/,
    ],
    ['a picture over a model', ['rig', 'x.glb', '--svg', 'x.glb'], /x\.glb' is invalid.*ends in \.svg/],
    [
      'a verdict of no known kind',
      ['rig', 'x.glb', '--dry-run', '--force', 'piece1=maybe'],
      /--force <piece=verdict>' argument 'piece1=maybe' is invalid.*for instance piece1=leave/,
    ],
    ['a verdict for nothing', ['rig', 'x.glb', '--dry-run', '--force', '=chain'], /expected piece=chain/],
    ['more than certain', ['rig', 'x.glb', '--dry-run', '--min-confidence', '1.01'], /number from 0 to 1/],
    ['no certainty', ['rig', 'x.glb', '--dry-run', '--min-confidence', 'NaN'], /number from 0 to 1/],
    ['a bone for no hair', ['rig', 'x.glb', '--dry-run', '--attach', 'Head'], /--attach: is for --hair only/],
    ['joints for no hair', ['rig', 'x.glb', '--dry-run', '--joints', '6'], /--joints: is for --hair only/],
    ['no joints', ['rig', 'x.glb', '--dry-run', '--hair', 'a', '--joints', '0'], /whole number above 0/],
    ['nothing to rig', ['rig', 'no-such.glb', '--dry-run'], /^error: no-such\.glb: there is no such file/],
    ['a file that is not there', ['inspect', 'no-such.glb'], /no-such\.glb: there is no such file/],
    ['a folder', ['inspect', '.'], /\.: is a folder, expected a file/],
  ])('%s', async (_, args, says) => {
    expectOneLine(await run(...args), says);
  });
});

describe('what the file does not have', () => {
  test('clips, chains and bones are named with what there is instead', async () => {
    await inFolder(async (folder) => {
      const fox = join(folder, 'fox.glb');
      const out = join(folder, 'out.glb');
      await writeFile(fox, await foxWithTailGlb());
      const names = /Walk, Sprint, Crouch, BackFlip, Idle/;
      expectOneLine(
        await run('measure', fox, '--clip', 'Fly'),
        /fox\.glb: --clip Fly fits no clip: Walk, Sprint/,
      );
      expectOneLine(await run('measure', fox), names);
      expectOneLine(await run('bake', fox, '-o', out, '--clip', 'Fly'), names);
      expectOneLine(await run('bake', fox, '-o', out, '--chain', 'Fin'), /fox\.glb: .*Fin.*inspect --bones/);
      expectOneLine(await run('bake', fox, '-o', out, '--chain', 'hips'), /did you mean mixamorig:Hips\?/);
      expectOneLine(await run('bake', fox, '-o', out, '--fps', '1e9'), /fps is 1000000000, expected at most/);
      expectOneLine(
        await run('bake', fox, '-o', out, '--set', 'Fin.damping=1'),
        /no such chain; the file has Tail_1/,
      );
      expectOneLine(await run('bake', fox, '-o', out, '--owner', 'clip'), /nothing to simulate.*clip/);
      expect(await readdir(folder)).toEqual(['fox.glb']);
    });
  });
});

test('an output that is a folder is refused before the work begins', async () => {
  await inFolder(async (folder) => {
    const out = join(folder, 'out.glb');
    await mkdir(out);
    for (const args of [
      ['bake', 'no-such.glb', '-o', out],
      ['rig', 'no-such.glb', '-o', out],
    ])
      expectOneLine(await run(...args), /out\.glb: is a folder, expected a file to write/);
  });
});

describe('broken files', () => {
  test.each<[string, (fox: Uint8Array) => Uint8Array]>([
    ['empty', () => new Uint8Array(0)],
    ['text', () => new TextEncoder().encode('v 0 0 0\n')],
    ['JSON that is no glTF', () => new TextEncoder().encode('{"hello": [1, 2, 3]}')],
    ['cut in the header', (fox) => fox.slice(0, 10)],
    ['cut in the JSON', (fox) => fox.slice(0, 500)],
    ['cut in the binary', (fox) => fox.slice(0, fox.length - 5000)],
    ['longer than the header says by half', (fox) => fox.slice(0, fox.length >> 1)],
  ])('%s', async (_, spoil) => {
    await inFolder(async (folder) => {
      const file = join(folder, 'broken.glb');
      await writeFile(file, spoil(await foxWithTailGlb()));
      const [out, svg] = [join(folder, 'out.glb'), join(folder, 'out.svg')];
      const results = await Promise.all([
        run('bake', file, '-o', out, '--json'),
        run('rig', file, '-o', out, '--svg', svg, '--json'),
      ]);
      for (const result of results) expectOneLine(result, /broken\.glb: /);
      expect(await readdir(folder)).toEqual(['broken.glb']);
    });
  });
});

describe.skipIf(!shared)('the validator’s broken files', () => {
  const folder = `${shared}/gltf-invalid`;
  const files = shared
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gltf'))
    : [];

  test.each(files)('%s is read, or refused in one line', async (file) => {
    const path = `${folder}/${file}`;
    try {
      const asset = await loadGltf(await readInput(path), { name: path, resolve: besides(path) });
      expect(() => JSON.stringify(inspectAsset(asset, path, undefined, 1))).not.toThrow();
    } catch (error) {
      expect(error).toBeInstanceOf(FollowthroughError);
      expect((error as Error).message).not.toMatch(/\n/);
    }
  });

  test('a loop of nodes reaches the user as one line', async () => {
    expectOneLine(await run('inspect', `${folder}/node/node_loop.gltf`), /node_loop\.gltf: .*\/nodes/);
  });
});
