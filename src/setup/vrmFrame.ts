/**
 * The VRM model's transition: one 60 Hz frame of VRM's spring bones as a matrix, raised to the tick (docs/solver.md,
 * "VRM model"). With e the offset from the centre and u the displacement that inertia keeps,
 * (e, u) -> M (e, u), M = [[a, a], [r (a - 1), r a]], a = L / (L + stiffness / 60), r = 1 - drag.
 *
 * M^t = c0 I + c1 M from its eigenvalues (Cayley and Hamilton). Their product is r a and their sum a (1 + r).
 */
import { atan2, exp, log, sin } from '../math/index.js';

/** Frames per second of the VRM specification. */
export const vrmRate = 60;

/**
 * Writes the transition over one step in the form of the spring's propagator: position from position and from velocity,
 * velocity from position and from velocity, with velocity = 60 u.
 *
 * @param length - of the link at bind scale, metres, > 0
 * @param stiffness - >= 0
 * @param drag - share of the motion lost per frame, 0..1
 * @param h - seconds
 * @param out - receives four numbers at `at`
 */
export function vrmTransition(
  length: number,
  stiffness: number,
  drag: number,
  h: number,
  out: Float64Array | number[],
  at = 0,
): void {
  const a = length / (length + stiffness / vrmRate);
  const r = 1 - drag;
  const t = vrmRate * h;
  power((a * (1 + r)) / 2, a * r, t);
  const c0 = coefficients[0]!;
  const c1 = coefficients[1]!;
  out[at] = c0 + c1 * a;
  out[at + 1] = (c1 * a) / vrmRate;
  out[at + 2] = vrmRate * c1 * r * (a - 1);
  out[at + 3] = c0 + c1 * r * a;
}

/** c0 and c1. */
const coefficients = new Float64Array(2);

/** Ratio of the eigenvalues above which their difference cancels and the series takes over. */
const nearDouble = 0.5;

/**
 * Writes `coefficients` of M^t = c0 I + c1 M.
 *
 * @param half - half the sum of the eigenvalues, > 0
 * @param product - their product, >= 0
 */
function power(half: number, product: number, t: number): void {
  const square = half * half - product;
  const size = exp(log(product) / 2); // 0 for a product of 0
  if (square < 0) {
    const angle = atan2(Math.sqrt(-square), half);
    const sine = sin(angle);
    coefficients[0] = (-powerOf(size, t) * sin((t - 1) * angle)) / sine;
    coefficients[1] = (powerOf(size, t - 1) * sin(t * angle)) / sine;
    return;
  }
  const large = half + Math.sqrt(square);
  const small = product / large;
  if (small < nearDouble * large) {
    const gap = large - small;
    const largePower = powerOf(large, t);
    const smallPower = powerOf(small, t);
    coefficients[0] = (large * smallPower - small * largePower) / gap;
    coefficients[1] = (largePower - smallPower) / gap;
    return;
  }
  // Eigenvalues size e^(+-x): sinh(t x) / sinh(x) is t times a ratio of two series that begin with 1.
  const x = log(large / small) / 2;
  coefficients[0] = (-powerOf(size, t) * (t - 1) * sinhSeries((t - 1) * x)) / sinhSeries(x);
  coefficients[1] = (powerOf(size, t - 1) * t * sinhSeries(t * x)) / sinhSeries(x);
}

/** base^t, base >= 0; 0 stays 0. */
function powerOf(base: number, t: number): number {
  if (t === 0) return 1;
  return base > 0 ? exp(t * log(base)) : 0;
}

/** sinh(x) / x for |x| up to about 1. */
function sinhSeries(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k <= 9; k++) {
    term *= (x * x) / (2 * k * (2 * k + 1));
    sum += term;
  }
  return sum;
}
