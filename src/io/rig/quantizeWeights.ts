/**
 * Weights of one vertex as a file stores them: they sum to 1 as exactly as the format can say it.
 */

/**
 * Weights as whole numbers that sum exactly to `total`: each is rounded down, and what is missing goes to those that
 * lost most (the largest remainder method), the earlier one where two lost the same.
 *
 * @param weights - from 0, of any positive sum
 * @param total - the number that stands for 1: 255 or 65535
 */
export function quantizeWeights(weights: ArrayLike<number>, total: number): number[] {
  const exact = scaled(weights, total);
  const whole = exact.map(Math.floor);
  const losers = exact
    .map((value, k) => ({ k, lost: value - whole[k]! }))
    .filter(({ k }) => exact[k]! > 0)
    .toSorted((a, b) => b.lost - a.lost || a.k - b.k);
  let missing = total - whole.reduce((sum, value) => sum + value, 0);
  for (const { k } of losers) {
    if (missing <= 0) break;
    whole[k]!++;
    missing--;
  }
  return whole;
}

/**
 * Weights as float32 numbers; what rounding took from their sum goes to the largest.
 *
 * @param weights - from 0, of any positive sum
 */
export function roundWeights(weights: ArrayLike<number>): number[] {
  const rounded = scaled(weights, 1).map(Math.fround);
  const largest = rounded.indexOf(Math.max(...rounded));
  const missing = 1 - rounded.reduce((sum, value) => sum + value, 0);
  rounded[largest] = Math.fround(rounded[largest]! + missing);
  return rounded;
}

function scaled(weights: ArrayLike<number>, total: number): number[] {
  const list = Array.from(weights);
  const sum = list.reduce((all, weight) => all + weight, 0);
  return list.map((weight) => (weight / sum) * total);
}
