/**
 * One pass of a clip with its chains simulated: what a bake writes and what a measurement of the pose `chain`
 * looks at. Rules (docs/baking.md): the tick is D / max(1, round(D x tickRate)), so that a pass is a whole
 * number of ticks; a loop is repeated until the seam is closed, a one-shot starts from the chains at rest in its
 * first pose. The body follows the clip exactly; only chain bones are simulated.
 */
import { type Asset, type Clip, FollowthroughError, type Warning } from '../asset/index.js';
import { clipLoop, type LoopRule } from './clipLoop.js';
import { largestTurnDeg, velocitySeamDeg } from './loopSeam.js';
import { type ChainSetup, createRecorder, type Recorder } from './passRecorder.js';

/** Options of {@link simulatePass}. */
export interface PassOptions {
  /** Ticks per second, default 120; the actual tick divides the clip evenly. */
  tickRate?: number;
  /** Makes the number of ticks of the pass a multiple of this, default 1. */
  ticksMultiple?: number;
  /** Whether the clip is repeated, default `auto`. */
  loop?: LoopRule;
  /** Most simulated seconds before the pass that is recorded, default 120. */
  maxWarmup?: number;
  /** File units per metre, default 1. */
  unit?: number;
  /** Height of a floor plane in file units; no floor by default. */
  floor?: number;
  /** Called now and then with the simulated seconds so far. */
  onProgress?: (seconds: number) => void;
}

/** A recorded pass. */
export interface ClipPass {
  /** Whether the clip was repeated. */
  loop: boolean;
  /** Passes simulated, the recorded one included; null for one-shots. */
  passes: number | null;
  /** Whether the seam closed within the warm-up; null for one-shots. */
  converged: boolean | null;
  /** Largest angle over chain bones between start and end of the recorded pass, degrees; null for one-shots. */
  seamDeg: number | null;
  /** Largest difference of a chain bone's angular velocity between start and end, degrees per second; null for one-shots. */
  seamVelocityDeg: number | null;
  /** Ticks of the pass: poses stand at 0..ticks. */
  ticks: number;
  /** Seconds per tick. */
  tickSeconds: number;
  /** Chain bones, root first, chain after chain. */
  bones: number[];
  /** Local rotations of the chain bones, x y z w, tick after tick: (ticks + 1) x bones x 4. */
  rotations: Float64Array;
  /** What happened while simulating. */
  warnings: Warning[];
}

/** A seam below this angle (degrees) is closed ... */
const closedDeg = 1e-4;
/** ... when the angular velocities meet to this, degrees per second. */
const closedVelocityDeg = 1e-2;
/** A chain rests when no bone turns more than this in a tick, degrees, ... */
const restDeg = 1e-7;
/** ... for this long, seconds. */
const restSeconds = 0.25;

/** A clip that is no loop but misses by less than this, degrees and share of the chain's length, is worth a word. */
const nearlyDeg = 5;
const nearlyWay = 0.1;

/** Most ticks of a pass: four and a half hours at 120 per second. */
const mostTicks = 2_000_000;

/** Ticks of a pass: a whole number, a multiple of `multiple`, at about `tickRate` per second. */
function passTicks(duration: number, tickRate: number, multiple: number = 1): number {
  const wanted = Math.max(1, Math.round(duration * tickRate));
  return multiple * Math.ceil(wanted / multiple);
}

/**
 * Simulates the chains over a clip and records one pass.
 *
 * @throws FollowthroughError `invalid-argument` when the clip is too long for the tick rate
 */
export function simulatePass(
  asset: Asset,
  clip: Clip,
  chains: ChainSetup[],
  options: PassOptions = {},
): ClipPass {
  const tickRate = options.tickRate ?? 120;
  const ticks = clip.duration > 0 ? passTicks(clip.duration, tickRate, options.ticksMultiple) : 0;
  if (!(ticks <= mostTicks))
    throw new FollowthroughError(
      'invalid-argument',
      `clip ${clip.name} lasts ${clip.duration} s, which is ${ticks} ticks; expected at most ${mostTicks}`,
    );
  const tickSeconds = ticks > 0 ? clip.duration / ticks : 1 / tickRate;
  const definitions = chains.map((chain) => chain.definition);
  const motion = clipLoop(asset, clip, definitions, tickSeconds, options.loop ?? 'auto');
  const { unit = 1, floor } = options;
  const recorder = createRecorder(asset, clip, chains, { ticks, tickSeconds, unit, floor });
  if (motion.loops) return repeatUntilClosed(recorder, motion.displacement, options);
  const pass = playOnce(recorder, options);
  if (motion.turnGapDeg <= nearlyDeg && motion.wayGap <= nearlyWay && motion.turnGapDeg + motion.wayGap > 0)
    pass.warnings.push({
      code: 'almost-a-loop',
      message:
        `the last pose misses the first by ${motion.turnGapDeg.toFixed(1)} degrees and ` +
        `${(100 * motion.wayGap).toFixed(1)}% of the chain's length: taken as a one-shot`,
      at: clip.name,
    });
  return pass;
}

