/** K19, K29: constraints are met after what they depend on, in whatever order they came. */
import { describe, expect, it } from 'vitest';
import type { ConstraintDefinition, World } from '../../../src/index.js';
import {
  addCharacter,
  addConstraints,
  createWorld,
  removeCharacter,
  removeConstraint,
  setPose,
  step,
} from '../../../src/index.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleOf, axisAngle, identity, rotationOf, seeded } from '../../support/referenceMath.js';
import {
  aim,
  assetOf,
  flat,
  frame,
  naive,
  plainRig,
  roll,
  rotation,
  shownRotations,
  worldOf,
  type Rig,
} from './support.js';

const z: V3 = [0, 0, 1];

/** A spine with arms: bone i hangs on one of the bones before it. */
function bush(n: number, seed: number): Rig {
  const random = seeded(seed);
  const rig = plainRig(
    Array.from({ length: n }, (_, i) => Math.floor(random() * (i + 1)) - 1),
    Array.from({ length: n }, (): V3 => [random() - 0.5, random(), random() - 0.5]),
  );
  rig.rotations = rig.rotations.map((): Q4 => rotationOf(random(), random(), random()));
  return rig;
}

/** Bones that hang on nothing. */
function loose(n: number): Rig {
  return plainRig(
    Array<number>(n).fill(-1),
    Array.from({ length: n }, (): V3 => [0, 0, 0]),
  );
}

/** Each bone but the first few follows one that stands before it, so that nothing depends on itself. */
function chained(rig: Rig, seed: number): ConstraintDefinition[] {
  const random = seeded(seed);
  const kinds = [
    roll,
    aim,
    (bone: number, source: number, _: V3, weight: number) => rotation(bone, source, weight),
  ];
  const axes: V3[] = [[1, 0, 0], [0, -1, 0], z];
  return rig.parents.flatMap((_, b) => {
    if (b < 2) return [];
    const source = Math.floor(random() * b);
    return [kinds[b % 3]!(b, source, axes[Math.floor(random() * 3)]!, 1 - 0.5 * (b % 2))];
  });
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = seeded(seed);
  return list
    .map((item): [number, T] => [random(), item])
    .toSorted((a, b) => a[0] - b[0])
    .map(([, item]) => item);
}

/** What one character shows over 20 ticks of random poses. */
function play(world: World, character: number, rig: Rig, after?: (tick: number) => void): string {
  const random = seeded(7);
  const bits: Q4[][] = [];
  for (let k = 0; k < 20; k++) {
    const rotations = rig.rotations.map((): Q4 => rotationOf(random(), random(), random()));
    setPose(world, character, flat({ ...rig, rotations }));
    step(world);
    after?.(k);
    bits.push(shownRotations(world, character));
  }
  return JSON.stringify(bits);
}

describe('K19: order', () => {
  it('a row of followers is met from its source on, added in reverse', () => {
    const n = 9;
    const rig = loose(n);
    const definitions = Array.from({ length: n - 1 }, (_, i) => rotation(i + 1, i)).toReversed();
    const { world, character } = worldOf(rig, definitions);
    addConstraints(world, character);
    const turn = axisAngle([1, 2, 3], 1);
    setPose(world, character, flat({ ...rig, rotations: rig.rotations.map((q, i) => (i === 0 ? turn : q)) }));
    step(world);
    // In one tick all the way down, and not one follower per tick.
    for (const q of shownRotations(world, character)) expect(angleOf(q, turn)).toBeLessThan(1e-12);
  });

  it.each([1, 2, 3])('rig %i: any order of the list, one by one or at once, gives the same bits', (seed) => {
    const rig = bush(12, seed);
    const definitions = chained(rig, seed + 10);
    const expected = ((): string => {
      const { world, character } = worldOf(rig, definitions);
      addConstraints(world, character);
      return play(world, character, rig);
    })();
    for (let k = 1; k <= 6; k++) {
      const { world, character } = worldOf(rig);
      const list = k === 1 ? definitions.toReversed() : shuffled(definitions, k);
      if (k % 2 === 0) addConstraints(world, character, list);
      else for (const definition of list) addConstraints(world, character, [definition]);
      expect(play(world, character, rig) === expected, `order ${k}`).toBe(true);
    }
    // And they are the right bits.
    const last = (JSON.parse(expected) as Q4[][]).at(-1)!;
    const random = seeded(7);
    let rotations: Q4[] = [];
    for (let k = 0; k < 20; k++)
      rotations = rig.rotations.map((): Q4 => rotationOf(random(), random(), random()));
    const second = naive(rig, definitions, { ...rig, rotations });
    expect(second.open).toBe(false);
    for (const [b, q] of last.entries()) expect(angleOf(q, second.rotations[b]!)).toBeLessThan(1e-8);
  });

  it('characters that come before, between and go again change no bit', () => {
    const rig = bush(10, 5);
    const definitions = chained(rig, 15);
    const alone = worldOf(rig, definitions);
    addConstraints(alone.world, alone.character);
    const expected = play(alone.world, alone.character, rig);
    const world = createWorld();
    const asset = assetOf(rig, definitions);
    const leaving = addCharacter(world, asset, { frame });
    addConstraints(world, leaving, definitions.toReversed());
    const character = addCharacter(world, asset, { frame });
    const other = addCharacter(world, asset, { frame });
    const [first] = addConstraints(world, other, shuffled(definitions, 3));
    addConstraints(world, character, shuffled(definitions, 4));
    const record = play(world, character, rig, (tick) => {
      if (tick === 5) removeCharacter(world, leaving);
      if (tick === 8) removeConstraint(world, first!);
      if (tick === 11) addConstraints(world, addCharacter(world, asset, { frame }));
    });
    expect(record === expected).toBe(true);
  });
});

