/**
 * Second opinion: the joints and colliders that three-vrm reads from the same files. Where it is wrong, the right value
 * stands in the test with the reason.
 */
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Asset } from '../../../src/asset/asset.js';
import type { ColliderShape, SecondaryMotion } from '../../../src/asset/secondary.js';
import { loadVrm } from '../../../src/io/vrm/index.js';
import { gltfFilesUnder, jsonOf, readBytes, resolveBeside, type Json } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';
import { read, row } from './support.js';
import { threeVrm, type OracleJoint } from './threeVrm.js';

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);

/** Shape as three-vrm holds it. */
function asOracle(shape: ColliderShape): Json {
  const { kind, offset } = shape;
  if (kind === 'plane') return { offset, normal: shape.normal };
  const { radius, inside } = shape;
  return kind === 'sphere' ? { offset, radius, inside } : { offset, radius, inside, tail: shape.tail };
}

function plainShape(shape: Json): Json {
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? (value as { toArray: () => number[] }).toArray() : value,
    ]),
  ) as Json;
}

/** Our joints in the form of the oracle's, in the order of their nodes. */
function jointsOf(asset: Asset, { springs, groups, colliders }: SecondaryMotion): OracleJoint[] {
  const { nodes, translations } = asset.skeleton;
  const node = (bone: number): number => (bone < 0 ? -1 : nodes[bone]!);
  return springs.flatMap(({ joints, end, endOffset, center, groups: used }) =>
    joints.map(({ bone, ...settings }, j) => {
      const next = joints[j + 1]?.bone ?? end;
      return {
        node: node(bone),
        child: node(next),
        tail: next < 0 ? endOffset! : [...translations.subarray(3 * next, 3 * next + 3)],
        settings,
        center: node(center),
        colliders: used
          .flatMap((g) => groups[g]!.colliders)
          .map((c) => ({ node: node(colliders[c]!.bone), shape: asOracle(colliders[c]!.shape) })),
      };
    }),
  );
}

const byNode = (a: OracleJoint, b: OracleJoint): number => a.node - b.node;
/** 0 and -0 are the same direction, and so is what rounding of the 16th digit leaves. */
const tidy = (joints: OracleJoint[]): unknown =>
  JSON.parse(
    JSON.stringify(joints, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toFixed(12)) + 0 : value,
    ),
  );

describe('three-vrm reads the same', () => {
  const files =
    shared === undefined ? [] : [...gltfFilesUnder(`${shared}/vrm`), `${shared}/derived/seedsan_rebuilt.vrm`];

  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.skipIf(!shared).each(files.map((path) => [basename(path), path]))('%s', async (_, path) => {
    const bytes = readBytes(path);
    const json = jsonOf(bytes);
    const asset = await loadVrm(bytes, { resolve: resolveBeside(path), validate: false });
    const ours = jointsOf(asset, asset.secondary).toSorted(byNode);
    // It asks for a version, which some of these files leave out.
    for (const { extensions } of (json['extensions']?.VRMC_springBone?.colliders ?? []) as Json[])
      if (extensions) extensions.VRMC_springBone_extended_collider.specVersion = '1.0';
    const theirs = (await threeVrm(json)) ?? [];
    for (const { colliders } of theirs)
      for (const collider of colliders) collider.shape = plainShape(collider.shape);
    expect(ours.length).toBe(theirs.length);
    expect(tidy(ours)).toEqual(tidy(theirs.toSorted(byNode)));
  });
});

