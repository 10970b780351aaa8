/**
 * Matrices of 4 x 4 numbers, column-major as in glTF (translation at 12, 13, 14), in lists: (list, offset) pairs, the
 * result first. A result may overwrite an input that starts at the same place; runs that overlap otherwise may not.
 */
import type { Numbers } from './numbers.js';
import { quatFromMat4 } from './quat.js';

/** Writes the matrix that changes nothing. */
export function identityMat4(out: Numbers, o: number): void {
  for (let k = 0; k < 16; k++) out[o + k] = 0;
  out[o] = 1;
  out[o + 5] = 1;
  out[o + 10] = 1;
  out[o + 15] = 1;
}

/** Writes the product a b to out at o: first the map b, then a. */
export function multiplyMat4(out: Numbers, o: number, a: Numbers, i: number, b: Numbers, j: number): void {
  const a0 = a[i]!;
  const a1 = a[i + 1]!;
  const a2 = a[i + 2]!;
  const a3 = a[i + 3]!;
  const a4 = a[i + 4]!;
  const a5 = a[i + 5]!;
  const a6 = a[i + 6]!;
  const a7 = a[i + 7]!;
  const a8 = a[i + 8]!;
  const a9 = a[i + 9]!;
  const a10 = a[i + 10]!;
  const a11 = a[i + 11]!;
  const a12 = a[i + 12]!;
  const a13 = a[i + 13]!;
  const a14 = a[i + 14]!;
  const a15 = a[i + 15]!;
  for (let k = 0; k < 16; k += 4) {
    const x = b[j + k]!;
    const y = b[j + k + 1]!;
    const z = b[j + k + 2]!;
    const w = b[j + k + 3]!;
    out[o + k] = a0 * x + a4 * y + (a8 * z + a12 * w);
    out[o + k + 1] = a1 * x + a5 * y + (a9 * z + a13 * w);
    out[o + k + 2] = a2 * x + a6 * y + (a10 * z + a14 * w);
    out[o + k + 3] = a3 * x + a7 * y + (a11 * z + a15 * w);
  }
}

