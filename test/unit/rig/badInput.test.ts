/**
 * Characters that are broken or say nothing: a report or a clear error, never a crash, never something lost.
 */
import { describe, expect, test } from 'vitest';
import type { Asset, MeshPrimitive } from '../../../src/index.js';
import { applyPlan } from '../../../src/rig/applyPlan.js';
import { planRig } from '../../../src/rig/planRig.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import { tailed } from '../../support/rig/fixtures.js';
import { chainsOf, foundVertices, hitOf } from '../../support/rig/score.js';

const { asset, tail } = tailed('mouse', 'tubes');
const [mesh] = asset.meshes as [MeshPrimitive];

const withMesh = (change: Partial<MeshPrimitive>): Asset => ({ ...asset, meshes: [{ ...mesh, ...change }] });

/** The numbers of a plan that may go into a file. */
function expectFinite(plan: RigPlan): void {
  for (const bone of plan.bones)
    for (const x of [...bone.translation, ...bone.head]) expect(Number.isFinite(x)).toBe(true);
  for (const { weights } of plan.influences) expect(weights.every(Number.isFinite)).toBe(true);
  for (const { report } of plan.pieces)
    for (const value of Object.values(report))
      if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
}

const sameTail = (plan: RigPlan, of: Asset, weights = tail): void => {
  expectFinite(plan);
  expect(chainsOf(plan)).toHaveLength(1);
  const hit = hitOf(foundVertices(of, plan), weights);
  expect(hit.recall).toBeGreaterThanOrEqual(0.95);
  expect(hit.precision).toBeGreaterThanOrEqual(0.92);
};

describe('nothing to work on', () => {
  const none: [string, Asset][] = [
    ['no mesh', { ...asset, meshes: [] }],
    ['no skin', { ...asset, skins: [], meshes: [] }],
    [
      'a mesh that is not skinned',
      withMesh({ skin: -1, influences: 0, joints: new Uint16Array(0), weights: new Float64Array(0) }),
    ],
    ['no faces', withMesh({ indices: new Uint32Array(0) })],
    [
      'no vertices',
      withMesh({
        positions: new Float64Array(0),
        indices: new Uint32Array(0),
        joints: new Uint16Array(0),
        weights: new Float64Array(0),
      }),
    ],
    ['all weights 0', withMesh({ weights: new Float64Array(mesh.weights.length) })],
    ['all vertices in one place', withMesh({ positions: new Float64Array(mesh.positions.length).fill(1) })],
    [
      'only degenerate triangles',
      withMesh({ indices: Uint32Array.from(mesh.indices, (_, c) => mesh.indices[c - (c % 3)]!) }),
    ],
    ['all positions NaN', withMesh({ positions: new Float64Array(mesh.positions.length).fill(NaN) })],
  ];
  test.each(none)('%s: a report with a warning', (_, broken) => {
    const plan = planRig(broken);
    expect(plan.bones).toEqual([]);
    expect(plan.influences).toEqual([]);
    expectFinite(plan);
    expect(plan.warnings.length).toBeGreaterThan(0);
    for (const { code, message } of plan.warnings) {
      expect(code).toMatch(/^[a-z-]+$/);
      expect(message.length).toBeGreaterThan(10);
    }
    expect(applyPlan(broken, plan).meshes).toEqual(broken.meshes);
  });
});

