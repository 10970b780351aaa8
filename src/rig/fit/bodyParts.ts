/**
 * The parts of a body that get proxies, and which bone belongs to which: head, neck, torso, the segments of arms and legs,
 * hands and feet. The humanoid map of a VRM file says it; else the roles that the rig pass finds by the mirror pairs of
 * the skeleton (docs/rigging.md, "Roles"), so no bone needs a name. Skin is asked later, when parts are measured.
 */
import type { Asset } from '../../asset/asset.js';
import { distance3, dot3 } from '../../math/vec3.js';
import type { Neutral } from '../../setup/neutralPose.js';
import { drivingBones } from '../drivingBones.js';
import { skinSpaces } from '../bindSpace.js';
import { findRoles, type Roles } from '../roles.js';
import { weldSurface } from '../surface.js';
import { withRigidSkins } from './rigidSkins.js';
import { isNeckName } from '../../setup/boneNames.js';

/** What a part is for. */
export type BodyRegion = 'head' | 'neck' | 'torso' | 'arm' | 'leg' | 'hand' | 'foot';

/** Which side of the body it is on. */
export type BodySide = 'left' | 'right' | 'middle';

/** A part in words: `left arm`, `torso`. */
export function partName(region: string, side: string): string {
  return side === 'middle' ? region : `${side} ${region}`;
}

/** A part of the body. */
export interface BodyPart {
  region: BodyRegion;
  side: BodySide;
  /** Its bones in a row, root first; the skin of what hangs on them may be its as well. */
  bones: number[];
  /** The line through it, world, 3 per point; hands and feet have none. */
  line: number[];
}

/** Parts of a body. */
export interface BodyParts {
  parts: BodyPart[];
  /** Part per bone, -1 for none; a bone between or below the bones of a part belongs to it. */
  partOf: Int32Array;
  /** Topmost bone of what hangs on a part where this bone does; -1 for the part's own bones and those of no part. */
  hangsAt: Int32Array;
  /** What told the parts. */
  source: 'humanoid' | 'names' | 'symmetry';
}

/** What is known before: left, up and forward of the character. */
export interface Directions {
  lateral: Float64Array;
  up: Float64Array;
  forward: Float64Array;
}

/** Shortest way between two joints of one line, as a share of its length: a shorter one is merged. */
const SHORT = 0.02;
/** A first segment of a limb that is shorter than this share of the next ... */
const COLLAR = 0.6;
/** ... and begins nearer to the middle than this share of where it ends, is a collar bone: of the torso. */
const INWARD = 0.6;
/** A segment that is shorter than this share of the longest of its limb is part of the one before. */
const TWIST = 0.3;
/** Cosine of the turn at which a shorter segment begins a foot. */
const TURN = 0.7;
/** A pair on the neck that is shorter than this share of the longest limb is a pair of ears. */
const EAR = 0.4;
/** How far a bone of the trunk may stand behind the rear legs and aside of the way to the neck, as a share of it. */
const BEHIND = 0.6;
const ASIDE = 0.4;
/** Branches that make a hand. */
const FINGERS = 3;

/**
 * Finds the parts.
 *
 * @param humanoid - bones by VRM name
 * @param isChain - 1 for bones that are simulated: of no part
 * @param fourFooted - whether front limbs are legs
 * @returns undefined when no pair of legs and no humanoid map tells them
 */
export function findParts(
  asset: Asset,
  neutral: Neutral,
  directions: Directions,
  humanoid: Readonly<Record<string, number>>,
  isChain: Uint8Array,
  fourFooted: boolean,
): BodyParts | undefined {
  const head = (bone: number): number[] => [12, 13, 14].map((k) => neutral.worlds[16 * bone + k]!);
  const build: Build = {
    asset,
    directions,
    head,
    parts: [],
    lateralOf: (bone) => dot3(directions.lateral, 0, head(bone), 0),
  };
  const isHuman = humanoid['hips'] !== undefined && humanoid['head'] !== undefined;
  if (isHuman) humanParts(build, humanoid);
  const source = isHuman ? 'humanoid' : rolesParts(build, neutral, isChain, fourFooted);
  if (source === undefined) return undefined;
  return { parts: build.parts, source, ...assignBones(asset, build.parts, isChain) };
}

