/**
 * `followthrough inspect FILE`: what is in a file, which chains would be simulated, and what is odd about it.
 */
import { Command } from 'commander';
import { naming } from './errors.js';
import { collect, positive } from './options.js';

interface InspectFlags {
  chain?: string[];
  unit: number;
  bones?: boolean;
  json?: boolean;
}

/** The command. */
export function inspectCommand(): Command {
  return new Command('inspect')
    .description('List bones, skins, clips and chains of a .glb, .gltf or .vrm, and what is odd about it.')
    .argument('<file>', 'the file to read')
    .option(
      '--chain <bone>',
      'root bone of a chain, instead of every spring and Tail*; may be repeated',
      collect,
    )
    .option('--unit <n>', 'file units per metre (100: the file is in centimetres)', positive, 1)
    .option('--bones', 'list all bones as a tree; --json then has them as "skeleton"')
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Lengths are in file units. restSource says where the rest pose of a chain comes from: inverse bind matrices,
the nodes as saved, or both.

Examples:
  $ followthrough inspect fox.glb
  $ followthrough inspect koi.glb --bones
  $ followthrough inspect koi.glb --chain Main1 --json`,
    )
    .action((file: string, flags: InspectFlags) => naming(file, () => run(file, flags)));
}

async function run(file: string, flags: InspectFlags): Promise<void> {
  const { besides, readInput } = await import('./files.js');
  const { loadGltf } = await import('../io/gltf/index.js');
  const { inspectAsset, listBones } = await import('./inspectAsset.js');
  const { printBones, printInspection } = await import('./printInspection.js');
  const { printJson, printWarnings } = await import('./output.js');
  const asset = await loadGltf(await readInput(file), { name: file, resolve: besides(file) });
  const inspection = inspectAsset(asset, file, flags.chain, flags.unit);
  if (flags.bones && flags.json) inspection.skeleton = listBones(asset)!;
  if (flags.json) printJson(inspection);
  else printInspection(inspection);
  if (flags.bones && !flags.json) printBones(asset.skeleton);
  printWarnings(inspection.warnings);
}
