// Bundles a TypeScript program (an example, a benchmark, a test's child process) that imports the library by its
// public names, so that Node can run it without a build: `followthrough` and its entries mean src/, packages stay outside.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles `entry` (path from the repository's root) into node_modules/.cache and gives the path of the result.
 * The file lies below node_modules so that the packages left outside are found from there.
 */
export async function bundle(entry) {
  const outdir = join(root, 'node_modules/.cache/programs');
  mkdirSync(outdir, { recursive: true });
  const outfile = join(outdir, `${entry.replaceAll(/[/\\]/g, '-').replace(/\.ts$/, '')}.mjs`);
  // Rolldown, the bundler of Vite, leaves the constants of a module constant: with `var` in their place, as esbuild bundles
  // them, V8 takes 1.1 times as long for a tick, among colliders 1.4 times.
  await build({
    input: resolve(root, entry),
    platform: 'node',
    // The names of the entries come from `paths`.
    tsconfig: join(root, 'tsconfig.json'),
    external: (id) => !/^(?:[./]|[A-Za-z]:|followthrough(?:\/|$))/.test(id),
    output: { file: outfile, format: 'esm', sourcemap: 'inline' },
    logLevel: 'warn',
  });
  return outfile;
}