interface Build {
  asset: Asset;
  directions: Directions;
  head: (bone: number) => number[];
  lateralOf: (bone: number) => number;
  parts: BodyPart[];
}

function humanParts(build: Build, humanoid: Readonly<Record<string, number>>): void {
  const trunk = ['hips', 'spine', 'chest', 'upperChest'].flatMap((name) => humanoid[name] ?? []);
  const top = humanoid['head']!;
  const neck = humanoid['neck'];
  addMiddle(build, trunk, trunk.length, neck === undefined ? [] : [neck], top);
  for (const side of ['left', 'right'] as const)
    for (const [region, end, names] of [
      ['arm', 'hand', ['UpperArm', 'LowerArm', 'Hand']],
      ['leg', 'foot', ['UpperLeg', 'LowerLeg', 'Foot']],
    ] as const) {
      const bones = names.flatMap((name) => humanoid[side + name] ?? []);
      if (bones.length === names.length) addLimb(build, region, end, side, bones);
    }
}

function rolesParts(
  build: Build,
  neutral: Neutral,
  isChain: Uint8Array,
  fourFooted: boolean,
): Roles['source'] | undefined {
  const { asset } = build;
  const whole = withRigidSkins(asset);
  const surface = weldSurface(whole, skinSpaces(whole, neutral), []);
  const bones = drivingBones(asset, neutral, surface);
  const roles = findRoles(asset, bones);
  if (roles === undefined) return undefined;
  const { trunk, inLine, neck } = middleBones(build, roles, isChain);
  addMiddle(build, trunk, inLine, neck, roles.head);
  const pairs = [roles.rearLegs, ...roles.otherLimbs].map((pair) => {
    const paths = pair.roots.map((root) => limbPath(build, bones.leads, bones.children, root));
    return { pair, paths, length: Math.min(...paths.map((path) => pathLength(build, path))) };
  });
  const longest = Math.max(...pairs.map(({ length }) => length));
  for (const { pair, paths, length } of pairs) {
    const above = asset.skeleton.parents[pair.roots[0]]!;
    if (pair.roots.some((root) => roles.belowHead[root] === 1)) continue;
    // Short pairs on the neck are ears of an animal whose head has none below it.
    if (neck.includes(above) && length < EAR * longest) continue;
    const isLeg = pair === roles.rearLegs || fourFooted;
    for (const [i, root] of pair.roots.entries()) {
      const middle = roles.offset * dot3(build.directions.lateral, 0, roles.normal, 0);
      const side = build.lateralOf(root) > middle ? 'left' : 'right';
      addLimb(build, isLeg ? 'leg' : 'arm', isLeg ? 'foot' : 'hand', side, paths[i]!);
    }
  }
  return roles.source;
}

function pathLength(build: Build, path: readonly number[]): number {
  let length = 0;
  for (let i = 1; i < path.length; i++)
    length += distance3(build.head(path[i]!), 0, build.head(path[i - 1]!), 0);
  return length;
}

/**
 * Bones of the trunk in the order in which they stand between the rear legs and the neck (in a skeleton they may branch
 * from anywhere), those that stand elsewhere behind them, and the bones of the neck.
 */
function middleBones(
  build: Build,
  roles: Roles,
  isChain: Uint8Array,
): { trunk: number[]; inLine: number; neck: number[] } {
  const { names, parents, count } = build.asset.skeleton;
  const neck: number[] = [];
  for (let bone = roles.head >= 0 ? parents[roles.head]! : -1; bone >= 0; bone = parents[bone]!)
    if (roles.trunk[bone] === 1) {
      if (!isNeckName(names[bone]!)) break;
      neck.unshift(bone);
    }
  // What leads to no limb and no head is a tail to the rig pass; what is no chain of those is a spine.
  const isSpine = (bone: number): boolean => roles.bonedTail[bone] === 1 && isChain[bone] === 0;
  const all = [...Array.from({ length: count }).keys()].filter(
    (bone) => (roles.trunk[bone] === 1 || isSpine(bone)) && !neck.includes(bone),
  );
  const end = neck[0] ?? roles.head;
  if (end < 0 || all.length === 0) return { trunk: all, inLine: all.length, neck };
  const from = roles.rearLegs.middle;
  const way = build.head(end).map((value, k) => value - from[k]!);
  const square = dot3(way, 0, way, 0);
  const shareOf = (bone: number): number => {
    const off = build.head(bone).map((value, k) => value - from[k]!);
    return square > 0 ? dot3(off, 0, way, 0) / square : 0;
  };
  const isOnWay = (bone: number): boolean => {
    const share = shareOf(bone);
    const off = build.head(bone).map((value, k) => value - from[k]! - share * way[k]!);
    return share > -BEHIND && share < 1 && dot3(off, 0, off, 0) < ASIDE * ASIDE * square;
  };
  const inLine = all.filter(isOnWay).toSorted((a, b) => shareOf(a) - shareOf(b) || a - b);
  return { trunk: [...inLine, ...all.filter((bone) => !inLine.includes(bone))], inLine: inLine.length, neck };
}

