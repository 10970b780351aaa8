/**
 * Colliders and groups as they stand in the file, each shape with what a reader that knows less makes of it.
 */
import { describe, expect, test } from 'vitest';
import type { ColliderShape } from '../../../src/asset/secondary.js';
import type { Json } from '../../support/gltfBuilder.js';
import { row } from '../vrm/support.js';
import { fileOf, only, rewritten, said, springOf, theirs, type Motion } from './support.js';

const EXTENDED = 'VRMC_springBone_extended_collider';
type Vector = [number, number, number];
const sphere = (radius: number, inside = false, offset: Vector = [0, 0.1, 0]): ColliderShape => ({
  kind: 'sphere',
  offset,
  radius,
  inside,
});
const capsule = (
  radius: number,
  tailRadius: number,
  inside = false,
  tail: Vector = [0, 1, 0],
): ColliderShape => ({
  kind: 'capsule',
  offset: [0, 0, 0],
  tail,
  radius,
  tailRadius,
  inside,
});
const plane = (normal: Vector): ColliderShape => ({ kind: 'plane', offset: [0, 0.5, 0], normal });

/** A spring that feels these shapes, all on bone 0. */
const felt = (...shapes: ColliderShape[]): Motion => ({
  colliders: shapes.map((shape) => ({ bone: 0, shape })),
  groups: [{ name: 'all', colliders: shapes.map((_, index) => index) }],
  springs: [springOf([0, 1], { groups: [0] })],
});
/** What is written for one shape. */
const shapeOf = async (
  shape: ColliderShape,
): Promise<{ json: Json; read: ColliderShape; said: string[] }> => {
  const { extension, secondary, report } = await rewritten(fileOf(row(2)), felt(shape));
  const told = report.warnings.map(({ code, at }) => `${code} ${at}`);
  return { json: extension['colliders'][0], read: secondary.colliders[0]!.shape, said: told };
};

describe('shapes', () => {
  test('a sphere and a capsule are plain', async () => {
    expect((await shapeOf(sphere(0.2))).json).toEqual({
      node: 0,
      shape: { sphere: { offset: [0, 0.1, 0], radius: 0.2 } },
    });
    expect((await shapeOf(capsule(0.2, 0.2))).json).toEqual({
      node: 0,
      shape: { capsule: { offset: [0, 0, 0], radius: 0.2, tail: [0, 1, 0] } },
    });
  });

  test('an inside stands in the extended shape, its stand-in reaches nothing', async () => {
    for (const shape of [sphere(0.2, true), capsule(0.2, 0.2, true)]) {
      const { json, read } = await shapeOf(shape);
      expect(read).toEqual(shape);
      expect(json['shape']).toEqual({ sphere: { offset: [0, -10000, 0], radius: 0 } });
      expect(json['extensions'][EXTENDED].specVersion).toBe('1.0');
      expect(json['extensions'][EXTENDED].shape[shape.kind].inside).toBe(true);
    }
  });

  test('a plane has a ball of 1000 m that touches it from below', async () => {
    const { json, read } = await shapeOf(plane([0.6, 0.8, 0]));
    expect(read).toEqual(plane([0.6, 0.8, 0]));
    expect(json['extensions'][EXTENDED].shape).toEqual({
      plane: { offset: [0, 0.5, 0], normal: [0.6, 0.8, 0] },
    });
    const { offset, radius } = json['shape'].sphere as { offset: number[]; radius: number };
    expect(radius).toBe(1000);
    // On the side that is not free, as far from the point of the plane as its radius says.
    expect(offset[0]! * 0.6 + (offset[1]! - 0.5) * 0.8).toBeCloseTo(-1000, 9);
    expect(Math.hypot(offset[0]!, offset[1]! - 0.5, offset[2]!)).toBeCloseTo(1000, 9);
  });

  test('three-vrm reads all of them', async () => {
    const shapes = [
      sphere(0.2),
      sphere(0.3, true),
      capsule(0.1, 0.1),
      capsule(0.4, 0.4, true),
      plane([0, 0, -1]),
    ];
    const { json } = await rewritten(fileOf(row(2)), felt(...shapes));
    const [joint] = await theirs(json);
    expect(joint!.colliders.map(({ node, shape }) => ({ node, ...shape }))).toEqual([
      { node: 0, offset: [0, 0.1, 0], radius: 0.2, inside: false },
      { node: 0, offset: [0, 0.1, 0], radius: 0.3, inside: true },
      { node: 0, offset: [0, 0, 0], radius: 0.1, tail: [0, 1, 0], inside: false },
      { node: 0, offset: [0, 0, 0], radius: 0.4, tail: [0, 1, 0], inside: true },
      { node: 0, offset: [0, 0.5, 0], normal: [0, 0, -1] },
    ]);
    expect(joint).toMatchObject({
      node: 0,
      child: 1,
      settings: { hitRadius: 0.03, stiffness: 2, gravityPower: 0.1, gravityDir: [0, -1, 0], dragForce: 0.3 },
    });
  });
});

