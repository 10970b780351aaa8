/**
 * A headless client: the session connected to a room of Colyseus. It can throw messages away, to see that the session gets
 * along without them.
 */
import { Client, type Room } from 'colyseus.js';
import { hashText } from 'followthrough/replay';
import { createRandom } from './bot.js';
import { makeCharacter } from './characters.js';
import { kind, type Kind } from './messages.js';
import { createSession } from './session.js';
import type { SessionReport } from './sessionReport.js';

/** How a client is set up. */
export interface ClientOptions {
  /** A name for people. */
  name: string;
  /** Address of a server, `ws://host:port`. */
  endpoint: string;
  /** Room to join; without one a room is made. */
  roomId?: string;
  seed: number;
  predicts: boolean;
  /** Share of the server's messages that is thrown away, 0 to 1. */
  drops?: number;
  /** Tick at which a bit of the client's world is flipped. */
  flipAt?: number;
}

/** What a client tells at the end; hashes in hexadecimal, so that it can be JSON. */
export interface ClientReport extends Omit<SessionReport, 'final' | 'corrections'> {
  name: string;
  predicts: boolean;
  /** Hash of its world after the last tick. */
  hash: string;
  tick: number;
  /** Largest jumps by rollbacks, metres. */
  corrections: { own: number; others: number };
  /** Bytes and messages that came, and messages that were thrown away. */
  received: number;
  messages: number;
  dropped: number;
  /** From the first message to the last, seconds. */
  seconds: number;
}

/** Milliseconds between two looks at the clock. */
const frame = 8;

/**
 * Joins, plays to the last tick, and leaves.
 *
 * @param onJoin - called with the id of the room
 */
export async function runClient(
  options: ClientOptions,
  onJoin: (roomId: string) => void = () => {},
): Promise<ClientReport> {
  const { name, endpoint, roomId, seed, predicts, drops = 0, flipAt } = options;
  const asset = makeCharacter();
  const server = new Client(endpoint);
  const room: Room = roomId === undefined ? await server.create('world') : await server.joinById(roomId);
  const send = (type: Kind, bytes: Uint8Array): void => room.sendBytes(type, bytes);
  const session = createSession({ asset, seed, predicts, flipAt, send });
  const random = createRandom(seed);
  const traffic = { received: 0, messages: 0, dropped: 0 };
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    room.onMessage('*', (type, bytes: Uint8Array) => {
      // Two bytes of Colyseus say what it is.
      traffic.received += bytes.length + 2;
      traffic.messages++;
      if (type !== kind.welcome && random() < drops) traffic.dropped++;
      else session.receive(type as Kind, bytes, performance.now());
    });
    room.onLeave((code) => reject(new Error(`${name}: the server closed the connection (${code})`)));
    timer = setInterval(() => {
      try {
        session.update(performance.now());
      } catch (error) {
        reject(error);
      }
      if (session.done) resolve();
    }, frame);
  });
  onJoin(room.roomId);
  await ended.finally(() => clearInterval(timer));
  const seconds = (performance.now() - started) / 1000;
  await room.leave();
  const { final, corrections, ...rest } = session.report;
  return {
    ...rest,
    ...traffic,
    name,
    predicts,
    tick: final!.tick,
    hash: hashText(final!.hash),
    corrections: { own: corrections.own, others: corrections.others },
    seconds,
  };
}
