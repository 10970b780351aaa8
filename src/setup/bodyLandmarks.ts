/**
 * Landmarks of a body by the names of its bones, placed where the neutral pose has them: what left and right limbs,
 * legs, feet and head say about the directions of the body. Controls of a rig (IK, pole targets) say nothing.
 */
import type { Asset } from '../asset/asset.js';
import { cross3, distance3, dot3, length3, normalize3 } from '../math/vec3.js';
import {
  boneSide,
  isControlName,
  isEndName,
  isFootName,
  isHeadName,
  isHipsName,
  isLegName,
  isToeName,
} from './boneNames.js';
import type { Side } from './boneNames.js';
import type { Neutral } from './neutralPose.js';

/** What a body says about its directions; unit vectors in the world of the neutral pose. */
export interface BodyDirections {
  /** From the feet to the tops of the legs, or from hips to head. */
  up: Float64Array;
  /** Normal of the plane on which four or more feet stand, pointing up as far as known; undefined for two feet. */
  ground: Float64Array | undefined;
  /** From right to left; either way round when not `sided`. */
  lateral: Float64Array;
  /** Whether names tell left from right. */
  sided: boolean;
}

/** Which way a body faces without asking for the names of its sides. */
export interface BodyFacing {
  /** Where the head lies (four feet), where the toes point (two feet); undefined when the body does not show it. */
  forward: Float64Array | undefined;
  /** True when two pairs of limbs or more stand on the ground. */
  fourFooted: boolean;
}

/** Share of the legs' height up to which the end of a limb counts as standing on the ground. */
const GROUNDED = 0.25;
/** Share of the legs' height above which a limb must begin to be one. */
const LIMB_START = 0.4;
/** Cosine of 45 degrees. */
const DIAGONAL = 0.7071067811865476;

/**
 * Directions of a body by its bone names.
 *
 * @returns undefined when no pair of left and right bones has a name
 */
export function namedDirections(body: NamedBody): BodyDirections | undefined {
  const lateral = new Float64Array(3);
  for (const { left, right } of body.roots) addOffset(lateral, body.positions, left, right);
  if (normalize3(lateral, 0, lateral, 0) === 0) return undefined;
  const up = upOf(body);
  return { up, ground: groundNormal(body, lateral, up), lateral, sided: true };
}

/**
 * Which way a named body faces.
 *
 * @param up - its up, unit
 */
export function namedFacing(body: NamedBody, up: Float64Array): BodyFacing {
  const fourFooted = groundedPairs(body, up) >= 2;
  return { fourFooted, forward: fourFooted ? hipsToHead(body) : toeDirection(body, up) };
}

/** A pair of bones with the same name but for the side. */
interface Pair {
  /** Bone on the character's left. */
  left: number;
  /** Its mate. */
  right: number;
}

/** The bones of a body that names tell something about. */
export interface NamedBody {
  /** Names per bone. */
  names: string[];
  /** Parent per bone. */
  parents: Int32Array;
  /** Heads in the neutral pose, 3 per bone. */
  positions: Float64Array;
  /** Bones that count: joints that are no controls, and their end helpers. */
  counts: Uint8Array;
  /** Pairs with no pair above them: where limbs leave the trunk. */
  roots: Pair[];
  /** Legs: the top bone and the point where the leg ends. */
  legs: Leg[];
  /** 1 for bones of a leg, foot and toes included. */
  inLeg: Uint8Array;
}

/** A leg. */
interface Leg {
  /** Its topmost bone. */
  top: number;
  /** Its foot, where it has one; else its end. */
  foot: number;
  /** The last bone or end helper of its deepest branch. */
  end: number;
}

/** Surveys the bones of a character. */
export function namedBody(asset: Asset, neutral: Neutral): NamedBody {
  const { names, parents, count } = asset.skeleton;
  const positions = new Float64Array(3 * count);
  for (let bone = 0; bone < count; bone++)
    for (let k = 0; k < 3; k++) positions[3 * bone + k] = neutral.worlds[16 * bone + 12 + k]!;
  const counts = countingBones(asset);
  const body: NamedBody = {
    names,
    parents,
    positions,
    counts,
    roots: [],
    legs: [],
    inLeg: new Uint8Array(count),
  };
  body.roots = limbRoots(body);
  body.legs = legs(body);
  return body;
}

