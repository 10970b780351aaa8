/** Bundles a TypeScript entry and runs it in a fresh Node process with flags. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Runs the entry file once per list of flags and returns what each run printed. */
export function runBundled(entry: URL, flagLists: string[][]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'followthrough-'));
  try {
    const outfile = join(folder, 'entry.mjs');
    buildSync({
      entryPoints: [fileURLToPath(entry)],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
      logLevel: 'silent',
    });
    return flagLists.map((flags) =>
      execFileSync(process.execPath, [...flags, outfile], { encoding: 'utf8' }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
