// Fetches the engines that npm has and that are no dependencies, with `npm pack`, which runs no script of a package.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { cacheFolder, packages } from './table.mjs';

async function runOrThrow(command, options) {
  const { code, error } = await run(command, { seconds: 600, ...options });
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}\n${error.trim()}`);
}

/** Fetches those that are missing; `tell` is called with each that arrives. */
export async function installEngines(tell) {
  await mkdir(cacheFolder, { recursive: true });
  for (const spec of Object.values(packages)) {
    const name = spec.replace('@', '-');
    const folder = join(cacheFolder, name);
    if (existsSync(folder)) continue;
    // Unpacked beside its place, so that what stands there is whole.
    const half = `${folder}.part`;
    await rm(half, { recursive: true, force: true });
    await mkdir(half);
    await runOrThrow(['npm', 'pack', '--silent', spec], { cwd: half });
    await runOrThrow(['tar', 'xzf', `${name}.tgz`], { cwd: half });
    await rm(join(half, `${name}.tgz`));
    await rename(half, folder);
    tell(spec);
  }
}
