/**
 * Files whose VRM extensions are no such JSON: refused with the place. Whatever else they say is read.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FollowthroughError } from '../../../src/asset/errors.js';
import type { SecondaryMotion } from '../../../src/asset/secondary.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { buildGltf, type Json } from '../../support/gltfBuilder.js';
import { constrained, row } from './support.js';

/** A file with a bit of everything. */
function everything(): Json {
  const nodes = row(6);
  Object.assign(nodes[1]!, constrained({ roll: { source: 0, rollAxis: 'X', weight: 0.5 } }));
  Object.assign(nodes[5]!, constrained({ aim: { source: 0, aimAxis: 'PositiveX', weight: 1 } }));
  const plane = { specVersion: '1.0', shape: { plane: { offset: [0, 0, 0], normal: [0, 1, 0] } } };
  const inner = { specVersion: '1.0', shape: { capsule: { tail: [0, 1, 0], radius: 2, inside: true } } };
  return {
    asset: { version: '2.0' },
    nodes,
    extensions: {
      VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones: { hips: { node: 0 }, head: { node: 1 } } } },
      VRMC_springBone: {
        specVersion: '1.0',
        colliders: [
          { node: 0, shape: { sphere: { offset: [0, 1, 0], radius: 0.1 } } },
          { node: 0, shape: { capsule: { offset: [0, 1, 0], tail: [0, 2, 0], radius: 0.1 } } },
          { node: 1, shape: { sphere: {} }, extensions: { VRMC_springBone_extended_collider: plane } },
          { node: 1, extensions: { VRMC_springBone_extended_collider: inner } },
        ],
        colliderGroups: [{ name: 'body', colliders: [0, 1, 2, 3] }],
        springs: [
          {
            name: 'tail',
            center: 0,
            colliderGroups: [0],
            joints: [
              { node: 2, hitRadius: 1, stiffness: 1, gravityPower: 1, gravityDir: [0, -1, 0], dragForce: 1 },
              { node: 3, extensions: { VRMC_springBone_limit: {} } },
              { node: 4 },
            ],
          },
        ],
      },
      VRM: {
        humanoid: { humanBones: [{ bone: 'hips', node: 0 }] },
        secondaryAnimation: {
          boneGroups: [
            {
              comment: 'x',
              bones: [1, 3],
              center: 0,
              colliderGroups: [0],
              stiffiness: 1,
              gravityPower: 1,
              gravityDir: { x: 0, y: -1, z: 0 },
              dragForce: 0.4,
              hitRadius: 0.1,
            },
          ],
          colliderGroups: [{ node: 1, colliders: [{ offset: { x: 0, y: 0, z: 1 }, radius: 1 }] }],
        },
      },
    },
  };
}

