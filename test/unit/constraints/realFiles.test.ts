/**
 * K29: constraints of files other people made. They are read here straight from the JSON of the files, and the results are
 * held against the second implementation.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Asset, ConstraintDefinition, World } from '../../../src/index.js';
import {
  addCharacter,
  addConstraints,
  createPose,
  createWorld,
  play,
  readPose,
  setPose,
  step,
} from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleBetween, angleOf, axisAngle, qmul, qrot, seeded, sub } from '../../support/referenceMath.js';
import { shared } from '../../support/shared.js';
import {
  aim,
  flat,
  frame,
  naive,
  roll,
  rotation,
  rotationsIn,
  shownRotations,
  type Locals,
  type Rig,
} from './support.js';

interface Node {
  extensions?: { VRMC_node_constraint?: { constraint: Record<string, Record<string, unknown>> } };
}

/** Direction of an axis by its name in the file. */
const axes: Record<string, V3> = {
  X: [1, 0, 0],
  Y: [0, 1, 0],
  Z: [0, 0, 1],
  PositiveX: [1, 0, 0],
  PositiveY: [0, 1, 0],
  PositiveZ: [0, 0, 1],
  NegativeX: [-1, 0, 0],
  NegativeY: [0, -1, 0],
  NegativeZ: [0, 0, -1],
};

function jsonOf(bytes: Buffer): { nodes: Node[] } {
  const binary = bytes.toString('latin1', 0, 4) === 'glTF';
  const text = binary ? bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)) : bytes.toString('utf8');
  return JSON.parse(text) as { nodes: Node[] };
}

async function load(file: string): Promise<{ asset: Asset; definitions: ConstraintDefinition[] }> {
  const path = `${shared}/${file}`;
  const bytes = readFileSync(path);
  const asset = await loadGltf(bytes, {
    name: file,
    validate: false,
    resolve: (uri) => Promise.resolve(readFileSync(`${dirname(path)}/${uri}`)),
  });
  const bones = [...asset.skeleton.nodes];
  const definitions = jsonOf(bytes).nodes.flatMap(({ extensions }, node): ConstraintDefinition[] =>
    Object.entries(extensions?.VRMC_node_constraint?.constraint ?? {}).map(([kind, given]) => ({
      bone: bones.indexOf(node),
      source: bones.indexOf(given['source'] as number),
      kind: kind as ConstraintDefinition['kind'],
      axis: axes[(given['rollAxis'] ?? given['aimAxis'] ?? 'X') as string]!,
      weight: (given['weight'] as number | undefined) ?? 1,
    })),
  );
  return { asset, definitions };
}

function triples(list: Float64Array): V3[] {
  return Array.from({ length: list.length / 3 }, (_, i): V3 => [
    list[3 * i]!,
    list[3 * i + 1]!,
    list[3 * i + 2]!,
  ]);
}

function rigOf({ skeleton }: Asset): Rig {
  const { parents, translations, rotations, scales, count } = skeleton;
  return {
    parents: [...parents],
    translations: triples(translations),
    rotations: Array.from(
      { length: count },
      (_, b): Q4 => [...rotations.subarray(4 * b, 4 * b + 4)] as unknown as Q4,
    ),
    scales: triples(scales),
  };
}

/** Turns every bone from its saved rotation by up to about a radian. */
function disturbed(rig: Rig, seed: number): Locals {
  const random = seeded(seed);
  const turned = (q: Q4): Q4 =>
    qmul(q, axisAngle([random() - 0.5, random() - 0.5, random() - 0.5], 2 * (random() - 0.5)));
  return { ...rig, rotations: rig.rotations.map(turned) };
}

/** Poses the character at random and compares all its bones. */
function comparePoses(asset: Asset, definitions: ConstraintDefinition[], tolerance: number): void {
  const rig = rigOf(asset);
  const world = createWorld();
  const character = addCharacter(world, asset, { frame });
  expect(addConstraints(world, character, definitions)).toHaveLength(definitions.length);
  for (let seed = 1; seed <= 5; seed++) {
    const pose = disturbed(rig, seed);
    setPose(world, character, flat(pose));
    step(world);
    const expected = naive(rig, definitions, pose);
    expect(expected.open).toBe(false);
    for (const [b, q] of shownRotations(world, character).entries())
      expect(angleOf(q, expected.rotations[b]!), asset.skeleton.names[b]!).toBeLessThan(tolerance);
  }
  expect(world.report.warnings.filter(({ code }) => code === 'constraint-cycle')).toEqual([]);
}

/** Index of a bone that must be there. */
function boneOf(asset: Asset, name: string): number {
  const found = asset.skeleton.names.indexOf(name);
  expect(found, name).toBeGreaterThanOrEqual(0);
  return found;
}

/** Largest angle between an aiming axis and the way to its source, as shown. */
function worstAim(
  world: World,
  character: number,
  definitions: ConstraintDefinition[],
  asset: Asset,
): number {
  const { worlds, rotations } = readPose(world, character, createPose(world, character));
  const origin = (b: number): V3 => [...worlds.subarray(16 * b + 12, 16 * b + 15)] as unknown as V3;
  const angles = definitions
    .filter(({ kind }) => kind === 'aim')
    .map(({ bone, source, axis }) => {
      const own = qrot([...rotations.subarray(4 * bone, 4 * bone + 4)] as unknown as Q4, axis);
      const parent = asset.skeleton.parents[bone]!;
      const m = parent < 0 ? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] : worlds.subarray(16 * parent);
      const shown = [0, 1, 2].map((r) => m[r]! * own[0] + m[4 + r]! * own[1] + m[8 + r]! * own[2]) as V3;
      return angleBetween(shown, sub(origin(source), origin(bone)));
    });
  return Math.max(...angles);
}

