/**
 * Unit quaternions x, y, z, w (Hamilton product, active rotations of column vectors, as in glTF) in lists: (list,
 * offset) pairs, the result first. Every function may write over what it reads.
 *
 * Mirroring: reflecting the inputs at the plane x = 0 turns a vector (x, y, z) into (-x, y, z) and a rotation
 * (x, y, z, w) into (x, -y, -z, w). Every function here maps mirrored inputs to the mirrored result exactly, because
 * rounding is symmetric in sign and every choice made is mirror-symmetric (a quaternion with w = 0: up to its sign).
 */
import { atan2 } from './inverseTrig.js';
import type { Numbers } from './numbers.js';
import { cos, sin } from './trig.js';

/** Below this, 1 + a . b counts as 0 and a swing as a half turn: 1.4e-6 radians short of it. */
const HALF_TURN = 1e-12;

/** Writes the rotation by nothing, 0, 0, 0, 1. */
export function identityQuat(out: Numbers, o: number): void {
  out[o] = 0;
  out[o + 1] = 0;
  out[o + 2] = 0;
  out[o + 3] = 1;
}

/** Writes the product a b to out at o: first the rotation b, then a. */
export function multiplyQuat(out: Numbers, o: number, a: Numbers, i: number, b: Numbers, j: number): void {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  out[o] = aw * bx + ax * bw + (ay * bz - az * by);
  out[o + 1] = aw * by + ay * bw + (az * bx - ax * bz);
  out[o + 2] = aw * bz + az * bw + (ax * by - ay * bx);
  out[o + 3] = aw * bw - ax * bx - (ay * by + az * bz);
}

/** Writes the conjugate -x, -y, -z, w: the inverse of a unit quaternion. */
export function conjugateQuat(out: Numbers, o: number, a: Numbers, i: number): void {
  out[o] = -a[i]!;
  out[o + 1] = -a[i + 1]!;
  out[o + 2] = -a[i + 2]!;
  out[o + 3] = a[i + 3]!;
}

/** Copies a rotation, and makes it a unit quaternion only where it is not one to 1e-6: what is unit keeps its bits. */
export function writeUnitQuat(out: Numbers, o: number, q: ArrayLike<number>, i: number): void {
  out[o] = q[i]!;
  out[o + 1] = q[i + 1]!;
  out[o + 2] = q[i + 2]!;
  out[o + 3] = q[i + 3]!;
  const square = q[i]! * q[i]! + q[i + 1]! * q[i + 1]! + q[i + 2]! * q[i + 2]! + q[i + 3]! * q[i + 3]!;
  if (!(Math.abs(square - 1) <= 1e-6)) normalizeQuat(out, o, out, o);
}

/** Writes a scaled to length 1; the identity when its length is 0 or not finite. */
export function normalizeQuat(out: Numbers, o: number, a: Numbers, i: number): void {
  const x = a[i]!;
  const y = a[i + 1]!;
  const z = a[i + 2]!;
  const w = a[i + 3]!;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 0 && length < Infinity)) {
    identityQuat(out, o);
    return;
  }
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
  out[o + 3] = w / length;
}

/** Writes the vector v at j, rotated by the unit quaternion q at i: v + 2 w (u x v) + 2 u x (u x v), u = (x, y, z). */
export function rotateVec3(out: Numbers, o: number, q: Numbers, i: number, v: Numbers, j: number): void {
  const qx = q[i]!;
  const qy = q[i + 1]!;
  const qz = q[i + 2]!;
  const qw = q[i + 3]!;
  const x = v[j]!;
  const y = v[j + 1]!;
  const z = v[j + 2]!;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  out[o] = x + qw * tx + (qy * tz - qz * ty);
  out[o + 1] = y + qw * ty + (qz * tx - qx * tz);
  out[o + 2] = z + qw * tz + (qx * ty - qy * tx);
}

/**
 * Writes the rotation by an angle about an axis.
 *
 * @param axis - unit vector at i
 * @param angleRad - angle in radians, right-handed about the axis
 */
