/** The kernel against a naive second implementation of the same rules (test/support/reference.ts). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFloor, setRoot, step } from '../../../src/index.js';
import { contactsOf, makeScene, makeTail, originsOf, tipsOf, velocitiesOf } from '../../support/chains.js';
import type { TailSpec } from '../../support/chains.js';
import { smooth } from '../../support/poses.js';
import type { ReferenceOptions } from '../../support/reference.js';
import { referenceRest, referenceState, referenceTick, tailOptions } from '../../support/reference.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { add, axisAngle, len, qmul, qrot, sub } from '../../support/referenceMath.js';

interface Case {
  spec: TailSpec;
  carry: number;
  restCurve: number;
  options: Partial<ReferenceOptions>;
  /** Amplitudes and rates of the root's motion. */
  sway: V3;
  turn: V3;
  rate: number;
  /** Root height after two seconds. */
  sink: number;
}

/** Largest distance of a tip, its velocity and the written joints between both implementations over the ticks. */
function disagreement(
  given: Case,
  ticks: number,
): { tips: number; velocities: number; joints: number; contacts: number } {
  const tail = makeTail(given.spec);
  const options: ReferenceOptions = { ...tailOptions, ...given.options };
  const { floors, tickRate, scale: _, ...chainOptions } = options;
  const scene = makeScene(tail, {
    ...chainOptions,
    carry: given.carry,
    restCurve: given.restCurve,
    tickRate,
    owner: 'solver',
    floor: floors.length > 0,
    teleport: 'none',
  });
  for (const floor of floors) addFloor(scene.world, floor);
  const rest = referenceRest(tail.bind, given.carry, given.restCurve);
  const state = referenceState(rest);
  const worst = { tips: 0, velocities: 0, joints: 0, contacts: 0 };
  for (let k = 0; k < ticks; k++) {
    const t = (k / tickRate) * given.rate;
    const position: V3 = [
      given.sway[0] * Math.sin(t),
      given.sway[1] * Math.sin(1.7 * t) + given.sink * smooth(k / (2 * tickRate)),
      given.sway[2] * Math.sin(1.3 * t),
    ];
    const rotation: Q4 = qmul(
      axisAngle([0, 1, 0], given.turn[1] * Math.sin(1.1 * t)),
      axisAngle([1, 0, 0.5], given.turn[0] * Math.sin(0.9 * t)),
    );
    setRoot(scene.world, scene.character, { position, rotation });
    step(scene.world);
    const head = add(position, qrot(rotation, given.spec.hips ?? [0, 1, 0]));
    referenceTick(rest, options, state, head, qmul(rotation, tail.bind.attachment));
    const velocities = velocitiesOf(scene);
    const contacts = contactsOf(scene);
    const joints = originsOf(scene, [...tail.bones.links.slice(1), tail.bones.end]);
    tipsOf(scene).forEach((tip, i) => {
      worst.tips = Math.max(worst.tips, len(sub(tip, state.tips[i]!)));
      worst.velocities = Math.max(worst.velocities, len(sub(velocities[i]!, state.velocities[i]!)));
      worst.joints = Math.max(worst.joints, len(sub(joints[i]!, state.tips[i]!)));
      if (contacts[i] !== state.contacts[i]) worst.contacts++;
    });
  }
  return worst;
}

const number = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
const direction = fc
  .tuple(number(-0.8, 0.8), number(-1, 0.3), number(-1, 0.2))
  .filter((d) => len(d) > 0.3)
  .map((d): V3 => d);

