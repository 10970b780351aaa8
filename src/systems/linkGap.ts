/**
 * Distance of a link to a round cone: the surface of a capsule with two radii, the union of balls q(s) = a + s e,
 * R(s) = R0 + kap s over its axis. Exact: the least over the box of both parameters (docs/solver.md, "Colliders").
 * Numbers go in and out through registers, so that nothing is boxed.
 */
import { headPoint, linkLength, linkRadius, tipDirection } from './registers.js';

/** Result: gap, place s on the axis, place u on the link. */
export const gapResult: Float64Array = new Float64Array(3);

/** Numbers of a round cone: first end a, unit direction e, length, radius at a, kap = (Rb - Ra) / length. */
export const coneSize = 9;

/** The tip, or the head, of the link: its gap. */
export function pointGap(cones: Float64Array, c: number, ofTip: boolean): void {
  const u = ofTip ? linkLength[0]! : 0;
  const ex = cones[c + 3]!;
  const ey = cones[c + 4]!;
  const ez = cones[c + 5]!;
  const length = cones[c + 6]!;
  const kap = cones[c + 8]!;
  const x = headPoint[0]! + u * tipDirection[0]! - cones[c]!;
  const y = headPoint[1]! + u * tipDirection[1]! - cones[c + 1]!;
  const z = headPoint[2]! + u * tipDirection[2]! - cones[c + 2]!;
  let s = 0;
  if (length > 0) {
    s = x * ex + y * ey + z * ez;
    if (kap !== 0) {
      const sx = x - s * ex;
      const sy = y - s * ey;
      const sz = z - s * ez;
      s += kap * Math.sqrt((sx * sx + sy * sy + sz * sz) / (1 - kap * kap));
    }
    s = s < 0 ? 0 : s > length ? length : s;
  }
  const dx = x - s * ex;
  const dy = y - s * ey;
  const dz = z - s * ez;
  const gap = Math.sqrt(dx * dx + dy * dy + dz * dz) - (cones[c + 7]! + linkRadius[0]!) - kap * s;
  if (gap >= gapResult[0]!) return;
  gapResult[0] = gap;
  gapResult[1] = s;
  gapResult[2] = u;
}

/** The ball at one end of the axis: its gap to the segment of the link. */
function ballGap(cones: Float64Array, c: number, ofTail: boolean): void {
  const l = linkLength[0]!;
  const s = ofTail ? cones[c + 6]! : 0;
  const ux = tipDirection[0]!;
  const uy = tipDirection[1]!;
  const uz = tipDirection[2]!;
  const x = cones[c]! + s * cones[c + 3]! - headPoint[0]!;
  const y = cones[c + 1]! + s * cones[c + 4]! - headPoint[1]!;
  const z = cones[c + 2]! + s * cones[c + 5]! - headPoint[2]!;
  let u = x * ux + y * uy + z * uz;
  u = u < 0 ? 0 : u > l ? l : u;
  const dx = x - u * ux;
  const dy = y - u * uy;
  const dz = z - u * uz;
  const gap = Math.sqrt(dx * dx + dy * dy + dz * dz) - (cones[c + 7]! + linkRadius[0]!) - cones[c + 8]! * s;
  if (gap >= gapResult[0]!) return;
  gapResult[0] = gap;
  gapResult[1] = s;
  gapResult[2] = u;
}

/**
 * Writes `gapResult` for the link from `headPoint` along `tipDirection`, `linkLength` long, and the round cone at `c` of
 * `cones`; the link's radius is added to the cone's.
 *
 * The distance is convex in both places: where its free minimum is outside of the box, the least lies on an edge beyond
 * which the free minimum is.
 *
 * @param tipOnly - only the tip counts
 */
export function linkGap(cones: Float64Array, c: number, tipOnly: boolean): void {
  gapResult[0] = Infinity;
  if (tipOnly) {
    pointGap(cones, c, true);
    return;
  }
  const length = cones[c + 6]!;
  if (length === 0) {
    ballGap(cones, c, false);
    return;
  }
  const l = linkLength[0]!;
  const ex = cones[c + 3]!;
  const ey = cones[c + 4]!;
  const ez = cones[c + 5]!;
  const dx = tipDirection[0]!;
  const dy = tipDirection[1]!;
  const dz = tipDirection[2]!;
  const kap = cones[c + 8]!;
  const b = dx * ex + dy * ey + dz * ez;
  const s2 = 1 - b * b;
  if (s2 < 1e-10 || kap * kap >= s2) {
    pointGap(cones, c, true);
    pointGap(cones, c, false);
    ballGap(cones, c, false);
    ballGap(cones, c, true);
    return;
  }
  const wx = headPoint[0]! - cones[c]!;
  const wy = headPoint[1]! - cones[c + 1]!;
  const wz = headPoint[2]! - cones[c + 2]!;
  const mx = dy * ez - dz * ey;
  const my = dz * ex - dx * ez;
  const mz = dx * ey - dy * ex;
  const lam = Math.abs(wx * mx + wy * my + wz * mz) / Math.sqrt(s2 - kap * kap);
  const we = wx * ex + wy * ey + wz * ez;
  const wd = wx * dx + wy * dy + wz * dz;
  const s = (we - b * wd + lam * kap) / s2;
  const u = s * b - wd;
  if (u < 0) pointGap(cones, c, false);
  else if (u > l) pointGap(cones, c, true);
  if (s < 0) ballGap(cones, c, false);
  else if (s > length) ballGap(cones, c, true);
  if (gapResult[0]! < Infinity) return;
  gapResult[0] = lam - (cones[c + 7]! + linkRadius[0]!) - kap * s;
  gapResult[1] = s;
  gapResult[2] = u;
}
