import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy, type Proxy, type ProxyOptions } from '../../../examples/multiplayer/proxy.js';

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** A server that sends everything back, behind a proxy. */
async function echo(options: Omit<ProxyOptions, 'target'>): Promise<Proxy> {
  const server: Server = createServer((socket) => socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await startProxy({ target: (server.address() as { port: number }).port, ...options });
  open.push(proxy, server);
  return proxy;
}

/** Sends numbered lines some milliseconds apart; when each of them came back. */
async function roundTrips(port: number, lines: number, apart: number): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const sent: number[] = [];
  const took: number[] = [];
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
    for (; text.includes('\n'); text = text.slice(text.indexOf('\n') + 1)) {
      // In order, none twice, none left out.
      expect(text.slice(0, text.indexOf('\n'))).toBe(`line ${took.length}`);
      took.push(performance.now() - sent[took.length]!);
    }
  });
  for (let i = 0; i < lines; i++) {
    sent.push(performance.now());
    socket.write(`line ${i}\n`);
    await pause(apart);
  }
  socket.end();
  // The other side's end comes through, too.
  await once(socket, 'end');
  expect(took).toHaveLength(lines);
  return took;
}

describe('the proxy', () => {
  it('lets every byte wait, both ways', async () => {
    const { port, traffic } = await echo({ delay: 60, loss: 0 });
    const took = await roundTrips(port, 10, 15);
    for (const ms of took) expect(ms).toBeGreaterThanOrEqual(119);
    // A busy machine may be later, but not every time.
    expect(Math.min(...took)).toBeLessThan(240);
    expect(traffic.lost).toBe(0);
    expect(traffic.up).toBe(10 * 'line 0\n'.length);
    expect(traffic.down).toBe(traffic.up);
  });

  it('makes a loss a longer wait for the chunk and what is behind it, and keeps the order', async () => {
    const { port, traffic } = await echo({ delay: 10, loss: 0.3, resend: 150, seed: 2 });
    const took = await roundTrips(port, 30, 10);
    expect(traffic.lost).toBeGreaterThan(0);
    expect(traffic.lost).toBeLessThan(traffic.chunks);
    expect(Math.max(...took)).toBeGreaterThanOrEqual(169);
    for (const ms of took) expect(ms).toBeGreaterThanOrEqual(19);
  });

  it('cuts off who talks to a server that is not there, and everybody when it is closed', async () => {
    const { port } = await startProxyToNobody();
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    await once(socket, 'close');

    const proxy = await echo({ delay: 10, loss: 0 });
    const other = connect({ port: proxy.port, host: '127.0.0.1' });
    other.on('error', () => {});
    await once(other, 'connect');
    await pause(50);
    proxy.close();
    await once(other, 'close');
  });
});

async function startProxyToNobody(): Promise<Proxy> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  const proxy = await startProxy({ target: port, delay: 1, loss: 0 });
  open.push(proxy);
  return proxy;
}
