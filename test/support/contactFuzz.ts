/**
 * Random links among random shapes, put to the library through its public interface: a chain of one link that begins at
 * rest along the candidate direction, one tick. What comes out is compared with directions found by looking at many.
 * The sets are those of the fuzz that the algorithm was chosen by (docs/solver.md, "Colliders").
 */
import {
  addCollider,
  type ColliderShape,
  removeCollider,
  resetChain,
  setRoot,
  step,
} from '../../src/index.js';
import { back, makeScene, makeTail, plain, type Scene, tipOf } from './chains.js';
import { depthAlong, type Felt, freeWithin, leastDepth, type Link, linkGap } from './contactGaps.js';
import {
  add,
  angleBetween,
  axisAngle,
  cross,
  dot,
  len,
  mul,
  seeded,
  sub,
  swing,
  unit,
  type V3,
} from './referenceMath.js';

/** What a set is made of. */
export interface FuzzSet {
  name: string;
  /** Shares of spheres, capsules, planes, spheres and capsules that keep the link inside. */
  share: readonly [number, number, number, number, number];
  /** Fewest and most shapes in a case. */
  least: number;
  most: number;
  /** Cases in the whole fuzz. */
  cases: number;
  /** Whether the result has to be the nearest free direction; one that a capsule keeps inside is near it only. */
  nearest: boolean;
  /** Share of contacts in which a way out may be missed: a known limit where such a capsule is in a jam of others. */
  missed: number;
}

const set = (
  name: string,
  share: FuzzSet['share'],
  [least, most]: readonly [number, number],
  cases: number,
  missed = 0,
): FuzzSet => ({ name, share, least, most, cases, missed, nearest: share[4] === 0 });

/** The sets: 100,000 cases in all. */
export const fuzzSets: readonly FuzzSet[] = [
  set('spheres', [1, 0, 0, 0, 0], [1, 4], 30_000),
  set('capsules', [0.03, 0.97, 0, 0, 0], [1, 4], 36_000),
  set('all but inside capsules', [0.33, 0.47, 0.15, 0.05, 0], [1, 4], 12_000),
  set('all shapes', [0.3, 0.45, 0.15, 0.05, 0.05], [1, 4], 10_000, 0.001),
  set('inside one capsule', [0, 0, 0, 0, 1], [1, 1], 3_000),
  set('jammed spheres', [1, 0, 0, 0, 0], [6, 12], 5_000),
  set('jammed, all but inside capsules', [0.33, 0.47, 0.15, 0.05, 0], [6, 12], 2_000),
  set('jammed, all shapes', [0.3, 0.45, 0.15, 0.05, 0.05], [6, 12], 2_000, 0.01),
];

/** A link, the direction it would take, and what is in its way. */
export interface FuzzCase {
  link: Link;
  candidate: V3;
  shapes: ColliderShape[];
}

/** What is looked at of one result. */
export interface Judged {
  direction: V3;
  depth: number;
  /** The least depth there is, where the result is too deep. */
  least?: number;
  /** How much nearer to the candidate a free direction is, radians, if one was seen; 0 if not. */
  nearerRad: number;
}

function direction(random: () => number): V3 {
  for (;;) {
    const v: V3 = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    if (len(v) <= 1 && len(v) > 0.1) return unit(v);
  }
}

