/**
 * k-d trees over ranges of one list of points: nearest point of a range within a distance. Balanced and implicit (the
 * middle of a range is its root), so a tree is nothing but the order of the points in its range.
 */
import { isBefore } from './places.js';

/** Trees over points; a tree is a range of {@link order}. */
export interface KdForest {
  /** 3 per point. */
  positions: Float64Array;
  /** Points, range by range. */
  order: Uint32Array;
}

/** What a search found. */
export interface Nearest {
  /** The point, -1 when none lies within the distance. */
  point: number;
  /** Its squared distance. */
  squared: number;
}

/** Orders the points in `order` from `low` to `high` (exclusive) as a tree. */
export function plantTree(forest: KdForest, low: number, high: number, axis = 0): void {
  const stack = [low, high, axis];
  while (stack.length > 0) {
    const a = stack.pop()!;
    const to = stack.pop()!;
    const from = stack.pop()!;
    if (to - from < 2) continue;
    const middle = (from + to) >> 1;
    select(forest, from, to - 1, middle, a);
    const next = a === 2 ? 0 : a + 1;
    stack.push(from, middle, next, middle + 1, to, next);
  }
}

/** Hoare's selection: the element at `k` is in its place, smaller ones before it, larger ones behind. */
function select({ positions, order }: KdForest, left: number, right: number, k: number, axis: number): void {
  let from = left;
  let to = right;
  while (from < to) {
    const pivot = positions[3 * order[k]! + axis]!;
    let i = from;
    let j = to;
    do {
      while (positions[3 * order[i]! + axis]! < pivot) i++;
      while (pivot < positions[3 * order[j]! + axis]!) j--;
      if (i <= j) {
        const swap = order[i]!;
        order[i] = order[j]!;
        order[j] = swap;
        i++;
        j--;
      }
    } while (i <= j);
    if (j < k) from = i;
    if (k < i) to = j;
  }
}

/**
 * The nearest point of a tree.
 *
 * @param found - `squared` is the squared distance to search within; both members are overwritten
 */
export function nearestInTree(
  forest: KdForest,
  low: number,
  high: number,
  x: number,
  y: number,
  z: number,
  found: Nearest,
  axis = 0,
): void {
  const { positions, order } = forest;
  let from = low;
  let to = high;
  let a = axis;
  while (from < to) {
    const middle = (from + to) >> 1;
    const point = order[middle]!;
    const dx = positions[3 * point]! - x;
    const dy = positions[3 * point + 1]! - y;
    const dz = positions[3 * point + 2]! - z;
    const squared = dx * dx + dy * dy + dz * dz;
    if (
      squared < found.squared ||
      (squared === found.squared && found.point >= 0 && isBefore(positions, point, found.point))
    ) {
      found.squared = squared;
      found.point = point;
    }
    const beyond = a === 0 ? dx : a === 1 ? dy : dz;
    const next = a === 2 ? 0 : a + 1;
    if (beyond > 0) {
      nearestInTree(forest, from, middle, x, y, z, found, next);
      if (beyond * beyond > found.squared) return;
      from = middle + 1;
    } else {
      nearestInTree(forest, middle + 1, to, x, y, z, found, next);
      if (beyond * beyond > found.squared) return;
      to = middle;
    }
    a = next;
  }
}

/**
 * The largest value of a figure in the subtree below each place of the order.
 *
 * @param largest - receives it
 * @param values - the figure, by point
 */
export function largestBelow(
  largest: Float64Array,
  forest: KdForest,
  low: number,
  high: number,
  values: Float64Array,
): number {
  if (low >= high) return 0;
  const middle = (low + high) >> 1;
  return (largest[middle] = Math.max(
    values[forest.order[middle]!]!,
    largestBelow(largest, forest, low, middle, values),
    largestBelow(largest, forest, middle + 1, high, values),
  ));
}

/** Reach of the points of a tree. */
export interface Reach {
  /** Reach of each point. */
  of: Float64Array;
  /** Largest reach in the subtree at each place of the order. */
  largest: Float64Array;
  /** Factor of both. */
  scale: number;
  /** Every point reaches at least so far. */
  least: number;
}

/** Visits the points of a tree that may reach a box, in the order of the tree. */
export function visitReaching(
  forest: KdForest,
  low: number,
  high: number,
  box: Float64Array,
  corner: number,
  reach: Reach,
  visit: (point: number, reach: number) => void,
  axis = 0,
): void {
  const { positions, order } = forest;
  let from = low;
  let a = axis;
  while (from < high) {
    const middle = (from + high) >> 1;
    const point = order[middle]!;
    const at = positions[3 * point + a]!;
    const next = a === 2 ? 0 : a + 1;
    if (from < middle && at + reachBelow(reach, from, middle) >= box[corner + a]!)
      visitReaching(forest, from, middle, box, corner, reach, visit, next);
    const own = Math.max(reach.scale * reach.of[point]!, reach.least);
    if (at + own >= box[corner + a]! && at - own <= box[corner + a + 3]!) visit(point, own);
    if (middle + 1 >= high || at - reachBelow(reach, middle + 1, high) > box[corner + a + 3]!) return;
    from = middle + 1;
    a = next;
  }
}

function reachBelow({ largest, scale, least }: Reach, low: number, high: number): number {
  return Math.max(scale * largest[(low + high) >> 1]!, least);
}
