/**
 * Engines in which `followthrough verify` runs a replay: this Node in its tiers, Bun (JavaScriptCore) as a process of its
 * own, QuickJS in WebAssembly. What is not installed says how to install it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as QuickJs from 'quickjs-emscripten';
import { FollowthroughError } from '../asset/index.js';

/** Runs `verifyJson` on a file and returns what it answers. */
type Engine = (file: string, seek: number | undefined) => Promise<string> | string;

/** Every engine by its name on the command line. */
export const engines: Readonly<Record<string, Engine>> = {
  node: (file, seek) => runProgram(process.execPath, [], file, seek),
  'node-jitless': (file, seek) => runProgram(process.execPath, ['--jitless'], file, seek),
  'node-no-opt': (file, seek) => runProgram(process.execPath, ['--no-opt'], file, seek),
  bun: (file, seek) => runProgram(findBun(), [], file, seek),
  quickjs: runQuickJs,
};

function runProgram(program: string, flags: string[], file: string, seek: number | undefined): string {
  const script = fileURLToPath(new URL('verifyEngine.js', import.meta.url));
  const args = [...flags, script, file, ...(seek === undefined ? [] : [String(seek)])];
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0)
    throw new FollowthroughError(
      'invalid-argument',
      `${program} stopped with ${error?.message ?? `exit code ${status}`}: ${stderr?.split('\n')[0] ?? ''}`,
    );
  return stdout;
}

function missing(name: string, install: string): FollowthroughError {
  return new FollowthroughError('invalid-argument', `engine ${name} is not installed: ${install}`);
}

/** Where packages are looked for: the user's project, then beside this library. */
const places = [pathToFileURL(join(process.cwd(), 'package.json')).href, import.meta.url];

function resolvePackage(name: string): string | undefined {
  for (const place of places)
    try {
      return createRequire(place).resolve(name);
    } catch {
      // It is not there; the next place may have it.
    }
  return undefined;
}

function findBun(): string {
  const manifest = resolvePackage('bun/package.json');
  if (manifest !== undefined) {
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { bun: string } };
    return join(dirname(manifest), bin.bun);
  }
  if (spawnSync('bun', ['--version']).status === 0) return 'bun';
  throw missing('bun', 'npm install --save-dev bun');
}

async function runQuickJs(file: string, seek: number | undefined): Promise<string> {
  const found = resolvePackage('quickjs-emscripten');
  if (found === undefined) throw missing('quickjs', 'npm install --save-dev quickjs-emscripten');
  const { getQuickJS } = (await import(pathToFileURL(found).href)) as typeof QuickJs;
  const runtime = (await getQuickJS()).newRuntime();
  // Modules go by their paths on disk; packages by where Node finds them.
  runtime.setModuleLoader(
    (path) => readFileSync(path, 'utf8'),
    (from, name) =>
      /^[./]/.test(name) ? join(dirname(from), name) : fileURLToPath(import.meta.resolve(name)),
  );
  const vm = runtime.newContext();
  try {
    const core = fileURLToPath(new URL('verifyJson.js', import.meta.url));
    setBytes(vm, readFileSync(file));
    const options = seek === undefined ? '{}' : `{ seek: ${seek} }`;
    const code = `import { verifyJson } from './verifyJson.js';
      globalThis.answer = verifyJson(new Uint8Array(bytes), ${options});`;
    vm.unwrapResult(vm.evalCode(code, join(dirname(core), 'quickjs.js'), { type: 'module' })).dispose();
    const settled = runtime.executePendingJobs();
    if (settled.error) throw new Error(String(vm.dump(settled.error)));
    const answer = vm.getProp(vm.global, 'answer');
    const text = vm.getString(answer);
    answer.dispose();
    return text;
  } finally {
    vm.dispose();
    runtime.dispose();
  }
}

function setBytes(vm: QuickJs.QuickJSContext, bytes: Uint8Array): void {
  const buffer = vm.newArrayBuffer(new Uint8Array(bytes).buffer);
  vm.setProp(vm.global, 'bytes', buffer);
  buffer.dispose();
}