/** Joints of any skin (all nodes when there is no skin), without controls; end helpers of such joints. */
function countingBones(asset: Asset): Uint8Array {
  const { names, parents, count } = asset.skeleton;
  const counts = new Uint8Array(count).fill(asset.skins.length === 0 ? 1 : 0);
  for (const skin of asset.skins) for (const bone of skin.joints) counts[bone] = 1;
  for (let bone = 0; bone < count; bone++) {
    if (isControlName(names[bone]!)) counts[bone] = 0;
    else if (isEndName(names[bone]!) && parents[bone]! >= 0) counts[bone] = counts[parents[bone]!]!;
  }
  return counts;
}

function limbRoots({ names, parents, counts }: NamedBody): Pair[] {
  const groups = new Map<string, Record<Side, number[]>>();
  const groupOf: (Record<Side, number[]> | undefined)[] = [];
  for (const [bone, name] of names.entries()) {
    const side = counts[bone] === 1 && !isEndName(name) ? boneSide(name) : undefined;
    if (side === undefined) continue;
    const group = groups.get(side.base) ?? { left: [], right: [] };
    groups.set(side.base, group);
    group[side.side].push(bone);
    groupOf[bone] = group;
  }
  const isPaired = (bone: number): boolean => {
    const group = groupOf[bone];
    return group !== undefined && group.left.length > 0 && group.right.length > 0;
  };
  const isRoot = (bone: number): boolean => {
    for (let node = parents[bone]!; node >= 0; node = parents[node]!) if (isPaired(node)) return false;
    return true;
  };
  const roots: Pair[] = [];
  for (const { left, right } of groups.values()) {
    const lefts = left.filter(isRoot);
    const rights = right.filter(isRoot);
    for (let k = 0; k < Math.min(lefts.length, rights.length); k++)
      roots.push({ left: lefts[k]!, right: rights[k]! });
  }
  return roots;
}

/** Chains of leg and foot bones with at least one leg bone, from the topmost down their deepest branch. */
function legs({ names, parents, counts, inLeg }: NamedBody): Leg[] {
  const legOf: (Leg | undefined)[] = [];
  const depth = new Int32Array(names.length);
  const found: Leg[] = [];
  for (let bone = 0; bone < names.length; bone++) {
    if (counts[bone] === 0) continue;
    const parent = parents[bone]!;
    const name = names[bone]!;
    const isFoot = isFootName(name);
    let leg = legOf[parent];
    if (leg === undefined) {
      if (!isLegName(name)) continue;
      leg = { top: bone, foot: bone, end: bone };
      found.push(leg);
    } else {
      if (!isLegName(name) && !isFoot && !isEndName(name)) continue;
      depth[bone] = depth[parent]! + 1;
      if (depth[bone]! > depth[leg.end]!) leg.end = bone;
      if (!isFootName(names[leg.foot]!)) leg.foot = isFoot ? bone : leg.end;
    }
    legOf[bone] = leg;
    inLeg[bone] = 1;
  }
  return found.filter(({ top, end }) => top !== end);
}

function upOf(body: NamedBody): Float64Array {
  const up = new Float64Array(3);
  // A leg stands on the middle of its foot: the ankle lies behind that, the toes before it.
  for (const { top, foot, end } of body.legs) {
    addOffset(up, body.positions, top, foot);
    addOffset(up, body.positions, top, end);
  }
  if (normalize3(up, 0, up, 0) > 0) return up;
  const toHead = hipsToHead(body);
  return toHead !== undefined && toHead[1]! > DIAGONAL ? toHead : Float64Array.of(0, 1, 0);
}

