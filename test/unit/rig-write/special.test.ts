/**
 * Files in which one thing is odd: shared accessors, meshes on several nodes, joints above 255, mixed forms, external
 * buffers.
 */
import { describe, expect, test } from 'vitest';
import { parseGlb } from '../../../src/io/gltf/container.js';
import { appendAccessor, loadGltf, openPatch, writePatch } from '../../../src/io/gltf/index.js';
import { writePlan } from '../../../src/io/rig/writePlan.js';
import { applyPlan } from '../../../src/rig/applyPlan.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import { buildGltf, jsonOf, type Json } from '../../support/gltfBuilder.js';
import { checked } from './support/checkAll.js';
import {
  expectNoNewErrors,
  expectRestUntouched,
  expectSameAsset,
  expectSameNumbers,
  writeInto,
} from './support/checks.js';
import { plainGrid, skinnedGrid, VERTICES } from './support/files.js';
import { emptyPlan, planUnder } from './support/plans.js';

describe('nothing to write', () => {
  test('a plan that changes nothing gives the very bytes back', async () => {
    const before = plainGrid().glb();
    expect(await writeInto(before, await loadGltf(before), emptyPlan())).toEqual(before);
    const bare = buildGltf({ extras: [1.0] }).gltf();
    expect(await writeInto(bare, await loadGltf(bare), emptyPlan(), 'gltf')).toEqual(bare);
  });

  test('weights that are stored already are not stored again', async () => {
    const before = plainGrid().glb();
    const asset = await loadGltf(before);
    const plan = planUnder(asset, 'spine');
    const once = await writeInto(before, asset, plan);
    const again = { ...plan, bones: [] };
    expect(await writeInto(once, await loadGltf(once), again)).toEqual(once);
  });
});

/** A plan that binds some vertices to one bone. */
const rigidPlan = (bone: number, vertices: number[]): RigPlan => ({
  ...emptyPlan(),
  influences: [
    {
      mesh: 0,
      vertices: Uint32Array.from(vertices),
      influences: 1,
      bones: Int32Array.from(vertices, () => bone),
      weights: Float64Array.from(vertices, () => 1),
    },
  ],
});

describe('the numbers of vertices that stay', () => {
  test.each(['u8', 'u16'] as const)('%s weights of every size', async (form) => {
    const total = form === 'u8' ? 255 : 65535;
    const step = form === 'u8' ? 1 : 13;
    const count = Math.floor(total / step) + 1;
    const weights = Array.from({ length: count }, (_, v) => [v * step, total - v * step, 0, 0]).flat();
    const b = plainGrid();
    const { attributes } = b.json['meshes'][0].primitives[0];
    const noBounds = { min: undefined, max: undefined };
    b.json['meshes'][0].primitives[0] = {
      attributes: {
        POSITION: b.accessor(
          new Float32Array(count * 3).map((_, i) => Math.sin(i)),
          'VEC3',
        ),
        JOINTS_0: b.accessor(
          new Uint8Array(count * 4).map((_, i) => (i % 4 === 1 ? 1 : 0)),
          'VEC4',
          noBounds,
        ),
        WEIGHTS_0: b.accessor(form === 'u8' ? Uint8Array.from(weights) : Uint16Array.from(weights), 'VEC4', {
          ...noBounds,
          normalized: true,
        }),
      },
    };
    delete b.json['meshes'][0].weights;
    expect(attributes).toBeDefined();
    const before = b.glb();
    const asset = await loadGltf(before);
    const plan = rigidPlan(3, [7]);
    await expectSameNumbers(before, await writeInto(before, asset, plan), asset, plan);
  });
});

