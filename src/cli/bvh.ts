/**
 * `followthrough bvh FILES... -o OUT`: motion capture looked at, leaf joints audited over whole sets of files, and mended
 * files written.
 */
import { Command, InvalidArgumentError } from 'commander';
import { FollowthroughError } from '../asset/index.js';
import type { Bvh, LeafFinding, LeafRepair } from '../io/bvh/index.js';
import { naming } from './errors.js';
import { numberList, positive } from './options.js';

interface BvhFlags {
  output?: string;
  force?: boolean;
  tip?: Tip[];
  straight?: { file: string; frame: number };
  endLength?: number;
  fps?: number;
  json?: boolean;
}

/** One `--tip`, split. */
interface Tip {
  leaf: string;
  tip: [number, number, number];
}

/** The command. */
export function bvhCommand(): Command {
  return new Command('bvh')
    .description(
      'Look at BVH files, find last joints of fingers whose tips bend the wrong way, and write mended files.',
    )
    .argument('<inputs...>', '.bvh files, and folders of them; all files of one skeleton are judged together')
    .option('-o, --output <folder>', 'the folder to write into; without it the files are only looked at')
    .option('--force', 'also mend leaves that are only suspicious, or that few straight poses speak for')
    .option(
      '--tip <leaf=x,y,z>',
      'the tip of a leaf in its own frame, file units, where it is known; may be repeated',
      collectTip,
    )
    .option(
      '--straight <file:frame>',
      'a pose in which all fingers are straight (frames from 0)',
      straightPose,
    )
    .option(
      '--end-length <share>',
      'length of new tips, as a share of the bone before (default 0.8)',
      positive,
    )
    .option('--fps <n>', "frames per second, instead of the files' own", positive)
    .option('--json', 'print one JSON value')
    .addHelpText('after', helpAfter)
    .action((inputs: string[], flags: BvhFlags) => run(inputs, flags));
}

const helpAfter = `
A leaf is a joint without a child. Where its tip is not in the file, programs go on straight, which is wrong by the bend of
the pose that the exporter counted from. A leaf is called a defect only where that bend is there and the tip would bend
backward as no finger can. Mending adds a joint <leaf>_End to every file of the set; everything else keeps its place. The
right cure is to export again with the end bones (in 3ds Max Biped: the Nubs).

Files that need nothing are copied as they are, byte for byte.

Examples:
  $ followthrough bvh poses/
  $ followthrough bvh poses/ -o mended/
  $ followthrough bvh poses/ -o mended/ --straight poses/open.bvh:0`;

function collectTip(text: string, before: Tip[] | undefined): Tip[] {
  const equals = text.lastIndexOf('=');
  const numbers = numberList(text.slice(equals + 1));
  if (equals < 1 || numbers.length !== 3 || !numbers.every(Number.isFinite))
    throw new InvalidArgumentError('expected leaf=x,y,z, for instance RightHandIndex3=0,-2,0.');
  return [...(before ?? []), { leaf: text.slice(0, equals), tip: [numbers[0]!, numbers[1]!, numbers[2]!] }];
}

function straightPose(text: string): { file: string; frame: number } {
  const colon = text.lastIndexOf(':');
  const frame = text.slice(colon + 1);
  if (colon < 1 || !/^\d+$/.test(frame))
    throw new InvalidArgumentError('expected file:frame, for instance poses/open.bvh:0.');
  return { file: text.slice(0, colon), frame: Number(frame) };
}

async function run(inputs: string[], flags: BvhFlags): Promise<void> {
  const { readInput } = await import('./files.js');
  const { readBvh, repairLeaves } = await import('../io/bvh/index.js');
  const { motions, pairFiles } = await import('./manyFiles.js');
  const pairs = await pairFiles(inputs, motions, flags.output);
  const files: Bvh[] = [];
  const bytes: Uint8Array[] = [];
  for (const { file } of pairs) {
    const read = await readInput(file);
    const options = flags.fps === undefined ? { name: file } : { name: file, fps: flags.fps };
    files.push(await naming(file, () => readBvh(read, options)));
    bytes.push(read);
  }
  const repair = repairLeaves(files, {
    force: flags.force ?? false,
    tips: Object.fromEntries((flags.tip ?? []).map(({ leaf, tip }) => [leaf, tip])),
    ...(flags.straight && {
      straightPose: { file: indexOf(files, flags.straight.file), frame: flags.straight.frame },
    }),
    ...(flags.endLength !== undefined && { endLength: flags.endLength }),
  });
  const outputs = flags.output === undefined ? undefined : pairs.map(({ output }) => output);
  if (outputs) await write(outputs, files, bytes, repair);
  await report(files, outputs, repair, flags.json ?? false);
}

