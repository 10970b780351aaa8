/**
 * Stretch of a skinned mesh over a clip: posed / bind length of every edge at evenly spaced instants, for the
 * tail, for the collar where it meets the body, and for the body as yardstick, with the travel of the tip (a dead
 * tail stretches nothing) and the largest bend. The pose `rigid` must give 1.00: that proves the harness.
 * Definitions: docs/measuring.md.
 */
import { type Asset, type ChainDefinition, FollowthroughError, type Warning } from '../asset/index.js';
import { anatomicalFrame } from '../setup/anatomicalFrame.js';
import { type ChainOptions, chainDefaults } from '../setup/chainOptions.js';
import { fileChains } from '../setup/fileChains.js';
import { recoverNeutral } from '../setup/neutral.js';
import { addPose, measuredChain, tipTravel } from './chainGeometry.js';
import { type LoopRule, loopOfBones } from './clipLoop.js';
import { chainPlaces, requireSameMeshes } from './edgesOf.js';
import type { StretchFigures } from './figures.js';
import { findClip } from './findClip.js';
import { classFigures, createRuler, measureSample } from './ruler.js';
import { samplePoses } from './samplePoses.js';
import { collectEdges } from './skinnedEdges.js';
import { uniqueWarnings } from './uniqueWarnings.js';

/**
 * What is measured: `rigid` binds every tail vertex to the attachment alone, `chain` simulates the chains whatever
 * tracks the clip has, `clip` shows the clip as it is.
 */
export type MeasuredPose = 'rigid' | 'chain' | 'clip';

/** Options of {@link measureClip}. */
export interface MeasureOptions {
  /** Instants, at least 1, default 24: evenly over a loop (its end is its start), ends included for a one-shot. */
  samples?: number;
  /** What is measured, default `chain`. */
  pose?: MeasuredPose;
  /** Chains that make up the tail, default the file's springs and every tail that `findChains` sees (in {@link MeasureOptions.edgesOf} where given). */
  chains?: readonly ChainDefinition[];
  /**
   * Which character's weights and chains say what is tail (pose `clip` only), default the one that is measured: for
   * comparing a file before and after the rig pass. It must have the same primitives with as many vertices and
   * triangles each. There are no chains to measure then: `tipTravel` and `maxBendDeg` are 0, `chains` is empty.
   */
  edgesOf?: Asset;
  /** Options of all chains, or of each by its name (pose `chain` only). */
  options?: ChainOptions | ((chain: ChainDefinition) => ChainOptions);
  /** File units per metre, default 1. */
  unit?: number;
  /** Ticks per second of the simulation, default 120 (rounded up so that every instant falls on a tick). */
  tickRate?: number;
  /** Whether the clip is repeated, default `auto`. */
  loop?: LoopRule;
  /** Most simulated seconds before the measured pass, default 120. */
  maxWarmup?: number;
  /** Called now and then with the simulated seconds so far. */
  onProgress?: (seconds: number) => void;
}

/** Motion of one chain within a measurement. */
export interface MeasuredMotion {
  /** Name of the chain. */
  name: string;
  /** Diagonal of the tip's bounding box in the attachment's frame / chain length. */
  tipTravel: number;
  /** Largest angle between a link and its rest direction in its parent's frame, degrees. */
  maxBendDeg: number;
}

/** Result of {@link measureClip}. */
export interface MeasureReport {
  /** Name of the file or asset. */
  file: string;
  /** Name of the clip. */
  clip: string;
  /** Instants. */
  samples: number;
  /** What was measured. */
  pose: MeasuredPose;
  /** Edges with both ends in the tail. */
  tail: StretchFigures;
  /** Edges with exactly one end in the tail. */
  collar: StretchFigures;
  /** All other edges of skinned meshes. */
  body: StretchFigures;
  /** Largest tip travel of the chains: diagonal of the tip's box in the attachment's frame / chain length. */
  tipTravel: number;
  /** Largest bend of the chains, degrees. */
  maxBendDeg: number;
  /** The same, chain by chain; none with {@link MeasureOptions.edgesOf}. */
  chains: MeasuredMotion[];
  /** Edges left out because both ends stand at the same place at bind. */
  zeroLengthEdges: number;
  /** Whether the clip was taken as a loop. */
  loop: boolean;
  /** Angle by which the simulated loop stays open, degrees; null unless a loop was simulated. */
  seamDeg: number | null;
  /** What was odd. */
  warnings: Warning[];
}

/**
 * Measures the stretch of the skin over a clip.
 *
 * A point belongs to the tail when more than half of its weight lies on chain bones. Ratios are posed / bind
 * length divided by the bind-to-world scale of the chain's attachment (body edges: of the first chain's). The
 * bend of a link is the angle between its direction and its rest direction, both in its parent's frame: the
 * solver's rest shape for the pose `chain`, the modelled one otherwise.
 *
 * With `edgesOf` another character's weights and chains decide what is tail, and the scale is that of the bone here that
 * is called like the chain's attachment there (or like the nearest bone above it).
 *
 * @param asset - a character, for instance from `loadGltf`
 * @param clip - name or index of the clip
 * @throws FollowthroughError `unknown-name` when there is no such clip, `invalid-argument` for bad options
 *   and for an `edgesOf` that has other meshes or comes with another pose than `clip`,
 *   `nothing-to-simulate` when `rigid` or `chain` is asked for and there is no chain
 * @example
 * const report = measureClip(await loadGltf(bytes), 'Walk', { pose: 'chain' });
 * console.log(report.tail.p99, report.body.p99, report.tipTravel);
 */
