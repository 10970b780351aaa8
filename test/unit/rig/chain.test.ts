/**
 * Joints and weights of a chain recomputed from the statement of the design by the slow and plain way: lengths over
 * edges from the collar, band centres by area, the weight formula; and the welded surface they stand on.
 */
import { describe, expect, test } from 'vitest';
import { planRig } from '../../../src/rig/planRig.js';
import { bindPose, skinBox, worldVertices } from '../../support/rig/bind.js';
import { tailed } from '../../support/rig/fixtures.js';
import {
  bandCentre,
  boneCount,
  lengthsFromCollar,
  percentile99,
  plannedWeights,
  pointAt,
  statedJoints,
  statedWeights,
} from '../../support/rig/naive.js';
import { curled, lopsided, sharedTip } from '../../support/rig/scenes.js';
import { placeOn } from '../../support/rig/sections.js';
import { apart, chainsOf, foundVertices, headsOf, sectionsOf } from '../../support/rig/score.js';
import { seamed, unindexed } from '../../support/rig/variants.js';
import { len, sub } from '../../support/referenceMath.js';

/** One skin from head to tail: only its edges join its points. */
const single = [
  ['mouse', () => tailed('mouse', 'fused').asset],
  ['curled', () => curled('fused').asset],
  ['split at seams', () => seamed(tailed('mouse', 'fused').asset).asset],
  ['without indices', () => unindexed(curled('fused').asset).asset],
] as const;

describe.each(single)('%s', (_, make) => {
  const asset = make();
  const plan = planRig(asset);
  const [chain] = chainsOf(plan);
  const { surface } = plan;
  const lengths = lengthsFromCollar(surface, chain!);
  const bones = plan.bones.length - 1;
  const length = chain!.report.length;

  test('every point of the piece is reached from the collar within it', () => {
    for (const p of chain!.points) expect(lengths[p]).toBeGreaterThanOrEqual(0);
    expect(chain!.collar.length).toBeGreaterThan(2);
  });

  test('L is the 99th percentile of the lengths, K = clamp(round(L / (0.1 H)), 3, 8)', () => {
    const reached = [...chain!.points].map((p) => lengths[p]!);
    expect(Math.abs(length / percentile99(reached) - 1)).toBeLessThan(0.01);
    expect(bones).toBe(boneCount(length, skinBox(asset).height));
  });

  test('weights are the stated formula', () => {
    const first = asset.skeleton.count;
    const piece = new Set(chain!.points);
    asset.meshes.forEach((mesh, m) => {
      const planned = plannedWeights(plan, m);
      for (let v = 0; v < mesh.positions.length / 3; v++) {
        const point = surface.pointOf[m]![v]!;
        if (!piece.has(point)) continue;
        const { bone, w } = statedWeights(lengths[point]!, length, bones);
        const expected = new Map<number, number>();
        w.forEach((weight, k) => {
          const index = bone - 1 + k;
          if (weight > 0) expected.set(index < 0 ? plan.bones[0]!.attachment : first + index, weight);
        });
        const given = planned.get(v)!;
        for (const b of new Set([...expected.keys(), ...given.keys()]))
          expect(
            Math.abs((given.get(b) ?? 0) - (expected.get(b) ?? 0)),
            `vertex ${v}, bone ${b}`,
          ).toBeLessThan(1e-9);
      }
    });
  });

  test('joints are the band centres by area, smoothed by at most 0.3 radii; the first in the collar', () => {
    const heads = headsOf(chain!);
    const sections = sectionsOf(asset, foundVertices(asset, plan), heads);
    // Lengths over edges are longer than the line: places on the line by share.
    const total = placeOn(heads, heads.at(-1)!).along;
    const radiusAt = (along: number): number => sections.radiusAt((along / length) * total);
    const stated = statedJoints(surface, lengths, heads[0]!, length, bones, radiusAt);
    heads.forEach((head, i) =>
      expect(apart(head, stated[i]!) / radiusAt((i * length) / bones), `joint ${i}`).toBeLessThan(0.12),
    );
    // The first stands in the middle of the collar's skin.
    const near = bandCentre(surface, lengths, 0, 0.5 * radiusAt(0))!;
    expect(apart(heads[0]!, near) / radiusAt(0)).toBeLessThan(0.5);
  });

  test('vertices at one place are one point, points lie where their vertices lie', () => {
    const pose = bindPose(asset);
    const { diagonal } = skinBox(asset);
    asset.meshes.forEach((_mesh, m) => {
      const known = new Map<string, number>();
      worldVertices(asset, pose, m).forEach((place, v) => {
        const point = surface.pointOf[m]![v]!;
        const key = place.join(' ');
        if (!known.has(key)) known.set(key, point);
        expect(known.get(key)).toBe(point);
        expect(len(sub(pointAt(surface, point), place))).toBeLessThan(2e-5 * diagonal);
      });
    });
    expect(surface.positions).toHaveLength(3 * surface.count);
    for (let t = 0; t < surface.triangles.length; t += 3)
      expect(new Set(surface.triangles.subarray(t, t + 3)).size).toBe(3);
  });
});

