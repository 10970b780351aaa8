/**
 * Spherical interpolation of unit quaternions (Shoemake, 1985), by a series for shares from 0 to 1 and by sines beyond.
 */
import { atan2 } from './inverseTrig.js';
import type { Numbers } from './numbers.js';
import { sin } from './trig.js';

/**
 * Writes the spherical interpolation from a (t = 0) to b (t = 1) along the shorter arc: where a . b < 0, b is taken
 * with the other sign. The ends are exact, up to that sign.
 *
 * Source: Shoemake, Animating rotation with quaternion curves, 1985. The arc is 2 atan2(|a - b|, |a + b|), which is
 * accurate for arcs near 0, where the arc cosine of a . b is not (Kahan).
 *
 * @param t - share of the arc; outside 0..1 the rotation goes on at the same rate
 */
export function slerpQuat(
  out: Numbers,
  o: number,
  a: Numbers,
  i: number,
  b: Numbers,
  j: number,
  t: number,
): void {
  ownShare[0] = t;
  slerpQuatBy(out, o, a, i, b, j, ownShare, 0);
}

const ownShare = new Float64Array(1);

/** Terms of the series at 90 degrees. */
const slerpTerms = 58;
/** 1 / n and 1 / (2 n + 1). */
const oneOver: Float64Array = Float64Array.from({ length: slerpTerms + 1 }, (_, n) => 1 / n);
const oneOverOdd: Float64Array = Float64Array.from({ length: slerpTerms + 1 }, (_, n) => 1 / (2 * n + 1));

/**
 * {@link slerpQuat} with the share t read from a list: a number that crosses a call is boxed, and a tick must not
 * allocate.
 *
 * The shorter arc x is at most 90 degrees, and there the weights sin(t x) / sin(x) have a quick series in
 * y = cos(x) - 1: t (1 + c_1 y (1 + c_2 y (1 + ...))) with c_n = (t^2 / n - n) / (2 n + 1). All its terms are
 * positive for t in 0..1; it is cut where the rest is below a rounding. Outside 0..1 sines serve.
 */
export function slerpQuatBy(
  out: Numbers,
  o: number,
  a: Numbers,
  i: number,
  b: Numbers,
  j: number,
  share: Numbers,
  k: number,
): void {
  const t = share[k]!;
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const aw = a[i + 3]!;
  let bx = b[j]!;
  let by = b[j + 1]!;
  let bz = b[j + 2]!;
  let bw = b[j + 3]!;
  if (aw * bw + ax * bx + (ay * by + az * bz) < 0) {
    bx = -bx;
    by = -by;
    bz = -bz;
    bw = -bw;
  }
  const dx = ax - bx;
  const dy = ay - by;
  const dz = az - bz;
  const dw = aw - bw;
  const apartSquare = dw * dw + dx * dx + (dy * dy + dz * dz);
  const r = 1 - t;
  let weightA = r;
  let weightB = t;
  if (t >= 0 && t <= 1) {
    const y = -0.5 * apartSquare;
    const tt = t * t;
    const rr = r * r;
    let sumA = 1;
    let sumB = 1;
    let n = slerpTerms;
    if (apartSquare < 0.03) n = 8;
    else if (apartSquare < 0.28) n = 15;
    else if (apartSquare < 1) n = 28;
    for (; n > 0; n--) {
      const f = y * oneOverOdd[n]!;
      sumA = 1 + f * (rr * oneOver[n]! - n) * sumA;
      sumB = 1 + f * (tt * oneOver[n]! - n) * sumB;
    }
    weightA = r * sumA;
    weightB = t * sumB;
  } else {
    const sx = ax + bx;
    const sy = ay + by;
    const sz = az + bz;
    const sw = aw + bw;
    const together = Math.sqrt(sw * sw + sx * sx + (sy * sy + sz * sz));
    const arc = 2 * atan2(Math.sqrt(apartSquare), together);
    const whole = sin(arc);
    weightA = sin(r * arc) / whole;
    weightB = sin(t * arc) / whole;
  }
  out[o] = weightA * ax + weightB * bx;
  out[o + 1] = weightA * ay + weightB * by;
  out[o + 2] = weightA * az + weightB * bz;
  out[o + 3] = weightA * aw + weightB * bw;
}
