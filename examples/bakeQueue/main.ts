/**
 * `npm run example:bake-queue`: a clip library baked by several processes through a queue in Redis, while one of them is
 * killed in the middle of a job. The results are those of one process that is left in peace. On real machines:
 *
 *   worker LIBRARY STORE [THREADS]          on each; REDIS_HOST and REDIS_PORT say where Redis is
 *   bake LIBRARY STORE OUTPUT [SETTINGS]    once; SETTINGS is JSON, for instance {"owner":"solver"}
 *
 * The program, its workers and their threads are one file, because scripts/run.mjs makes one file of it.
 */
import { isMainThread } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { bakeLibrary } from './bakeLibrary.js';
import type { Settings } from './clipJob.js';
import { demo } from './demo.js';
import { startWorker } from './worker.js';

export { bakeClip } from './bakeClip.js';

const program = fileURLToPath(import.meta.url);
const connection = {
  host: process.env['REDIS_HOST'] ?? '127.0.0.1',
  port: Number(process.env['REDIS_PORT'] ?? 6379),
};

async function main([role, ...args]: string[]): Promise<number> {
  if (role === 'worker' && args.length >= 2) {
    const [library, store, threads = '1'] = args as [string, string, string?];
    const worker = startWorker({
      ...{ program, library, store, connection, threads: Number(threads) },
      onJob: (id, what) => (process.send ? process.send({ id, what }) : console.log(`${id} ${what}`)),
    });
    await new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(signal, resolve);
    });
    await worker.close();
    if (process.connected) process.disconnect();
    return 0;
  }
  if (role === 'bake' && args.length >= 3) {
    const [library, store, output, settings = '{}'] = args as [string, string, string, string?];
    const folders = { library, store, output };
    const { manifest } = await bakeLibrary(folders, JSON.parse(settings) as Settings, connection);
    for (const { file, clip, state, why } of manifest)
      console.log([file, clip, state, ...(why ? [why] : [])].join('  '));
    return manifest.some(({ state }) => state === 'failed') ? 2 : 0;
  }
  if (role === undefined) return demo(program);
  console.error('usage: main.ts [worker LIBRARY STORE [THREADS] | bake LIBRARY STORE OUTPUT [SETTINGS]]');
  return 2;
}

if (isMainThread) process.exitCode = await main(process.argv.slice(2));
