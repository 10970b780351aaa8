/** Whatever the chain, the options and the poses: lengths, limits, finite numbers, mirror, order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainOptions } from '../../../src/index.js';
import { addFloor, createWorld, setRoot, step } from '../../../src/index.js';
import type { Scene, TailSpec } from '../../support/chains.js';
import {
  bendReader,
  bendsOf,
  contactsOf,
  directionsOf,
  jointsOf,
  lengthFault,
  makeScene,
  makeTail,
  tipsOf,
  velocitiesOf,
} from '../../support/chains.js';
import { mirrored, mirroredTurn } from '../../support/poses.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { add, axisAngle, len, mul, qmul, qrot, sub } from '../../support/referenceMath.js';

interface Case {
  spec: TailSpec;
  options: ChainOptions;
  floor: { height: number; tilt: V3 } | undefined;
  scale: number;
  sway: V3;
  turn: V3;
  rate: number;
}

const number = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true, noDefaultInfinity: true });

const cases: fc.Arbitrary<Case> = fc.record({
  spec: fc.record({
    directions: fc.array(
      fc
        .tuple(number(-1, 1), number(-1, 1), number(-1, 1))
        .filter((d) => len(d) > 0.2)
        .map((d): V3 => d),
      { minLength: 1, maxLength: 10 },
    ),
    axes: fc.integer({ min: 1, max: 1_000_000 }),
    length: number(0.05, 3),
  }),
  options: fc.record({
    frequency: number(0.1, 12),
    tipRatio: number(0.1, 2),
    damping: number(0.2, 3),
    coupling: fc.oneof(fc.constant(0), number(0.1, 60)),
    limit: fc.oneof(fc.constant(Infinity), number(0.05, 1.5)),
    gravity: number(-10, 10),
    air: number(0, 1),
    inertia: number(0, 1),
    inertiaRotation: number(0, 1),
    carry: number(-1.5, 1.5),
    restCurve: number(0, 1),
    restFrame: fc.constantFrom('parent' as const, 'attachment' as const),
    keepOut: fc.boolean(),
    weight: fc.constant(1),
    teleport: fc.constantFrom('keep' as const, 'reset' as const, 'none' as const),
    clearance: number(0, 0.1),
  }),
  floor: fc.option(
    fc.record({
      height: number(0, 1.2),
      tilt: fc.tuple(number(-0.5, 0.5), fc.constant(1), number(-0.5, 0.5)).map((v): V3 => [v[0], v[1], v[2]]),
    }),
    { nil: undefined },
  ),
  scale: fc.constantFrom(0.01, 0.5, 1, 3, 100),
  sway: fc.tuple(number(-2, 2), number(-1, 1), number(-2, 2)),
  turn: fc.tuple(number(-2, 2), number(-3, 3), number(-2, 2)),
  rate: number(0.2, 20),
});

function rootAt(given: Case, tick: number): { position: V3; rotation: Q4 } {
  const t = (tick / 120) * given.rate;
  return {
    position: [
      given.scale * given.sway[0] * Math.sin(t),
      given.scale * given.sway[1] * Math.sin(1.3 * t),
      given.scale * given.sway[2] * Math.sin(0.7 * t),
    ],
    rotation: qmul(
      axisAngle([0, 1, 0], given.turn[1] * Math.sin(0.9 * t)),
      qmul(
        axisAngle([1, 0, 0], given.turn[0] * Math.sin(1.1 * t)),
        axisAngle([0, 0, 1], given.turn[2] * Math.sin(t)),
      ),
    ),
  };
}

function build(given: Case, mirror = false, into = createWorld()): Scene {
  const size: V3 = [given.scale, given.scale, given.scale];
  const scene = makeScene(
    makeTail(given.spec),
    { ...given.options, owner: 'solver', floor: given.floor !== undefined, scale: size },
    into,
  );
  setRoot(scene.world, scene.character, { scale: mirror ? [-given.scale, given.scale, given.scale] : size });
  if (given.floor) {
    const { height, tilt } = given.floor;
    const normal = mirror ? mirrored(tilt) : tilt;
    addFloor(scene.world, { point: [0, given.scale * height, 0], normal });
  }
  return scene;
}

/** Whether any link is bent by half a turn. */
function halfTurned(scene: Scene): boolean {
  return bendsOf(scene).some((q) => Math.abs(q[3]) < 2e-6);
}

const seed = 42;
const ticks = 180;