function randomShape(random: () => number, of: FuzzSet, { head, length }: Link): ColliderShape {
  let pick = random();
  let kind = 0;
  while (kind < 4 && pick >= of.share[kind]!) pick -= of.share[kind++]!;
  const near = (reach: number): V3 => add(head, mul(direction(random), length * reach * random()));
  const radius = (): number => length * (random() < 0.05 ? 0 : 0.6 * random() ** 2);
  if (kind === 0) return { kind: 'sphere', offset: near(1.4), radius: radius(), inside: false };
  if (kind === 2) return { kind: 'plane', offset: near(0.9), normal: direction(random) };
  if (kind === 3)
    return { kind: 'sphere', offset: near(0.6), radius: length * (0.6 + random()), inside: true };
  const inside = kind === 4;
  const offset = near(inside ? 0.6 : 1.4);
  const tail = random() < 0.04 ? offset : add(offset, mul(direction(random), length * 2 * random()));
  // With others it has room for the link; alone it may be so narrow that the tip fits into one end of it only.
  const wide = inside ? length * ((of.most > 1 ? 1.1 : 0.3) + random()) : 0;
  const radii = inside ? [wide, wide] : [radius(), radius()];
  return { kind: 'capsule', offset, tail, radius: radii[0]!, tailRadius: radii[1]!, inside };
}

/** A direction into one of the shapes, in one case of ten exactly through its axis. */
function aim(random: () => number, { head }: Link, shape: ColliderShape): V3 {
  const end = shape.kind === 'capsule' ? shape.tail : shape.offset;
  const on = add(shape.offset, mul(sub(end, shape.offset), random()));
  const r = shape.kind === 'plane' ? 0 : shape.radius;
  const target = random() < 0.1 ? on : add(on, mul(direction(random), r * random()));
  const way = sub(target, head);
  return len(way) > 1e-9 ? unit(way) : direction(random);
}

/** Lengths, radii as shares of them: one scene of the library for each. */
const kinds = [
  [0.2, 0.05],
  [0.05, 0],
  [1, 0.2],
] as const;

/** A random case of a set with its head outside of everything; `index` chooses length and radius. */
function fuzzCase(random: () => number, of: FuzzSet, index: number): FuzzCase {
  const [length, thick] = kinds[index % kinds.length]!;
  const head: V3 = mul(direction(random), 2 * random());
  const link: Link = { head, length, radius: length * thick };
  const count = of.least + Math.floor((of.most - of.least + 1) * random());
  const shapes: ColliderShape[] = [];
  while (shapes.length < count) {
    const shape = randomShape(random, of, link);
    if (linkGap(shape, head, head, link.radius, true) > 0) shapes.push(shape);
  }
  const aimed = random() < 0.7;
  const at = shapes[Math.floor(random() * shapes.length)]!;
  return { link, shapes, candidate: aimed ? aim(random, link, at) : direction(random) };
}

const scenes = new Map<string, Scene>();

/** What the library makes of a case: the direction of the link after one tick from rest along the candidate. */
export function solve({ link, candidate, shapes }: FuzzCase): V3 {
  const key = `${link.length} ${link.radius}`;
  let scene = scenes.get(key);
  if (!scene) {
    scene = makeScene(makeTail({ links: 1, length: link.length, hips: [0, 0, 0], direction: back }), {
      ...plain,
      limit: Infinity,
      coupling: 0,
      radius: link.radius,
    });
    scenes.set(key, scene);
  }
  const { world, character, chain } = scene;
  const turn =
    dot(back, candidate) < -1 + 1e-9 ? axisAngle(cross(back, [0, 1, 0]), Math.PI) : swing(back, candidate);
  setRoot(world, character, { position: link.head, rotation: turn });
  resetChain(world, chain);
  const added = shapes.map((shape) => addCollider(world, { shape }));
  step(world);
  for (const collider of added) removeCollider(world, collider);
  return mul(sub(tipOf(scene), link.head), 1 / link.length);
}

const feltOf = (shapes: readonly ColliderShape[]): Felt[] =>
  shapes.map((shape) => ({ shape, tipOnly: false }));

/** Depth of the candidate: whether there is a contact at all. */
function candidateDepth({ link, candidate, shapes }: FuzzCase): number {
  return depthAlong(link, feltOf(shapes), candidate);
}

/** Depth that is none. */
const depthBound = 1e-6;
/** How much nearer to the candidate than the result a free direction may be, radians. */
const nearestBoundRad = 1e-3;

