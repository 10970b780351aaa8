/**
 * What the joints of a body are for: rear legs, other limbs, head, trunk, tails that have bones (docs/rigging.md, "Roles").
 * Names decide where there are any, the shape of the skeleton everywhere else; skin weights are not asked.
 */
import type { Asset } from '../asset/asset.js';
import { distance3, dot3 } from '../math/vec3.js';
import { isHeadName, isLegName } from '../setup/boneNames.js';
import type { DrivingBones } from './drivingBones.js';
import { findMates, type Mates } from './mates.js';

/** A pair of limbs. */
export interface LimbPair {
  /** First bones of both limbs. */
  roots: [number, number];
  /** Point between them, world. */
  middle: Float64Array;
  /** Distance of the two roots. */
  spacing: number;
}

/** The roles of a body. */
export interface Roles {
  /** Where the roles come from: names of sides and legs, or the mirror symmetry of the joints. */
  source: Mates['source'];
  /** Middle plane. */
  normal: Float64Array;
  /** Points p of the middle plane have normal . p = offset. */
  offset: number;
  /** Hind legs, or the legs of a biped. */
  rearLegs: LimbPair;
  /** All other pairs of limbs. */
  otherLimbs: LimbPair[];
  /** The head, -1 without one. */
  head: number;
  /** 1 per bone at or below the head. */
  belowHead: Uint8Array;
  /** 1 per trunk joint: driving, in the middle, neither head nor tail. */
  trunk: Uint8Array;
  /** 1 per bone of a middle chain of two or more that leads to no limb and no head: a tail with bones. */
  bonedTail: Uint8Array;
}

/** Length of a limb, at least, as a share of the longest. */
const LIMB = 0.15;
/** Largest offset of a middle joint, as a share of the median offset of those with a mate. */
const MIDDLE = 0.5;

/** Finds the roles; undefined when no pair of legs can be told. */
export function findRoles(asset: Asset, bones: DrivingBones): Roles | undefined {
  const mates = findMates(asset, bones);
  if (mates === undefined) return undefined;
  const middle = middleJoints(bones, mates);
  const pairs = limbPairs(asset, bones, mates, middle);
  const head = findHead(asset, bones, middle);
  const belowHead = subtree(asset, head);
  const rearLegs = findRearLegs(asset, bones, pairs, head, belowHead);
  if (rearLegs === undefined) return undefined;
  const bonedTail = tailsWithBones(asset, bones, middle, pairs, head);
  const trunk = new Uint8Array(asset.skeleton.count);
  for (let bone = 0; bone < trunk.length; bone++)
    if (middle[bone] === 1 && bones.drives[bone] === 1 && belowHead[bone] === 0 && bonedTail[bone] === 0)
      trunk[bone] = 1;
  return {
    source: mates.source,
    normal: mates.normal,
    offset: mates.offset,
    rearLegs,
    otherLimbs: pairs.filter((pair) => pair !== rearLegs),
    head,
    belowHead,
    trunk,
    bonedTail,
  };
}

/** Joints without a mate, near the middle plane. */
function middleJoints({ leads, heads }: DrivingBones, { mateOf, normal, offset }: Mates): Uint8Array {
  const off = (bone: number): number => Math.abs(dot3(normal, 0, heads, 3 * bone) - offset);
  const mated: number[] = [];
  for (const [bone, mate] of mateOf.entries()) if (mate >= 0) mated.push(off(bone));
  const typical = mated.toSorted((a, b) => a - b)[mated.length >> 1] ?? 0;
  return Uint8Array.from(mateOf, (mate, bone) =>
    leads[bone] === 1 && mate < 0 && off(bone) < MIDDLE * typical ? 1 : 0,
  );
}

/** Mated pairs that leave the trunk and are long enough to be limbs. */
function limbPairs(asset: Asset, bones: DrivingBones, { mateOf }: Mates, middle: Uint8Array): LimbPair[] {
  const { parents } = asset.skeleton;
  const reach = chainLengths(asset, bones);
  const pairs: { pair: LimbPair; reach: number }[] = [];
  for (const [a, b] of mateOf.entries()) {
    if (b < a) continue;
    const above = parents[a]!;
    const sameParent = above === parents[b];
    const fromMiddle = above >= 0 && middle[above] === 1 && parents[b]! >= 0 && middle[parents[b]!] === 1;
    // A pair below a pair (toes, fingers) is part of a limb.
    if ((!sameParent && !fromMiddle) || (above >= 0 && mateOf[above]! >= 0)) continue;
    const point = new Float64Array(3);
    for (let k = 0; k < 3; k++) point[k] = (bones.heads[3 * a + k]! + bones.heads[3 * b + k]!) / 2;
    const spacing = distance3(bones.heads, 3 * a, bones.heads, 3 * b);
    pairs.push({ pair: { roots: [a, b], middle: point, spacing }, reach: Math.min(reach[a]!, reach[b]!) });
  }
  const longest = Math.max(0, ...pairs.map((item) => item.reach));
  return pairs.filter((item) => item.reach > LIMB * longest).map((item) => item.pair);
}