describe('for any chain, options and poses', () => {
  it('lengths hold, numbers are finite, the written pose is the state', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const scene = build(given);
        for (let tick = 0; tick < ticks; tick++) {
          const { position, rotation } = rootAt(given, tick);
          setRoot(scene.world, scene.character, { position, rotation });
          step(scene.world);
          const head = add(position, mul(qrot(rotation, [0, 1, 0]), given.scale));
          expect(lengthFault(scene, head, given.scale)).toBeLessThanOrEqual(1);
          for (const v of [...tipsOf(scene), ...velocitiesOf(scene)])
            expect(v.every(Number.isFinite)).toBe(true);
          const joints = jointsOf(scene);
          // Within 1.5e-6 rad of half a turn a bend counts as half a turn about the last axis.
          const bound = halfTurned(scene) ? 3e-6 * given.spec.length! : 1e-9;
          tipsOf(scene).forEach((tip, i) =>
            expect(len(sub(tip, joints[i + 1]!)) / given.scale).toBeLessThan(bound),
          );
        }
        expect(scene.world.report.warnings.filter((w) => w.code.includes('fault'))).toEqual([]);
      }),
      { seed, numRuns: 150 },
    );
  });

  it('no link bends beyond the limit except in contact', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { limit } = given.options;
        if (limit === Infinity) return;
        const options: ChainOptions = {
          ...given.options,
          keepOut: false,
          owner: 'solver',
          floor: given.floor !== undefined,
        };
        const free = { ...given, options };
        const read = bendReader(makeTail(given.spec), options);
        const scene = build(free);
        for (let tick = 0; tick < ticks; tick++) {
          setRoot(scene.world, scene.character, rootAt(given, tick));
          step(scene.world);
          const contacts = contactsOf(scene);
          read(scene).forEach((bend, i) => {
            if (!contacts[i]) expect(bend).toBeLessThanOrEqual(limit! + 1e-7);
          });
        }
      }),
      { seed, numRuns: 100 },
    );
  });

  it('a mirrored character moves as the mirror image', () => {
    fc.assert(
      fc.property(cases, (given) => {
        // Half turns about an undefined axis may go either way; keep the motion below them.
        const calm: Case = {
          ...given,
          rate: Math.min(given.rate, 5),
          options: { ...given.options, limit: 0.6 },
        };
        const one = build(calm);
        const other = build(calm, true);
        for (let tick = 0; tick < ticks; tick++) {
          const { position, rotation } = rootAt(calm, tick);
          setRoot(one.world, one.character, { position, rotation });
          setRoot(other.world, other.character, {
            position: mirrored(position),
            rotation: mirroredTurn(rotation),
          });
          step(one.world);
          step(other.world);
          const joints = jointsOf(other);
          jointsOf(one).forEach((p, i) =>
            expect(len(sub(mirrored(p), joints[i]!)) / given.scale).toBeLessThanOrEqual(1e-9),
          );
        }
      }),
      { seed, numRuns: 80 },
    );
  });

  it('what else lives in the world, and in which order it came, changes no bit', () => {
    fc.assert(
      fc.property(cases, cases, (given, beside) => {
        const single = { ...given, floor: undefined };
        const alone = build(single);
        const world = createWorld();
        const first = build({ ...beside, floor: undefined }, false, world);
        const after = build(single, false, world);
        const firstWorld = createWorld();
        const before = build(single, false, firstWorld);
        build({ ...beside, floor: undefined }, false, firstWorld);
        for (let tick = 0; tick < 60; tick++) {
          for (const scene of [alone, after, before])
            setRoot(scene.world, scene.character, rootAt(single, tick));
          setRoot(world, first.character, rootAt(beside, tick));
          for (const w of [alone.world, world, firstWorld]) step(w);
          expect(tipsOf(after)).toEqual(tipsOf(alone));
          expect(tipsOf(before)).toEqual(tipsOf(alone));
          expect(directionsOf(after)).toEqual(directionsOf(alone));
        }
      }),
      { seed, numRuns: 60 },
    );
  });

  it('floors are not entered where a direction is free', () => {
    fc.assert(
      fc.property(cases, (given) => {
        if (!given.floor) return;
        const scene = build(given);
        const n = mul(given.floor.tilt, 1 / len(given.floor.tilt));
        const clearance = given.options.clearance! * given.scale;
        const over = (p: V3): number =>
          n[0] * p[0] + n[1] * (p[1] - given.scale * given.floor!.height) + n[2] * p[2] - clearance;
        for (let tick = 0; tick < ticks; tick++) {
          const { position, rotation } = rootAt(given, tick);
          setRoot(scene.world, scene.character, { position, rotation });
          step(scene.world);
          let head = add(position, mul(qrot(rotation, [0, 1, 0]), given.scale));
          tipsOf(scene).forEach((tip, i) => {
            // A head deeper than the link is long cannot get out: then straight up is the least depth.
            const best = Math.min(0, over(head) + scene.tail.bind.lengths[i]! * given.scale);
            expect(over(tip) / given.scale).toBeGreaterThan(best / given.scale - 1e-6);
            head = tip;
          });
        }
      }),
      { seed, numRuns: 150 },
    );
  });
});
