/**
 * `bake` over folders: the same bytes and the same report whatever the number of threads and as if each file were baked
 * alone; what cannot be baked stops nobody; nothing is written when the command line makes no sense.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foxGlb, foxWithTailGlb } from '../../../examples/characters/fox.js';
import { mouseGlb } from '../../../examples/characters/mouse.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { run, type Run, start } from './support/run.js';

interface Report {
  output: string;
  baked: number;
  passedOver: number;
  failed: number;
  files: {
    file: string;
    output?: string;
    clips?: { name: string }[];
    warnings?: { code: string; at: string }[];
    passedOver?: { code: string; message: string };
    error?: { code: string; message: string };
  }[];
}

let folder: string;
let lib: string;
const at = (...names: string[]): string => join(folder, ...names);
const parsed = (stdout: string): Report => JSON.parse(stdout) as Report;

const digest = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** Files below a folder, each with the hash of what is in it. */
async function contents(path: string): Promise<Record<string, string>> {
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const list = files
    .toSorted()
    .map(async (file) => [file.slice(path.length + 1), await digest(file)] as const);
  return Object.fromEntries(await Promise.all(list));
}

/** A .gltf and the buffer beside it. */
async function writeSeparate(glb: Uint8Array, gltf: string, bin: string): Promise<void> {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as { buffers: object[] };
  Object.assign(json.buffers[0]!, { uri: 'data.bin' });
  await writeFile(gltf, JSON.stringify(json));
  await writeFile(bin, glb.subarray(28 + length));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  lib = at('lib');
  await mkdir(join(lib, 'b', 'deep'), { recursive: true });
  const fox = await foxWithTailGlb();
  await writeFile(join(lib, 'z-fox.glb'), fox);
  await writeFile(join(lib, 'Z-mouse.GLB'), await mouseGlb());
  await writeFile(join(lib, 'b', 'deep', 'äther.vrm'), fox);
  await writeSeparate(fox, join(lib, 'b', 'parts.gltf'), join(lib, 'b', 'data.bin'));
  await writeFile(join(lib, 'b', 'broken.glb'), fox.slice(0, 500));
  await writeFile(join(lib, 'b', 'tailless.glb'), await foxGlb());
  await writeFile(join(lib, '._z-fox.glb'), 'left by a file manager');
  await writeFile(join(lib, 'notes.txt'), 'no model');
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

describe('a folder', () => {
  const clips = ['--clip', 'Walk', '--clip', 'Idle'];
  let one: Run;
  let three: Run;
  let report: Report;

  beforeAll(async () => {
    const bake = async (threads: string): Promise<Run> => {
      const out = at(`out${threads}`);
      const args = ['bake', lib, '-o', out, ...clips, '--json', '--threads', threads];
      const { code, stdout, stderr } = await run(...args);
      return { code, stdout: stdout.replaceAll(out, at('out')), stderr: stderr.replaceAll(out, at('out')) };
    };
    [one, three] = await Promise.all([bake('1'), bake('3')]);
    report = parsed(one.stdout);
  });

  test('one thread and three write the same bytes and say the same', async () => {
    expect(three).toEqual(one);
    const written = await contents(at('out1'));
    expect(await contents(at('out3'))).toEqual(written);
    const models = ['Z-mouse.GLB', 'b/deep/äther.vrm', 'b/parts.gltf', 'z-fox.glb'];
    expect(Object.keys(written)).toEqual(models.map((name) => join(name)));
  });

  test('what cannot be baked is said in a line each, what is broken in the exit code', () => {
    expect(one.code).toBe(2);
    expect(one.stderr).toMatch(/^passed over: .*tailless\.glb: nothing to simulate: .*\n/m);
    expect(one.stderr).toMatch(/^error: .*broken\.glb: .*\nerror: 1 of 6 files cannot be baked\n$/m);
  });

  test('files stand in the order of their code units, each with its fate', () => {
    const { files, ...rest } = report;
    expect(rest).toEqual({ output: at('out'), baked: 4, passedOver: 1, failed: 1 });
    const names = [
      'Z-mouse.GLB',
      'b/broken.glb',
      'b/deep/äther.vrm',
      'b/parts.gltf',
      'b/tailless.glb',
      'z-fox.glb',
    ];
    expect(files.map(({ file }) => file)).toEqual(names.map((name) => join(lib, name)));
    expect(files[1]).toEqual({
      file: join(lib, 'b/broken.glb'),
      error: { code: 'invalid-file', message: expect.stringMatching(/broken\.glb: /) as string },
    });
    expect(files[4]!.passedOver).toMatchObject({ code: 'nothing-to-simulate' });
    for (const entry of files.filter((file) => file.clips)) {
      expect(entry.output).toBe(join(at('out'), entry.file.slice(lib.length)));
      expect(entry.clips!.map(({ name }) => name)).toEqual(['Walk', 'Idle']);
    }
  });

  test('each is what baking it alone gives', async () => {
    const alone = at('alone');
    await mkdir(join(alone, 'b', 'deep'), { recursive: true });
    for (const entry of report.files.filter((file) => file.clips)) {
      const output = join(alone, entry.file.slice(lib.length));
      const { code, stdout } = await run('bake', entry.file, '-o', output, ...clips, '--json');
      expect(code).toBe(0);
      const { clips: baked, warnings } = entry;
      expect(JSON.parse(stdout)).toEqual({ file: entry.file, output, clips: baked, warnings });
    }
    expect(await contents(alone)).toEqual(await contents(at('out1')));
  });

  test('a .gltf can be read where it was written', async () => {
    const { code } = await run('inspect', at('out3', 'b', 'parts.gltf'));
    expect(code).toBe(0);
  });
});

describe('what is asked for', () => {
  const walk = ['--clip', 'Walk', '--fps', '4', '--max-warmup', '0'];

  test('people get a table, progress stays off a pipe, loops that do not close exit 1', async () => {
    const inputs = [join(lib, 'z-fox.glb'), join(lib, 'Z-mouse.GLB')];
    const { code, stdout, stderr } = await run(
      'bake',
      ...inputs,
      '-o',
      at('pair'),
      ...walk,
      '--require-loop',
    );
    expect(stdout).toMatch(
      /^file +clips +loops +keys +error deg\n.*z-fox\.glb +1 +1 +\d+ .*\n.*Z-mouse\.GLB /,
    );
    expect(stdout).toMatch(/\n\n.*pair: 2 files baked\n$/);
    expect(stderr).toMatch(/^failed: .*z-fox\.glb: Walk did not close \(/m);
    expect(stderr).toMatch(/^warning: .*Z-mouse\.GLB: Tail_\d+: the saved pose/m);
    expect(code).toBe(1);
    expect(Object.keys(await contents(at('pair')))).toEqual(['Z-mouse.GLB', 'z-fox.glb']);
  });

  test('what an earlier run wrote is not baked again, links to folders are not followed; a single file may go to a folder', async () => {
    await mkdir(at('again'));
    await cp(join(lib, 'z-fox.glb'), at('again', 'fox.glb'));
    // A link to a folder is not followed: it may lead back up.
    await symlink(at('again'), at('again', 'round'));
    for (let pass = 0; pass < 2; pass++) {
      const { code, stdout } = await run('bake', at('again'), '-o', at('again', 'baked'), ...walk);
      expect(stdout).toMatch(/baked: 1 file baked\n$/);
      expect(code).toBe(0);
    }
    expect(await readdir(at('again', 'baked'))).toEqual(['fox.glb']);
    expect((await run('bake', at('again', 'fox.glb'), '-o', at('again', 'new/'), ...walk)).code).toBe(0);
    expect(await digest(at('again', 'new', 'fox.glb'))).toBe(await digest(at('again', 'baked', 'fox.glb')));
  });

  test('a folder may be baked in its place, again to the same bytes', async () => {
    await mkdir(at('here'));
    await cp(join(lib, 'z-fox.glb'), at('here', 'fox.glb'));
    const bake = () => run('bake', at('here'), '-o', at('here'), ...walk);
    expect((await bake()).code).toBe(0);
    const first = await contents(at('here'));
    expect(Object.keys(first)).toEqual(['fox.glb']);
    expect(first['fox.glb']).not.toBe(await digest(join(lib, 'z-fox.glb')));
    expect((await bake()).code).toBe(0);
    expect(await contents(at('here'))).toEqual(first);
  });

  test('a file is baked with those of the clips it has; when no file has any, that is a mistake', async () => {
    await mkdir(at('some'));
    const fox = Buffer.from(await readFile(join(lib, 'z-fox.glb')));
    await writeFile(at('some', 'a.glb'), fox);
    // The same length of text, so that the file stays as it is around it.
    await writeFile(
      at('some', 'b.glb'),
      fox.toString('latin1').replace('"name":"Walk"', '"name":"Trot"'),
      'latin1',
    );
    const bake = (...more: string[]) =>
      run('bake', at('some'), '-o', at('some-out'), '--fps', '4', '--max-warmup', '0', '--json', ...more);
    const both = parsed((await bake('--clip', 'Trot', '--clip', 'Idle')).stdout);
    expect(both.files.map(({ clips }) => clips!.map(({ name }) => name))).toEqual([
      ['Idle'],
      ['Trot', 'Idle'],
    ]);
    expect(both.files[0]!.warnings).toContainEqual(
      expect.objectContaining({ code: 'no-such-clip', at: at('some', 'a.glb') }),
    );
    await rm(at('some-out'), { recursive: true });
    const one = await bake('--clip', 'Trot');
    expect(one.code).toBe(0);
    expect(one.stderr).toMatch(/^passed over: .*a\.glb: --clip Trot fits no clip: Walk, .*\n$/m);
    expect(await readdir(at('some-out'))).toEqual(['b.glb']);
    await rm(at('some-out'), { recursive: true });
    const none = await bake('--set', 'Fin.damping=1');
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/error: .*some-out: no file has what --clip, --chain and --set name\n$/);
    expect(await readdir(folder)).not.toContain('some-out');
  });

  test('a file whose place is taken by a folder is said, the others are written', async () => {
    await mkdir(at('taken', 'z-fox.glb'), { recursive: true });
    const inputs = [join(lib, 'z-fox.glb'), join(lib, 'Z-mouse.GLB')];
    const { code, stderr, stdout } = await run('bake', ...inputs, '-o', at('taken'), ...walk, '--json');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: .*lib.z-fox\.glb: .*taken.z-fox\.glb: cannot be written/m);
    expect(parsed(stdout)).toMatchObject({ baked: 1, failed: 1 });
    expect((await readdir(at('taken'))).toSorted()).toEqual(['Z-mouse.GLB', 'z-fox.glb']);
  });
});

