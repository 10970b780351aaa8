/**
 * sin, cos and tan from operations that IEEE 754 rounds exactly. After the reduction by pi/2 (halfPi.ts) the argument
 * is r + rLow with |r| <= pi/4, where plain Taylor series converge fast; the few places where rounding would be felt
 * carry the lost part along (Dekker 1971).
 */
import { reduceByHalfPi, remainder } from './halfPi.js';

const QUARTER_PI = 0.7853981633974483;
/** 2^-27: below it sin x, tan x and x differ by less than a tenth of an ulp. */
const TINY = 7.450580596923828e-9;
/** 2^27 + 1: multiplying by it splits a double in two halves (Veltkamp). */
const SPLITTER = 134217729;

/** Taylor coefficients of sin from r^3 on: -1/3!, 1/5!, ... Cut after r^17, the rest is below 2^-62 of r. */
const S3 = -1 / 6;
const S5 = 1 / 120;
const S7 = -1 / 5040;
const S9 = 1 / 362880;
const S11 = -1 / 39916800;
const S13 = 1 / 6227020800;
const S15 = -1 / 1307674368000;
const S17 = 1 / 355687428096000;

/** Taylor coefficients of cos from r^4 on: 1/4!, -1/6!, ... Cut after r^18, the rest is below 2^-67. */
const C4 = 1 / 24;
const C6 = -1 / 720;
const C8 = 1 / 40320;
const C10 = -1 / 3628800;
const C12 = 1 / 479001600;
const C14 = -1 / 87178291200;
const C16 = 1 / 20922789888000;
const C18 = -1 / 6402373705728000;

/** sin(r + rLow) - r: everything but the leading term. */
function sinTail(r: number, rLow: number): number {
  const z = r * r;
  const z2 = z * z;
  const z4 = z2 * z2;
  const low = S5 + z * S7 + z2 * (S9 + z * S11);
  const high = S13 + z * S15 + z2 * S17;
  return r * (z * (S3 + z * (low + z4 * high))) + rLow * (1 - 0.5 * z);
}

/**
 * cos(r + rLow) - 1 + halfSquare: everything but 1 - halfSquare, halfSquare being half the square of r without its
 * lower 27 bits, which is exact.
 */
function cosTail(r: number, rLow: number, rTop: number): number {
  const z = r * r;
  const z2 = z * z;
  const z4 = z2 * z2;
  const low = C4 + z * C6 + z2 * (C8 + z * C10);
  const high = C12 + z * C14 + z2 * (C16 + z * C18);
  return z2 * (low + z4 * high) - (0.5 * (r - rTop) * (r + rTop) + r * rLow);
}

/** The leading 26 bits of r. */
function topHalf(r: number): number {
  const scaled = r * SPLITTER;
  return scaled - (scaled - r);
}

function sinReduced(r: number, rLow: number): number {
  return r + sinTail(r, rLow);
}

function cosReduced(r: number, rLow: number): number {
  const rTop = topHalf(r);
  const halfSquare = 0.5 * rTop * rTop;
  const leading = 1 - halfSquare;
  return leading + (1 - leading - halfSquare + cosTail(r, rLow, rTop));
}

/**
 * The sine of x.
 *
 * Error: at most 0.77 ulp over 2.1 million points of the whole range of doubles; the tests assert 0.8 ulp.
 *
 * @param x - an angle in radians, any finite number
 * @returns sin x; NaN for infinities and NaN; -0 for -0
 */
export function sin(x: number): number {
  const size = Math.abs(x);
  if (size <= QUARTER_PI) return size < TINY ? x : sinReduced(x, 0);
  if (!(size < Infinity)) return NaN;
  const quadrant = reduceByHalfPi(x);
  const r = remainder[0]!;
  const rLow = remainder[1]!;
  const value = (quadrant & 1) === 0 ? sinReduced(r, rLow) : cosReduced(r, rLow);
  return (quadrant & 2) === 0 ? value : -value;
}

/**
 * The cosine of x.
 *
 * Error: at most 0.77 ulp over 2.1 million points of the whole range of doubles; the tests assert 0.8 ulp.
 *
 * @param x - an angle in radians, any finite number
 * @returns cos x; NaN for infinities and NaN
 */
export function cos(x: number): number {
  const size = Math.abs(x);
  if (size <= QUARTER_PI) return cosReduced(x, 0);
  if (!(size < Infinity)) return NaN;
  const quadrant = reduceByHalfPi(x);
  const r = remainder[0]!;
  const rLow = remainder[1]!;
  const value = (quadrant & 1) === 0 ? cosReduced(r, rLow) : sinReduced(r, rLow);
  // cos is negative in the second and third quadrant: n = 1 and n = 2.
  return ((quadrant + 1) & 2) === 0 ? value : -value;
}

/**
 * The tangent of x.
 *
 * Derivation: sine and cosine as a double and a rest each, then a quotient whose own remainder is divided once more.
 *
 * Error: at most 0.87 ulp over 2.1 million points of the whole range of doubles; the tests assert 0.9 ulp.
 *
 * @param x - an angle in radians, any finite number
 * @returns tan x; NaN for infinities and NaN; -0 for -0. No double is an odd multiple of pi/2, so no result is infinite.
 */
export function tan(x: number): number {
  const size = Math.abs(x);
  if (size < TINY) return x;
  if (!(size < Infinity)) return NaN;
  let quadrant = 0;
  let r = x;
  let rLow = 0;
  if (size > QUARTER_PI) {
    quadrant = reduceByHalfPi(x);
    r = remainder[0]!;
    rLow = remainder[1]!;
  }
  const tail = sinTail(r, rLow);
  const s = r + tail;
  const sLow = r - s + tail;
  const rTop = topHalf(r);
  const halfSquare = 0.5 * rTop * rTop;
  const leading = 1 - halfSquare;
  const rest = 1 - leading - halfSquare + cosTail(r, rLow, rTop);
  const c = leading + rest;
  const cLow = leading - c + rest;
  return (quadrant & 1) === 0 ? quotient(s, sLow, c, cLow) : -quotient(c, cLow, s, sLow);
}

/** (a + aLow) / (b + bLow), the remainder a - q b being found without loss by Dekker's product. */
function quotient(a: number, aLow: number, b: number, bLow: number): number {
  const q = a / b;
  const qTop = topHalf(q);
  const qBottom = q - qTop;
  const bTop = topHalf(b);
  const bBottom = b - bTop;
  const left = a - qTop * bTop - qTop * bBottom - qBottom * bTop - qBottom * bBottom;
  return q + (left + (aLow - q * bLow)) / b;
}
