/**
 * Argument reduction for sine, cosine and tangent: x minus the nearest multiple of pi/2, to more bits than a double
 * holds, over the whole range of doubles. Small and middle arguments: pi/2 in four parts (Cody and Waite 1980). Beyond
 * that: only the bits of 2/pi that matter (Payne and Hanek, Radian reduction for trigonometric functions, 1983).
 */
import { highWord, lowWord } from './bits.js';

const TWO_OVER_PI = 0.6366197723675814;
/** pi/2 cut into 33 + 33 + 33 + 53 bits: a whole number of up to 20 bits times one of the first three is exact. */
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487111665e-21;
const HALF_PI_4 = 8.4784276603689e-32;
/** pi/2 rounded to a double, its upper 27 bits, the rest of it, and what pi/2 has beyond it. */
const HALF_PI = 1.5707963267948966;
const HALF_PI_TOP = 1.5707963407039642;
const HALF_PI_BOTTOM = HALF_PI - HALF_PI_TOP;
const HALF_PI_LOW = 6.123233995736766e-17;

/** Largest argument of the four-part reduction: 2^20 quarter turns. */
const MIDDLE_LIMIT = 1647099;
/** 2^27 + 1: multiplying by it splits a double in two halves (Veltkamp). */
const SPLITTER = 134217729;

/**
 * 64 zero bits, then the first 1216 bits of 2/pi, in words of 32 bits. The largest double is m 2^971 and asks for
 * bits 970 to 1185.
 */
const BITS_OF_TWO_OVER_PI = new Uint32Array([
  0, 0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
  0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026,
  0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
  0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
  0x1f8d5d08, 0x56033046, 0xfc7b6bab,
]);

/** The remainder of the last {@link reduceByHalfPi}: [0] its value as a double, [1] what that leaves out. */
export const remainder: Float64Array = new Float64Array(2);

/**
 * Writes x - n pi/2 to {@link remainder}, n being the whole number nearest x / (pi/2).
 *
 * The remainder is at most a hair over pi/4 in size. Its error is below 2^-100 of itself plus 2^-132 (up to 2^20 quarter
 * turns) or 2^-138 (beyond). No double but 0 lies closer than about 2^-61 to a multiple of pi/2 (Kahan; Muller,
 * Elementary Functions), so even there 70 bits of the remainder are right.
 *
 * @param x - a finite number
 * @returns n modulo 4: 0, 1, 2 or 3
 */
export function reduceByHalfPi(x: number): number {
  if (x > MIDDLE_LIMIT || x < -MIDDLE_LIMIT) return reduceLarge(x);
  const n = Math.floor(x * TWO_OVER_PI + 0.5);
  // The first difference is exact; the next two lose their rounding error into a sum of its own (Knuth's two-sum).
  const a = x - n * HALF_PI_1;
  const p2 = n * HALF_PI_2;
  const b = a - p2;
  const b2 = b - a;
  const bLost = a - (b - b2) - (p2 + b2);
  const p3 = n * HALF_PI_3;
  const c = b - p3;
  const c2 = c - b;
  const cLost = b - (c - c2) - (p3 + c2);
  const rest = bLost + (cLost - n * HALF_PI_4);
  const value = c + rest;
  remainder[0] = value;
  remainder[1] = c - value + rest;
  return n & 3;
}

/** 24 bits of 2/pi, the first of them being bit `at` of the table. */
function twoOverPiDigit(at: number): number {
  const word = at >>> 5;
  const shift = at & 31;
  const first = BITS_OF_TWO_OVER_PI[word]! << shift;
  // A shift by 32 would be one by 0, hence in two steps.
  const second = (BITS_OF_TWO_OVER_PI[word + 1]! >>> 1) >>> (31 - shift);
  return (first | second) >>> 8;
}

/**
 * The reduction beyond {@link MIDDLE_LIMIT}.
 *
 * With |x| = m 2^e (m whole, 53 bits), bits of 2/pi worth 2^(2-e) or more only add multiples of 4 to x / (pi/2). The
 * 216 bits after those, as nine digits of 24 bits, are multiplied by m, as three digits, column by column; every
 * column is below 2^53 and exact. The first column left out would add less than 2^-140, the digits kept end at 2^-142.
 */