describe('where three-vrm 3.5.5 is wrong', () => {
  const VRM = (secondaryAnimation: Json): Json => ({ extensions: { VRM: { secondaryAnimation } } });
  const V1 = (VRMC_springBone: Json): Json => ({
    extensions: { VRMC_springBone: { specVersion: '1.0', ...VRMC_springBone } },
  });
  const both = async (nodes: Json[], file: Json): Promise<[OracleJoint[], OracleJoint[]]> => {
    const found = await read(nodes, file['extensions'] as Json);
    return [jointsOf(found.asset, found), (await threeVrm({ nodes, ...file })) ?? []];
  };

  test('gravity of VRM 0.x keeps its left-handed z', async () => {
    const gravityDir = { x: 0, y: 0, z: 1 };
    const [ours, theirs] = await both(
      row(2),
      VRM({ boneGroups: [{ bones: [0], gravityPower: 1, gravityDir }] }),
    );
    expect([ours[0]!.settings.gravityDir, theirs[0]!.settings.gravityDir]).toEqual([
      [0, 0, -1],
      [0, 0, 1],
    ]);
  });

  test('a collider on a leaf of VRM 0.x becomes its child, and the leaf stops swinging', async () => {
    const file = VRM({
      boneGroups: [{ bones: [0] }],
      colliderGroups: [{ node: 1, colliders: [{ radius: 1 }] }],
    });
    const [ours, theirs] = await both(row(2), file);
    expect(ours.map(({ tail }) => tail)).toEqual([
      [0, -0.1, 0],
      [0, -0.07, 0],
    ]);
    // The collider is a third joint, at no distance.
    expect(theirs.slice(0, 2).map(({ tail }) => tail)).toEqual([
      [0, -0.1, 0],
      [0, 0, 0],
    ]);
    expect(theirs).toHaveLength(3);
  });

  test('overlapping roots make joints twice', async () => {
    const [ours, theirs] = await both(row(3), VRM({ boneGroups: [{ bones: [0, 1] }] }));
    expect(ours.map(({ node }) => node)).toEqual([0, 1, 2]);
    expect(theirs.map(({ node }) => node)).toEqual([0, 1, 2, 1, 2]);
  });

  test('a leaf that is turned in its parent points along its own axes, one without translation nowhere', async () => {
    const nodes = row(2);
    nodes[1]!['rotation'] = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const [ours, theirs] = await both(nodes, VRM({ boneGroups: [{ bones: [1] }] }));
    expect(ours[0]!.tail[0]).toBeCloseTo(-0.07, 15);
    expect(theirs[0]!.tail[1]).toBeCloseTo(-0.07, 15);
    const [up, nowhere] = await both([{}], VRM({ boneGroups: [{ bones: [0] }] }));
    expect([sum(up[0]!.tail), sum(nowhere[0]!.tail)]).toEqual([0.07, 0]);
  });

  test('missing values: drag 0.4 in 1.0, radius 0 in 0.x', async () => {
    const [ours, theirs] = await both(row(2), V1({ springs: [{ joints: [{ node: 0 }, { node: 1 }] }] }));
    expect([ours[0]!.settings.dragForce, theirs[0]!.settings.dragForce]).toEqual([0.5, 0.4]);
    const [old, theirOld] = await both(row(1), VRM({ boneGroups: [{ bones: [0] }] }));
    expect([old[0]!.settings.hitRadius, theirOld[0]!.settings.hitRadius]).toEqual([0.02, 0]);
  });

  test('reversed, doubled and foreign joints are taken as they come', async () => {
    const joints = (...list: number[]): Json => ({ joints: list.map((node) => ({ node })) });
    const nodes = [...row(3), {}];
    for (const [springs, ours, theirs] of [
      [[joints(2, 1, 0)], 0, 2],
      [[joints(0, 1), joints(0, 1)], 1, 2],
      [[joints(0, 0, 1)], 1, 2],
      [[joints(0, 3)], 0, 1],
    ] as const) {
      const found = await both(nodes, V1({ springs }));
      expect(found.map((list) => list.length)).toEqual([ours, theirs]);
    }
  });

  test('a bent node that is passed over: the tail is taken in the wrong space', async () => {
    const nodes = row(3);
    nodes[1]!['rotation'] = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const [ours, theirs] = await both(nodes, V1({ springs: [{ joints: [{ node: 0 }, { node: 2 }] }] }));
    // From node 0 its end lies at (0.1, -0.1, 0); three-vrm takes the translation of node 2 in node 1.
    expect([ours[0]!.child, theirs[0]!.child]).toEqual([2, 2]);
    expect(theirs[0]!.tail).toEqual([0, -0.1, 0]);
  });

  test('a center below the spring is taken', async () => {
    const springs = [{ joints: [{ node: 0 }, { node: 1 }, { node: 2 }], center: 1 }];
    const [ours, theirs] = await both(row(3), V1({ springs }));
    expect([ours[0]!.center, theirs[0]!.center]).toEqual([-1, 1]);
  });

  test('extended colliders of the draft are passed over', async () => {
    const extension = { specVersion: '1.0-draft', shape: { plane: {} } };
    const colliders = [
      { node: 0, shape: { sphere: {} }, extensions: { VRMC_springBone_extended_collider: extension } },
    ];
    const springs = [{ joints: [{ node: 0 }, { node: 1 }], colliderGroups: [0] }];
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const [ours, theirs] = await both(
      row(2),
      V1({ colliders, colliderGroups: [{ colliders: [0] }], springs }),
    );
    vi.restoreAllMocks();
    expect(ours[0]!.colliders[0]!.shape).toHaveProperty('normal');
    expect(theirs[0]!.colliders[0]!.shape).not.toHaveProperty('normal');
  });

  test('a collider with nothing but an extended shape of another version stops the load', async () => {
    const extended = (more: Json): Json =>
      V1({
        colliders: [
          {
            node: 0,
            extensions: { VRMC_springBone_extended_collider: { shape: { plane: {} }, ...more } },
          },
        ],
      });
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await expect(both(row(2), extended({}))).rejects.toThrow(TypeError);
    vi.restoreAllMocks();
    await expect(both(row(2), extended({ specVersion: '1.0' }))).resolves.toBeDefined();
    const found = await read(row(2), extended({})['extensions'] as Json);
    expect(found.colliders[0]!.shape).toMatchObject({ kind: 'plane' });
  });
});
