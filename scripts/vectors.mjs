// node scripts/vectors.mjs
// Writes test/vectors/*.json from test/vectors/make; a test says when what is committed differs from what this writes.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

const { vectorFiles } = await import(pathToFileURL(await bundle('test/vectors/make/files.ts')).href);
for (const [name, text] of vectorFiles()) {
  writeFileSync(new URL(`../test/vectors/${name}`, import.meta.url), text);
  console.log(`${name}: ${JSON.parse(text).cases.length} cases, ${(text.length / 1024).toFixed(1)} kB`);
}
