/**
 * The exact propagator of a damped oscillator over one tick: what x'' = -w^2 x - 2 z w x' does to (x, v) in time h,
 * as four numbers. Right at any tick rate, so the motion does not depend on it.
 *
 * With m = (1 - z^2) w^2 h^2, C = cos(sqrt m), S = sin(sqrt m) / sqrt m (for m < 0 their hyperbolic twins) and
 * D = exp(-z w h):  x' = D (C + z w h S) x + D h S v,  v' = -D w^2 h S x + D (C - z w h S) v.
 * Near critical damping both forms cancel, so a series in m serves there; over-damped it is two plain decays.
 */
import { cos, exp, sin } from '../math/index.js';

/**
 * @param angularFrequency - w, rad/s, > 0
 * @param dampingRatio - z, >= 0; 1 is critical
 * @param h - seconds
 * @param out - receives xx, xv, vx, vv at `at`
 */
export function propagator(
  angularFrequency: number,
  dampingRatio: number,
  h: number,
  out: Float64Array | number[],
  at = 0,
): void {
  const w = angularFrequency;
  const z = dampingRatio;
  const zwh = z * w * h;
  const m = (1 - z) * (1 + z) * w * w * h * h;
  if (m < -0.25) {
    const root = Math.sqrt((z - 1) * (z + 1));
    const fast = w * (z + root);
    const slow = w / (z + root); // = w (z - root) without cancellation: the product of both is w^2
    const slowDecay = exp(-slow * h);
    const fastDecay = exp(-fast * h);
    const gap = fast - slow;
    const s = (slowDecay - fastDecay) / gap;
    out[at] = (fast * slowDecay - slow * fastDecay) / gap;
    out[at + 1] = s;
    out[at + 2] = -w * w * s;
    out[at + 3] = (fast * fastDecay - slow * slowDecay) / gap;
    return;
  }
  let c: number;
  let s: number;
  if (m > 0.25) {
    const angle = Math.sqrt(m);
    c = cos(angle);
    s = sin(angle) / angle;
  } else {
    c = 1;
    s = 1;
    let term = 1;
    for (let k = 1; k <= 9; k++) {
      term *= -m / ((2 * k - 1) * (2 * k));
      c += term;
      s += term / (2 * k + 1);
    }
  }
  const decay = exp(-zwh);
  out[at] = decay * (c + zwh * s);
  out[at + 1] = decay * h * s;
  out[at + 2] = -decay * w * w * h * s;
  out[at + 3] = decay * (c - zwh * s);
}
