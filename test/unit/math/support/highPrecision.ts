/**
 * exp, log, sine, cosine, tangent and their inverses to 140 bits and more, by plain series in whole numbers. It shares
 * nothing with src/math: no tables, no reduction constants, no floating point. Also the exact error of a double in ulps.
 */

/** The real number value / 2^bits. */
export interface Real {
  value: bigint;
  bits: number;
}

/** Working precision in bits after the leading one, before the few that cancellation costs. */
const PRECISION = 220;

/** The double x as mantissa * 2^exponent, exactly. */
function parts(x: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const size = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: bits >> 63n ? -size : size, exponent: Math.max(biased, 1) - 1075 };
}

/** x * 2^bits, cut towards -infinity where bits is too small to hold it. */
export function fixed(x: number, bits: number): bigint {
  const { mantissa, exponent } = parts(x);
  return shift(mantissa, exponent + bits);
}

function shift(value: bigint, by: number): bigint {
  return by >= 0 ? value << BigInt(by) : value >> BigInt(-by);
}

/** Binary digits of |value|; 1 for 0. */
export function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}

/** floor(log2 |x|) for a double that is not 0. */
function exponentOf(x: number): number {
  const { mantissa, exponent } = parts(x);
  return bitLength(mantissa) - 1 + exponent;
}

