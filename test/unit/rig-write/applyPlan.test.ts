/**
 * Plans carried out in memory: what changes, what is shared, what is refused.
 */
import { describe, expect, test } from 'vitest';
import { Matrix4 } from 'three';
import type { Asset } from '../../../src/asset/asset.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { applyPlan } from '../../../src/rig/applyPlan.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import { fingerprint } from '../../support/gltfBuilder.js';
import { plainGrid, skinnedGrid } from './support/files.js';
import { bindWorld, emptyPlan, planUnder } from './support/plans.js';

const grid = (): Promise<Asset> => loadGltf(plainGrid().glb());

describe('a plan', () => {
  test('leaves the character it was made for alone and shares what it does not change', async () => {
    const asset = await grid();
    const before = fingerprint(asset);
    const rigged = applyPlan(asset, planUnder(asset, 'spine'));
    expect(fingerprint(asset)).toBe(before);
    expect(rigged.clips).toBe(asset.clips);
    expect(rigged.meshes[0]!.positions).toBe(asset.meshes[0]!.positions);
    const same = applyPlan(asset, emptyPlan());
    expect(same).toEqual(asset);
    expect(same).not.toBe(asset);
  });

  test('puts new bones behind the old ones, in the order of the file', async () => {
    const asset = await grid();
    const plan = planUnder(asset, 'spine');
    const { skeleton } = applyPlan(asset, plan);
    expect(skeleton.count).toBe(11);
    expect(skeleton.names.slice(7)).toEqual(['Tail_1', 'Tail_2', 'Tail_3', 'Tail_End']);
    expect([...skeleton.nodes]).toEqual([...asset.skeleton.nodes, 7, 8, 9, 10]);
    expect([...skeleton.parents.slice(7)]).toEqual([2, 7, 8, 9]);
    expect([...skeleton.rotations.slice(28)]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect([...skeleton.scales.slice(21)]).toEqual(Array.from({ length: 12 }, () => 1));
    expect([...skeleton.translations.slice(21)]).toEqual(plan.bones.flatMap((bone) => bone.translation));
  });

  test('binds new bones at their heads, turned as the bone they hang from', async () => {
    for (const name of ['spine', 'helper']) {
      const asset = await grid();
      const plan = planUnder(asset, name);
      const { skins } = applyPlan(asset, plan);
      const [skin] = skins;
      // World from skin space, by a joint whose bind matrix and neutral world are both known.
      const toWorld = bindWorld(asset, skin!.joints[0]!).multiply(
        new Matrix4().fromArray(skin!.inverseBinds, 0),
      );
      const attachment = bindWorld(asset, asset.skeleton.names.indexOf(name));
      plan.bones.forEach(({ head }, i) => {
        const joint = skin!.joints.indexOf(asset.skeleton.count + i);
        const bind = toWorld
          .clone()
          .multiply(new Matrix4().fromArray(skin!.inverseBinds, 16 * joint).invert());
        const wanted = attachment.clone().setPosition(...head);
        bind.elements.forEach((x, k) => expect(x).toBeCloseTo(wanted.elements[k]!, 6));
      });
    }
  });

  test('binds a bone that is no joint through the nearest joint above it', async () => {
    // Spine and arm hang on a bone that is no joint, so the saved pose decides, and the two disagree with their matrices.
    const b = plainGrid();
    b.json['skins'][0] = { ...b.json['skins'][0], joints: [2, 4, 3, 5, 3], skeleton: 1 };
    const asset = await loadGltf(b.glb(), { validate: false });
    const [skin] = applyPlan(asset, planUnder(asset, 'helper')).skins;
    const wanted = bindWorld(asset, asset.skeleton.names.indexOf('helper'))
      .invert()
      .multiply(bindWorld(asset, asset.skeleton.names.indexOf('arm')))
      .multiply(new Matrix4().fromArray(skin!.inverseBinds, 16));
    const joint = skin!.joints.indexOf(asset.skeleton.names.indexOf('helper'));
    wanted.elements.forEach((x, k) => expect(skin!.inverseBinds[16 * joint + k]).toBeCloseTo(x, 9));
  });

  test('gives a skin whole chains, also where weights use one bone of them', async () => {
    const asset = await grid();
    const plan = planUnder(asset, 'spine');
    const influences = { mesh: 0, vertices: Uint32Array.of(5), influences: 1 };
    plan.influences = [{ ...influences, bones: Int32Array.of(8), weights: Float64Array.of(1) }];
    expect([...applyPlan(asset, plan).skins[0]!.joints]).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 10]);
    plan.influences = [];
    expect(applyPlan(asset, plan).skins[0]).toBe(asset.skins[0]);
  });

  test('replaces all influences of a vertex', async () => {
    const asset = await loadGltf(skinnedGrid({ weights: 'f32', joints: 'u8', sets: 2 }).glb());
    const plan = planUnder(asset, 'spine');
    const [change] = plan.influences;
    const { meshes, skins } = applyPlan(asset, plan);
    const [mesh] = meshes;
    const influencesOf = (vertex: number): [number, number][] =>
      Array.from({ length: 8 }, (_, k): [number, number] => [
        skins[0]!.joints[mesh!.joints[8 * vertex + k]!]!,
        mesh!.weights[8 * vertex + k]!,
      ]).filter(([, weight]) => weight > 0);
    change!.vertices.forEach((vertex, v) => {
      const wanted = [0, 1, 2]
        .map((k): [number, number] => [change!.bones[3 * v + k]!, change!.weights[3 * v + k]!])
        .filter(([, weight]) => weight > 0);
      expect(influencesOf(vertex)).toEqual(wanted);
    });
    expect(mesh!.joints.filter((joint, k) => joint !== 0 && mesh!.weights[k] === 0)).toEqual(
      asset.meshes[0]!.joints.filter(
        (joint, k) => joint !== 0 && mesh!.weights[k] === 0 && (k >> 3) % 3 !== 0,
      ),
    );
    const old = asset.meshes[0]!;
    expect(mesh!.weights.slice(8, 24)).toEqual(old.weights.slice(8, 24));
    expect(mesh!.joints.slice(8, 24)).toEqual(old.joints.slice(8, 24));
  });
});

