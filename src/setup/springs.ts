/**
 * What a file says about secondary motion as chains and colliders of a character: one chain per VRM spring, its collider
 * groups as bits. The VRM model plays it as authored; model 'spring' makes it hair (docs/solver.md, "VRM model").
 */
import {
  FollowthroughError,
  type Asset,
  type ChainDefinition,
  type SecondaryMotion,
} from '../asset/index.js';
import type { ChainOptions } from './chainOptions.js';
import { addChains } from './chains.js';
import { addCollider } from './colliders.js';
import { rowOf, warn, type World } from './world.js';

/** Options of {@link addSprings}: `secondary`, and those of a chain. */
export interface AddSpringsOptions extends ChainOptions {
  /** What to add; default what the character's file says. */
  secondary?: SecondaryMotion | undefined;
}

/** What {@link addSprings} added. */
export interface AddedSprings {
  /** Chains, in the order of the springs. */
  chains: number[];
  /** Colliders, in the order of the file; one that no spring feels is left out. */
  colliders: number[];
}

/** Collider groups that a mask can tell apart. */
export const groupBits = 32;

/**
 * Adds the springs and colliders of a character's file.
 *
 * A group of colliders is the bit of its index in the masks (beyond 32 groups the bits are shared, with a warning).
 *
 * @param options - over the defaults; `{ model: 'spring' }` plays the chains with the hair preset instead
 * @returns bitECS entities
 * @throws FollowthroughError `unknown-entity`, `invalid-argument` when there is nothing to add, and those of `addChains`
 * and `addCollider`
 * @example
 * const avatar = addCharacter(world, await loadVrm(bytes));
 * addSprings(world, avatar);
 */
export function addSprings(world: World, character: number, options: AddSpringsOptions = {}): AddedSprings {
  const { secondary: given, ...chainOptions } = options;
  const { asset } = world.rigs[world.views.character.rig[rowOf(world, 'character', character)]!]!;
  const secondary = given ?? asset.secondary;
  if (!secondary)
    throw new FollowthroughError(
      'invalid-argument',
      'the file says nothing about springs; give options.secondary',
    );
  const definitions = springChains({ ...asset, secondary });
  const chains = addChains(world, character, { ...chainOptions, chains: definitions });
  // Added before, the colliders are there too.
  const isThere = chains.length === 0 && definitions.length > 0;
  return { chains, colliders: isThere ? [] : addSpringColliders(world, character, given) };
}

/**
 * The springs of a file as chains: named by their root bones, with their collider groups as `suggested.colliderMask`,
 * and with the `contactPart` that a fit noted at their root bones. A spring says all else itself.
 *
 * @returns nothing where the file has none
 */
export function springChains({
  secondary,
  suggestions = [],
  skeleton: { names, parents },
}: Asset): ChainDefinition[] {
  return (secondary?.springs ?? []).map(({ joints, end, endOffset, center, groups }) => {
    const bones = joints.map(({ bone }) => bone);
    const { contactPart } = suggestions.find(({ bone }) => bone === bones[0]) ?? {};
    return {
      name: names[bones[0]!]!,
      attachment: parents[bones[0]!]!,
      bones,
      end,
      origin: 'hair',
      suggested: { colliderMask: bitsOf(groups), ...(contactPart && { contactPart }) },
      joints,
      ...(endOffset && { endOffset }),
      ...(center >= 0 && { center }),
    };
  });
}

/**
 * Adds the colliders of a character's file that its springs and other chains feel.
 *
 * @param secondary - default: what the file says
 * @param chains - chains that feel some of them too, by `suggested.colliderMask`: those of `fitColliders`. Default those
 * whose groups stand in the file, as a fit noted them; none where `secondary` is given
 * @returns their bitECS entities, in the order of the file
 */
export function addSpringColliders(
  world: World,
  character: number,
  secondary?: SecondaryMotion,
  chains?: readonly Pick<ChainDefinition, 'suggested'>[],
): number[] {
  const { asset } = world.rigs[world.views.character.rig[rowOf(world, 'character', character)]!]!;
  const { springs = [], groups = [], colliders = [] } = secondary ?? asset.secondary ?? {};
  if (groups.length > groupBits)
    warn(world, {
      code: 'too-many-collider-groups',
      message: `${groups.length} collider groups share ${groupBits} bits: some springs feel more than theirs`,
      at: 'springs',
    });
  let felt = bitsOf(springs.flatMap((spring) => spring.groups));
  const noted = secondary ? [] : (asset.suggestions ?? []).map((suggested) => ({ suggested }));
  for (const { suggested } of chains ?? noted) felt |= suggested?.colliderMask ?? 0;
  return colliders.flatMap(({ bone, shape }, index) => {
    const own = groups.flatMap((group, g) => (group.colliders.includes(index) ? [g] : []));
    const bits = bitsOf(own);
    return (bits & felt) === 0 ? [] : [addCollider(world, { character, bone, shape, groups: bits })];
  });
}

/** Indices of collider groups as the bits of a mask. */
export function bitsOf(groups: readonly number[]): number {
  let bits = 0;
  for (const group of groups) bits |= 1 << (group % groupBits);
  return bits >>> 0;
}
