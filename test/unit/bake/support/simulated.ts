/**
 * The pose a bake must have written, found another way: the library's own clip player in a world, which runs the
 * clip in real ticks from a cold start, instead of the bake's tick-by-tick posing.
 */
import {
  addChains,
  addCharacter,
  type Asset,
  type ChainDefinition,
  type ChainOptions,
  createPose,
  createWorld,
  play,
  readPose,
  step,
} from '../../../../src/index.js';

export interface SimulatedPass {
  /** Ticks of the pass. */
  ticks: number;
  /** Local rotation of a chain bone at a tick, x y z w. */
  rotation: (tick: number, bone: number) => Float64Array;
  /** The definition that was simulated. */
  bones: number[];
}

/**
 * Plays a looping clip for a number of passes and keeps the last.
 *
 * @param passes - passes in all, at least 2
 */
export function simulatedLoop(
  asset: Asset,
  clip: number,
  chain: ChainDefinition,
  passes: number,
  options: ChainOptions = {},
): SimulatedPass {
  const { duration } = asset.clips[clip]!;
  const ticks = Math.max(1, Math.round(duration * 120));
  const world = createWorld({ tickRate: ticks / duration });
  const character = addCharacter(world, asset);
  addChains(world, character, { ...options, chains: [chain], owner: 'solver' });
  play(world, character, clip, { loop: true });
  const pose = createPose(world, character);
  const kept: Float64Array[] = [];
  // After k steps the clip stands at k ticks.
  for (let k = 1; k <= passes * ticks; k++) {
    step(world);
    if (k >= (passes - 1) * ticks) kept.push(readPose(world, character, pose).rotations.slice());
  }
  return {
    ticks,
    rotation: (tick, bone) => kept[tick]!.subarray(4 * bone, 4 * bone + 4),
    bones: chain.bones,
  };
}
