/**
 * The fit of a proxy to points on the visible skin: a pattern search on the pinball loss (Koenker and Bassett, 1978).
 * A point that sticks out costs its gap times `OUTSIDE`, one below the surface its depth, so at the optimum the share
 * OUTSIDE / (OUTSIDE + 1) of the points is inside. What sticks out farther than a given distance costs no more than that:
 * ears, the brim of a hat, a skirt around a leg do not pull. No derivatives, no randomness: exact operations in a fixed order.
 */

import { coneOf, gapTo, type Proxy } from './proxy.js';

/** How much worse skin outside of its proxy is than skin below its surface. */
export const OUTSIDE = 4;

/** Times that the steps are halved: to 2^-12 of the first. */
const HALVINGS = 12;
/** Most sweeps over all numbers at one step size. */
const SWEEPS = 24;

/** Loss of one gap; from `far` on it no longer grows. */
function pinball(gap: number, far: number): number {
  return gap > 0 ? OUTSIDE * Math.min(gap, far) : -gap;
}

/** Cost of lying over the skin of another part, relative to lying over one's own. */
const OTHERS = 0.5;

/**
 * Sum of the losses of a proxy.
 *
 * @param own - points of its part, 3 numbers each
 * @param others - points of other parts: it must not stand out of them either; where it is inside of them is its business
 * @param far - gap from which a point does not pull
 */
export function lossOf(proxy: Proxy, own: Float64Array, others: Float64Array, far: number): number {
  const cone = coneOf(proxy);
  let sum = 0;
  for (let o = 0; o < own.length; o += 3) sum += pinball(gapTo(cone, own, o), far);
  for (let o = 0; o < others.length; o += 3) {
    const gap = gapTo(cone, others, o);
    if (gap < 0) sum -= OTHERS * gap;
  }
  return (3 * sum) / own.length;
}

/**
 * Walks downhill along one move after another; both ways are tried and the better is taken, so that a mirrored problem
 * takes the mirrored way.
 *
 * @param start - numbers to begin with; not changed
 * @param moves - what may be added to the numbers, at the first and largest step
 * @param loss - what to make small; Infinity forbids
 */
export function descend(
  start: readonly number[],
  moves: readonly (readonly number[])[],
  loss: (x: readonly number[]) => number,
): { x: number[]; loss: number } {
  let x = [...start];
  let best = loss(x);
  const moved = (move: readonly number[], by: number): number[] => x.map((value, i) => value + by * move[i]!);
  for (let halving = 0, size = 1; halving <= HALVINGS; halving++, size /= 2) {
    for (let sweep = 0, improved = true; improved && sweep < SWEEPS; sweep++) {
      improved = false;
      for (const move of moves) {
        const up = moved(move, size);
        const down = moved(move, -size);
        const upLoss = loss(up);
        const downLoss = loss(down);
        if (Math.min(upLoss, downLoss) >= best) continue;
        x = upLoss <= downLoss ? up : down;
        best = Math.min(upLoss, downLoss);
        improved = true;
      }
    }
  }
  return { x, loss: best };
}

/**
 * Moves for {@link descend}: each number by a step, and groups of them together.
 *
 * @param step - largest step
 * @param count - how many numbers there are
 * @param together - groups: the sign of each number, 0 for those that stay
 */
export function movesOf(
  step: number,
  count: number,
  together: readonly (readonly number[])[] = [],
): number[][] {
  const alone = Array.from({ length: count }, (_, i) =>
    Array.from({ length: count }, (__, k) => (k === i ? step : 0)),
  );
  return [...alone, ...together.map((signs) => signs.map((sign) => sign * step))];
}

/** The value below which a share of the values lies; 0 without any. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  if (values.length === 0) return 0;
  return selected(Float64Array.from(values), Math.min(Math.floor(share * values.length), values.length - 1));
}

/** The value that would stand at a place if all were sorted (Hoare, 1961); reorders them. */
function selected(values: Float64Array, place: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return values[place]!;
}