/** Compares a result with what looking at many directions finds. */
export function judge(one: FuzzCase, result: V3, samples: number): Judged {
  const felt = feltOf(one.shapes);
  const depth = depthAlong(one.link, felt, result);
  if (depth > depthBound) {
    const { depth: least } = leastDepth(one.link, felt, [result, one.candidate]);
    return { direction: result, depth, least, nearerRad: 0 };
  }
  const angle = angleBetween(result, one.candidate);
  const nearer =
    angle > nearestBoundRad
      ? freeWithin(one.link, felt, one.candidate, angle - nearestBoundRad, samples)
      : undefined;
  return {
    direction: result,
    depth,
    nearerRad: nearer ? angle - angleBetween(nearer, one.candidate) : 0,
  };
}

/** What came of a set. */
export interface FuzzResult {
  /** Cases whose candidate was in a shape. */
  contacts: number;
  /** Results deeper than the bound where a free direction was seen. */
  tooDeep: number;
  /** Results farther from the candidate than a free direction that was seen. */
  farther: number;
  /** Cases without a free direction, and those of them that are deeper than the least depth and the bound. */
  jammed: number;
  jamsTooDeep: number;
  /** Largest error of a link's length, as a share. */
  lengthFault: number;
  finite: boolean;
  /** Of each kind of failure the worst: how much in metres or radians, and the case. */
  worst: Record<'tooDeep' | 'farther' | 'jamsTooDeep', { by: number; one?: FuzzCase }>;
}

/** What of a result is beyond the bounds, in words; empty when nothing is. */
export function faultsOf(of: FuzzSet, result: FuzzResult): string[] {
  const { contacts, tooDeep, jamsTooDeep, farther, lengthFault, finite, worst } = result;
  const faults: string[] = [];
  if (!finite) faults.push('a result is not finite');
  if (lengthFault > 4e-15) faults.push(`a length is off by ${lengthFault}`);
  if (tooDeep + jamsTooDeep > of.missed * contacts)
    faults.push(
      `${tooDeep} of ${contacts} are deep where a direction is free (by ${worst.tooDeep.by} m)`,
      `${jamsTooDeep} are deeper than need be (by ${worst.jamsTooDeep.by} m)`,
    );
  if (of.nearest && farther > 0) faults.push(`${farther} are not the nearest (by ${worst.farther.by} rad)`);
  return faults;
}

/** Runs cases of a set. */
export function fuzz(of: FuzzSet, cases: number, seed: number, samples = 200): FuzzResult {
  const random = seeded(seed);
  const worst: FuzzResult['worst'] = { tooDeep: { by: 0 }, farther: { by: 0 }, jamsTooDeep: { by: 0 } };
  const result: FuzzResult = {
    contacts: 0,
    tooDeep: 0,
    farther: 0,
    jammed: 0,
    jamsTooDeep: 0,
    lengthFault: 0,
    finite: true,
    worst,
  };
  const count = (kind: keyof typeof worst, one: FuzzCase, by: number): void => {
    result[kind]++;
    if (by > worst[kind].by) worst[kind] = { by, one };
  };
  for (let index = 0; index < cases; index++) {
    const one = fuzzCase(random, of, index);
    const found = solve(one);
    result.finite &&= found.every(Number.isFinite);
    result.lengthFault = Math.max(result.lengthFault, Math.abs(len(found) - 1));
    if (candidateDepth(one) <= 1e-7 * one.link.length) {
      // Nothing is in the way: nothing is turned.
      if (angleBetween(found, one.candidate) > 1e-9)
        count('farther', one, angleBetween(found, one.candidate));
      continue;
    }
    result.contacts++;
    const { depth, least, nearerRad } = judge(one, found, samples);
    if (nearerRad > 0) count('farther', one, nearerRad);
    if (least === undefined) continue;
    if (least <= 0) {
      count('tooDeep', one, depth);
      continue;
    }
    result.jammed++;
    if (depth > least + depthBound) count('jamsTooDeep', one, depth - least);
  }
  return result;
}
