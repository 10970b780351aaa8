/**
 * The command line as a process of its own: the TypeScript is bundled once, then run by Node like the installed
 * program.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));
let program: Promise<string> | undefined;

/**
 * Bundles src/cli into a folder laid out like the package, with the worker thread's file beside the program; test files
 * that run side by side get their own.
 */
async function bundled(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/cli-test', process.env['VITEST_POOL_ID'] ?? '0');
  const outdir = join(folder, 'dist/cli');
  await build({
    entryPoints: ['main', 'bakeWorker', 'verifyEngine', 'verifyJson'].map((name) =>
      join(root, `src/cli/${name}.ts`),
    ),
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'));
  return join(outdir, 'main.js');
}

/** Starts `followthrough ...args` with stdout and stderr piped. */
export async function start(...args: string[]): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  program ??= bundled();
  return spawn(process.execPath, [await program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs `followthrough ...args` with stdout and stderr piped. */
export async function run(...args: string[]): Promise<Run> {
  const child = await start(...args);
  const result: Run = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (result.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (result.stderr += data.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...result, code }));
  });
}

/** A folder for the length of some work. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
