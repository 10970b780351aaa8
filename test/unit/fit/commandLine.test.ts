/** `followthrough rig --fit-colliders` on the project's fox: what is printed, what stands in the file. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foxGlb } from '../../../examples/characters/fox.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import type { FitReport } from '../../../src/io/rig/index.js';
import { run, type Run } from '../cli/support/run.js';

let folder: string;
let fox: string;
let fitted: string;
let written: Run;
let printed: Run;

const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  [fox, fitted] = [at('fox.glb'), at('fitted.glb')];
  await writeFile(fox, await foxGlb());
  written = await run('rig', fox, '-o', fitted, '--fit-colliders', '--json');
  printed = await run('rig', fox, '--dry-run', '--fit-colliders');
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

  test('writes the tail and the colliders, with one radius each', async () => {
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
  });

  test('prints tables and writes nothing with --dry-run', () => {
    expect(printed.code).toBe(0);
    expect(printed.stdout).toMatch(/skin of +points +covered +outside +above/);
    expect(printed.stdout).toMatch(/head +\d+ +0% > \d+%/);
    expect(printed.stdout).toMatch(/Tail_1: a link of .* could lie .* deep in the /);
    expect(printed.stdout).toMatch(/\d+ colliders: \d+ made, 0 grown\n$/);
  });

  test.each([
    [['--max-growth', '0.1'], /--max-growth: is for --fit-colliders only/],
    [['--hidden', 'x'], /--hidden: is for --fit-colliders only/],
    [['--fit-colliders', '--max-growth', '2'], /expected a number from 0 to 1/],
    [['--fit-colliders', '--hidden', 'nothing-like-it'], /hidden: no node, mesh or material is called/],
  ])('%j is refused', async (args, says) => {
    const { code, stdout, stderr } = await run('rig', fox, '--dry-run', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });
});