/** Normal of the plane through the ends of four or more legs: lateral x the longest way between two ends. */
function groundNormal(
  { legs: limbs, positions }: NamedBody,
  lateral: Float64Array,
  up: Float64Array,
): Float64Array | undefined {
  if (limbs.length < 4) return undefined;
  const along = new Float64Array(3);
  const longest = new Float64Array(3);
  for (const { end: a } of limbs) {
    for (const { end: b } of limbs) {
      along.fill(0);
      addOffset(along, positions, a, b);
      const sideways = dot3(along, 0, lateral, 0);
      for (let k = 0; k < 3; k++) along[k]! -= sideways * lateral[k]!;
      if (length3(along, 0) > length3(longest, 0)) longest.set(along);
    }
  }
  const normal = new Float64Array(3);
  cross3(normal, 0, longest, 0, lateral, 0);
  if (normalize3(normal, 0, normal, 0) === 0) return undefined;
  const agreement = dot3(normal, 0, up, 0);
  if (agreement < 0) for (let k = 0; k < 3; k++) normal[k] = -normal[k]!;
  return Math.abs(agreement) > DIAGONAL ? normal : undefined;
}

/** From the middle of the legs' tops, or the hips, to the head. */
function hipsToHead({ names, positions, legs: limbs }: NamedBody): Float64Array | undefined {
  const head = names.findIndex(isHeadName);
  if (head < 0) return undefined;
  const tops =
    limbs.length > 0
      ? limbs.map(({ top }) => top)
      : names.flatMap((name, i) => (isHipsName(name) ? [i] : []));
  const out = new Float64Array(3);
  for (const top of tops) addOffset(out, positions, head, top);
  return normalize3(out, 0, out, 0) > 0 ? out : undefined;
}

/** From the feet to the toes, along the ground; undefined when the feet show nothing. */
function toeDirection(
  { names, parents, positions, inLeg }: NamedBody,
  up: Float64Array,
): Float64Array | undefined {
  const out = new Float64Array(3);
  for (let bone = 0; bone < names.length; bone++) {
    const parent = parents[bone]!;
    if (inLeg[bone] === 0 || parent < 0 || !isToeName(names[bone]!) || !isFootName(names[parent]!)) continue;
    addOffset(out, positions, bone, parent);
  }
  const along = dot3(out, 0, up, 0);
  for (let k = 0; k < 3; k++) out[k] = out[k]! - along * up[k]!;
  return normalize3(out, 0, out, 0) > 0 ? out : undefined;
}

/** Pairs of limbs that come down to the ground, each at a place of its own. */
function groundedPairs(body: NamedBody, up: Float64Array): number {
  const height = (bone: number): number => dot3(body.positions, 3 * bone, up, 0);
  const lowest = Int32Array.from(body.names, (_, bone) => bone);
  for (let bone = body.names.length - 1; bone >= 0; bone--) {
    const parent = body.parents[bone]!;
    if (parent < 0 || body.counts[bone] === 0) continue;
    if (height(lowest[bone]!) < height(lowest[parent]!)) lowest[parent] = lowest[bone]!;
  }
  const ground = Math.min(...body.roots.map(({ left }) => height(lowest[left]!)));
  const legHeight = Math.max(...body.legs.map(({ top }) => height(top))) - ground;
  const ends: number[] = [];
  for (const { left } of body.roots) {
    const end = lowest[left]!;
    // A foot that hangs on a bone of its own, as in rigs with IK, is no further limb: it starts low.
    if (height(end) - ground > GROUNDED * legHeight || height(left) - ground < LIMB_START * legHeight)
      continue;
    const isFar = (other: number): boolean =>
      distance3(body.positions, 3 * other, body.positions, 3 * end) > GROUNDED * legHeight;
    if (ends.every(isFar)) ends.push(end);
  }
  return ends.length;
}

function addOffset(out: Float64Array, positions: Float64Array, to: number, from: number): void {
  for (let k = 0; k < 3; k++) out[k]! += positions[3 * to + k]! - positions[3 * from + k]!;
}