/** Torso, neck and head; the line of the torso goes through the first bones of the trunk. */
function addMiddle(
  build: Build,
  trunk: readonly number[],
  inLine: number,
  neck: readonly number[],
  head: number,
): void {
  const end = neck[0] ?? head;
  const points = [...trunk.slice(0, inLine), ...(end >= 0 ? [end] : [])].map((bone) => build.head(bone));
  if (inLine > 0)
    build.parts.push({ region: 'torso', side: 'middle', bones: [...trunk], line: oneWay(points) });
  for (const [i, bone] of neck.entries()) {
    const next = neck[i + 1] ?? head;
    if (next >= 0)
      build.parts.push({
        region: 'neck',
        side: 'middle',
        bones: [bone],
        line: [...build.head(bone), ...build.head(next)],
      });
  }
  if (head >= 0) build.parts.push({ region: 'head', side: 'middle', bones: [head], line: build.head(head) });
}

/** Points of a line that goes one way: those that step back, or hardly on, are left out. */
function oneWay(points: readonly (readonly number[])[]): number[] {
  const first = points[0]!;
  const last = points.at(-1)!;
  const way = first.map((value, k) => last[k]! - value);
  const square = way.reduce((sum, value) => sum + value * value, 0);
  const line = [...first];
  let reached = 0;
  for (const point of points.slice(1)) {
    const along =
      point.reduce((sum, value, k) => sum + (value - first[k]!) * way[k]!, 0) / (square > 0 ? square : 1);
    const isLast = point === last;
    if (isLast ? square > 0 : along > reached + SHORT && along < 1 - SHORT) {
      line.push(...point);
      reached = along;
    }
  }
  return line;
}

/** From a limb's first bone down its longest branch, to where a hand or a foot begins. */
function limbPath(build: Build, leads: Uint8Array, children: readonly number[][], root: number): number[] {
  const { count, parents } = build.asset.skeleton;
  const reach = new Float64Array(count);
  for (let bone = count - 1; bone > root; bone--)
    if (leads[bone] === 1)
      reach[parents[bone]!] = Math.max(
        reach[parents[bone]!]!,
        reach[bone]! + distance3(build.head(bone), 0, build.head(parents[bone]!), 0),
      );
  const path = [root];
  let longest = 0;
  for (let bone = root; ;) {
    const next = children[bone]!.filter((child) => leads[child] === 1);
    if (next.length >= FINGERS && path.length > 1) break;
    if (next.length === 0) {
      // An end without skin tells how long the last bone is.
      const ends = children[bone]!.filter((one) => children[one]!.length === 0);
      const end = ends.find((one) => distance3(build.head(one), 0, build.head(bone), 0) > 0);
      if (end !== undefined) path.push(end);
      break;
    }
    const child = next.reduce((best, one) =>
      reach[one]! + distance3(build.head(one), 0, build.head(bone), 0) >
      reach[best]! + distance3(build.head(best), 0, build.head(bone), 0)
        ? one
        : best,
    );
    const length = distance3(build.head(child), 0, build.head(bone), 0);
    if (path.length > 2 && length < 0.5 * longest && cosineOfTurn(build, path.at(-2)!, bone, child) < TURN)
      break;
    longest = Math.max(longest, length);
    path.push(child);
    bone = child;
  }
  return path;
}

