/**
 * Springs of VRM 0.x as VRMC_springBone 1.0.
 */
import { describe, expect, test } from 'vitest';
import {
  addCharacter,
  addSprings,
  createPose,
  createWorld,
  readPose,
  setRoot,
  step,
} from '../../../src/index.js';
import { loadVrm, tuneSprings, writeSprings } from '../../../src/io/vrm/index.js';
import { errorsOf, jsonOf, readBytes, type Json } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';
import { row } from '../vrm/support.js';
import { fileOf, only, rewritten, said, textOf, theirs } from './support.js';

const old = (nodes: Json[], secondaryAnimation: Json): Uint8Array =>
  fileOf(nodes, { VRM: { secondaryAnimation } });

/** Positions and turns of the first bones after each of some ticks of being shaken. */
async function shaken(bytes: Uint8Array, bones: number): Promise<number[]> {
  const world = createWorld({ tickRate: 60 });
  const asset = await loadVrm(bytes, { validate: false });
  const character = addCharacter(world, asset);
  addSprings(world, character);
  const pose = createPose(world, character);
  const seen: number[] = [];
  for (let tick = 0; tick < 60; tick++) {
    setRoot(world, character, { position: [0.2 * Math.sin(tick / 5), 0, 0.1 * Math.sin(tick / 3)] });
    step(world);
    readPose(world, character, pose);
    seen.push(...pose.worlds.subarray(0, 16 * bones));
  }
  return seen;
}

describe.skipIf(!shared)('Godette, a VRM 0.x', () => {
  const bytes = shared === undefined ? new Uint8Array() : readBytes(`${shared}/vrm/Godette_vrm0.vrm`);

  test('says the same in the form of 1.0, with a node at the end of each chain', async () => {
    const { secondary, skeleton } = await loadVrm(bytes);
    const result = await rewritten(bytes, secondary);
    expect(result.report).toMatchObject({ source: 'vrm-0', changed: true, migrated: true });
    expect(result.report.ends).toHaveLength(8);
    expect(result.secondary).toEqual({
      ...secondary,
      source: 'springbone',
      springs: secondary.springs.map((spring, s) => ({
        ...spring,
        end: skeleton.count + s,
        endOffset: undefined,
      })),
    });
    result.report.ends.forEach(({ node, name, parent }, s) => {
      const { joints, endOffset } = secondary.springs[s]!;
      expect(parent).toBe(skeleton.nodes[joints.at(-1)!.bone]);
      expect(name).toBe(`${skeleton.names[joints.at(-1)!.bone]}_end`);
      expect(result.json['nodes'][node]).toEqual({ name, translation: endOffset });
      expect(result.json['nodes'][parent].children).toEqual([node]);
    });
    expect(result.report.warnings.map(({ code }) => code)).toEqual(['vrm-versions']);
  });

  test('everything else keeps its text: the VRM extension, its old springs among it', async () => {
    const { secondary } = await loadVrm(bytes);
    const { json, report, bytes: now } = await rewritten(bytes, secondary);
    const before = jsonOf(bytes);
    expect(json['extensionsUsed']).toEqual([...before['extensionsUsed'], 'VRMC_springBone']);
    json['extensionsUsed'].pop();
    delete json['extensions'].VRMC_springBone;
    json['nodes'].length -= report.ends.length;
    for (const { parent } of report.ends) delete json['nodes'][parent].children;
    expect(JSON.stringify(json)).toBe(JSON.stringify(before));
    const vrm = /"VRM":\{.*?"secondaryAnimation":\{.*?\]\}/s.exec(textOf(bytes))![0];
    expect(textOf(now)).toContain(vrm);
  });

  test('three-vrm makes the same joints of the new springs as of the old', async () => {
    const { secondary } = await loadVrm(bytes);
    const { bytes: now, report } = await writeSprings(bytes, secondary);
    const [before, after] = [await theirs(jsonOf(bytes)), await theirs(jsonOf(now))];
    const ends = new Set(report.ends.map(({ node }) => node));
    const tidy = (joints: typeof before): unknown =>
      JSON.parse(
        JSON.stringify(
          joints.map((joint) => ({ ...joint, child: ends.has(joint.child) ? -1 : joint.child })),
          (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(12)) + 0 : value),
        ),
      );
    expect(after).toHaveLength(16);
    expect(tidy(after)).toEqual(tidy(before));
  });

  test('moves as before, to the bit', async () => {
    const { secondary, skeleton } = await loadVrm(bytes);
    const { bytes: now } = await writeSprings(bytes, secondary);
    const before = await shaken(bytes, skeleton.count);
    expect(await shaken(now, skeleton.count)).toEqual(before);
    const still = await writeSprings(bytes, only({}));
    expect(await shaken(still.bytes, skeleton.count).catch(() => 'no springs')).not.toEqual(before);
  });

  test('tuned on the way', async () => {
    const { secondary } = await loadVrm(bytes);
    const tuned = tuneSprings(secondary, { spring: 'spring2', stiffness: [3, 1], gravityDir: [0, -3, 1] });
    const result = await rewritten(bytes, tuned);
    const joints = result.secondary.springs.map((spring) => spring.joints);
    expect(joints).toEqual(tuned.springs.map((spring) => spring.joints));
    expect(joints[7]!.map(({ stiffness }) => stiffness)).toEqual([3, 1]);
  });

  test('no new fault', async () => {
    const { secondary } = await loadVrm(bytes);
    const before = await errorsOf(bytes);
    expect(await errorsOf((await writeSprings(bytes, secondary)).bytes)).toEqual(before);
  });
});

