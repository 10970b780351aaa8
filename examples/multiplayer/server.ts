/**
 * A server process: Colyseus with the rooms of the example. With a Redis, any number of such processes on any number of
 * machines form one service: the driver holds the list of all rooms, presence carries requests between processes, and a
 * client is sent to the public address of the process that has its room.
 */
import { matchMaker, Server } from '@colyseus/core';
import { RedisDriver } from '@colyseus/redis-driver';
import { RedisPresence } from '@colyseus/redis-presence';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { hashText } from 'followthrough/replay';
import { freePort } from '../bakeQueue/freePort.js';
import { onStop, tell } from './children.js';
import { WorldRoom, type RoomEvent, type RoomOptions } from './room.js';
import type { Traffic } from './authority.js';

/** How a server process is set up. */
export interface ServerOptions extends Omit<RoomOptions, 'onEvent'> {
  /** Port of Redis, when there are more processes than this. */
  redis?: number;
}

/** What a server process tells its parent, besides what its rooms tell. */
export interface Listening {
  what: 'listening';
  port: number;
  /** Name of the process among all. */
  processId: string;
}

/** The end of a room; its hash in hexadecimal. */
export interface RoomEnded {
  what: 'ended';
  roomId: string;
  tick: number;
  hash: string;
  traffic: Traffic;
  /** Commands that came too late. */
  late: number;
  /** Characters, chains and links at the end. */
  characters: number;
  chains: number;
  links: number;
}

/** Runs a server until the parent wants it to end. */
export async function serverProcess({ redis, ...rooms }: ServerOptions): Promise<void> {
  const port = await freePort();
  const server = new Server({
    transport: new WebSocketTransport(),
    greet: false,
    gracefullyShutdown: false,
    ...(redis !== undefined && {
      driver: new RedisDriver(redis),
      presence: new RedisPresence(redis),
      publicAddress: `127.0.0.1:${port}`,
      selectProcessIdToCreateRoom: inTurn(),
    }),
  });
  server.define('world', WorldRoom, { ...rooms, onEvent: (event) => void tell(toldOf(event)) });
  await server.listen(port, '127.0.0.1');
  onStop(() => server.gracefullyShutdown(false));
  await tell({ what: 'listening', port, processId: matchMaker.processId } satisfies Listening);
}

/**
 * One process after the other. Colyseus' own choice is the process with the fewest rooms; that number is behind the truth
 * when many rooms are made at once.
 */
function inTurn(): () => Promise<string> {
  let turn = 0;
  return async () => {
    const processes = (await matchMaker.stats.fetchAll()).map(({ processId }) => processId);
    return processes.toSorted((a, b) => (a < b ? -1 : 1))[turn++ % processes.length]!;
  };
}

function toldOf(event: RoomEvent): RoomEnded | Exclude<RoomEvent, { what: 'ended' }> {
  if (event.what !== 'ended') return event;
  const { authority } = event.host;
  const { world, traffic, late } = authority;
  const [last] = authority.hashesFrom(world.tick);
  const { character, chain } = world.views;
  const used = [...chain.id.keys()].filter((row) => chain.id[row] !== 0);
  return {
    what: 'ended',
    roomId: event.roomId,
    tick: world.tick,
    hash: hashText(last!.hash),
    traffic,
    late,
    characters: character.id.filter((id) => id !== 0).length,
    chains: used.length,
    links: used.reduce((sum, row) => sum + chain.count[row]!, 0),
  };
}