function cosineOfTurn(build: Build, a: number, b: number, c: number): number {
  const [from, at, to] = [a, b, c].map((bone) => build.head(bone)) as [number[], number[], number[]];
  const before = at.map((value, k) => value - from[k]!);
  const after = to.map((value, k) => value - at[k]!);
  const lengths = Math.sqrt(dot3(before, 0, before, 0) * dot3(after, 0, after, 0));
  return lengths > 0 ? dot3(before, 0, after, 0) / lengths : 1;
}

/** The segments of a limb, and what is at its end. */
function addLimb(
  build: Build,
  region: 'arm' | 'leg',
  end: 'hand' | 'foot',
  side: BodySide,
  bones: readonly number[],
): void {
  const path = [...bones];
  const away = (i: number): number => distance3(build.head(path[i]!), 0, build.head(path[i + 1]!), 0);
  const middle = middleOf(build);
  const off = (i: number): number => Math.abs(build.lateralOf(path[i]!) - middle);
  if (path.length > 3 && away(0) < COLLAR * away(1) && off(0) < INWARD * off(1)) path.shift();
  const longest = Math.max(0, ...path.slice(1).map((_, i) => away(i)));
  let part: BodyPart | undefined;
  for (let i = 0; i + 1 < path.length; i++) {
    const ends = build.head(path[i + 1]!);
    if (part !== undefined && away(i) < TWIST * longest) {
      part.bones.push(path[i]!);
      part.line.splice(3, 3, ...ends);
      continue;
    }
    if (away(i) < SHORT * longest || longest === 0) continue;
    part = { region, side, bones: [path[i]!], line: [...build.head(path[i]!), ...ends] };
    build.parts.push(part);
  }
  if (path.length > 0) build.parts.push({ region: end, side, bones: [path.at(-1)!], line: [] });
}

/** Where the middle plane lies: at the torso. */
function middleOf(build: Build): number {
  const torso = build.parts.find(({ region }) => region === 'torso');
  return torso === undefined ? 0 : build.lateralOf(torso.bones[0]!);
}

/** Gives every bone to the part of its nearest ancestor that has one. */
function assignBones(
  { skeleton: { count, parents } }: Asset,
  parts: readonly BodyPart[],
  isChain: Uint8Array,
): Pick<BodyParts, 'partOf' | 'hangsAt'> {
  const partOf = new Int32Array(count).fill(-1);
  const hangsAt = new Int32Array(count).fill(-1);
  for (const [p, { bones }] of parts.entries()) {
    for (const bone of bones) own(bone, p);
    // Between two bones of one part there may be others: twist bones, groups.
    for (let i = 1; i < bones.length; i++)
      for (let bone = parents[bones[i]!]!; bone >= 0 && partOf[bone] === -1; bone = parents[bone]!)
        if (isBelow(bone, bones[i - 1]!)) own(bone, p);
  }
  for (const [p, { bones }] of parts.entries()) {
    // From the last bone of a part up to the one above it in the next: a twist bone in line.
    const above = parents[bones[0]!]!;
    for (let bone = above; bone >= 0 && partOf[bone] === -1; bone = parents[bone]!) {
      const owner = nearestPart(bone);
      if (owner >= 0 && parts[owner]!.side === parts[p]!.side) own(bone, owner);
    }
  }
  for (let bone = 0; bone < count; bone++) {
    const parent = parents[bone]!;
    if (isChain[bone] === 1) {
      partOf[bone] = -1;
    } else if (partOf[bone] === -1 && parent >= 0 && partOf[parent]! >= 0) {
      partOf[bone] = partOf[parent]!;
      hangsAt[bone] = hangsAt[parent]! < 0 ? bone : hangsAt[parent]!;
    }
  }
  return { partOf, hangsAt };

  function own(bone: number, part: number): void {
    partOf[bone] = part;
  }
  function nearestPart(start: number): number {
    for (let bone = parents[start]!; bone >= 0; bone = parents[bone]!)
      if (partOf[bone]! >= 0) return partOf[bone]!;
    return -1;
  }
  function isBelow(bone: number, root: number): boolean {
    for (let b = bone; b >= 0; b = parents[b]!) if (b === root) return true;
    return false;
  }
}
