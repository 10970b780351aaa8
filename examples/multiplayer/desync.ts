/**
 * Finds out at which tick a world left the right way, and in which column. The hash of a second tells only that something is
 * wrong; since the same inputs give the same bits, running the second again tells the rest, on the client alone.
 */
import { step, type Asset, type World } from 'followthrough';
import { applyInputs, columnHashes, hash, type History } from 'followthrough/replay';

/** What was found. */
export interface Difference {
  /** First tick whose state is not what the inputs give. */
  tick: number;
  /** Columns that differ there, `particle.position` for instance; in the order of the layout. */
  columns: string[];
}

/** The confirmed past of a world. */
export interface Past {
  world: World;
  history: History;
  /** Confirmed inputs by tick. */
  inputs: ReadonlyMap<number, Uint8Array>;
  assets: readonly Asset[];
}

/** What running a second again tells. */
export interface Rerun {
  /** Hashes of all columns as they were at the end, by name. */
  columns: ReadonlyMap<string, bigint>;
  /**
   * Hash at the end now: that of the server when something wrote into the world; the wrong one again when this machine
   * computes otherwise.
   */
  hash: bigint;
  /** Where what was and what is come apart. */
  first: Difference | undefined;
}

/**
 * Compares what a world was with what it becomes when it is run again. It stands at `until` afterwards, as run again.
 *
 * @param agreed - tick at which its hash was still that of the server
 * @param until - tick at which it was not
 * @returns undefined when the past is not kept that long
 */
export function rerun(
  { world, history, inputs, assets }: Past,
  agreed: number,
  until: number,
): Rerun | undefined {
  if (!(history.oldest <= agreed && history.newest >= until)) return undefined;
  const was = new Map<number, Map<string, bigint>>();
  // To go back forgets what is after it: newest first.
  for (let tick = until; tick >= agreed; tick--) {
    history.rewind(tick);
    was.set(tick, columnHashes(world));
  }
  let first: Difference | undefined;
  while (world.tick < until) {
    applyInputs(world, inputs.get(world.tick)!, assets);
    step(world);
    const before = was.get(world.tick)!;
    const columns = [...columnHashes(world)].flatMap(([name, value]) =>
      before.get(name) === value ? [] : [name],
    );
    if (columns.length > 0) first ??= { tick: world.tick, columns };
  }
  return { columns: was.get(until)!, hash: hash(world), first };
}

/** Flips one bit of the first link of the world, as bad memory or a stray pointer would. */
export function flipBit(world: World): void {
  const { position } = world.views.particle;
  const words = new Uint32Array(position.buffer, position.byteOffset, 2);
  words[0]! ^= 1 << 20;
}
