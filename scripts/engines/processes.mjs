// Runs other programs with a time limit, in a process group of their own so that nothing they start outlives them, and gives
// them a folder that is gone afterwards.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Ends of all that runs: nothing may stay behind either when we are ended ourselves. */
const running = new Set();
process.once('exit', () => running.forEach((stop) => stop()));

/** Runs `use` with a folder and removes it. */
export async function inFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'followthrough-engine-'));
  try {
    return await use(folder);
  } finally {
    // What was killed a moment ago may still be writing.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Starts a command; `stop` ends it and all that it started, `done` gives what it printed. */
export function start([command, ...args], { env = {}, cwd } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const printed = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (printed.error += text));
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of them are gone, or the system has no groups.
      child.kill('SIGKILL');
    }
  };
  running.add(stop);
  // What it leaves running would keep its output open.
  child.once('exit', stop);
  const done = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ ...printed, code: code ?? signal }));
  }).finally(() => {
    running.delete(stop);
  });
  return { stop, done };
}

/** What a command prints, `undefined` where it cannot be run or fails. */
export async function printedBy(command) {
  try {
    const { code, out } = await run(command, { seconds: 60 });
    return code === 0 ? out.trim() : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a command to its end; throws when it takes longer. */
export async function run(command, { seconds, ...options }) {
  const { stop, done } = start(command, options);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, seconds * 1000);
  try {
    const result = await done;
    if (late) throw new Error(`not done after ${seconds} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
