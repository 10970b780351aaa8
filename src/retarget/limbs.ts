/**
 * Arms and legs, each read from its end upwards: which bone is the upper one is decided by what stands below and above it,
 * because the same word names different bones in different rigs.
 */
import type { Side } from '../setup/boneNames.js';
import { isPart, pathTo, type NamedSkeleton } from './namedSkeleton.js';
import type { BodyPart } from './parts.js';

/** Bones of a limb by the ends of their VRM names (`UpperLeg`). */
export type Limb = Record<string, number>;

const LEG: readonly BodyPart[] = ['hip', 'thigh', 'leg', 'shin'];
const ARM: readonly BodyPart[] = ['collar', 'shoulder', 'upperArm', 'arm', 'forearm'];

/** `UpperLeg`, `LowerLeg`, `Foot`, `Toes` as far as they are there. */
export function findLeg(skeleton: NamedSkeleton, side: Side): Limb {
  const end = topmost(skeleton, side, 'foot');
  const chain = chainOf(skeleton, side, end, LEG);
  const { thigh, shin } = upperAndLower(skeleton, chain, ['thigh'], ['shin'], end === undefined);
  const foot = end ?? (shin === undefined ? undefined : chain[chain.indexOf(shin) + 1]);
  const toes =
    foot === undefined
      ? undefined
      : (firstBelow(skeleton, foot, 'toe', side) ??
        (end === undefined ? chain[chain.indexOf(foot) + 1] : undefined));
  return limb({ UpperLeg: thigh, LowerLeg: shin, Foot: foot, Toes: toes });
}

/** `Shoulder`, `UpperArm`, `LowerArm`, `Hand` as far as they are there. */
export function findArm(skeleton: NamedSkeleton, side: Side): Limb {
  const end = topmost(skeleton, side, 'hand');
  const chain = chainOf(skeleton, side, end, ARM);
  const { thigh: upper, shin: lower } = upperAndLower(
    skeleton,
    chain,
    ['upperArm', 'arm'],
    ['forearm'],
    end === undefined,
  );
  const hand = end ?? (lower === undefined ? undefined : chain[chain.indexOf(lower) + 1]);
  const before = upper === undefined ? [] : chain.slice(0, chain.indexOf(upper));
  const shoulder = before.find((bone) => isPart(skeleton, bone, ['collar', 'shoulder']));
  return limb({ Shoulder: shoulder, UpperArm: upper, LowerArm: lower, Hand: hand });
}

/**
 * The two long bones of a chain.
 *
 * @param chain - from the trunk outwards, without the end
 * @param uppers - parts that can only be the upper bone
 * @param lowers - parts that can only be the lower bone
 * @param open - true when the chain runs on to the end of the limb, whose bones have no names of their own
 */
function upperAndLower(
  skeleton: NamedSkeleton,
  chain: readonly number[],
  uppers: readonly BodyPart[],
  lowers: readonly BodyPart[],
  open: boolean,
): { thigh: number | undefined; shin: number | undefined } {
  const named = chain.find((bone) => isPart(skeleton, bone, lowers));
  const upperNamed = chain.find((bone) => isPart(skeleton, bone, uppers) && bone !== named);
  if (named !== undefined) {
    const before = chain.slice(0, chain.indexOf(named));
    const upper = before.find((bone) => isPart(skeleton, bone, uppers)) ?? before.at(-1);
    return { thigh: upper, shin: named };
  }
  // No name for the lower bone: the one below the upper, or the last two of the chain.
  if (open) return { thigh: upperNamed ?? chain[0], shin: chain[chain.indexOf(upperNamed ?? chain[0]!) + 1] };
  if (upperNamed !== undefined && chain.at(-1) !== upperNamed)
    return { thigh: upperNamed, shin: chain[chain.indexOf(upperNamed) + 1] };
  return { thigh: chain.at(-2) ?? chain.at(-1), shin: chain.length > 1 ? chain.at(-1) : undefined };
}

/** The first bone of that part and side that has none above it. */
function topmost(skeleton: NamedSkeleton, side: Side, part: BodyPart): number | undefined {
  const found = skeleton.parts.findIndex((one) => one?.part === part && one.side === side);
  return found < 0 ? undefined : found;
}

/** The bones of a limb without its end; where rigs hang feet from the root for their IK, the legs without them. */
function chainOf(
  skeleton: NamedSkeleton,
  side: Side,
  end: number | undefined,
  parts: readonly BodyPart[],
): number[] {
  const found = end === undefined ? [] : above(skeleton, side, end, parts);
  return found.length > 0 ? found : deepest(skeleton, side, parts);
}

/** Bones of these parts above an end, from the trunk outwards. */
function above(skeleton: NamedSkeleton, side: Side, end: number, parts: readonly BodyPart[]): number[] {
  return pathTo(skeleton, end)
    .slice(0, -1)
    .filter((bone) => isPart(skeleton, bone, parts) && skeleton.parts[bone]!.side === side);
}

/** The longest row of bones of these parts, from the trunk outwards. */
function deepest(skeleton: NamedSkeleton, side: Side, parts: readonly BodyPart[]): number[] {
  let longest: number[] = [];
  for (const [bone, part] of skeleton.parts.entries()) {
    if (part?.side !== side || !parts.includes(part.part)) continue;
    const row = [...above(skeleton, side, bone, parts), bone];
    if (row.length > longest.length) longest = row;
  }
  return longest;
}

/** The nearest bone of that part and side below a bone. */
function firstBelow(skeleton: NamedSkeleton, bone: number, part: BodyPart, side: Side): number | undefined {
  let level = [...skeleton.children[bone]!];
  while (level.length > 0) {
    const found = level.find((b) => skeleton.parts[b]?.part === part && skeleton.parts[b]!.side === side);
    if (found !== undefined) return found;
    level = level.flatMap((b) => skeleton.children[b]!);
  }
  return undefined;
}

function limb(bones: Record<string, number | undefined>): Limb {
  return Object.fromEntries(
    Object.entries(bones).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
