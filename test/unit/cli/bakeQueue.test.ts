/**
 * The example that bakes a library on many machines: ids of jobs, results that are written once, clips put back into one
 * file; and the whole of it on a real Redis with a worker that is killed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bakeClip } from '../../../examples/bakeQueue/bakeClip.js';
import { type ClipJob, clipJobs, jobId, libraryVersion } from '../../../examples/bakeQueue/clipJob.js';
import { finish } from '../../../examples/bakeQueue/finish.js';
import { mergeClips } from '../../../examples/bakeQueue/mergeClips.js';
import { has, keep, read, sweep } from '../../../examples/bakeQueue/store.js';
import { foxGlb, foxWithTailGlb } from '../../../examples/characters/fox.js';
import { bakeGltf } from '../../../src/io/bake/index.js';
import { hasRedis } from '../../support/redis.js';
import { inFolder } from './support/run.js';

/** Few keys and no warm-up: these tests are about bytes, not about motion. */
const quick = { fps: 4, maxWarmup: 0 } as const;

let fox: Uint8Array;
beforeAll(async () => {
  fox = await foxWithTailGlb();
});

describe('the id of a job', () => {
  const job: ClipJob = { file: 'fox.glb', rig: 'a1', clip: 0, name: 'Walk', tracks: 'b2', settings: quick };

  test('is a SHA-256 that follows from content, settings and versions, not from places and order', () => {
    const id = jobId(job, '1.0.0');
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(jobId({ ...job, file: 'elsewhere/fox.glb' }, '1.0.0')).toBe(id);
    expect(jobId({ ...job, settings: { maxWarmup: 0, fps: 4 } }, '1.0.0')).toBe(id);
    const others: [ClipJob, string][] = [
      [{ ...job, rig: 'a2' }, '1.0.0'],
      [{ ...job, tracks: 'b3' }, '1.0.0'],
      [{ ...job, clip: 1 }, '1.0.0'],
      [{ ...job, name: 'Run' }, '1.0.0'],
      [{ ...job, settings: { ...quick, fps: 5 } }, '1.0.0'],
      [{ ...job, settings: { ...quick, owner: 'solver' } }, '1.0.0'],
      [job, '1.0.1'],
    ];
    const ids = new Set([id, ...others.map(([other, version]) => jobId(other, version))]);
    expect(ids.size).toBe(others.length + 1);
  });

  test('a changed clip changes the hash of its tracks, and no other clip’s', () =>
    inFolder(async (library) => {
      // The same key times, other values.
      for (const [name, damping] of [
        ['a', 0.5],
        ['b', 0.6],
      ] as const) {
        const { bytes } = await bakeGltf(fox, { ...quick, clips: ['Sprint'], options: { damping } });
        await writeFile(join(library, `${name}.glb`), bytes);
      }
      const jobs = await clipJobs(library, quick);
      expect(jobs.map(({ file, name }) => `${file} ${name}`)).toEqual(
        ['a', 'b'].flatMap((file) =>
          ['Walk', 'Sprint', 'Crouch', 'BackFlip', 'Idle'].map((name) => `${file}.glb ${name}`),
        ),
      );
      const same = jobs.slice(0, 5).map(({ tracks }, i) => tracks === jobs[i + 5]!.tracks);
      expect(same).toEqual([true, false, true, true, true]);
      expect(jobs[0]!.rig).not.toBe(jobs[5]!.rig);
    }));
});

