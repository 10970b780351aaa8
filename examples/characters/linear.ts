/**
 * Vectors and quaternions as small immutable tuples: the characters are made once, so clarity wins over speed.
 * Right-handed, +Y up, quaternions x, y, z, w, column vectors.
 */
import { radians } from '../../src/math/angle.js';
import { cos, sin } from '../../src/math/trig.js';

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number];

export const X: Vec3 = [1, 0, 0];
export const Y: Vec3 = [0, 1, 0];
export const Z: Vec3 = [0, 0, 1];
export const IDENTITY: Quat = [0, 0, 0, 1];

export const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));
export const mix = (a: number, b: number, t: number): number => a + (b - a) * t;
/** 0 below `from`, 1 above `to`, with zero slope at both. */
export function smoothstep(from: number, to: number, x: number): number {
  const t = clamp((x - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Vec3): number => Math.sqrt(dot(a, a));
export const distance = (a: Vec3, b: Vec3): number => length(sub(a, b));
export const normalize = (a: Vec3): Vec3 => scale(a, 1 / length(a));
export const mixVec = (a: Vec3, b: Vec3, t: number): Vec3 => add(a, scale(sub(b, a), t));
/** The part of `a` perpendicular to the unit vector `n`, normalised. */
export const perpendicular = (a: Vec3, n: Vec3): Vec3 => normalize(sub(a, scale(n, dot(a, n))));

export function multiply(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export const conjugate = (q: Quat): Quat => [-q[0], -q[1], -q[2], q[3]];

function normalizeQuat(q: Quat): Quat {
  const s = 1 / Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return [q[0] * s, q[1] * s, q[2] * s, q[3] * s];
}

export function rotate(q: Quat, v: Vec3): Vec3 {
  const axis: Vec3 = [q[0], q[1], q[2]];
  const t = scale(cross(axis, v), 2);
  return add(add(v, scale(t, q[3])), cross(axis, t));
}

export function axisAngle(axis: Vec3, angleDeg: number): Quat {
  const half = radians(angleDeg) / 2;
  const s = sin(half);
  return [axis[0] * s, axis[1] * s, axis[2] * s, cos(half)];
}

/** Yaw about Y after pitch about X after roll about Z, in degrees. */
export function euler(pitchDeg: number, yawDeg: number, rollDeg: number): Quat {
  return multiply(axisAngle(Y, yawDeg), multiply(axisAngle(X, pitchDeg), axisAngle(Z, rollDeg)));
}

/** Normalised linear blend along the shorter way. */
export function mixQuat(a: Quat, b: Quat, t: number): Quat {
  const side = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -t : t;
  return normalizeQuat([
    a[0] * (1 - t) + b[0] * side,
    a[1] * (1 - t) + b[1] * side,
    a[2] * (1 - t) + b[2] * side,
    a[3] * (1 - t) + b[3] * side,
  ]);
}

/** The rotation whose matrix has these orthonormal, right-handed columns (Shepperd's method). */
export function fromAxes(x: Vec3, y: Vec3, z: Vec3): Quat {
  const candidates = [
    1 + x[0] - y[1] - z[2],
    1 - x[0] + y[1] - z[2],
    1 - x[0] - y[1] + z[2],
    1 + x[0] + y[1] + z[2],
  ];
  const largest = Math.max(...candidates);
  if (candidates[3] === largest) return normalizeQuat([y[2] - z[1], z[0] - x[2], x[1] - y[0], largest]);
  if (candidates[0] === largest) return normalizeQuat([largest, x[1] + y[0], z[0] + x[2], y[2] - z[1]]);
  if (candidates[1] === largest) return normalizeQuat([x[1] + y[0], largest, y[2] + z[1], z[0] - x[2]]);
  return normalizeQuat([z[0] + x[2], y[2] + z[1], largest, x[1] - y[0]]);
}
