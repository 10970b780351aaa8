/**
 * The import checklist: one thing each that readers of VRM springs get wrong, with the smallest file that shows it.
 */
import { describe, expect, test } from 'vitest';
import {
  addCharacter,
  addConstraints,
  createPose,
  createWorld,
  readPose,
  setPose,
  step,
} from '../../../src/index.js';
import { loadVrm } from '../../../src/io/vrm/index.js';
import { openPatch, writePatch } from '../../../src/io/gltf/index.js';
import { worldMatrices } from './worldMatrices.js';
import { buildGltf } from '../../support/gltfBuilder.js';
import { bonesOf, constrained, read, row, spring, springBone, vrm0 } from './support.js';

const sphere = (radius: number, more = {}): object => ({ node: 0, shape: { sphere: { radius } }, ...more });
const extended = (shape: object, specVersion: string | undefined = '1.0'): object => ({
  extensions: { VRMC_springBone_extended_collider: { specVersion, shape } },
});

describe('import checklist', () => {
  test('1 a leaf of VRM 0.x ends 7 cm along its translation, in the space of the leaf', async () => {
    const nodes = row(2);
    nodes[0]!['scale'] = [3, 3, 3];
    const { springs, asset } = await vrm0(nodes, { boneGroups: [{ bones: [0] }] });
    expect(springs).toHaveLength(1);
    expect(springs[0]).toMatchObject({ end: -1, endOffset: [0, -0.07, 0] });
    const world = worldMatrices(asset)[1]!;
    // Three times as long in the world (UniVRM: 7 cm by the lossy scale).
    expect(-0.07 * world[5]!).toBeCloseTo(-0.21, 15);
  });

  test('2 a leaf on its parent continues the bone above, or points up', async () => {
    const below = [...row(2), { name: 'leaf' }];
    below[1]!['children'] = [2];
    const continued = await vrm0(below, { boneGroups: [{ bones: [1] }] });
    expect(continued.springs[0]!.endOffset).toEqual([0, -0.07, 0]);
    expect(continued.said).toEqual(['vrm-leaf /boneGroups/0/bones']);
    const alone = await vrm0([{}], { boneGroups: [{ bones: [0] }] });
    expect(alone.springs[0]!.endOffset).toEqual([0, 0.07, 0]);
    expect(alone.said).toEqual(['vrm-leaf /boneGroups/0/bones']);
  });

  test('3 a collider on a leaf is no child of it', async () => {
    const { springs, colliders, said } = await vrm0(row(2), {
      boneGroups: [{ bones: [0], colliderGroups: [0] }],
      colliderGroups: [{ node: 1, colliders: [{ radius: 0.1 }] }],
    });
    expect(springs[0]!.joints.map(({ bone }) => bone)).toEqual([0, 1]);
    expect(springs[0]!.endOffset).toEqual([0, -0.07, 0]);
    expect(colliders[0]!.bone).toBe(1);
    expect(said).toEqual([]);
  });

  test('4 stiffiness in VRM 0.x, stiffness in 1.0', async () => {
    const old = await vrm0(row(2), { boneGroups: [{ bones: [0], stiffiness: 3 }] });
    expect(old.springs[0]!.joints[0]!.stiffness).toBe(3);
    const misled = await vrm0(row(2), { boneGroups: [{ bones: [0], stiffness: 3 }] });
    expect(misled.springs[0]!.joints[0]!.stiffness).toBe(1);
    expect(misled.said).toEqual(['vrm-number /boneGroups/0']);
    const joints = [{ node: 0, stiffness: 3, stiffiness: 5 }, { node: 1 }];
    const { springs } = await springBone(row(2), { springs: [{ joints }] });
    expect(springs[0]!.joints[0]!.stiffness).toBe(3);
  });

  test('5 z of offsets and of gravity is turned over in VRM 0.x, not in 1.0', async () => {
    const { springs, colliders } = await vrm0(row(2), {
      boneGroups: [{ bones: [0], gravityPower: 2, gravityDir: { x: 0, y: -0.6, z: 0.8 } }],
      colliderGroups: [{ node: 0, colliders: [{ offset: { x: 0.1, y: 0.2, z: 0.3 }, radius: 1 }] }],
    });
    expect(colliders[0]!.shape).toEqual({
      kind: 'sphere',
      offset: [0.1, 0.2, -0.3],
      radius: 1,
      inside: false,
    });
    expect(springs[0]!.joints[0]).toMatchObject({ gravityPower: 2, gravityDir: [0, -0.6, -0.8] });
    const joints = [{ node: 0, gravityPower: 2, gravityDir: [0, -0.6, 0.8] }, { node: 1 }];
    const fresh = await springBone(row(2), {
      springs: [{ joints }],
      colliders: [{ node: 0, shape: { sphere: { offset: [0.1, 0.2, 0.3], radius: 1 } } }],
    });
    expect(fresh.colliders[0]!.shape).toMatchObject({ offset: [0.1, 0.2, 0.3] });
    expect(fresh.springs[0]!.joints[0]).toMatchObject({ gravityDir: [0, -0.6, 0.8] });
  });

  test('6 center -1 is none', async () => {
    const { springs, said } = await vrm0(row(3), {
      boneGroups: [{ bones: [1], center: -1 }],
    });
    expect(springs[0]!.center).toBe(-1);
    const given = await vrm0(row(3), { boneGroups: [{ bones: [1], center: 0 }] });
    expect(given.springs[0]!.center).toBe(0);
    expect([...said, ...given.said]).toEqual([]);
  });

  test('7 drag without a value is 0.5 in 1.0 and 0.4 in 0.x', async () => {
    expect((await spring(row(2), [0, 1])).springs[0]!.joints[0]).toEqual({
      bone: 0,
      hitRadius: 0,
      stiffness: 1,
      gravityPower: 0,
      gravityDir: [0, -1, 0],
      dragForce: 0.5,
    });
    expect((await vrm0(row(1), { boneGroups: [{ bones: [0] }] })).springs[0]!.joints[0]).toEqual({
      bone: 0,
      hitRadius: 0.02,
      stiffness: 1,
      gravityPower: 0,
      gravityDir: [0, -1, 0],
      dragForce: 0.4,
    });
  });

  test('8 the radius of a joint is tested at the next joint; those of the last mean nothing', async () => {
    const joints = [
      { node: 0, hitRadius: 0.1 },
      { node: 1, hitRadius: 0.2 },
      { node: 2, hitRadius: -9 },
    ];
    const { springs, said } = await springBone(row(3), { springs: [{ joints }] });
    expect(springs[0]).toMatchObject({ joints: [{ hitRadius: 0.1 }, { hitRadius: 0.2 }], end: 2 });
    expect(springs[0]!.joints).toHaveLength(2);
    expect(said).toEqual([]);
  });

  test('9 a node that is passed over, bent: the segment goes from joint to joint', async () => {
    const nodes = row(3);
    nodes[1]!['rotation'] = [0, 0, 0.6, 0.8];
    const passed = await spring(nodes, [0, 2]);
    expect(bonesOf(passed)).toEqual([[0, 2]]);
    expect(passed.said).toEqual([]);
  });

  test('10 a node in two springs belongs to the first', async () => {
    const joints = (...list: number[]): object => ({ joints: list.map((node) => ({ node })) });
    const doubled = await springBone(row(4), { springs: [joints(1, 2, 3), joints(0, 1, 2, 3)] });
    expect(bonesOf(doubled)).toEqual([
      [1, 2, 3],
      [0, 1],
    ]);
    expect(doubled.said).toEqual([
      'vrm-duplicate /springs/1/joints/1',
      'vrm-duplicate /springs/1/joints/2',
      'vrm-duplicate /springs/1',
    ]);
    // Nodes that are passed over count (VRMC_springBone 1.0, "Exception").
    const passed = await springBone(row(4), { springs: [joints(0, 2), joints(1, 3)] });
    expect(bonesOf(passed)).toEqual([[0, 2]]);
    const over = await springBone(row(4), { springs: [joints(1, 2), joints(0, 3)] });
    expect(bonesOf(over)).toEqual([[1, 2]]);
    // One that only ends the other spring turns freely.
    const shared = await springBone(row(3), { springs: [joints(0, 1), joints(1, 2)] });
    expect(bonesOf(shared)).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(shared.said).toEqual(['vrm-duplicate /springs/0']);
    // The same node twice in one spring.
    expect(bonesOf(await spring(row(3), [0, 0, 1, 2]))).toEqual([[0, 1, 2]]);
  });

  test('11 joints that do not hang from each other are no spring', async () => {
    const reversed = await spring(row(3), [2, 1, 0]);
    expect([reversed.springs, reversed.said]).toEqual([[], ['vrm-spring /springs/0/joints/1']]);
    const nodes = [{ children: [1, 2] }, {}, {}];
    const siblings = await spring(nodes, [0, 1, 2]);
    expect([siblings.springs, siblings.said]).toEqual([[], ['vrm-spring /springs/0/joints/2']]);
    const circle = await spring(row(3), [0, 1, 0]);
    expect([circle.springs, circle.said]).toEqual([[], ['vrm-spring /springs/0/joints/2']]);
  });

  test('12 a spring of one joint turns nothing', async () => {
    const { springs, said } = await spring(row(2), [0]);
    expect([springs, said]).toEqual([[], ['vrm-spring /springs/0']]);
  });

  test('13 a spring without joints', async () => {
    const { springs, said } = await springBone(row(2), { springs: [{ joints: [] }, {}] });
    expect([springs, said]).toEqual([[], ['vrm-spring /springs/0', 'vrm-spring /springs/1']]);
    const old = await vrm0(row(2), { boneGroups: [{ bones: [] }, {}] });
    expect([old.springs, old.said]).toEqual([[], ['vrm-spring /boneGroups/0', 'vrm-spring /boneGroups/1']]);
  });

  test('14 references that point nowhere', async () => {
    const fresh = await springBone(row(3), {
      springs: [{ joints: [{ node: 0 }, { node: 7 }, {}, { node: 2 }], colliderGroups: [0, 3], center: 99 }],
      colliders: [sphere(1, { node: -1 }), sphere(2)],
      colliderGroups: [{ colliders: [0, 1, 2, 1] }],
    });
    expect(fresh.springs).toMatchObject([{ joints: [{ bone: 0 }], end: 2, groups: [0], center: -1 }]);
    expect(fresh.colliders).toMatchObject([{ shape: { radius: 2 } }]);
    expect(fresh.groups).toEqual([{ name: 'group0', colliders: [0] }]);
    expect(fresh.said).toEqual([
      'vrm-reference /colliders/0/node',
      'vrm-reference /colliderGroups/0/colliders/2',
      'vrm-duplicate /colliderGroups/0/colliders/3',
      'vrm-reference /springs/0/colliderGroups/1',
      'vrm-reference /springs/0/center',
      'vrm-reference /springs/0/joints/1/node',
      'vrm-reference /springs/0/joints/2/node',
    ]);
    const old = await vrm0(row(2), {
      boneGroups: [{ bones: [0, 5, -1], colliderGroups: [0, 1], center: 2 }],
      colliderGroups: [{ node: 9, colliders: [{ radius: 1 }] }],
    });
    expect(bonesOf(old)).toEqual([[0, 1]]);
    expect(old).toMatchObject({ colliders: [], groups: [{ colliders: [] }], springs: [{ groups: [0] }] });
    expect(old.said).toEqual([
      'vrm-reference /colliderGroups/0/node',
      'vrm-reference /boneGroups/0/colliderGroups/1',
      'vrm-reference /boneGroups/0/center',
      'vrm-reference /boneGroups/0/bones/1',
      'vrm-reference /boneGroups/0/bones/2',
    ]);
  });

  test('15 both children of a branch swing, the parent once', async () => {
    const at = (...children: number[]): object => ({ translation: [0, -1, 0], children });
    const nodes = [at(1), at(2, 3), at(), at(4), at()];
    const forked = await vrm0(nodes, { boneGroups: [{ bones: [0] }] });
    expect(bonesOf(forked)).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    expect(forked.springs.map(({ end, endOffset }) => [end, endOffset])).toEqual([
      [-1, [0, -0.07, 0]],
      [-1, [0, -0.07, 0]],
    ]);
    // In 1.0 the branch is a spring of its own, whichever comes first.
    const joints = (...list: number[]): object => ({ joints: list.map((node) => ({ node })) });
    const branch = await springBone(nodes, { springs: [joints(3, 4), joints(0, 1, 2)] });
    expect(bonesOf(branch)).toEqual([
      [3, 4],
      [0, 1, 2],
    ]);
    expect([...forked.said, ...branch.said]).toEqual([]);
  });

  test('16 a center that hangs from the spring is none', async () => {
    const below = await spring(row(4), [1, 2, 3], { center: 2 });
    expect([below.springs[0]!.center, below.said]).toEqual([-1, ['vrm-center /springs/0/center']]);
    const old = await vrm0(row(4), { boneGroups: [{ bones: [1], center: 3 }] });
    expect([old.springs[0]!.center, old.said]).toEqual([-1, ['vrm-center /boneGroups/0/center']]);
    for (const center of [0, 1]) {
      const usual = await spring(row(4), [1, 2, 3], { center });
      expect([usual.springs[0]!.center, usual.said]).toEqual([center, []]);
    }
  });

  test('17 an extended shape replaces the plain one, in all its spellings', async () => {
    const shapes = [{ sphere: { radius: 2, inside: true } }, { capsule: { tail: [0, 1, 0], inside: true } }];
    const { colliders, said } = await springBone(row(1), {
      colliders: [
        sphere(0, extended(shapes[0]!)),
        { node: 0, ...extended(shapes[1]!) },
        sphere(0, extended({ plane: {} }, '1.0-draft')),
        sphere(0, extended({ palne: { offset: [0, 1, 0], normal: [0, 1, 0] } }, '1.0-draft')),
        sphere(5, extended({ plane: {} }, '2.0')),
        sphere(6, { extensions: { VRMC_springBone_extended_collider: { shape: shapes[0] } } }),
      ],
    });
    expect(colliders.map(({ shape }) => shape)).toEqual([
      { kind: 'sphere', offset: [0, 0, 0], radius: 2, inside: true },
      { kind: 'capsule', offset: [0, 0, 0], tail: [0, 1, 0], radius: 0, tailRadius: 0, inside: true },
      { kind: 'plane', offset: [0, 0, 0], normal: [0, 0, 1] },
      { kind: 'plane', offset: [0, 1, 0], normal: [0, 1, 0] },
      { kind: 'sphere', offset: [0, 0, 0], radius: 5, inside: false },
      { kind: 'sphere', offset: [0, 0, 0], radius: 2, inside: true },
    ]);
    expect(said.map((line) => line.replace('extensions/VRMC_springBone_extended_collider', '*'))).toEqual([
      'vrm-version /colliders/2/*',
      'vrm-shape /colliders/3/*/shape',
      'vrm-version /colliders/4/*',
      'vrm-version /colliders/5/*',
    ]);
  });

  test('18 the normal of a plane is made unit; one without direction leaves the plain shape', async () => {
    const { colliders, said } = await springBone(row(1), {
      colliders: [
        sphere(1, extended({ plane: { normal: [0, 3, 4] } })),
        sphere(1, extended({ plane: { normal: [0, 0, 0] } })),
        sphere(1, extended({ plane: { normal: [0, Math.fround(0.6), Math.fround(0.8)] } })),
      ],
    });
    expect(colliders[0]!.shape).toEqual({ kind: 'plane', offset: [0, 0, 0], normal: [0, 0.6, 0.8] });
    expect(colliders[1]!.shape).toMatchObject({ kind: 'sphere', radius: 1 });
    expect(colliders[2]!.shape).toMatchObject({ kind: 'plane' });
    expect(said.map((line) => line.split('/').slice(0, 3).join('/'))).toEqual([
      'vrm-shape /colliders/0',
      'vrm-shape /colliders/1',
      'vrm-shape /colliders/1',
    ]);
  });

  test('19 a capsule without length is a sphere', async () => {
    const capsule = { offset: [0, 1, 0], tail: [0, 1, 0], radius: 0.5 };
    const { colliders } = await springBone(row(1), {
      colliders: [
        { node: 0, shape: { capsule } },
        { node: 0, ...extended({ capsule: { ...capsule, inside: true } }) },
        { node: 0, shape: { capsule: { ...capsule, tail: [0, 1, 1e-9] } } },
      ],
    });
    expect(colliders.map(({ shape }) => shape)).toEqual([
      { kind: 'sphere', offset: [0, 1, 0], radius: 0.5, inside: false },
      { kind: 'sphere', offset: [0, 1, 0], radius: 0.5, inside: true },
      {
        kind: 'capsule',
        offset: [0, 1, 0],
        tail: [0, 1, 1e-9],
        radius: 0.5,
        tailRadius: 0.5,
        inside: false,
      },
    ]);
  });

  test('20 a sphere of 1000 m that stands in for a plane keeps its figures; the plane is read where it is given', async () => {
    const stand = { node: 0, shape: { sphere: { offset: [0, -1000.0000001, 0], radius: 1000 } } };
    const { colliders } = await springBone(row(1), {
      colliders: [stand, { ...stand, ...extended({ plane: { normal: [0, 1, 0] } }) }],
    });
    const { shape } = colliders[0]!;
    expect(shape).toEqual({ kind: 'sphere', offset: [0, -1000.0000001, 0], radius: 1000, inside: false });
    // What float32 would have lost: the surface lies 0.1 micrometres below the node.
    expect(shape.kind === 'sphere' && shape.offset[1] + shape.radius).toBeCloseTo(-1e-7, 12);
    expect(colliders[1]!.shape).toMatchObject({ kind: 'plane', normal: [0, 1, 0] });
  });

  test('21 a joint 1.7e-7 m from the next stays a joint', async () => {
    const nodes = row(3);
    nodes[1]!['translation'] = [0, -1.7371e-7, 0];
    const { springs, said } = await spring(nodes, [0, 1, 2]);
    expect(springs[0]!.joints.map(({ bone }) => bone)).toEqual([0, 1]);
    expect(said).toEqual([]);
    const old = await vrm0(
      nodes.slice(0, 2).map(({ children, ...n }, i) => (i === 0 ? { ...n, children } : n)),
      {
        boneGroups: [{ bones: [0] }],
      },
    );
    expect(old.springs[0]!.endOffset).toEqual([0, -0.07, 0]);
  });

  test('22 a model that is not normalised: the leaf continues in the world, not in its own axes', async () => {
    const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2]; // z by 90 degrees: the leaf's own -x points up
    const nodes = row(2);
    nodes[1]!['rotation'] = quarter;
    nodes[0]!['scale'] = [0.01, 0.01, 0.01];
    const { springs, asset } = await vrm0(nodes, { boneGroups: [{ bones: [0] }] });
    const [x, y, z] = springs[0]!.endOffset!;
    expect([x, y, z].map((value) => value.toFixed(12))).toEqual([
      '-0.070000000000',
      '0.000000000000',
      '0.000000000000',
    ]);
    const m = worldMatrices(asset)[1]!;
    const tip = [0, 1, 2].map((k) => m[k]! * x + m[4 + k]! * y + m[8 + k]! * z);
    expect(tip[0]).toBeCloseTo(0, 15);
    expect(tip[1]).toBeCloseTo(-0.0007, 15);
    // A quaternion that is not unit is made so before anything is computed.
    nodes[1]!['rotation'] = [0, 0, 7, 7];
    expect((await vrm0(nodes, { boneGroups: [{ bones: [0] }] })).springs[0]!.endOffset![0]).toBeCloseTo(
      -0.07,
      15,
    );
  });

  test.each([0, Math.PI, 4])('23 a limit of %d radians is not read, and said', async (angle) => {
    const extensions = { VRMC_springBone_limit: { specVersion: '1.0-draft', limit: { cone: { angle } } } };
    const { springs, said } = await springBone(row(3), {
      springs: [{ joints: [{ node: 0, extensions }, { node: 1, extensions }, { node: 2 }] }],
    });
    expect(springs[0]!.joints).toHaveLength(2);
    expect(said).toEqual(['vrm-extension /springs/0/joints']);
  });

  test('24 constraints that follow each other are read, and stand at rest where they are carried out', async () => {
    const rotation = [0, 0, 0.6, 0.8];
    const nodes = [
      constrained({ rotation: { source: 1 } }, { rotation }),
      constrained({ roll: { source: 0, rollAxis: 'X' } }, { rotation }),
      constrained({ rotation: { source: 2 } }, { rotation }),
    ];
    const { asset, constraints, said } = await read(nodes, {});
    expect([constraints.map(({ bone }) => bone), said]).toEqual([[0, 1, 2], []]);
    const world = createWorld();
    const character = addCharacter(world, asset);
    addConstraints(world, character);
    setPose(world, character, { rotations: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) });
    step(world);
    const pose = createPose(world, character);
    readPose(world, character, pose);
    for (const bone of [0, 1, 2])
      expect([...pose.rotations.subarray(4 * bone, 4 * bone + 4)]).toEqual(rotation);
    const warned = world.report.warnings.filter(({ code }) => code === 'constraint-cycle');
    expect(warned.map(({ message }) => message)).toEqual([
      'constraint of node0, node1 depends on itself: they stand at rest',
      'constraint of node2 depends on itself: it stands at rest',
    ]);
  });

  test('25 a roll across 180 degrees: axis and weight as written', async () => {
    const nodes = [{}, constrained({ roll: { source: 0, rollAxis: 'Z', weight: 0.5 } })];
    const { constraints } = await read(nodes, {});
    expect(constraints).toEqual([{ bone: 1, source: 0, kind: 'roll', axis: [0, 0, 1], weight: 0.5 }]);
  });

  test('26 colliders without springs', async () => {
    const fresh = await springBone(row(1), {
      colliders: [sphere(1)],
      colliderGroups: [{ name: 'head', colliders: [0] }],
    });
    expect(fresh).toMatchObject({ springs: [], groups: [{ name: 'head', colliders: [0] }] });
    expect(fresh.colliders).toHaveLength(1);
    const old = await vrm0(row(1), {
      colliderGroups: [{ node: 0, colliders: [{ radius: 1 }, { radius: 2 }] }],
    });
    expect(old).toMatchObject({ springs: [], groups: [{ name: 'group0', colliders: [0, 1] }] });
  });

  test('27 a file with both versions is read as 1.0', async () => {
    const VRM = {
      secondaryAnimation: { boneGroups: [{ bones: [0] }] },
      humanoid: { humanBones: [{ bone: 'hips', node: 1 }] },
    };
    const VRMC_vrm = { specVersion: '1.0', humanoid: { humanBones: { hips: { node: 0 } } } };
    const both = await read(row(2), { VRM, VRMC_vrm });
    expect(both).toMatchObject({ source: 'vrm-1', springs: [], humanoid: { hips: 0 } });
    expect(both.said).toEqual(['vrm-versions']);
    const joints = [{ node: 0 }, { node: 1 }];
    const VRMC_springBone = { specVersion: '1.0', springs: [{ joints }] };
    const springs = await read(row(2), { VRM, VRMC_springBone });
    expect(springs).toMatchObject({ source: 'springbone', springs: [{ end: 1 }], humanoid: { hips: 1 } });
  });

  test('28 gravity that is not unit, or none', async () => {
    const gravity = async (gravityPower: number, gravityDir: number[]): Promise<unknown[]> => {
      const joints = [{ node: 0, gravityPower, gravityDir }, { node: 1 }];
      const { springs } = await springBone(row(2), { springs: [{ joints }] });
      const { gravityPower: power, gravityDir: dir } = springs[0]!.joints[0]!;
      return [power, dir];
    };
    // The product of both is the force, and stays.
    expect(await gravity(2, [0, -3, 0])).toEqual([6, [0, -1, 0]]);
    expect(await gravity(2, [3, 0, -4])).toEqual([10, [0.6, 0, -0.8]]);
    expect(await gravity(2, [0, 0, 0])).toEqual([0, [0, -1, 0]]);
    expect(await gravity(0.3, [0, Math.fround(-0.6), Math.fround(0.8)])).toEqual([
      0.3,
      [0, expect.closeTo(-0.6, 7), expect.closeTo(0.8, 7)],
    ]);
    const old = await vrm0(row(1), {
      boneGroups: [{ bones: [0], gravityPower: 1, gravityDir: { x: 0, y: 0, z: 0 } }],
    });
    expect(old.springs[0]!.joints[0]).toMatchObject({ gravityPower: 0, gravityDir: [0, -1, 0] });
  });

  test('29 numbers out of range are moved into it, what is no number takes the default', async () => {
    const joints = [
      { node: 0, hitRadius: -1, stiffness: -2, gravityPower: -3, dragForce: 1.5, gravityDir: [0, null, 0] },
      { node: 1, hitRadius: null, stiffness: null, dragForce: -0.5 },
      { node: 2 },
    ];
    const { springs, colliders, said } = await springBone(row(3), {
      springs: [{ joints }],
      colliders: [
        { node: 0, shape: { sphere: { radius: -1 } } },
        { node: 0, shape: { sphere: { offset: [0, null, 0], radius: 1 } } },
      ],
    });
    const [first, second] = springs[0]!.joints;
    expect(first).toEqual({
      bone: 0,
      hitRadius: 0,
      stiffness: 0,
      gravityPower: 0,
      gravityDir: [0, -1, 0],
      dragForce: 1,
    });
    expect(second).toMatchObject({ hitRadius: 0, stiffness: 1, dragForce: 0 });
    expect(colliders.map(({ shape }) => shape)).toEqual([
      { kind: 'sphere', offset: [0, 0, 0], radius: 0, inside: false },
    ]);
    expect(said.filter((line) => line.startsWith('vrm-number'))).toHaveLength(10);
    expect(said).toContain('vrm-shape /colliders/1');
    // Gravity has no minimum in 0.x: below 0 it lifts. JSON holds numbers that no double does.
    const huge = JSON.stringify({
      asset: { version: '2.0' },
      nodes: [{}],
      extensions: {
        VRM: { secondaryAnimation: { boneGroups: [{ bones: [0], gravityPower: -2, stiffiness: 7 }] } },
      },
    }).replace('7', '1e999');
    const lifted = await loadVrm(new TextEncoder().encode(huge), { validate: false });
    expect(lifted.secondary.springs[0]!.joints[0]).toMatchObject({
      stiffness: 1,
      gravityPower: 2,
      gravityDir: [0, 1, 0],
    });
  });

  test('30 written and read again, a file says the same', async () => {
    const nodes = row(3);
    nodes[1]!['rotation'] = [0.1, 0.2, 0.3, 0.9273618495495703];
    const joints = [{ node: 0 }, { node: 1, dragForce: 0.4 }, { node: 2 }];
    const extensions = {
      VRMC_springBone: { specVersion: '1.0', springs: [{ joints, center: 0 }], colliders: [sphere(0.1)] },
    };
    const bytes = buildGltf({ nodes, extensions }).gltf();
    const first = await loadVrm(bytes, { validate: false });
    const glb = writePatch(await openPatch(bytes), 'glb');
    const second = await loadVrm(writePatch(await openPatch(glb), 'gltf'), { validate: false });
    expect(second.secondary).toEqual(first.secondary);
    expect(second.skeleton).toEqual(first.skeleton);
  });
});
