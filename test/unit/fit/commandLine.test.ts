/** `followthrough rig --fit-colliders` on the project's fox: what is printed, what stands in the file. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foxGlb } from '../../../examples/characters/fox.js';
import { findChains, type Asset } from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import type { FitReport } from '../../../src/io/rig/index.js';
import { run, type Run } from '../cli/support/run.js';

let folder: string;
let fox: string;
let rigged: string;
let fitted: string;
let written: Run;
let printed: Run;

const load = async (path: string): Promise<Asset> =>
  loadGltf(new Uint8Array(await readFile(path)), { validate: false });
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  [fox, rigged, fitted] = [at('fox.glb'), at('rigged.glb'), at('fitted.glb')];
  await writeFile(fox, await foxGlb());
  await run('rig', fox, '-o', rigged);
  written = await run('rig', rigged, '-o', fitted, '--fit-colliders', '--json');
  printed = await run('rig', rigged, '--dry-run', '--fit-colliders');
});

afterAll(() => rm(folder, { recursive: true }));

describe('rig --fit-colliders', () => {
  test('reports the fit in the same JSON', () => {
    expect(written.code).toBe(0);
    const { fit, warnings } = JSON.parse(written.stdout) as { fit: FitReport; warnings: unknown[] };
    expect(fit.body).toBe('names');
    expect(fit.colliders.length).toBeGreaterThan(10);
    expect(new Set(fit.regions.map(({ region }) => region))).toEqual(
      new Set(['head', 'neck', 'torso', 'arm', 'leg', 'hand', 'foot']),
    );
    for (const { region, covered } of fit.regions)
      if (region === 'arm' || region === 'leg') expect(covered).toBeGreaterThan(0.9);
    expect(fit.chains.map(({ name, contactPart }) => [name, contactPart])).toEqual([['Tail_1', 'segment']]);
    expect(fit.warnings).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test('writes colliders with one radius each, and what the tail feels', async () => {
    const { fit } = JSON.parse(written.stdout) as { fit: FitReport };
    const asset = await loadGltf(new Uint8Array(await readFile(fitted)), { name: 'fitted' });
    expect(asset.skeleton.names).toContain('Tail_1');
    const { colliders, groups, springs } = asset.secondary!;
    expect(springs).toEqual([]);
    expect(colliders.map(({ bone }) => asset.skeleton.names[bone])).toEqual(
      fit.colliders.map(({ bone }) => bone),
    );
    expect(groups.flatMap((group) => group.colliders).length).toBe(colliders.length);
    for (const { radii } of fit.colliders) expect(new Set(radii).size).toBe(1);
    const before = findChains(await load(rigged))[0]!.suggested;
    const { colliderMask, ...others } = findChains(asset)[0]!.suggested!;
    expect(others).toEqual({ ...before, contactPart: 'segment' });
    const felt = groups.flatMap((group, g) => ((colliderMask! >>> g) & 1 ? group.colliders : []));
    expect(felt.toSorted((a, b) => a - b)).toEqual(fit.chains[0]!.feels);
    expect(felt.length).toBeGreaterThan(5);
  });

  test('again changes nothing, and says so', async () => {
    const again = await run('rig', fitted, '-o', at('again.glb'), '--fit-colliders');
    expect(again.stdout).toMatch(
      /again\.glb: (\d+) colliders: \1 made, 0 grown; nothing to change, the file says so already\n$/,
    );
    expect((await readFile(at('again.glb'))).equals(await readFile(fitted))).toBe(true);
  });

  test('rigs nothing by itself, and says what was written', async () => {
    const { code, stdout, stderr } = await run('rig', fox, '-o', at('alone.glb'), '--fit-colliders');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toMatch(/nothing to|piece/);
    expect(stdout).toMatch(/alone\.glb: (\d+) colliders: \1 made, 0 grown\n$/);
    const [before, after] = [await load(fox), await load(at('alone.glb'))];
    expect(after.skeleton).toEqual(before.skeleton);
    expect(after.meshes).toEqual(before.meshes);
    expect(after.secondary!.colliders.length).toBeGreaterThan(10);
  });

  test('goes with the rig pass where an option of that asks for it', async () => {
    const { code, stdout } = await run(
      'rig',
      fox,
      '-o',
      at('both.glb'),
      '--fit-colliders',
      '--min-confidence',
      '0.2',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/both\.glb: \d+ bones, \d+ new bones, new weights for \d+ vertices\n\nskin of/);
    expect(stdout).toMatch(/both\.glb: \d+ colliders: \d+ made, 0 grown\n$/);
    const both = await load(at('both.glb'));
    expect(both.skeleton.names).toContain('Tail_1');
    expect(findChains(both)[0]!.suggested!.colliderMask).toBeGreaterThan(0);
  });

  test('asks for the unit of a giant, as inspect does', async () => {
    const unit = ['--unit', '0.1'];
    const { stderr } = await run('rig', rigged, '--dry-run', '--fit-colliders', ...unit);
    const inspected = await run('inspect', rigged, ...unit);
    expect(stderr).toMatch(/the character is [\d.]+ m tall at 0\.1 file units per metre/);
    expect(inspected.stderr).toContain(stderr);
  });

  test('colliders of a file without springs are felt in bake and measure', async () => {
    // So thick a tail would lie in the body, were it not pushed out.
    const thick = ['--set', '*.radius=0.15', '--clip', 'Walk', '--max-warmup', '1', '--loop', 'off'];
    const none = [...thick, '--set', '*.colliderMask=none'];
    const keys = async (...args: string[]): Promise<unknown> => {
      const { code } = await run('bake', args[0]!, '-o', at('baked.glb'), ...args.slice(1));
      expect(code).toBe(0);
      return (await load(at('baked.glb'))).clips.find(({ name }) => name === 'Walk')!.tracks;
    };
    const [bare, felt, masked] = [
      await keys(rigged, ...thick),
      await keys(fitted, ...thick),
      await keys(fitted, ...none),
    ];
    expect(masked).toEqual(bare);
    expect(felt).not.toEqual(bare);
    const travel = async (...args: string[]): Promise<number> =>
      (JSON.parse((await run('measure', ...args, '--json')).stdout) as { tipTravel: number }).tipTravel;
    expect(await travel(fitted, ...thick)).not.toBe(await travel(rigged, ...thick));
    expect(await travel(fitted, ...none)).toBe(await travel(rigged, ...thick));
  }, 60_000);

  test('prints tables and writes nothing with --dry-run', () => {
    expect(printed.code).toBe(0);
    expect(printed.stdout).toMatch(/skin of +points +covered +outside +above/);
    expect(printed.stdout).toMatch(/head +\d+ +0% > \d+%/);
    expect(printed.stdout).toMatch(/Tail_1: a link of .* could lie .* deep in the /);
    expect(printed.stdout).toMatch(/nothing written: \d+ colliders: \d+ made, 0 grown\n$/);
  });

  test.each([
    [['--max-growth', '0.1'], /--max-growth: is for --fit-colliders only/],
    [['--hidden', 'x'], /--hidden: is for --fit-colliders only/],
    [['--fit-colliders', '--svg', 'x.svg'], /--svg: draws what the rig pass finds/],
    [['--fit-colliders', '--max-growth', '2'], /expected a number from 0 to 1/],
    [['--fit-colliders', '--hidden', 'nothing-like-it'], /hidden: no node, mesh or material is called/],
  ])('%j is refused', async (args, says) => {
    const { code, stdout, stderr } = await run('rig', fox, '--dry-run', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });
});
