/**
 * Whatever the chain, the colliders and their motions: lengths are exact, numbers finite, no link is deeper than 1e-6 m
 * where a direction is free and else as little as can be (docs/solver.md, "Contact"); neither the order of colliders, nor
 * those out of reach, nor a list that chains share change a bit. Free directions are looked for by sampling.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  addCollider,
  type ChainDefinition,
  type ColliderShape,
  createWorld,
  rowOf,
  setRoot,
  step,
} from '../../../src/index.js';
import { assetOf, lengthFault, motionBits, tipsOf, velocitiesOf } from '../../support/chains.js';
import { depthAlong, leastDepth } from '../../support/contactGaps.js';
import {
  type ContactCase,
  contactCases,
  headAt,
  linksOf,
  rootAt,
  shapeAt,
  start,
} from '../../support/contactScenes.js';
import { identity, type Q4, type V3 } from '../../support/referenceMath.js';

const seed = 7;
const ticks = 120;
const bound = 1e-6;
const mostLooks = 6;
const inOrder = (given: ContactCase): number[] => given.shapes.map((_, i) => i);

/** What is too deep in a run: where a direction is free, and where none is; metres beyond what can be. */
function depths(given: ContactCase): { free: number; jammed: number; contacts: number } {
  const running = start(given, inOrder(given));
  const result = { free: 0, jammed: 0, contacts: 0 };
  let looks = 0;
  let nextLook = 0;
  for (let tick = 0; tick < ticks; tick++) {
    running.tick();
    for (const { link, felt, direction } of linksOf(given, running, tick)) {
      const depth = depthAlong(link, felt, direction);
      if (depth > -1e-6) result.contacts++;
      // A jam lasts: it is looked at now and then, for looking is slow.
      if (depth <= bound || looks === mostLooks || tick < nextLook) continue;
      looks++;
      nextLook = tick + 5;
      const { depth: least } = leastDepth(link, felt, [direction]);
      if (least <= 0) result.free = Math.max(result.free, depth);
      else result.jammed = Math.max(result.jammed, depth - least);
    }
  }
  return result;
}

describe('for any chain, colliders and motions', () => {
  it.each([
    [1, true],
    [8, true],
  ])('lengths are exact and numbers finite (rate %d)', (rate, withOpen) => {
    fc.assert(
      fc.property(contactCases(withOpen, rate), (given) => {
        const running = start(given, inOrder(given));
        for (let tick = 0; tick < ticks; tick++) {
          running.tick();
          expect(lengthFault(running.scene, headAt(given, tick))).toBeLessThanOrEqual(1);
          for (const v of [...tipsOf(running.scene), ...velocitiesOf(running.scene)])
            expect(v.every(Number.isFinite)).toBe(true);
        }
        expect(running.scene.world.report.warnings.filter(({ code }) => code.includes('fault'))).toEqual([]);
      }),
      { seed, numRuns: 60, endOnFailure: true },
    );
  });

  it.each([1, 8])('no link is in a ball or a capsule that it can leave (rate %d)', (rate) => {
    let contacts = 0;
    fc.assert(
      fc.property(contactCases(false, rate), (given) => {
        const result = depths(given);
        contacts += result.contacts;
        expect(result.free).toBe(0);
      }),
      { seed, numRuns: 60, endOnFailure: true },
    );
    expect(contacts).toBeGreaterThan(200);
  });

  it.each([1, 8])('nor beyond a plane or out of a ball that keeps it in (rate %d)', (rate) => {
    fc.assert(
      fc.property(contactCases(true, rate), (given) => {
        expect(depths(given).free).toBe(0);
      }),
      { seed, numRuns: 60, endOnFailure: true },
    );
  });

  it.each([false, true])(
    'a link that cannot be free is as little deep as can be (planes: %s)',
    (withOpen) => {
      fc.assert(
        fc.property(contactCases(withOpen, 3), (given) => {
          expect(depths(given).jammed).toBeLessThan(bound);
        }),
        { seed, numRuns: 60, endOnFailure: true },
      );
    },
  );
});

