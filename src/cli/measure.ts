/**
 * `followthrough measure FILE --clip NAME`: stretch of the skin over a clip.
 */
import { Command, Option } from 'commander';
import { type Asset, FollowthroughError } from '../asset/index.js';
import type { LoopRule, MeasuredPose, MeasureReport } from '../measure/index.js';
import { failThreshold, naming } from './errors.js';
import { notNegative, positive, type Setting, whole, withChainOptions } from './options.js';

interface MeasureFlags {
  clip?: string;
  samples: number;
  pose: MeasuredPose;
  edgesOf?: string;
  chain?: string[];
  set?: Setting[];
  unit: number;
  tick: number;
  loop: LoopRule;
  maxWarmup: number;
  maxP99?: number;
  maxTorn?: number;
  requireLoop?: boolean;
  json?: boolean;
}

/** The command. */
export function measureCommand(): Command {
  return withChainOptions(
    new Command('measure')
      .description('Measure how far the skin stretches over a clip: tail, collar and body edges apart.')
      .argument('<file>', 'the .glb, .gltf or .vrm to read')
      .option(
        '--clip <name>',
        'clip: its name, or the part after the last "|"; needed when there are several',
      )
      .option('--samples <n>', 'evenly spaced instants of the clip', whole, 24)
      .addOption(
        new Option(
          '--pose <pose>',
          'rigid: tail bound to its attachment; chain: simulated; clip: as animated',
        )
          .choices(['rigid', 'chain', 'clip'])
          .default('chain'),
      )
      .option('--edges-of <file>', 'file whose weights and chains say what is tail, with --pose clip'),
  )
    .option('--tick <n>', 'simulated ticks per second, at least', positive, 120)
    .addOption(
      new Option('--loop <rule>', 'whether the clip is repeated')
        .choices(['auto', 'on', 'off'])
        .default('auto'),
    )
    .option('--max-warmup <seconds>', 'most simulated seconds before the measured pass', notNegative, 120)
    .option('--max-p99 <ratio>', 'exit 1 when the 99th percentile of the tail is above', positive)
    .option('--max-torn <share>', 'exit 1 when the torn share of the tail, 0..1, is above', notNegative)
    .option('--require-loop', 'exit 1 when the clip is no loop or did not close')
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Ratios are posed / bind length divided by the bind-to-world scale of the chain's attachment. Torn: above 1.5 or
below 0.67. tipTravel: diagonal of the tip's bounding box in the attachment's frame / chain length. maxBendDeg:
largest angle between a link and its rest direction in its parent's frame.
--edges-of compares a file before and after the rig pass: the tail, which has no bones yet, is told from the body by
the same character with bones (--chain then names a bone of that file); travel and bend are 0.

Examples:
  $ followthrough measure fox.glb --clip Walk
  $ followthrough measure fox.glb --clip Walk --pose rigid --json
  $ followthrough measure as-rigged.glb --clip Walk --pose clip --edges-of fox.glb
  $ followthrough measure fox.glb --clip Walk --max-p99 1.25 --max-torn 0`,
    )
    .action(async (file: string, flags: MeasureFlags) => {
      const edgesOf = await loadEdgesOf(flags);
      await naming(file, () => run(file, flags, edgesOf));
    });
}

async function loadEdgesOf({ edgesOf, pose }: MeasureFlags): Promise<Asset | undefined> {
  if (edgesOf === undefined) return undefined;
  if (pose !== 'clip')
    throw new FollowthroughError(
      'invalid-argument',
      `--edges-of ${edgesOf}: goes with --pose clip only, the pose is ${pose}`,
    );
  return naming(edgesOf, () => load(edgesOf));
}

async function load(file: string): Promise<Asset> {
  const { besides, readInput } = await import('./files.js');
  const { loadGltf } = await import('../io/gltf/index.js');
  return loadGltf(await readInput(file), { name: file, resolve: besides(file) });
}

async function run(file: string, flags: MeasureFlags, edgesOf: Asset | undefined): Promise<void> {
  const { measureClip } = await import('../measure/index.js');
  const { onlyClip } = await import('./clipName.js');
  const { chainsOf, optionsByChain } = await import('./options.js');
  const { createProgress } = await import('./progress.js');
  const { printJson, printWarnings } = await import('./output.js');
  const { unitWarningFor } = await import('./unitWarning.js');
  const asset = await load(file);
  const clip = onlyClip(
    asset.clips.map((c) => c.name),
    flags.clip,
  );
  const chains = chainsOf(edgesOf ?? asset, flags.chain);
  const options = optionsByChain(chains, flags.set);
  const progress = createProgress();
  let report: MeasureReport;
  try {
    report = measureClip(asset, clip, {
      samples: flags.samples,
      pose: flags.pose,
      chains,
      ...(edgesOf && { edgesOf }),
      options,
      unit: flags.unit,
      tickRate: flags.tick,
      loop: flags.loop,
      maxWarmup: flags.maxWarmup,
      onProgress: (seconds) =>
        progress.update(seconds / Math.max(flags.maxWarmup, 1e-9), `${seconds.toFixed(0)} s simulated`),
    });
  } finally {
    progress.stop();
  }
  if (flags.pose === 'chain') report.warnings.push(...unitWarningFor(asset, chains, options, flags));
  if (flags.json) printJson(report);
  else await printReport(report);
  printWarnings(report.warnings);
  checkThresholds(report, flags);
}

async function printReport(report: MeasureReport): Promise<void> {
  const { figure, percent, print, table } = await import('./output.js');
  print(
    `${report.file}: ${report.clip}, pose ${report.pose}, ${report.samples} samples, ${report.loop ? 'loop' : 'one-shot'}`,
  );
  const rows = (['tail', 'collar', 'body'] as const).map((kind) => {
    const { edges, samples, p95, p99, max, torn } = report[kind];
    return [
      kind,
      String(edges),
      String(samples),
      figure(p95, 3),
      figure(p99, 3),
      figure(max, 3),
      percent(torn),
    ];
  });
  print('', table(['edges of', 'edges', 'samples', 'p95', 'p99', 'max', 'torn'], rows));
  if (report.chains.length === 0) return;
  print(
    '',
    `tip travel ${figure(report.tipTravel, 4)} of the chain's length, largest bend ${figure(report.maxBendDeg, 2)} degrees`,
  );
}

function checkThresholds(report: MeasureReport, flags: MeasureFlags): void {
  const { p99, torn } = report.tail;
  if (flags.maxP99 !== undefined && p99 !== null && p99 > flags.maxP99)
    failThreshold(`tail p99 is ${p99.toFixed(4)}, --max-p99 is ${flags.maxP99}`);
  if (flags.maxTorn !== undefined && torn !== null && torn > flags.maxTorn)
    failThreshold(`tail torn share is ${torn.toFixed(6)}, --max-torn is ${flags.maxTorn}`);
  if (flags.requireLoop && !report.loop) failThreshold(`${report.clip} is no loop`);
  if (flags.requireLoop && report.warnings.some((warning) => warning.code === 'loop-not-closed'))
    failThreshold(`${report.clip} did not close`);
}
