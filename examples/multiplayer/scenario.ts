/**
 * The run of the example: one server, four clients in processes of their own. Two are there from the start and follow by
 * inputs alone, one of them over a bad line with prediction; one throws messages away; one comes late. In the near one a bit
 * is flipped.
 */
import type { Child, StartChild } from './children.js';
import type { ClientOptions, ClientReport } from './client.js';
import { hashTicks, tickRate } from './messages.js';
import { startProxy, type Proxy } from './proxy.js';
import type { Listening, RoomEnded, ServerOptions } from './server.js';

/** How a client process is set up. */
export interface ClientProcessOptions extends ClientOptions {
  /** Whether it waits to be told which room to join. */
  waits?: boolean;
}

/** What it is told. */
export interface Go {
  what: 'go';
  roomId: string;
}

/** What a client process tells. */
export type ClientTold = { what: 'joined'; roomId: string } | { what: 'done'; report: ClientReport };

/** How long and with whom. */
export interface ScenarioOptions {
  seconds: number;
  bots: number;
  seed: number;
}

/** What came of it. */
export interface Outcome {
  server: RoomEnded;
  clients: ClientReport[];
  /** Desyncs that the server was told of. */
  desyncs: number;
  proxy: Proxy['traffic'];
  /** What must be so. */
  checks: Record<string, boolean>;
}

/** The bad line. */
export const line = { delay: 150, loss: 0.05 };
/** Share of messages that one client throws away. */
export const drops = 0.05;

/** Runs it. */
export async function runScenario(
  start: StartChild,
  { seconds, bots, seed }: ScenarioOptions,
): Promise<Outcome> {
  const lastTick = seconds * tickRate;
  // After a hash that agrees, and before the next.
  const flipAt = hashTicks * Math.floor(seconds * 0.4) + 17;
  const server = start('server', { bots, seed, startWith: 3, lastTick } satisfies ServerOptions);
  const { port } = await server.next<Listening>('listening');
  const proxy = await startProxy({ target: port, seed, ...line });
  try {
    let desyncs = 0;
    server.on('desync', () => desyncs++);
    const endpoint = `ws://127.0.0.1:${port}`;
    const client = (options: Partial<ClientProcessOptions> & { name: string; seed: number }): Child =>
      start('client', { endpoint, predicts: false, ...options } satisfies ClientProcessOptions);
    // To start a process takes longer than to join.
    const late = client({ name: 'late', seed: seed + 400, waits: true });
    const near = client({ name: 'near', seed: seed + 100, flipAt });
    const { roomId } = await near.next<ClientTold & { what: 'joined' }>('joined');
    const far = client({
      name: 'far',
      seed: seed + 200,
      roomId,
      predicts: true,
      endpoint: `ws://127.0.0.1:${proxy.port}`,
    });
    const lossy = client({ name: 'lossy', seed: seed + 300, roomId, predicts: true, drops });
    for (let tick = 0; tick < lastTick / 3;)
      ({ tick } = await server.next<{ what: 'second'; tick: number }>('second'));
    late.tell({ what: 'go', roomId } satisfies Go);
    const [ended, ...reports] = await Promise.all([
      server.next<RoomEnded>('ended'),
      ...[near, far, lossy, late].map(async (child) => {
        const { report } = await child.next<ClientTold & { what: 'done' }>('done');
        return report;
      }),
    ]);
    await Promise.all([near, far, lossy, late, server].map((child) => child.stop()));
    return {
      server: ended,
      clients: reports,
      desyncs,
      proxy: proxy.traffic,
      checks: checksOf(ended, reports, desyncs, flipAt),
    };
  } finally {
    proxy.close();
  }
}

function checksOf(
  server: RoomEnded,
  clients: readonly ClientReport[],
  desyncs: number,
  flipAt: number,
): Outcome['checks'] {
  const [near, far, lossy, late] = clients as [ClientReport, ClientReport, ClientReport, ClientReport];
  const [desync] = near.desyncs;
  return {
    'every client ends on the hash of the server': clients.every(
      ({ tick, hash }) => tick === server.tick && hash === server.hash,
    ),
    'every hash agreed, but for the flipped bit': clients.every(
      (client) => client.compared - client.agreed === (client === near ? 1 : 0),
    ),
    'the far client predicted and rolled back': far.rollbacks.some(({ ticks }) => ticks >= 18),
    'the lossy client lost messages and asked for them': lossy.dropped > 0 && lossy.questions > 0,
    'the late client came late and began with a snapshot': late.snapshots[0]!.tick >= server.tick / 3,
    'the flipped bit was noticed by the next hash':
      desync?.tick === Math.ceil(flipAt / hashTicks) * hashTicks,
    'its tick and its column were named':
      desync?.first?.tick === flipAt && desync.first.columns.join() === 'particle.position',
    'running the ticks again gave the hash of the server': desync?.rerunAgrees === true,
    'the server was told once, and a snapshot healed it': desyncs === 1 && near.snapshots.length > 1,
  };
}
