/** The four coefficients of one tick against the oscillator's closed form, over ten seconds. */
import { describe, expect, it } from 'vitest';
import { propagator } from '../../../src/setup/propagator.js';
import { closedForm } from '../../support/reference.js';

const seconds = 10;

describe('the propagator', () => {
  for (const tickRate of [30, 60, 120, 240]) {
    for (const damping of [0.05, 0.3, 0.65, 0.999, 1 - 1e-9, 1, 1 + 1e-9, 1.001, 1.5, 5]) {
      it.each([0.1, 0.45, 0.9, 1.5, 5])(
        `follows the closed form at ${tickRate} ticks and damping ${damping} (%d Hz)`,
        (frequency) => {
          const w = 2 * Math.PI * frequency;
          const c = new Float64Array(4);
          propagator(w, damping, 1 / tickRate, c);
          for (const [x0, v0] of [
            [1, 0],
            [0, w],
            [0.6, -0.8 * w],
          ] as [number, number][]) {
            let x = x0;
            let v = v0;
            let worst = 0;
            for (let k = 1; k <= seconds * tickRate; k++) {
              [x, v] = [c[0]! * x + c[1]! * v, c[2]! * x + c[3]! * v];
              const [xx, xv, vx, vv] = closedForm(w, damping, k / tickRate);
              worst = Math.max(
                worst,
                Math.abs(x - (xx * x0 + xv * v0)),
                Math.abs(v - (vx * x0 + vv * v0)) / w,
              );
            }
            // The initial amplitude is 1.
            expect(worst).toBeLessThan(1e-12);
          }
        },
      );
    }
  }

  it('is the identity for a tick of no time', () => {
    for (const damping of [0.2, 1, 3]) {
      const c = new Float64Array(4);
      propagator(5, damping, 0, c);
      expect([...c]).toEqual([1, 0, 0, 1].map((x) => expect.closeTo(x, 15)));
    }
  });

  it('has the determinant exp(-2 z w h) that every damped oscillator has', () => {
    for (const damping of [0.1, 0.65, 1, 2]) {
      const c = new Float64Array(4);
      propagator(4, damping, 1 / 60, c);
      expect(c[0]! * c[3]! - c[1]! * c[2]!).toBeCloseTo(Math.exp((-2 * damping * 4) / 60), 14);
    }
  });
});
