/**
 * Springs as they stand in the file: what stays as it was written, what is left out, and what cannot be said.
 */
import { describe, expect, test } from 'vitest';
import { FollowthroughError } from '../../../src/asset/errors.js';
import type { SecondaryMotion, SpringDefinition } from '../../../src/asset/secondary.js';
import { writeSprings } from '../../../src/io/vrm/index.js';
import type { Json } from '../../support/gltfBuilder.js';
import { row } from '../vrm/support.js';
import { fileOf, jointOf, only, rewritten, said, springOf, textOf } from './support.js';

const values = { hitRadius: 0.03, stiffness: 2, gravityPower: 0.1, gravityDir: [0, -1, 0], dragForce: 0.3 };
const v1 = (more: Json, nodes: Json[] = row(6)): Uint8Array =>
  fileOf(nodes, { VRMC_springBone: { specVersion: '1.0', ...more } });

describe('a new spring', () => {
  test('says every value; a name that reading gives anyway, no group and no center are left out', async () => {
    const springs = [springOf([0, 1, 2]), springOf([3, 4], { name: 'last', center: 0 })];
    const { extension, json } = await rewritten(fileOf(row(6)), only({ springs }));
    expect(extension).toEqual({
      specVersion: '1.0',
      springs: [
        { joints: [{ node: 0, ...values }, { node: 1, ...values }, { node: 2 }] },
        { name: 'last', joints: [{ node: 3, ...values }, { node: 4 }], center: 0 },
      ],
    });
    expect(json['extensionsUsed']).toEqual(['VRMC_springBone']);
  });

  test('goes by nodes, where bones have another order', async () => {
    const nodes = [{ name: 'tip' }, { name: 'middle', children: [0] }, { name: 'root', children: [1] }];
    const bytes = fileOf(nodes, undefined, { scenes: [{ nodes: [2] }] });
    const { extension, secondary } = await rewritten(
      bytes,
      only({
        colliders: [{ bone: 0, shape: { kind: 'sphere', offset: [0, 0, 0], radius: 1, inside: false } }],
        springs: [
          {
            ...springOf([0, 1]),
            joints: [jointOf(0), jointOf(1), jointOf(2)],
            end: -1,
            endOffset: [0, 1, 0],
          },
        ],
      }),
    );
    expect(extension['springs'][0].joints.map(({ node }: Json) => node as number)).toEqual([2, 1, 0, 3]);
    expect(extension['colliders'][0].node).toBe(2);
    expect(secondary.springs[0]!.end).toBe(3);
  });

  test('an empty name, -0 and an extension of null are put right', async () => {
    const bytes = fileOf(row(3), { VRMC_springBone: null });
    const spring = springOf([0, 1], {
      name: '',
      joints: [jointOf(0, { gravityDir: [-0, -1, 0], hitRadius: -0 })],
    });
    const { secondary } = await rewritten(bytes, only({ springs: [spring] }));
    expect(secondary.springs[0]).toEqual({
      ...springOf([0, 1]),
      joints: [jointOf(0, { hitRadius: 0, gravityDir: [0, -1, 0] })],
    });
  });
});

