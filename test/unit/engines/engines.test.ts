/**
 * The same bits in every engine: one scenario of 2,000 ticks, built once, runs in Node with and without its compilers, in Bun,
 * QuickJS and Chromium, and files are read there; all must say the same. `npm run test:engines` runs it in more engines.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  assetFiles,
  bundleProgram,
  engineNamed,
  filesAsScript,
  firstDifference,
  inLanes,
  locate,
  type FoundEngine,
} from '../../../scripts/engines/index.mjs';
import { shared } from '../../support/shared.js';
import { findChromium } from './chromium.js';

/** Only ends what hangs. */
const seconds = 280;
/** What Node is compared with; slow ones first, so that none of them begins when all others are done. */
const others = ['quickjs', 'node-jitless', 'node-no-opt', 'bun', 'chromium'];
const readers = ['quickjs', 'bun', 'chromium'];

/** Lines or the fault, by engine and program. */
const said = new Map<string, string[] | Error>();
const there = new Map<string, FoundEngine>();
let scenario = '';
let files: { name: string; bytes: Buffer }[] = [];

async function say(key: string, engine: FoundEngine | undefined, program: string): Promise<void> {
  if (engine === undefined) return;
  said.set(key, await engine.run(program, seconds).catch((error: unknown) => error as Error));
}

/** What an engine said; throws what went wrong. */
function linesOf(key: string): string[] {
  const lines = said.get(key);
  if (lines === undefined) throw new Error(`${key} did not run`);
  if (lines instanceof Error) throw lines;
  return lines;
}

beforeAll(async () => {
  for (const name of [...others, 'node']) {
    const found = name === 'chromium' ? await findChromium() : await engineNamed(name).find();
    if (found !== undefined) there.set(name, found);
  }
  scenario = await bundleProgram('test/engines/main.ts');
  files = await assetFiles();
  const reading = filesAsScript(files) + (await bundleProgram('test/engines/assets.ts'));
  await inLanes(2, [
    ...[...others, 'node'].map((name) => () => say(name, there.get(name), scenario)),
    ...[...readers, 'node'].map((name) => () => say(`${name} files`, there.get(name), reading)),
  ]);
}, 600_000);

describe('the scenario', () => {
  it.for(others)('says the same in %s as in Node', (name, { skip }) => {
    if (name === 'chromium' && !there.has(name)) skip('Chromium is missing');
    expect(firstDifference(linesOf('node'), linesOf(name))).toBeUndefined();
  });

  it('ends in the bits that are kept, until they are changed on purpose', () => {
    const path = new URL('../../engines/golden.json', import.meta.url);
    const golden = JSON.parse(readFileSync(path, 'utf8')) as { lines: string[] };
    expect(linesOf('node').slice(-2), 'node scripts/engines.mjs --golden').toEqual(golden.lines);
  });

  it('does what it is there for', () => {
    const counts = Object.fromEntries(
      [
        ...linesOf('node')
          .at(-1)!
          .matchAll(/([a-z]+) (\d+)/g),
      ].map(([, name, n]) => [name, Number(n)]),
    );
    expect(counts['asleep']).toBeGreaterThan(200);
    expect(counts['woke']).toBeGreaterThan(3);
    expect(counts['contact']).toBeGreaterThan(1000);
    expect(counts['pressed']).toBeGreaterThan(1000);
    expect(counts['teleports']).toBeGreaterThan(5);
    expect(counts['faulted']).toBe(0);
    expect(linesOf('node')).toHaveLength(22);
  });

  it('calls nothing whose result an engine may choose', () => {
    const members = new Set([...scenario.matchAll(/\bMath\.(\w+)\(/g)].map(([, member]) => member));
    const exact = [
      'abs',
      'ceil',
      'floor',
      'fround',
      'imul',
      'max',
      'min',
      'round',
      'sign',
      'sqrt',
      'trunc',
      'clz32',
    ];
    expect([...members].filter((member) => !exact.includes(member!))).toEqual([]);
    expect(scenario).not.toMatch(/\bDate\b\s*[.(]|performance\.now/);
  });
});

describe('files', () => {
  it.for(readers)('are read in %s as in Node', (name, { skip }) => {
    if (name === 'chromium' && !there.has(name)) skip('Chromium is missing');
    expect(firstDifference(linesOf('node files'), linesOf(`${name} files`))).toBeUndefined();
  });

  it('are all read, without a warning', () => {
    const lines = linesOf('node files').slice(0, files.length);
    expect(lines).toEqual(
      files.map(({ name }) => expect.stringMatching(`^${name} [0-9a-f]{16} 0 warnings$`)),
    );
    expect(new Set(lines.map((line) => line.split(' ')[1])).size).toBe(files.length);
  });

  it.skipIf(shared === undefined)('and a walk goes to every body among them', () => {
    const moved = linesOf('node files').slice(files.length);
    expect(moved.length).toBeGreaterThan(5);
    for (const line of moved) expect(line).toMatch(/^\S+\.bvh on \S+ [0-9a-f]{16} 0 warnings$/);
  });

  it.skipIf(shared === undefined)('are of VRM 0.x and 1.0 too', () => {
    const vrm = files.filter(({ name }) => name.endsWith('.vrm'));
    expect(
      vrm.some(({ name }) => name.includes('vrm0')) && vrm.some(({ name }) => name.includes('vrm1')),
    ).toBe(true);
  });
});

describe('the check', () => {
  const run = async (name: string, program: string): Promise<string[]> =>
    there.get(name)!.run(program, seconds);

  it('sees one constant that is off, and names the tick and the columns', async () => {
    // A term of the series of exp: some last digits of the springs' coefficients.
    const off = await bundleProgram('test/engines/main.ts', {
      file: 'src/math/exp.ts',
      from: 'const E6 = 1 / 720;',
      to: 'const E6 = 1 / 721;',
    });
    const node = there.get('node')!;
    // An engine with another exp.
    const other = { run: (program: string) => node.run(program.replace(scenario, off), seconds) };
    const difference = firstDifference(linesOf('node'), await other.run(scenario));
    expect(difference?.line).toBe(0);
    // What is built is off at once, the state after a tick.
    const where = await locate(node, other, scenario, difference!, seconds);
    expect(where).toMatch(/^tick 0: .*\bparticle\.propagator\b/);
    expect(where).not.toMatch(/particle\.position/);
    const later = { line: 1, expected: linesOf('node')[1], actual: 'another' };
    expect(await locate(node, other, scenario, later, seconds)).toMatch(/^tick 1: .*particle\.position\b/);
  });

  it('sees a sine of the engine', async () => {
    const chosen = await bundleProgram('test/engines/main.ts', {
      file: 'test/engines/exact.ts',
      from: 'Math.floor(random() * 131072) / 65536 - 1',
      to: 'Math.sin(131072 * random())',
    });
    const [node, bun] = await Promise.all([run('node', chosen), run('bun', chosen)]);
    expect(firstDifference(node!, bun!)).toBeDefined();
  });
});
