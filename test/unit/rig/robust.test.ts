/**
 * What must not change the result: units, order of vertices and triangles, seams, noise of joints and vertices, how
 * weights are stored. On made bodies and, where they lie beside the checkout, on real animals.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Asset } from '../../../src/index.js';
import { planRig } from '../../../src/rig/planRig.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import { animal, animalNames } from '../../support/rig/animals.js';
import { FAT, SLIM } from '../../support/rig/body.js';
import { tailed, tailless } from '../../support/rig/fixtures.js';
import { chainsOf, foundVertices } from '../../support/rig/score.js';
import {
  byteWeights,
  carriedBack,
  eightInfluences,
  jittered,
  jointsMoved,
  scaled,
  seamed,
  shuffled,
  unevenWeights,
  unindexed,
  type Variant,
} from '../../support/rig/variants.js';
import { shared } from '../../support/shared.js';

const seeds = [1, 2, 3, 4, 5];

/** Vertices of the original that a plan for a variant gives to new bones, as text. */
const foundIn = (variant: Variant, plan: RigPlan): string =>
  JSON.stringify(carriedBack(variant, foundVertices(variant.asset, plan)));

const unchanged = (asset: Asset): Variant => scaled(asset, 1);

/** What was decided, in short. */
const verdicts = (plan: RigPlan): string =>
  chainsOf(plan)
    .map(({ report }) => `${report.kind} ${report.attachment}`)
    .join(', ');

/** Share of two sets in their union. */
function overlap(a: string, b: string): number {
  const one = new Set((JSON.parse(a) as number[][]).flatMap((list, m) => list.map((v) => `${m} ${v}`)));
  const other = new Set((JSON.parse(b) as number[][]).flatMap((list, m) => list.map((v) => `${m} ${v}`)));
  const both = [...one].filter((v) => other.has(v)).length;
  return both / (one.size + other.size - both);
}

interface Case {
  asset: Asset;
  plan: RigPlan;
  found: string;
}

function caseOf(asset: Asset): Case {
  const plan = planRig(asset);
  return { asset, plan, found: foundIn(unchanged(asset), plan) };
}

function sameSet({ plan, found }: Case, variant: Variant, unit = 1): void {
  const other = planRig(variant.asset);
  expect(verdicts(other)).toBe(verdicts(plan));
  expect(foundIn(variant, other)).toBe(found);
  expect(other.bones.map((bone) => bone.name)).toEqual(plan.bones.map((bone) => bone.name));
  const [before, after] = [chainsOf(plan)[0]!.report, chainsOf(other)[0]!.report];
  expect(after.confidence).toBeCloseTo(before.confidence, 6);
  expect(after.length / (unit * before.length)).toBeCloseTo(1, 6);
  other.bones.forEach((bone, i) =>
    bone.head.forEach((x, k) => {
      const reach = unit * before.length;
      // Sections are counted in bins, whose border a rounding can cross.
      expect(Math.abs(x - unit * plan.bones[i]!.head[k]!) / reach).toBeLessThan(5e-3);
    }),
  );
}

const made = [
  ['fox tubes', () => tailed('fox', 'tubes').asset],
  ['mouse fused', () => tailed('mouse', 'fused').asset],
  ['toon tubes', () => tailed('toon', 'tubes').asset],
] as const;

describe.each(made)('%s', (_, make) => {
  const base = caseOf(make());

  test.each([100, 0.001, 1 / 3])('times %d: the same vertices', (s) =>
    sameSet(base, scaled(base.asset, s), s),
  );
  test.each(seeds.slice(0, 3))('vertices, triangles and corners in another order (%i)', (seed) =>
    sameSet(base, shuffled(base.asset, seed)),
  );
  test('split at seams', () => sameSet(base, seamed(base.asset)));
  test('without indices', () => sameSet(base, unindexed(base.asset)));
  test('weights in bytes', () => sameSet(base, byteWeights(base.asset)));
  test('weights that do not sum to 1', () => sameSet(base, unevenWeights(base.asset, 5)));
  test('eight influences', () => sameSet(base, eightInfluences(base.asset)));

  test.each(seeds)('joints moved by one percent of the height: the same verdict (%i)', (seed) => {
    expect(verdicts(planRig(jointsMoved(base.asset, seed, 0.01).asset))).toBe(verdicts(base.plan));
  });

  test.each(seeds.slice(0, 2))('vertices moved by a fifth of an edge: nearly the same set (%i)', (seed) => {
    const variant = jittered(base.asset, seed, 0.2);
    const plan = planRig(variant.asset);
    expect(verdicts(plan)).toBe(verdicts(base.plan));
    expect(overlap(foundIn(variant, plan), base.found)).toBeGreaterThanOrEqual(0.9);
  });
});

describe.each([
  ['slim', SLIM],
  ['fat', FAT],
] as const)('%s body without a tail', (name, proportions) => {
  test.each(seeds)('noise makes no chain (%i)', (seed) => {
    for (const make of ['fused', 'tubes'] as const) {
      const { asset } = tailless(name, proportions, make);
      for (const share of [0.01, 0.02, 0.03])
        expect(verdicts(planRig(jointsMoved(asset, seed, share).asset)), `joints ${share}`).toBe('');
      expect(verdicts(planRig(jittered(asset, seed, 0.2).asset))).toBe('');
    }
  });
});

describe.skipIf(!shared).each(animalNames)('%s', (name) => {
  let base: Case;
  beforeAll(async () => {
    base = caseOf((await animal(name)).asset);
  });

  test.each([100, 0.001])('times %d: the same vertices', (s) => sameSet(base, scaled(base.asset, s), s));
  test.each(seeds.slice(0, 2))('in another order: the same vertices (%i)', (seed) =>
    sameSet(base, shuffled(base.asset, seed)),
  );
  test.each(seeds)('joints moved by one percent of the height: the same verdict (%i)', (seed) => {
    expect(verdicts(planRig(jointsMoved(base.asset, seed, 0.01).asset))).toBe(verdicts(base.plan));
  });
  test.each(seeds)('joints moved by three percent of the height: never another chain (%i)', (seed) => {
    const other = verdicts(planRig(jointsMoved(base.asset, seed, 0.03).asset));
    expect(['', verdicts(base.plan)]).toContain(other);
  });
  test('vertices moved by a fifth of an edge: nearly the same set', () => {
    const variant = jittered(base.asset, 1, 0.2);
    const plan = planRig(variant.asset);
    expect(verdicts(plan)).toBe(verdicts(base.plan));
    expect(overlap(foundIn(variant, plan), base.found)).toBeGreaterThanOrEqual(0.9);
  });
});