describe('a spring of the file', () => {
  const limit = {
    extensions: { VRMC_springBone_limit: { specVersion: '1.0-draft', limit: { cone: { angle: 1 } } } },
  };
  const springs = [
    {
      joints: [
        { node: 0, dragForce: 0.5, ...limit },
        { node: 1, extras: 1 },
        { node: 2, extras: 2 },
      ],
      extras: 'a',
    },
    { name: 'second', joints: [{ node: 3, gravityPower: 2, gravityDir: [0, 0, 4] }, { node: 5 }], center: 0 },
  ];
  const bytes = v1({ springs, extras: 'kept' });

  test('keeps members that nobody knows, defaults that it leaves out, and spellings', async () => {
    const motion = await said(bytes);
    motion.springs[0]!.joints[1]!.stiffness = 3;
    const { extension, report } = await rewritten(bytes, motion);
    expect(extension).toEqual({
      specVersion: '1.0',
      springs: [
        {
          ...springs[0],
          joints: [springs[0]!.joints[0], { node: 1, extras: 1, stiffness: 3 }, springs[0]!.joints[2]],
        },
        springs[1],
      ],
      extras: 'kept',
    });
    expect(report.warnings.map(({ code }) => code)).toEqual(['vrm-extension', 'vrm-center']);
  });

  test('gravity: the size alone where the direction is unit already, else both', async () => {
    const motion = await said(bytes);
    // As read: the length of the direction is in the size.
    expect(motion.springs[1]!.joints[0]).toMatchObject({ gravityPower: 8, gravityDir: [0, 0, 1] });
    motion.springs[1]!.joints[0]!.gravityPower = 6;
    motion.springs[0]!.joints[0]!.gravityPower = 5;
    const { extension } = await rewritten(bytes, motion);
    expect(extension['springs'][1].joints[0]).toEqual({ node: 3, gravityPower: 6, gravityDir: [0, 0, 1] });
    expect(extension['springs'][0].joints[0]).toEqual({ ...springs[0]!.joints[0], gravityPower: 5 });
  });

  test('taken out, moved, made longer: each keeps its own', async () => {
    const motion = await said(bytes);
    const [first, second] = motion.springs as [SpringDefinition, SpringDefinition];
    const longer = { ...first, joints: [...first.joints, jointOf(2)], end: 3 };
    const swapped = await rewritten(bytes, { ...motion, springs: [second, first] });
    expect(swapped.extension['springs']).toEqual([springs[1], { ...springs[0], name: 'spring0' }]);
    // Straight down is the default.
    const { gravityDir: _, ...besides } = values;
    const one = await rewritten(bytes, { ...motion, springs: [longer] });
    expect(one.extension['springs']).toEqual([
      {
        ...springs[0],
        joints: [...springs[0]!.joints.slice(0, 2), { ...springs[0]!.joints[2], ...besides }, { node: 3 }],
      },
    ]);
    const split = [0, 1].map((j) => ({
      ...first,
      name: `part ${j}`,
      joints: [first.joints[j]!],
      end: j + 1,
    }));
    const parts = await rewritten(bytes, { ...motion, springs: split });
    expect(parts.extension['springs']).toEqual([
      { ...springs[0], name: 'part 0', joints: springs[0]!.joints.slice(0, 2) },
      { name: 'part 1', joints: springs[0]!.joints.slice(1) },
    ]);
  });

  test('a node in two springs is that of the first', async () => {
    const file = v1({
      springs: [
        { joints: [{ node: 0, extras: 'mine' }, { node: 1 }], extras: 'first' },
        { joints: [{ node: 0, extras: 'not mine' }, { node: 2 }], extras: 'second' },
      ],
    });
    const motion = await said(file);
    motion.springs[0]!.joints[0]!.stiffness = 3;
    const { extension, report } = await rewritten(file, motion);
    expect(extension['springs']).toEqual([
      { joints: [{ node: 0, extras: 'mine', stiffness: 3 }, { node: 1 }], extras: 'first' },
    ]);
    expect(report.warnings.map(({ code }) => code)).toEqual(['vrm-duplicate']);
  });

  test('groups and center go when they are none', async () => {
    const file = v1({
      colliders: [{ node: 0, shape: { sphere: {} } }],
      colliderGroups: [{ colliders: [0] }],
      springs: [
        { joints: [{ node: 1 }, { node: 2 }], colliderGroups: [0], center: 0 },
        { joints: [{ node: 3 }, { node: 4 }], colliderGroups: [], center: null },
      ],
    });
    const motion = await said(file);
    Object.assign(motion.springs[0]!, { groups: [], center: -1 });
    const { extension } = await rewritten(file, motion);
    expect(extension['springs']).toEqual([
      { joints: [{ node: 1 }, { node: 2 }] },
      { joints: [{ node: 3 }, { node: 4 }], colliderGroups: [], center: null },
    ]);
  });

  test('text around it stays, to the character', async () => {
    const text = `{ "asset": {"version":"2.0"},
      "nodes": [{"children":[1]},{"translation":[0,1.0e0,0]}], "scenes":[{"nodes":[0]}], "scene":0,
      "extensionsUsed": [ "VRMC_springBone" ],
      "extensions": { "VRMC_springBone": { "specVersion": "1.0",
         "springs": [ { "joints": [ { "stiffness": 1.50, "node": 0, "dragForce":2.5e-1 } , {"node":1} ] } ] } },
      "extras": { "b": 12345678901234567890, "a": 1.0 } }`;
    const file = new TextEncoder().encode(text);
    const motion = await said(file);
    motion.springs[0]!.joints[0]!.stiffness = 1.25;
    expect(textOf((await rewritten(file, motion)).bytes)).toBe(text.replace('1.50', '1.25'));
  });

  test('an older version of the extension becomes 1.0, a newer one is not touched', async () => {
    const file = (specVersion: string): Uint8Array =>
      fileOf(row(3), { VRMC_springBone: { specVersion, springs: [{ joints: [{ node: 0 }, { node: 1 }] }] } });
    const motion = only({ springs: [springOf([0, 1])] });
    expect((await rewritten(file('1.0-beta'), motion)).extension['specVersion']).toBe('1.0');
    await expect(writeSprings(file('2.0'), motion)).rejects.toThrow(
      '/extensions/VRMC_springBone: version 2.0, expected 1.0 to write into',
    );
  });
});

