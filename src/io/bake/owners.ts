/**
 * Who moves each chain in a clip: the clip, when the artist animated the chain, else the solver. Rule:
 * docs/baking.md, "Who moves the tail". Keys that an earlier bake wrote are not the artist's (movedBones leaves them out).
 */
import type { Asset, ChainDefinition, Clip, Warning } from '../../asset/index.js';
import type { ChainOptions } from '../../setup/chainOptions.js';
import { movedBones } from '../../setup/movedBones.js';
import type { Neutral } from '../../setup/neutral.js';
import type { ChainSetup } from '../../measure/passRecorder.js';
import { addsToMotion } from './addedMotion.js';

/** The owner of a chain in a clip. */
export interface ChainOwner {
  /** Name of the chain. */
  name: string;
  /** `solver`: simulated and baked; `clip`: left as it is. */
  owner: 'solver' | 'clip';
}

/** Chains of a clip, told apart. */
export interface Owners {
  /** Chains to simulate. */
  solver: ChainSetup[];
  /** Bones of those chains whose result mixes in the artist's motion. */
  added: number[];
  /** Chains that keep the keys of an earlier bake. */
  kept: number;
  /** All chains with their owners. */
  all: ChainOwner[];
  /** Says which chains were left to the clip. */
  warnings: Warning[];
}

/**
 * Decides for every chain of a clip.
 *
 * @param optionsOf - options of a chain; `owner` says what rule applies, default `auto`
 * @param added - bones whose baked keys hold physics added to the artist's motion, which is gone
 */
export function chainOwners(
  asset: Asset,
  neutral: Neutral,
  clip: Clip,
  chains: ChainDefinition[],
  optionsOf: (chain: ChainDefinition) => ChainOptions,
  added: ReadonlySet<number>,
): Owners {
  const moved = new Set(movedBones(clip, neutral));
  const result: Owners = { solver: [], added: [], kept: 0, all: [], warnings: [] };
  for (const definition of chains) {
    const options = optionsOf(definition);
    const rule = options.owner ?? 'auto';
    const animated = definition.bones.filter((bone) => moved.has(bone));
    const clipOwns = rule === 'clip' || (rule === 'auto' && animated.length > 0);
    result.all.push({ name: definition.name, owner: clipOwns ? 'clip' : 'solver' });
    if (!clipOwns && addsToMotion(options) && definition.bones.some((bone) => added.has(bone))) {
      result.kept++;
      result.warnings.push({
        code: 'already-baked',
        message: `chain ${definition.name} keeps its baked keys: the motion that physics was added to is gone`,
        at: clip.name,
      });
    } else if (!clipOwns) {
      result.solver.push({ definition, options });
      if (addsToMotion(options) && holdsChain(clip, definition)) result.added.push(...definition.bones);
    } else if (rule === 'auto') {
      const names = animated.map((bone) => asset.skeleton.names[bone]!).join(', ');
      result.warnings.push({
        code: 'clip-owns-chain',
        message: `chain ${definition.name} is left to the clip, which animates ${names}`,
        at: clip.name,
      });
    }
  }
  return result;
}

/** Whether a clip has keys of the artist's for a chain; keys that only hold it in a pose are replaced as well. */
function holdsChain(clip: Clip, { bones }: ChainDefinition): boolean {
  return clip.tracks.some(
    ({ bone, path }) => bones.includes(bone) && !(path === 'rotation' && clip.bakedBones.includes(bone)),
  );
}
