/** Recording a clip of the project's fox and verifying it, here and in other engines. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foxGlb, foxWithTailGlb } from '../../../examples/characters/fox.js';
import { addFloor, setRoot } from '../../../src/index.js';
import { createRecorder } from '../../../src/replay/index.js';
import { makeScene, makeTail } from '../../support/chains.js';
import { run } from './support/run.js';

let folder: string;
let fox: string;
let replay: string;
const words = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  fox = join(folder, 'fox.glb');
  replay = join(folder, 'walk.ftr');
  await writeFile(fox, await foxWithTailGlb());
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

describe('record', () => {
  it('writes a replay and says what is in it', async () => {
    const walk = ['record', fox, '--clip', 'Walk', '--ticks', '300', '--keyframes', '100', '-o'];
    const { code, stdout, stderr } = await run(...walk, replay, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const value = words(stdout);
    expect(Object.keys(value)).toEqual(['file', 'output', 'ticks', 'chains', 'hash', 'bytes']);
    expect(value).toMatchObject({ file: fox, output: replay, ticks: 300, chains: 1 });
    expect(value.hash).toMatch(/^[0-9a-f]{16}$/);
    expect((await readFile(replay)).length).toBe(value.bytes);
    const again = await run(...walk, join(folder, 'again.ftr'));
    expect(again.stdout).toContain(
      `300 ticks, 1 chain, ${String(value.bytes)} bytes, hash ${String(value.hash)}`,
    );
    expect(Buffer.compare(await readFile(replay), await readFile(join(folder, 'again.ftr')))).toBe(0);
  });

  it('exits with 2 when no chain would be simulated, and writes nothing', async () => {
    const bare = join(folder, 'bare.glb');
    await writeFile(bare, await foxGlb());
    const out = join(folder, 'none.ftr');
    const none = await run('record', bare, '--clip', 'Walk', '-o', out);
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toMatch(/^error: .*bare\.glb: nothing to simulate: no chain was found.*\n$/);
    const left = await run('record', fox, '--clip', 'Walk', '--owner', 'clip', '-o', out);
    expect(left.code).toBe(2);
    expect(left.stderr).toMatch(/the clip moves every chain; --owner solver/);
    expect(await readdir(folder)).not.toContain('none.ftr');
  });

  it.each([
    [['--clip', 'Walk', '-o', 'run.glb'], /expected a name that ends in \.ftr/],
    [['--clip', 'Fly', '-o', 'run.ftr'], /--clip Fly fits no clip/],
    [['-o', 'run.ftr'], /--clip is needed/],
    [['--clip', 'Walk', '--ticks', '0', '-o', 'run.ftr'], /expected a whole number above 0/],
    [['--clip', 'Walk', '-o', 'nowhere/run.ftr'], /there is no folder/],
  ])('%j: exit code 2 and one line', async (args, message) => {
    const { code, stdout, stderr } = await run('record', fox, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('verify', () => {
  it.each([
    [],
    ['--engine', 'node'],
    ['--engine', 'node-jitless'],
    ['--engine', 'bun'],
    ['--engine', 'quickjs'],
  ])(
    'finds every tick as recorded (%s %s)',
    async (...args) => {
      const { code, stdout, stderr } = await run('verify', replay, ...args, '--json');
      expect([code, stderr]).toEqual([0, '']);
      const value = words(stdout);
      expect(Object.keys(value)).toEqual(['ticks', 'chains', 'mismatches', 'firstMismatch', 'hash']);
      expect(value).toMatchObject({ ticks: 300, chains: 1, mismatches: 0, firstMismatch: null });
      expect(value.hash).toMatch(/^[0-9a-f]{16}$/);
    },
    60_000,
  );

  it('begins at the last snapshot before a tick', async () => {
    const { code, stdout } = await run('verify', replay, '--seek', '250', '--json');
    expect(code).toBe(0);
    expect(words(stdout)).toMatchObject({ ticks: 100, mismatches: 0 });
    const late = await run('verify', replay, '--seek', '301');
    expect([late.code, late.stdout]).toEqual([2, '']);
    expect(late.stderr).toMatch(/walk\.ftr: tick 301 is not in the replay, which runs from 0 to 300\n$/);
  });

  it('names the first tick, column and chain that differ and exits with 1, in every engine alike', async () => {
    const bad = join(folder, 'bad.ftr');
    await writeFile(bad, foreignReplay());
    const here = await run('verify', bad, '--json');
    expect(here.code).toBe(1);
    const value = words(here.stdout) as { mismatches: number; firstMismatch: Record<string, unknown> };
    expect(value.mismatches).toBeGreaterThan(90);
    expect(value.firstMismatch).toMatchObject({
      chain: 'Tail_1',
      column: expect.stringMatching(/^(particle|chain)\./) as string,
    });
    expect(here.stderr).toMatch(
      /^failed: .*tick \d+ comes out otherwise: \w+\.\w+ of chain Tail_1 \(id \d+\)/,
    );
    for (const engine of ['bun', 'quickjs']) {
      const there = await run('verify', bad, '--engine', engine, '--json');
      expect([there.code, there.stdout]).toEqual([here.code, here.stdout]);
    }
  }, 60_000);

  it.each([
    ['fox.glb', [], /fox\.glb: replay: it does not begin as one/],
    ['none.ftr', [], /none\.ftr: there is no such file/],
    ['walk.ftr', ['--engine', 'duktape'], /there is no engine of that name; there are node, /],
    ['walk.ftr', ['--seek', 'soon'], /expected a whole number from 0/],
  ])('%s %j: exit code 2 and one line', async (file, args, message) => {
    const { code, stdout, stderr } = await run('verify', join(folder, file), ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a file that was cut or changed is refused, in other engines as well', async () => {
    const bytes = await readFile(replay);
    const bad = join(folder, 'cut.ftr');
    for (const [content, message] of [
      [bytes.subarray(0, 1000), /cut off/],
      [
        Buffer.concat([bytes.subarray(0, 2000), Buffer.from([bytes[2000]! ^ 1]), bytes.subarray(2001)]),
        /checksum/,
      ],
    ] as const) {
      await writeFile(bad, content);
      for (const engine of [[], ['--engine', 'bun']]) {
        const { code, stderr } = await run('verify', bad, ...engine);
        expect(code).toBe(2);
        expect(stderr).toMatch(message);
      }
    }
  }, 30_000);
});

/** A tail dragged along a floor, recorded by a machine on which floors drag otherwise. */
function foreignReplay(): Uint8Array {
  const scene = makeScene(makeTail({ links: 3 }), { gravity: 9 });
  addFloor(scene.world);
  Object.assign(scene.world, { floorDecay: 0.5 });
  const recorder = createRecorder(scene.world);
  for (let i = 0; i < 200; i++) {
    setRoot(scene.world, scene.character, { position: [i / 128, -0.6, 0], rotation: [0.6, 0, 0, 0.8] });
    recorder.step();
  }
  return recorder.finish();
}
