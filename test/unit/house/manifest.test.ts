/**
 * The manifest and what must agree with it: the entry points stand in five configurations, and an installation must
 * be the same everywhere.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

interface Manifest {
  version: string;
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const manifest = readJson('package.json') as Manifest;

/** Public name -> source file. */
const entries = new Map<string, string>();
for (const [path, target] of Object.entries(manifest.exports))
  if (typeof target === 'object')
    entries.set(
      `followthrough${path.slice(1)}`,
      target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'),
    );

describe('the entry points', () => {
  it('have a source, and types beside the code', () => {
    for (const source of entries.values()) expect(existsSync(source), source).toBe(true);
    for (const target of Object.values(manifest.exports))
      if (typeof target === 'object') expect(target.types).toBe(target.default.replace(/\.js$/, '.d.ts'));
  });

  it('mean the same files in tests and examples', () => {
    const { compilerOptions } = readJson('tsconfig.json') as {
      compilerOptions: { paths: Record<string, string[]> };
    };
    const paths = Object.entries(compilerOptions.paths).map(([name, [file]]) => [name, file?.slice(2)]);
    expect(Object.fromEntries(paths)).toEqual(Object.fromEntries(entries));
  });

  it('are all in the API reference and in the search for unused code', () => {
    const sources = [...entries.values()].toSorted();
    expect((readJson('typedoc.json') as { entryPoints: string[] }).entryPoints.toSorted()).toEqual(sources);
    const { entry } = readJson('knip.json') as { entry: string[] };
    const published = [...sources, 'src/cli/main.ts', 'src/cli/verifyEngine.ts'].map(
      (source) => `${source}!`,
    );
    expect(entry.filter((pattern) => pattern.endsWith('!')).toSorted()).toEqual(published.toSorted());
  });
});

describe('the package', () => {
  it('runs nothing when it is installed', () => {
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts).not.toHaveProperty(name);
  });

  it('names exact versions', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it('is locked without naming a registry', () => {
    const { version, packages } = readJson('package-lock.json') as {
      version: string;
      packages: Record<string, { resolved?: string; integrity?: string }>;
    };
    expect(version).toBe(manifest.version);
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
    const unverified = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.integrity);
    expect(unverified.map(([path]) => path)).toEqual([]);
  });
});
