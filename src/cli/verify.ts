/**
 * `followthrough verify run.ftr`: a replay run again and compared, in this engine or another.
 */
import { Command, InvalidArgumentError } from 'commander';
import { FollowthroughError } from '../asset/index.js';
import { engines } from './engines.js';
import { failThreshold, naming } from './errors.js';
import type { Answer } from './verifyJson.js';

interface VerifyFlags {
  engine?: string;
  seek?: number;
  json?: boolean;
}

const engineNames = Object.keys(engines);

function engine(name: string): string {
  if (!engineNames.includes(name))
    throw new InvalidArgumentError(`there is no engine of that name; there are ${engineNames.join(', ')}.`);
  return name;
}

function tick(text: string): number {
  if (!/^\d+$/.test(text.trim())) throw new InvalidArgumentError('expected a whole number from 0.');
  return Number(text);
}

/** The command. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('Run a replay again and compare every tick with what was recorded.')
    .argument('<file>', 'the .ftr that record wrote')
    .option('--engine <name>', `where to run it: ${engineNames.join(', ')} (default: here)`, engine)
    .option('--seek <tick>', 'begin at the last snapshot before this tick (default: at the beginning)', tick)
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Exit code 1 when a tick comes out otherwise: the first tick, column and chain are named.
bun and quickjs must be installed: npm install --save-dev bun quickjs-emscripten

Examples:
  $ followthrough verify walk.ftr
  $ followthrough verify walk.ftr --engine quickjs --seek 600`,
    )
    .action((file: string, flags: VerifyFlags) => naming(file, () => run(file, flags)));
}

async function run(file: string, flags: VerifyFlags): Promise<void> {
  const { readInput } = await import('./files.js');
  const { counted, print, printJson } = await import('./output.js');
  const { report } = await verified(file, await readInput(file), flags);
  if (flags.json) printJson(report);
  else
    print(
      `${file}: ${counted(report.ticks, 'tick')}, ${counted(report.chains, 'chain')}, ` +
        `${report.mismatches === 0 ? 'all as recorded' : `${report.mismatches} differ`}, hash ${report.hash}`,
    );
  const first = report.firstMismatch;
  if (first)
    failThreshold(
      `tick ${first.tick} comes out otherwise: ${first.column || 'the number of chains'}` +
        `${first.chain === null ? '' : ` of chain ${first.chain} (id ${first.chainId})`}; ` +
        `${counted(report.mismatches, 'tick')} of ${report.ticks} differ`,
    );
}

/** @throws FollowthroughError what went wrong, wherever it ran */
async function verified(
  file: string,
  bytes: Uint8Array,
  { engine: name, seek }: VerifyFlags,
): Promise<Exclude<Answer, { error: unknown }>> {
  const { verifyJson } = await import('./verifyJson.js');
  const text =
    name === undefined
      ? verifyJson(bytes, seek === undefined ? {} : { seek })
      : await engines[name]!(file, seek);
  const answer = JSON.parse(text) as Answer;
  if ('report' in answer) return answer;
  const { code, message } = answer.error;
  if (code === 'unexpected') throw new Error(message);
  throw new FollowthroughError(code as FollowthroughError['code'], message);
}
