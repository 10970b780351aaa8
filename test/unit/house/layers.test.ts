/**
 * The layer rules: a small source tree gets the repository's configuration and imports that point the wrong way.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const depcruise = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** Path of a file -> its imports. */
type Tree = Record<string, string>;

/** A tree of every layer in which all imports point down. */
const sound: Tree = {
  'src/math/vec3.ts': '',
  'src/asset/asset.ts': "import '../math/vec3.js';",
  'src/components/bone.ts': "import 'bitecs';\nimport '../asset/asset.js';",
  'src/setup/neutral.ts': "import '../components/bone.js';",
  'src/systems/tick.ts': "import '../setup/neutral.js';",
  'src/measure/stretch.ts': "import 'gl-matrix';\nimport '../systems/tick.js';\nimport '../index.js';",
  'src/io/gltf/load.ts': "import 'gltf-validator';\nimport '../../measure/stretch.js';",
  'src/cli/main.ts': "import 'node:fs';\nimport 'commander';\nimport '../io/gltf/load.js';",
  'src/index.ts': "import './systems/tick.js';",
};

/** Files of that tree that break a rule each. */
const wrong: [path: string, imports: string, rule: string][] = [
  ['src/math/up.ts', "import '../asset/asset.js';", 'math-imports-down'],
  ['src/asset/up.ts', "import '../components/bone.js';", 'asset-imports-down'],
  ['src/components/up.ts', "import '../setup/neutral.js';", 'components-imports-down'],
  ['src/setup/up.ts', "import '../systems/tick.js';", 'setup-imports-down'],
  ['src/systems/up.ts', "import '../measure/stretch.js';", 'systems-imports-down'],
  ['src/replay/up.ts', "import '../measure/stretch.js';", 'replay-imports-down'],
  ['src/measure/up.ts', "import '../io/gltf/load.js';", 'measure-imports-down'],
  ['src/io/up.ts', "import '../cli/main.js';", 'io-imports-down'],
  ['src/math/type.ts', "import type { name } from '../asset/asset.js';", 'math-imports-down'],
  ['src/math/package.ts', "import 'gl-matrix';", 'math-packages'],
  ['src/systems/package.ts', "import '@gltf-transform/core';", 'systems-packages'],
  ['src/replay/package.ts', "import 'gl-matrix';", 'replay-packages'],
  ['src/measure/package.ts', "import 'commander';", 'measure-packages'],
  ['src/systems/platform.ts', "import 'node:fs';", 'no-platform'],
  ['src/io/platform.ts', "import 'node:path';", 'no-platform'],
  ['src/io/development.ts', "import 'fast-check';", 'no-dev-in-src'],
  ['src/index.ts', "import './io/gltf/load.js';", 'index-is-the-core'],
  ['src/systems/entry.ts', "import '../index.js';", 'systems-imports-down'],
  ['src/systems/lost.ts', "import './nowhere.js';", 'no-unresolved'],
  ['src/math/circle.ts', "import './circleBack.js';", 'no-cycles'],
  ['examples/inside/main.ts', "import '../../src/math/vec3.js';", 'examples-use-public-entries'],
];

const folders: string[] = [];

/** A folder that holds a tree and the repository's configuration. */
function folderOf(tree: Tree): string {
  const folder = mkdtempSync(join(tmpdir(), 'followthrough-layers-'));
  folders.push(folder);
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json', 'package.json'])
    cpSync(file, join(folder, file));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [path, imports] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${imports}\nexport const name = '${path}';\n`);
  }
  return folder;
}

/** The rules that a tree breaks, each as `file: rule`. */
function brokenRules(tree: Tree): string[] {
  const { stdout } = spawnSync(process.execPath, [depcruise, '--output-type', 'json', ...roots(tree)], {
    cwd: folderOf(tree),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
}

/** The top folders of a tree. */
const roots = (tree: Tree): string[] => [...new Set(Object.keys(tree).map((path) => path.split('/')[0]!))];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the layer rules', () => {
  let broken: string[] = [];

  beforeAll(() => {
    const tree = { ...sound, 'src/math/circleBack.ts': "import './circle.js';" };
    broken = brokenRules({ ...tree, ...Object.fromEntries(wrong) });
  });

  it('let a tree pass whose imports point down', () => {
    expect(brokenRules(sound)).toEqual([]);
  });

  it.each(wrong)('stop %s with %s', (path, _imports, rule) => {
    expect(broken).toContain(`${path}: ${rule}`);
  });

  it('blame no file that breaks none', () => {
    const innocent = Object.keys(sound).filter((path) => path !== 'src/index.ts');
    expect(broken.filter((line) => innocent.some((path) => line.startsWith(`${path}:`)))).toEqual([]);
  });

  it('fail the command over a single upward import', () => {
    const up = { 'src/math/up.ts': "import '../asset/asset.js';" };
    const { status } = spawnSync(process.execPath, [depcruise, 'src'], {
      cwd: folderOf({ ...sound, ...up }),
    });
    expect(status).not.toBe(0);
  });
});
