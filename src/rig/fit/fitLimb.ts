/**
 * Proxy of a part with a straight line through it: a segment of a limb, a neck. The line runs from joint to joint, so the
 * capsule turns with the bone; at both ends its middle may leave the line (a calf lies behind its bone), and each end
 * has a radius of its own.
 */
import type { Directions } from './bodyParts.js';
import type { Proxy } from './proxy.js';
import { descend, lossOf, movesOf, quantile } from './search.js';
import { placeOnLine, segmentFrames } from './visibleSkin.js';

/** Farthest that a middle may leave the line, in typical radii. */
const AWAY = 0.6;
/** Thinnest and thickest radius, in typical ones. */
const THIN = 0.2;
const THICK = 2.5;
/** Largest difference of the radii, as a share of the length. */
const TAPER = 0.5;

/** Gap from which skin does not pull, in typical radii: cuffs and hems. */
const FAR = 0.4;
/** Numbers of a fit that move together: both middles, both radii, a middle with its radius. */
const TOGETHER = [
  [1, 0, 0, 1, 0, 0],
  [0, 1, 0, 0, 1, 0],
  [0, 0, 1, 0, 0, 1],
  [0, 0, 1, 0, 0, -1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 0, 0],
  [0, 0, 0, 0, 1, 1],
  [0, 0, 0, 0, 1, -1],
];

/** A proxy and how well it fits. */
export interface Fit {
  proxy: Proxy;
  /** Mean loss of a point, world units. */
  loss: number;
}

/**
 * Fits a capsule to points around a line.
 *
 * @param line - start and end, world
 * @param points - 3 each; those beyond the ends of the line do not count
 * @param others - points of other parts near it
 * @param tapered - whether the ends may differ
 * @returns undefined when too few points stand beside the line
 */
export function fitAlong(
  line: number[],
  points: Float64Array,
  others: Float64Array,
  directions: Directions,
  tapered: boolean,
): Fit | undefined {
  const { side, other } = segmentFrames(line, directions)[0]!;
  const beside: number[] = [];
  const away: number[] = [];
  let length = 0;
  for (let k = 0; k < 3; k++) length += (line[3 + k]! - line[k]!) * (line[3 + k]! - line[k]!);
  length = Math.sqrt(length);
  for (let o = 0; o < points.length; o += 3) {
    const place = placeOnLine(line, points, o);
    if (place.along < 0 || place.along > length) continue;
    beside.push(points[o]!, points[o + 1]!, points[o + 2]!);
    away.push(place.away);
  }
  const typical = quantile(away, 0.5);
  if (beside.length < 24 || !(typical > 0)) return undefined;
  const own = Float64Array.from(beside);
  const proxyAt = (x: readonly number[]): Proxy => {
    const [ax, ay, ra, bx, by, rb] = x as [number, number, number, number, number, number];
    const end = (o: number, u: number, v: number): Float64Array =>
      Float64Array.from([0, 1, 2], (k) => line[o + k]! + u * side[k]! + v * other[k]!);
    return { a: end(0, ax, ay), b: end(3, bx, by), ra, rb: tapered ? rb : ra };
  };
  const loss = (x: readonly number[]): number => {
    const proxy = proxyAt(x);
    const most = AWAY * typical;
    if (x[0]! * x[0]! + x[1]! * x[1]! > most * most || x[3]! * x[3]! + x[4]! * x[4]! > most * most)
      return Infinity;
    if (Math.min(proxy.ra, proxy.rb) < THIN * typical || Math.max(proxy.ra, proxy.rb) > THICK * typical)
      return Infinity;
    if (Math.abs(proxy.ra - proxy.rb) > TAPER * length) return Infinity;
    return lossOf(proxy, own, others, FAR * typical);
  };
  const found = descend([0, 0, typical, 0, 0, typical], movesOf(typical / 4, 6, TOGETHER), loss);
  return { proxy: proxyAt(found.x), loss: found.loss };
}