describe('a result', () => {
  test('is written once, whole; what a killed worker left is swept', () =>
    inFolder(async (store) => {
      expect(await has(store, 'ab')).toBe(false);
      await keep(store, 'ab', { bytes: new Uint8Array([1, 2, 3]) });
      await keep(store, 'ab', { bytes: new Uint8Array([4]) });
      await keep(store, 'cd', { left: 'the clip owns the tail' });
      expect(await read(store, 'ab')).toEqual({ bytes: Buffer.from([1, 2, 3]) });
      expect(await read(store, 'cd')).toEqual({ left: 'the clip owns the tail' });
      expect(await read(store, 'ef')).toBeUndefined();
      await writeFile(join(store, '.ef.01234567.tmp'), 'half');
      expect(await has(store, 'ef')).toBe(false);
      await sweep(store);
      expect((await readdir(store)).toSorted()).toEqual(['ab.glb', 'cd.txt']);
    }));

  test('comes from the file and the version that were queued, or not at all', () =>
    inFolder(async (folder) => {
      const [library, store] = [join(folder, 'library'), join(folder, 'store')];
      await mkdir(library);
      await writeFile(join(library, 'fox.glb'), fox);
      const [job] = (await clipJobs(library, quick)) as [ClipJob];
      const id = jobId(job, await libraryVersion());
      expect(await bakeClip({ job, id: jobId(job, '0.0.0'), library, store })).toEqual({
        hopeless: 'queued by another version of the library than this worker has',
      });
      await writeFile(join(library, 'fox.glb'), await foxGlb());
      expect(await bakeClip({ job, id, library, store })).toEqual({
        hopeless: 'fox.glb has changed since it was queued',
      });
      await writeFile(join(library, 'fox.glb'), fox);
      expect(await bakeClip({ job, id, library, store })).toEqual({ done: 'baked' });
      const { bytes } = await bakeGltf(fox, { ...quick, clips: [0] });
      expect(Buffer.from(bytes).equals(await readFile(join(store, `${id}.glb`)))).toBe(true);
      // Not even the file is read again.
      await writeFile(join(library, 'fox.glb'), '');
      expect(await bakeClip({ job, id, library, store })).toEqual({ done: 'there' });
    }));

  test('a clip that keeps its tail is said, a file with a failed clip is not written', () =>
    inFolder(async (folder) => {
      const folders = {
        library: join(folder, 'library'),
        store: join(folder, 'store'),
        output: join(folder, 'output'),
      };
      await mkdir(folders.library);
      await writeFile(join(folders.library, 'fox.glb'), fox);
      const jobs = (await clipJobs(folders.library, { ...quick, owner: 'clip' })).slice(0, 3);
      const version = await libraryVersion();
      const [left, baked, late] = jobs.map((job) => jobId(job, version)) as [string, string, string];
      expect(await bakeClip({ ...folders, job: jobs[0]!, id: left })).toEqual({ done: 'left' });
      await keep(folders.store, baked, await bakeGltf(fox, { ...quick, clips: [1] }));
      const last = () => finish(jobs, [left, baked, late], folders, new Map([[late, 'out of memory']]));
      const manifest = await last();
      const why = expect.stringMatching(/owner of every chain/) as string;
      expect(manifest).toEqual([
        { file: 'fox.glb', clip: 'Walk', id: left, state: 'left', why },
        { file: 'fox.glb', clip: 'Sprint', id: baked, state: 'baked' },
        { file: 'fox.glb', clip: 'Crouch', id: late, state: 'failed', why: 'out of memory' },
      ]);
      expect(JSON.parse(await readFile(join(folders.output, 'manifest.json'), 'utf8'))).toEqual(manifest);
      expect(await readdir(folders.output)).toEqual(['manifest.json']);
      await keep(folders.store, late, await bakeGltf(fox, { ...quick, clips: [2] }));
      expect((await last())[2]).toMatchObject({ state: 'baked' });
      expect((await readdir(folders.output)).toSorted()).toEqual(['fox.glb', 'manifest.json']);
    }));
});

describe('clips put back into one file', () => {
  const bakeEach = (bytes: Uint8Array) =>
    Promise.all(
      [0, 1, 3].map(async (clip) => ({
        clip,
        bytes: (await bakeGltf(bytes, { ...quick, clips: [clip] })).bytes,
      })),
    );

  test.each<[string, () => Promise<Uint8Array>]>([
    ['as it comes', async () => fox],
    [
      'after a bake with more keys, which are overwritten',
      async () => (await bakeGltf(fox, { ...quick, fps: 9 })).bytes,
    ],
    ['after the same bake, which changes nothing', async () => (await bakeGltf(fox, quick)).bytes],
  ])('are what baking them together gives: the fox %s', async (_, make) => {
    const original = await make();
    const { bytes } = await bakeGltf(original, { ...quick, clips: [0, 1, 3] });
    expect(Buffer.from(mergeClips(original, await bakeEach(original))).equals(bytes)).toBe(true);
  });
});

const redis = await hasRedis();

describe('the example', () => {
  test.skipIf(!redis)('bakes all the same when a worker is killed in the middle, and leaves nothing', () =>
    inFolder(async (folder) => {
      const args = ['scripts/run.mjs', 'examples/bakeQueue/main.ts'];
      const env = { ...process.env, TMPDIR: folder };
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let [said, errors] = ['', ''];
      child.stdout.on('data', (data: Buffer) => (said += data.toString()));
      child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
      // Workers write to the same pipe: it is closed when they have ended too.
      const [code] = (await once(child, 'close')) as [number];
      expect(code, said + errors).toBe(0);
      expect(said).toMatch(/^2 files, 10 clips, 2 workers: /m);
      expect(said).toMatch(/^worker [12] was killed in .*\.glb \w+, which was begun [2-9] times$/m);
      expect(said).toMatch(/^10 clips baked, 0 failed$/m);
      expect(said).toMatch(/^queued again: 10 of 10 results were there/m);
      expect(said.match(/^yes {2}/gm)).toHaveLength(4);
      const port = Number(/^Redis on 127\.0\.0\.1:(\d+)$/m.exec(said)![1]);
      await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
      expect(await readdir(folder)).toEqual([]);
    }),
  );

  test('says in one line that there is no Redis', async () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/run.mjs', 'examples/bakeQueue/main.ts'],
      { env: { ...process.env, PATH: '/nowhere' }, encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe('error: no redis-server on the PATH: apt-get install redis-server\n');
  });
});