function reduceLarge(x: number): number {
  const high = highWord(x);
  const low = lowWord(x);
  const m2 = ((high & 0xfffff) | 0x100000) >>> 16;
  const m1 = ((high & 0xffff) << 8) | (low >>> 24);
  const m0 = low & 0xffffff;
  const e = ((high >>> 20) & 0x7ff) - 1075;
  const at = e - 2 + 64;
  const f0 = twoOverPiDigit(at);
  const f1 = twoOverPiDigit(at + 24);
  const f2 = twoOverPiDigit(at + 48);
  const f3 = twoOverPiDigit(at + 72);
  const f4 = twoOverPiDigit(at + 96);
  const f5 = twoOverPiDigit(at + 120);
  const f6 = twoOverPiDigit(at + 144);
  const f7 = twoOverPiDigit(at + 168);
  const f8 = twoOverPiDigit(at + 192);

  // Columns from the last to the first, each handing what exceeds 24 bits to the one before it.
  const carry6 = Math.floor((m0 * f6 + m1 * f7 + m2 * f8) / 16777216);
  const c5 = m0 * f5 + m1 * f6 + m2 * f7 + carry6;
  const carry5 = Math.floor(c5 / 16777216);
  const c4 = m0 * f4 + m1 * f5 + m2 * f6 + carry5;
  const carry4 = Math.floor(c4 / 16777216);
  const c3 = m0 * f3 + m1 * f4 + m2 * f5 + carry4;
  const carry3 = Math.floor(c3 / 16777216);
  const c2 = m0 * f2 + m1 * f3 + m2 * f4 + carry3;
  const carry2 = Math.floor(c2 / 16777216);
  const c1 = m0 * f1 + m1 * f2 + m2 * f3 + carry2;
  const carry1 = Math.floor(c1 / 16777216);
  const c0 = m0 * f0 + m1 * f1 + m2 * f2 + carry1;
  const carry0 = Math.floor(c0 / 16777216);

  // The first digit holds n modulo 4 in its upper 2 bits and 22 fraction bits; from 1/2 on n is the next one.
  const digit0 = c0 - carry0 * 16777216;
  const n = Math.floor(digit0 / 4194304 + 0.5);
  const first = (digit0 - n * 4194304) * 16777216 + (c1 - carry1 * 16777216);
  const second = (c2 - carry2 * 16777216) * 16777216 + (c3 - carry3 * 16777216);
  const third = (c4 - carry4 * 16777216) * 16777216 + (c5 - carry5 * 16777216);

  // first 2^-46 + second 2^-94 + third 2^-142, as a double and its rest.
  const top = first * 1.4210854715202004e-14;
  const middle = second * 5.048709793414476e-29;
  const bottom = third * 1.793662034335766e-43;
  const sum = top + middle;
  const sum2 = sum - top;
  const sumLost = top - (sum - sum2) + (middle - sum2) + bottom;
  const quarter = sum + sumLost;
  const quarterLow = sum - quarter + sumLost;

  // Times pi/2, the leading product without loss (Dekker's product).
  const scaled = quarter * SPLITTER;
  const quarterTop = scaled - (scaled - quarter);
  const quarterBottom = quarter - quarterTop;
  const product = quarter * HALF_PI;
  const productLost =
    quarterTop * HALF_PI_TOP -
    product +
    quarterTop * HALF_PI_BOTTOM +
    quarterBottom * HALF_PI_TOP +
    quarterBottom * HALF_PI_BOTTOM;
  const rest = productLost + (quarter * HALF_PI_LOW + quarterLow * HALF_PI);
  const value = product + rest;
  const valueLow = product - value + rest;
  if (x < 0) {
    remainder[0] = -value;
    remainder[1] = -valueLow;
    return -n & 3;
  }
  remainder[0] = value;
  remainder[1] = valueLow;
  return n & 3;
}
