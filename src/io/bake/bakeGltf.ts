/**
 * `bakeGltf`: the motion of chains written into a glTF file as rotation keys. Every clip is simulated on its own,
 * and only rotation channels of chain bones change; everything else in the file keeps its bytes
 * (docs/baking.md).
 */
import {
  type Asset,
  type ChainDefinition,
  type Clip,
  FollowthroughError,
  type Warning,
} from '../../asset/index.js';
import type { ChainOptions } from '../../setup/chainOptions.js';
import { fileChains } from '../../setup/fileChains.js';
import { recoverNeutral } from '../../setup/neutral.js';
import type { LoopRule } from '../../measure/clipLoop.js';
import { findClip } from '../../measure/findClip.js';
import { uniqueWarnings } from '../../measure/uniqueWarnings.js';
import { loadGltf, type ResolveUri } from '../gltf/index.js';
import { type GltfPatch, openPatch } from '../gltf/patch.js';
import { setRotationTracks } from '../gltf/rotationTracks.js';
import { writePatch } from '../gltf/writePatch.js';
import { bonesWithAddedMotion, markAddedMotion, nodesWithAddedMotion } from './addedMotion.js';
import { bakeClip, type BakeClipOptions, type BakedClip, type ClipReport } from './bakeClip.js';

/** Options of {@link bakeGltf}. */
export interface BakeOptions {
  /** Name of the file for messages, default `asset`. */
  name?: string;
  /** The character in `bytes` when it is loaded already; default: it is loaded here. */
  asset?: Asset;
  /** Reads files that a .gltf refers to. */
  resolve?: ResolveUri;
  /** Container to write, default that of the input. */
  container?: 'glb' | 'gltf';
  /**
   * Whether a .gltf takes in the files it refers to, so that it can stand in another folder than the input. Default
   * false.
   */
  embed?: boolean;
  /** Names or indices of the clips, default all. */
  clips?: readonly (string | number)[];
  /** Root bones of the chains, default the springs of the file and every tail that `findChains` sees. */
  roots?: readonly string[];
  /** Options of all chains, or of each. The rule of the owner may stand here as well. */
  options?: ChainOptions | ((chain: ChainDefinition) => ChainOptions);
  /** Who moves a chain that a clip animates, default `auto` (the clip). */
  owner?: 'auto' | 'solver' | 'clip';
  /** What the chain swings about: its bind pose (default), or the clip's own animation of it. */
  restPose?: 'bind' | 'animated';
  /** Ticks per second, default 120. */
  tickRate?: number;
  /** Largest angle between the written curve and the simulated pose at any tick, degrees > 0, default 0.1. */
  maxErrorDeg?: number;
  /** Writes keys on a fixed grid of this many per second and only reports the error. */
  fps?: number;
  /** Whether clips are repeated, default `auto`: found from the first and last pose. */
  loop?: LoopRule;
  /** Most simulated seconds before the recorded pass, default 120. */
  maxWarmup?: number;
  /** File units per metre, default 1. */
  unit?: number;
  /** Height of a floor plane in file units; no floor by default. */
  floor?: number;
  /** Called now and then: clip, seconds simulated so far, number of the clip, number of clips. */
  onProgress?: (clip: string, seconds: number, index: number, count: number) => void;
}

/** What {@link bakeGltf} did. */
export interface BakeReport {
  /** Name of the file. */
  file: string;
  /** One entry per clip that was asked for, in file order. */
  clips: ClipReport[];
  /** What was odd, and which chains were left to which clip. */
  warnings: Warning[];
}

/** Result of {@link bakeGltf}. */
export interface BakeResult {
  /** The written file. */
  bytes: Uint8Array;
  /** What was done. */
  report: BakeReport;
}

/**
 * Bakes chain motion into the clips of a glTF file.
 *
 * A clip is sampled at D / max(1, round(D x tickRate)), so that a pass is a whole number of ticks. A loop is
 * repeated until its seam is closed to 1e-4 degrees (or `maxWarmup` is over), a one-shot starts with the chains at
 * rest in its first pose. Keys are reduced so that linear interpolation of the written float32 keys stays within
 * `maxErrorDeg` of the simulated pose at every tick. Baking again, or baking the result with the same options,
 * gives the same bytes.
 *
 * @param bytes - a .glb or .gltf
 * @throws FollowthroughError `nothing-to-simulate` when no chain of any clip is the solver's, `unknown-name` for a
 *   clip or bone that does not exist, `invalid-argument` for options out of range, and those of `loadGltf`
 * @example
 * const { bytes, report } = await bakeGltf(await readFile('fox.glb'), { clips: ['Walk'], owner: 'solver' });
 */