describe('a capsule with two radii', () => {
  test('becomes the smallest that holds it, with a warning', async () => {
    const { read, said: told } = await shapeOf(capsule(0.1, 0.3));
    expect(read).toEqual(capsule(0.3, 0.3));
    expect(told).toEqual(['vrm-capsule colliders/0/shape']);
    expect((await shapeOf(capsule(0.3, 0.1))).read).toEqual(capsule(0.3, 0.3));
  });

  test('inside out the largest that it holds', async () => {
    const { read, said: told } = await shapeOf(capsule(0.1, 0.3, true));
    expect(read).toEqual(capsule(0.1, 0.1, true));
    expect(told).toEqual(['vrm-capsule colliders/0/shape']);
  });

  test('where one ball holds the other it is that ball, without a warning', async () => {
    const short: Vector = [0, 0.125, 0];
    expect(await shapeOf(capsule(0.1, 0.3, false, short))).toMatchObject({
      read: sphere(0.3, false, short),
      said: [],
    });
    expect(await shapeOf(capsule(0.3, 0.1, true, short))).toMatchObject({
      read: sphere(0.3, true, [0, 0, 0]),
      said: [],
    });
    expect((await shapeOf(capsule(0.2, 0.2, false, [0, 0, 0]))).read).toEqual(sphere(0.2, false, [0, 0, 0]));
  });
});

describe('what stands in the file', () => {
  const list = [
    { node: 0, shape: { sphere: { radius: 1 } }, extras: 'first' },
    { node: 0, shape: { sphere: { radius: 2, offset: [0, 0, 0] } }, name: 'second' },
    {
      node: 0,
      shape: { sphere: {} },
      extensions: { OTHER: {}, [EXTENDED]: { specVersion: '1.0', shape: { plane: { normal: [0, 3, 0] } } } },
    },
  ];
  const groups = [
    { name: 'hands', colliders: [0, 1], extras: 'hands' },
    { colliders: [2], extras: 'floor' },
  ];
  const bytes = fileOf(
    row(2),
    { VRMC_springBone: { specVersion: '1.0', colliders: list, colliderGroups: groups } },
    { extensionsUsed: ['OTHER', EXTENDED, 'VRMC_springBone'], extensionsRequired: [EXTENDED] },
  );

  test('a collider that changes keeps what else it says, the others stay', async () => {
    const motion = await said(bytes);
    motion.colliders[1] = { bone: 0, shape: sphere(5) };
    const { extension, json } = await rewritten(bytes, motion);
    expect(extension['colliders']).toEqual([
      list[0],
      { ...list[1], shape: { sphere: { offset: [0, 0.1, 0], radius: 5 } } },
      list[2],
    ]);
    expect(extension['colliderGroups']).toEqual(groups);
    expect(json['extensionsUsed']).toEqual(['OTHER', EXTENDED, 'VRMC_springBone']);
  });

  test('one taken out and one put before all others: each keeps its own', async () => {
    const motion = await said(bytes);
    const { extension } = await rewritten(bytes, {
      ...motion,
      colliders: [{ bone: 1, shape: sphere(7) }, motion.colliders[1]!, motion.colliders[2]!],
      groups: [
        { name: 'new', colliders: [0] },
        { name: 'hands', colliders: [1] },
        { name: 'group1', colliders: [2] },
      ],
    });
    expect(extension['colliders']).toEqual([
      { node: 1, shape: { sphere: { offset: [0, 0.1, 0], radius: 7 } } },
      list[1],
      list[2],
    ]);
    expect(extension['colliderGroups']).toEqual([
      { name: 'new', colliders: [0] },
      { ...groups[0], colliders: [1] },
      { name: 'group1', extras: 'floor', colliders: [2] },
    ]);
  });

  test('a plane that changes keeps the extensions beside it; equal colliders keep their order', async () => {
    const motion = await said(bytes);
    motion.colliders[2] = { bone: 0, shape: plane([0, 0, 1]) };
    const { extension } = await rewritten(bytes, motion);
    expect(extension['colliders'][2].extensions).toEqual({
      OTHER: {},
      [EXTENDED]: { specVersion: '1.0', shape: { plane: { offset: [0, 0.5, 0], normal: [0, 0, 1] } } },
    });
    const twins = ['a', 'b', 'c'].map((extras) => ({ node: 0, shape: { sphere: {} }, extras }));
    const file = fileOf(row(2), { VRMC_springBone: { specVersion: '1.0', colliders: twins } });
    const { colliders } = await said(file);
    const more = await rewritten(
      file,
      only({ colliders: [0, 1].map((bone) => ({ bone, shape: sphere(bone) })).concat(colliders) }),
    );
    expect(more.extension['colliders'].slice(2)).toEqual([twins[2], twins[0], twins[1]]);
  });

  test('without the last plane the extended collider leaves the lists of the file', async () => {
    const motion = await said(bytes);
    motion.colliders[2] = { bone: 0, shape: sphere(1) };
    const { extension, json } = await rewritten(bytes, motion);
    expect(extension['colliders'][2]).toEqual({
      node: 0,
      shape: { sphere: { offset: [0, 0.1, 0], radius: 1 } },
      extensions: { OTHER: {} },
    });
    expect(json['extensionsUsed']).toEqual(['OTHER', 'VRMC_springBone']);
    expect(json['extensionsRequired']).toBeUndefined();
    const gone = await rewritten(bytes, only({}));
    expect(gone.extension).toEqual({ specVersion: '1.0' });
  });

  test('an entry that cannot be read is not written again once anything changes, and named', async () => {
    const broken = fileOf(row(2), {
      VRMC_springBone: {
        specVersion: '1.0',
        colliders: [{ node: 9 }, list[0]],
        colliderGroups: [{ colliders: [0, 1] }],
      },
    });
    const motion = await said(broken);
    expect((await rewritten(broken, motion)).report.changed).toBe(false);
    motion.groups[0]!.name = 'renamed';
    const { extension, report } = await rewritten(broken, motion);
    expect(extension['colliders']).toEqual([list[0]]);
    expect(extension['colliderGroups']).toEqual([{ name: 'renamed', colliders: [0] }]);
    expect(report.warnings.map(({ at }) => at)).toEqual(['/extensions/VRMC_springBone/colliders/0/node']);
  });
});
