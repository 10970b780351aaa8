/** The three commands on the project's fox: what they print, the keys of their JSON, exit codes of thresholds. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foxGlb, foxWithTailGlb } from '../../../examples/characters/fox.js';
import { mouseGlb } from '../../../examples/characters/mouse.js';
import { run, start } from './support/run.js';

let folder: string;
let fox: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  fox = join(folder, 'fox.glb');
  await writeFile(fox, await foxWithTailGlb());
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

describe('inspect', () => {
  test('--json prints one value with the promised keys and nothing else', async () => {
    const { code, stdout, stderr } = await run('inspect', fox, '--json');
    const value = JSON.parse(stdout) as Record<string, unknown>;
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(value).toMatchObject({ file: fox, bones: 32, skins: 1, warnings: [] });
    expect(value['clips']).toContainEqual({ name: 'Walk', duration: 1 });
    expect(value['chains']).toEqual([
      expect.objectContaining({
        name: 'Tail_1',
        attachment: 'mixamorig:Hips',
        links: ['Tail_1', 'Tail_2', 'Tail_3', 'Tail_4'],
        length: expect.closeTo(0.81, 2) as number,
        restSource: 'inverse-bind-matrices',
      }),
    ]);
  });

  test('without it there is a table for people', async () => {
    const { code, stdout } = await run('inspect', fox);
    expect(code).toBe(0);
    expect(stdout).toMatch(/fox\.glb: 32 bones, 1 skin, 5 clips/);
    expect(stdout).toMatch(/^Tail_1 +mixamorig:Hips +rigged/m);
    expect(stdout).not.toMatch(/ $/m);
  });

  test('--bones lists them as a tree, with --json as names and parents', async () => {
    const { stdout } = await run('inspect', fox, '--bones');
    expect(stdout).toMatch(/^( *)Tail_1\n\1  Tail_2\n\1    Tail_3\n/m);
    const json = await run('inspect', fox, '--bones', '--json');
    const { bones, skeleton } = JSON.parse(json.stdout) as { bones: number; skeleton: unknown[] };
    expect(skeleton).toHaveLength(bones);
    expect(skeleton).toContainEqual({ name: 'Tail_2', parent: 'Tail_1' });
  });

  test('a unit that makes the fox a giant is worth a warning on stderr', async () => {
    const { code, stderr } = await run('inspect', fox, '--unit', '0.01');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: .*m tall at 0\.01 file units per metre/m);
  });
});

describe('measure', () => {
  test('--json prints the promised keys', async () => {
    const { code, stdout } = await run('measure', fox, '--clip', 'walk', '--json');
    const value = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    expect(code).toBe(0);
    expect(value).toMatchObject({ file: fox, clip: 'Walk', samples: 24, pose: 'chain', warnings: [] });
    for (const kind of ['tail', 'collar', 'body'])
      for (const key of ['edges', 'samples', 'p95', 'p99', 'max', 'torn'])
        expect(value[kind]![key], `${kind}.${key}`).toBeTypeOf('number');
    expect(value['tipTravel']).toBeTypeOf('number');
    expect(value['maxBendDeg']).toBeTypeOf('number');
  });

  test('a rigid tail gives 1.00 and no travel', async () => {
    const { stdout } = await run(
      'measure',
      fox,
      '--clip',
      'Walk',
      '--pose',
      'rigid',
      '--samples',
      '6',
      '--json',
    );
    const value = JSON.parse(stdout) as { tail: { max: number; p95: number }; tipTravel: number };
    expect(value.tail.max).toBeCloseTo(1, 5);
    expect(value.tail.p95).toBeCloseTo(1, 5);
    expect(value.tipTravel).toBe(0);
  });

  test('--edges-of tells a tail without bones from the body by the same fox with bones', async () => {
    const asRigged = join(folder, 'as-rigged.glb');
    await writeFile(asRigged, await foxGlb());
    const measure = (...more: string[]) =>
      run('measure', asRigged, '--clip', 'Walk', '--pose', 'clip', '--edges-of', fox, ...more);
    const { code, stdout, stderr } = await measure('--json');
    const value = JSON.parse(stdout) as { tail: { edges: number; torn: number }; warnings: unknown[] };
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(value).toMatchObject({ file: asRigged, pose: 'clip', tipTravel: 0, chains: [], warnings: [] });
    expect(value.tail.edges).toBeGreaterThan(5000);
    expect(value.tail.torn).toBeGreaterThan(0.05);
    const failed = await measure('--max-torn', '0.05');
    expect(failed.code).toBe(1);
    expect(failed.stdout).not.toMatch(/travel|bend/);
    const mouse = join(folder, 'mouse.glb');
    await writeFile(mouse, await mouseGlb());
    const other = await run('measure', fox, '--clip', 'Walk', '--pose', 'clip', '--edges-of', mouse);
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(
      /^error: .*fox\.glb: edgesOf: .*mouse\.glb has .*expected the same meshes\n$/,
    );
  });

  test('a threshold that is met exits 0, one that is not exits 1 and says so', async () => {
    const measure = (...more: string[]) => run('measure', fox, '--clip', 'Walk', '--samples', '4', ...more);
    expect((await measure('--max-p99', '1.25', '--max-torn', '0', '--require-loop')).code).toBe(0);
    const failed = await measure('--max-p99', '1.001', '--json');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^failed: tail p99 is 1\.\d+, --max-p99 is 1\.001$/m);
    expect(() => JSON.parse(failed.stdout) as unknown).not.toThrow();
    expect((await measure('--loop', 'off', '--require-loop')).code).toBe(1);
  });
});

describe('bake', () => {
  test('--json prints the promised keys; the file is there and nothing beside it', async () => {
    const output = join(folder, 'baked.glb');
    const { code, stdout, stderr } = await run(
      'bake',
      fox,
      '-o',
      output,
      '--clip',
      'walk',
      '--clip',
      'Idle',
      '--json',
    );
    const value = JSON.parse(stdout) as { clips: Record<string, unknown>[] };
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(value).toMatchObject({ file: fox, output, warnings: [] });
    expect(value.clips.map((clip) => clip['name'])).toEqual(['Walk', 'Idle']);
    for (const clip of value.clips)
      expect(clip).toMatchObject({
        loop: true,
        passes: expect.any(Number) as number,
        converged: true,
        seamDeg: expect.any(Number) as number,
        keys: expect.any(Number) as number,
        droppedKeys: expect.any(Number) as number,
        maxErrorDeg: expect.any(Number) as number,
      });
    expect((await readdir(folder)).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  test('a one-shot has no passes and no seam; --require-loop makes that a failure', async () => {
    const output = join(folder, 'once.glb');
    const { code, stdout } = await run(
      'bake',
      fox,
      '-o',
      output,
      '--clip',
      'Walk',
      '--loop',
      'off',
      '--require-loop',
      '--json',
    );
    const { clips } = JSON.parse(stdout) as { clips: Record<string, unknown>[] };
    expect(code).toBe(1);
    expect(clips[0]).toMatchObject({ loop: false, passes: null, converged: null, seamDeg: null });
  });

  test('writes a .gltf where the name says so, over its own input too', async () => {
    const output = join(folder, 'text.gltf');
    expect((await run('bake', fox, '-o', output, '--clip', 'Walk')).code).toBe(0);
    const text = await readFile(output, 'utf8');
    expect((JSON.parse(text) as { asset: { version: string } }).asset.version).toBe('2.0');
    expect((await run('bake', output, '-o', output, '--clip', 'Walk')).code).toBe(0);
    expect(await readFile(output, 'utf8')).toBe(text);
  });

  test('a .gltf written into another folder takes its files along', async () => {
    const bytes = await foxWithTailGlb();
    const { json, bin } = (() => {
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
      const text = new TextDecoder().decode(bytes.subarray(20, 20 + length));
      return {
        json: JSON.parse(text) as { buffers: Record<string, unknown>[] },
        bin: bytes.subarray(28 + length),
      };
    })();
    json.buffers[0]!['uri'] = 'fox%20data.bin';
    await writeFile(join(folder, 'fox data.bin'), bin);
    const input = join(folder, 'outside.gltf');
    await writeFile(input, JSON.stringify(json));
    await mkdir(join(folder, 'elsewhere'));
    const [near, far] = [join(folder, 'near.gltf'), join(folder, 'elsewhere', 'far.gltf')];
    for (const output of [near, far]) {
      expect((await run('bake', input, '-o', output, '--clip', 'Walk')).code).toBe(0);
      expect((await run('inspect', output)).code, output).toBe(0);
    }
    expect(await readFile(near, 'utf8')).toContain('fox%20data.bin');
    expect(await readFile(far, 'utf8')).not.toContain('fox%20data.bin');
  });

  test('metres that cannot be are pointed out where something is in metres', async () => {
    const measure = (...more: string[]) =>
      run('measure', fox, '--clip', 'Walk', '--samples', '4', '--unit', '0.01', ...more);
    expect((await measure()).stderr).toMatch(/m tall at 0\.01 file units per metre/);
    expect((await measure('--set', '*.gravity=0')).stderr).toBe('');
  });

  test('--set reaches the solver, in degrees', async () => {
    const bend = async (...set: string[]): Promise<number> => {
      const { stdout } = await run('measure', fox, '--clip', 'Sprint', '--samples', '8', '--json', ...set);
      return (JSON.parse(stdout) as { maxBendDeg: number }).maxBendDeg;
    };
    expect(await bend()).toBeGreaterThan(5);
    expect(await bend('--set', '*.limit=5')).toBeLessThanOrEqual(5 + 1e-6);
    expect(await bend('--set', '*.limit=20', '--set', 'Tail_1.limit=4')).toBeLessThanOrEqual(4 + 1e-6);
  });

  test('piped, there is no progress bar', async () => {
    const { stderr, stdout } = await run('bake', fox, '-o', join(folder, 'all.glb'), '--tick', '480');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Walk +loop/m);
    expect(stdout).not.toContain('[=');
  });
});

test('--version prints that of the package', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('--help names every option with its default, for every command', async () => {
  const { stdout, code } = await run('bake', '--help');
  expect(code).toBe(0);
  for (const option of [
    '--output',
    '--clip',
    '--fps',
    '--max-error',
    '--tick',
    '--owner',
    '--rest-pose',
    '--loop',
  ])
    expect(stdout).toContain(option);
  expect(stdout).toMatch(/default: 120/);
});

test.each(['stdout', 'stderr'] as const)(
  'a reader of %s that goes away early changes no exit code',
  async (pipe) => {
    const codeOf = async (...args: string[]): Promise<unknown> => {
      const child = await start(...args);
      child[pipe].destroy();
      return new Promise((resolve) => child.on('close', resolve));
    };
    expect(await codeOf('inspect', fox, '--json', '--unit', '0.01')).toBe(0);
    expect(await codeOf('measure', fox, '--clip', 'Walk', '--samples', '4', '--max-p99', '1')).toBe(1);
  },
);
