/**
 * A 64-bit hash of words: four lanes of 32 bits, each word exclusive-or'ed in, multiplied, turned (the mixing step of
 * MurmurHash3, A. Appleby, public domain). It tells bits apart that differ by accident; it is no defence against forgery.
 * Doubles are folded first: -0 counts as 0, and every NaN as one, because engines differ in the bits of a NaN.
 */

/** Running lanes, then whatever {@link finishHash} makes of them: the hash in the first two, low half first. */
export type HashLanes = Int32Array;

/** New lanes, ready to take words. */
export function createHash(): HashLanes {
  return startHash(new Int32Array(4));
}

/** Makes lanes ready to take words. */
export function startHash(lanes: HashLanes): HashLanes {
  lanes[0] = 0x243f6a88;
  lanes[1] = 0x85a308d3;
  lanes[2] = 0x13198a2e;
  lanes[3] = 0x03707344;
  return lanes;
}

const lowFactor = 0x85ebca6b;
const highFactor = 0xc2b2ae35;
/** High word of the one NaN. */
const nan = 0x7ff80000;

/**
 * Words that are mixed in one call, a multiple of four. A loop that runs long is compiled while it runs, and V8 then keeps
 * to that code, which takes twice as long as what it makes of a function that is called often.
 */
const block = 1024;

/**
 * Takes in integers: `words[from..to)`. Four lanes, so that no multiplication waits for the one before.
 *
 * @param words - bytes count as words of four, the last filled up with zeros
 */
export function hashWords(lanes: HashLanes, words: Int32Array, from: number, to: number): void {
  for (let i = from; i < to; i += block) mixWords(lanes, words, i, i + block < to ? i + block : to);
  lanes[3] = lanes[3]! ^ (to - from);
}

function mixWords(lanes: HashLanes, words: Int32Array, from: number, to: number): void {
  let a = lanes[0]!;
  let b = lanes[1]!;
  let c = lanes[2]!;
  let d = lanes[3]!;
  let i = from;
  for (; i + 3 < to; i += 4) {
    a = Math.imul(a ^ words[i]!, lowFactor);
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b ^ words[i + 1]!, highFactor);
    b = (b << 13) | (b >>> 19);
    c = Math.imul(c ^ words[i + 2]!, lowFactor);
    c = (c << 13) | (c >>> 19);
    d = Math.imul(d ^ words[i + 3]!, highFactor);
    d = (d << 13) | (d >>> 19);
  }
  for (; i < to; i++) {
    a = Math.imul(a ^ words[i]!, lowFactor);
    a = (a << 13) | (a >>> 19);
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
}

const odd = new Int32Array(4);

/** Takes in doubles, given as their words: `words[from..to)`, low word first. Two doubles at a time; an odd one has a zero beside it. */
export function hashDoubles(lanes: HashLanes, words: Int32Array, from: number, to: number): void {
  const even = to - ((to - from) & 3);
  for (let i = from; i < even; i += block) mixDoubles(lanes, words, i, i + block < even ? i + block : even);
  if (even < to) {
    odd[0] = words[even]!;
    odd[1] = words[even + 1]!;
    mixDoubles(lanes, odd, 0, 4);
  }
  lanes[3] = lanes[3]! ^ (to - from);
}

function mixDoubles(lanes: HashLanes, words: Int32Array, from: number, to: number): void {
  let a = lanes[0]!;
  let b = lanes[1]!;
  let c = lanes[2]!;
  let d = lanes[3]!;
  for (let i = from; i < to; i += 4) {
    let low = words[i]!;
    let high = words[i + 1]!;
    let low2 = words[i + 2]!;
    let high2 = words[i + 3]!;
    if ((high & 0x7fffffff) >= 0x7ff00000) {
      if (((high & 0xfffff) | low) !== 0) {
        high = nan;
        low = 0;
      }
    } else if (high === -0x80000000 && low === 0) high = 0;
    if ((high2 & 0x7fffffff) >= 0x7ff00000) {
      if (((high2 & 0xfffff) | low2) !== 0) {
        high2 = nan;
        low2 = 0;
      }
    } else if (high2 === -0x80000000 && low2 === 0) high2 = 0;
    a = Math.imul(a ^ low, lowFactor);
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b ^ high, highFactor);
    b = (b << 13) | (b >>> 19);
    c = Math.imul(c ^ low2, lowFactor);
    c = (c << 13) | (c >>> 19);
    d = Math.imul(d ^ high2, highFactor);
    d = (d << 13) | (d >>> 19);
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
}

/** Ends a hash: its low half in `lanes[0]`, its high half in `lanes[1]`. */
export function finishHash(lanes: HashLanes): void {
  const low = avalanche(lanes[0]! ^ ((lanes[2]! << 16) | (lanes[2]! >>> 16)));
  const high = avalanche(lanes[1]! ^ ((lanes[3]! << 16) | (lanes[3]! >>> 16)) ^ low);
  lanes[0] = avalanche((low + high) | 0);
  lanes[1] = high;
}

/** The finished hash as one number of 64 bits. */
export function hashValue(lanes: HashLanes): bigint {
  return (BigInt(lanes[1]! >>> 0) << 32n) | BigInt(lanes[0]! >>> 0);
}

/** Spreads every bit over all others. */
function avalanche(bits: number): number {
  let h = bits;
  h = Math.imul(h ^ (h >>> 16), lowFactor);
  h = Math.imul(h ^ (h >>> 13), highFactor);
  return h ^ (h >>> 16);
}