const cases: fc.Arbitrary<Case> = fc.record({
  spec: fc.record({
    directions: fc.array(direction, { minLength: 1, maxLength: 8 }),
    axes: fc.integer({ min: 1, max: 1000 }),
    length: number(0.3, 1.5),
  }),
  carry: number(-0.5, 1),
  restCurve: number(0, 1),
  options: fc.record({
    frequency: number(0.5, 3),
    tipRatio: number(0.3, 1.2),
    damping: number(0.3, 1.4),
    coupling: fc.oneof(fc.constant(0), number(2, 20)),
    limit: fc.oneof(fc.constant(Infinity), number(0.3, 1)),
    gravity: number(0, 3),
    air: number(0, 1),
    inertia: number(0, 1),
    inertiaRotation: number(0, 1),
    maxSpeed: fc.oneof(fc.constant(Infinity), number(0.5, 2)),
    maxTurn: fc.oneof(fc.constant(Infinity), number(0.5, 2)),
    restFrame: fc.constantFrom('parent' as const, 'attachment' as const),
    keepOut: fc.constant(false),
    tickRate: fc.constantFrom(60, 120, 240),
  }),
  sway: fc.tuple(number(-0.3, 0.3), number(-0.1, 0.1), number(-0.3, 0.3)),
  turn: fc.tuple(number(-0.6, 0.6), number(-0.8, 0.8), fc.constant(0)),
  rate: number(0.5, 6),
  sink: fc.constant(0),
});

const seed = 20260704;

describe('the kernel and the naive reference', () => {
  it('agree on rest, spring, coupling, limit, air, inertia over 240 ticks of random chains', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const worst = disagreement(given, 240);
        expect(worst.tips).toBeLessThan(1e-9);
        expect(worst.velocities).toBeLessThan(1e-7);
        expect(worst.joints).toBeLessThan(1e-9);
      }),
      { seed, numRuns: 120 },
    );
  });

  const quiet: Omit<Case, 'options' | 'spec'> = {
    carry: 0.8,
    restCurve: 0,
    sway: [0.1, 0, 0.05],
    turn: [0, 0.2, 0],
    rate: 2,
    sink: -0.7,
  };

  it.each([1, 2, 4, 6])('agree on a level floor (%i links)', (links) => {
    const worst = disagreement(
      {
        ...quiet,
        spec: { links, direction: [0, -1, -0.4], axes: 3 },
        options: { gravity: 1, keepOut: false, floors: [{ point: [0, 0, 0], normal: [0, 1, 0] }] },
      },
      600,
    );
    expect(worst.contacts).toBe(0);
    expect(worst.tips).toBeLessThan(1e-9);
    expect(worst.velocities).toBeLessThan(1e-7);
  });

  it.each([1, 2, 4, 6])('agree on a tilted floor (%i links)', (links) => {
    const worst = disagreement(
      {
        ...quiet,
        spec: { links, direction: [0, -1, -0.4], axes: 3 },
        options: { gravity: 1, keepOut: false, floors: [{ point: [0, 0, 0], normal: [0.2, 1, 0.3] }] },
      },
      600,
    );
    expect(worst.contacts).toBe(0);
    expect(worst.tips).toBeLessThan(1e-9);
  });

  it.each([1, 2, 4, 6])('agree on the keep-out plane (%i links)', (links) => {
    const worst = disagreement(
      {
        ...quiet,
        carry: 0,
        sink: 0,
        sway: [0.1, 0, 0.3],
        rate: 5,
        spec: { links, direction: [0, -1, -0.1], axes: 3 },
        options: { gravity: 1, air: 1, keepOut: true, floors: [] },
      },
      600,
    );
    expect(worst.tips).toBeLessThan(1e-9);
  });

  it.each([1, 2, 4, 6])('agree where the floor and the keep-out plane meet (%i links)', (links) => {
    const worst = disagreement(
      {
        ...quiet,
        carry: 0,
        spec: { links, direction: [0, -1, -0.05], axes: 3 },
        sway: [0.1, 0, 0.3],
        rate: 4,
        options: { gravity: 1, air: 1, keepOut: true, floors: [{ point: [0, 0, 0], normal: [0, 1, 0] }] },
      },
      600,
    );
    expect(worst.tips).toBeLessThan(1e-9);
  });
});
