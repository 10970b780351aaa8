/**
 * `followthrough retarget MOTION CHARACTER -o OUT`: clips of one file, BVH or glTF, as clips of the character of another,
 * added to its file.
 */
import { Command, InvalidArgumentError } from 'commander';
import type { Asset, Clip } from '../asset/index.js';
import { FollowthroughError } from '../asset/index.js';
import type { AlignMode, Calibration, CalibrateOptions } from '../retarget/index.js';
import { naming } from './errors.js';
import { collect, containerOf, outputFile, positive } from './options.js';

interface RetargetFlags {
  output: string;
  clip?: string[];
  name?: string;
  fps?: number;
  sourcePose?: CalibrateOptions['sourcePose'];
  sourceBone?: Record<string, string>;
  targetBone?: Record<string, string>;
  mode?: Record<string, AlignMode>;
  ground?: boolean;
  json?: boolean;
}

/** The command. */
export function retargetCommand(): Command {
  return new Command('retarget')
    .description(
      "Move clips of a .bvh, .glb, .vrm or .vrma to another character's skeleton and add them to its file.",
    )
    .argument('<motion>', 'the .bvh, .glb, .gltf, .vrm or .vrma whose clips they are')
    .argument('<character>', 'the .glb, .gltf or .vrm of the character that shall move')
    .requiredOption('-o, --output <file>', 'the file to write (.glb, .vrm or .gltf)', outputFile)
    .option('--clip <name>', 'clip to move, default all; may be repeated', collect)
    .option('--name <name>', 'name of the new clip; needs a single clip')
    .option('--fps <n>', 'keys per second, default where the motion has keys', positive)
    .option(
      '--source-pose <pose>',
      "the motion's pose that stands for the character's rest pose: bind, or clip:seconds (default: bind, if it is a standing body)",
      sourcePose,
    )
    .option(
      '--source-bone <role=bone>',
      "a bone of the motion's skeleton, by VRM name; may be repeated",
      collectBone,
    )
    .option(
      '--target-bone <role=bone>',
      "a bone of the character's skeleton, by VRM name; may be repeated",
      collectBone,
    )
    .option(
      '--mode <role=match|delta>',
      'whether a bone points where that of the motion points, or keeps its own rest shape; may be repeated',
      collectMode,
    )
    .option('--ground', 'lift the hips where the skin would go below the ground, tails left out')
    .option('--json', 'print one JSON value')
    .addHelpText('after', helpAfter)
    .action(run);
}

const helpAfter = `
Bones are found by what a VRM file says, else by name and hierarchy, under the names of VRM 1.0 (hips, leftUpperArm, ...).
Arms, legs and fingers point where those of the motion point; trunk, neck, head and feet keep their own rest shape. The
hips move by the length of the legs. --ground lifts them where legs and trunk of other proportions would go through the
ground. Nothing that was in the character's file changes.

Examples:
  $ followthrough retarget walk.bvh avatar.vrm -o avatar-walks.vrm
  $ followthrough retarget dances.glb fox.glb -o fox-dances.glb --clip Waltz --name FoxWaltz
  $ followthrough retarget take1.bvh fox.glb -o out.glb --source-bone hips=Root --mode leftHand=delta`;

function sourcePose(text: string): CalibrateOptions['sourcePose'] {
  if (text === 'bind') return 'bind';
  const colon = text.lastIndexOf(':');
  const seconds = text.slice(colon + 1);
  if (colon < 1 || seconds.trim() === '' || !(Number(seconds) >= 0))
    throw new InvalidArgumentError('expected bind, or clip:seconds, for instance TPose:0.');
  return { clip: text.slice(0, colon), timeSeconds: Number(seconds) };
}

function collectBone(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals < 1 || equals === text.length - 1)
    throw new InvalidArgumentError('expected role=bone, for instance hips=Bip01.');
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

function collectMode(text: string, before: Record<string, AlignMode> | undefined): Record<string, AlignMode> {
  const [role, mode] = text.split('=');
  if (!role || (mode !== 'match' && mode !== 'delta'))
    throw new InvalidArgumentError('expected role=match or role=delta, for instance leftHand=delta.');
  return { ...before, [role]: mode };
}