describe('VRM 0.x', () => {
  const branches = (): Json[] => [
    { name: 'head', children: [1] },
    { name: 'a', children: [2, 3], translation: [0, -0.1, 0] },
    { name: 'b', translation: [0, -0.2, 0] },
    { name: 'c', translation: [0.3, 0, 0.4] },
  ];

  test('both versions in a file: the new springs are read, with a warning, whatever the old say', async () => {
    const bytes = old(row(3), { boneGroups: [{ bones: [1], stiffiness: 4 }] });
    const result = await rewritten(bytes, tuneSprings(await said(bytes), { stiffness: 9 }));
    const { secondary, warnings } = await loadVrm(result.bytes);
    expect(secondary.source).toBe('springbone');
    expect(secondary.springs[0]!.joints[0]!.stiffness).toBe(9);
    expect(warnings.map(({ code, at }) => `${code} ${at}`)).toEqual(['vrm-versions /extensions/VRM']);
    expect(result.json['extensions'].VRM.secondaryAnimation.boneGroups[0].stiffiness).toBe(4);
    expect(result.report).toMatchObject({ source: 'vrm-0', migrated: true });
    const again = await rewritten(result.bytes, tuneSprings(secondary, { stiffness: 8 }));
    expect(again.report).toMatchObject({ source: 'springbone', changed: true, migrated: false, ends: [] });
  });

  test('branches, values, groups, center, and vectors turned into the space of glTF', async () => {
    const bytes = old(branches(), {
      boneGroups: [
        {
          comment: 'tail',
          bones: [1],
          center: 0,
          colliderGroups: [0],
          stiffiness: 1.5,
          dragForce: 0.25,
          hitRadius: 0.01,
          gravityPower: 2,
          gravityDir: { x: 0, y: 0, z: 1 },
        },
      ],
      colliderGroups: [{ node: 0, colliders: [{ offset: { x: 1, y: 2, z: 3 }, radius: 0.5 }] }],
    });
    const { extension, json } = await rewritten(bytes, await said(bytes));
    const values = {
      hitRadius: 0.01,
      stiffness: 1.5,
      dragForce: 0.25,
      gravityPower: 2,
      gravityDir: [0, 0, -1],
    };
    expect(extension).toEqual({
      specVersion: '1.0',
      colliders: [{ node: 0, shape: { sphere: { offset: [1, 2, -3], radius: 0.5 } } }],
      colliderGroups: [{ colliders: [0] }],
      springs: [
        {
          name: 'tail',
          joints: [{ node: 1, ...values }, { node: 2, ...values }, { node: 4 }],
          colliderGroups: [0],
          center: 0,
        },
        { name: 'tail', joints: [{ node: 3, ...values }, { node: 5 }], colliderGroups: [0], center: 0 },
      ],
    });
    expect(json['nodes'].slice(4)).toEqual([
      { name: 'b_end', translation: [0, -0.07, 0] },
      { name: 'c_end', translation: [0.07 * 0.6, 0, 0.07 * 0.8] },
    ]);
  });

  test('one node is enough: an end that stands there serves, names are not taken twice', async () => {
    const nodes = branches();
    nodes[0]!['name'] = 'b_end';
    const bytes = old(nodes, { boneGroups: [{ bones: [1] }] });
    const before = await said(bytes);
    const first = await rewritten(bytes, before);
    expect(first.report.ends.map(({ name }) => name)).toEqual(['b_end2', 'c_end']);
    // The springs of the 0.x once more: nothing is left to do.
    const again = await rewritten(first.bytes, before);
    expect(again.report).toMatchObject({ changed: false, ends: [] });
    expect(again.bytes).toEqual(first.bytes);
    const other = before.springs.map((spring) => ({
      ...spring,
      endOffset: [0, -0.08, 0] as [number, number, number],
    }));
    expect((await rewritten(first.bytes, { ...before, springs: other })).report.ends).toHaveLength(2);
  });

  test('leaves of one name get ends of two', async () => {
    const nodes = branches();
    nodes[3]!['name'] = 'b';
    const bytes = old(nodes, { boneGroups: [{ bones: [1] }] });
    const { ends } = (await rewritten(bytes, await said(bytes))).report;
    expect(ends.map(({ name }) => name)).toEqual(['b_end', 'b_end2']);
  });

  test('a child that swings itself, or has children, is no end', async () => {
    const bytes = fileOf(row(3));
    const joint = {
      hitRadius: 0,
      stiffness: 1,
      gravityPower: 0,
      gravityDir: [0, -1, 0] as [number, number, number],
    };
    const spring = (bone: number): ReturnType<typeof only>['springs'][number] => ({
      name: `on ${bone}`,
      joints: [{ bone, ...joint, dragForce: 0.5 }],
      end: -1,
      endOffset: [0, -0.1, 0],
      groups: [],
      center: -1,
    });
    const ends = async (...bones: number[]): Promise<number[]> =>
      (await rewritten(bytes, only({ springs: bones.map(spring) }))).report.ends.map(({ parent }) => parent);
    expect(await ends(0)).toEqual([0]);
    expect(await ends(1)).toEqual([]);
    expect(await ends(1, 2)).toEqual([1, 2]);
  });

  test('nothing to migrate, nothing changes; all taken out, the old ones do not come back', async () => {
    const empty = old(row(2), { boneGroups: [], colliderGroups: [] });
    const same = await rewritten(empty, await said(empty));
    expect(same.report).toMatchObject({ source: 'vrm-0', changed: false, migrated: false });
    expect(same.bytes).toEqual(empty);
    const colliding = old(row(2), { colliderGroups: [{ node: 0, colliders: [{ radius: 1 }] }] });
    const { report } = await rewritten(colliding, await said(colliding));
    expect(report).toMatchObject({ changed: true, migrated: true, ends: [] });
    const swinging = old(row(2), { boneGroups: [{ bones: [0] }] });
    const { extension, secondary } = await rewritten(swinging, only({}));
    expect(extension).toEqual({ specVersion: '1.0' });
    expect(secondary.springs).toEqual([]);
  });

  test('for a reader of 0.x the end is one more node that turns nothing', async () => {
    const bytes = old(row(2), { boneGroups: [{ bones: [0] }] });
    const before = await said(bytes);
    const { json } = await rewritten(bytes, before);
    delete json['extensions'].VRMC_springBone;
    const now = await said(new TextEncoder().encode(JSON.stringify(json)));
    expect(now.springs[0]!.joints.slice(0, 2)).toEqual(before.springs[0]!.joints);
    expect(now.springs[0]!.joints.map(({ bone }) => bone)).toEqual([0, 1, 2]);
    expect(now.springs[0]!.endOffset).toEqual([0, -0.07, 0]);
  });
});
