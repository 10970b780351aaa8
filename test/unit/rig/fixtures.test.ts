/**
 * The means of the rig tests, tested: shells are closed and face outward, scenes have the property they are named
 * after, taking bones out of a tail gives the files that were made that way.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadGltf } from '../../../src/io/gltf/index.js';
import type { Asset } from '../../../src/index.js';
import { readBytes } from '../../support/gltfBuilder.js';
import { ablateTail, type TailTruth } from '../../support/rig/ablate.js';
import { bindPose, skinBox, worldVertices } from '../../support/rig/bind.js';
import { FAT, limbShells, SLIM } from '../../support/rig/body.js';
import { makes, tailed, tailless } from '../../support/rig/fixtures.js';
import {
  cape,
  severalSkins,
  sharedTip,
  touchingLegs,
  underArmature,
  wings,
} from '../../support/rig/scenes.js';
import { apart } from '../../support/rig/score.js';
import { volumeOf } from '../../support/rig/shells.js';
import { bodyFor, furTube, namedTail, proportionsOf, tailNames, tailTube } from '../../support/rig/tails.js';
import { seamed, shuffled, unindexed } from '../../support/rig/variants.js';
import { shared } from '../../support/shared.js';

/** How many triangles share each edge over equal positions. */
function edgeUses({ meshes }: Asset): Map<number, number> {
  const numbers = new Map<string, number>();
  const uses = new Map<string, number>();
  for (const { positions, indices } of meshes) {
    const numberOf = (v: number): number => {
      const key = positions.subarray(3 * v, 3 * v + 3).join(' ');
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      return numbers.get(key)!;
    };
    for (let c = 0; c < indices.length; c++) {
      const ends = [numberOf(indices[c]!), numberOf(indices[c % 3 === 2 ? c - 2 : c + 1]!)].toSorted(
        (a, b) => a - b,
      );
      uses.set(ends.join(' '), (uses.get(ends.join(' ')) ?? 0) + 1);
    }
  }
  const counts = new Map<number, number>();
  for (const n of uses.values()) counts.set(n, (counts.get(n) ?? 0) + 1);
  return counts;
}