function root(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((bitLength(value) + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

const piCache = new Map<number, bigint>();

/** pi * 2^bits by Machin's formula, pi = 16 atan(1/5) - 4 atan(1/239). */
export function pi(bits: number): bigint {
  const known = piCache.get(bits);
  if (known !== undefined) return known;
  const guard = 40;
  const one = 1n << BigInt(bits + guard);
  const inverseTangent = (n: bigint): bigint => {
    let power = one / n;
    let sum = power;
    for (let k = 3n, sign = -1n; power !== 0n; k += 2n, sign = -sign) {
      power /= n * n;
      sum += sign * (power / k);
    }
    return sum;
  };
  const value = (16n * inverseTangent(5n) - 4n * inverseTangent(239n)) >> BigInt(guard);
  piCache.set(bits, value);
  return value;
}

/** 2 atanh(n / d) * 2^bits, |n / d| < 1/2. */
function twiceAtanh(n: bigint, d: bigint, bits: number): bigint {
  const s = (n << BigInt(bits)) / d;
  const square = (s * s) >> BigInt(bits);
  let power = s;
  let sum = 0n;
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = (power * square) >> BigInt(bits);
  }
  return 2n * sum;
}

const ln2 = twiceAtanh(1n, 3n, PRECISION + 40);

/** e^x. */
export function exactExp(x: number): Real {
  const bits = PRECISION + 40;
  const argument = fixed(x, bits);
  const k = argument / ln2;
  const halvings = 8n;
  const r = (argument - k * ln2) >> halvings;
  let term = 1n << BigInt(bits);
  let sum = term;
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = ((term * r) >> BigInt(bits)) / n;
    sum += term;
  }
  for (let n = 0n; n < halvings; n++) sum = (sum * sum) >> BigInt(bits);
  return { value: sum, bits: bits - Number(k) };
}

/** ln x for x > 0. */
export function exactLog(x: number): Real {
  const bits = PRECISION + 40;
  const { mantissa, exponent } = parts(x);
  const length = bitLength(mantissa);
  const one = 1n << BigInt(length - 1);
  // mantissa / one lies in 1..2
  const value = twiceAtanh(mantissa - one, mantissa + one, bits) + BigInt(length - 1 + exponent) * ln2;
  return { value, bits };
}

/** sin x and cos x of x = argument / 2^scale, to `bits` bits after the point; pi is taken to `scale` bits. */
function sineAndCosineAt(argument: bigint, scale: number, bits: number): { sine: bigint; cosine: bigint } {
  const half = pi(scale) >> 1n;
  const quarter = (2n * argument + (argument < 0n ? -half : half)) / (2n * half);
  const r = shift(argument - quarter * half, bits - scale);
  const square = (r * r) >> BigInt(bits);
  let sine = 0n;
  let cosine = 0n;
  let term = 1n << BigInt(bits);
  for (let n = 0n; term !== 0n && term !== -1n; n += 2n) {
    const next = ((term * r) >> BigInt(bits)) / (n + 1n);
    const sign = (n / 2n) % 2n === 0n ? 1n : -1n;
    cosine += sign * term;
    sine += sign * next;
    term = ((term * square) >> BigInt(bits)) / ((n + 1n) * (n + 2n));
  }
  const turns = ((quarter % 4n) + 4n) % 4n;
  if (turns === 1n) return { sine: cosine, cosine: -sine };
  if (turns === 2n) return { sine: -sine, cosine: -cosine };
  if (turns === 3n) return { sine: -cosine, cosine: sine };
  return { sine, cosine };
}

/** sin x and cos x of a double. */
function sineAndCosine(x: number): { sine: bigint; cosine: bigint; bits: number } {
  const exponent = exponentOf(x);
  const bits = PRECISION + 80 + Math.max(0, -exponent);
  // The number of quarter turns has `exponent` bits and multiplies the error of pi: that many more are kept.
  const scale = bits + Math.max(0, exponent);
  return { ...sineAndCosineAt(fixed(x, scale), scale, bits), bits };
}

/** sin x, x finite and not 0. */
export function exactSin(x: number): Real {
  const { sine, bits } = sineAndCosine(x);
  return { value: sine, bits };
}

/** cos x, x finite and not 0. */
export function exactCos(x: number): Real {
  const { cosine, bits } = sineAndCosine(x);
  return { value: cosine, bits };
}

/** tan x, x finite and not 0. */
export function exactTan(x: number): Real {
  const { sine, cosine, bits } = sineAndCosine(x);
  return { value: (sine << BigInt(bits)) / cosine, bits };
}

/** The angle of the point (x, y) from the positive x axis; both share one scale and are not both 0. */
function angleOfPoint(y: bigint, x: bigint): Real {
  const sizeY = y < 0n ? -y : y;
  const sizeX = x < 0n ? -x : x;
  const steep = sizeY > sizeX;
  const n = steep ? sizeX : sizeY;
  const d = steep ? sizeY : sizeX;
  const bits = PRECISION + 60 + (n === 0n ? 0 : Math.max(0, bitLength(d) - bitLength(n)));
  const one = 1n << BigInt(bits);
  let t = (n << BigInt(bits)) / d;
  // atan t = 2 atan(t / (1 + sqrt(1 + t^2))), three times, then the alternating series.
  const halvings = 3;
  for (let k = 0; k < halvings; k++) {
    t = (t << BigInt(bits)) / (one + root((one << BigInt(bits)) + t * t));
  }
  const square = (t * t) >> BigInt(bits);
  let power = t;
  let angle = 0n;
  for (let k = 1n, sign = 1n; power !== 0n; k += 2n, sign = -sign) {
    angle += (sign * power) / k;
    power = (power * square) >> BigInt(bits);
  }
  angle <<= BigInt(halvings);
  if (steep) angle = (pi(bits) >> 1n) - angle;
  if (x < 0n) angle = pi(bits) - angle;
  return { value: y < 0n ? -angle : angle, bits };
}

/** The angle of the point (x, y). */
export function exactAtan2(y: number, x: number): Real {
  return angleOfPoint(fixed(y, 1074), fixed(x, 1074));
}

/** atan x. */
export function exactAtan(x: number): Real {
  return exactAtan2(x, 1);
}

/** x and sqrt(1 - x^2) at one scale. */
function legs(x: number): { leg: bigint; other: bigint } {
  const bits = PRECISION + 60 + Math.max(0, -exponentOf(x));
  const leg = fixed(x, bits);
  return { leg, other: root((1n << BigInt(2 * bits)) - leg * leg) };
}

/** asin x for 0 < |x| <= 1. */
export function exactAsin(x: number): Real {
  const { leg, other } = legs(x);
  return angleOfPoint(leg, other);
}

/** acos x for 0 < |x| <= 1, x not 1. */
export function exactAcos(x: number): Real {
  const { leg, other } = legs(x);
  return angleOfPoint(other, leg);
}

/**
 * How far the double lies from the real number, in ulps of the real number: 1 ulp is the distance of neighbouring
 * doubles in its binade, 2^-1074 among subnormal numbers. A correctly rounded result is at most 0.5 away.
 */
export function ulpError(actual: number, exact: Real): number {
  if (exact.value === 0n) return actual === 0 ? 0 : Infinity;
  if (!Number.isFinite(actual)) return Infinity;
  const leading = bitLength(exact.value) - 1 - exact.bits;
  const ulp = Math.max(leading - 52, -1074);
  // Difference in units of ulp / 2^30; the real number is cut there, the double is a multiple of it.
  const unit = 30 - ulp;
  const { mantissa, exponent } = parts(actual);
  const difference = shift(mantissa, exponent + unit) - shift(exact.value, unit - exact.bits);
  return Math.abs(Number(difference)) / 1073741824;
}

/**
 * Spherical interpolation between two quaternions along the shorter arc, as it is defined: weights sin((1 - t) arc) and
 * sin(t arc) over sin(arc), the arc being the angle between the two. Components times 2^bits.
 */
export function exactSlerp(a: number[], b: number[], t: number): { components: bigint[]; bits: number } {
  const bits = 600;
  const p = a.map((x) => fixed(x, bits));
  let q = b.map((x) => fixed(x, bits));
  const product = (u: bigint[], v: bigint[]): bigint =>
    u.reduce((sum, x, k) => sum + x * v[k]!, 0n) >> BigInt(bits);
  if (product(p, q) < 0n) q = q.map((x) => -x);
  const cosine = product(p, q);
  const squares = product(p, p) * product(q, q);
  const arc = angleOfPoint(root(squares - cosine * cosine), cosine);
  const angle = shift(arc.value, bits - arc.bits);
  const share = fixed(t, bits);
  const sine = (x: bigint): bigint => sineAndCosineAt(x, bits, bits).sine;
  const whole = sine(angle);
  // Parallel: the limit of the weights.
  if (whole === 0n) {
    const rest = (1n << BigInt(bits)) - share;
    return { components: p.map((x, k) => (rest * x + share * q[k]!) >> BigInt(bits)), bits };
  }
  const weightB = sine((angle * share) >> BigInt(bits));
  const weightA = sine((angle * ((1n << BigInt(bits)) - share)) >> BigInt(bits));
  return { components: p.map((x, k) => (weightA * x + weightB * q[k]!) / whole), bits };
}

/** The distance of a double from value / 2^bits, in units of 2^-52. */
export function errorInEpsilons(actual: number, value: bigint, bits: number): number {
  return Math.abs(Number(shift(fixed(actual, bits) - value, 82 - bits))) / 1073741824;
}
