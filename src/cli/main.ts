#!/usr/bin/env node
/**
 * The command line: `followthrough inspect | rig | bake | retarget | bvh | measure | springs | record | verify`. Each command stands in a file of its own
 * and loads what it needs when it runs, so that `--help` answers at once.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { bakeCommand } from './bake.js';
import { cannotPrint, oneLine, reportFailure } from './errors.js';
import { bvhCommand } from './bvh.js';
import { inspectCommand } from './inspect.js';
import { measureCommand } from './measure.js';
import { recordCommand } from './record.js';
import { retargetCommand } from './retarget.js';
import { rigCommand } from './rig.js';
import { springsCommand } from './springs.js';
import { verifyCommand } from './verify.js';

function createProgram(): Command {
  const program = new Command('followthrough')
    .description(
      'Follow-through for rigged characters: find tails in a glTF file, give them bones, simulate, bake, measure; move clips from one skeleton to another.',
    )
    .option('-V, --version', 'print the version')
    .on('option:version', printVersion)
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      `
Exit codes: 0 done; 1 a threshold that you gave was not met; 2 bad input or usage.
Warnings and progress go to stderr; with --json stdout holds one JSON value and nothing else.

Examples:
  $ followthrough inspect fox.glb
  $ followthrough rig fox.glb -o fox-rigged.glb
  $ followthrough bake fox-rigged.glb -o fox-baked.glb
  $ followthrough retarget walk.bvh fox-rigged.glb -o fox-walks.glb
  $ followthrough measure fox-rigged.glb --clip Walk --pose chain
  $ followthrough springs avatar.vrm -o tuned.vrm --set "*.dragForce=0.6"
  $ followthrough record fox-rigged.glb --clip Walk --ticks 1200 -o walk.ftr
  $ followthrough verify walk.ftr --engine bun`,
    );
  for (const command of [
    inspectCommand(),
    rigCommand(),
    bakeCommand(),
    retargetCommand(),
    bvhCommand(),
    measureCommand(),
    springsCommand(),
    recordCommand(),
    verifyCommand(),
  ]) {
    command.helpOption('-h, --help', 'print this help');
    program.addCommand(command);
  }
  for (const command of [program, ...program.commands])
    command
      .exitOverride()
      .showSuggestionAfterError(true)
      .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) });
  return program;
}

/** Read only when asked for, so that nothing else waits for it. */
function printVersion(): never {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  process.stdout.write(`${version}\n`);
  throw new CommanderError(0, 'commander.version', version);
}

// A reader that stops early (`| head`) is no error: the work goes on and the exit code stays what it is.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    if (stream === process.stdout) process.exitCode = reportFailure(cannotPrint(error));
  });

try {
  const program = createProgram();
  if (process.argv.length < 3)
    program.error(
      'error: expected a command: inspect, rig, bake, retarget, bvh, measure, springs, record or verify (see --help)',
    );
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
