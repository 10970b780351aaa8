import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHash, finishHash, hashDoubles, hashValue, hashWords } from '../../../src/math/index.js';
import { seeded } from '../../support/referenceMath.js';

function ofDoubles(values: ArrayLike<number>): bigint {
  const words = new Int32Array(Float64Array.from(values).buffer);
  const lanes = createHash();
  hashDoubles(lanes, words, 0, words.length);
  finishHash(lanes);
  return hashValue(lanes);
}

function ofWords(values: ArrayLike<number>): bigint {
  const words = Int32Array.from(values);
  const lanes = createHash();
  hashWords(lanes, words, 0, words.length);
  finishHash(lanes);
  return hashValue(lanes);
}

const mask = 0xffffffffn;
const mul = (a: bigint, b: bigint): bigint => (a * b) & mask;
const turn = (a: bigint, by: bigint): bigint => ((a << by) | (a >> (32n - by))) & mask;
const spread = (x: bigint): bigint => {
  let h = mul(x ^ (x >> 16n), 0x85ebca6bn);
  h = mul(h ^ (h >> 13n), 0xc2b2ae35n);
  return h ^ (h >> 16n);
};

/** The same from its description, in whole numbers without end: word i goes to lane i mod 4. */
function naive(words: readonly number[], count: number): bigint {
  const lanes = [0x243f6a88n, 0x85a308d3n, 0x13198a2en, 0x03707344n];
  const factors = [0x85ebca6bn, 0xc2b2ae35n];
  words.forEach((word, i) => {
    lanes[i % 4] = turn(mul(lanes[i % 4]! ^ BigInt(word >>> 0), factors[i % 2]!), 13n);
  });
  lanes[3]! ^= BigInt(count);
  const low = spread(lanes[0]! ^ turn(lanes[2]!, 16n));
  const high = spread(lanes[1]! ^ turn(lanes[3]!, 16n) ^ low);
  return (high << 32n) | spread((low + high) & mask);
}

const bits = (value: bigint): number => value.toString(2).replaceAll('0', '').length;

describe('the hash', () => {
  it('of doubles is what its description says, at every length', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 40 }), (values) => {
        const folded = values.map((x) => x + 0);
        const words = [...new Int32Array(Float64Array.from(folded).buffer)];
        const count = words.length;
        while (words.length % 4 !== 0) words.push(0);
        expect(ofDoubles(values)).toBe(naive(words, count));
      }),
    );
  });

  it('of words is, at multiples of four and beyond a block', () => {
    const random = seeded(1);
    for (const length of [0, 4, 8, 1020, 1024, 1028, 4096, 5000]) {
      const words = Array.from({ length }, () => Math.floor(random() * 0x100000000) | 0);
      expect(ofWords(words)).toBe(naive(words, length));
      const doubles = new Float64Array(Int32Array.from(words).buffer);
      if (doubles.every((x) => Number.isFinite(x))) expect(ofDoubles(doubles)).toBe(naive(words, length));
    }
  });

  it('counts -0 as 0, and every NaN as one', () => {
    expect(ofDoubles([1, -0, 3])).toBe(ofDoubles([1, 0, 3]));
    expect(ofDoubles([-0])).toBe(ofDoubles([0]));
    const other = new Float64Array(Uint32Array.of(0x1234, 0xfff81234).buffer);
    expect(Number.isNaN(other[0])).toBe(true);
    for (const places of [1, 2, 3]) {
      const list = Array.from({ length: places }, () => 1);
      expect(ofDoubles([...list, other[0]!])).toBe(ofDoubles([...list, NaN]));
    }
    expect(ofDoubles([NaN])).not.toBe(ofDoubles([Infinity]));
    expect(ofDoubles([Infinity])).not.toBe(ofDoubles([-Infinity]));
    expect(ofDoubles([-Number.MIN_VALUE])).not.toBe(ofDoubles([Number.MIN_VALUE]));
  });

  it('turns half of its bits for any bit that turns', () => {
    const random = seeded(2);
    const values = Float64Array.from({ length: 37 }, () => random() - 0.5);
    const words = new Int32Array(values.buffer);
    const before = ofDoubles(values);
    let sum = 0;
    let least = 64;
    for (let bit = 0; bit < 37 * 64; bit++) {
      words[bit >> 5]! ^= 1 << (bit & 31);
      const turned = bits(before ^ ofDoubles(values));
      words[bit >> 5]! ^= 1 << (bit & 31);
      sum += turned;
      least = Math.min(least, turned);
    }
    expect(sum / (37 * 64)).toBeGreaterThan(31);
    expect(sum / (37 * 64)).toBeLessThan(33);
    expect(least).toBeGreaterThan(10);
  });

  it('tells apart what differs in signs only, in order only, in length only', () => {
    const random = seeded(3);
    const values = Array.from({ length: 64 }, () => random() + 0.25);
    const seen = new Set([ofDoubles(values)]);
    let count = 1;
    const see = (list: number[]): void => {
      seen.add(ofDoubles(list));
      count++;
    };
    // Quaternions and their negatives, mirrored vectors, any two signs.
    for (let i = 0; i < 64; i++)
      for (let j = i; j < 64; j++) see(values.map((x, k) => (k === i || k === j ? -x : x)));
    for (let i = 0; i < 64; i += 4) see(values.map((x, k) => (k >= i && k < i + 4 ? -x : x)));
    for (let i = 0; i < 63; i++)
      see([...values.slice(0, i), values[i + 1]!, values[i]!, ...values.slice(i + 2)]);
    for (let n = 1; n < 64; n++) see(values.slice(0, n));
    for (let n = 1; n < 64; n++) see([...values, ...Array.from({ length: n }, () => 0)]);
    expect(seen.size).toBe(count);
  });
});
