/**
 * Moves a chain's state rigidly: what of a motion is not to be felt (docs/solver.md, "Inertia", "Teleport", "Centre").
 */
import type { Views } from '../components/stores.js';
import { rotateVec3 } from '../math/index.js';
import { mirrorSign } from './registers.js';

/** The rotation to move by, a quaternion with w >= 0. */
export const turn: Float64Array = new Float64Array(4);
/** Where the attachment point of the last tick is put. */
export const target: Float64Array = new Float64Array(3);
const moved = new Float64Array(3);
const matrix = new Float64Array(9);

/** Writes `turn`: what takes the frame at `last[at...]` to `now`, both 3x3 in columns. */
export function rotationBetween(now: Float64Array, last: Float64Array, at: number): void {
  // matrix = now x transposed last
  for (let c = 0; c < 3; c++)
    for (let r = 0; r < 3; r++) {
      let sum = 0;
      for (let k = 0; k < 9; k += 3) sum += now[k + r]! * last[at + k + c]!;
      matrix[c * 3 + r] = sum;
    }
  // Largest component first, so that no root of a small number is divided by.
  const a = matrix[0]!;
  const b = matrix[4]!;
  const c = matrix[8]!;
  const x = matrix[5]! - matrix[7]!;
  const y = matrix[6]! - matrix[2]!;
  const z = matrix[1]! - matrix[3]!;
  const xy = matrix[1]! + matrix[3]!;
  const xz = matrix[2]! + matrix[6]!;
  const yz = matrix[5]! + matrix[7]!;
  if (a + b + c > 0) setTurn(x, y, z, 1 + a + b + c);
  else if (a >= b && a >= c) setTurn(1 + a - b - c, xy, xz, x);
  else if (b >= c) setTurn(xy, 1 - a + b - c, yz, y);
  else setTurn(xz, yz, 1 - a - b + c, z);
}

function setTurn(x: number, y: number, z: number, w: number): void {
  const n = (w < 0 ? -1 : 1) / Math.sqrt(x * x + y * y + z * z + w * w);
  turn[0] = x * n;
  turn[1] = y * n;
  turn[2] = z * n;
  turn[3] = w * n;
}

/** Moves the chain rigidly: rotates by `turn` about the last attachment point and puts that point at `target`. */
export function carry(views: Views, row: number): void {
  const { chain, particle } = views;
  const side = mirrorSign[0]!;
  const p = row * 3;
  for (let k = 0; k < chain.count[row]!; k++) {
    const at = (chain.first[row]! + k * chain.stride[row]!) * 3;
    for (let which = 0; which < 2; which++) {
      const column = which === 0 ? particle.position : particle.couplingTarget;
      moved[0] = side * column[at]! - chain.lastPoint[p]!;
      moved[1] = column[at + 1]! - chain.lastPoint[p + 1]!;
      moved[2] = column[at + 2]! - chain.lastPoint[p + 2]!;
      rotateVec3(moved, 0, turn, 0, moved, 0);
      column[at] = side * (target[0]! + moved[0]!);
      column[at + 1] = target[1]! + moved[1]!;
      column[at + 2] = target[2]! + moved[2]!;
    }
    moved[0] = side * particle.velocity[at]!;
    moved[1] = particle.velocity[at + 1]!;
    moved[2] = particle.velocity[at + 2]!;
    rotateVec3(moved, 0, turn, 0, moved, 0);
    particle.velocity[at] = side * moved[0]!;
    particle.velocity[at + 1] = moved[1]!;
    particle.velocity[at + 2] = moved[2]!;
  }
  for (let i = 0; i < 3; i++) chain.lastPoint[p + i] = target[i]!;
}