/** The determinant of the upper 3x3 part of m at i: its sign is negative when the map mirrors. */
export function determinant3(m: Numbers, i: number): number {
  const ax = m[i]!;
  const ay = m[i + 1]!;
  const az = m[i + 2]!;
  const bx = m[i + 4]!;
  const by = m[i + 5]!;
  const bz = m[i + 6]!;
  const cx = m[i + 8]!;
  const cy = m[i + 9]!;
  const cz = m[i + 10]!;
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/**
 * Writes the inverse of an affine map (last row 0, 0, 0, 1, taken as given): the adjugate of the 3x3 part over its
 * determinant, and the translation mapped back.
 *
 * @param a - matrix at i
 * @returns false when the map has no inverse (determinant 0 or not finite); out is left as it was
 */
export function invertMat4(out: Numbers, o: number, a: Numbers, i: number): boolean {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const bx = a[i + 4]!;
  const by = a[i + 5]!;
  const bz = a[i + 6]!;
  const cx = a[i + 8]!;
  const cy = a[i + 9]!;
  const cz = a[i + 10]!;
  const tx = a[i + 12]!;
  const ty = a[i + 13]!;
  const tz = a[i + 14]!;
  // Rows of the adjugate: the vector products of the columns, b x c, c x a, a x b.
  const px = by * cz - bz * cy;
  const py = bz * cx - bx * cz;
  const pz = bx * cy - by * cx;
  const determinant = ax * px + ay * py + az * pz;
  if (determinant === 0 || !(Math.abs(determinant) < Infinity)) return false;
  const m0 = px / determinant;
  const m4 = py / determinant;
  const m8 = pz / determinant;
  const m1 = (cy * az - cz * ay) / determinant;
  const m5 = (cz * ax - cx * az) / determinant;
  const m9 = (cx * ay - cy * ax) / determinant;
  const m2 = (ay * bz - az * by) / determinant;
  const m6 = (az * bx - ax * bz) / determinant;
  const m10 = (ax * by - ay * bx) / determinant;
  out[o] = m0;
  out[o + 1] = m1;
  out[o + 2] = m2;
  out[o + 3] = 0;
  out[o + 4] = m4;
  out[o + 5] = m5;
  out[o + 6] = m6;
  out[o + 7] = 0;
  out[o + 8] = m8;
  out[o + 9] = m9;
  out[o + 10] = m10;
  out[o + 11] = 0;
  out[o + 12] = -(m0 * tx + m4 * ty + m8 * tz);
  out[o + 13] = -(m1 * tx + m5 * ty + m9 * tz);
  out[o + 14] = -(m2 * tx + m6 * ty + m10 * tz);
  out[o + 15] = 1;
  return true;
}

/**
 * Writes the matrix of a node: scale, then rotation, then translation (glTF 2.0, Transformations).
 *
 * @param t - translation at ti
 * @param r - unit quaternion at ri
 * @param s - scale at si
 */
export function composeMat4(
  out: Numbers,
  o: number,
  t: Numbers,
  ti: number,
  r: Numbers,
  ri: number,
  s: Numbers,
  si: number,
): void {
  const x = r[ri]!;
  const y = r[ri + 1]!;
  const z = r[ri + 2]!;
  const w = r[ri + 3]!;
  const sx = s[si]!;
  const sy = s[si + 1]!;
  const sz = s[si + 2]!;
  const tx = t[ti]!;
  const ty = t[ti + 1]!;
  const tz = t[ti + 2]!;
  out[o] = (1 - 2 * (y * y + z * z)) * sx;
  out[o + 1] = 2 * (x * y + z * w) * sx;
  out[o + 2] = 2 * (x * z - y * w) * sx;
  out[o + 3] = 0;
  out[o + 4] = 2 * (x * y - z * w) * sy;
  out[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[o + 6] = 2 * (y * z + x * w) * sy;
  out[o + 7] = 0;
  out[o + 8] = 2 * (x * z + y * w) * sz;
  out[o + 9] = 2 * (y * z - x * w) * sz;
  out[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[o + 11] = 0;
  out[o + 12] = tx;
  out[o + 13] = ty;
  out[o + 14] = tz;
  out[o + 15] = 1;
}

/** Scratch of {@link decomposeMat4}: the orthonormal columns as a matrix. */
const frame = new Float64Array(16);

/**
 * Writes translation, rotation and scale of an affine map. Scale: the lengths of the columns, x negative when the map
 * mirrors. Rotation: from the columns made orthonormal in the order x, y, z (Gram and Schmidt), so shear is left out.
 * Columns of length 0, or parallel to one before, are replaced by a direction perpendicular to the others.
 *
 * @param t - receives the translation at ti
 * @param r - receives the unit quaternion, w >= 0, at ri
 * @param s - receives the scale at si
 * @param m - matrix at mi
 */
export function decomposeMat4(
  t: Numbers,
  ti: number,
  r: Numbers,
  ri: number,
  s: Numbers,
  si: number,
  m: Numbers,
  mi: number,
): void {
  const mirrored = determinant3(m, mi) < 0;
  const sx = columnLength(m, mi);
  const sy = columnLength(m, mi + 4);
  const sz = columnLength(m, mi + 8);
  t[ti] = m[mi + 12]!;
  t[ti + 1] = m[mi + 13]!;
  t[ti + 2] = m[mi + 14]!;
  s[si] = mirrored ? -sx : sx;
  s[si + 1] = sy;
  s[si + 2] = sz;

  copyUnit(frame, 0, m, mi, mirrored ? -sx : sx);
  copyUnit(frame, 4, m, mi + 4, sy);
  copyUnit(frame, 8, m, mi + 8, sz);
  if (sx > 0) {
    const hasY = removeAndNormalize(frame, 4, 0);
    if (!hasY) {
      // No second direction from y: take it from z, else any.
      if (!removeAndNormalize(frame, 8, 0)) anyPerpendicular(frame, 8, 0);
      crossColumns(4, 8, 0);
    }
  } else {
    if (!(sy > 0)) {
      if (!(sz > 0)) frame[10] = 1;
      anyPerpendicular(frame, 4, 8);
    } else if (!removeAndNormalize(frame, 8, 4)) anyPerpendicular(frame, 8, 4);
    crossColumns(0, 4, 8);
  }
  crossColumns(8, 0, 4);
  quatFromMat4(r, ri, frame, 0);
}

function columnLength(m: Numbers, i: number): number {
  const x = m[i]!;
  const y = m[i + 1]!;
  const z = m[i + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Column o of out becomes the three numbers of m at i over length, or 0, 0, 0 when length is 0. */
function copyUnit(out: Float64Array, o: number, m: Numbers, i: number, length: number): void {
  out[o] = length === 0 ? 0 : m[i]! / length;
  out[o + 1] = length === 0 ? 0 : m[i + 1]! / length;
  out[o + 2] = length === 0 ? 0 : m[i + 2]! / length;
}

/** Takes from column `of` its part along the unit column `along` and scales it to 1; false when nothing is left. */
function removeAndNormalize(out: Float64Array, of: number, along: number): boolean {
  const ux = out[along]!;
  const uy = out[along + 1]!;
  const uz = out[along + 2]!;
  const shared = out[of]! * ux + out[of + 1]! * uy + out[of + 2]! * uz;
  const x = out[of]! - shared * ux;
  const y = out[of + 1]! - shared * uy;
  const z = out[of + 2]! - shared * uz;
  const length = Math.sqrt(x * x + y * y + z * z);
  // A unit column that leaves less than this is parallel up to rounding.
  if (!(length > 1e-12)) return false;
  out[of] = x / length;
  out[of + 1] = y / length;
  out[of + 2] = z / length;
  return true;
}

/** Column `of` becomes a unit vector perpendicular to the unit column `to`: the y axis of the map, else the z axis, made so. */
function anyPerpendicular(out: Float64Array, of: number, to: number): void {
  const nearY = Math.abs(out[to + 1]!) > 0.9;
  out[of] = 0;
  out[of + 1] = nearY ? 0 : 1;
  out[of + 2] = nearY ? 1 : 0;
  removeAndNormalize(out, of, to);
}

/** Column o of the frame becomes the vector product of columns i and j. */
function crossColumns(o: number, i: number, j: number): void {
  const ax = frame[i]!;
  const ay = frame[i + 1]!;
  const az = frame[i + 2]!;
  const bx = frame[j]!;
  const by = frame[j + 1]!;
  const bz = frame[j + 2]!;
  frame[o] = ay * bz - az * by;
  frame[o + 1] = az * bx - ax * bz;
  frame[o + 2] = ax * by - ay * bx;
}

/** Writes the point p at j mapped by the affine m at i: rotation and scale, then translation. */
export function transformPoint(out: Numbers, o: number, m: Numbers, i: number, p: Numbers, j: number): void {
  const x = p[j]!;
  const y = p[j + 1]!;
  const z = p[j + 2]!;
  out[o] = m[i]! * x + m[i + 4]! * y + m[i + 8]! * z + m[i + 12]!;
  out[o + 1] = m[i + 1]! * x + m[i + 5]! * y + m[i + 9]! * z + m[i + 13]!;
  out[o + 2] = m[i + 2]! * x + m[i + 6]! * y + m[i + 10]! * z + m[i + 14]!;
}

/** Writes the direction v at j mapped by the 3x3 part of m at i: no translation, the length is not kept. */
export function transformDirection(
  out: Numbers,
  o: number,
  m: Numbers,
  i: number,
  v: Numbers,
  j: number,
): void {
  const x = v[j]!;
  const y = v[j + 1]!;
  const z = v[j + 2]!;
  out[o] = m[i]! * x + m[i + 4]! * y + m[i + 8]! * z;
  out[o + 1] = m[i + 1]! * x + m[i + 5]! * y + m[i + 9]! * z;
  out[o + 2] = m[i + 2]! * x + m[i + 6]! * y + m[i + 10]! * z;
}
