/**
 * The run over two server processes: a Redis of its own, two rooms, made one on each process, and two clients in each room,
 * one of which asks the other process for it by id.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../bakeQueue/redisServer.js';
import type { Child, StartChild } from './children.js';
import { runClient, type ClientReport } from './client.js';
import { tickRate } from './messages.js';
import type { ScenarioOptions } from './scenario.js';
import type { Listening, RoomEnded, ServerOptions } from './server.js';

/** A client, and which process it asked for its room. */
export interface RedisClient extends ClientReport {
  roomId: string;
  asked: string;
}

/** What came of it. */
export interface RedisOutcome {
  /** Rooms, and the processes that they live in. */
  rooms: (RoomEnded & { processId: string })[];
  clients: RedisClient[];
  /** What must be so. */
  checks: Record<string, boolean>;
}

/** Runs it; undefined when there is no redis-server. */
export async function runRedisScenario(
  start: StartChild,
  options: ScenarioOptions,
): Promise<RedisOutcome | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'followthrough-redis-'));
  let redis: Awaited<ReturnType<typeof startRedis>>;
  // A signal ends the program without its `finally`.
  const clear = (): void => {
    void redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', clear);
  try {
    redis = await startRedis(folder);
    return redis && (await withRedis(redis.port, start, options));
  } finally {
    await redis?.stop();
    clear();
    process.removeListener('exit', clear);
  }
}

async function withRedis(
  redis: number,
  start: StartChild,
  { seconds, bots, seed }: ScenarioOptions,
): Promise<RedisOutcome> {
  const options: ServerOptions = { bots, seed, startWith: 2, lastTick: seconds * tickRate, redis };
  const rooms: RedisOutcome['rooms'] = [];
  const servers: (Listening & { child: Child })[] = [];
  for (let i = 0; i < 2; i++) {
    const child = start('server', options);
    const told = await child.next<Listening>('listening');
    servers.push({ ...told, child });
    child.on<RoomEnded>('ended', (ended) => rooms.push({ ...ended, processId: told.processId }));
  }
  const clients: Promise<RedisClient>[] = [];
  const play = (server: number, roomId?: string): Promise<string> => {
    const { port, processId } = servers[server]!;
    const number = clients.length + 1;
    return new Promise((resolve, reject) => {
      const client = {
        name: `client ${number}`,
        endpoint: `ws://127.0.0.1:${port}`,
        seed: seed + 100 * number,
        predicts: number % 2 === 0,
      };
      const run = async (): Promise<RedisClient> => {
        let joined = '';
        const report = await runClient(roomId === undefined ? client : { ...client, roomId }, (id) =>
          resolve((joined = id)),
        );
        return { ...report, roomId: joined, asked: processId };
      };
      const running = run();
      running.catch(reject);
      clients.push(running);
    });
  };
  // Both rooms are asked for at the first process, and both are joined through the second.
  const ids = [await play(0), await play(0)];
  for (const id of ids) await play(1, id);
  const reports = await Promise.all(clients);
  await Promise.all(servers.map(({ child }) => child.stop()));
  return { rooms, clients: reports, checks: checksOf(rooms, reports) };
}

function checksOf(rooms: RedisOutcome['rooms'], clients: readonly RedisClient[]): RedisOutcome['checks'] {
  const roomOf = (client: RedisClient): RedisOutcome['rooms'][number] | undefined =>
    rooms.find(({ roomId }) => roomId === client.roomId);
  return {
    'each process had a room': new Set(rooms.map(({ processId }) => processId)).size === 2,
    'clients joined rooms of the process that they did not ask': clients.some(
      (client) => roomOf(client)?.processId !== client.asked,
    ),
    'every client ends on the hash of its room': clients.every(
      (client) => client.hash === roomOf(client)?.hash && client.compared === client.agreed,
    ),
  };
}