function indexOf(files: readonly Bvh[], name: string): number {
  const found = files.findIndex((file) => file.name === name || file.name.endsWith(`/${name}`));
  if (found < 0)
    throw new FollowthroughError('unknown-name', `--straight ${name}: is none of the files that are read`);
  return found;
}

/** Every text is made before the first file is written. */
async function write(
  outputs: readonly string[],
  files: readonly Bvh[],
  bytes: readonly Uint8Array[],
  repair: LeafRepair,
): Promise<void> {
  const { mkdir } = await import('node:fs/promises');
  const { dirname } = await import('node:path');
  const { writeBvh } = await import('../io/bvh/index.js');
  const { writeOutput } = await import('./files.js');
  const { holdSignals } = await import('./holdSignals.js');
  const texts = repair.files.map((file, i) =>
    file === files[i] ? bytes[i]! : new TextEncoder().encode(writeBvh(file)),
  );
  await holdSignals()(async () => {
    for (const [i, text] of texts.entries()) {
      await mkdir(dirname(outputs[i]!), { recursive: true });
      await writeOutput(outputs[i]!, text);
    }
  });
}

async function report(
  files: readonly Bvh[],
  outputs: readonly string[] | undefined,
  { audit, files: mended, repaired }: LeafRepair,
  json: boolean,
): Promise<void> {
  const { counted, print, printJson, printWarnings, table } = await import('./output.js');
  const warnings = files.flatMap((file) =>
    file.warnings.map((warning) => ({ ...warning, at: `${file.name}: ${warning.at}` })),
  );
  if (json) {
    printJson({
      files: files.map((file, i) => ({
        file: file.name,
        ...(outputs && { output: outputs[i], mended: mended[i] !== file }),
        joints: file.joints.length,
        frames: file.frameCount,
        frameTime: file.frameTime,
        warnings: file.warnings,
      })),
      groups: audit.groups.map((group) => ({ ...group, files: group.files.map((i) => files[i]!.name) })),
      repaired,
    });
    return;
  }
  print(
    table(
      ['file', 'joints', 'frames', 'seconds', 'fps'],
      files.map((file) => [
        file.name,
        String(file.joints.length),
        String(file.frameCount),
        (file.frameCount * file.frameTime).toFixed(2),
        (1 / file.frameTime).toFixed(2),
      ]),
    ),
  );
  for (const { files: members, frames, leaves } of audit.groups) {
    const odd = leaves.filter(({ verdict }) => verdict !== 'ok');
    if (odd.length === 0) continue;
    print(
      '',
      `leaves of ${counted(members.length, 'file')} with ${counted(frames, 'frame')}, from ${files[members[0]!]!.name}:`,
    );
    print(
      table(
        ['leaf', 'verdict', 'tip in file', 'rest bend', 'shown bend', 'with the tip', 'straight poses'],
        odd.map(leafRow),
        3,
      ),
    );
  }
  const changed = mended.filter((file, i) => file !== files[i]).length;
  if (outputs)
    print(
      '',
      `${counted(changed, 'file')} mended (${repaired.join(', ') || 'no leaf'}), ${files.length - changed} copied as they are`,
    );
  printWarnings(warnings);
}

function leafRow(leaf: LeafFinding): string[] {
  const degrees = ([low, high]: [number, number]): string =>
    `${Math.round(low) + 0} to ${Math.round(high) + 0}`;
  return [
    leaf.name,
    leaf.verdict,
    leaf.end,
    leaf.restBendDeg.toFixed(0),
    degrees(leaf.apparentBendDeg),
    degrees(leaf.repairedBendDeg),
    leaf.support.toFixed(1),
  ];
}