describe('bodies and tails', () => {
  test.each(tailNames)('%s: every tube is closed and faces outward', (name) => {
    const body = bodyFor(name);
    const tail = namedTail(name, body);
    for (const shell of [
      ...limbShells(body),
      tailTube(body, tail),
      ...(tail.fur ? [furTube(body, tail)] : []),
    ])
      expect(volumeOf(shell), shell.name).toBeGreaterThan(0);
    expect([...edgeUses(tailed(name, 'tubes').asset).keys()]).toEqual([2]);
  });

  test.each(tailNames)('%s fused: one closed surface but for a few edges of the mesher', (name) => {
    const uses = edgeUses(tailed(name, 'fused').asset);
    expect(uses.get(1) ?? 0).toBe(0);
    expect(uses.get(4) ?? 0).toBeLessThanOrEqual(5);
  });

  test.each(makes)('%s: size, and how much of it is tail', (make) => {
    for (const name of tailNames) {
      const { asset, tail, centreLine } = tailed(name, make);
      const { low, height } = skinBox(asset);
      expect(height / proportionsOf[name].height, name).toBeGreaterThan(0.95);
      expect(low[1], name).toBeGreaterThan(-0.05);
      const share = tail[0]!.filter((w) => w >= 0.5).length / tail[0]!.length;
      expect(share, name).toBeGreaterThan(0.07);
      expect(share, name).toBeLessThan(0.3);
      expect(centreLine!.length / height, name).toBeGreaterThan(0.25);
    }
    for (const [name, proportions] of [
      ['slim', SLIM],
      ['fat', FAT],
    ] as const)
      expect(tailless(name, proportions, make).tail[0]!.every((w) => w === 0)).toBe(true);
  });

  test('the tail is weighted to thighs and shins only, every vertex to a sum of 1', () => {
    const { asset, tail } = tailed('mouse', 'tubes');
    const mesh = asset.meshes[0]!;
    tail[0]!.forEach((w, v) => {
      const entries = [0, 1, 2, 3].map((k) => ({
        name: asset.skeleton.names[asset.skins[0]!.joints[mesh.joints[4 * v + k]!]!]!,
        weight: mesh.weights[4 * v + k]!,
      }));
      expect(entries.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
      if (w > 0)
        for (const { name, weight } of entries)
          if (weight > 0) expect(name).toMatch(/^mixamorig:(?:Left|Right)(?:Up)?Leg$/);
    });
  });
});

describe('scenes', () => {
  test('skin and fur end in the same vertex', () => {
    const { asset } = sharedTip('fox');
    const { positions } = asset.meshes[0]!;
    const seen = new Map<string, number>();
    for (let v = 0; v < positions.length; v += 3) {
      const key = positions.subarray(v, v + 3).join(' ');
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect([...seen.values()].filter((n) => n > 1)).toEqual([2]);
  });

  test('the tail touches the legs in single vertices, by a small move', () => {
    const { asset, tail, touching } = touchingLegs();
    expect(touching).toBe(4);
    const places = worldVertices(asset, bindPose(asset), 0);
    const legs = new Set(places.filter((_, v) => tail[0]![v] === 0).map((p) => p.join(' ')));
    expect(places.filter((p, v) => tail[0]![v]! > 0 && legs.has(p.join(' ')))).toHaveLength(4);
  });

  test('a character on two skins and one below scaled nodes stand where the plain one stands', () => {
    const plain = tailed('fox', 'tubes').asset;
    const places = worldVertices(plain, bindPose(plain), 0);
    for (const [made, sign] of [
      [severalSkins(), 1],
      [underArmature('fox', [39.5, 100]), 1],
      [underArmature('fox', [-39.5, 100]), -1],
    ] as const) {
      const pose = bindPose(made.asset);
      const all = made.asset.meshes.flatMap((_, m) => worldVertices(made.asset, pose, m));
      for (let v = 0; v < 1500; v++) {
        const [x, y, z] = places[v]!;
        expect(apart(all[v]!, [sign * x, y, z])).toBeLessThan(1e-9);
      }
      const hips = made.asset.skeleton.names.indexOf('mixamorig:Hips');
      const [x, y, z] = bindPose(plain).heads[plain.skeleton.names.indexOf('mixamorig:Hips')]!;
      expect(apart(pose.heads[hips]!, [sign * x, y, z])).toBeLessThan(1e-9);
    }
  });

  test('sheets are closed and thin', () => {
    for (const { asset } of [cape(), wings()]) expect(edgeUses(asset).get(1) ?? 0).toBe(0);
  });
});

describe('variants', () => {
  test('keep every triangle where it was', () => {
    const { asset } = tailed('fox', 'tubes');
    const corners = (a: Asset): string[] => {
      const { positions, indices } = a.meshes[0]!;
      const at = (v: number): string => positions.subarray(3 * v, 3 * v + 3).join(' ');
      return Array.from({ length: indices.length / 3 }, (_, t) =>
        [0, 1, 2]
          .map((k) => at(indices[3 * t + k]!))
          .toSorted()
          .join('|'),
      ).toSorted();
    };
    const expected = corners(asset);
    for (const variant of [shuffled(asset, 1), unindexed(asset), seamed(asset)]) {
      expect(corners(variant.asset)).toEqual(expected);
      expect(variant.asset.meshes[0]!.positions.length / 3).toBe(variant.from[0]!.length);
    }
    expect(seamed(asset).from[0]!.length).toBeGreaterThan((1.2 * asset.meshes[0]!.positions.length) / 3);
  });
});

describe.skipIf(!shared)('taking the bones out of a tail', () => {
  test.each([
    ['rat', 'quaternius_easy_enemies_Rat'],
    ['qfox', 'quaternius_animals_Fox'],
    ['khronosfox', 'khronos_Fox'],
    ['velociraptor', 'quaternius_dinosaurs_Velociraptor'],
  ])('%s is what the derived file holds', async (name, source) => {
    const original = await loadGltf(readBytes(`${shared}/glb-tail/${source}.glb`), { name });
    const expected = await loadGltf(readBytes(`${shared}/derived/${name}_tail_ablated.glb`), { name });
    const truth = JSON.parse(
      readFileSync(`${shared}/derived/${name}_tail_ablated.truth.json`, 'utf8'),
    ) as TailTruth;
    const made = ablateTail(original, (bone) => /^(?:b_)?Tail/.test(bone));

    expect(made.asset.skeleton.names).toEqual(expected.skeleton.names);
    expect(made.asset.skins.map(({ joints }) => joints)).toEqual(expected.skins.map(({ joints }) => joints));
    expect(made.truth.attach).toBe(truth.attach);
    expect(made.truth.tailJoints.map((joint) => joint.name)).toEqual(truth.tailJoints.map((j) => j.name));
    made.truth.tailJoints.forEach(({ bindPosition }, j) =>
      expect(apart(bindPosition, truth.tailJoints[j]!.bindPosition)).toBeLessThan(1e-6),
    );
    made.truth.primitives.forEach(({ tail }, p) => {
      const known = truth.primitives[p]!;
      expect(tail.map(([v]) => v)).toEqual(known.tail.map(([v]) => v));
      tail.forEach(([, w], i) => expect(Math.abs(w - known.tail[i]![1])).toBeLessThan(6e-4));
    });
    for (const [m, mesh] of made.asset.meshes.entries())
      for (let v = 0; v < mesh.positions.length / 3; v++) {
        const mine = weightsByName(made.asset, m, v);
        const theirs = weightsByName(expected, m, v);
        for (const bone of new Set([...mine.keys(), ...theirs.keys()]))
          expect(Math.abs((mine.get(bone) ?? 0) - (theirs.get(bone) ?? 0))).toBeLessThan(1e-6);
      }
  });
});

function weightsByName(asset: Asset, m: number, v: number): Map<string, number> {
  const mesh = asset.meshes[m]!;
  const weights = new Map<string, number>();
  for (let k = v * mesh.influences; k < (v + 1) * mesh.influences; k++) {
    const name = asset.skeleton.names[asset.skins[mesh.skin]!.joints[mesh.joints[k]!]!]!;
    weights.set(name, (weights.get(name) ?? 0) + mesh.weights[k]!);
  }
  return weights;
}