describe('what the format cannot hold is refused, with its place', () => {
  const refused = async (motion: Json, nodes: Json[] = row(6)): Promise<string> => {
    const error: unknown = await writeSprings(fileOf(nodes), motion as SecondaryMotion).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(FollowthroughError);
    return `${(error as FollowthroughError).code} ${(error as Error).message}`;
  };
  const joint = (more: Json): Json => only({ springs: [springOf([0, 1], { joints: [jointOf(0, more)] })] });

  test.each<[string, Json, RegExp]>([
    ['a drag above 1', joint({ dragForce: 2 }), /springs\/0\/joints\/0\/dragForce: 2 is read back as 1 \(/],
    [
      'a number that is none',
      joint({ stiffness: NaN }),
      /springs\/0\/joints\/0\/stiffness: NaN is read back as 1/,
    ],
    ['a radius below 0', joint({ hitRadius: -1 }), /hitRadius: -1 is read back as 0/],
    ['gravity that pushes', joint({ gravityPower: -1 }), /gravityPower: -1 is read back as 0/],
    [
      'a direction that is not unit',
      joint({ gravityDir: [0, -2, 0] }),
      /joints\/0\/gravityDir: \(0, -2, 0\) is not unit/,
    ],
    ['no direction', joint({ gravityDir: [0, NaN, 0] }), /gravityDir: \(0, NaN, 0\) is not unit/],
    ['a bone that is not there', joint({ bone: 77 }), /joints\/0\/bone: there is no bone 77/],
    [
      'a center that is not there',
      only({ springs: [springOf([0, 1], { center: 6 })] }),
      /center: there is no bone 6/,
    ],
    ['no end', only({ springs: [springOf([0, -1])] }), /springs\/0\/end: there is no bone -1/],
    [
      'joints that are no chain',
      only({ springs: [springOf([2, 1])] }),
      /springs: .* \(.*does not hang from the joint/,
    ],
    ['no joints', only({ springs: [springOf([1])] }), /springs: a list of 1 is read back as a list of 0/],
    [
      'a bone in two springs',
      only({ springs: [springOf([0, 1, 2]), springOf([1, 2], { name: 'b' })] }),
      /a list of 2 is read back as a list of 1 \(.*'n1' belongs to an earlier spring/,
    ],
    [
      'a center that swings with it',
      only({ springs: [springOf([0, 1], { center: 1 })] }),
      /center: 1 is read back as -1/,
    ],
    [
      'a group that is not there',
      only({ springs: [springOf([0, 1], { groups: [0] })] }),
      /groups: a list of 1 is read/,
    ],
    [
      'a collider that is not there',
      only({ groups: [{ name: 'a', colliders: [3] }] }),
      /groups\/0\/colliders: a list/,
    ],
    [
      'a shape of no kind',
      { ...only({}), colliders: [{ bone: 0, shape: { kind: 'box', offset: [0, 0, 0] } }] },
      /colliders\/0\/shape: expected a sphere, a capsule or a plane/,
    ],
    [
      'an endless radius',
      only({
        colliders: [
          { bone: 0, shape: { kind: 'sphere', offset: [0, 0, 0], radius: Infinity, inside: false } },
        ],
      }),
      /radius: Infinity is read back as 0/,
    ],
    ['no lists', {}, /secondary\/colliders: expected a list/],
    [
      'joints of another kind',
      only({ springs: [{ ...springOf([0, 1]), joints: 3 as never }] }),
      /secondary: is not what/,
    ],
  ])('%s', async (_, motion, says) => {
    const message = await refused(motion);
    expect(message).toMatch(/^invalid-argument /);
    expect(message).toMatch(says);
  });

  test('a file that is none', async () => {
    await expect(writeSprings(new Uint8Array(3), only({}))).rejects.toThrow(FollowthroughError);
    await expect(writeSprings(fileOf([{ children: [0] }]), only({}))).rejects.toThrow('/nodes/0');
  });
});
