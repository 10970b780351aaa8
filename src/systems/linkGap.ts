/**
 * Distance of a link to a round cone: the surface of a capsule with two radii, the union of balls q(s) = a + s e,
 * R(s) = R0 + kap s over its axis. Exact: the least over the box of both parameters (docs/solver.md, "Colliders").
 * Numbers go in and out through registers, so that nothing is boxed.
 */
import { headPoint, tipDirection } from './registers.js';

/** Result: gap, place s on the axis, place u on the link. */
export const gapResult: Float64Array = new Float64Array(3);
/** Axis of the round cone: first end a, unit direction e, length. */
export const coneAxis: Float64Array = new Float64Array(7);
/** R0 with the link's radius, and kap = (Rb - Ra) / length. */
export const coneRadius: Float64Array = new Float64Array(2);
/** Length of the link that is looked at; 0: its head alone. */
export const gapLength: Float64Array = new Float64Array(1);

/** What {@link keepLess} compares: gap, s, u. */
const trial = new Float64Array(3);

function keepLess(): void {
  if (trial[0]! >= gapResult[0]!) return;
  gapResult[0] = trial[0]!;
  gapResult[1] = trial[1]!;
  gapResult[2] = trial[2]!;
}

/** Gap of the head, or of the tip. */
function pointGap(ofTip: boolean): void {
  const u = ofTip ? gapLength[0]! : 0;
  const ex = coneAxis[3]!;
  const ey = coneAxis[4]!;
  const ez = coneAxis[5]!;
  const length = coneAxis[6]!;
  const kap = coneRadius[1]!;
  const x = headPoint[0]! + u * tipDirection[0]! - coneAxis[0]!;
  const y = headPoint[1]! + u * tipDirection[1]! - coneAxis[1]!;
  const z = headPoint[2]! + u * tipDirection[2]! - coneAxis[2]!;
  const along = x * ex + y * ey + z * ez;
  const sx = x - along * ex;
  const sy = y - along * ey;
  const sz = z - along * ez;
  const side = Math.sqrt(sx * sx + sy * sy + sz * sz);
  let s = kap === 0 ? along : along + (kap * side) / Math.sqrt(1 - kap * kap);
  s = s < 0 ? 0 : s > length ? length : s;
  const dx = x - s * ex;
  const dy = y - s * ey;
  const dz = z - s * ez;
  trial[0] = Math.sqrt(dx * dx + dy * dy + dz * dz) - coneRadius[0]! - kap * s;
  trial[1] = s;
  trial[2] = u;
  keepLess();
}

/** Gap of the ball at one end of the axis to the segment of the link. */
function ballGap(ofTail: boolean): void {
  const l = gapLength[0]!;
  const s = ofTail ? coneAxis[6]! : 0;
  const x = coneAxis[0]! + s * coneAxis[3]! - headPoint[0]!;
  const y = coneAxis[1]! + s * coneAxis[4]! - headPoint[1]!;
  const z = coneAxis[2]! + s * coneAxis[5]! - headPoint[2]!;
  let u = x * tipDirection[0]! + y * tipDirection[1]! + z * tipDirection[2]!;
  u = u < 0 ? 0 : u > l ? l : u;
  const dx = x - u * tipDirection[0]!;
  const dy = y - u * tipDirection[1]!;
  const dz = z - u * tipDirection[2]!;
  trial[0] = Math.sqrt(dx * dx + dy * dy + dz * dz) - coneRadius[0]! - coneRadius[1]! * s;
  trial[1] = s;
  trial[2] = u;
  keepLess();
}

/**
 * Writes `gapResult` for the link from `headPoint` along `tipDirection`, `gapLength` long; `coneAxis` and `coneRadius`
 * say the round cone.
 *
 * @param tipOnly - only the tip counts
 */
export function linkGap(tipOnly: boolean): void {
  gapResult[0] = Infinity;
  pointGap(true);
  if (tipOnly) return;
  pointGap(false);
  ballGap(false);
  ballGap(true);
  const ex = coneAxis[3]!;
  const ey = coneAxis[4]!;
  const ez = coneAxis[5]!;
  const dx = tipDirection[0]!;
  const dy = tipDirection[1]!;
  const dz = tipDirection[2]!;
  const kap = coneRadius[1]!;
  const b = dx * ex + dy * ey + dz * ez;
  const s2 = 1 - b * b;
  if (s2 < 1e-10 || kap * kap >= s2) return;
  const wx = headPoint[0]! - coneAxis[0]!;
  const wy = headPoint[1]! - coneAxis[1]!;
  const wz = headPoint[2]! - coneAxis[2]!;
  const mx = dy * ez - dz * ey;
  const my = dz * ex - dx * ez;
  const mz = dx * ey - dy * ex;
  const lam = Math.abs(wx * mx + wy * my + wz * mz) / Math.sqrt(s2 - kap * kap);
  const we = wx * ex + wy * ey + wz * ez;
  const wd = wx * dx + wy * dy + wz * dz;
  const s = (we - b * wd + lam * kap) / s2;
  const u = s * b - wd;
  if (!(u >= 0 && u <= gapLength[0]! && s >= 0 && s <= coneAxis[6]!)) return;
  trial[0] = lam - coneRadius[0]! - kap * s;
  trial[1] = s;
  trial[2] = u;
  keepLess();
}
