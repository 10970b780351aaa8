/**
 * `followthrough rig FILE -o OUT`: bones for the tail or the hair that nobody rigged, and colliders fitted to the body.
 */
import { Command, InvalidArgumentError } from 'commander';
import type { Asset, Warning } from '../asset/index.js';
import { FollowthroughError } from '../asset/index.js';
import type {
  ColliderFit,
  ForcedVerdict,
  HairOption,
  RigPiece,
  RigPlan,
  RigReport,
  RigResult,
} from '../io/rig/index.js';
import type { WriteSpringsOptions, WriteSpringsResult } from '../io/vrm/index.js';
import { naming, oneLine } from './errors.js';
import { collect, containerOf, outputFile, positive, whole } from './options.js';

interface RigFlags {
  output?: string;
  rigid?: boolean;
  dryRun?: boolean;
  force?: Record<string, ForcedVerdict>;
  minConfidence?: number;
  hair?: string[];
  attach?: string;
  joints?: number;
  svg?: string;
  fitColliders?: boolean;
  maxGrowth?: number;
  hidden?: string[];
  unit: number;
  json?: boolean;
}

/** The command. */
export function rigCommand(): Command {
  return new Command('rig')
    .description('Find the tail that has no bones and give it a chain; or hair that you name.')
    .argument('<file>', 'the .glb, .gltf or .vrm to read')
    .option(
      '-o, --output <file>',
      'the file to write (.glb, .vrm or .gltf); may be left out with --dry-run or --svg',
      outputFile,
    )
    .option('--rigid', 'bind what is found to its attachment instead: no stretch, the yardstick')
    .option('--dry-run', 'only say what would be done')
    .option(
      '--force <piece=verdict>',
      'chain, rigid or leave for a piece, by its id; may be repeated',
      collectForce,
    )
    .option(
      '--min-confidence <x>',
      'confidence from which a piece becomes a chain, 0 to 1 (default: 0.25)',
      share,
    )
    .option(
      '--hair <name>',
      'node, mesh or material that is hair; name#2 for its island 2 (--dry-run lists them); may be repeated',
      collect,
    )
    .option('--attach <bone>', 'bone from which the hair hangs (default: the head)')
    .option('--joints <n>', 'bones of the hair (default: one per tenth of the height, 3 to 8)', whole)
    .option(
      '--svg <file>',
      'draw what was found: front, side and back, skin by old bones, pieces, collars, joints',
      picture,
    )
    .option(
      '--fit-colliders',
      'fit the colliders to the body, make those that are missing, and write them as VRMC_springBone; on its own nothing is rigged',
    )
    .option(
      '--max-growth <x>',
      'most that a radius of the file grows, as a share of the height, 0 to 1 (default: 0.03)',
      share,
    )
    .option(
      '--hidden <name>',
      'node, mesh or material that nobody sees, for --fit-colliders; may be repeated',
      collect,
    )
    .option('--unit <n>', 'file units per metre, for what is printed and the radius of tails', positive, 1)
    .option('--json', 'print one JSON value')
    .addHelpText('after', helpAfter)
    .action(async (file: string, flags: RigFlags) => {
      const { requireWritable } = await import('./files.js');
      checkFlags(flags);
      for (const output of [flags.dryRun ? undefined : flags.output, flags.svg])
        if (output !== undefined) await requireWritable(output);
      await naming(file, () => run(file, flags));
    });
}

const helpAfter = `
What hangs long and round from the pelvis, in the middle, with no bone inside, becomes a chain: Tail_1 to Tail_K and
Tail_End. What sticks out beside it or from the trunk is worn and bound rigidly. Ears, hair, sleeves, capes, skirts and
tails with bones are left; every piece is listed with its figures and the reason. q is the distance of the middle of a
piece from the nearest bone, in its own radii. Nothing else in the file changes; finding nothing is no error.

--fit-colliders grows the colliders of the file to the visible skin, makes those that are missing, and says which chains
shall be tested as whole links (segment). Those of the file keep their numbers; --json lists the radii they had. Bones and
weights stay as they are, unless --hair, --force, --rigid or --min-confidence asks for the rig pass as well, which then runs
first; for a tail that needs bones, run rig without --fit-colliders before. What chains feel is written for bake, measure and
addSpringColliders: in the springs, for other chains at their root bones. A fitted file is fitted again from the radii of
its author, so the same fit changes nothing.

Examples:
  $ followthrough rig fox.glb -o fox-rigged.glb
  $ followthrough rig fox.glb --dry-run --svg fox.svg
  $ followthrough rig fox.glb -o fox-rigged.glb --force piece2=leave
  $ followthrough rig girl.vrm -o girl-rigged.vrm --hair Ponytail --joints 6
  $ followthrough rig girl.vrm -o girl-fitted.vrm --fit-colliders --hidden Backpack
  $ followthrough rig fox-rigged.glb -o fox-fitted.glb --fit-colliders`;

