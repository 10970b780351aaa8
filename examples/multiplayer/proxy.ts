/**
 * A bad line for one machine: a proxy for TCP that lets every chunk of bytes wait, some of them longer. TCP loses nothing: a
 * packet that is lost is sent again after a while, and everything behind it waits. So a loss is a delay here, for the chunk
 * and for what comes behind it; order is kept, as TCP keeps it.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createRandom } from './bot.js';

/** How bad the line is. */
export interface ProxyOptions {
  /** Port on 127.0.0.1 to connect to. */
  target: number;
  /** Delay of each direction, milliseconds. */
  delay: number;
  /** Share of the chunks that are lost and sent again, 0 to 1. */
  loss: number;
  /** What sending again takes, milliseconds; default the way there and back, after which TCP notices at the earliest. */
  resend?: number;
  seed?: number;
}

/** A running proxy. */
export interface Proxy {
  /** Its own port on 127.0.0.1. */
  port: number;
  /** What went through it: chunks, how many of them were lost, bytes to the clients and to the server. */
  traffic: { chunks: number; lost: number; down: number; up: number };
  /** Cuts all connections. */
  close(): void;
}

/** Starts a proxy. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const random = createRandom(options.seed ?? 1);
  const traffic = { chunks: 0, lost: 0, down: 0, up: 0 };
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ port: options.target, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to, way] of [
      [client, target, 'up'],
      [target, client, 'down'],
    ] as const) {
      from.setNoDelay(true);
      sockets.add(from);
      // Who is cut off cuts off the other side; who closes has its last words passed on.
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      delayed(from, to, options, random, (bytes, lost) => {
        traffic[way] += bytes;
        traffic.chunks++;
        if (lost) traffic.lost++;
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    traffic,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Passes on what comes from one socket to the other, later and in order. */
function delayed(
  from: Socket,
  to: Socket,
  { delay, loss, resend = 2 * delay }: ProxyOptions,
  random: () => number,
  count: (bytes: number, lost: boolean) => void,
): void {
  /** What waits; no bytes mean that the sender has closed. */
  const queue: { due: number; bytes: Buffer | undefined }[] = [];
  // What is due waits for what came before it.
  const passOn = (): void => {
    while (queue.length > 0 && queue[0]!.due <= performance.now()) {
      const { bytes } = queue.shift()!;
      if (bytes) to.write(bytes);
      else to.end();
    }
    if (queue.length > 0) setTimeout(passOn, queue[0]!.due - performance.now());
  };
  const add = (bytes: Buffer | undefined): void => {
    const lost = bytes !== undefined && random() < loss;
    if (bytes) count(bytes.length, lost);
    const wait = delay + (lost ? resend : 0);
    if (queue.push({ due: performance.now() + wait, bytes }) === 1) setTimeout(passOn, wait);
  };
  from.on('data', add);
  from.on('end', () => add(undefined));
}