export function axisAngleQuat(out: Numbers, o: number, axis: Numbers, i: number, angleRad: number): void {
  const s = sin(angleRad * 0.5);
  const x = axis[i]! * s;
  const y = axis[i + 1]! * s;
  const z = axis[i + 2]! * s;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = cos(angleRad * 0.5);
}

/**
 * The angle in radians, 0 to pi, of the rotation between two unit quaternions, whatever their signs:
 * 2 atan2(|v|, |w|) of conj(a) b, which is as accurate for small angles as for large ones.
 */
export function angleQuat(a: Numbers, i: number, b: Numbers, j: number): number {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  const x = aw * bx - ax * bw - (ay * bz - az * by);
  const y = aw * by - ay * bw - (az * bx - ax * bz);
  const z = aw * bz - az * bw - (ax * by - ay * bx);
  const w = aw * bw + ax * bx + (ay * by + az * bz);
  return 2 * atan2(Math.sqrt(x * x + y * y + z * z), Math.abs(w));
}

/**
 * Writes the shortest rotation that takes the direction a to the direction b: normalize(a x b, 1 + a . b), w >= 0.
 *
 * For obtuse angles 1 + a . b is taken as |a + b|^2 / 2, the same number without its cancellation. Within 1.4e-6
 * radians of opposite directions there is no direction left in a x b: a half turn takes a to -a, and the small swing
 * from -a to b follows, so b is met there as well. The axis of the half turn is the x axis (lateral in the anatomical
 * frame) made perpendicular to a; where a lies within 0.45 radians of x, the z axis made perpendicular to a, with the
 * sign of a's x. Both are mirror images of what the mirrored a gives.
 *
 * @param a - unit vector at i
 * @param b - unit vector at j
 */
export function swingQuat(out: Numbers, o: number, a: Numbers, i: number, b: Numbers, j: number): void {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const dot = ax * bx + ay * by + az * bz;
  let w = 1 + dot;
  if (dot < 0) {
    const sx = ax + bx;
    const sy = ay + by;
    const sz = az + bz;
    w = 0.5 * (sx * sx + sy * sy + sz * sz);
    if (w < HALF_TURN) {
      oppositeSwing(out, o, ax, ay, az, bx, by, bz);
      return;
    }
  }
  const x = ay * bz - az * by;
  const y = az * bx - ax * bz;
  const z = ax * by - ay * bx;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
  out[o + 3] = w / length;
}

/** The swing of {@link swingQuat} for b next to -a: the small swing from -a to b after a half turn. */
function oppositeSwing(
  out: Numbers,
  o: number,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
): void {
  let hx = 1 - ax * ax;
  let hy = -ax * ay;
  let hz = -ax * az;
  if (ax > 0.9 || ax < -0.9) {
    const side = ax > 0 ? 1 : -1;
    hx = side * -az * ax;
    hy = side * -az * ay;
    hz = side * (1 - az * az);
  }
  // s = (-a) x b, 1 - a . b; the product of (s, sw) with the half turn (h, 0).
  const sx = az * by - ay * bz;
  const sy = ax * bz - az * bx;
  const sz = ay * bx - ax * by;
  const sw = 1 - (ax * bx + ay * by + az * bz);
  let w = -(sx * hx + sy * hy + sz * hz);
  let x = sw * hx + (sy * hz - sz * hy);
  let y = sw * hy + (sz * hx - sx * hz);
  let z = sw * hz + (sx * hy - sy * hx);
  const length = w < 0 ? -Math.sqrt(x * x + y * y + z * z + w * w) : Math.sqrt(x * x + y * y + z * z + w * w);
  x /= length;
  y /= length;
  z /= length;
  w /= length;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
}

/**
 * Splits the unit quaternion q at i into swing times twist: the twist turns about the axis, the swing about an axis
 * perpendicular to it and is applied after the twist. Either result may overwrite q.
 *
 * @param outSwing - receives the swing at o
 * @param outTwist - receives the twist at p, w >= 0; the identity when q turns the axis over, where twist has no meaning
 * @param axis - unit vector at j
 */
