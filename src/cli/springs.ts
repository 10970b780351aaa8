/**
 * `followthrough springs FILE -o OUT`: springs and colliders of a VRM file listed, tuned and written back; those of a
 * VRM 0.x in the form of 1.0.
 */
import { Command, InvalidArgumentError } from 'commander';
import type { Asset, SecondaryMotion } from '../asset/index.js';
import { FollowthroughError } from '../asset/index.js';
import type { SpringEdit, WriteSpringsReport } from '../io/vrm/index.js';
import { naming } from './errors.js';
import { containerOf, numberList, outputFile } from './options.js';

interface SpringsFlags {
  output?: string;
  set?: Setting[];
  json?: boolean;
}

/** One `--set`, split. */
interface Setting {
  /** Name of springs or of the root bone of one, `*` for all. */
  spring: string;
  /** Values to set. */
  values: SpringEdit;
  /** As it was typed. */
  text: string;
}

const values = ['hitRadius', 'stiffness', 'gravityPower', 'gravityDir', 'dragForce'];

/** The command. */
export function springsCommand(): Command {
  return new Command('springs')
    .description(
      'List, tune and write back the springs and colliders of a VRM; VRM 0.x becomes VRMC_springBone 1.0.',
    )
    .argument('<file>', 'the .vrm, .glb or .gltf to read')
    .option(
      '-o, --output <file>',
      'the file to write (.vrm, .glb or .gltf); without it they are only listed',
      outputFile,
    )
    .option(
      '--set <spring.value=x>',
      `${values.slice(0, -1).join(', ')} or dragForce of springs, by name or root bone, * for all; may be repeated`,
      collectSetting,
    )
    .option('--json', 'print one JSON value')
    .addHelpText('after', helpAfter)
    .action(async (file: string, flags: SpringsFlags) => {
      const { requireWritable } = await import('./files.js');
      if (flags.output !== undefined) await requireWritable(flags.output);
      await naming(file, () => run(file, flags));
    });
}

const helpAfter = `
Numbers are those of the VRM formats, lengths metres. A value with commas gives each joint its own, from root to tip;
gravityDir takes three numbers. Where nothing changes, the very bytes of the file are written.

A VRM 0.x gets VRMC_springBone 1.0 beside its old springs, and an empty node at the end of every chain. Only springs and
colliders move: the file stays a VRM 0.x, and readers that know nothing else go on with the old springs as they were.

Examples:
  $ followthrough springs avatar.vrm
  $ followthrough springs avatar.vrm -o tuned.vrm --set "*.dragForce=0.6" --set "Hair.stiffness=1,0.8,0.6"
  $ followthrough springs old.vrm -o new.vrm`;

function collectSetting(text: string, before: Setting[] | undefined): Setting[] {
  const equals = text.lastIndexOf('=');
  // Names of bones may hold dots.
  const dot = text.lastIndexOf('.', equals);
  if (equals < 0 || dot < 1)
    throw new InvalidArgumentError('expected spring.value=x, for instance *.dragForce=0.5.');
  const name = text.slice(dot + 1, equals);
  if (!values.includes(name))
    throw new InvalidArgumentError(
      `${name || 'nothing'} is no value of a spring, expected ${values.join(', ')}.`,
    );
  const numbers = numberList(text.slice(equals + 1));
  if (!numbers.every(Number.isFinite))
    throw new InvalidArgumentError('expected a number, or several with commas.');
  if (name === 'gravityDir' && numbers.length !== 3)
    throw new InvalidArgumentError('gravityDir: expected three numbers, for instance 0,-1,0.');
  const value = numbers.length === 1 ? numbers[0]! : numbers;
  return [...(before ?? []), { spring: text.slice(0, dot), values: { [name]: value }, text }];
}

/** Springs that a setting means; chains go by their root bones everywhere else. */
function editsOf(
  { spring, values: edit, text }: Setting,
  { springs }: SecondaryMotion,
  names: readonly string[],
): SpringEdit[] {
  if (spring === '*') return [edit];
  const meant = springs.flatMap(({ name, joints }, index) =>
    name === spring || names[joints[0]!.bone] === spring ? [{ ...edit, spring: index }] : [],
  );
  if (meant.length > 0) return meant;
  const known = [...new Set(springs.flatMap(({ name, joints }) => [name, names[joints[0]!.bone]!]))];
  throw new FollowthroughError(
    'unknown-name',
    `--set ${text}: there is no spring ${spring}; the file has ${known.slice(0, 8).join(', ') || 'none'}`,
  );
}

