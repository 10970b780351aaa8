/** One VRM frame, raised to the tick: algebra of the matrix, and the library against the naive algorithm at 60 ticks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vrmTransition } from '../../../src/setup/vrmFrame.js';
import { axisAngle, qmul, type V3 } from '../../support/referenceMath.js';
import { naive, plain, played, vrmTail, worstDistance, type Motion, type Values } from './support.js';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Ends included on purpose: no stiffness, no drag, all drag. */
const stiffness = fc.oneof(fc.constant(0), number(0, 4), number(0, 1000));
const drag = fc.oneof(fc.constantFrom(0, 0.4, 1), number(0, 1), number(0.999, 1));
/** Without any drag links that hang from links are chaotic: rounding grows to 1e-8 m in two seconds. */
const joint = fc.record({
  stiffness,
  dragForce: fc.oneof(fc.constantFrom(0.1, 0.4, 1), number(0.1, 1)),
  gravityPower: fc.oneof(fc.constant(0), number(0, 2)),
  gravityDir: fc.constantFrom<V3>([0, -1, 0], [1, 0, 0], [0, 0.6, -0.8]),
});

function product(a: number[], b: number[]): number[] {
  return [
    a[0]! * b[0]! + a[1]! * b[2]!,
    a[0]! * b[1]! + a[1]! * b[3]!,
    a[2]! * b[0]! + a[3]! * b[2]!,
    a[2]! * b[1]! + a[3]! * b[3]!,
  ];
}

/** The transition as it acts on displacements: without the 60 between velocity and displacement. */
function matrix(length: number, s: number, d: number, ticks: number): number[] {
  const out = [0, 0, 0, 0];
  vrmTransition(length, s, d, ticks / 60, out);
  return [out[0]!, out[1]! * 60, out[2]! / 60, out[3]!];
}

const sway: Motion = (t) => ({
  position: [0.2 * Math.sin(5 * t), 0.05 * Math.sin(9 * t), 1.4 * t],
  rotation: qmul(
    axisAngle([0, 1, 0], 1.05 * Math.sin(Math.PI * t)),
    axisAngle([1, 0, 0], 0.26 * Math.sin(5 * t)),
  ),
});

describe('the transition', () => {
  it('is the frame itself at 60 ticks', () => {
    fc.assert(
      fc.property(number(0.005, 1), stiffness, drag, (length, s, d) => {
        const a = length / (length + s / 60);
        const r = 1 - d;
        const expected = [a, a, r * (a - 1), r * a];
        matrix(length, s, d, 1).forEach((value, i) =>
          expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-13),
        );
      }),
    );
  });

  it.each([2, 3, 5])('taken %i times over parts of a frame makes the frame', (parts) => {
    fc.assert(
      fc.property(number(0.005, 1), stiffness, drag, (length, s, d) => {
        const part = matrix(length, s, d, 1 / parts);
        let all = part;
        for (let k = 1; k < parts; k++) all = product(all, part);
        const whole = matrix(length, s, d, 1);
        all.forEach((value, i) => expect(Math.abs(value - whole[i]!)).toBeLessThan(1e-11));
      }),
      { numRuns: 500 },
    );
  });

  it('is continuous where the eigenvalues meet', () => {
    // a (1 + r)^2 = 4 r: with r = 0.6 they meet at a = 0.9375, stiffness 0.4 on 0.1 m.
    const at = (s: number): number[] => matrix(0.1, s, 0.4, 0.5);
    for (const step of [1e-3, 1e-6, 1e-9, 1e-12])
      at(0.4).forEach((value, i) => {
        expect(Math.abs(value - at(0.4 + step)[i]!)).toBeLessThan(10 * step + 1e-14);
        expect(Math.abs(value - at(0.4 - step)[i]!)).toBeLessThan(10 * step + 1e-14);
      });
  });
});

describe('at 60 ticks the library is the VRM algorithm', () => {
  it('within 1e-9 m for random joints, bone axes and motions', () => {
    fc.assert(
      fc.property(
        fc.array(joint, { minLength: 1, maxLength: 6 }),
        number(0.05, 0.6),
        fc.integer({ min: 0, max: 1e6 }),
        (values, length, axes) => {
          const spec = { links: values.length, length, axes, hips: [0, 1.5, 0] as V3 };
          const tail = vrmTail(spec, values);
          const expected = naive(tail, spec.hips, values, sway, 2);
          expect(worstDistance(played(tail, sway, 2, 60), expected)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([0, 1e-320, 1e-7, 1e-5, 1000])('and with a stiffness of %d, without drag, on one link', (s) => {
    const spec = { links: 1, length: 0.2, hips: [0, 1.5, 0] as V3 };
    const values: Values = { stiffness: s, dragForce: 0, gravityPower: 0.3, gravityDir: [0, -1, 0] };
    const expected = naive(vrmTail(spec, [values]), spec.hips, [values], sway, 2);
    expect(worstDistance(played(vrmTail(spec, [values]), sway, 2, 60), expected)).toBeLessThan(1e-9);
  });

  it('notices each value: none of them is without effect', () => {
    const spec = { links: 3, length: 0.3, hips: [0, 1.5, 0] as V3 };
    const values: Values = { ...plain, gravityPower: 0.3 };
    const expected = naive(vrmTail(spec, [values]), spec.hips, [values], sway, 1);
    const changes: Partial<Values>[] = [
      { stiffness: 1.1 },
      { dragForce: 0.45 },
      { gravityPower: 0.4 },
      { gravityDir: [0, 0, 1] },
    ];
    for (const change of changes) {
      const tail = vrmTail(spec, [{ ...values, ...change }]);
      expect(worstDistance(played(tail, sway, 1, 60), expected)).toBeGreaterThan(1e-3);
    }
  });
});
