/**
 * One file baked as the options of `followthrough bake` say, in memory. Whoever asks, for one file, for many, or in a
 * worker thread, comes through here; that is why all of them give the same bytes.
 */
import type { Warning } from '../asset/index.js';
import { bakeGltf, type BakeOptions, type ClipReport } from '../io/bake/index.js';
import { loadGltf } from '../io/gltf/index.js';
import type { LoopRule } from '../measure/index.js';
import { matchClip } from './clipName.js';
import { besides, readInput, standsApart } from './files.js';
import { chainsOf, containerOf, optionsByChain, type Setting } from './options.js';
import { unitWarningFor } from './unitWarning.js';

/** What the command line says; plain data, so that it can go to a worker thread. */
export interface BakeFlags {
  /** File, or folder for many files. */
  output: string;
  /** Names of the clips, default all. */
  clip?: string[];
  /** Keys per second on a fixed grid. */
  fps?: number;
  /** Largest error of the written curve, degrees. */
  maxError: number;
  /** Ticks per second. */
  tick: number;
  /** Who moves an animated chain. */
  owner?: 'auto' | 'solver' | 'clip';
  /** What chains swing about. */
  restPose: 'bind' | 'animated';
  /** Whether clips are repeated. */
  loop: LoopRule;
  /** Most simulated seconds before the recorded pass. */
  maxWarmup: number;
  /** Height of a floor plane, file units. */
  floor?: number;
  /** Root bones of the chains. */
  chain?: string[];
  /** Options of chains. */
  set?: Setting[];
  /** File units per metre. */
  unit: number;
  /** Files at the same time. */
  threads?: number;
  /** Whether a clip that does not close is a failure. */
  requireLoop?: boolean;
  /** Whether to print JSON. */
  json?: boolean;
}

/** A file that was baked. */
export interface BakedFile {
  /** What is to be written. */
  bytes: Uint8Array;
  /** One entry per clip that was asked for, in file order. */
  clips: ClipReport[];
  /** What was odd. */
  warnings: Warning[];
}

/** How it is asked for. */
export interface BakeFileOptions {
  /** One of many files: it is baked with those of the clips of `--clip` that it has, and needs only one of them. */
  amongMany?: boolean;
  /** As `bakeGltf` has it. */
  onProgress?: NonNullable<BakeOptions['onProgress']>;
}

/**
 * Reads and bakes a file.
 *
 * @param file - its path
 * @param output - where it will be written: says the container, and whether a .gltf must take its files along
 * @throws FollowthroughError `unknown-name` for a clip, bone or chain that the file does not have, and those of `bakeGltf`
 */
export async function bakeFile(
  file: string,
  output: string,
  flags: BakeFlags,
  { amongMany = false, onProgress }: BakeFileOptions = {},
): Promise<BakedFile> {
  const bytes = await readInput(file);
  const resolve = besides(file);
  const asset = await loadGltf(bytes, { name: file, resolve });
  const names = asset.clips.map((clip) => clip.name);
  const chains = chainsOf(asset, flags.chain);
  const options = optionsByChain(chains, flags.set);
  const wanted = flags.clip && clipsOf(names, flags.clip, amongMany);
  const { bytes: baked, report } = await bakeGltf(bytes, {
    asset,
    name: file,
    resolve,
    container: containerOf(output)!,
    embed: standsApart(output, file),
    ...(wanted ? { clips: wanted.clips } : {}),
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
    ...(onProgress ? { onProgress } : {}),
  });
  const absent = (wanted?.absent ?? []).map((message): Warning => ({
    code: 'no-such-clip',
    message,
    at: file,
  }));
  return {
    bytes: baked,
    clips: report.clips,
    warnings: [...absent, ...report.warnings, ...unitWarningFor(asset, chains, options, flags)],
  };
}

/** Indices of the clips that are meant, and what is said about those that are not there. */
function clipsOf(
  names: readonly string[],
  wanted: readonly string[],
  someWillDo: boolean,
): { clips: number[]; absent: string[] } {
  const clips: number[] = [];
  const absent: Error[] = [];
  for (const name of wanted)
    try {
      clips.push(matchClip(names, name));
    } catch (error) {
      if (!someWillDo) throw error;
      absent.push(error as Error);
    }
  if (clips.length === 0) throw absent[0]!;
  return { clips, absent: absent.map(({ message }) => message) };
}
