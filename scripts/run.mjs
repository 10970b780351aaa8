// node scripts/run.mjs [--node-option]... ENTRY.ts [ARGUMENT]...
// Runs a TypeScript program that imports the library by its public names, from the root of the repository.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const args = process.argv.slice(2);
const at = args.findIndex((arg) => !arg.startsWith('--'));
const entry = args[at];
const root = fileURLToPath(new URL('..', import.meta.url));

if (entry === undefined || !existsSync(`${root}/${entry}`)) {
  console.error(
    `usage: node scripts/run.mjs [--node-option]... ENTRY.ts [ARGUMENT]... (entry: ${entry ?? 'none'})`,
  );
  process.exitCode = 2;
} else {
  const { status } = spawnSync(
    process.execPath,
    ['--enable-source-maps', ...args.slice(0, at), await bundle(entry), ...args.slice(at + 1)],
    { stdio: 'inherit', cwd: root },
  );
  process.exitCode = status ?? 1;
}
