/**
 * Vectors and quaternions for the reference solver: small arrays, new results, trigonometry straight from Math.
 * Written apart from src/math on purpose, so that a fault there cannot hide here.
 */

/** A point or direction x, y, z. */
export type V3 = [number, number, number];
/** A quaternion x, y, z, w. */
export type Q4 = [number, number, number, number];

export const identity: Q4 = [0, 0, 0, 1];

export function add(a: V3, b: V3): V3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function sub(a: V3, b: V3): V3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function mul(a: V3, s: number): V3 {
  return [a[0] * s, a[1] * s, a[2] * s];
}

export function dot(a: V3, b: V3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: V3, b: V3): V3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function len(a: V3): number {
  return Math.hypot(a[0], a[1], a[2]);
}

/** The unit vector along `a`; `a` itself when it is zero. */
export function unit(a: V3): V3 {
  const l = len(a);
  return l === 0 ? a : mul(a, 1 / l);
}

/** The angle between two vectors in radians, accurate at 0 and pi. */
export function angleBetween(a: V3, b: V3): number {
  return Math.atan2(len(cross(a, b)), dot(a, b));
}

/** The rotation `b` followed by `a`. */
export function qmul(a: Q4, b: Q4): Q4 {
  const av: V3 = [a[0], a[1], a[2]];
  const bv: V3 = [b[0], b[1], b[2]];
  const v = add(add(mul(bv, a[3]), mul(av, b[3])), cross(av, bv));
  return [v[0], v[1], v[2], a[3] * b[3] - dot(av, bv)];
}

export function qinv(a: Q4): Q4 {
  return [-a[0], -a[1], -a[2], a[3]];
}

function qunit(a: Q4): Q4 {
  const l = Math.hypot(a[0], a[1], a[2], a[3]);
  return [a[0] / l, a[1] / l, a[2] / l, a[3] / l];
}

/** Rotates `v` by the unit quaternion `q`. */
export function qrot(q: Q4, v: V3): V3 {
  const u: V3 = [q[0], q[1], q[2]];
  const t = mul(cross(u, v), 2);
  return add(add(v, mul(t, q[3])), cross(u, t));
}

export function axisAngle(axis: V3, angleRad: number): Q4 {
  const u = mul(unit(axis), Math.sin(angleRad / 2));
  return [u[0], u[1], u[2], Math.cos(angleRad / 2)];
}

/** Axis and angle (0..pi) of a unit quaternion. */
export function toAxisAngle(q: Q4): { axis: V3; angleRad: number } {
  const s = q[3] < 0 ? -1 : 1;
  const v: V3 = [s * q[0], s * q[1], s * q[2]];
  return { axis: len(v) === 0 ? [1, 0, 0] : unit(v), angleRad: 2 * Math.atan2(len(v), s * q[3]) };
}

/** The shortest rotation that takes unit `a` to unit `b`. */
export function swing(a: V3, b: V3): Q4 {
  const axis = cross(a, b);
  // Below that 1 / length overflows, and no turn is that small.
  return len(axis) < 1e-300 ? identity : axisAngle(axis, angleBetween(a, b));
}

/** Shortest-path interpolation from `a` to `b`. */
export function slerp(a: Q4, b: Q4, t: number): Q4 {
  const { axis, angleRad } = toAxisAngle(qmul(qinv(a), b));
  return qmul(a, axisAngle(axis, angleRad * t));
}

/** The angle between two rotations in radians. */
export function angleOf(a: Q4, b: Q4): number {
  return toAxisAngle(qmul(qinv(a), b)).angleRad;
}

/** A rotation from three numbers of 0..1, uniform over all rotations when the numbers are (Shoemake's method). */
export function rotationOf(a: number, b: number, c: number): Q4 {
  const r1 = Math.sqrt(1 - a);
  const r2 = Math.sqrt(a);
  const t1 = 2 * Math.PI * b;
  const t2 = 2 * Math.PI * c;
  return [r1 * Math.sin(t1), r1 * Math.cos(t1), r2 * Math.sin(t2), r2 * Math.cos(t2)];
}

/** The rotation whose matrix has these orthonormal columns. */
export function fromColumns(x: V3, y: V3, z: V3): Q4 {
  // Axis and angle by the largest of the four squares (Shepperd): exact enough at every angle.
  const trace = x[0] + y[1] + z[2];
  const squares = [1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + trace];
  const largest = squares.indexOf(Math.max(...squares));
  if (largest === 3) return qunit([y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace]);
  if (largest === 0) return qunit([squares[0]!, x[1] + y[0], z[0] + x[2], y[2] - z[1]]);
  if (largest === 1) return qunit([x[1] + y[0], squares[1]!, y[2] + z[1], z[0] - x[2]]);
  return qunit([z[0] + x[2], y[2] + z[1], squares[2]!, x[1] - y[0]]);
}

/** A small seeded generator (mulberry32) of numbers in 0..1 for tests. */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
