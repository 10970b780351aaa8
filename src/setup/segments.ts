/** Two segments in space: their nearest points. Numbers go out through registers, so that nothing is boxed. */

/** Shares of both segments at which {@link findNearest} found them nearest, 0 to 1. */
export const nearestShares: Float64Array = new Float64Array(2);

/**
 * Writes `nearestShares` of the segments from a[i...] to b[j...] and from c[k...] to d[l...].
 *
 * The square of the distance is convex in both shares: its least over one share alone is a clamped line, and two such
 * steps from the free minimum, which lies on the edge of the square where that is outside, reach it.
 */
export function findNearest(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  c: Float64Array,
  k: number,
  d: Float64Array,
  l: number,
): void {
  const ux = b[j]! - a[i]!;
  const uy = b[j + 1]! - a[i + 1]!;
  const uz = b[j + 2]! - a[i + 2]!;
  const vx = d[l]! - c[k]!;
  const vy = d[l + 1]! - c[k + 1]!;
  const vz = d[l + 2]! - c[k + 2]!;
  const wx = a[i]! - c[k]!;
  const wy = a[i + 1]! - c[k + 1]!;
  const wz = a[i + 2]! - c[k + 2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const square = uu * vv - uv * uv;
  // Parallel segments: any share of the first will do to begin with.
  let s = square > 1e-12 * uu * vv ? (uv * vw - vv * uw) / square : 0;
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  let t = vv > 0 ? (uv * s + vw) / vv : 0;
  if (t < 0 || t > 1) {
    t = t < 0 ? 0 : 1;
    s = uu > 0 ? (uv * t - uw) / uu : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
  }
  nearestShares[0] = s;
  nearestShares[1] = t;
}

/** Distance of the segments that {@link findNearest} is given. */
export function segmentDistance(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  c: Float64Array,
  k: number,
  d: Float64Array,
  l: number,
): number {
  findNearest(a, i, b, j, c, k, d, l);
  let square = 0;
  for (let r = 0; r < 3; r++) {
    const p = a[i + r]! + nearestShares[0]! * (b[j + r]! - a[i + r]!);
    const q = c[k + r]! + nearestShares[1]! * (d[l + r]! - c[k + r]!);
    square += (p - q) * (p - q);
  }
  return Math.sqrt(square);
}
