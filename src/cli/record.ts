/**
 * `followthrough record FILE --clip NAME --ticks n -o run.ftr`: a clip with its chains simulated, written down so that
 * anybody can run it again and compare.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Asset, type ChainDefinition, FollowthroughError, type Warning } from '../asset/index.js';
import type { ChainOptions, World } from '../index.js';
import { naming } from './errors.js';
import { finite, positive, type Setting, whole, withChainOptions } from './options.js';

interface RecordFlags {
  output: string;
  clip?: string;
  ticks: number;
  owner: 'auto' | 'solver' | 'clip';
  tick: number;
  keyframes: number;
  floor?: number;
  chain?: string[];
  set?: Setting[];
  unit: number;
  json?: boolean;
}

function replayFile(path: string): string {
  if (!/\.ftr$/i.test(path)) throw new InvalidArgumentError('expected a name that ends in .ftr.');
  return path;
}

/** The command. */
export function recordCommand(): Command {
  return withChainOptions(
    new Command('record')
      .description('Simulate the chains over a clip and record every tick, for followthrough verify.')
      .argument('<file>', 'the .glb, .gltf or .vrm to read')
      .requiredOption('-o, --output <file>', 'the replay to write (.ftr)', replayFile)
      .option(
        '--clip <name>',
        'clip: its name, or the part after the last "|"; needed when there are several',
      )
      .option('--ticks <n>', 'ticks to record', whole, 600)
      .addOption(
        new Option('--owner <who>', 'who moves an animated chain; auto: the clip')
          .choices(['auto', 'solver', 'clip'])
          .default('auto'),
      )
      .option('--tick <n>', 'simulated ticks per second', positive, 120)
      .option('--keyframes <n>', 'ticks between two snapshots, where verify --seek can begin', whole, 600)
      .option('--floor <y>', 'height of a floor plane, file units (default: no floor)', finite),
  )
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
The clip plays in a loop from its beginning. A file without clips is recorded as it stands.
A replay holds skeleton, clips and state, no meshes; it can be checked without the file.

Examples:
  $ followthrough record fox-rigged.glb --clip Walk --ticks 1200 -o walk.ftr
  $ followthrough verify walk.ftr --engine bun`,
    )
    .action(async (file: string, flags: RecordFlags) => {
      const { requireWritable } = await import('./files.js');
      await requireWritable(flags.output);
      await naming(file, () => run(file, flags));
    });
}

async function run(file: string, flags: RecordFlags): Promise<void> {
  const { besides, readInput, writeOutput } = await import('./files.js');
  const { loadGltf } = await import('../io/gltf/index.js');
  const { createRecorder, hash, hashText } = await import('../replay/index.js');
  const { createProgress } = await import('./progress.js');
  const { counted, print, printJson, printWarnings } = await import('./output.js');
  const { unitWarningFor } = await import('./unitWarning.js');
  const { chainsOf, optionsByChain } = await import('./options.js');

  const asset = await loadGltf(await readInput(file), { name: file, resolve: besides(file) });
  const chains = chainsOf(asset, flags.chain);
  const options = optionsByChain(chains, flags.set);
  const { world, simulated } = await stage(asset, chains, options, flags);
  const recorder = createRecorder(world, { keyframeInterval: flags.keyframes });
  const progress = createProgress();
  try {
    for (let i = 0; i < flags.ticks; i++) {
      recorder.step();
      if (i % 64 === 63) progress.update(i / flags.ticks, `${i + 1} of ${flags.ticks} ticks`);
    }
  } finally {
    progress.stop();
  }
  const bytes = recorder.finish();
  await writeOutput(flags.output, bytes);
  const sum = hashText(hash(world));
  const warnings: Warning[] = [
    ...world.report.warnings,
    ...unitWarningFor(asset, chains, options, { unit: flags.unit }),
  ];
  if (flags.json)
    printJson({
      file,
      output: flags.output,
      ticks: flags.ticks,
      chains: simulated,
      hash: sum,
      bytes: bytes.length,
    });
  else
    print(
      `${flags.output}: ${counted(flags.ticks, 'tick')}, ${counted(simulated, 'chain')}, ${bytes.length} bytes, hash ${sum}`,
    );
  printWarnings(warnings);
}

/**
 * The world to record.
 *
 * @throws FollowthroughError `nothing-to-simulate` when no chain is the solver's
 */
async function stage(
  asset: Asset,
  chains: readonly ChainDefinition[],
  options: (chain: ChainDefinition) => ChainOptions,
  flags: RecordFlags,
): Promise<{ world: World; simulated: number }> {
  const core = await import('../index.js');
  const { onlyClip } = await import('./clipName.js');
  const names = asset.clips.map(({ name }) => name);
  const clip = names.length === 0 && flags.clip === undefined ? undefined : onlyClip(names, flags.clip);
  const world = core.createWorld({ tickRate: flags.tick });
  const character = core.addCharacter(world, asset, { unit: flags.unit });
  core.addConstraints(world, character);
  core.addSpringColliders(world, character, undefined, chains);
  for (const definition of chains)
    core.addChains(world, character, { owner: flags.owner, ...options(definition), chains: [definition] });
  if (flags.floor !== undefined) core.addFloor(world, { point: [0, flags.floor, 0] });
  if (clip !== undefined) core.play(world, character, clip);
  const { id, clipOwned } = world.views.chain;
  const simulated = id.filter((chain, row) => chain !== 0 && clipOwned[row] === 0).length;
  if (simulated === 0)
    throw new FollowthroughError(
      'nothing-to-simulate',
      `nothing to simulate: ${
        chains.length === 0
          ? 'no chain was found; name its root bone with --chain'
          : 'the clip moves every chain; --owner solver simulates them all the same'
      }`,
    );
  return { world, simulated };
}
