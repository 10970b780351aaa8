/**
 * The core at work: a world, a character, its chain, a clip, and the pose read after single ticks. This is all a
 * game needs; a renderer would call `advance` with its frame time instead of `step`.
 */
import {
  addChains,
  addCharacter,
  type Asset,
  type ChainDefinition,
  createPose,
  createWorld,
  play,
  readPose,
  step,
  warmUp,
} from 'followthrough';

/** Poses over one pass of a clip. */
export interface TailOverPass {
  /** Name of the clip. */
  clip: string;
  /** Seconds of the pass. */
  duration: number;
  /** World matrices of all bones, 16 per bone, one list per instant. */
  worlds: Float64Array[];
}

/**
 * Simulates until the tail has forgotten how it began, then keeps `count` evenly spaced instants of one pass.
 */
export function tailOverPass(asset: Asset, tail: ChainDefinition, clip: string, count: number): TailOverPass {
  const duration = asset.clips.find((c) => c.name === clip)?.duration ?? 1;
  const ticksBetween = Math.ceil((duration * 120) / count);
  const world = createWorld({ tickRate: (ticksBetween * count) / duration });
  const character = addCharacter(world, asset);
  addChains(world, character, { chains: [tail] });
  play(world, character, clip);
  warmUp(world, ticksBetween * count * 12);

  const pose = createPose(world, character);
  const worlds: Float64Array[] = [];
  for (let i = 0; i < count; i++) {
    worlds.push(readPose(world, character, pose).worlds.slice());
    for (let k = 0; k < ticksBetween; k++) step(world);
  }
  return { clip, duration, worlds };
}
