/**
 * Statistics of stretch ratios as the table of a measurement shows them. Percentiles are nearest-rank over all
 * ratios of the class (one per edge and sample), so they speak of stretch; compression shows in `min` and `torn`.
 */

/** Ratio above which an edge counts as torn. */
const tornAbove = 1.5;
/** Ratio below which an edge counts as torn (crushed). */
const tornBelow = 0.67;

/** Stretch of one class of edges; figures are null when the class has no edge. */
export interface StretchFigures {
  /** Edges of the class. */
  edges: number;
  /** Ratios measured: edges x samples. */
  samples: number;
  /** 95th percentile of posed / bind length (nearest rank). */
  p95: number | null;
  /** 99th percentile (nearest rank). */
  p99: number | null;
  /** Largest ratio. */
  max: number | null;
  /** Smallest ratio. */
  min: number | null;
  /** Share of ratios above 1.5 or below 0.67, 0..1. */
  torn: number | null;
}

/**
 * Nearest-rank percentile: the smallest value that at least `share` of all values do not exceed.
 *
 * @param sorted - values in ascending order, at least one
 * @param share - 0..1
 */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[Math.min(rank, sorted.length) - 1]!;
}

/**
 * Figures of one class.
 *
 * @param ratios - posed / bind length, one per edge and sample; sorted in place
 * @param edges - edges of the class
 */
export function stretchFigures(ratios: Float64Array, edges: number): StretchFigures {
  const samples = ratios.length;
  if (samples === 0) return { edges, samples, p95: null, p99: null, max: null, min: null, torn: null };
  ratios.sort();
  let torn = 0;
  for (let i = 0; i < samples; i++) if (ratios[i]! > tornAbove || ratios[i]! < tornBelow) torn++;
  return {
    edges,
    samples,
    p95: percentile(ratios, 0.95),
    p99: percentile(ratios, 0.99),
    max: ratios[samples - 1]!,
    min: ratios[0]!,
    torn: torn / samples,
  };
}
