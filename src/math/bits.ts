/**
 * The exponent and the bits of a double, through one typed-array pair that shares memory. Everything here is exact.
 * Which word is the high one is asked from the machine once, so results do not depend on byte order.
 */

const asDouble = new Float64Array(1);
const asWords = new Uint32Array(asDouble.buffer);
asDouble[0] = 1;
/** 1 has the words 0x3ff00000 (sign, exponent, top of the fraction) and 0. */
const HIGH = asWords[0] === 0 ? 1 : 0;
const LOW = 1 - HIGH;

/** Sign, exponent and the upper 20 fraction bits of x as an unsigned 32-bit integer. x must not be NaN. */
export function highWord(x: number): number {
  asDouble[0] = x;
  return asWords[HIGH]!;
}

/** The lower 32 fraction bits of x as an unsigned 32-bit integer. x must not be NaN. */
export function lowWord(x: number): number {
  asDouble[0] = x;
  return asWords[LOW]!;
}

/** The double with these words: `fromWords(highWord(x), lowWord(x)) === x`. The words must not spell a NaN. */
export function fromWords(high: number, low: number): number {
  asWords[HIGH] = high;
  asWords[LOW] = low;
  return asDouble[0]!;
}

/** 2 to the power k, exact, for whole k from -1022 to 1023. */
export function powerOfTwo(k: number): number {
  return fromWords((k + 1023) << 20, 0);
}