/** Reads the name of a picture to write, which must not be that of a model by mistake. */
function picture(path: string): string {
  if (!/\.svg$/i.test(path)) throw new InvalidArgumentError('expected a name that ends in .svg.');
  return path;
}

/** Reads a number from 0 to 1. */
function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('expected a number from 0 to 1.');
  return value;
}

function collectForce(
  text: string,
  before: Record<string, ForcedVerdict> | undefined,
): Record<string, ForcedVerdict> {
  const [, piece, verdict] = /^(.+)=(chain|rigid|leave)$/.exec(text) ?? [];
  if (piece === undefined)
    throw new InvalidArgumentError(
      'expected piece=chain, piece=rigid or piece=leave, for instance piece1=leave.',
    );
  return { ...before, [piece]: verdict as ForcedVerdict };
}

function checkFlags(flags: RigFlags): void {
  const { output, dryRun, svg, hair, attach, joints, fitColliders, maxGrowth, hidden } = flags;
  const wrong = (message: string): never => {
    throw new FollowthroughError('invalid-argument', message);
  };
  if (output === undefined && !dryRun && svg === undefined)
    wrong('-o, --output: expected the file to write (it may be left out with --dry-run or --svg)');
  if (hair === undefined && attach !== undefined) wrong('--attach: is for --hair only');
  if (hair === undefined && joints !== undefined) wrong('--joints: is for --hair only');
  if (!fitColliders && maxGrowth !== undefined) wrong('--max-growth: is for --fit-colliders only');
  if (!fitColliders && hidden !== undefined) wrong('--hidden: is for --fit-colliders only');
  if (!isRigged(flags) && svg !== undefined)
    wrong('--svg: draws what the rig pass finds, which --fit-colliders on its own does not run');
}

/** Whether bones are looked for: always, but where colliders alone are asked for. */
function isRigged({ fitColliders, hair, force, rigid, minConfidence }: RigFlags): boolean {
  return !fitColliders || rigid === true || [hair, force, minConfidence].some((flag) => flag !== undefined);
}

/** `name#2` is island 2 of `name`. */
function hairOption(text: string, { attach, joints }: RigFlags): HairOption {
  const [, name = text, island] = /^(.*)#(\d+)$/.exec(text) ?? [];
  return {
    name,
    ...(island === undefined ? {} : { island: Number(island) }),
    ...(attach === undefined ? {} : { attach }),
    ...(joints === undefined ? {} : { joints }),
  };
}

/** How the output is written. */
interface Form extends WriteSpringsOptions {
  name: string;
}

async function run(file: string, flags: RigFlags): Promise<void> {
  const { besides, readInput, standsApart, writeOutput } = await import('./files.js');
  const { loadGltf } = await import('../io/gltf/index.js');
  const { printJson, printWarnings } = await import('./output.js');
  const { printFit } = await import('./printFit.js');
  const { uniqueWarnings } = await import('../measure/uniqueWarnings.js');

  const bytes = await readInput(file);
  const resolve = besides(file);
  const asset = await loadGltf(bytes, { name: file, resolve });
  const output = flags.dryRun ? undefined : flags.output;
  const form: Form = { name: file, resolve };
  if (output !== undefined) {
    form.container = containerOf(output)!;
    form.embed = standsApart(output, file);
  }
  const rigged = isRigged(flags) ? await rig(bytes, asset, form, flags) : undefined;
  const hasBones = rigged !== undefined && rigged.plan.bones.length > 0;
  const fitted = flags.fitColliders
    ? await fitTo(hasBones ? await loadGltf(rigged.bytes, { name: file, resolve }) : asset, flags)
    : undefined;
  const written =
    fitted && output !== undefined ? await writeFitted(rigged?.bytes ?? bytes, fitted, form) : undefined;
  const warnings = uniqueWarnings([
    ...(rigged ? (fitted ? rigged.report.warnings : withNothingFound(rigged.report, file)) : asset.warnings),
    ...(fitted?.warnings ?? []),
    ...(written?.report.warnings ?? []),
  ]);
  if (flags.svg !== undefined && rigged) {
    const { rigPicture } = await import('../io/rig/index.js');
    await writeOutput(flags.svg, new TextEncoder().encode(rigPicture(asset, rigged.plan)));
  }
  if (output !== undefined) await writeOutput(output, written?.bytes ?? rigged!.bytes);

  if (flags.json) {
    // The warnings of the fit stand with the others.
    const fit = fitted && { ...fitted.report, warnings: undefined };
    const pieces = rigged?.report.pieces ?? [];
    printJson({ file, output: output ?? null, pieces, ...(fit && { fit }), warnings });
  } else {
    if (rigged) await printReport(asset, rigged, flags, output);
    if (rigged && fitted) (await import('./output.js')).print('');
    const isSaid = written?.report.changed === false && !(rigged && isChanged(rigged.plan));
    if (fitted) printFit(fitted.report, flags.unit, output ?? 'nothing written', isSaid);
  }
  printWarnings(warnings);
}

