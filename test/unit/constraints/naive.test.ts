/**
 * K29: random rigs, poses and constraints against a second implementation; and what an aim is for, measured in the world
 * matrices that are shown, under scales that the second implementation does not know.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ConstraintDefinition } from '../../../src/index.js';
import { addConstraints, createPose, readPose, setPose, setRoot, step } from '../../../src/index.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleBetween, angleOf, len, qrot, rotationOf, sub } from '../../support/referenceMath.js';
import { aim, flat, naive, shownRotations, worldOf, type Locals, type Rig } from './support.js';

const part = fc.integer({ min: 0, max: 996 }).map((n) => n / 997);
const turn: fc.Arbitrary<Q4> = fc.tuple(part, part, part).map(([a, b, c]) => rotationOf(a, b, c));
const coordinate = fc.integer({ min: -2000, max: 2000 }).map((n) => n / 1000);
const place: fc.Arbitrary<V3> = fc.tuple(coordinate, coordinate, coordinate);
const axis: fc.Arbitrary<V3> = fc.constantFrom<V3[]>(
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [0, -1, 0],
  [0, 0, -1],
);
const even: fc.Arbitrary<V3> = fc.integer({ min: 50, max: 200 }).map((n) => [n / 100, n / 100, n / 100]);

function list<T>(length: number, of: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(of, { minLength: length, maxLength: length });
}

function locals(n: number, scale: fc.Arbitrary<V3>): fc.Arbitrary<Locals> {
  return fc.record({ translations: list(n, place), rotations: list(n, turn), scales: list(n, scale) });
}

interface Case {
  rig: Rig;
  pose: Locals;
  constraints: ConstraintDefinition[];
}

const cases: fc.Arbitrary<Case> = fc.integer({ min: 2, max: 9 }).chain((n) =>
  fc
    .record({
      rest: locals(n, even),
      pose: locals(n, even),
      above: list(n, part),
      constraints: fc.uniqueArray(
        fc.record({
          bone: fc.nat(n - 1),
          source: fc.nat(n - 1),
          kind: fc.constantFrom('roll' as const, 'aim' as const, 'rotation' as const),
          axis,
          weight: fc.constantFrom(0, 0.25, 0.5, 1, 1, 1),
        }),
        { minLength: 1, maxLength: n, selector: ({ bone }) => bone },
      ),
    })
    .map(({ rest, pose, above, constraints }) => ({
      rig: { ...rest, parents: above.map((share, i) => Math.floor(share * (i + 1)) - 1) },
      pose,
      constraints,
    })),
);

it('random rigs turn as a second implementation turns them, and freeze where it finds a cycle', () => {
  let cyclic = 0;
  let compared = 0;
  fc.assert(
    fc.property(cases, ({ rig, pose, constraints }) => {
      const expected = naive(rig, constraints, pose);
      fc.pre(!expected.open);
      const { world, character } = worldOf(rig, constraints);
      addConstraints(world, character);
      setPose(world, character, flat(pose));
      step(world);
      const shown = shownRotations(world, character);
      for (const [b, q] of shown.entries()) expect(angleOf(q, expected.rotations[b]!)).toBeLessThan(1e-8);
      const { frozen, bone } = world.views.constraint;
      const found = constraints.map((_, i) => i).filter((i) => frozen[i] === 1);
      const first = world.views.character.firstBone[0]!;
      expect(found.map((i) => bone[i]! - first).toSorted()).toEqual(expected.frozen.toSorted());
      const warned = world.report.warnings.filter(({ code }) => code === 'constraint-cycle').length;
      expect(warned > 0).toBe(expected.frozen.length > 0);
      cyclic += expected.frozen.length > 0 ? 1 : 0;
      compared++;
    }),
    { numRuns: 2000, seed: 29 },
  );
  // The run means something only if both sorts came up often.
  expect(cyclic).toBeGreaterThan(300);
  expect(compared - cyclic).toBeGreaterThan(300);
});

it('an aim points at its source in the world under any scale, mirrored or stretched', () => {
  const any = fc.integer({ min: 20, max: 300 }).map((n) => n / 100);
  const signed = fc.tuple(any, fc.boolean()).map(([s, minus]) => (minus ? -s : s));
  const scale: fc.Arbitrary<V3> = fc.tuple(signed, signed, signed);
  const scenes = fc.integer({ min: 3, max: 8 }).chain((n) =>
    fc.record({
      rest: locals(n, scale),
      pose: locals(n, scale),
      above: list(n, part),
      bones: fc.uniqueArray(fc.nat(n - 1), { minLength: 2, maxLength: 2 }),
      axis,
      root: scale,
    }),
  );
  fc.assert(
    fc.property(scenes, ({ rest, pose, above, bones, axis: aims, root }) => {
      const parents = above.map((share, i) => Math.floor(share * (i + 1)) - 1);
      const [bone, source] = [bones[0]!, bones[1]!];
      for (let b = source; b >= 0; b = parents[b]!) fc.pre(b !== bone);
      const { world, character } = worldOf({ ...rest, parents });
      addConstraints(world, character, [aim(bone, source, aims)]);
      setPose(world, character, flat(pose));
      setRoot(world, character, { scale: root });
      step(world);
      const { worlds, rotations } = readPose(world, character, createPose(world, character));
      const origin = (b: number): V3 => [...worlds.subarray(16 * b + 12, 16 * b + 15)] as unknown as V3;
      const to = sub(origin(source), origin(bone));
      fc.pre(len(to) > 1e-6);
      // The axis as the bone's rotation turns it, seen through everything above the bone.
      const own = qrot([...rotations.subarray(4 * bone, 4 * bone + 4)] as unknown as Q4, aims);
      const m = parents[bone]! < 0 ? undefined : worlds.subarray(16 * parents[bone]!);
      const above3: V3 = [0, 1, 2].map((r) =>
        m === undefined ? root[r]! * own[r]! : m[r]! * own[0] + m[4 + r]! * own[1] + m[8 + r]! * own[2],
      ) as V3;
      expect(angleBetween(above3, to)).toBeLessThan(1e-7);
    }),
    { numRuns: 1000, seed: 30 },
  );
});