/** Passes until the pose and the angular velocity at the end of a pass are those of its start. */
function repeatUntilClosed(
  recorder: Recorder,
  displacement: readonly [number, number, number],
  options: PassOptions,
): ClipPass {
  const { ticks, tickSeconds, rotations } = recorder;
  const { duration } = recorder;
  const width = 4 * recorder.bones.length;
  const before = new Float64Array(width).fill(NaN);
  const offset = (pass: number): [number, number, number] => [
    displacement[0] * pass,
    displacement[1] * pass,
    displacement[2] * pass,
  ];
  recorder.tick(0, offset(0), 0);
  const most = Math.ceil((options.maxWarmup ?? 120) / duration);
  for (let pass = 0; ; pass++) {
    for (let k = 1; k <= ticks; k++) recorder.tick(k === ticks ? duration : k * tickSeconds, offset(pass), k);
    const seamDeg = largestTurnDeg(rotations, 0, rotations, width * ticks, width);
    const seamVelocityDeg = velocitySeamDeg(before, rotations, width, ticks) / tickSeconds;
    const converged = seamDeg <= closedDeg && seamVelocityDeg <= closedVelocityDeg;
    options.onProgress?.((pass + 1) * duration);
    // The limit counts the passes before the recorded one.
    if (converged || pass >= most) {
      const result = outcome(recorder);
      if (!converged) result.warnings.push(stillOpen(recorder.clipName, pass + 1, seamDeg));
      return {
        ...result,
        loop: true,
        passes: pass + 1,
        converged,
        seamDeg,
        seamVelocityDeg: Number.isNaN(seamVelocityDeg) ? null : seamVelocityDeg,
      };
    }
    before.set(rotations.subarray(width * (ticks - 1), width * ticks));
    rotations.copyWithin(0, width * ticks, width * (ticks + 1));
  }
}

function stillOpen(clip: string, passes: number, seamDeg: number): Warning {
  const after = `${passes} ${passes === 1 ? 'pass' : 'passes'}`;
  const message = `after ${after} the loop is still open by ${seamDeg.toPrecision(3)} degrees`;
  return { code: 'loop-not-closed', message, at: clip };
}

/** Holds the first pose until the chains rest, then plays the clip once. */
function playOnce(recorder: Recorder, options: PassOptions): ClipPass {
  const { ticks, tickSeconds, rotations } = recorder;
  const width = 4 * recorder.bones.length;
  const last = new Float64Array(width);
  const needed = Math.ceil(restSeconds / tickSeconds);
  const most = Math.ceil((options.maxWarmup ?? 120) / tickSeconds);
  let still = 0;
  let ran = 0;
  recorder.tick(0, [0, 0, 0], 0);
  for (; still < needed && ran < most; ran++) {
    last.set(rotations.subarray(0, width));
    recorder.tick(0, [0, 0, 0], 0);
    still = largestTurnDeg(last, 0, rotations, 0, width) <= restDeg ? still + 1 : 0;
    if (ran % 1024 === 1023) options.onProgress?.(ran * tickSeconds);
  }
  for (let k = 1; k <= ticks; k++) recorder.tick(k * tickSeconds, [0, 0, 0], k);
  const pass = outcome(recorder);
  if (still < needed)
    pass.warnings.push({
      code: 'not-at-rest',
      message: `the chains still moved after ${(ran * tickSeconds).toFixed(1)} s in the first pose`,
      at: recorder.clipName,
    });
  return { ...pass, loop: false, passes: null, converged: null, seamDeg: null, seamVelocityDeg: null };
}

/** What both kinds of pass report. */
function outcome(
  recorder: Recorder,
): Pick<ClipPass, 'ticks' | 'tickSeconds' | 'bones' | 'rotations' | 'warnings'> {
  const { ticks, tickSeconds, bones, rotations } = recorder;
  return { ticks, tickSeconds, bones, rotations, warnings: recorder.warnings() };
}