/** Shells that touch are joined where they do. */
const joined = [
  ['mouse of tubes', () => tailed('mouse', 'tubes').asset],
  ['lopsided rings', () => lopsided().asset],
  ['curled tube', () => curled('tubes').asset],
  ['fox of tubes', () => tailed('fox', 'tubes').asset],
  ['toon, fused below fur', () => tailed('toon', 'fused').asset],
  ['fur and skin with one tip', () => sharedTip('fox').asset],
] as const;

describe.each(joined)('%s', (_, make) => {
  const asset = make();
  const plan = planRig(asset);
  const [chain] = chainsOf(plan);
  const lengths = lengthsFromCollar(plan.surface, chain!);
  const bones = plan.bones.length - 1;
  const { length } = chain!.report;

  test('weights are the stated formula for a way that is no longer than the one over edges', () => {
    const first = asset.skeleton.count;
    const mesh = asset.meshes[0]!;
    const planned = plannedWeights(plan, 0);
    const piece = new Set(chain!.points);
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      const point = plan.surface.pointOf[0]![v]!;
      if (!piece.has(point)) continue;
      // Mean number of the bones of a vertex, the attachment -1: grows with its length.
      const place = (list: Iterable<[number, number]>): number =>
        [...list].reduce((sum, [bone, w]) => sum + w * (bone < first ? -1 : bone - first), 0);
      const given = planned.get(v)!;
      const own = [...given].toSorted((a, b) => b[1] - a[1])[0]!;
      for (const bone of given.keys()) {
        expect(bone === plan.bones[0]!.attachment || bone >= first).toBe(true);
        const next = bone < first ? -1 : bone - first;
        expect(Math.abs(next - (own[0] < first ? -1 : own[0] - first))).toBeLessThanOrEqual(1);
      }
      if (lengths[point]! < 0) continue;
      const { bone, w } = statedWeights(lengths[point]!, length, bones);
      const most = w.reduce((sum, weight, k) => sum + weight * (bone - 1 + k), 0);
      expect(place(given), `vertex ${v}`).toBeLessThanOrEqual(most + 1e-9);
      expect(place(given), `vertex ${v}`).toBeGreaterThan(most - 1);
    }
  });

  test('K = clamp(round(L / (0.1 H)), 3, 8)', () => {
    expect(bones).toBe(boneCount(length, skinBox(asset).height));
  });
});

const all = [...single, ...joined, ['fox, fused below fur', () => tailed('fox', 'fused').asset]] as const;

test.each(all)(
  '%s: weights sum to 1, four influences at most, descending, changes listed in order',
  (_, make) => {
    const asset = make();
    const plan = planRig(asset);
    expect(plan.influences.length).toBeGreaterThan(0);
    const meshes = plan.influences.map(({ mesh }) => mesh);
    expect(new Set(meshes).size).toBe(meshes.length);
    for (const { mesh, vertices, influences, bones, weights } of plan.influences) {
      expect(influences).toBeLessThanOrEqual(Math.min(4, asset.meshes[mesh]!.influences));
      expect(bones).toHaveLength(influences * vertices.length);
      expect(weights).toHaveLength(influences * vertices.length);
      vertices.forEach((v, i) => {
        if (i > 0) expect(v).toBeGreaterThan(vertices[i - 1]!);
        const list = [...weights.subarray(i * influences, (i + 1) * influences)];
        expect(Math.abs(list.reduce((sum, w) => sum + w, 0) - 1)).toBeLessThan(1e-12);
        expect(list).toEqual(list.toSorted((a, b) => b - a));
        const used = [...bones.subarray(i * influences, (i + 1) * influences)].filter(
          (__, k) => list[k]! > 0,
        );
        expect(new Set(used).size).toBe(used.length);
        for (const bone of used) expect(bone).toBeLessThan(asset.skeleton.count + plan.bones.length);
      });
    }
    // What lies at one place moves alike.
    asset.meshes.forEach((_mesh, m) => {
      const planned = plannedWeights(plan, m);
      const byPoint = new Map<number, string>();
      plan.surface.pointOf[m]!.forEach((point, v) => {
        const text = planned.has(v) ? [...planned.get(v)!].map(String).join(' ') : 'unchanged';
        if (!byPoint.has(point)) byPoint.set(point, text);
        expect(byPoint.get(point)).toBe(text);
      });
    });
  },
);