async function run(motionFile: string, file: string, flags: RetargetFlags): Promise<void> {
  const { besides, readInput, requireWritable, standsApart, writeOutput } = await import('./files.js');
  const { addClip, loadGltf, openPatch, writePatch } = await import('../io/gltf/index.js');
  const { calibrate, groundClip, retargetClip } = await import('../retarget/index.js');
  await requireWritable(flags.output);
  const source = await loadMotion(motionFile);
  const clips = await naming(motionFile, () => clipsOf(source, flags));
  const bytes = await readInput(file);
  const resolve = besides(file);
  const target = await naming(file, () => loadGltf(bytes, { name: file, resolve }));
  const { sourceBone, targetBone, mode, sourcePose: pose, fps, name } = flags;
  const calibration = calibrate(source, target, {
    ...(sourceBone && { sourceBones: sourceBone }),
    ...(targetBone && { targetBones: targetBone }),
    ...(mode && { modes: mode }),
    ...(pose && { sourcePose: pose }),
  });
  const moved = clips.map((index): MovedClip => {
    const clip = retargetClip(calibration, source, index, {
      ...(fps !== undefined && { fps }),
      ...(name !== undefined && { name }),
    });
    if (!flags.ground) return { clip, lift: null };
    const { clip: grounded, lifts } = groundClip(target, clip);
    return { clip: grounded, lift: Math.max(...lifts) };
  });
  const written = await naming(file, async () => {
    const patch = await openPatch(bytes, { resolve });
    for (const { clip } of moved) addClip(patch, target.skeleton, clip);
    return writePatch(patch, containerOf(flags.output)!, {
      embed: standsApart(flags.output, file),
    });
  });
  await writeOutput(flags.output, written);
  await report(source, target, flags, calibration, moved);
}

/** A clip of the target. */
interface MovedClip {
  clip: Clip;
  /** Largest lift that kept it on the ground, null where that was not asked for. */
  lift: number | null;
}

async function loadMotion(file: string): Promise<Asset> {
  const { besides, readInput } = await import('./files.js');
  const bytes = await readInput(file);
  if (/\.bvh$/i.test(file)) {
    const { loadBvh } = await import('../io/bvh/index.js');
    return naming(file, () => loadBvh(bytes, { name: file }));
  }
  const { loadGltf } = await import('../io/gltf/index.js');
  return naming(file, () => loadGltf(bytes, { name: file, resolve: besides(file) }));
}

/** Indices of the clips that are meant. */
async function clipsOf({ clips }: Asset, { clip, name }: RetargetFlags): Promise<number[]> {
  const { matchClip } = await import('./clipName.js');
  const names = clips.map((one) => one.name);
  const wanted = clip ? clip.map((one) => matchClip(names, one)) : names.map((_, index) => index);
  if (wanted.length === 0) throw new FollowthroughError('nothing-to-simulate', 'the file has no clips');
  if (name !== undefined && wanted.length > 1)
    throw new FollowthroughError('invalid-argument', `--name ${name}: names one clip, --clip says which`);
  return [...new Set(wanted)];
}

async function report(
  source: Asset,
  target: Asset,
  flags: RetargetFlags,
  calibration: Calibration,
  clips: readonly MovedClip[],
): Promise<void> {
  const { counted, print, printJson, printWarnings } = await import('./output.js');
  const { roles, sourceBones, targetBones, hips } = calibration;
  const warnings = [...source.warnings, ...target.warnings, ...calibration.warnings];
  if (flags.json) {
    printJson({
      source: source.name,
      file: target.name,
      output: flags.output,
      bones: roles.map((role, i) => ({
        role,
        source: calibration.source.names[sourceBones[i]!],
        target: calibration.target.names[targetBones[i]!],
      })),
      scale: hips?.scale ?? null,
      clips: clips.map(({ clip, lift }) => ({
        name: clip.name,
        duration: clip.duration,
        keys: keysOf(clip),
        lift,
      })),
      warnings,
    });
    return;
  }
  print(
    `${counted(roles.length, 'bone')} mapped: ${roles.join(', ')}`,
    ...clips.map(({ clip, lift }) => {
      const lifted = lift === null ? '' : `, lifted by up to ${lift.toFixed(3)}`;
      return `${clip.name}: ${clip.duration.toFixed(2)} s, ${counted(keysOf(clip), 'key')}${lifted}`;
    }),
    `written to ${flags.output}`,
  );
  printWarnings(warnings);
}

function keysOf({ tracks }: Clip): number {
  return tracks[0]?.times.length ?? 0;
}
