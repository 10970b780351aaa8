/**
 * Proxies of a torso. A trunk is wide and flat, or narrow and deep, and a capsule is round: so it is stacked from
 * capsules that lie across it, from side to side (or from back to belly), as artists do. A round trunk gets a few
 * capsules along its line.
 */
import type { Directions } from './bodyParts.js';
import { fitAlong, type Fit } from './fitLimb.js';
import type { Proxy } from './proxy.js';
import { descend, lossOf, movesOf, quantile } from './search.js';
import { placeOnLine, segmentFrames, type PartSkin } from './visibleSkin.js';

/** Distance of two capsules of a stack, in their radius: the valley between them is 1 - sqrt(1 - 0.45^2) = 11% of it. */
const SPACING = 0.9;
/** Most capsules of a stack, and of a row along the line. */
const MOST = 10;
const MOST_ALONG = 5;
/** Length of a capsule along the line, in radii. */
const LONG = 3;
/** How far the first and the last capsule lie from the ends of the skin, and how far the skin of each reaches, in radii. */
const INSET = 0.5;
const BESIDE = 0.6;
/** Half width over radius from which a trunk is not round. */
const ROUND = 0.2;
/** Share of the skin that may lie beyond the first and the last capsule. */
const ENDS = 0.04;
/** Gap from which skin does not pull, in typical radii: a wide hem, a thing on the back. */
const FAR = 0.3;
/** Numbers of a fit that move together: half width and radius, shift and radius. */
const TOGETHER = [
  [0, 1, -1],
  [1, 0, 1],
  [1, 0, -1],
];
/** Largest shift of a middle, in typical radii. */
const AWAY = 1;

/** Proxies with the points they were fitted to. */
export interface TorsoPiece extends Fit {
  /** Indices of its points. */
  own: number[];
}

/**
 * Fits a torso.
 *
 * @param others - points of other parts near it
 * @returns nothing when there is too little skin
 */
export function fitTorso(
  skin: PartSkin,
  others: Float64Array,
  directions: Directions,
  tapered: boolean,
): TorsoPiece[] {
  if (!(skin.radius > 0) || skin.points.length < 24) return [];
  const depth = shortRadius(skin, directions);
  const low = quantile([...skin.along], ENDS);
  const high = quantile([...skin.along], 1 - ENDS);
  if (!(high > low) || !(depth > 0)) return [];
  const stack = stacked(skin, others, directions, depth, low, high);
  const widths = stack.map(({ proxy }) => widthOf(proxy) / (2 * Math.max(proxy.ra, proxy.rb)));
  if (stack.length > 0 && quantile(widths, 0.5) >= ROUND) return stack;
  const row = inRow(skin, others, directions, low, high, tapered);
  return row.length > 0 ? row : stack;
}

function widthOf({ a, b }: Proxy): number {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (b[k]! - a[k]!) * (b[k]! - a[k]!);
  return Math.sqrt(square);
}

/** The smaller of half the width and half the depth, typical over the length. */
function shortRadius({ points, part, length }: PartSkin, directions: Directions): number {
  const frames = segmentFrames(part.line, directions);
  const across: [number[], number[]] = [[], []];
  for (let o = 0; o < points.length; o += 3) {
    const { along, segment } = placeOnLine(part.line, points, o);
    if (along < 0 || along > length) continue;
    const { side, other } = frames[segment]!;
    let x = 0;
    let y = 0;
    for (let k = 0; k < 3; k++) {
      const off = points[o + k]! - part.line[3 * segment + k]!;
      x += off * side[k]!;
      y += off * other[k]!;
    }
    across[0].push(x);
    across[1].push(y);
  }
  // Points of a circle have 0.92 of its radius at the eighth of the order statistics.
  return Math.min(...across.map((values) => (quantile(values, 0.875) - quantile(values, 0.125)) / 2)) / 0.92;
}

