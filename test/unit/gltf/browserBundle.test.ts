/**
 * The entry point must load in a browser: nothing of Node, and nothing heavy before a file asks for it.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('followthrough/gltf bundles for a browser, validator and decoders apart', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../../src/io/gltf/index.ts', import.meta.url))],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'out',
    logLevel: 'silent',
  });
  const outputs = Object.values(metafile.outputs);
  const entry = outputs.find(({ entryPoint }) => entryPoint?.endsWith('io/gltf/index.ts'))!;
  const packages = Object.keys(entry.inputs).filter((path) => path.includes('node_modules'));
  expect(packages.every((path) => path.includes('@noble/hashes'))).toBe(true);
  const external = outputs.flatMap(({ imports }) => imports).filter((one) => one.external);
  expect(external.map(({ path }) => path)).toEqual([]);
});