async function rig(bytes: Uint8Array, asset: Asset, form: Form, flags: RigFlags): Promise<RigResult> {
  const { rigGltf } = await import('../io/rig/index.js');
  const { createProgress } = await import('./progress.js');
  const progress = createProgress();
  const work = rigGltf(bytes, {
    asset,
    ...form,
    rigid: flags.rigid ?? false,
    ...(flags.force ? { force: flags.force } : {}),
    ...(flags.minConfidence === undefined ? {} : { minConfidence: flags.minConfidence }),
    ...(flags.hair ? { hair: flags.hair.map((text) => hairOption(text, flags)) } : {}),
    onProgress: progress.update,
  });
  return work.finally(progress.stop);
}

/** Fits colliders with one radius each, which is what files can say; all that is odd is in `warnings`. */
async function fitTo(
  asset: Asset,
  { maxGrowth, hidden, unit }: RigFlags,
): Promise<ColliderFit & { warnings: Warning[] }> {
  const { fitColliders } = await import('../io/rig/index.js');
  const { unitWarningOf } = await import('./unitWarning.js');
  const fit = fitColliders(asset, {
    taper: false,
    unit,
    ...(maxGrowth === undefined ? {} : { maxGrowth }),
    ...(hidden === undefined ? {} : { hidden }),
  });
  return { ...fit, warnings: [...fit.report.warnings, ...unitWarningOf(asset, fit.chains, unit)] };
}

async function writeFitted(
  bytes: Uint8Array,
  { secondary, chains }: ColliderFit,
  form: Form,
): Promise<WriteSpringsResult> {
  const { writeSprings } = await import('../io/vrm/index.js');
  return writeSprings(bytes, secondary, { ...form, chains });
}

/** Finding nothing to do is worth a word, not an error. */
function withNothingFound({ pieces, warnings }: RigReport, file: string): Warning[] {
  if (pieces.some(({ verdict }) => verdict !== 'left')) return warnings;
  const message =
    pieces.length === 0
      ? 'no piece of skin without bones was found; nothing is changed'
      : 'every piece of skin that was found is left as it is; nothing is changed';
  return [...warnings, { code: 'nothing-to-rig', message, at: file }];
}

async function printReport(
  { skeleton }: Asset,
  { plan, report: { pieces } }: RigResult,
  flags: RigFlags,
  output: string | undefined,
): Promise<void> {
  const { counted, figure, print, table } = await import('./output.js');
  const metres = (value: number): string => figure(value / flags.unit, 3);
  const row = (piece: RigPiece): string[] => [
    piece.id,
    piece.verdict,
    piece.kind,
    piece.attachment,
    String(piece.vertices),
    metres(piece.length),
    piece.joints.length === 0 ? '-' : String(piece.joints.length - 1),
    figure(piece.confidence, 2),
    figure(piece.aspect, 1),
    figure(piece.boneRatio, 1),
    figure(piece.flatness, 1),
    figure(piece.lateral, 2),
    `${metres(piece.weightDistanceBefore)} > ${metres(piece.weightDistanceAfter)}`,
  ];
  const head = ['piece', 'verdict', 'kind', 'hangs from', 'points', 'length', 'bones'];
  head.push('confidence', 'aspect', 'q', 'flat', 'lateral', 'skin to bone');
  if (pieces.length > 0) {
    print(table(head, pieces.map(row), 4), '');
    print(...pieces.map(({ id, reason }) => oneLine(`${id}: ${reason}`)), '');
  }
  const moved = plan.influences.reduce((sum, { vertices }) => sum + vertices.length, 0);
  const nothing = flags.fitColliders ? 'nothing to rig' : 'nothing to change';
  const what = isChanged(plan)
    ? `${counted(plan.bones.length, 'new bone')}, new weights for ${moved} vertices`
    : nothing;
  if (output !== undefined) print(`${output}: ${skeleton.count + plan.bones.length} bones, ${what}`);
  else print(`nothing written: ${what}`);
  if (flags.svg !== undefined) print(`${flags.svg}: picture`);
}

function isChanged({ influences }: RigPlan): boolean {
  return influences.some(({ vertices }) => vertices.length > 0);
}
