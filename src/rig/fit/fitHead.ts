/**
 * Proxy of a head: the capsule that fits best of those that stand up, point forward, lie across, or lead from the joint
 * to the middle of the skin (the snout of an animal). It stays in the middle plane.
 */
import { distance3, dot3, normalize3 } from '../../math/vec3.js';
import type { Directions } from './bodyParts.js';
import type { Fit } from './fitLimb.js';
import type { Proxy } from './proxy.js';
import { descend, lossOf, movesOf, quantile } from './search.js';
import type { PartSkin } from './visibleSkin.js';

/** Fewest points of a head. */
const POINTS = 12;
/** Largest difference of the radii, as a share of the mean. */
const TAPER = 0.5;
/** Numbers of a fit that move together: both ends, both shifts, both radii, the length, an end with its radius. */
const IN_PLANE = [
  [1, 1, 0, 0, 0, 0],
  [0, 0, 1, 1, 0, 0],
  [0, 0, 0, 0, 1, 1],
  [1, -1, 0, 0, 0, 0],
  [1, 0, 0, 0, 1, 0],
  [0, 1, 0, 0, 0, -1],
  [0, 0, 1, 1, 1, 1],
  [0, 0, 1, 1, -1, -1],
];
const ACROSS = [
  [1, 0, 0, -1],
  [0, 1, 0, 1],
  [0, 1, 0, -1],
  [0, 0, 1, 1],
  [0, 0, 1, -1],
];
/** Gap from which skin does not pull, in typical distances: ears, hats. */
const FAR = 0.25;
/** Cost of its length, per point: a snout is worth it, a horn or the tip of a hat is not. */
const LONG = 0.05;
/** An axis is taken over one before it when its loss is less than this share: no toss-ups. */
const SIMPLER = 0.95;

/**
 * Fits a head.
 *
 * @param others - points of other parts near it, 3 numbers each: a head has no skin where it meets the neck, so they say
 * where it ends
 * @returns undefined when there is too little skin
 */
export function fitHead(
  { points: own, centre, part }: PartSkin,
  others: Float64Array,
  directions: Directions,
  tapered: boolean,
): Fit | undefined {
  if (own.length < 3 * POINTS) return undefined;
  const { lateral, up, forward } = directions;
  const joint = part.line;
  // In the middle plane.
  const shift = dot3(lateral, 0, joint, 0) - dot3(lateral, 0, centre, 0);
  const middle = centre.map((value, k) => value + shift * lateral[k]!);
  const distances: number[] = [];
  for (let o = 0; o < own.length; o += 3) distances.push(distance3(own, o, middle, 0));
  const typical = quantile(distances, 0.5);
  if (!(typical > 0)) return undefined;
  const points: HeadPoints = { own, others, typical };
  const snout = middle.map((value, k) => value - joint[k]!);
  if (normalize3(snout, 0, snout, 0) === 0) snout.set(up);
  let best: Fit | undefined;
  for (const way of [up, forward, snout]) {
    const fit = inPlane(points, middle, way, lateral, tapered);
    if (best === undefined || fit.loss < SIMPLER * best.loss) best = fit;
  }
  const fit = acrossPlane(points, middle, directions);
  return best === undefined || fit.loss < SIMPLER * best.loss ? fit : best;
}

/** What a head is fitted to. */
interface HeadPoints {
  own: Float64Array;
  others: Float64Array;
  /** Typical distance of its own from the middle. */
  typical: number;
}

/** A capsule along a direction of the middle plane. */
function inPlane(
  points: HeadPoints,
  middle: Float64Array,
  way: Float64Array,
  lateral: Float64Array,
  tapered: boolean,
): Fit {
  const square = Float64Array.of(
    lateral[1]! * way[2]! - lateral[2]! * way[1]!,
    lateral[2]! * way[0]! - lateral[0]! * way[2]!,
    lateral[0]! * way[1]! - lateral[1]! * way[0]!,
  );
  const proxyAt = ([low, high, offLow, offHigh, ra, rb]: readonly number[]): Proxy => {
    const end = (along: number, off: number): Float64Array =>
      middle.map((value, k) => value + along * way[k]! + off * square[k]!);
    return { a: end(low!, offLow!), b: end(high!, offHigh!), ra: ra!, rb: tapered ? rb! : ra! };
  };
  const t = points.typical;
  return search(
    points,
    proxyAt,
    [-0.1 * t, 0.1 * t, 0, 0, t, t],
    movesOf(t / 4, 6, IN_PLANE),
    (x, { ra, rb }) => {
      const mean = (ra + rb) / 2;
      return (
        x[1]! >= x[0]! &&
        Math.abs(ra - rb) <= TAPER * mean &&
        Math.min(ra, rb) >= 0.2 * t &&
        Math.max(ra, rb) <= 2 * t
      );
    },
  );
}

/** A capsule from side to side. */
function acrossPlane(points: HeadPoints, middle: Float64Array, { lateral, up, forward }: Directions): Fit {
  const t = points.typical;
  const proxyAt = ([half, u, f, radius]: readonly number[]): Proxy => {
    const end = (sign: number): Float64Array =>
      middle.map((value, k) => value + sign * half! * lateral[k]! + u! * up[k]! + f! * forward[k]!);
    return { a: end(1), b: end(-1), ra: radius!, rb: radius! };
  };
  return search(
    points,
    proxyAt,
    [0.1 * t, 0, 0, t],
    movesOf(t / 4, 4, ACROSS),
    (x, { ra }) => x[0]! >= 0 && ra >= 0.2 * t && ra <= 2 * t,
  );
}

function search(
  points: HeadPoints,
  proxyAt: (x: readonly number[]) => Proxy,
  start: readonly number[],
  moves: readonly (readonly number[])[],
  isAllowed: (x: readonly number[], proxy: Proxy) => boolean,
): Fit {
  const found = descend(start, moves, (x) => {
    const proxy = proxyAt(x);
    if (!isAllowed(x, proxy)) return Infinity;
    const length = distance3(proxy.a, 0, proxy.b, 0);
    return lossOf(proxy, points.own, points.others, FAR * points.typical) + LONG * length;
  });
  return { proxy: proxyAt(found.x), loss: found.loss };
}
