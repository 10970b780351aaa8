/** The figures of a run, for people. */
import type { ClientReport } from './client.js';
import { tickRate } from './messages.js';
import type { RedisOutcome } from './redisScenario.js';
import { drops, line, type Outcome } from './scenario.js';
import type { RoomEnded } from './server.js';

/** Bytes of a rotation that is sent as its three smallest components. */
const rotationBytes = 4;
/** Joints are usually sent less often than a world ticks. */
const jointRate = 20;

/** Lines about a run on one server. */
export function outcomeLines({ server, clients, proxy, checks }: Outcome): string[] {
  const [near] = clients;
  const snapshot = near!.snapshots[0]!;
  const perSecond = (bytes: number): string => `${kB(bytes / clients[1]!.seconds)}/s`;
  return [
    `one Colyseus room, ${clients.length} clients, ${server.tick} ticks at ${tickRate} per second`,
    ...sizeLines(server),
    `late join: a snapshot of ${kB(snapshot.bytes)}, ${kB(snapshot.sent)} deflated, and the inputs since`,
    '',
    ...table([
      [
        'client',
        'line',
        'since tick',
        'hashes',
        'agreed',
        'asked',
        'rollbacks',
        'deepest',
        'mean',
        'ms each',
        'own',
        'others',
        'kB/s',
      ],
      ...clients.map((client) => [client.name, lineOf(client), ...figures(client)]),
    ]),
    '',
    `hash of the server at tick ${server.tick}: ${server.hash}`,
    'rollbacks in ticks; own, others: largest jump of a character by a rollback, metres',
    `the far line: ${proxy.lost} of ${proxy.chunks} chunks were lost and sent again; on the wire ` +
      `${perSecond(proxy.down)} down and ${perSecond(proxy.up)} up`,
    `${server.late} commands came after their tick, for which the server had to guess`,
    `lossy threw ${clients[2]!.dropped} of ${clients[2]!.messages} messages away and asked ${clients[2]!.questions} times`,
    ...near!.desyncs.flatMap((desync) => [
      `bit flipped in near at tick ${near!.flipped}: its hash of tick ${desync.tick} was not the server's`,
      `  at tick ${desync.tick} the server finds other values in ${desync.columns.join(', ')}`,
      `  run again from the last good hash: first at tick ${desync.first?.tick} in ${desync.first?.columns.join(', ')}`,
      desync.rerunAgrees
        ? "  and then on the server's hash: something wrote into this world"
        : '  and on the wrong hash again: this machine computes otherwise',
      `  healed by a snapshot of tick ${near!.snapshots[1]?.tick}`,
    ]),
    '',
    ...checkLines(checks),
  ];
}

/** Lines about a run on two servers. */
export function redisLines({ rooms, clients, checks }: RedisOutcome): string[] {
  const nameOf = (processId: string | undefined): string =>
    String.fromCodePoint(65 + [...new Set(clients.map(({ asked }) => asked))].indexOf(processId!));
  return [
    `two server processes behind one Redis, ${rooms.length} rooms, ${clients.length} clients`,
    '',
    ...table([
      ['client', 'asked', 'room', 'lives in', 'hashes', 'agreed', 'ends on'],
      ...clients.map((client) => {
        const room = rooms.find(({ roomId }) => roomId === client.roomId);
        const { name, asked, roomId, compared, agreed, hash } = client;
        return [name, nameOf(asked), roomId, nameOf(room?.processId), `${compared}`, `${agreed}`, hash];
      }),
    ]),
    '',
    ...checkLines(checks),
  ];
}

function sizeLines({ characters, chains, links, traffic }: RoomEnded): string[] {
  const { changes, bytes, characterTicks, walkingTicks, changeBytes } = traffic;
  const perSecond = (share: number): string => ((bytes / share) * tickRate).toFixed(0);
  const perCharacter = links / characters;
  const joints = (rate: number): string => (perCharacter * rotationBytes * rate).toFixed(0);
  return [
    `${characters} characters, ${chains} chains, ${links} links`,
    '',
    `inputs: ${perSecond(characterTicks)} bytes per second per character, ` +
      `${perSecond(walkingTicks)} per second that it walks`,
    `rotations of ${perCharacter} links, ${rotationBytes} bytes each: ${joints(jointRate)} bytes per second per ` +
      `character at ${jointRate} per second, ${joints(tickRate)} at ${tickRate}`,
    `who comes: ${kB(changeBytes / Math.max(1, changes))} of inputs once`,
  ];
}

function lineOf({ name }: ClientReport): string {
  if (name === 'far') return `${line.delay} ms each way, ${100 * line.loss}% lost`;
  return name === 'lossy' ? `${100 * drops}% thrown away` : 'direct';
}

function figures({
  snapshots,
  compared,
  agreed,
  questions,
  predicts,
  rollbacks,
  corrections,
  received,
  seconds,
}: ClientReport): string[] {
  const ticks = rollbacks.map((rollback) => rollback.ticks);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    `${snapshots[0]!.tick}`,
    `${compared}`,
    `${agreed}`,
    `${questions}`,
    ...(predicts
      ? [
          `${rollbacks.length}`,
          `${Math.max(...ticks)}`,
          mean(ticks).toFixed(1),
          mean(rollbacks.map(({ ms }) => ms)).toFixed(2),
          corrections.own.toFixed(2),
          corrections.others.toFixed(2),
        ]
      : ['-', '-', '-', '-', '-', '-']),
    (received / 1000 / seconds).toFixed(1),
  ];
}

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function checkLines(checks: Record<string, boolean>): string[] {
  return Object.entries(checks).map(([check, met]) => `${met ? 'yes' : 'NO '}  ${check}`);
}

/** Columns as wide as needed; the first two to the left, the others to the right. */
function table(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows.map((row) =>
    row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
  );
}