/** Every place of a JSON value, as the keys that lead there. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))];
}

function replaced(json: Json, path: readonly string[], value: unknown): Json {
  const copy = structuredClone(json);
  const owner = path.slice(0, -1).reduce<Json>((at, key) => at[key] as Json, copy);
  owner[path.at(-1)!] = value;
  return copy;
}

const load = (json: Json): Promise<{ secondary?: SecondaryMotion }> =>
  loadGltf(buildGltf(json).gltf(), { validate: false });

describe('JSON that is not what the extension holds', () => {
  const springs = '/extensions/VRMC_springBone/springs';
  const colliders = '/extensions/VRMC_springBone/colliders';
  const node = '/nodes/5/extensions/VRMC_node_constraint';
  test.each<[string, unknown]>([
    ['/extensions/VRMC_springBone', 5],
    ['/extensions/VRMC_vrm', []],
    [springs, {}],
    [`${springs}/0`, null],
    [`${springs}/0/name`, 1],
    [`${springs}/0/joints`, 'all'],
    [`${springs}/0/joints/0`, 2],
    [`${springs}/0/joints/0/node`, '2'],
    [`${springs}/0/joints/0/stiffness`, '1'],
    [`${springs}/0/joints/0/gravityDir`, [0, 1]],
    [`${springs}/0/joints/0/gravityDir/1`, '1'],
    [`${springs}/0/joints/1/extensions`, 1],
    [`${springs}/0/center`, {}],
    [`${springs}/0/colliderGroups`, 0],
    [`${colliders}/0/shape`, 'sphere'],
    [`${colliders}/0/shape/sphere`, 1],
    [`${colliders}/0/shape/sphere/radius`, true],
    [`${colliders}/1/shape/capsule/tail`, { x: 0 }],
    [`${colliders}/3/extensions/VRMC_springBone_extended_collider/shape/capsule/inside`, 1],
    ['/extensions/VRMC_springBone/specVersion', 1],
    ['/extensions/VRMC_springBone/colliderGroups/0/colliders/0', 'a'],
    ['/extensions/VRMC_vrm/humanoid/humanBones', 3],
    ['/extensions/VRMC_vrm/humanoid/humanBones/head/node', 'neck'],
    [node, 1],
    [`${node}/constraint`, 1],
    [`${node}/constraint/aim`, []],
    [`${node}/constraint/aim/aimAxis`, 0],
    [`${node}/constraint/aim/weight`, '1'],
  ])('%s: %j', async (pointer, value) => {
    const loading = load(replaced(everything(), pointer.split('/').slice(1), value));
    await expect(loading).rejects.toBeInstanceOf(FollowthroughError);
    await expect(loading).rejects.toMatchObject({
      code: 'invalid-file',
      message: expect.stringMatching(new RegExp(`^${pointer}: .* where .* expected$`)) as string,
    });
  });

  const root = '/extensions/VRM/secondaryAnimation';
  test.each<[string, unknown]>([
    ['/extensions/VRM', 'VRM'],
    [root, []],
    [`${root}/boneGroups`, {}],
    [`${root}/boneGroups/0/bones`, 1],
    [`${root}/boneGroups/0/bones/0`, '1'],
    [`${root}/boneGroups/0/center`, '0'],
    [`${root}/boneGroups/0/gravityDir`, [0, -1, 0]],
    [`${root}/boneGroups/0/gravityDir/y`, '-1'],
    [`${root}/colliderGroups/0/colliders`, {}],
    [`${root}/colliderGroups/0/colliders/0/radius`, {}],
    ['/extensions/VRM/humanoid/humanBones', {}],
    ['/extensions/VRM/humanoid/humanBones/0/bone', 0],
  ])('%s: %j', async (pointer, value) => {
    const json = everything();
    delete json['extensions'].VRMC_vrm;
    delete json['extensions'].VRMC_springBone;
    const loading = load(replaced(json, pointer.split('/').slice(1), value));
    await expect(loading).rejects.toMatchObject({
      code: 'invalid-file',
      message: expect.stringMatching(new RegExp(`^${pointer}: .* where .* expected$`)) as string,
    });
  });

  test('extensions that are no object are no extensions', async () => {
    expect(await load({ ...everything(), nodes: row(2), extensions: 5 })).not.toHaveProperty('secondary');
  });
});

/** What readers of the data may rely on, whatever the file said. */
function check({ secondary }: { secondary?: SecondaryMotion }, count: number): void {
  if (!secondary) return;
  const { colliders, groups, springs, constraints, humanoid } = secondary;
  const isBone = (bone: number): boolean => Number.isInteger(bone) && bone >= 0 && bone < count;
  const isUnit = (v: readonly number[]): boolean =>
    Math.abs(Math.sqrt(v.reduce((sum, x) => sum + x * x, 0)) - 1) < 1e-9;
  const turning = springs.flatMap(({ joints }) => joints.map(({ bone }) => bone));
  expect(new Set(turning).size).toBe(turning.length);
  for (const { joints, end, endOffset, groups: used, center } of springs) {
    expect(joints.length).toBeGreaterThan(0);
    expect(end === -1 ? endOffset!.every(Number.isFinite) : isBone(end) && endOffset === undefined).toBe(
      true,
    );
    expect(center === -1 || isBone(center)).toBe(true);
    expect(used.every((g) => groups[g] !== undefined)).toBe(true);
    for (const joint of joints) {
      const { hitRadius, stiffness, gravityPower, dragForce } = joint;
      const values = [hitRadius, stiffness, gravityPower, dragForce];
      expect(values.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
      expect(dragForce).toBeLessThanOrEqual(1);
      expect(isUnit(joint.gravityDir)).toBe(true);
    }
  }
  expect(groups.every((group) => group.colliders.every((c) => colliders[c] !== undefined))).toBe(true);
  for (const { bone, shape } of colliders) {
    expect(isBone(bone) && shape.offset.every(Number.isFinite)).toBe(true);
    expect(shape.kind === 'plane' ? isUnit(shape.normal) : shape.radius >= 0).toBe(true);
  }
  for (const { bone, source, weight, axis } of constraints)
    expect(isBone(bone) && isBone(source) && weight >= 0 && weight <= 1 && isUnit(axis)).toBe(true);
  expect(Object.values(humanoid).every(isBone)).toBe(true);
}

describe('any value anywhere', () => {
  const values = fc.oneof(
    fc.constantFrom(null, true, '', 'X', '1.0', [], {}, [0, 0, 0], [1e308, 1e308, 1e308], -0, 1.5, -1e-320),
    fc.integer({ min: -2, max: 8 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
  );
  test.each([
    ['1.0', ['VRM']],
    ['0.x', ['VRMC_vrm', 'VRMC_springBone']],
    ['both', []],
  ])('VRM %s is read or refused', async (_, left) => {
    const json = everything();
    for (const name of left) delete json['extensions'][name];
    const places = placesOf(json).filter((path) => path.includes('extensions') && path.length > 1);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...places), values), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          let changed = json;
          for (const [path, value] of changes)
            if (
              typeof path.slice(0, -1).reduce<unknown>((at, key) => (at as Json | null)?.[key], changed) ===
              'object'
            )
              try {
                changed = replaced(changed, path, value);
              } catch (error) {
                // An earlier change took the place away.
                expect(error).toBeInstanceOf(TypeError);
              }
          const result = await load(changed).catch((error: unknown) => error);
          if (result instanceof Error) expect(result).toBeInstanceOf(FollowthroughError);
          else check(result as { secondary?: SecondaryMotion }, 6);
        },
      ),
      { numRuns: 1500, seed: 4 },
    );
  });
});
