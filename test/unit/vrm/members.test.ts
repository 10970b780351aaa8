/**
 * The members of the VRM extensions that the checklist does not cover: names, groups, centers, constraints, humanoid
 * bones, versions, and what `loadVrm` and `loadGltf` make of them.
 */
import { describe, expect, test } from 'vitest';
import { FollowthroughError } from '../../../src/asset/errors.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { loadVrm } from '../../../src/io/vrm/index.js';
import { buildGltf, skinnedTriangle } from '../../support/gltfBuilder.js';
import { bonesOf, constrained, read, row, spring, springBone, vrm0 } from './support.js';

const joints = (...list: number[]): object => ({ joints: list.map((node) => ({ node })) });

describe('springs', () => {
  test('names, or numbers where there are none', async () => {
    const fresh = await springBone(row(4), {
      springs: [
        { name: 'hair', ...joints(0, 1) },
        { name: '', ...joints(2, 3) },
      ],
      colliderGroups: [{ name: 'body' }, {}],
    });
    expect(fresh.springs.map(({ name }) => name)).toEqual(['hair', 'spring1']);
    expect(fresh.groups.map(({ name }) => name)).toEqual(['body', 'group1']);
    const old = await vrm0([{}, {}], { boneGroups: [{ comment: 'ribbon', bones: [0] }, { bones: [1] }] });
    expect(old.springs.map(({ name }) => name)).toEqual(['ribbon', 'spring1']);
  });

  test('every value of a joint', async () => {
    const joint = {
      hitRadius: 0.03,
      stiffness: 2.5,
      gravityPower: 0.4,
      gravityDir: [1, 0, 0],
      dragForce: 0.7,
    };
    const { springs } = await springBone(row(2), {
      springs: [{ joints: [{ node: 0, ...joint }, { node: 1 }], colliderGroups: [] }],
    });
    expect(springs[0]!.joints).toEqual([{ bone: 0, ...joint }]);
    const group = {
      hitRadius: 0.03,
      stiffiness: 2.5,
      gravityPower: 0.4,
      gravityDir: { x: 1 },
      dragForce: 0.7,
    };
    const old = await vrm0(row(2), { boneGroups: [{ bones: [0], ...group }] });
    expect(old.springs[0]!.joints).toEqual([
      { bone: 0, ...joint },
      { bone: 1, ...joint },
    ]);
  });

  test('a bone of an earlier spring in the middle leaves two parts', async () => {
    const { springs, said } = await springBone(row(6), {
      springs: [joints(2, 3), { name: 'long', colliderGroups: [0], ...joints(0, 1, 2, 3, 4, 5) }],
      colliderGroups: [{}],
    });
    expect(bonesOf({ springs } as never)).toEqual([
      [2, 3],
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(springs.slice(1).map(({ name, groups }) => [name, groups])).toEqual([
      ['long', [0]],
      ['long', [0]],
    ]);
    expect(said).toContain('vrm-duplicate /springs/1/joints/2');
  });

  test('a center apart from the spring is kept and said; one that another spring moves is not', async () => {
    const nodes = [{ children: [1, 4] }, { children: [2] }, { children: [3] }, {}, { children: [5] }, {}];
    const apart = await springBone(nodes, { springs: [{ ...joints(2, 3), center: 4 }] });
    expect([apart.springs[0]!.center, apart.said]).toEqual([4, ['vrm-center /springs/0/center']]);
    const moved = await springBone(nodes, { springs: [{ ...joints(2, 3), center: 5 }, joints(4, 5)] });
    expect([moved.springs[0]!.center, moved.said]).toEqual([-1, ['vrm-center /springs/0/center']]);
    // Above the spring it can be moved by another: that one comes first.
    const above = await springBone(row(4), { springs: [{ ...joints(2, 3), center: 1 }, joints(0, 1, 2)] });
    expect(above.springs[0]!.center).toBe(1);
    expect(above.said).toContain('vrm-center /springs/0/center');
    // VRM 0.x has no such rule.
    const old = await vrm0(nodes, { boneGroups: [{ bones: [2], center: 4 }] });
    expect([old.springs[0]!.center, old.said.filter((line) => line.startsWith('vrm-center'))]).toEqual([
      4,
      [],
    ]);
    const branch = await vrm0([{ children: [1, 2] }, {}, {}], { boneGroups: [{ bones: [0], center: 0 }] });
    expect(branch.springs.map(({ center }) => center)).toEqual([0, 0]);
  });

  test('nodes whose parents stand behind them in the file', async () => {
    const nodes = [{ name: 'tip' }, { name: 'root', children: [0] }];
    const { springs, asset } = await spring(nodes, [1, 0]);
    const { names } = asset.skeleton;
    expect([names[springs[0]!.joints[0]!.bone], names[springs[0]!.end]]).toEqual(['root', 'tip']);
  });
});

describe('roots of VRM 0.x', () => {
  test('a root below another of its group swings once, in whatever order they stand', async () => {
    for (const bones of [
      [0, 1],
      [1, 0],
      [0, 0, 1],
    ]) {
      const found = await vrm0(row(3), { boneGroups: [{ bones }] });
      expect(bonesOf(found)).toEqual([[0, 1, 2]]);
      expect(found.said.every((line) => line.startsWith('vrm-duplicate'))).toBe(true);
      expect(found.said).toHaveLength(bones.length - 1);
    }
  });

  test('between groups the first has the bone', async () => {
    const inner = await vrm0(row(4), { boneGroups: [{ bones: [2] }, { bones: [0], stiffiness: 3 }] });
    expect(bonesOf(inner)).toEqual([
      [2, 3],
      [0, 1, 2],
    ]);
    expect(inner.springs[1]).toMatchObject({
      endOffset: undefined,
      joints: [{ stiffness: 3 }, { stiffness: 3 }],
    });
    const outer = await vrm0(row(4), { boneGroups: [{ bones: [0] }, { bones: [2] }] });
    expect(bonesOf(outer)).toEqual([[0, 1, 2, 3]]);
    expect([...inner.said, ...outer.said]).toEqual([
      'vrm-duplicate /boneGroups/1/bones',
      'vrm-duplicate /boneGroups/1/bones',
    ]);
  });

  test('the first child in the file goes on, not the first bone', async () => {
    const nodes = [{ children: [3, 1] }, { children: [2] }, {}, {}];
    expect(bonesOf(await vrm0(nodes, { boneGroups: [{ bones: [0] }] }))).toEqual([
      [0, 3],
      [1, 2],
    ]);
  });

  test('10000 bones in a row', async () => {
    const found = await vrm0(row(10_000), { boneGroups: [{ bones: [0] }] });
    expect(found.springs[0]!.joints).toHaveLength(10_000);
  });
});

describe('constraints', () => {
  test.each([
    ['PositiveX', [1, 0, 0]],
    ['NegativeX', [-1, 0, 0]],
    ['PositiveY', [0, 1, 0]],
    ['NegativeY', [0, -1, 0]],
    ['PositiveZ', [0, 0, 1]],
    ['NegativeZ', [0, 0, -1]],
  ])('aim with %s', async (aimAxis, axis) => {
    const { constraints, source } = await read([{}, constrained({ aim: { source: 0, aimAxis } })], {});
    expect(source).toBe('springbone');
    expect(constraints).toEqual([{ bone: 1, source: 0, kind: 'aim', axis, weight: 1 }]);
  });

  test('rotation has no axis, weights stay in 0 to 1', async () => {
    const nodes = [
      {},
      constrained({ rotation: { source: 0, weight: 0.25 } }),
      constrained({ rotation: { source: 0, weight: 7 } }),
      constrained({ roll: { source: 0, rollAxis: 'Y', weight: -1 } }),
    ];
    const { constraints, said } = await read(nodes, {});
    expect(constraints.map(({ weight }) => weight)).toEqual([0.25, 1, 0]);
    expect(said).toHaveLength(2);
  });

  test('what cannot be used is left out', async () => {
    const nodes = [
      {},
      constrained({}),
      constrained({ roll: { source: 0 } }),
      constrained({ roll: { source: 0, rollAxis: 'PositiveX' } }),
      constrained({ aim: { source: 0, aimAxis: 'X' } }),
      constrained({ rotation: { source: 99 } }),
      constrained({ rotation: {} }),
      {
        extensions: { VRMC_node_constraint: { specVersion: '2.0', constraint: { rotation: { source: 0 } } } },
      },
      { extensions: { VRMC_node_constraint: null } },
    ];
    const { constraints, said } = await read(nodes, {});
    expect(constraints).toEqual([]);
    expect(said.map((line) => line.split('/')[2])).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });
});

describe('humanoid bones', () => {
  const human = (humanBones: object): object => ({ specVersion: '1.0', humanoid: { humanBones } });

  test('an object in 1.0, a list in 0.x, under the names of 1.0', async () => {
    const VRMC_vrm = human({ hips: { node: 1 }, leftThumbMetacarpal: { node: 0 } });
    expect((await read(row(2), { VRMC_vrm })).humanoid).toEqual({ hips: 1, leftThumbMetacarpal: 0 });
    const humanBones = [
      { bone: 'rightThumbProximal', node: 0 },
      { bone: 'rightThumbIntermediate', node: 1 },
      { bone: 'rightThumbDistal', node: 2 },
      { bone: 'jaw', node: -1 },
    ];
    const old = await read(row(3), { VRM: { humanoid: { humanBones } } });
    expect(old).toMatchObject({ source: 'vrm-0', springs: [], colliders: [] });
    expect(old.humanoid).toEqual({ rightThumbMetacarpal: 0, rightThumbProximal: 1, rightThumbDistal: 2 });
    expect(old.said).toEqual([]);
  });

  test('unknown names, doubled names and doubled nodes are left out', async () => {
    const humanBones = [
      { bone: 'hips', node: 0 },
      { bone: 'hips', node: 1 },
      { bone: 'spine', node: 0 },
      { bone: 'tail', node: 1 },
      { bone: 'leftThumbMetacarpal', node: 1 },
      { bone: 'head', node: 9 },
      { node: 1 },
    ];
    const old = await read(row(2), { VRM: { humanoid: { humanBones } } });
    expect(old.humanoid).toEqual({ hips: 0 });
    expect(old.said).toHaveLength(6);
    const text = JSON.stringify(human({ hips: { node: 0 } })).replace('"hips"', '"__proto__"');
    const odd = await read(row(2), { VRMC_vrm: JSON.parse(text) as object });
    expect([odd.humanoid, odd.said]).toEqual([{}, ['vrm-humanoid /humanoid/humanBones/__proto__']]);
  });
});

describe('extensions', () => {
  test('a file without any says nothing', async () => {
    const asset = await loadGltf(buildGltf({ nodes: row(2) }).gltf(), { validate: false });
    expect(asset).not.toHaveProperty('secondary');
    await expect(loadVrm(buildGltf({ nodes: row(2) }).gltf(), { validate: false })).rejects.toThrow(
      new FollowthroughError(
        'invalid-file',
        '/extensions: expected VRM, VRMC_vrm, VRMC_springBone or VRMC_node_constraint',
      ),
    );
  });

  test.each([
    ['1.0', true, []],
    ['1.0-beta', true, ['vrm-version']],
    [undefined, true, ['vrm-version']],
    ['2.0', false, ['vrm-version']],
  ])('version %s of VRMC_springBone', async (specVersion, isRead, reports) => {
    const { springs, said } = await springBone(row(2), { specVersion, springs: [joints(0, 1)] });
    expect([springs.length, said]).toEqual([isRead ? 1 : 0, reports]);
  });

  test('null counts as missing', async () => {
    const nothing = await springBone(row(2), {
      colliders: null,
      colliderGroups: null,
      springs: [{ name: null, center: null, colliderGroups: null, ...joints(0, 1) }],
    });
    expect(nothing.springs).toMatchObject([{ name: 'spring0', center: -1, groups: [] }]);
    const old = await vrm0(row(1), { colliderGroups: null, boneGroups: [{ bones: [0], comment: null }] });
    expect([old.springs.length, nothing.said, old.said]).toEqual([1, [], ['vrm-leaf /boneGroups/0/bones']]);
  });

  test('required ones stop nothing, with the validator on', async () => {
    const names = [
      'VRM',
      'VRMC_vrm',
      'VRMC_springBone',
      'VRMC_springBone_extended_collider',
      'VRMC_node_constraint',
      'VRMC_materials_mtoon',
    ];
    const file = skinnedTriangle();
    Object.assign(file.json, { extensionsUsed: names, extensionsRequired: names });
    file.json['extensions'] = {
      VRM: {},
      VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones: { hips: { node: 1 } } } },
      VRMC_springBone: { specVersion: '1.0', springs: [joints(1, 2)] },
    };
    Object.assign(file.json['nodes'][2], constrained({ rotation: { source: 1 } }));
    for (const bytes of [file.glb(), file.gltf()]) {
      const { secondary, name } = await loadVrm(bytes, { name: 'triangle' });
      expect(secondary).toMatchObject({ source: 'vrm-1', humanoid: { hips: 1 } });
      expect([secondary.springs.length, secondary.constraints.length, name]).toEqual([1, 1, 'triangle']);
    }
  });
});