/** What no chain of a metre about the origin can reach, though balls around it do: found near by quick looks. */
const outOfReach: ColliderShape[] = [
  { kind: 'sphere', offset: [40, 0, 0], radius: 1, inside: false },
  { kind: 'capsule', offset: [-60, 6, 0], tail: [60, 6, 0], radius: 0.5, tailRadius: 1.5, inside: false },
  { kind: 'capsule', offset: [0, -9, 5], tail: [0, 9, 5], radius: 1, tailRadius: 1, inside: false },
  { kind: 'plane', offset: [0, -8, 0], normal: [0.1, 1, 0] },
  { kind: 'sphere', offset: [0, 0, 0], radius: 12, inside: true },
  { kind: 'sphere', offset: [0, 0, -6], radius: 1, inside: false },
];

/** Bits after every tick. */
function bitsOf(given: ContactCase, order: readonly number[], more?: ColliderShape[]): string[] {
  const running = start(given, order, more);
  return Array.from({ length: ticks }, () => {
    running.tick();
    return motionBits(running.scene.world);
  });
}

/** Whether two runs are the same, and the tick from which they are not. */
function firstDifference(a: readonly string[], b: readonly string[]): number {
  return a.findIndex((bits, i) => bits !== b[i]);
}

describe('changes no bit', () => {
  it.each([
    [1, false],
    [8, false],
    [3, true],
  ])('the order of the colliders (rate %d, planes: %s)', (rate, withOpen) => {
    fc.assert(
      fc.property(contactCases(withOpen, rate), fc.infiniteStream(fc.nat()), (given, picks) => {
        const order = inOrder(given);
        const first = bitsOf(given, order);
        expect(firstDifference(first, bitsOf(given, order.toReversed()))).toBe(-1);
        const left = [...order];
        const shuffled = order.map(() => left.splice(picks.next().value % left.length, 1)[0]!);
        expect(firstDifference(first, bitsOf(given, shuffled))).toBe(-1);
      }),
      { seed, numRuns: 60, endOnFailure: true },
    );
  });

  it.each([1, 8])('what is out of reach, rejected or not (rate %d)', (rate) => {
    fc.assert(
      fc.property(contactCases(true, rate), (given) => {
        const first = bitsOf(given, inOrder(given));
        expect(firstDifference(first, bitsOf(given, inOrder(given), outOfReach))).toBe(-1);
      }),
      { seed, numRuns: 60, endOnFailure: true },
    );
  });

  it('a list of colliders that chains of a character share', () => {
    fc.assert(
      fc.property(contactCases(true, 3), (given) => {
        const masks = [
          [0xffffffff, 0xffffffff],
          [0xffffffff, 0x7fffffff],
        ];
        const [shared, apart] = masks.map((pair) => pairOfChains(given, pair));
        expect(apart).toEqual(shared);
      }),
      { seed, numRuns: 40, endOnFailure: true },
    );
  });
});

/** Two chains of one character beside each other, with these masks; all their tips after every tick. */
function pairOfChains(given: ContactCase, masks: readonly number[]): number[][] {
  const positions: V3[] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 0.7, 0],
    [0, 0.4, 0],
    [0.1, 1, 0],
    [0.1, 0.7, 0],
    [0.1, 0.4, 0],
  ];
  const asset = assetOf(
    ['Root', 'Armature', 'Hips', 'A_1', 'A_2', 'A_End', 'B_1', 'B_2', 'B_End'],
    [-1, 0, 1, 2, 3, 4, 2, 6, 7],
    positions,
    positions.map((): Q4 => identity),
  );
  const world = createWorld();
  const character = addCharacter(world, asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
  const definitions: ChainDefinition[] = [
    { name: 'A_1', attachment: 2, bones: [3, 4], end: 5, origin: 'artist' },
    { name: 'B_1', attachment: 2, bones: [6, 7], end: 8, origin: 'artist' },
  ];
  const rows = definitions.map((definition, i) => {
    const [chain] = addChains(world, character, {
      ...given.options,
      owner: 'solver',
      floor: false,
      keepOut: false,
      colliderMask: masks[i]!,
      chains: [definition],
    });
    return rowOf(world, 'chain', chain!);
  });
  for (const shape of given.shapes) addCollider(world, { shape: shapeAt(shape, 0) });
  const { chain, particle } = world.views;
  return Array.from({ length: ticks }, (_, tick) => {
    setRoot(world, character, rootAt(given, tick));
    step(world);
    return rows.flatMap((row) => {
      const first = 3 * chain.first[row]!;
      return [
        ...particle.position.subarray(first, first + 6),
        ...particle.velocity.subarray(first, first + 6),
      ];
    });
  });
}
