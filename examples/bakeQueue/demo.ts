/**
 * The demonstration: a Redis of its own, generated characters, two workers of which one is killed in the middle of a job,
 * then a comparison with the same work done here, one clip after the other.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bakeGltf } from 'followthrough/bake';
import { foxWithTailGlb } from '../characters/fox.js';
import { mouseGlb } from '../characters/mouse.js';
import { bakeOne } from './bakeClip.js';
import { bakeLibrary, type LibraryResult } from './bakeLibrary.js';
import { type Settings, sha256 } from './clipJob.js';
import type { Folders } from './finish.js';
import { type RedisServer, startRedis } from './redisServer.js';
import { has, keep } from './store.js';

/** Fine ticks, so that a job takes long enough to be killed in the middle. */
const settings: Settings = { tickRate: 360 };

/** A bake that hangs is a failure, milliseconds. */
const patience = 120_000;

/** What a worker tells. */
interface Message {
  id: string;
  what: 'begun' | 'baked' | 'left' | 'there';
}

/**
 * Runs the demonstration.
 *
 * @param program - file to start workers from
 * @returns exit code: 0 when all results are those of the sequential run, 1 when not, 2 without Redis
 */
export async function demo(program: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'followthrough-queue-'));
  const children: ChildProcess[] = [];
  let redis: RedisServer | undefined;
  const clear = (): void => {
    for (const child of children) child.kill('SIGKILL');
    redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  // Also when this program ends by an error that nobody expected.
  process.once('exit', clear);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  try {
    redis = await startRedis(folder);
    if (redis) return await run(program, folder, redis.port, children);
    console.error('error: no redis-server on the PATH: apt-get install redis-server');
    return 2;
  } finally {
    clear();
  }
}

async function run(program: string, folder: string, port: number, children: ChildProcess[]): Promise<number> {
  const at = (name: string): string => join(folder, name);
  const folders = { library: at('library'), store: at('store'), output: at('output') };
  await writeLibrary(folders.library);

  print(`Redis on 127.0.0.1:${port}`);
  const workers = startWorkers(program, folders, port, children);
  const signal = AbortSignal.any([workers.lost, AbortSignal.timeout(patience)]);
  const [first, seconds] = await timed(() => bakeLibrary(folders, settings, { port }, signal));
  const { jobs, ids, manifest } = first;
  const { killed, told } = workers;
  const name = (id: string | undefined): string => {
    const job = jobs[ids.indexOf(id!)];
    return job ? `${job.file} ${job.name}` : 'none';
  };
  const tries = told.filter(({ id, what }) => id === killed.id && what === 'begun').length;
  print(
    `${new Set(jobs.map(({ file }) => file)).size} files, ${jobs.length} clips, 2 workers: ${seconds.toFixed(1)} s`,
    `worker ${killed.worker} was killed in ${name(killed.id)}, which was begun ${tries} times`,
    `${manifest.filter(({ state }) => state === 'baked').length} clips baked, ` +
      `${manifest.filter(({ state }) => state === 'failed').length} failed`,
  );

  const before = await digest(folders.store);
  told.length = 0;
  const [, again] = await timed(() => bakeLibrary(folders, settings, { port }, signal));
  const idle = told.filter(({ what }) => what === 'there').length;
  print(`queued again: ${idle} of ${jobs.length} results were there, ${again.toFixed(1)} s`);
  await workers.stop();

  const [, alone] = await timed(() => bakeAlone(folders.library, at('alone'), first));
  const checks = {
    'a worker was killed in a job that was not done': killed.half === true && tries > 1,
    'results are those of one process': before === (await digest(at('alone'))),
    'a second run changed nothing': idle === jobs.length && before === (await digest(folders.store)),
    'files are those of a bake of all their clips': await sameFiles(folders),
  };
  print(`one process, one clip after the other: ${alone.toFixed(1)} s`, `results: SHA-256 ${before}`);
  for (const [check, met] of Object.entries(checks)) print(`${met ? 'yes' : 'NO '}  ${check}`);
  return Object.values(checks).every(Boolean) ? 0 : 1;
}

/** Generated characters, few enough for seconds. */
async function writeLibrary(library: string): Promise<void> {
  await mkdir(join(library, 'animals'), { recursive: true });
  await writeFile(join(library, 'animals', 'fox.glb'), await foxWithTailGlb());
  await writeFile(join(library, 'mouse.glb'), await mouseGlb());
}

interface Workers {
  /** What the workers told. */
  told: Message[];
  /** Which worker was killed, in which job, and whether that job was not done yet. */
  killed: { worker?: number; id?: string; half?: boolean };
  /** Aborted when a worker ends that nobody killed. */
  lost: AbortSignal;
  /** Ends those that are left. */
  stop: () => Promise<void>;
}

/** Two workers; the one that begins the fifth job is killed in it. */
function startWorkers(program: string, folders: Folders, port: number, children: ChildProcess[]): Workers {
  const { library, store } = folders;
  const told: Message[] = [];
  const killed: Workers['killed'] = {};
  const lost = new AbortController();
  const ended = [1, 2].map(async (number) => {
    const env = { ...process.env, REDIS_PORT: String(port) };
    const child = fork(program, ['worker', library, store], { env });
    children.push(child);
    child.on('message', (message: Message) => {
      told.push(message);
      if (killed.worker || told.filter(({ what }) => what === 'begun').length < 5) return;
      Object.assign(killed, { worker: number, id: message.id });
      child.kill('SIGKILL');
    });
    await once(child, 'exit');
    if (killed.worker === number) killed.half = !(await has(store, killed.id!));
    else lost.abort(new Error(`worker ${number} ended by itself`));
  });
  const stop = async (): Promise<void> => {
    for (const child of children) child.kill();
    await Promise.all(ended);
  };
  return { told, killed, lost: lost.signal, stop };
}

/** The same work in this process. */
async function bakeAlone(library: string, store: string, { jobs, ids }: LibraryResult): Promise<void> {
  for (const [i, job] of jobs.entries())
    await keep(store, ids[i]!, await bakeOne(await readFile(join(library, job.file)), job));
}

/** Whether every merged file is what a bake of the whole file gives. */
async function sameFiles({ library, output }: Folders): Promise<boolean> {
  const same = ['animals/fox.glb', 'mouse.glb'].map(async (file) => {
    const { bytes } = await bakeGltf(await readFile(join(library, file)), settings);
    return sha256(bytes) === sha256(await readFile(join(output, file)));
  });
  return (await Promise.all(same)).every(Boolean);
}

/** SHA-256 over names and contents of a folder, temporary files included. */
async function digest(folder: string): Promise<string> {
  const names = (await readdir(folder)).toSorted((a, b) => (a < b ? -1 : 1));
  const parts = names.map(async (name) => `${name} ${sha256(await readFile(join(folder, name)))}`);
  return sha256((await Promise.all(parts)).join('\n'));
}

async function timed<T>(work: () => Promise<T>): Promise<[result: T, seconds: number]> {
  const start = performance.now();
  const result = await work();
  return [result, (performance.now() - start) / 1000];
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
