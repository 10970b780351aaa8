/**
 * What a user waits for, as time on the wall: baking one clip of the Khronos Fox (once in this process, cold, then
 * again warm, and as the command line does it, start of Node included), and the whole demo.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bakeGltf } from '../src/io/bake/index.js';

const file = '../shared/data/glb-tail/khronos_Fox.glb';
const clip = 'Walk';

/** Prints how long a piece of work took. */
function report(what: string, milliseconds: number): void {
  console.log(`${what.padEnd(52)} ${milliseconds.toFixed(0).padStart(6)} ms`);
}

/** Milliseconds of a program that must succeed; what it prints is dropped. */
function program(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

if (existsSync(file)) {
  const bytes = readFileSync(file);
  const times: number[] = [];
  for (let round = 0; round < 6; round++) {
    const start = performance.now();
    await bakeGltf(bytes, { name: file, owner: 'solver', clips: [clip] });
    times.push(performance.now() - start);
  }
  report(`bake ${clip} of the Khronos Fox, first in the process`, times[0]!);
  report(`bake ${clip} of the Khronos Fox, quietest of 5 more`, Math.min(...times.slice(1)));
  if (existsSync('dist/cli/main.js')) {
    const folder = mkdtempSync(join(tmpdir(), 'followthrough-'));
    const out = join(folder, 'fox.glb');
    const args = ['dist/cli/main.js', 'bake', file, '-o', out, '--clip', clip, '--owner', 'solver'];
    report('the same by the command line', program(args));
    rmSync(folder, { recursive: true });
  } else console.log('the command line is not built (npm run build): left out');
} else console.log(`${file} is missing: the Khronos Fox is left out`);

report('npm run demo, packages installed and built', program(['scripts/run.mjs', 'examples/demo/main.ts']));
