/**
 * Server and clients of the example in one process and without real time: messages arrive after delays from a seed, some not
 * at all, and, unlike on TCP, one may overtake another.
 */
import { createRandom } from '../../../../examples/multiplayer/bot.js';
import { makeCharacter } from '../../../../examples/multiplayer/characters.js';
import { createHost, type Member, type Send } from '../../../../examples/multiplayer/host.js';
import { kind, tickRate } from '../../../../examples/multiplayer/messages.js';
import { createSession, type Session } from '../../../../examples/multiplayer/session.js';

/** The line and habits of a client. */
export interface Line {
  predicts: boolean;
  /** Smallest delay of each direction, and what may come on top, milliseconds. */
  delay: number;
  jitter: number;
  /** Share of messages to the client that get lost, the first excepted. */
  loss: number;
  flipAt?: number;
  /** Tick at which it joins, default 0. */
  joinsAt?: number;
}

/** What came of a run. */
export interface Run {
  /** Hash of the server at the end, undefined when somebody was not done in time. */
  hash: bigint | undefined;
  clients: Session[];
  /** What the server was told: ticks of hashes. */
  desyncs: number[];
  /** Messages of the server that were lost. */
  lost: number;
  /** Commands that came after their tick. */
  late: number;
}

export const character = makeCharacter();

/** Runs a room of one bot and some clients up to a tick, and until all are done. */
export function play(lines: readonly Line[], lastTick: number, seed: number): Run {
  const random = createRandom(seed);
  const queue: { at: number; deliver: () => void }[] = [];
  const desyncs: number[] = [];
  const joined: Send[] = [];
  let now = 0;
  let lost = 0;
  const later = ({ delay, jitter }: Line, deliver: () => void): void => {
    queue.push({ at: now + delay + jitter * random(), deliver });
  };
  const host = createHost({
    asset: character,
    bots: 1,
    seed,
    lastTick,
    broadcast: (type, bytes) => joined.forEach((send) => send(type, bytes)),
    onDesync: (tick) => desyncs.push(tick),
  });
  const clients = lines.map((line, i) => {
    let member: Member | undefined;
    const session: Session = createSession({
      asset: character,
      seed: seed + 10 * (i + 1),
      predicts: line.predicts,
      flipAt: line.flipAt,
      send: (type, bytes) => later(line, () => member!.receive(type, bytes)),
    });
    const send: Send = (type, bytes) => {
      if (type !== kind.welcome && random() < line.loss) lost++;
      else later(line, () => session.receive(type, bytes, now));
    };
    const join = (): void => {
      member = host.join(send);
      joined.push(send);
    };
    const update = (): void => {
      if (session.done) return;
      session.update(now);
      // Who is done leaves, and must disturb nobody who is not.
      if (session.done) member!.leave();
    };
    return { session, join, update, joinsAt: line.joinsAt ?? 0 };
  });
  const { world } = host.authority;
  for (let frame = 0; frame < 2 * lastTick + 600 && !clients.every(({ session }) => session.done); frame++) {
    now = (frame * 1000) / tickRate;
    for (const client of clients) if (client.joinsAt === frame) client.join();
    queue.sort((a, b) => a.at - b.at);
    while (queue.length > 0 && queue[0]!.at <= now) queue.shift()!.deliver();
    host.tick();
    for (const { update, joinsAt } of clients) if (frame > joinsAt) update();
  }
  const sessions = clients.map(({ session }) => session);
  const last = host.authority.hashesFrom(lastTick)[0];
  return {
    hash: sessions.every(({ done }) => done) && world.tick === lastTick ? last?.hash : undefined,
    clients: sessions,
    desyncs,
    lost,
    late: host.authority.late,
  };
}
