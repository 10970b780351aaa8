/**
 * A Redis for the length of a program: the `redis-server` of this machine on a free port of it, with a folder of its own
 * and nothing kept on disk. In a studio there is one already.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './freePort.js';

/** A running server. */
export interface RedisServer {
  /** Its port on 127.0.0.1. */
  port: number;
  /** Stops it. */
  stop: () => void;
}

/**
 * Starts a server.
 *
 * @param folder - an empty folder for it
 * @returns undefined when no redis-server is installed
 */
export async function startRedis(folder: string): Promise<RedisServer | undefined> {
  const port = await freePort();
  const plain = `--port ${port} --bind 127.0.0.1 --appendonly no --save`.split(' ');
  const args = [...plain, '', '--dir', folder];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
    server.once('error', () => resolve());
  });
  try {
    await once(server, 'spawn');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => 50, maxRetriesPerRequest: null });
  // Refused until the server listens.
  client.on('error', () => {});
  const early = ended.then(() => Promise.reject(new Error('redis-server ended before it could be used')));
  try {
    await Promise.race([client.connect().catch(() => client.ping()), early]);
  } finally {
    client.disconnect();
  }
  early.catch(() => {});
  return { port, stop: () => void server.kill('SIGKILL') };
}