export function swingTwist(
  outSwing: Numbers,
  o: number,
  outTwist: Numbers,
  p: number,
  q: Numbers,
  i: number,
  axis: Numbers,
  j: number,
): void {
  const qx = q[i]!;
  const qy = q[i + 1]!;
  const qz = q[i + 2]!;
  const qw = q[i + 3]!;
  const ux = axis[j]!;
  const uy = axis[j + 1]!;
  const uz = axis[j + 2]!;
  const along = qx * ux + (qy * uy + qz * uz);
  const size = Math.sqrt(along * along + qw * qw);
  let tx = 0;
  let ty = 0;
  let tz = 0;
  let tw = 1;
  if (size > 1e-12) {
    const signed = qw < 0 ? -size : size;
    const share = along / signed;
    tx = ux * share;
    ty = uy * share;
    tz = uz * share;
    tw = qw / signed;
  }
  outSwing[o] = qx * tw - qw * tx - (qy * tz - qz * ty);
  outSwing[o + 1] = qy * tw - qw * ty - (qz * tx - qx * tz);
  outSwing[o + 2] = qz * tw - qw * tz - (qx * ty - qy * tx);
  outSwing[o + 3] = qw * tw + qx * tx + (qy * ty + qz * tz);
  outTwist[p] = tx;
  outTwist[p + 1] = ty;
  outTwist[p + 2] = tz;
  outTwist[p + 3] = tw;
}

/**
 * Writes q with its rotation angle limited, without trigonometry: an angle above the limit keeps its axis and becomes
 * exactly the limit, whatever the sign of q; any other q is copied.
 *
 * @param q - unit quaternion at i
 * @param cosHalf - cosine of half the limit
 * @param sinHalf - sine of half the limit
 * @returns whether the angle was above the limit
 */
export function limitAngleQuat(
  out: Numbers,
  o: number,
  q: Numbers,
  i: number,
  cosHalf: number,
  sinHalf: number,
): boolean {
  const x = q[i]!;
  const y = q[i + 1]!;
  const z = q[i + 2]!;
  const w = q[i + 3]!;
  const size = Math.sqrt(x * x + y * y + z * z);
  if (!(Math.abs(w) < cosHalf && size > 0)) {
    out[o] = x;
    out[o + 1] = y;
    out[o + 2] = z;
    out[o + 3] = w;
    return false;
  }
  const share = sinHalf / size;
  out[o] = x * share;
  out[o + 1] = y * share;
  out[o + 2] = z * share;
  out[o + 3] = w < 0 ? -cosHalf : cosHalf;
  return true;
}

/**
 * Writes the unit quaternion, w >= 0, of a column-major 4x4 matrix whose upper 3x3 part is a proper rotation.
 *
 * Source: Shepperd, Quaternion from rotation matrix, 1978: a component of 1/2 or more is found first, from the
 * diagonal, and scales the others, so nothing cancels. The result is normalised, which takes out small faults.
 *
 * @param m - matrix at i
 */
export function quatFromMat4(out: Numbers, o: number, m: Numbers, i: number): void {
  const xx = m[i]!;
  const yy = m[i + 5]!;
  const zz = m[i + 10]!;
  const x = m[i + 6]! - m[i + 9]!;
  const y = m[i + 8]! - m[i + 2]!;
  const z = m[i + 1]! - m[i + 4]!;
  const trace = xx + (yy + zz);
  if (trace > 0) writeUnit(out, o, x, y, z, 1 + trace);
  else if (xx >= yy && xx >= zz)
    writeUnit(out, o, 1 + xx - (yy + zz), m[i + 1]! + m[i + 4]!, m[i + 8]! + m[i + 2]!, x);
  else if (yy >= zz) writeUnit(out, o, m[i + 1]! + m[i + 4]!, 1 + yy - (xx + zz), m[i + 6]! + m[i + 9]!, y);
  else writeUnit(out, o, m[i + 8]! + m[i + 2]!, m[i + 6]! + m[i + 9]!, 1 + zz - (xx + yy), z);
}

/** Writes x, y, z, w scaled to length 1 and signed so that w >= 0. */
function writeUnit(out: Numbers, o: number, x: number, y: number, z: number, w: number): void {
  const size = Math.sqrt(x * x + y * y + z * z + w * w);
  const length = w < 0 ? -size : size;
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
  out[o + 3] = w / length;
}