describe('joints', () => {
  test('a bone that is no joint of the skin becomes one, bound as the neutral pose has it', async () => {
    const before = plainGrid().glb();
    const asset = await loadGltf(before);
    const after = await checked(before, asset, planUnder(asset, 'helper'));
    expect(after['skins'][0].joints).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const { JOINTS_0, WEIGHTS_0 } = after['meshes'][0].primitives[0].attributes;
    for (const index of [JOINTS_0, WEIGHTS_0])
      expect(after['bufferViews'][after['accessors'][index].bufferView].target).toBe(34962);
  });

  test('a piece bound to one bone needs no new bones', async () => {
    const before = plainGrid().glb();
    const asset = await loadGltf(before);
    for (const [name, joints] of [
      ['head', [1, 2, 3, 4, 5]],
      ['helper', [1, 2, 3, 4, 5, 6]],
    ] as const) {
      const bone = asset.skeleton.names.indexOf(name);
      const plan = rigidPlan(bone, [3, 4, 29]);
      const after = await checked(before, asset, plan);
      expect(after['skins'][0].joints).toEqual(joints);
      expect(after['nodes'].length).toBe(7);
    }
  });

  test('joints of 8 bits become 16 bits when there are more than 256', async () => {
    for (const [extra, type] of [
      [248, 5121],
      [249, 5123],
    ] as const) {
      const b = plainGrid();
      const { nodes, skins, accessors } = b.json as { nodes: Json[]; skins: Json[]; accessors: Json[] };
      const more = Array.from({ length: extra }, (_, i) => nodes.length + i);
      nodes.push(...more.map((i) => ({ name: `x${i}` })));
      nodes[3]!['children'] = more;
      skins[0]!['joints'].push(...more);
      const one = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.3, -3, 0.2, 1];
      const old = accessors[skins[0]!['inverseBindMatrices']]!;
      const bytes = b.bin().slice(b.json['bufferViews'][old['bufferView']].byteOffset);
      const floats = [...new Float32Array(bytes.buffer, 0, 80), ...more.flatMap(() => one)];
      skins[0]!['inverseBindMatrices'] = b.accessor(Float32Array.from(floats), 'MAT4');
      const before = b.glb();
      const asset = await loadGltf(before);
      // The last bone with weights is joint 7 + extra; the end behind it has none.
      const after = await checked(before, asset, planUnder(asset, 'spine'));
      const { JOINTS_0 } = after['meshes'][0].primitives[0].attributes;
      expect(after['accessors'][JOINTS_0].componentType).toBe(type);
    }
  });

  test('a translation of -0 is written as 0', async () => {
    const before = plainGrid().glb();
    const asset = await loadGltf(before);
    const plan = planUnder(asset, 'spine');
    plan.bones[1]!.translation = [-0, 0.2, -0];
    const after = await writeInto(before, asset, plan);
    await expectSameAsset(asset, after, plan);
  });
});

describe('primitives', () => {
  test('that share accessors get their own only where they change', async () => {
    const b = plainGrid();
    const [first] = b.json['meshes'][0].primitives;
    b.json['meshes'][0].primitives.push(structuredClone(first));
    const before = b.glb();
    const asset = await loadGltf(before);
    const one = await checked(before, asset, planUnder(asset, 'spine', [1]));
    const attributes = (json: Json, p: number): Json => json['meshes'][0].primitives[p].attributes;
    expect(attributes(one, 0)).toEqual(first.attributes);
    expect(attributes(one, 1)['JOINTS_0']).not.toBe(first.attributes.JOINTS_0);
    const both = await checked(before, asset, planUnder(asset, 'spine'));
    expect(attributes(both, 0)['WEIGHTS_0']).not.toBe(attributes(both, 1)['WEIGHTS_0']);
  });

  test('on two nodes with one skin change on both, whichever the plan names', async () => {
    const b = plainGrid();
    b.json['nodes'].push({ name: 'twin', mesh: 0, skin: 0 }, { name: 'statue', mesh: 0 });
    b.json['scenes'][0].nodes.push(7, 8);
    const before = b.glb();
    const asset = await loadGltf(before);
    expect(asset.meshes.map(({ skin }) => skin)).toEqual([0, 0, -1]);
    for (const meshes of [[0], [1], [0, 1]]) {
      const after = await checked(before, asset, planUnder(asset, 'spine', meshes));
      expect(after['accessors'].length).toBe(asset.meshes.length + jsonOf(before)['accessors'].length);
    }
    const plan = planUnder(asset, 'spine');
    plan.influences[1]!.weights = plan.influences[1]!.weights.slice();
    plan.influences[1]!.weights.set([0.75, 0.25], 3);
    expect(() => applyPlan(asset, plan)).toThrow('hangs on several nodes');
  });

  test('on two nodes with different skins are refused', async () => {
    const b = plainGrid();
    b.json['skins'].push({ ...b.json['skins'][0] });
    b.json['nodes'].push({ name: 'twin', mesh: 0, skin: 1 });
    b.json['scenes'][0].nodes.push(7);
    const before = b.glb();
    const asset = await loadGltf(before);
    await expect(writeInto(before, asset, planUnder(asset, 'spine', [0]))).rejects.toMatchObject({
      code: 'unsupported-file',
    });
  });

  test('with sets of different forms take what fits the first, else are refused', async () => {
    const b = skinnedGrid({ weights: 'f32', joints: 'u8', sets: 2 });
    const { attributes } = b.json['meshes'][0].primitives[0];
    attributes.WEIGHTS_1 = b.accessor(new Uint8Array(VERTICES * 4), 'VEC4', {
      normalized: true,
      min: undefined,
      max: undefined,
    });
    const before = b.glb();
    const asset = await loadGltf(before);
    await checked(before, asset, planUnder(asset, 'spine'));
    const five: RigPlan = {
      ...emptyPlan(),
      influences: [
        {
          mesh: 0,
          vertices: Uint32Array.of(0),
          influences: 5,
          bones: Int32Array.of(1, 2, 3, 4, 5),
          weights: Float64Array.of(0.2, 0.2, 0.2, 0.2, 0.2),
        },
      ],
    };
    await expect(writeInto(before, asset, five)).rejects.toMatchObject({ code: 'unsupported-file' });
  });

  test('with five influences use the second set', async () => {
    for (const weights of ['f32', 'u8', 'u16'] as const) {
      const before = skinnedGrid({ weights, joints: 'u16', sets: 2 }).glb();
      const asset = await loadGltf(before);
      const plan: RigPlan = {
        ...emptyPlan(),
        influences: [
          {
            mesh: 0,
            vertices: Uint32Array.of(0, 7),
            influences: 5,
            bones: Int32Array.of(1, 2, 3, 4, 5, 5, 4, 3, 2, 1),
            weights: Float64Array.of(0.3, 0.25, 0.2, 0.15, 0.1, 0.2, 0.2, 0.2, 0.2, 0.2),
          },
        ],
      };
      const after = await checked(before, asset, plan);
      expect(after['meshes'][0].primitives[0].attributes.JOINTS_1).toBeGreaterThan(
        jsonOf(before)['accessors'].length - 1,
      );
    }
  });
});