export function measureClip(
  asset: Asset,
  clip: string | number,
  options: MeasureOptions = {},
): MeasureReport {
  const measured = findClip(asset, clip);
  const samples = options.samples ?? 24;
  const pose = options.pose ?? 'chain';
  if (!Number.isInteger(samples) || samples < 1)
    throw new FollowthroughError(
      'invalid-argument',
      `samples is ${samples}, expected a whole number above 0`,
    );
  if (options.edgesOf !== undefined && pose !== 'clip')
    throw new FollowthroughError('invalid-argument', `edgesOf goes with pose clip only, pose is ${pose}`);
  const edgesOf = options.edgesOf ?? asset;
  requireSameMeshes(asset, edgesOf);
  const definitions = options.chains ?? fileChains(edgesOf);
  const warnings: Warning[] = [...asset.warnings];
  if (definitions.length === 0) requireNoChain(edgesOf, pose, warnings);

  const neutral = recoverNeutral(asset);
  const frame = anatomicalFrame(asset, neutral);
  const given = options.options;
  // Another character's chains say what is tail; this one has none to pose or to simulate.
  const own = options.edgesOf === undefined ? definitions : [];
  const setups = own.map((definition) => ({
    definition,
    options: (typeof given === 'function' ? given(definition) : given) ?? {},
  }));
  const chains = setups.map(({ definition, options: chainOptions }) => {
    const shape = pose === 'chain' ? { ...chainDefaults(definition), ...chainOptions } : modelled;
    return measuredChain(asset, neutral, frame, definition, shape);
  });
  const meshes = collectEdges(asset, definitions, warnings, edgesOf);
  const edges = meshes.reduce((sum, mesh) => sum + mesh.bindLengths.length, 0);
  if (edges * samples > mostRatios)
    throw new FollowthroughError(
      'invalid-argument',
      `samples is ${samples}, expected at most ${Math.floor(mostRatios / edges)} for ${edges} edges`,
    );
  if (meshes.length === 0)
    warnings.push({
      code: 'no-skinned-mesh',
      message: 'there is no skinned triangle mesh to measure',
      at: asset.name,
    });

  const places = chainPlaces(asset, edgesOf, definitions);
  const attachments = places.attachments.map(({ bone }) => bone);
  // Without a chain the first joint of the first skin tells the scale.
  if (attachments.length === 0) attachments.push(asset.skins[0]?.joints[0] ?? -1);
  const rulers = meshes.map((mesh) => createRuler(asset, neutral, mesh, attachments, samples));
  const tickSeconds = 1 / (options.tickRate ?? 120);
  const rule = options.loop ?? 'auto';
  const { loops } = loopOfBones(asset, measured, places, tickSeconds, rule);
  const simulation = { ...options, samples, pose, loops };
  const sampled = samplePoses(asset, measured, setups, simulation, (sample, index) => {
    for (const ruler of rulers) measureSample(ruler, asset, sample, index, pose === 'rigid');
    if (pose !== 'rigid') for (const chain of chains) addPose(chain, sample);
  });
  const motions = chains.map((chain) => ({
    name: chain.definition.name,
    // A rigid tail is part of its attachment: its tip stands still there by definition.
    tipTravel: pose === 'rigid' ? 0 : tipTravel(chain),
    maxBendDeg: chain.maxBendDeg,
  }));
  return {
    file: asset.name,
    clip: measured.name,
    samples,
    pose,
    ...classFigures(rulers),
    tipTravel: Math.max(0, ...motions.map((motion) => motion.tipTravel)),
    maxBendDeg: Math.max(0, ...motions.map((motion) => motion.maxBendDeg)),
    chains: motions,
    zeroLengthEdges: meshes.reduce((sum, mesh) => sum + mesh.zeroLength, 0),
    loop: loops,
    seamDeg: sampled.seamDeg,
    warnings: uniqueWarnings([...warnings, ...sampled.warnings]),
  };
}

/** Most ratios that are kept: edges x samples. */
const mostRatios = 1e8;

/** Rest shape that the bends of a pose are measured from when no solver is at work: the modelled one. */
const modelled = { carry: 0, restCurve: 1 };

function requireNoChain(asset: Asset, pose: MeasuredPose, warnings: Warning[]): void {
  const message = 'no chain of bones was found (Tail_1, tail.001, ...): name its root bone';
  if (pose !== 'clip') throw new FollowthroughError('nothing-to-simulate', `${asset.name}: ${message}`);
  warnings.push({ code: 'no-chain', message: `${message}; all edges count as body`, at: asset.name });
}