test('Ctrl-C ends it at once, and what is written by then is whole', async () => {
  const out = at('stopped');
  // Fine ticks: the other files take seconds when the first one is there.
  const child = await start('bake', lib, '-o', out, '--threads', '2', '--tick', '960');
  const ended = once(child, 'close');
  while ((await readdir(out).catch(() => [])).length === 0) await pause(2);
  child.kill('SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
  const written = Object.keys(await contents(out));
  expect(written.length).toBeLessThan(4);
  for (const name of written) {
    expect(name).toMatch(/\.(GLB|vrm|gltf|glb)$/);
    const { clips } = await loadGltf(await readFile(join(out, name)), { name });
    expect(clips).toHaveLength(5);
  }
});

describe('what makes no sense is said in one line before anything is written', () => {
  beforeAll(async () => {
    await mkdir(at('empty'));
    await mkdir(at('other'));
    await cp(join(lib, 'z-fox.glb'), at('other', 'z-fox.glb'));
    await mkdir(at('into', 'sub'), { recursive: true });
    await cp(join(lib, 'z-fox.glb'), at('into', 'sub', 'a.glb'));
    await cp(join(lib, 'z-fox.glb'), at('into', 'a.glb'));
    for (const place of [at('into', 'sub', 'deep'), at('into', 'deep')]) {
      await mkdir(place);
      await cp(join(lib, 'z-fox.glb'), join(place, 'b.glb'));
    }
  });

  test.each<[string, () => string[], RegExp]>([
    ['no output', () => [lib], /-o, --output <file>' not specified/],
    ['no thread', () => [lib, '-o', at('no'), '--threads', '0'], /whole number above 0/],
    [
      'a file for a folder',
      () => [lib, '-o', at('no.glb')],
      /no\.glb: is the name of a file, expected a folder/,
    ],
    [
      'a file that is there',
      () => [lib, '-o', join(lib, 'notes.txt')],
      /notes\.txt: is a file, expected a folder/,
    ],
    [
      'a file on the way',
      () => [lib, '-o', join(lib, 'notes.txt', 'x')],
      /notes\.txt is a file, expected a folder/,
    ],
    [
      'nothing to read',
      () => [at('empty'), '-o', at('no')],
      /empty: there is no \.glb, \.gltf or \.vrm in it/,
    ],
    [
      'an input that is not there',
      () => [lib, at('gone'), '-o', at('no')],
      /gone: there is no such file or folder/,
    ],
    [
      'a file of no known kind',
      () => [lib, join(lib, 'notes.txt'), '-o', at('no')],
      /notes\.txt: expected a \.glb, \.gltf or \.vrm, or a folder/,
    ],
    [
      'two files for one place',
      () => [lib, at('other'), '-o', at('no')],
      /no.z-fox\.glb: .*lib.z-fox\.glb and .*other.z-fox\.glb would both go there/,
    ],
    [
      'the same file twice',
      () => [at('other'), at('other', 'z-fox.glb'), '-o', at('no')],
      /z-fox\.glb and .*z-fox\.glb would both go there/,
    ],
    [
      'a file over one that is yet to be read',
      () => [at('into', 'sub'), at('into', 'deep', 'b.glb'), '-o', at('into')],
      /into.deep.b\.glb: .*sub.deep.b\.glb would go there, but that file is to be read too/,
    ],
  ])('%s', async (_, args, says) => {
    const before = await contents(folder);
    const { code, stdout, stderr } = await run('bake', ...args());
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
    expect(await contents(folder)).toEqual(before);
    expect(await readdir(folder)).not.toContain('no');
  });
});