describe.skipIf(shared === undefined)('K29: files', () => {
  it.each(['glb', 'gltf'])(
    "the specification's example (.%s): all kinds, as its clips move",
    async (ending) => {
      const { asset, definitions } = await load(
        `vrm/vrmspec_constraint/vrm_node_constraint_examples.${ending}`,
      );
      expect(definitions.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array<string>(4).fill('aim'),
        ...Array<string>(4).fill('roll'),
        ...Array<string>(3).fill('rotation'),
      ]);
      const rig = rigOf(asset);
      for (const clip of asset.clips) {
        const world = createWorld({ tickRate: 30 });
        const character = addCharacter(world, asset, { frame });
        addConstraints(world, character, definitions);
        play(world, character, clip.name);
        // The same clip without constraints is what the second implementation starts from.
        const bare = createWorld({ tickRate: 30 });
        const twin = addCharacter(bare, asset, { frame });
        play(bare, twin, clip.name);
        for (let k = 0; k < 120; k++) {
          step(world);
          step(bare);
          const { translations, scales } = readPose(bare, twin, createPose(bare, twin));
          const pose = {
            translations: triples(translations),
            scales: triples(scales),
            rotations: rotationsIn(bare, twin, bare.views.bone.localRotation),
          };
          const expected = naive(rig, definitions, pose);
          for (const [b, q] of shownRotations(world, character).entries())
            if (!expected.open)
              expect(angleOf(q, expected.rotations[b]!), `tick ${k}, bone ${b}`).toBeLessThan(1e-7);
          expect(worstAim(world, character, definitions, asset)).toBeLessThan(1e-7);
        }
      }
    },
  );

  it("three-vrm's cubes: a roll and half a rotation", async () => {
    const { asset, definitions } = await load('vrm/threevrm_constraint/cubes.gltf');
    expect(definitions.map(({ kind, weight }) => [kind, weight])).toEqual([
      ['roll', 1],
      ['rotation', 0.5],
    ]);
    comparePoses(asset, definitions, 1e-9);
    const world = createWorld();
    const character = addCharacter(world, asset, { frame });
    addConstraints(world, character, definitions);
    const [a, b, c] = ['CubeA', 'CubeB', 'CubeC'].map((name) => asset.skeleton.names.indexOf(name));
    const rotations = asset.skeleton.rotations.slice();
    rotations.set(axisAngle([0, 1, 0], 1.4), 4 * a!);
    setPose(world, character, { rotations });
    step(world);
    const shown = shownRotations(world, character);
    expect(angleOf(shown[b!]!, axisAngle([0, 1, 0], 1.4))).toBeLessThan(1e-12);
    expect(angleOf(shown[c!]!, axisAngle([0, 1, 0], 0.7))).toBeLessThan(1e-12);
  });

  it('Seed-san, rebuilt: 23 bones of a second arm follow the first', async () => {
    const { asset, definitions } = await load('derived/seedsan_rebuilt.vrm');
    expect(definitions).toHaveLength(23);
    comparePoses(asset, definitions, 1e-7);
    // In the pose of the file nothing moves, though its skins may have been bound to another one.
    const world = createWorld();
    const character = addCharacter(world, asset, { frame });
    addConstraints(world, character, definitions);
    step(world);
    for (const [b, q] of shownRotations(world, character).entries())
      expect(angleOf(q, rigOf(asset).rotations[b]!), asset.skeleton.names[b]!).toBeLessThan(1e-7);
  });

  it.each(['L', 'R'])('its twist bone of forearm %s takes half the roll of the hand', async (side) => {
    const { asset } = await load('derived/seedsan_rebuilt.vrm');
    const twist = boneOf(asset, `forearm.twist.${side}`);
    const hand = boneOf(asset, `hand.${side}`);
    const world = createWorld();
    const character = addCharacter(world, asset, { frame });
    addConstraints(world, character, [roll(twist, hand, [0, 1, 0], 0.5)]);
    const rig = rigOf(asset);
    // The hand turns about the forearm's own Y, along which the twist bone lies.
    const along = qrot(rig.rotations[twist]!, [0, 1, 0]);
    const rotations = rig.rotations.map((q, b) => (b === hand ? qmul(axisAngle(along, 1.3), q) : q));
    setPose(world, character, flat({ ...rig, rotations }));
    step(world);
    const shown = shownRotations(world, character)[twist]!;
    expect(angleOf(shown, qmul(axisAngle(along, 0.65), rig.rotations[twist]!))).toBeLessThan(1e-6);
  });

  it('a skeleton with the names of Mixamo: shoulders, twist and gaze of our own', async () => {
    const { asset } = await load('vrm/polygonalmind_cool_loops_vrm0.vrm');
    const bone = (name: string): number => boneOf(asset, `mixamorig:${name}`);
    const definitions = [
      aim(bone('Head'), bone('RightHand'), [0, 0, 1], 0.5),
      roll(bone('LeftForeArm'), bone('LeftHand'), [1, 0, 0], 0.5),
      roll(bone('LeftArm'), bone('LeftForeArm'), [1, 0, 0], 0.5),
      rotation(bone('Spine2'), bone('Spine1')),
      rotation(bone('Spine1'), bone('Spine'), 0.5),
      aim(bone('LeftHandIndex1'), bone('RightHandIndex1'), [1, 0, 0]),
    ];
    comparePoses(asset, definitions, 1e-7);
  });
});
