/**
 * `npm run example:multiplayer`: a Colyseus room whose characters' tails and hair are simulated on the server and again, from
 * inputs alone, on four headless clients. Prints what it takes and whether all agree, and stops by itself.
 *
 *   --seconds N   game time, from 5, default 12
 *   --redis       two server processes behind a Redis instead
 *   --json        the figures as JSON
 *
 * Exit codes: 0 all agree, 1 not, 2 no redis-server. The processes are one file, because scripts/run.mjs makes one of it.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { onStop, tell, withChildren } from './children.js';
import { runClient } from './client.js';
import { outcomeLines, redisLines } from './print.js';
import { runRedisScenario, type RedisOutcome } from './redisScenario.js';
import {
  runScenario,
  type ClientProcessOptions,
  type Go,
  type Outcome,
  type ScenarioOptions,
} from './scenario.js';
import { serverProcess, type ServerOptions } from './server.js';

/** What starting processes and joining may take on a busy machine, milliseconds. */
const patience = 60_000;

async function main(args: string[]): Promise<number | undefined> {
  const [role, options = ''] = args;
  if (role === 'server') await serverProcess(JSON.parse(options) as ServerOptions);
  else if (role === 'client') await clientProcess(JSON.parse(options) as ClientProcessOptions);
  else return run(args);
  return undefined;
}

async function clientProcess({ waits, ...options }: ClientProcessOptions): Promise<void> {
  onStop(() => Promise.resolve());
  if (waits) options.roomId = ((await once(process, 'message')) as [Go])[0].roomId;
  const report = await runClient(options, (roomId) => void tell({ what: 'joined', roomId }));
  await tell({ what: 'done', report });
}

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '12' },
      redis: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  const seconds = Math.floor(Number(values.seconds));
  if (!(seconds >= 5)) throw new Error(`--seconds is ${values.seconds}, expected a number from 5`);
  const options: ScenarioOptions = { seconds, bots: 4, seed: 1 };
  const outcome = await withChildren<Outcome | RedisOutcome | undefined>(
    fileURLToPath(import.meta.url),
    seconds * 1000 + patience,
    (start) => (values.redis ? runRedisScenario : runScenario)(start, options),
  );
  if (outcome === undefined) {
    console.error('error: no redis-server on the PATH; apt-get install redis-server');
    return 2;
  }
  const lines = 'rooms' in outcome ? redisLines(outcome) : outcomeLines(outcome);
  console.log(values.json ? JSON.stringify(outcome) : lines.join('\n'));
  return Object.values(outcome.checks).every(Boolean) ? 0 : 1;
}

try {
  // Children go on until their parent lets them go.
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
