/**
 * `followthrough bake FILE -o OUT`: chain motion written into the clips of a file. Folders, and several files at once,
 * go to bakeFolder.ts.
 */
import { stat } from 'node:fs/promises';
import { Command, Option } from 'commander';
import type { ClipReport } from '../io/bake/index.js';
import type { BakeFlags } from './bakeFile.js';
import { openLoops } from './openLoops.js';
import { failThreshold, naming } from './errors.js';
import { collect, containerOf, finite, notNegative, positive, whole, withChainOptions } from './options.js';

/** The command. */
export function bakeCommand(): Command {
  return withChainOptions(
    new Command('bake')
      .description(
        'Simulate the chains over the clips of a file, or of many, and write them as rotation keys.',
      )
      .argument('<files...>', 'the .glb, .gltf or .vrm to read; several, or folders, which are searched')
      .requiredOption(
        '-o, --output <file>',
        'the file to write (.glb, .vrm or .gltf); for several or a folder: the folder to write into',
      )
      .option(
        '--clip <name>',
        'clip: its name, or the part after the last "|"; may be repeated (default: every clip)',
        collect,
      )
      .option(
        '--fps <n>',
        'keys on a fixed grid, the error is only reported (default: as few keys as --max-error allows)',
        positive,
      )
      .option(
        '--max-error <degrees>',
        'largest angle between the written curve and the simulated pose',
        positive,
        0.1,
      )
      .option('--tick <n>', 'simulated ticks per second, fitted to whole ticks per pass', positive, 120)
      .addOption(
        new Option(
          '--owner <who>',
          'who moves an animated chain; auto: the clip (default: auto, solver with --rest-pose animated)',
        ).choices(['auto', 'solver', 'clip']),
      )
      .addOption(
        new Option(
          '--rest-pose <pose>',
          "what chains swing about: the bind pose, or the clip's own animation of them",
        )
          .choices(['bind', 'animated'])
          .default('bind'),
      )
      .addOption(
        new Option('--loop <rule>', 'whether clips are repeated')
          .choices(['auto', 'on', 'off'])
          .default('auto'),
      )
      .option('--max-warmup <seconds>', 'most simulated seconds before the recorded pass', notNegative, 120)
      .option('--floor <y>', 'height of a floor plane, file units (default: no floor)', finite),
  )
    .option('--threads <n>', 'files that are baked at the same time (default: one per core)', whole)
    .option('--require-loop', 'exit 1 when a baked clip is no loop or did not close')
    .option('--json', 'print one JSON value')
    .addHelpText('after', helpAfter)
    .action(async (inputs: string[], flags: BakeFlags, command: Command) => {
      const { output } = flags;
      const [file] = inputs as [string];
      if (inputs.length > 1 || (await isFolder(file)) || (await namesFolder(output))) {
        const { bakeFolder } = await import('./bakeFolder.js');
        await bakeFolder(inputs, flags);
        return;
      }
      if (containerOf(output) === undefined)
        command.error(
          `error: option '-o, --output <file>' argument '${output}' is invalid. expected a name that ends in .glb, ` +
            '.vrm or .gltf, or a folder.',
        );
      const { requireWritable } = await import('./files.js');
      await requireWritable(output);
      await naming(file, () => run(file, flags));
    });
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** Whether an output can only be a folder; one that is called like a file is a mistake. */
async function namesFolder(path: string): Promise<boolean> {
  return containerOf(path) === undefined && (/[/\\]$/.test(path) || (await isFolder(path)));
}

const helpAfter = `
Chain options for --set (default for artists' tails; for tails of the rig pass where it differs):
  frequency 0.9 Hz, tipRatio 0.5, damping 0.65, coupling 12 per s, limit 30 degrees, gravity 0 (1) m/s^2,
  carry 0 (50) degrees, restCurve 1 (0), air 0.25, inertia 1, inertiaRotation 1, maxSpeed off m/s,
  maxTurn off degrees/s, restFrame parent|attachment, restPose bind|animated, owner auto|solver|clip, weight 1,
  keepOut on|off, floor on|off, clearance 0.025 m, teleport keep|reset|none,
  radius 0.01 m, contactPart segment|tip (tip for springs of VRM files), model spring|vrm (vrm for springs of VRM files),
  colliderMask all, groups 1, chainMask none
colliderMask: groups of colliders that are felt; groups: groups of chains it is in; chainMask: groups of chains that it
stays out of. Each is all, none or a number with one bit per group: 5 is the first and the third. A file that the rig
pass or --fit-colliders wrote says some of these itself. wind is for worlds only: nothing blows in a bake.

Several files, or folders with all that is in them, go to a folder under the names they have; each is baked as it would
be alone, for any number of threads to the same bytes. What has nothing to simulate, or not what --clip, --chain or --set
name, is passed over and said. A file that cannot be baked is said too, the others go on, and the exit code is 2.

Examples:
  $ followthrough bake fox.glb -o fox-baked.glb
  $ followthrough bake wolf.glb -o wolf-baked.glb --clip Walk --owner solver
  $ followthrough bake fox.glb -o soft.glb --set "*.frequency=0.6" --set "Tail_1.carry=30"
  $ followthrough bake characters -o baked --threads 4
  $ followthrough bake fox.glb wolf.glb -o baked/ --clip Walk`;

async function run(file: string, flags: BakeFlags): Promise<void> {
  const { bakeFile } = await import('./bakeFile.js');
  const { writeOutput } = await import('./files.js');
  const { createProgress } = await import('./progress.js');
  const { printJson, printWarnings } = await import('./output.js');

  const { output } = flags;
  const progress = createProgress();
  const work = bakeFile(file, output, flags, {
    onProgress: (clip, seconds, index, count) =>
      progress.update(index / count, `${clip}, ${seconds.toFixed(0)} s simulated`),
  });
  const { bytes, clips, warnings } = await work.finally(progress.stop);
  await writeOutput(output, bytes);

  if (flags.json) printJson({ file, output, clips, warnings });
  else await printReport(clips, output);
  printWarnings(warnings);
  if (flags.requireLoop) for (const why of openLoops(clips)) failThreshold(why);
}

async function printReport(clips: ClipReport[], output: string): Promise<void> {
  const { counted, figure, print, table } = await import('./output.js');
  const rows = clips.map((clip) => [
    clip.name,
    kindOf(clip),
    clip.passes === null ? '-' : String(clip.passes),
    clip.seamDeg === null ? '-' : clip.seamDeg.toExponential(1),
    String(clip.keys),
    String(clip.droppedKeys),
    figure(clip.maxErrorDeg, 3),
  ]);
  print(table(['clip', 'kind', 'passes', 'seam deg', 'keys', 'dropped', 'error deg'], rows, 2), '');
  const keys = clips.reduce((sum, clip) => sum + clip.keys, 0);
  print(`${output}: ${counted(clips.length, 'clip')}, ${counted(keys, 'key')}`);
}

function kindOf({ chains, keys, loop }: ClipReport): string {
  if (chains.every((chain) => chain.owner === 'clip')) return 'left to the clip';
  if (keys === 0) return 'kept as baked';
  return loop ? 'loop' : 'one-shot';
}
