/**
 * Random trees with random springs, against the rules in their plainest form: walks up the tree.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../support/gltfBuilder.js';
import { bonesOf, springBone, vrm0 } from './support.js';

const COUNT = 12;

/** Parents of a random forest, each before its children. */
const forests = fc
  .array(fc.integer({ min: -1, max: COUNT - 2 }), { minLength: COUNT, maxLength: COUNT })
  .map((list) => list.map((parent, bone) => (parent < bone ? parent : -1)));

function nodesOf(parents: readonly number[]): Json[] {
  return parents.map((_, n) => ({
    children: parents.flatMap((parent, child) => (parent === n ? [child] : [])),
    translation: [0, -1, 0],
  }));
}

/** The nodes above a node, from the nearest. */
function above(parents: readonly number[], node: number): number[] {
  const way: number[] = [];
  for (let at = parents[node]!; at >= 0; at = parents[at]!) way.push(at);
  return way;
}

describe('who swings', () => {
  test('1.0: the first spring has each node that it turns or passes over', async () => {
    const lists = fc.array(fc.tuple(fc.integer({ min: 0, max: COUNT - 1 }), fc.integer({ min: 1, max: 3 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(forests, lists, async (parents, chains) => {
        // From a node up, every first, second or third one.
        const springs = chains.map(([tip, step]) =>
          [tip, ...above(parents, tip)].filter((_, i) => i % step === 0).toReversed(),
        );
        const taken = new Set<number>();
        const expected: number[][] = [];
        for (const joints of springs) {
          let part: number[] | undefined;
          for (let j = 0; j + 1 < joints.length; j++) {
            const [from, to] = [joints[j]!, joints[j + 1]!];
            const way = above(parents, to);
            const passed = way.slice(0, way.indexOf(from) + 1);
            if (passed.some((node) => taken.has(node))) part = undefined;
            else {
              passed.forEach((node) => taken.add(node));
              if (!part) expected.push((part = [from]));
              part.push(to);
            }
          }
        }
        const found = await springBone(nodesOf(parents), {
          springs: springs.map((joints) => ({ joints: joints.map((node) => ({ node })) })),
        });
        expect(bonesOf(found)).toEqual(expected);
      }),
      { numRuns: 400, seed: 5 },
    );
  });

  test('0.x: everything below the roots, once, with the values of the first group that reaches it', async () => {
    const groups = fc.array(fc.array(fc.integer({ min: 0, max: COUNT - 1 }), { maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(forests, groups, async (parents, roots) => {
        const expected = parents.map((_, bone) =>
          roots.findIndex((list) =>
            list.some((root) => root === bone || above(parents, bone).includes(root)),
          ),
        );
        const found = await vrm0(nodesOf(parents), {
          boneGroups: roots.map((bones, g) => ({ bones, stiffiness: g })),
        });
        const groupOf = parents.map(() => -1);
        for (const { joints, end, endOffset } of found.springs) {
          joints.forEach(({ bone, stiffness }, j) => {
            expect(groupOf[bone]).toBe(-1);
            groupOf[bone] = stiffness;
            const next = joints[j + 1]?.bone ?? end;
            // The first child goes on; only a leaf has none.
            expect(next).toBe(parents.indexOf(bone));
          });
          expect(endOffset === undefined).toBe(end >= 0);
        }
        expect(groupOf).toEqual(expected);
      }),
      { numRuns: 400, seed: 6 },
    );
  });
});