describe('a good character with something bad in it', () => {
  test('degenerate triangles', () => {
    const extra = Array.from({ length: 300 }, (_, i) => [i, i, i + 1, i, i + 1, i]).flat();
    const bad = withMesh({ indices: Uint32Array.from([...mesh.indices, ...extra]) });
    sameTail(planRig(bad), bad);
  });

  test('triangles without area between three points of a line', () => {
    const count = mesh.positions.length / 3;
    const middles = [0, 1, 2].map((k) => (mesh.positions[k]! + mesh.positions[3 + k]!) / 2);
    const bad = withMesh({
      positions: Float64Array.from([...mesh.positions, ...middles]),
      joints: Uint16Array.from([...mesh.joints, ...mesh.joints.subarray(0, 4)]),
      weights: Float64Array.from([...mesh.weights, ...mesh.weights.subarray(0, 4)]),
      indices: Uint32Array.from([...mesh.indices, 0, count, 1]),
    });
    sameTail(planRig(bad), bad, [[...tail[0]!, 0]]);
  });

  test('edges with three and four triangles', () => {
    const twice = [...mesh.indices.subarray(3000, 3300)];
    const flipped = twice.map((_, c) => twice[c - (c % 3) + (2 - (c % 3))]!);
    const bad = withMesh({ indices: Uint32Array.from([...mesh.indices, ...twice, ...flipped]) });
    sameTail(planRig(bad), bad);
  });

  test('half of all triangles wound the other way', () => {
    const indices = mesh.indices.slice();
    for (let t = 0; t < indices.length; t += 6) {
      const [a, b] = [indices[t + 1]!, indices[t + 2]!];
      indices.set([b, a], t + 1);
    }
    const bad = withMesh({ indices });
    sameTail(planRig(bad), bad);
  });

  test('an empty primitive and one that is not skinned', () => {
    const empty: MeshPrimitive = {
      ...mesh,
      name: 'empty.0',
      positions: new Float64Array(0),
      indices: new Uint32Array(0),
      joints: new Uint16Array(0),
      weights: new Float64Array(0),
    };
    const still: MeshPrimitive = {
      ...mesh,
      skin: -1,
      influences: 0,
      joints: empty.joints,
      weights: empty.weights,
    };
    const bad: Asset = { ...asset, meshes: [empty, mesh, still] };
    const zeros = tail[0]!.map(() => 0);
    const plan = planRig(bad);
    sameTail(plan, bad, [[], tail[0]!, zeros]);
    expect(plan.influences.map((change) => change.mesh)).toEqual([1]);
    expect(plan.surface.pointOf.map((list) => list.length)).toEqual([0, mesh.positions.length / 3, 0]);
  });

  test('vertices without a triangle, far away', () => {
    const far = Array.from({ length: 50 }, (_, i) => [1e6 + i, -1e6, 3]).flat();
    const bad = withMesh({
      positions: Float64Array.from([...mesh.positions, ...far]),
      joints: Uint16Array.from([...mesh.joints, ...new Uint16Array(200)]),
      weights: Float64Array.from([...mesh.weights, ...new Float64Array(200)]),
    });
    sameTail(planRig(bad), bad, [[...tail[0]!, ...Array.from({ length: 50 }, () => 0)]]);
  });

  test.each([NaN, Infinity])('positions of %d: a report that says so', (value) => {
    const positions = mesh.positions.slice();
    positions[3 * 700 + 1] = value;
    positions[3 * 2600] = value;
    const plan = planRig(withMesh({ positions }));
    expectFinite(plan);
    expect(plan.warnings.map(({ message }) => message).join('\n')).toMatch(/finite|NaN|number/i);
    for (const { vertices } of plan.influences) expect([...vertices]).not.toContain(2600);
  });

  test('weights that are not finite or below 0', () => {
    const weights = mesh.weights.slice();
    weights[4 * 100] = NaN;
    weights[4 * 2600] = -1;
    weights[4 * 2601] = Infinity;
    expectFinite(planRig(withMesh({ weights })));
  });

  test('some vertices without any weight', () => {
    const weights = mesh.weights.slice();
    for (let v = 2500; v < 2600; v++) weights.fill(0, 4 * v, 4 * v + 4);
    const bad = withMesh({ weights });
    sameTail(planRig(bad), bad);
  });

  test('inverse bind matrices of 0 for a joint, of NaN for another', () => {
    const [skin] = asset.skins;
    const inverseBinds = skin!.inverseBinds.slice();
    const at = (name: string): number => 16 * skin!.joints.indexOf(asset.skeleton.names.indexOf(name));
    inverseBinds.fill(0, at('mixamorig:LeftHand'), at('mixamorig:LeftHand') + 16);
    inverseBinds.fill(NaN, at('mixamorig:Neck'), at('mixamorig:Neck') + 16);
    const plan = planRig({ ...asset, skins: [{ ...skin!, inverseBinds }] });
    expectFinite(plan);
    expect(chainsOf(plan).length).toBeLessThanOrEqual(1);
  });

  test('a skin of one joint', () => {
    const one: Asset = {
      ...asset,
      skins: [
        {
          name: 'one',
          joints: asset.skins[0]!.joints.slice(0, 1),
          inverseBinds: asset.skins[0]!.inverseBinds.slice(0, 16),
        },
      ],
      meshes: [{ ...mesh, joints: new Uint16Array(mesh.joints.length) }],
    };
    const plan = planRig(one);
    expect(plan.bones).toEqual([]);
    expectFinite(plan);
  });
});
