/**
 * Writes the demo characters: out/fox.glb (as a rigger leaves it), out/fox-with-tail.glb and out/mouse.glb, or into the
 * folder given as the first argument.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foxGlb, foxWithTailGlb } from './fox.js';
import { mouseGlb } from './mouse.js';

const folder = process.argv[2] ?? 'out';
await mkdir(folder, { recursive: true });
for (const [name, make] of [
  ['fox', foxGlb],
  ['fox-with-tail', foxWithTailGlb],
  ['mouse', mouseGlb],
] as const) {
  const file = join(folder, `${name}.glb`);
  const bytes = await make();
  await writeFile(file, bytes);
  process.stdout.write(`${file}  ${(bytes.length / 1024).toFixed(0)} kB\n`);
}
