/**
 * One clip baked: the chains that the solver owns are simulated over one pass, the loop is closed, and the curve
 * of every chain bone is reduced to keys.
 */
import type { Asset, ChainDefinition, Clip, Warning } from '../../asset/index.js';
import type { ChainOptions } from '../../setup/chainOptions.js';
import type { Neutral } from '../../setup/neutral.js';
import type { LoopRule } from '../../measure/clipLoop.js';
import { type ClipPass, simulatePass } from '../../measure/clipPass.js';
import { type ChainOwner, chainOwners } from './owners.js';
import { alignHemispheres, curveErrorDeg, gridKeys, reduceKeys, type RotationKeys } from './reduceKeys.js';

/** How a clip is baked. */
export interface BakeClipOptions {
  /** Ticks per second. */
  tickRate: number;
  /** Largest angle between the written curve and the simulated pose at any tick, degrees. */
  maxErrorDeg: number;
  /** Keys per second on a fixed grid instead of reduced keys. */
  fps?: number;
  /** Whether the clip is repeated. */
  loop: LoopRule;
  /** Most simulated seconds before the recorded pass. */
  maxWarmup: number;
  /** File units per metre. */
  unit: number;
  /** Height of a floor plane, file units. */
  floor?: number;
  /** Called now and then with the simulated seconds so far. */
  onProgress?: (seconds: number) => void;
}

/** What became of a clip. */
export interface ClipReport {
  /** Name of the clip. */
  name: string;
  /** Whether it was taken as a loop. */
  loop: boolean;
  /** Passes simulated, the recorded one included; null for one-shots and clips that were left as they are. */
  passes: number | null;
  /** Whether the loop closed within the warm-up; null like `passes`. */
  converged: boolean | null;
  /** Largest angle over chain bones between start and end of the recorded pass before closing, degrees; null like `passes`. */
  seamDeg: number | null;
  /** Largest jump of a chain bone's angular velocity at the seam, degrees per second; null like `passes`. */
  seamVelocityDeg: number | null;
  /** Keys written, over all chain bones. */
  keys: number;
  /** Simulated poses of chain bones that needed no key. */
  droppedKeys: number;
  /** Largest angle between the written curve and the simulated pose over all ticks, degrees. */
  maxErrorDeg: number;
  /** Length of the clip, seconds. */
  duration: number;
  /** Ticks of a pass. */
  ticks: number;
  /** Who moved each chain. */
  chains: ChainOwner[];
}

/** Keys for one bone. */
export interface BakedTrack {
  /** Index of the bone in the asset. */
  bone: number;
  /** Keys. */
  keys: RotationKeys;
}

/** Result of {@link bakeClip}. */
export interface BakedClip {
  /** Keys per chain bone, empty when the clip owns every chain. */
  tracks: BakedTrack[];
  /** Bones of `tracks` whose keys mix in the artist's motion. */
  added: number[];
  /** Chains that keep the keys of an earlier bake. */
  kept: number;
  /** What became of the clip. */
  report: ClipReport;
  /** What was odd. */
  warnings: Warning[];
}

/**
 * Simulates and reduces one clip.
 *
 * @param added - bones whose baked keys hold physics added to the artist's motion
 */
export function bakeClip(
  asset: Asset,
  neutral: Neutral,
  clip: Clip,
  chains: ChainDefinition[],
  optionsOf: (chain: ChainDefinition) => ChainOptions,
  options: BakeClipOptions,
  added: ReadonlySet<number>,
): BakedClip {
  const owners = chainOwners(asset, neutral, clip, chains, optionsOf, added);
  const warnings = [...owners.warnings];
  const none: ClipReport = {
    name: clip.name,
    loop: false,
    passes: null,
    converged: null,
    seamDeg: null,
    seamVelocityDeg: null,
    keys: 0,
    droppedKeys: 0,
    maxErrorDeg: 0,
    duration: clip.duration,
    ticks: 0,
    chains: owners.all,
  };
  if (owners.solver.length === 0) return { tracks: [], added: [], kept: owners.kept, report: none, warnings };

  const pass = simulatePass(asset, clip, owners.solver, options);
  warnings.push(...pass.warnings);
  const times = tickTimes(clip.duration, pass.ticks);
  const tracks: BakedTrack[] = [];
  let keys = 0;
  let maxErrorDeg = 0;
  pass.bones.forEach((bone, index) => {
    const curve = curveOf(pass, index);
    const reduced =
      options.fps === undefined
        ? reduceKeys(times, curve, options.maxErrorDeg)
        : gridKeys(times, curve, options.fps);
    keys += reduced.times.length;
    maxErrorDeg = Math.max(maxErrorDeg, curveErrorDeg(reduced, times, curve));
    tracks.push({ bone, keys: reduced });
  });
  const { loop, passes, converged, seamDeg, seamVelocityDeg, ticks } = pass;
  const droppedKeys = Math.max(0, times.length * pass.bones.length - keys);
  const report = {
    ...none,
    loop,
    passes,
    converged,
    seamDeg,
    seamVelocityDeg,
    keys,
    droppedKeys,
    maxErrorDeg,
    ticks,
  };
  return { tracks, added: owners.added, kept: owners.kept, report, warnings };
}

/** Time of every tick; the last is the clip's duration to the bit. */
function tickTimes(duration: number, ticks: number): Float64Array {
  return Float64Array.from({ length: ticks + 1 }, (_, k) =>
    k === ticks ? duration : (k * duration) / ticks,
  );
}

/**
 * Rotations of one bone over the pass, in one hemisphere. In a loop the last pose is set equal to the first; by
 * how much it moved is what `seamDeg` says.
 */
function curveOf(pass: ClipPass, index: number): Float64Array {
  const curve = new Float64Array(4 * (pass.ticks + 1));
  for (let k = 0; k <= pass.ticks; k++) {
    const o = 4 * (k * pass.bones.length + index);
    curve.set(pass.rotations.subarray(o, o + 4), 4 * k);
  }
  if (pass.loop) curve.copyWithin(4 * pass.ticks, 0, 4);
  alignHemispheres(curve);
  return curve;
}
