// Bundles a TypeScript program (an example, a benchmark, a test's child process) that imports the library by its
// public names, so that Node can run it without a build: `followthrough` and its entries mean src/, packages stay outside.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles `entry` (path from the repository's root) into node_modules/.cache and gives the path of the result.
 * The file lies below node_modules so that the packages left outside are found from there.
 */
export async function bundle(entry) {
  const outdir = join(root, 'node_modules/.cache/programs');
  mkdirSync(outdir, { recursive: true });
  const outfile = join(outdir, `${entry.replaceAll(/[/\\]/g, '-').replace(/\.ts$/, '')}.mjs`);
  await build({
    entryPoints: [resolve(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    // The names of the entries come from `paths`; esbuild applies them before it calls anything a package.
    tsconfig: join(root, 'tsconfig.json'),
    sourcemap: 'inline',
    logLevel: 'error',
  });
  return outfile;
}