/** Length from each bone down its longest branch of joints that lead to skin. */
function chainLengths({ skeleton: { count, parents } }: Asset, { leads, heads }: DrivingBones): Float64Array {
  const reach = new Float64Array(count);
  for (let bone = count - 1; bone >= 0; bone--) {
    const parent = parents[bone]!;
    if (parent < 0 || leads[bone] === 0) continue;
    reach[parent] = Math.max(reach[parent]!, reach[bone]! + distance3(heads, 3 * bone, heads, 3 * parent));
  }
  return reach;
}

/** The middle joint called head, else the highest. */
function findHead(
  { skeleton: { names } }: Asset,
  { drives, heads }: DrivingBones,
  middle: Uint8Array,
): number {
  let named = -1;
  let highest = -1;
  for (let bone = 0; bone < names.length; bone++) {
    if (middle[bone] === 0 || drives[bone] === 0) continue;
    if (named < 0 && isHeadName(names[bone]!)) named = bone;
    if (highest < 0 || heads[3 * bone + 1]! > heads[3 * highest + 1]!) highest = bone;
  }
  return named >= 0 ? named : highest;
}

function subtree({ skeleton: { count, parents } }: Asset, root: number): Uint8Array {
  const inside = new Uint8Array(count);
  for (let bone = 0; bone < count; bone++)
    if (bone === root || (parents[bone]! >= 0 && inside[parents[bone]!] === 1)) inside[bone] = 1;
  return inside;
}

/** The pair of limbs farthest from the head; among those with a leg's name where there is one. */
function findRearLegs(
  asset: Asset,
  bones: DrivingBones,
  pairs: readonly LimbPair[],
  head: number,
  belowHead: Uint8Array,
): LimbPair | undefined {
  const below = pairs.filter(({ roots: [a, b] }) => belowHead[a] === 0 && belowHead[b] === 0);
  const named = below.filter(({ roots: [a] }) => hasLegName(asset, bones, a));
  const candidates = named.length > 0 ? named : below;
  if (head < 0) return candidates[0];
  const far = (pair: LimbPair): number => distance3(pair.middle, 0, bones.heads, 3 * head);
  return candidates.reduce<LimbPair | undefined>(
    (best, pair) => (best === undefined || far(pair) > far(best) ? pair : best),
    undefined,
  );
}

function hasLegName({ skeleton: { names } }: Asset, bones: DrivingBones, root: number): boolean {
  return isLegName(names[root]!) || bones.children[root]!.some((child) => isLegName(names[child]!));
}

/** Middle bones with neither limb nor head below, in chains of two or more. */
function tailsWithBones(
  { skeleton: { count, parents } }: Asset,
  { drives }: DrivingBones,
  middle: Uint8Array,
  pairs: readonly LimbPair[],
  head: number,
): Uint8Array {
  const leadsOn = new Uint8Array(count);
  for (const start of [head, ...pairs.flatMap(({ roots }) => roots)])
    for (let bone = start; bone >= 0; bone = parents[bone]!) leadsOn[bone] = 1;
  const isTail = Uint8Array.from(middle, (flag, bone) =>
    flag === 1 && drives[bone] === 1 && leadsOn[bone] === 0 ? 1 : 0,
  );
  const below = new Int32Array(count);
  for (let bone = count - 1; bone >= 0; bone--) {
    if (isTail[bone] === 0) continue;
    below[bone]!++;
    const parent = parents[bone]!;
    if (parent >= 0) below[parent] = Math.max(below[parent]!, below[bone]!);
  }
  for (let bone = 0; bone < count; bone++) {
    if (isTail[bone] === 0) continue;
    const parent = parents[bone]!;
    const continues = parent >= 0 && isTail[parent] === 1;
    if (!continues && below[bone]! < 2) isTail[bone] = 0;
  }
  return isTail;
}
