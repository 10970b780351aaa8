/**
 * `followthrough bake FILE -o OUT`: chain motion written into the clips of a file.
 */
import { dirname, resolve as resolvePath } from 'node:path';
import { Command, Option } from 'commander';
import type { BakeReport, ClipReport } from '../io/bake/index.js';
import type { LoopRule } from '../measure/index.js';
import { failThreshold, naming } from './errors.js';
import {
  collect,
  collectSetting,
  containerOf,
  finite,
  notNegative,
  outputFile,
  positive,
  type Setting,
} from './options.js';

interface BakeFlags {
  output: string;
  clip?: string[];
  fps?: number;
  maxError: number;
  tick: number;
  owner?: 'auto' | 'solver' | 'clip';
  restPose: 'bind' | 'animated';
  loop: LoopRule;
  maxWarmup: number;
  floor?: number;
  chain?: string[];
  set?: Setting[];
  unit: number;
  requireLoop?: boolean;
  json?: boolean;
}

/** The command. */
export function bakeCommand(): Command {
  return new Command('bake')
    .description('Simulate the chains over the clips of a file and write them as rotation keys.')
    .argument('<file>', 'the .glb, .gltf or .vrm to read')
    .requiredOption('-o, --output <file>', 'the file to write (.glb, .vrm or .gltf)', outputFile)
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
    .option('--floor <y>', 'height of a floor plane, file units (default: no floor)', finite)
    .option(
      '--chain <bone>',
      'root bone of a chain, instead of every spring and Tail*; may be repeated',
      collect,
    )
    .option(
      '--set <chain.option=value>',
      'option of a chain, * for all; angles in degrees; may be repeated',
      collectSetting,
    )
    .option('--unit <n>', 'file units per metre', positive, 1)
    .option('--require-loop', 'exit 1 when a baked clip is no loop or did not close')
    .option('--json', 'print one JSON value')
    .addHelpText('after', helpAfter)
    .action(async (file: string, flags: BakeFlags) => {
      const { requireWritable } = await import('./files.js');
      await requireWritable(flags.output);
      await naming(file, () => run(file, flags));
    });
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

Examples:
  $ followthrough bake fox.glb -o fox-baked.glb
  $ followthrough bake wolf.glb -o wolf-baked.glb --clip Walk --owner solver
  $ followthrough bake fox.glb -o soft.glb --set "*.frequency=0.6" --set "Tail_1.carry=30"`;

async function run(file: string, flags: BakeFlags): Promise<void> {
  const { besides, readInput, writeOutput } = await import('./files.js');
  const { loadGltf } = await import('../io/gltf/index.js');
  const { bakeGltf } = await import('../io/bake/index.js');
  const { matchClip } = await import('./clipName.js');
  const { chainsOf, optionsByChain } = await import('./options.js');
  const { createProgress } = await import('./progress.js');
  const { printJson, printWarnings } = await import('./output.js');
  const { unitWarningFor } = await import('./unitWarning.js');

  const bytes = await readInput(file);
  const resolve = besides(file);
  const asset = await loadGltf(bytes, { name: file, resolve });
  const names = asset.clips.map((clip) => clip.name);
  const chains = chainsOf(asset, flags.chain);
  const options = optionsByChain(chains, flags.set);
  const progress = createProgress();
  const work = bakeGltf(bytes, {
    asset,
    name: file,
    resolve,
    container: containerOf(flags.output)!,
    embed: dirname(resolvePath(flags.output)) !== dirname(resolvePath(file)),
    ...(flags.clip ? { clips: flags.clip.map((name) => matchClip(names, name)) } : {}),
    ...(flags.chain ? { roots: flags.chain } : {}),
    ...(flags.fps === undefined ? {} : { fps: flags.fps }),
    ...(flags.floor === undefined ? {} : { floor: flags.floor }),
    options,
    owner: flags.owner ?? (flags.restPose === 'animated' ? 'solver' : 'auto'),
    restPose: flags.restPose,
    tickRate: flags.tick,
    maxErrorDeg: flags.maxError,
    loop: flags.loop,
    maxWarmup: flags.maxWarmup,
    unit: flags.unit,
    onProgress: (clip, seconds, index, count) =>
      progress.update(index / count, `${clip}, ${seconds.toFixed(0)} s simulated`),
  });
  const { bytes: baked, report } = await work.finally(progress.stop);
  await writeOutput(flags.output, baked);

  const { clips } = report;
  const warnings = [...report.warnings, ...unitWarningFor(asset, chains, options, flags)];
  if (flags.json) printJson({ file, output: flags.output, clips, warnings });
  else await printReport(report, flags.output);
  printWarnings(warnings);
  if (flags.requireLoop)
    for (const clip of clips)
      if (clip.ticks > 0 && !(clip.loop && clip.converged))
        failThreshold(
          `${clip.name} ${clip.loop ? `did not close (${clip.seamDeg!.toPrecision(3)} degrees)` : 'is no loop'}`,
        );
}

async function printReport(report: BakeReport, output: string): Promise<void> {
  const { counted, figure, print, table } = await import('./output.js');
  const rows = report.clips.map((clip) => [
    clip.name,
    kindOf(clip),
    clip.passes === null ? '-' : String(clip.passes),
    clip.seamDeg === null ? '-' : clip.seamDeg.toExponential(1),
    String(clip.keys),
    String(clip.droppedKeys),
    figure(clip.maxErrorDeg, 3),
  ]);
  print(table(['clip', 'kind', 'passes', 'seam deg', 'keys', 'dropped', 'error deg'], rows, 2), '');
  const keys = report.clips.reduce((sum, clip) => sum + clip.keys, 0);
  print(`${output}: ${counted(report.clips.length, 'clip')}, ${counted(keys, 'key')}`);
}

function kindOf({ chains, keys, loop }: ClipReport): string {
  if (chains.every((chain) => chain.owner === 'clip')) return 'left to the clip';
  if (keys === 0) return 'kept as baked';
  return loop ? 'loop' : 'one-shot';
}