export async function bakeGltf(bytes: Uint8Array, options: BakeOptions = {}): Promise<BakeResult> {
  const settings = checkedSettings(options);
  const name = options.name ?? 'asset';
  const load = { name, ...(options.resolve ? { resolve: options.resolve } : {}) };
  const asset = options.asset ?? (await loadGltf(bytes, load));
  const chains = fileChains(asset, options.roots);
  const clips = chosenClips(asset, options.clips);
  if (chains.length === 0)
    throw nothing(name, 'no chain of bones was found (Tail_1, tail.001, ...): name its root bone');
  if (clips.length === 0) throw nothing(name, 'the file has no clips');

  const patch = await openPatch(bytes, options.resolve ? { resolve: options.resolve } : {});
  const neutral = recoverNeutral(asset);
  const optionsOf = chainOptions(options);
  const baked: { clip: Clip; result: BakedClip }[] = [];
  clips.forEach((clip, index) => {
    const onProgress = (seconds: number): void =>
      options.onProgress?.(clip.name, seconds, index, clips.length);
    onProgress(0);
    const marked = nodesWithAddedMotion(patch, clip.index);
    const added = bonesWithAddedMotion(clip, asset.skeleton.nodes, marked);
    const result = bakeClip(asset, neutral, clip, chains, optionsOf, { ...settings, onProgress }, added);
    baked.push({ clip, result });
  });
  if (baked.every(({ result }) => result.tracks.length === 0 && result.kept === 0))
    throw nothing(name, whyNothing(baked));

  for (const { clip, result } of baked) writeClip(patch, asset, clip, result);
  const written = writePatch(patch, options.container ?? patch.container.format, {
    embed: options.embed ?? false,
  });
  const warnings = uniqueWarnings([...asset.warnings, ...baked.flatMap(({ result }) => result.warnings)]);
  return {
    bytes: written,
    report: { file: name, clips: baked.map(({ result }) => result.report), warnings },
  };
}

/** Puts the keys of a clip into the file. */
function writeClip(patch: GltfPatch, asset: Asset, clip: Clip, { tracks, added }: BakedClip): void {
  if (tracks.length === 0) return;
  const { nodes } = asset.skeleton;
  const list = tracks.map(({ bone, keys }) => ({ node: nodes[bone]!, ...keys }));
  setRotationTracks(patch, clip.index, list);
  const before = nodesWithAddedMotion(patch, clip.index);
  const after = new Set(before);
  for (const { node } of list) after.delete(node);
  for (const bone of added) after.add(nodes[bone]!);
  if (before.size > 0 || after.size > 0) markAddedMotion(patch, clip.index, after);
}

/** Checks the numbers and fills in defaults. */
function checkedSettings(options: BakeOptions): BakeClipOptions {
  const { tickRate = 120, maxErrorDeg = 0.1, maxWarmup = 120, unit = 1, loop = 'auto', fps, floor } = options;
  const positive = { tickRate, maxErrorDeg, unit, ...(fps === undefined ? {} : { fps }) };
  for (const [key, value] of Object.entries(positive))
    if (!(value > 0 && value < Infinity)) throw invalid(key, value, 'a finite number above 0');
  if (!(maxWarmup >= 0 && maxWarmup < Infinity))
    throw invalid('maxWarmup', maxWarmup, 'a finite number from 0');
  if (floor !== undefined && !Number.isFinite(floor)) throw invalid('floor', floor, 'a finite number');
  return {
    tickRate,
    maxErrorDeg,
    maxWarmup,
    unit,
    loop,
    ...(fps === undefined ? {} : { fps }),
    ...(floor === undefined ? {} : { floor }),
  };
}

function invalid(key: string, value: unknown, expected: string): FollowthroughError {
  return new FollowthroughError('invalid-argument', `${key} is ${String(value)}, expected ${expected}`);
}

function chosenClips(asset: Asset, wanted: readonly (string | number)[] | undefined): Clip[] {
  if (wanted === undefined) return asset.clips;
  const chosen = wanted.map((clip) => findClip(asset, clip));
  return asset.clips.filter((clip) => chosen.includes(clip));
}

/** Options of a chain: its own, over the rules for the whole bake. */
function chainOptions(options: BakeOptions): (chain: ChainDefinition) => ChainOptions {
  const { owner, restPose, options: given } = options;
  return (chain) => ({
    ...(owner ? { owner } : {}),
    ...(restPose ? { restPose } : {}),
    ...(typeof given === 'function' ? given(chain) : given),
  });
}

function nothing(file: string, why: string): FollowthroughError {
  return new FollowthroughError('nothing-to-simulate', `${file}: nothing to simulate: ${why}`);
}

/** Why no clip has a chain for the solver. */
function whyNothing(baked: { clip: Clip; result: BakedClip }[]): string {
  const clips = baked.map(({ clip }) => clip.name).join(', ');
  const warnings = baked.flatMap(({ result }) => result.warnings);
  if (warnings.some(({ code }) => code === 'clip-owns-chain'))
    return `the clip owns the tail in ${clips}; use --owner solver to simulate it all the same`;
  if (baked.every(({ result }) => result.report.chains.every(({ owner }) => owner === 'clip')))
    return `the owner of every chain is set to the clip (${clips}); use --owner solver`;
  return `no chain can move: ${warnings[0]?.message ?? 'none has a length'}`;
}
