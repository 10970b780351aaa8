// Files that every engine must read alike: the demo's generated characters, made once so that all get the same bytes, and
// where they are there, files of other people.
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';
import { inFolder, run } from './processes.mjs';

const shared = fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** A fox in centimetres, VRM 0.x with 33 springs, VRM 1.0 small and with springs, none compressed; a walk in BVH. */
const realFiles = [
  'glb-tail/khronos_Fox.glb',
  'vrm/Godette_vrm0.vrm',
  'vrm/saturday06_debug_robot_vrm1.vrm',
  'vrm/arkavo_smoke_spring.vrm',
  'bvh/bvhtoolbox_walk01.bvh',
];

const generated = ['fox.glb', 'fox-with-tail.glb', 'mouse.glb'];

/** Names and bytes of all files to read. */
export async function assetFiles() {
  const made = await inFolder(async (folder) => {
    const program = await bundle('examples/characters/main.ts');
    const { code, error } = await run([process.execPath, program, folder], { seconds: 120 });
    if (code !== 0) throw new Error(`examples/characters ended with ${code}\n${error}`);
    return Promise.all(generated.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
  });
  if (!existsSync(shared)) return made;
  const real = realFiles.map(async (path) => ({
    name: basename(path),
    bytes: await readFile(join(shared, path)),
  }));
  return [...made, ...(await Promise.all(real))];
}

/** The text that hands files to the program of test/engines/assets.ts. */
export function filesAsScript(files) {
  const given = files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }));
  return `globalThis.followthroughFiles = ${JSON.stringify(given)};\n`;
}
