/**
 * What a caller can decide: rigid instead of a chain, verdicts by piece, the least confidence; and that a plan is a
 * pure function of its input.
 */
import { describe, expect, test } from 'vitest';
import { FollowthroughError, findChains } from '../../../src/index.js';
import { applyPlan } from '../../../src/rig/applyPlan.js';
import type { RigOptions } from '../../../src/rig/options.js';
import { planRig } from '../../../src/rig/planRig.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import { fingerprint } from '../../support/gltfBuilder.js';
import { tailed } from '../../support/rig/fixtures.js';
import { lengthsFromCollar, boneCount, plannedWeights } from '../../support/rig/naive.js';
import { offMiddle, pouch, wings } from '../../support/rig/scenes.js';
import { chainsOf, foundVertices } from '../../support/rig/score.js';
import { bindPose, skinBox } from '../../support/rig/bind.js';

const { asset } = tailed('mouse', 'fused');
const chainPlan = planRig(asset);
const [chain] = chainsOf(chainPlan);
const id = chain!.report.id;

/** All changed vertices hang on one bone alone. */
function expectRigid(plan: RigPlan, bone: string): void {
  expect(plan.bones).toEqual([]);
  const number = asset.skeleton.names.indexOf(bone);
  expect(plan.influences).toHaveLength(1);
  for (const list of plannedWeights(plan, 0).values()) expect([...list]).toEqual([[number, 1]]);
}

describe('rigid', () => {
  const plan = planRig(asset, { rigid: true });

  test('binds the tail to its attachment and adds no bone', () => {
    expectRigid(plan, 'mixamorig:Hips');
    const report = plan.pieces.find((piece) => piece.report.id === id)!.report;
    expect([report.verdict, report.kind]).toEqual(['rigid', 'tail']);
    expect(report.joints).toEqual([]);
  });

  test('changes the vertices that the chain would own', () => {
    const changed = new Set(plannedWeights(plan, 0).keys());
    const hips = asset.skins[0]!.joints.indexOf(asset.skeleton.names.indexOf('mixamorig:Hips'));
    const { joints, weights } = asset.meshes[0]!;
    foundVertices(asset, chainPlan)[0]!.forEach((found, v) => {
      const already = joints[4 * v] === hips && weights[4 * v]! > 1 - 1e-6;
      if (found && !already) expect(changed.has(v), `vertex ${v}`).toBe(true);
    });
    const points = new Set(plan.pieces.find((piece) => piece.report.id === id)!.points);
    for (const v of changed) expect(points.has(plan.surface.pointOf[0]![v]!)).toBe(true);
  });

  test('the character has no chain to simulate afterwards', () => {
    expect(findChains(applyPlan(asset, plan))).toEqual([]);
  });
});

describe('force', () => {
  test('rigid and leave for one piece', () => {
    expectRigid(planRig(asset, { force: { [id]: 'rigid' } }), 'mixamorig:Hips');
    const left = planRig(asset, { force: { [id]: 'leave' } });
    expect(left.bones).toEqual([]);
    expect(left.influences).toEqual([]);
    expect(left.pieces.find((piece) => piece.report.id === id)!.report.verdict).toBe('left');
  });

  test('chain for what was left or rigid', () => {
    for (const make of [pouch, wings]) {
      const made = make().asset;
      const before = planRig(made);
      const piece = before.pieces.find(({ report }) => ['worn', 'wing'].includes(report.kind))!.report;
      const plan = planRig(made, { force: { [piece.id]: 'chain' } });
      const forced = plan.pieces.find(({ report }) => report.id === piece.id)!;
      expect(forced.report.verdict).toBe('chain');
      const bones = boneCount(forced.report.length, skinBox(made).height);
      expect(plan.bones).toHaveLength(bones + 1);
      expect(chainsOf(plan)).toHaveLength(1);
      const lengths = lengthsFromCollar(plan.surface, forced);
      for (const p of forced.points) expect(lengths[p]).toBeGreaterThanOrEqual(0);
    }
  });

  test('chain wins over the least confidence; with rigid it is the yardstick of that chain', () => {
    const force = { [id]: 'chain' } as const;
    expect(chainsOf(planRig(asset, { minConfidence: 1, force }))).toHaveLength(1);
    expectRigid(planRig(asset, { rigid: true, force }), 'mixamorig:Hips');
  });

  test('a piece that does not exist is an error that names those that do', () => {
    expect(() => planRig(asset, { force: { piece99: 'chain' } })).toThrow(FollowthroughError);
    expect(() => planRig(asset, { force: { piece99: 'chain' } })).toThrow(/piece99/);
  });
});

