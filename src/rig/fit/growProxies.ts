/**
 * Growing the colliders of a file to the skin around them. Each point of the visible skin is for the collider of its part
 * to which it is nearest; the radius grows until four fifths of a collider's points within the bound are inside, never by
 * more than the bound. What chains at rest say to that: giveWay.ts.
 */
import type { BodyParts } from './bodyParts.js';
import { pointGap, type Proxy } from './proxy.js';
import type { FitLimit } from './report.js';
import { OUTSIDE, quantile } from './search.js';
import type { PartSkin } from './visibleSkin.js';

/** A collider of the file. */
export interface Authored {
  /** Bone that carries it. */
  bone: number;
  /** Where it stands; undefined for planes and insides. */
  proxy: Proxy | undefined;
}

/** How far it wants to grow. */
export interface Grown {
  /** Added to its radii. */
  growth: number;
  limit: FitLimit;
  /** Its part, -1 for none. */
  part: number;
  /** Points that are its to cover, 3 numbers each. */
  points: Float64Array;
  /** Why it was kept. */
  kept?: string;
}

/** Share of the points that shall be inside. */
const INSIDE = OUTSIDE / (OUTSIDE + 1);
/** Fewest points that say something. */
const POINTS = 6;

/**
 * Grows colliders.
 *
 * @param bound - most that a radius grows
 */
export function growProxies(
  authored: readonly Authored[],
  body: BodyParts,
  skins: readonly PartSkin[],
  bound: number,
): Grown[] {
  const partOf = authored.map(({ bone }) => body.partOf[bone] ?? -1);
  const inSkin = authored.map(
    ({ proxy }, i) => proxy !== undefined && partOf[i]! >= 0 && standsIn(proxy, skins[partOf[i]!]!),
  );
  const nearest = skins.map((skin, p) => {
    const own = [...authored.keys()].filter((i) => partOf[i] === p && inSkin[i]!);
    return pointsOf(skin.points, own, authored);
  });
  return authored.map(({ proxy }, i) => {
    const part = partOf[i]!;
    const points = Float64Array.from(nearest[part]?.get(i) ?? []);
    const kept = (reason: string): Grown => ({ growth: 0, limit: 'kept', part, points, kept: reason });
    if (proxy === undefined) return kept('it is no ball or capsule that keeps things out');
    if (part < 0) return kept('its bone is of no part of the body');
    if (!inSkin[i]!) return kept('it does not stand in the skin of its bone');
    return { part, points, ...growthOf(proxy, points, bound) };
  });
}

/** Whether a proxy has its middle in the skin of its part: inside of the box around it. */
function standsIn({ a, b }: Proxy, { points }: PartSkin): boolean {
  if (points.length === 0) return false;
  for (let k = 0; k < 3; k++) {
    const middle = (a[k]! + b[k]!) / 2;
    let low = Infinity;
    let high = -Infinity;
    for (let o = k; o < points.length; o += 3) {
      low = Math.min(low, points[o]!);
      high = Math.max(high, points[o]!);
    }
    if (middle < low || middle > high) return false;
  }
  return true;
}

/** Points by the proxy that they are nearest to. */
function pointsOf(
  points: Float64Array,
  own: readonly number[],
  authored: readonly Authored[],
): Map<number, number[]> {
  const lists = new Map<number, number[]>(own.map((i) => [i, []]));
  for (let o = 0; o < points.length; o += 3) {
    let best = -1;
    let least = Infinity;
    for (const i of own) {
      const gap = pointGap(authored[i]!.proxy!, points, o);
      if (gap < least) [best, least] = [i, gap];
    }
    lists.get(best)?.push(points[o]!, points[o + 1]!, points[o + 2]!);
  }
  return lists;
}

function growthOf(proxy: Proxy, points: Float64Array, bound: number): { growth: number; limit: FitLimit } {
  const gaps: number[] = [];
  for (let o = 0; o < points.length; o += 3) gaps.push(pointGap(proxy, points, o));
  // What no growth can reach is not this collider's.
  const near = gaps.filter((gap) => gap <= bound);
  const wanted = near.length >= POINTS ? quantile(near, INSIDE) : gaps.length >= POINTS ? bound : 0;
  const growth = Math.min(Math.max(wanted, 0), bound);
  return { growth, limit: growth === 0 ? 'covered' : growth === bound ? 'growth' : 'skin' };
}
