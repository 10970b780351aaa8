/**
 * Groups of the colliders that were made. A spring feels groups, so colliders of one region that the same chains feel
 * share one.
 */
import type { Warning } from '../../asset/errors.js';
import type { ColliderGroupDefinition, ColliderShape, SecondaryMotion } from '../../asset/secondary.js';
import { bitsOf, groupBits } from '../../setup/springs.js';
import type { BodyRegion } from './bodyParts.js';
import type { Made } from './makeProxies.js';

/** A collider that was made. */
export interface MadeCollider extends Made {
  shape: ColliderShape;
  region: BodyRegion;
  /** What its radii gave way to chains at rest. */
  shrunk: number;
  /** Per chain, springs first: whether it feels it. */
  feels: boolean[];
  /** Per chain: whether it is within reach but would be pushed out at rest. */
  spares: boolean[];
}

/**
 * Groups them.
 *
 * @returns new groups, and the indices of those that a chain feels
 */
export function groupColliders(
  before: SecondaryMotion,
  made: readonly MadeCollider[],
  springs: number,
  warnings: Warning[],
): { groups: ColliderGroupDefinition[]; groupOf: (chain: number) => number[] } {
  const exact = grouped(before, made, ({ region, feels }) => `${region} ${feels.map(Number).join('')}`);
  if (before.groups.length + exact.length <= groupBits) return resultOf(before, exact);
  // Too many to tell apart: one per region, felt by the chains that feel all of it.
  const coarse = grouped(before, made, ({ region }) => region);
  if (before.groups.length + coarse.length > groupBits || springs === 0)
    warnings.push({
      code: 'too-many-collider-groups',
      message: `${before.groups.length + coarse.length} groups of colliders share ${groupBits} bits: some chains feel more than theirs`,
      at: 'groups',
    });
  return resultOf(before, coarse);
}

interface Group extends ColliderGroupDefinition {
  feels: boolean[];
}

function grouped(
  before: SecondaryMotion,
  made: readonly MadeCollider[],
  keyOf: (one: MadeCollider) => string,
): Group[] {
  const byKey = new Map<string, Group>();
  const counts = new Map<string, number>();
  for (const [i, one] of made.entries()) {
    const index = before.colliders.length + i;
    const known = byKey.get(keyOf(one));
    if (known) {
      known.colliders.push(index);
      known.feels = known.feels.map((felt, chain) => felt && one.feels[chain]!);
      continue;
    }
    const number = (counts.get(one.region) ?? 0) + 1;
    counts.set(one.region, number);
    const name = `fitted-${one.region}${number > 1 ? number : ''}`;
    byKey.set(keyOf(one), { name, colliders: [index], feels: [...one.feels] });
  }
  return [...byKey.values()];
}

function resultOf(before: SecondaryMotion, groups: readonly Group[]): ReturnType<typeof groupColliders> {
  return {
    groups: groups.map(({ name, colliders }) => ({ name, colliders })),
    groupOf: (chain) =>
      groups.flatMap(({ feels }, g) => (feels[chain] === true ? [before.groups.length + g] : [])),
  };
}

/**
 * Masks of all chains. A spring has its own groups; any other chain feels all groups of the file and those made ones
 * that leave it at rest.
 */
export function masksOf(
  { springs }: SecondaryMotion,
  authored: number,
  springCount: number,
  others: number,
  groupOf: (chain: number) => number[],
): number[] {
  const files = [...Array.from({ length: authored }).keys()];
  return [
    ...springs.map(({ groups }) => bitsOf(groups)),
    ...Array.from({ length: others }, (_, i) => bitsOf([...files, ...groupOf(springCount + i)])),
  ];
}