describe('least confidence', () => {
  const uncertain = offMiddle(0.3).asset;
  const plan = planRig(uncertain);
  const report = chainsOf(plan)[0]!.report;

  test('a tail off the middle is less certain', () => {
    expect(report.confidence).toBeGreaterThan(0.25);
    expect(report.confidence).toBeLessThan(0.95);
    expect(report.lateral).toBeGreaterThan(0.15);
    expect(report.lateral).toBeLessThan(0.45);
  });

  test('keeps what reaches it and leaves the rest', () => {
    expect(chainsOf(planRig(uncertain, { minConfidence: report.confidence - 0.01 }))).toHaveLength(1);
    const left = planRig(uncertain, { minConfidence: report.confidence + 0.01 });
    expect(left.bones).toEqual([]);
    expect(left.influences).toEqual([]);
    expect(left.pieces.find((piece) => piece.report.id === report.id)!.report.reason).toMatch(/confiden/i);
  });

  test('far off the middle it is worn', () => {
    expect(planRig(offMiddle(0.8).asset).bones).toEqual([]);
  });
});

test.each([
  [{ minConfidence: 1.5 }],
  [{ minConfidence: NaN }],
  [{ force: { piece1: 'maybe' } }],
  [{ hair: [{ name: 'x', joints: 0 }] }],
  [{ hair: [{ name: 'x', joints: 2.5 }] }],
  [{ hair: [{ name: 'x', island: -1 }] }],
] as unknown as [RigOptions][])('%j is refused', (options) => {
  expect(() => planRig(asset, options)).toThrow(FollowthroughError);
});

describe('a plan', () => {
  test('is the same every time and changes nothing', () => {
    const before = fingerprint(asset);
    expect(fingerprint(planRig(asset))).toBe(fingerprint(chainPlan));
    expect(fingerprint(asset)).toBe(before);
  });

  test('tells how far it is, once more and never less', () => {
    const shares: number[] = [];
    planRig(asset, {
      onProgress: (share, what) => {
        shares.push(share);
        expect(what.length).toBeGreaterThan(0);
      },
    });
    expect(shares.length).toBeGreaterThan(1);
    for (const [i, share] of shares.entries()) {
      expect(share).toBeGreaterThanOrEqual(shares[i - 1] ?? 0);
      expect(share).toBeLessThanOrEqual(1);
    }
  });

  test('lists found things first, with ids in order and each once', () => {
    const rank = { chain: 0, rigid: 1, left: 2 };
    for (const plan of [chainPlan, planRig(pouch().asset), planRig(wings().asset)]) {
      const order = plan.pieces.map(({ report }) => (rank[report.verdict] === 2 ? 1 : 0));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      const ids = plan.pieces.map(({ report }) => report.id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const name of ids) expect(name).toMatch(/^piece\d+$/);
    }
  });

  test('applied: the chain is found, counts as rigged, and a second pass adds nothing', () => {
    const rigged = applyPlan(asset, chainPlan);
    const chains = findChains(rigged);
    expect(chains.map(({ name, origin }) => `${name} ${origin}`)).toEqual(['Tail_1 rigged']);
    expect(rigged.skeleton.names[chains[0]!.attachment]).toBe('mixamorig:Hips');
    expect(chains[0]!.bones).toHaveLength(chainPlan.bones.length - 1);
    const { heads } = bindPose(rigged);
    chainPlan.bones.forEach((bone, i) =>
      bone.head.forEach((x, k) => expect(heads[asset.skeleton.count + i]![k]).toBeCloseTo(x, 9)),
    );
    const again = planRig(rigged);
    expect(again.bones).toEqual([]);
    expect(again.influences).toEqual([]);
  });
});
