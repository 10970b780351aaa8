/** The example as a program: processes, Colyseus, a bad line, and, where it is installed, Redis. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { RedisOutcome } from '../../../examples/multiplayer/redisScenario.js';
import type { Outcome } from '../../../examples/multiplayer/scenario.js';
import { hasRedis } from '../../support/redis.js';

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Run> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'examples/multiplayer/main.ts', ...args], {
    env,
  });
  const result = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => (result.stdout += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (result.stderr += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { ...result, code };
}

const redis = await hasRedis();

// One after the other: they are one program, bundled to one file.
describe('the multiplayer example', () => {
  it('ends with all clients on the hash of the server, and says what it took', async () => {
    const { code, stdout, stderr } = await run(['--json', '--seconds', '6']);
    expect(code, stderr).toBe(0);
    const { server, clients, checks, proxy } = JSON.parse(stdout) as Outcome;
    expect(Object.entries(checks).filter(([, met]) => !met)).toEqual([]);
    expect(Object.keys(checks)).toHaveLength(9);
    expect(server).toMatchObject({ tick: 360, characters: 8, chains: 40, links: 256 });
    expect(clients.map(({ name }) => name)).toEqual(['near', 'far', 'lossy', 'late']);
    for (const { tick, hash } of clients) expect({ tick, hash }).toEqual({ tick: 360, hash: server.hash });
    expect(proxy.lost).toBeGreaterThan(0);
    const { bytes, characterTicks, walkingTicks } = server.traffic;
    expect((60 * bytes) / characterTicks).toBeLessThan(1000);
    expect((60 * bytes) / walkingTicks).toBeLessThan(1200);
    // Bytes were sent for walking, else there is nothing to compare.
    expect(walkingTicks).toBeGreaterThan(0.4 * characterTicks);
  });

  it.skipIf(!redis)('runs over two processes behind one Redis', async () => {
    const { code, stdout, stderr } = await run(['--json', '--redis', '--seconds', '5']);
    expect(code, stderr).toBe(0);
    const { rooms, clients, checks } = JSON.parse(stdout) as RedisOutcome;
    expect(Object.entries(checks).filter(([, met]) => !met)).toEqual([]);
    expect(Object.keys(checks)).toHaveLength(3);
    expect(new Set(rooms.map(({ processId }) => processId)).size).toBe(2);
    for (const { roomId, hash } of clients)
      expect(hash).toBe(rooms.find((room) => room.roomId === roomId)!.hash);
  });

  it('says how to get a Redis where there is none', async () => {
    const { code, stderr } = await run(['--redis'], { ...process.env, PATH: '/nowhere', Path: '/nowhere' });
    expect(stderr).toContain('error: no redis-server on the PATH; apt-get install redis-server\n');
    expect(code).toBe(2);
  });
});
