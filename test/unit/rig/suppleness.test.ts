/**
 * What the pass says about the motion of its chains: a bend limit at which the skin does not tear, a rest shape that it
 * stands. Judged by posing the skin here, with the matrices of another library, over all edges of the rigged character.
 */
import { mat4, quat, vec3 } from 'gl-matrix';
import { describe, expect, test } from 'vitest';
import { foxGlb } from '../../../examples/characters/fox.js';
import { addChains, addCharacter, type Asset, createWorld, findChains, rowOf } from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { rigGltf } from '../../../src/io/rig/index.js';
import { applyPlan } from '../../../src/rig/applyPlan.js';
import { planRig } from '../../../src/rig/planRig.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import { readBytes } from '../../support/gltfBuilder.js';
import { tailed } from '../../support/rig/fixtures.js';
import { shared } from '../../support/shared.js';

const degrees = (angleRad: number): number => (angleRad * 180) / Math.PI;

/** Smallest and largest ratio of posed to bind length of all edges at new bones, every joint bent alike. */
function ratios(asset: Asset, plan: RigPlan, axis: vec3, angleDeg: number): { least: number; most: number } {
  const first = asset.skeleton.count;
  const heads = plan.bones.map(({ head }) => vec3.fromValues(...head));
  // World motion of each new bone from its bind pose: turned about its head, hung on the one before.
  const motions: mat4[] = [];
  for (const [i, head] of heads.entries()) {
    const motion = mat4.create();
    const turn = mat4.fromQuat(
      mat4.create(),
      quat.setAxisAngle(quat.create(), axis, (angleDeg * Math.PI) / 180),
    );
    mat4.translate(motion, motion, head);
    mat4.multiply(motion, motion, turn);
    mat4.translate(motion, motion, vec3.negate(vec3.create(), head));
    motions.push(i > 0 ? mat4.multiply(mat4.create(), motions[i - 1]!, motion) : motion);
  }
  const { surface } = plan;
  const posed = Array.from({ length: surface.count }, (_, p) => surface.positions.slice(3 * p, 3 * p + 3));
  const moved = new Set<number>();
  for (const { mesh, vertices, influences, bones, weights } of plan.influences)
    vertices.forEach((v, i) => {
      const point = surface.pointOf[mesh]![v]!;
      const bind = vec3.fromValues(
        ...(surface.positions.slice(3 * point, 3 * point + 3) as unknown as [number, number, number]),
      );
      const sum = vec3.create();
      for (let k = i * influences; k < (i + 1) * influences; k++) {
        const at =
          bones[k]! < first ? bind : vec3.transformMat4(vec3.create(), bind, motions[bones[k]! - first]!);
        vec3.scaleAndAdd(sum, sum, at, weights[k]!);
        if (bones[k]! >= first && weights[k]! > 0) moved.add(point);
      }
      posed[point] = Float64Array.from(sum);
    });
  let [least, most] = [Infinity, 0];
  for (let c = 0; c < surface.triangles.length; c++) {
    const a = surface.triangles[c]!;
    const b = surface.triangles[c % 3 === 2 ? c - 2 : c + 1]!;
    if (!moved.has(a) && !moved.has(b)) continue;
    const length = (p: ArrayLike<number>, q: ArrayLike<number>): number =>
      Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!);
    const bindLength = length(surface.positions.subarray(3 * a), surface.positions.subarray(3 * b));
    const ratio = length(posed[a]!, posed[b]!) / bindLength;
    if (bindLength > 0) [least, most] = [Math.min(least, ratio), Math.max(most, ratio)];
  }
  return { least, most };
}

const sides: vec3[] = [
  [1, 0, 0],
  [-1, 0, 0],
];

function expectWhole(asset: Asset, plan: RigPlan): void {
  const { limit = Math.PI / 6 } = plan.bones[0]!.suggested ?? {};
  for (const axis of sides) {
    const { least, most } = ratios(asset, plan, axis, degrees(limit));
    expect(least).toBeGreaterThan(0.67);
    expect(most).toBeLessThan(1.5);
  }
}

describe('generated tails', () => {
  test.each(['fox', 'mouse', 'toon'] as const)('%s: the skin is whole at the limit', (name) => {
    const { asset } = tailed(name, 'fused');
    expectWhole(asset, planRig(asset));
  });

  test('a thick tail would tear at the usual limit, and says so', async () => {
    const asset = await loadGltf(await foxGlb());
    const plan = planRig(asset);
    expectWhole(asset, plan);
    expect(Math.min(...sides.map((axis) => ratios(asset, plan, axis, 30).least))).toBeLessThan(0.67);
    expect(degrees(plan.bones[0]!.suggested!.limit!)).toBeLessThan(30);
    // Only the first bone of a chain speaks for it.
    expect(plan.bones.slice(1).every(({ suggested }) => suggested === undefined)).toBe(true);
  });
});

describe('from plan to world', () => {
  test('through memory and through a file alike; a given option wins', async () => {
    const bytes = await foxGlb();
    const { plan, bytes: rigged } = await rigGltf(bytes);
    const { suggested } = plan.bones[0]!;
    const inMemory = applyPlan(await loadGltf(bytes), plan);
    const fromFile = await loadGltf(rigged);
    expect(findChains(fromFile)[0]!.suggested).toEqual(suggested);
    expect(findChains(inMemory)[0]!.suggested).toEqual(suggested);
    const limitOf = (asset: Asset, options: object): number => {
      const world = createWorld();
      const [chain] = addChains(world, addCharacter(world, asset), options);
      return world.views.chain.limit[rowOf(world, 'chain', chain!)]!;
    };
    expect(limitOf(fromFile, {})).toBe(suggested!.limit);
    expect(limitOf(inMemory, {})).toBe(suggested!.limit);
    expect(limitOf(fromFile, { limit: 0.5 })).toBe(0.5);
  });

  test('nonsense in the extras of a file is passed over and told', async () => {
    const { bytes } = await rigGltf(await foxGlb(), { container: 'gltf' });
    const json = JSON.parse(new TextDecoder().decode(bytes)) as {
      nodes: { name?: string; extras?: object }[];
    };
    const root = json.nodes.find(({ name }) => name === 'Tail_1')!;
    root.extras = { followthrough: { chain: { limitDeg: -5, carryDeg: 'up', restCurve: 1 } } };
    const asset = await loadGltf(new TextEncoder().encode(JSON.stringify(json)));
    expect(findChains(asset)[0]!.suggested).toEqual({ restCurve: 1 });
    expect(asset.warnings.filter(({ code }) => code === 'chain-tag')).toHaveLength(2);
  });
});

describe.skipIf(!shared)('animals', () => {
  const load = (name: string): Promise<Asset> =>
    loadGltf(readBytes(`${shared}/derived/${name}_tail_ablated.glb`), { validate: false });

  test('a long thin tail keeps the usual limit', async () => {
    expect(planRig(await load('velociraptor')).bones[0]!.suggested).toBeUndefined();
  });

  test('a thick one of eight bones bends less', async () => {
    const asset = await load('khronosfox');
    const plan = planRig(asset);
    expectWhole(asset, plan);
    expect(ratios(asset, plan, [1, 0, 0], 30).least).toBeLessThan(0.67);
  });
});
