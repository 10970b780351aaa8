/**
 * The lint rules of the layers whose numbers must be the same bits in every engine: a folder of its own gets the
 * repository's configuration and files that break the rules, as a contributor would write them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const oxlint = resolve('node_modules/oxlint/bin/oxlint');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'followthrough-lint-'));
  const config = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as { jsPlugins: string[] };
  config.jsPlugins = config.jsPlugins.map((path) => resolve(path));
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The names of the rules a file breaks, in order of appearance. */
function broken(path: string, code: string): string[] {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
  try {
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', path], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    return diagnostics.map(({ code: rule }) => rule);
  } finally {
    rmSync(file);
  }
}

const exactMath = 'deterministic(exact-math)';
const totalOrder = 'deterministic(total-order)';
const restrictedGlobal = 'eslint(no-restricted-globals)';

const violations: [what: string, code: string, rule: string][] = [
  [
    'a member whose result engines may choose',
    'export const y = (x: number): number => Math.sin(x);',
    exactMath,
  ],
  ['pow', 'export const y = (x: number): number => Math.pow(x, 3);', exactMath],
  ['hypot', 'export const y = (x: number): number => Math.hypot(x, 1);', exactMath],
  ['random numbers', 'export const y = (): number => Math.random();', exactMath],
  ['a member read by text', "export const y = (x: number): number => Math['cos'](x);", exactMath],
  ['a member read by a variable', "export const y = (k: 'abs' | 'exp'): number => Math[k](1);", exactMath],
  ['destructuring', 'const { exp } = Math;\nexport const y = (x: number): number => exp(x);', exactMath],
  ['an alias', 'const M = Math;\nexport const y = (x: number): number => M.tan(x);', exactMath],
  ['Math handed on', 'export const all: object = { Math };', exactMath],
  ['Math through another object', 'export const y: number = globalThis.Math.exp(1);', exactMath],
  ['Math through text', "export const y: unknown = globalThis['Math'];", restrictedGlobal],
  ['the power operator', 'export const y = (x: number): number => x ** 2;', exactMath],
  ['the power assignment', 'export let y = 2;\ny **= 3;', exactMath],
  ['the clock', 'export const y: number = Date.now();', restrictedGlobal],
  ['the platform', 'export const y: unknown = process.env;', restrictedGlobal],
  ['a sort that compares text', 'export const y = (a: number[]): number[] => a.sort();', totalOrder],
  [
    'the language of the machine',
    'export const y = (a: string): number => a.localeCompare("b");',
    totalOrder,
  ],
];

describe('the exact-maths rule', () => {
  for (const layer of ['math', 'asset', 'components', 'setup', 'systems', 'replay'])
    it(`holds in src/${layer}`, () => {
      expect(
        broken(`src/${layer}/file.ts`, 'export const y = (x: number): number => Math.sin(x);\n'),
      ).toContain(exactMath);
    });

  it.each(violations)('reports %s', (_what, code, rule) => {
    expect(broken('src/systems/file.ts', `${code}\n`)).toContain(rule);
  });

  it('lets the operations pass that IEEE 754 fixes', () => {
    const code = `/** Distance on a line, folded. */
export function distance(a: number, b: number): number {
  const d = Math.abs(Math.fround(a - b)) / Math.max(1, Math.floor(b));
  return Math.min(Math.sqrt(d * d + 1), Math.PI) + Math.imul(2, Math.clz32(8));
}

/** A key and a type of the same name are not the global. */
export const table: { Math: number } = { Math: 1 };

/** Sorted by value. */
export const ascending = (list: number[]): number[] => list.toSorted((a, b) => a - b);
`;
    expect(broken('src/systems/legal.ts', code)).toEqual([]);
  });

  it('does not bind the layers above the core', () => {
    expect(broken('src/cli/file.ts', 'export const y = (x: number): number => Math.sin(x);\n')).toEqual([]);
  });
});