function stacked(
  skin: PartSkin,
  others: Float64Array,
  directions: Directions,
  depth: number,
  low: number,
  high: number,
): TorsoPiece[] {
  const from = low + INSET * depth;
  const to = high - INSET * depth;
  const count = to > from ? Math.min(Math.ceil((to - from) / (SPACING * depth)) + 1, MOST) : 1;
  const place = (i: number): number =>
    count === 1 ? (low + high) / 2 : from + ((to - from) * i) / (count - 1);
  const owned: number[][] = Array.from({ length: count }, () => []);
  const step = count === 1 ? high - low : (to - from) / (count - 1);
  for (let i = 0; i < skin.along.length; i++) {
    const along = skin.along[i]!;
    if (along < low - depth || along > high + depth) continue;
    const at = count === 1 ? 0 : Math.min(Math.max(Math.round((along - from) / step), 0), count - 1);
    // What lies far beyond the ends of the stack is for no ball to cover.
    if (Math.abs(along - place(at)) <= Math.max(step / 2, BESIDE * depth)) owned[at]!.push(i);
  }
  return owned.flatMap((own, i) => capsuleAcross(skin, others, directions, depth, place(i), own) ?? []);
}

/** One capsule across the line at a place: its middle, half width, radius; sideways or the other way, whichever fits better. */
function capsuleAcross(
  skin: PartSkin,
  others: Float64Array,
  directions: Directions,
  depth: number,
  along: number,
  own: readonly number[],
): TorsoPiece | undefined {
  if (own.length < 8) return undefined;
  const points = pick(skin.points, own);
  const { line } = skin.part;
  const centre = pointOnLine(line, along);
  const { segment } = placeOnLine(line, centre, 0);
  const { side, other } = segmentFrames(line, directions)[segment]!;
  let best: TorsoPiece | undefined;
  for (const sideways of [true, false]) {
    const [wide, deep] = sideways ? [side, other] : [other, side];
    // A body is alike on both sides: a capsule stays in the middle plane.
    const proxyAt = ([shift, half, radius]: readonly number[]): Proxy => {
      const end = (sign: number): Float64Array =>
        Float64Array.from([0, 1, 2], (k) =>
          sideways
            ? centre[k]! + sign * half! * wide[k]! + shift! * deep[k]!
            : centre[k]! + (shift! + sign * half!) * wide[k]!,
        );
      return { a: end(1), b: end(-1), ra: radius!, rb: radius! };
    };
    const loss = (x: readonly number[]): number => {
      const [shift, half, radius] = x as [number, number, number];
      if (half < 0 || radius < 0.3 * depth || radius > 3 * depth || Math.abs(shift) > AWAY * depth)
        return Infinity;
      return lossOf(proxyAt(x), points, others, FAR * depth);
    };
    const found = descend([0, depth / 4, depth], movesOf(depth / 4, 3, TOGETHER), loss);
    if (best === undefined || found.loss < best.loss)
      best = { proxy: proxyAt(found.x), loss: found.loss, own: [...own] };
  }
  return best;
}

/** Some of the points. */
function pick(points: Float64Array, which: readonly number[]): Float64Array {
  return Float64Array.from(which.flatMap((i) => [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!]));
}

function pointOnLine(line: number[], along: number): number[] {
  let rest = along;
  for (let s = 0; ; s += 3) {
    let length = 0;
    for (let k = 0; k < 3; k++)
      length += (line[s + 3 + k]! - line[s + k]!) * (line[s + 3 + k]! - line[s + k]!);
    length = Math.sqrt(length);
    if (rest <= length || s + 6 >= line.length)
      return [0, 1, 2].map((k) => line[s + k]! + (rest / length) * (line[s + 3 + k]! - line[s + k]!));
    rest -= length;
  }
}

/** Capsules along the line, one after the other. */
function inRow(
  skin: PartSkin,
  others: Float64Array,
  directions: Directions,
  low: number,
  high: number,
  tapered: boolean,
): TorsoPiece[] {
  const { line } = skin.part;
  const count = Math.min(Math.max(Math.round((high - low) / (LONG * skin.radius)), 1), MOST_ALONG);
  const inset = Math.min(skin.radius * 0.8, (high - low) / 4);
  const at = (i: number): number[] => pointOnLine(line, low + inset + ((high - low - 2 * inset) * i) / count);
  const pieces: TorsoPiece[] = [];
  for (let i = 0; i < count; i++) {
    const [from, to] = [low + ((high - low) * i) / count, low + ((high - low) * (i + 1)) / count];
    const own = [...skin.along.keys()].filter((j) => skin.along[j]! >= from && skin.along[j]! <= to);
    const fit = fitAlong([...at(i), ...at(i + 1)], pick(skin.points, own), others, directions, tapered);
    if (fit !== undefined) pieces.push({ ...fit, own });
  }
  return pieces;
}
