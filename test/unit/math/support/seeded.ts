/**
 * Seeded numbers for measurements: the same points in every run, so that a measured bound can be asserted.
 */

/** A generator of doubles in 0..1 (exclusive) with 53 random bits, by xorshift128 (Marsaglia 2003). */
export function seeded(seed: number): () => number {
  let x = seed | 0 || 1;
  let y = 362436069;
  let z = 521288629;
  let w = 88675123;
  const next = (): number => {
    const t = x ^ (x << 11);
    x = y;
    y = z;
    z = w;
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return w >>> 0;
  };
  for (let k = 0; k < 20; k++) next();
  return () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
}

/** A finite double that is not 0, all exponents alike, subnormal numbers among them. */
export function anyDouble(random: () => number): number {
  const view = new DataView(new ArrayBuffer(8));
  for (;;) {
    view.setUint32(0, Math.floor(random() * 4294967296));
    view.setUint32(4, Math.floor(random() * 4294967296));
    const x = view.getFloat64(0);
    if (Number.isFinite(x) && x !== 0) return x;
  }
}

/** A double between two positive bounds, all exponents alike. */
export function logUniform(random: () => number, from: number, to: number): number {
  const share = random();
  return Math.exp(Math.log(from) * (1 - share) + Math.log(to) * share);
}

/** A double between two bounds, evenly spread. */
export function uniform(random: () => number, from: number, to: number): number {
  return from + (to - from) * random();
}

/** x and its neighbours, `steps` doubles up (or down when negative); x not 0. */
export function stepDouble(x: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps));
  return view.getFloat64(0);
}
