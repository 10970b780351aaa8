// npm run bench [-- WORD]: runs bench/*.bench.ts (those whose name holds WORD) one after another, each in a process of
// its own so that no benchmark meets code that another one has warmed or spoilt.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const word = process.argv[2] ?? '';
const files = (existsSync('bench') ? readdirSync('bench').toSorted() : []).filter(
  (file) => file.endsWith('.bench.ts') && file.includes(word),
);
if (files.length === 0) {
  console.error(`no bench/*${word}*.bench.ts`);
  process.exitCode = 2;
}
for (const file of files) {
  console.log(`\n== ${file}`);
  const { status } = spawnSync(process.execPath, ['scripts/run.mjs', '--expose-gc', `bench/${file}`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
