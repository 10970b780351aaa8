/**
 * A world with one character that follows a clip tick by tick, and the buffer that its chain bones are recorded
 * in. The body is posed exactly as the clip has it at each tick; only the chains are simulated.
 */
import type { Asset, ChainDefinition, Clip, Warning } from '../asset/index.js';
import {
  addCharacter,
  addChains,
  addConstraints,
  addSpringColliders,
  addFloor,
  type ChainOptions,
  createPose,
  createWorld,
  readPose,
  setPose,
  setRoot,
  step,
} from '../index.js';
import { distance3, length3 } from '../math/index.js';
import { type BonePose, savedPose } from './bonePose.js';
import { clipPoser } from './clipPoser.js';

/** A chain to simulate, with its options. */
export interface ChainSetup {
  /** What the chain is. */
  definition: ChainDefinition;
  /** How it moves; the owner is always the solver here. */
  options: ChainOptions;
}

/** What the world is made of. */
export interface RecorderOptions {
  /** Ticks of a pass. */
  ticks: number;
  /** Seconds per tick. */
  tickSeconds: number;
  /** File units per metre. */
  unit: number;
  /** Height of a floor plane in file units. */
  floor?: number | undefined;
}

/** A world with one character that follows the clip tick by tick, and the buffer of the pass. */
export interface Recorder {
  clipName: string;
  duration: number;
  /** Runs one tick at a clip time, the character moved by `passes` displacements, and stores the pose as tick `slot`. */
  tick: (time: number, offset: readonly [number, number, number], slot: number) => void;
  warnings: () => Warning[];
  bones: number[];
  ticks: number;
  tickSeconds: number;
  rotations: Float64Array;
}

/** Makes the world. */
export function createRecorder(
  asset: Asset,
  clip: Clip,
  chains: ChainSetup[],
  { ticks, tickSeconds, unit, floor }: RecorderOptions,
): Recorder {
  const world = createWorld({ tickRate: 1 / tickSeconds });
  const character = addCharacter(world, asset, { unit });
  addConstraints(world, character);
  addSpringColliders(world, character, undefined, chains.map(withMask));
  // A chain without length, or whose bones another one holds, is not taken (the world warns): nothing to record.
  const taken = chains.filter(({ definition, options }) => {
    const added = addChains(world, character, { ...options, chains: [definition], owner: 'solver' });
    return added.length > 0;
  });
  if (floor !== undefined) addFloor(world, { point: [0, floor, 0] });
  const bones = taken.flatMap((chain) => chain.definition.bones);
  const rotations = new Float64Array(4 * bones.length * (ticks + 1));
  const poseAt = clipPoser(asset, clip, 'drop-baked');
  const input = savedPose(asset);
  const output = createPose(world, character);
  const moved = translationWatch(asset, clip);
  return {
    clipName: clip.name,
    duration: clip.duration,
    tick: (time, offset, slot) => {
      poseAt(time, input);
      setPose(world, character, input);
      setRoot(world, character, { position: [offset[0], offset[1], offset[2]] });
      step(world);
      readPose(world, character, output);
      for (const bone of bones) moved.see(bone, input, output);
      let o = 4 * bones.length * slot;
      for (const bone of bones) for (let k = 0; k < 4; k++) rotations[o++] = output.rotations[4 * bone + k]!;
    },
    warnings: () => [...world.report.warnings, ...moved.warnings()],
    bones,
    ticks,
    tickSeconds,
    rotations,
  };
}

/** What a chain feels, said by its options or by its file. */
function withMask({ definition, options }: ChainSetup): Pick<ChainDefinition, 'suggested'> {
  const colliderMask = options.colliderMask ?? definition.suggested?.colliderMask;
  return { suggested: { ...definition.suggested, ...(colliderMask !== undefined && { colliderMask }) } };
}

/** Offset of a chain bone, as a share of its length, above which the clip's own translation is reported. */
const offsetShare = 1e-3;

/**
 * Simulated links keep their length, while a player of the file shows whatever translations the clip has for the
 * chain's bones (only rotations are ever baked): where the two differ, the shown tail is not the simulated one.
 */
function translationWatch(
  asset: Asset,
  clip: Clip,
): { see: (bone: number, clipPose: BonePose, simulated: BonePose) => void; warnings: () => Warning[] } {
  const largest = new Map<number, number>();
  return {
    see: (bone, clipPose, simulated) => {
      const offset = distance3(clipPose.translations, 3 * bone, simulated.translations, 3 * bone);
      const share = offset / length3(simulated.translations, 3 * bone);
      if (share > Math.max(offsetShare, largest.get(bone) ?? 0)) largest.set(bone, share);
    },
    warnings: () =>
      [...largest].map(([bone, share]) => ({
        code: 'chain-bone-translated',
        message: `the clip moves chain bone ${asset.skeleton.names[bone]!} by ${(100 * share).toFixed(1)}% of its length, which a simulated chain does not follow`,
        at: clip.name,
      })),
  };
}