describe('refused', () => {
  const wrong: [what: string, change: (plan: RigPlan) => void][] = [
    ['a parent behind its child', (plan) => (plan.bones[1]!.parent = 8)],
    ['a parent that does not exist', (plan) => (plan.bones[0]!.parent = -1)],
    ['a translation that is not finite', (plan) => (plan.bones[0]!.translation[1] = NaN)],
    ['a mesh that does not exist', (plan) => (plan.influences[0]!.mesh = 7)],
    ['a mesh that is changed twice', (plan) => plan.influences.push(plan.influences[0]!)],
    ['a vertex that does not exist', (plan) => (plan.influences[0]!.vertices[9] = 30)],
    ['a bone that does not exist', (plan) => (plan.influences[0]!.bones[0] = 11)],
    ['a weight below 0', (plan) => plan.influences[0]!.weights.set([-0.5, 1.5])],
    ['a weight that is no number', (plan) => plan.influences[0]!.weights.set([NaN])],
    ['weights that do not sum to 1', (plan) => plan.influences[0]!.weights.set([0.99])],
    ['lists of different lengths', (plan) => (plan.influences[0]!.bones = new Int32Array(3))],
    ['more influences than there is room for', (plan) => (plan.influences[0]!.influences = 5)],
  ];
  test.each(wrong)('%s', async (_, change) => {
    const asset = await grid();
    const plan = planUnder(asset, 'spine');
    change(plan);
    expect(() => applyPlan(asset, plan)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  test('a mesh without a skin', async () => {
    const b = plainGrid();
    delete b.json['nodes'][0].skin;
    const asset = await loadGltf(b.glb());
    const plan = planUnder(asset, 'spine', [0]);
    expect(() => applyPlan(asset, plan)).toThrow('is not skinned');
  });
});
