/**
 * exp and log from operations that IEEE 754 rounds exactly, so that every engine returns the same bits.
 * Both reduce by whole powers of two with ln 2 in two parts (Cody and Waite, Software Manual for the Elementary
 * Functions, 1980) and end in a plain Taylor series; what rounding loses is carried in a second double (Dekker 1971).
 */
import { fromWords, highWord, lowWord, powerOfTwo } from './bits.js';

const LOG2_E = 1.4426950408889634;
/** ln 2 cut after 42 bits: times a whole number of at most 11 bits it is exact. */
const LN2_HIGH = 0.6931471805598903;
/** ln 2 - LN2_HIGH, rounded; together they hold 95 bits of ln 2. */
const LN2_LOW = 5.497923018708371e-14;

/** 1 / n!, the Taylor coefficients of exp. Divisions are exact IEEE operations, so no digits need be typed. */
const E3 = 1 / 6;
const E4 = 1 / 24;
const E5 = 1 / 120;
const E6 = 1 / 720;
const E7 = 1 / 5040;
const E8 = 1 / 40320;
const E9 = 1 / 362880;
const E10 = 1 / 3628800;
const E11 = 1 / 39916800;
const E12 = 1 / 479001600;
const E13 = 1 / 6227020800;
const E14 = 1 / 87178291200;

/**
 * e to the power x.
 *
 * Derivation: with k the whole number nearest x / ln 2, e^x = 2^k e^r and |r| <= ln 2 / 2. r is held as r + rLow (the
 * product k LN2_HIGH is exact, so is its difference from x). The series of e^r is cut after r^14 / 14!, the rest being
 * below 2^-63. 1 + r is added without loss, its rounding error joins the small terms.
 *
 * Error: at most 0.77 ulp over 1.2 million points, the worst of them among subnormal results; the tests assert 0.8 ulp.
 *
 * @param x - any number
 * @returns e^x: 0 below -745.14, Infinity above 709.79, NaN for NaN
 */
export function exp(x: number): number {
  if (!(x <= 709.782712893384)) return x > 709 ? Infinity : NaN;
  if (x < -745.1332191019412) return 0;
  const k = Math.floor(x * LOG2_E + 0.5);
  const whole = x - k * LN2_HIGH;
  const part = k * LN2_LOW;
  const r = whole - part;
  const rLow = whole - r - part;
  const r2 = r * r;
  const r4 = r2 * r2;
  const low = 0.5 + r * E3 + r2 * (E4 + r * E5);
  const middle = E6 + r * E7 + r2 * (E8 + r * E9);
  const high = E10 + r * E11 + r2 * (E12 + r * E13 + r2 * E14);
  const tail = r2 * (low + r4 * (middle + r4 * high));
  const sum = 1 + r;
  const lost = 1 - sum + r;
  const y = sum + (lost + (tail + rLow * sum));
  if (k > 1023) return y * powerOfTwo(1023) * 2;
  if (k < -1022) return y * powerOfTwo(k + 200) * powerOfTwo(-200);
  return y * powerOfTwo(k);
}

/** 2 / (2n + 1), the Taylor coefficients of 2 atanh. */
const L3 = 2 / 3;
const L5 = 2 / 5;
const L7 = 2 / 7;
const L9 = 2 / 9;
const L11 = 2 / 11;
const L13 = 2 / 13;
const L15 = 2 / 15;
const L17 = 2 / 17;
const L19 = 2 / 19;
const L21 = 2 / 21;
const L23 = 2 / 23;

/**
 * The natural logarithm of x.
 *
 * Derivation: x = 2^k m with m between sqrt(1/2) and sqrt(2); with f = m - 1 (exact) and s = f / (2 + f),
 * ln m = 2 atanh s = 2 s + 2 s^3 / 3 + 2 s^5 / 5 + ..., |s| < 0.1716, cut after s^23 (the rest is below 2^-62 of s).
 * s is split into 24 leading bits and the remainder of the division, so the leading term 2 s carries no error.
 *
 * Error: at most 0.54 ulp over 1.2 million points, subnormal numbers included; the tests assert 0.55 ulp.
 *
 * @param x - a number from 0 up
 * @returns ln x: -Infinity for 0 and -0, NaN below 0 and for NaN
 */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  let k = 0;
  let scaled = x;
  if (x < 2.2250738585072014e-308) {
    scaled = x * 18014398509481984;
    k = -54;
  }
  const high = highWord(scaled);
  const fraction = high & 0xfffff;
  // 0x6a09e is the top of the fraction of sqrt(2): from there on m is halved, so that it stays near 1.
  const halve = fraction > 0x6a09e ? 1 : 0;
  k += (high >>> 20) - 1023 + halve;
  const m = fromWords(fraction | ((1023 - halve) << 20), lowWord(scaled));
  const f = m - 1;
  const divisor = 2 + f;
  const s = Math.fround(f / divisor);
  const divisorHigh = Math.fround(divisor);
  const divisorLow = f - (divisorHigh - 2);
  const sLow = (f - s * divisorHigh - s * divisorLow) / divisor;
  const full = s + sLow;
  const z = full * full;
  const z2 = z * z;
  const z4 = z2 * z2;
  const first = L3 + z * L5 + z2 * (L7 + z * L9);
  const second = L11 + z * L13 + z2 * (L15 + z * L17);
  const third = L19 + z * L21 + z2 * L23;
  const tail = 2 * sLow + full * z * (first + z4 * (second + z4 * third));
  const exponent = k * LN2_HIGH;
  const sum = exponent + 2 * s;
  const lost = exponent - sum + 2 * s;
  return sum + (lost + (k * LN2_LOW + tail));
}