describe('K29: cycles', () => {
  const rig = plainRig(
    [-1, -1, -1, -1, 3],
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 3],
      [0, 0, 1],
    ],
  );
  rig.rotations = rig.rotations.map((_, b): Q4 => axisAngle([1, b, 2], 0.3 + b / 5));
  const posed = rig.rotations.map((_, b): Q4 => axisAngle([b, 1, 0.5], 0.9 + b / 3));

  function after(definitions: ConstraintDefinition[]): { world: World; shown: Q4[]; warned: string[] } {
    const { world, character } = worldOf(rig, definitions);
    addConstraints(world, character);
    setPose(world, character, flat({ ...rig, rotations: posed }));
    step(world);
    const warned = world.report.warnings
      .filter(({ code }) => code === 'constraint-cycle')
      .map(({ message }) => message);
    return { world, shown: shownRotations(world, character), warned };
  }

  const rests = (shown: Q4[], bones: number[]): void => {
    for (const b of bones) expect(angleOf(shown[b]!, rig.rotations[b]!), `bone ${b}`).toBeLessThan(1e-15);
  };

  it('are said once, with all bones in them, and stand at rest', () => {
    const { shown, warned } = after([rotation(2, 1), rotation(1, 0), roll(0, 2, z)]);
    rests(shown, [0, 1, 2]);
    expect(warned).toEqual(['constraint of bone0, bone1, bone2 depends on itself: they stand at rest']);
  });

  it('of one: a bone that follows itself, or aims at what hangs from it', () => {
    const own = after([rotation(1, 1)]);
    rests(own.shown, [1]);
    expect(own.warned).toEqual(['constraint of bone1 depends on itself: it stands at rest']);
    const child = after([aim(3, 4, z)]);
    rests(child.shown, [3]);
    expect(child.warned).toHaveLength(1);
    // A roll reads the rotation of its source alone, and what hangs from a bone may turn it.
    expect(after([roll(3, 4, z)]).warned).toEqual([]);
  });

  it('of two bones that aim at each other, which the specification forbids', () => {
    const { shown, warned } = after([aim(0, 1, z), aim(1, 0, z)]);
    rests(shown, [0, 1]);
    expect(warned).toHaveLength(1);
  });

  it('leave alone what only waits for them, or what they wait for', () => {
    // 0 <-> 1 is the cycle; 2 follows 1 as it rests; 4 is free and 0 would look at it.
    const { shown, warned } = after([rotation(0, 1), rotation(1, 0), rotation(2, 1), rotation(4, 3)]);
    rests(shown, [0, 1, 2]);
    expect(warned).toHaveLength(1);
    const free = after([rotation(4, 3)]);
    expect(shown[4]).toEqual(free.shown[4]);
    expect(angleOf(shown[4]!, rig.rotations[4]!)).toBeGreaterThan(0.1);
  });

  it('two of them with a bone between: the bone between moves', () => {
    // 0 <-> 0 and 2 <-> 2 stand; 1 follows 0 and so rests too; an aim between them does move.
    const { shown, warned } = after([rotation(0, 0), aim(1, 0, z), aim(2, 2, z), rotation(3, 1)]);
    expect(warned).toHaveLength(2);
    rests(shown, [0, 2]);
    const without = after([aim(1, 0, z), rotation(3, 1)]);
    expect(shown[1]).toEqual(without.shown[1]);
    expect(shown[3]).toEqual(without.shown[3]);
  });

  it('do not depend on the order in which their constraints come, and thaw when one goes', () => {
    const definitions = [rotation(0, 1), rotation(1, 2), rotation(2, 0), rotation(4, 2)];
    const expected = after(definitions).shown;
    for (const list of [definitions.toReversed(), shuffled(definitions, 2), shuffled(definitions, 9)])
      expect(after(list).shown).toEqual(expected);
    const { world, character } = worldOf(rig);
    const entities = definitions.map((definition) => addConstraints(world, character, [definition])[0]!);
    setPose(world, character, flat({ ...rig, rotations: posed }));
    step(world);
    expect(shownRotations(world, character)).toEqual(expected);
    removeConstraint(world, entities[2]!);
    step(world);
    const open = after([rotation(0, 1), rotation(1, 2), rotation(4, 2)]).shown;
    expect(shownRotations(world, character)).toEqual(open);
    addConstraints(world, character, [rotation(2, 0)]);
    step(world);
    expect(shownRotations(world, character)).toEqual(expected);
    expect(world.report.warnings.filter(({ code }) => code === 'constraint-cycle')).toHaveLength(1);
  });

  it('of thousands of bones are found at once', () => {
    const n = 3000;
    const long = loose(n);
    const { world, character } = worldOf(
      long,
      Array.from({ length: n }, (_, i) => rotation(i, (i + 1) % n)),
    );
    addConstraints(world, character);
    expect([...world.views.constraint.frozen.subarray(0, n)].every((f) => f === 1)).toBe(true);
    expect(world.report.warnings.find(({ code }) => code === 'constraint-cycle')?.message).toMatch(
      /bone7 and 2992 more depends on itself/,
    );
    const line = worldOf(
      long,
      Array.from({ length: n - 1 }, (_, i) => rotation(i, i + 1)),
    );
    addConstraints(line.world, line.character);
    setPose(
      line.world,
      line.character,
      flat({ ...long, rotations: long.rotations.map((_, i) => (i === n - 1 ? axisAngle(z, 1) : identity)) }),
    );
    step(line.world);
    expect(angleOf(shownRotations(line.world, line.character)[0]!, axisAngle(z, 1))).toBeLessThan(1e-10);
  });
});