/** Settings one after the other; what is wrong with one is said of what was typed. */
async function tunedBy(
  settings: readonly Setting[],
  secondary: SecondaryMotion,
  names: readonly string[],
): Promise<SecondaryMotion> {
  const { tuneSprings } = await import('../io/vrm/index.js');
  let tuned = secondary;
  for (const setting of settings) {
    const edits = editsOf(setting, secondary, names);
    try {
      tuned = tuneSprings(tuned, ...edits);
    } catch (error) {
      if (!(error instanceof FollowthroughError)) throw error;
      const problem = error.message.replace(/^edits\/\d+\/\w+: /, '');
      throw new FollowthroughError(error.code, `--set ${setting.text}: ${problem}`);
    }
  }
  return tuned;
}

async function run(file: string, flags: SpringsFlags): Promise<void> {
  const { besides, readInput, standsApart, writeOutput } = await import('./files.js');
  const { loadVrm, writeSprings } = await import('../io/vrm/index.js');
  const { printJson, printWarnings } = await import('./output.js');

  const bytes = await readInput(file);
  const resolve = besides(file);
  const { skeleton, secondary, warnings: read } = await loadVrm(bytes, { name: file, resolve });
  const tuned = await tunedBy(flags.set ?? [], secondary, skeleton.names);
  const { output } = flags;
  const written =
    output === undefined
      ? undefined
      : await writeSprings(bytes, tuned, {
          name: file,
          resolve,
          container: containerOf(output)!,
          embed: standsApart(output, file),
        });
  if (written) await writeOutput(output!, written.bytes);

  const warnings = written?.report.warnings ?? read;
  if (flags.json)
    printJson({
      file,
      output: output ?? null,
      source: secondary.source,
      changed: written?.report.changed ?? false,
      migrated: written?.report.migrated ?? false,
      springs: listSprings(tuned, skeleton.names),
      colliders: tuned.colliders.map(({ bone, shape }) => ({ bone: skeleton.names[bone]!, ...shape })),
      ends: written?.report.ends ?? [],
      warnings,
    });
  else await printSprings(tuned, skeleton, output, written?.report);
  printWarnings(warnings);
}

/** Springs with names in place of indices, values from root to tip. */
function listSprings(
  { springs, groups }: SecondaryMotion,
  names: readonly string[],
): Record<string, unknown>[] {
  return springs.map(({ name, joints, end, center, groups: felt }) => ({
    name,
    bones: joints.map(({ bone }) => names[bone]!),
    end: end < 0 ? null : names[end]!,
    center: center < 0 ? null : names[center]!,
    colliderGroups: felt.map((group) => groups[group]!.name),
    ...Object.fromEntries(
      values.map((value) => [value, joints.map((joint) => joint[value as keyof typeof joint])]),
    ),
  }));
}

async function printSprings(
  { springs, groups, colliders }: SecondaryMotion,
  { names }: Asset['skeleton'],
  output: string | undefined,
  report: WriteSpringsReport | undefined,
): Promise<void> {
  const { counted, print, table } = await import('./output.js');
  /** One number, or that of the root and that of the tip. */
  const span = (numbers: readonly number[]): string => {
    const [first, last] = [numbers[0]!, numbers.at(-1)!].map((value) => String(Number(value.toPrecision(4))));
    return first === last ? first! : `${first} > ${last}`;
  };
  if (springs.length > 0)
    print(
      table(
        ['spring', 'root bone', 'joints', 'stiffness', 'gravity', 'drag', 'radius', 'colliders'],
        springs.map(({ name, joints, groups: felt }) => [
          name,
          names[joints[0]!.bone]!,
          String(joints.length),
          span(joints.map(({ stiffness }) => stiffness)),
          span(joints.map(({ gravityPower }) => gravityPower)),
          span(joints.map(({ dragForce }) => dragForce)),
          span(joints.map(({ hitRadius }) => hitRadius)),
          String(new Set(felt.flatMap((group) => groups[group]!.colliders)).size),
        ]),
        2,
      ),
      '',
    );
  const what = `${counted(springs.length, 'spring')}, ${counted(colliders.length, 'collider')}`;
  if (!report) print(`nothing written: ${what}`);
  else if (!report.changed) print(`${output!}: ${what}, nothing to change`);
  else {
    const moved = report.migrated ? ', VRMC_springBone 1.0 beside VRM 0.x' : '';
    const ends = report.ends.length > 0 ? `, ${counted(report.ends.length, 'new end node')}` : '';
    print(`${output!}: ${what}${moved}${ends}`);
  }
}