describe('containers', () => {
  test('a .gltf with a buffer beside it goes on referring to it', async () => {
    const b = plainGrid();
    const before = b.gltf('grid.bin');
    const resolve = async (): Promise<Uint8Array> => b.bin();
    const asset = await loadGltf(before, { resolve });
    const plan = planUnder(asset, 'spine');
    const after = await writeInto(before, asset, plan, 'gltf', resolve);
    await expectSameAsset(asset, after, plan, { resolve });
    expectRestUntouched(before, after, asset, plan);
    expect(jsonOf(after)['buffers'][0].uri).toBe('grid.bin');
    const glb = await writeInto(before, asset, plan, 'glb', resolve);
    await expectSameAsset(asset, glb, plan);
    await expectNoNewErrors(b.glb(), glb);
  });

  test('a buffer that could not be read stops the writing', async () => {
    const b = plainGrid();
    const asset = await loadGltf(b.glb());
    const patch = await openPatch(b.gltf('grid.bin'));
    await expect(writePlan(patch, asset, planUnder(asset, 'spine'))).rejects.toMatchObject({
      code: 'invalid-file',
      message: expect.stringContaining('grid.bin'),
    });
    expect(writePatch(patch, 'gltf')).toEqual(b.gltf('grid.bin'));
  });

  test('an asset of another file is refused', async () => {
    const asset = await loadGltf(plainGrid().glb());
    const patch = await openPatch(buildGltf({ nodes: [{}] }).gltf());
    await expect(writePlan(patch, asset, planUnder(asset, 'spine'))).rejects.toMatchObject({
      code: 'invalid-argument',
    });
  });
});

describe('one patch', () => {
  test('takes one plan', async () => {
    const before = plainGrid().glb();
    const asset = await loadGltf(before);
    const patch = await openPatch(before);
    await writePlan(patch, asset, rigidPlan(3, [1]));
    await expect(writePlan(patch, asset, rigidPlan(3, [2]))).rejects.toMatchObject({
      code: 'invalid-argument',
    });
  });

  test('holds signed numbers in the order of bytes that glTF wants', async () => {
    const patch = await openPatch(buildGltf({ nodes: [{}] }).gltf());
    appendAccessor(patch, Int16Array.of(-2, 258), 'SCALAR');
    appendAccessor(patch, Int8Array.of(-2, 1), 'SCALAR');
    const { accessors } = jsonOf(writePatch(patch, 'gltf'));
    expect(accessors.map((accessor: Json) => accessor['componentType'])).toEqual([5122, 5120]);
    expect([...parseGlb(writePatch(patch, 'glb')).bin!.slice(0, 6)]).toEqual([254, 255, 2, 1, 254, 1]);
  });
});

test('primitives know their place in the file and the name of their material', async () => {
  const b = plainGrid();
  const [first] = b.json['meshes'][0].primitives;
  const more = [undefined, 1, 7, 'x'].map((material) => ({ ...structuredClone(first), material }));
  b.json['meshes'][0].primitives.push(...more);
  b.json['meshes'].unshift({ primitives: [structuredClone(first)] });
  b.json['nodes'][0].mesh = 1;
  b.json['materials'] = [{ name: 'fur' }, { name: 3 }];
  const { meshes } = await loadGltf(b.glb(), { validate: false });
  expect(meshes.map(({ mesh, primitive, material }) => [mesh, primitive, material])).toEqual([
    [1, 0, 'fur'],
    [1, 1, ''],
    [1, 2, ''],
    [1, 3, ''],
    [1, 4, ''],
  ]);
});
