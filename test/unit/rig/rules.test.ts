/**
 * The rules of the rig pass that are easy to get wrong, one made scene for each.
 */
import { describe, expect, test } from 'vitest';
import { applyPlan } from '../../../src/rig/applyPlan.js';
import { planRig } from '../../../src/rig/planRig.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import { bindPose, worldVertices } from '../../support/rig/bind.js';
import { FAT, SLIM } from '../../support/rig/body.js';
import type { TestCharacter } from '../../support/rig/character.js';
import { tailed, tailless } from '../../support/rig/fixtures.js';
import {
  bonedTail,
  cape,
  curled,
  lopsided,
  offMiddle,
  pouch,
  severalSkins,
  sharedTip,
  skirt,
  splitTail,
  touchingLegs,
  twoTails,
  underArmature,
  wings,
} from '../../support/rig/scenes.js';
import { placeOn } from '../../support/rig/sections.js';
import { apart, chainsOf, foundVertices, headsOf, hitOf, sectionsOf } from '../../support/rig/score.js';
import { yawed } from '../../support/rig/variants.js';
import type { V3 } from '../../support/referenceMath.js';

const short = (plan: RigPlan): string[] =>
  plan.pieces.map(({ report }) => `${report.verdict} ${report.kind} ${report.attachment}`);

const isTail = ({ tail }: TestCharacter): boolean[][] => tail.map((list) => list.map((w) => w >= 0.5));

const lineOf = ({ centreLine }: TestCharacter): V3[] =>
  Array.from({ length: 61 }, (_, i) => [...centreLine!.at((i * centreLine!.length) / 60).point]);

/** One chain on the hips that holds the tail; joints but the first within half a radius of the centre line. */
function expectTail(made: TestCharacter, plan: RigPlan, mirror = 1): void {
  expect(chainsOf(plan).map(({ report }) => `${report.kind} ${report.attachment}`)).toEqual([
    'tail mixamorig:Hips',
  ]);
  const hit = hitOf(foundVertices(made.asset, plan), made.tail);
  expect(hit.recall).toBeGreaterThanOrEqual(0.95);
  expect(hit.precision).toBeGreaterThanOrEqual(0.92);
  const line = lineOf(made).map(([x, y, z]): V3 => [mirror * x, y, z]);
  const skin = sectionsOf(made.asset, isTail(made), line);
  headsOf(chainsOf(plan)[0]!)
    .slice(1, -1)
    .forEach((head, i) => {
      const { distance, along } = placeOn(line, head);
      expect(distance / skin.radiusAt(along), `joint ${i + 1}`).toBeLessThanOrEqual(0.5);
    });
}

describe('shape and connection', () => {
  test.each(['fox', 'toon'] as const)('%s: fur that ends in the skin’s own tip is no way back', (name) => {
    const made = sharedTip(name);
    const plan = planRig(made.asset);
    expectTail(made, plan);
    expect(Math.abs(chainsOf(plan)[0]!.report.length / made.centreLine!.length - 1)).toBeLessThan(0.15);
    for (const { vertices } of plan.influences) expect(vertices.length).toBeGreaterThan(0);
  });

  test('rings with all vertices on one side', () => {
    const made = lopsided();
    expectTail(made, planRig(made.asset));
  });

  test('a curl: lengths along the skin, joints in order around it', () => {
    const made = curled('tubes');
    const plan = planRig(made.asset);
    expectTail(made, plan);
    const along = headsOf(chainsOf(plan)[0]!).map((head) => placeOn(lineOf(made), head).along);
    for (let i = 1; i < along.length; i++) expect(along[i]!).toBeGreaterThan(along[i - 1]!);
    expect(Math.abs(chainsOf(plan)[0]!.report.length / made.centreLine!.length - 1)).toBeLessThan(0.15);
  });

  test('a tail that touches the legs in some vertices keeps to itself', () => {
    const made = touchingLegs();
    expectTail(made, planRig(made.asset));
  });

  test.each([2, 1.2, 0.6])('two tails %d radii apart: a chain for each, with names of their own', (gap) => {
    const made = twoTails(gap);
    const plan = planRig(made.asset);
    const chains = chainsOf(plan);
    expect(chains.map(({ report }) => report.attachment)).toEqual(['mixamorig:Hips', 'mixamorig:Hips']);
    const hit = hitOf(foundVertices(made.asset, plan), made.tail);
    expect(hit.recall).toBeGreaterThanOrEqual(0.95);
    expect(hit.precision).toBeGreaterThanOrEqual(0.92);
    expect(new Set(plan.bones.map((bone) => bone.name)).size).toBe(plan.bones.length);
    const sides = chains.map((chain) => Math.sign(headsOf(chain).at(-1)![0]));
    expect(sides.toSorted((a, b) => a - b)).toEqual([-1, 1]);
    // No vertex of one is moved by bones of the other.
    const first = made.asset.skeleton.count;
    const split = first + plan.bones.findIndex((bone, i) => i > 0 && bone.parent < first);
    const places = worldVertices(made.asset, bindPose(made.asset), 0);
    for (const { vertices, influences, bones, weights } of plan.influences)
      vertices.forEach((v, i) => {
        const used = [...bones.subarray(i * influences, (i + 1) * influences)].filter(
          (bone, k) => bone >= first && weights[i * influences + k]! > 0,
        );
        expect(new Set(used.map((bone) => bone < split)).size).toBeLessThanOrEqual(1);
        const tip = plan.bones[used[0]! < split ? split - first - 1 : plan.bones.length - 1]!.head;
        if (Math.abs(places[v]![0]) > 0.05) expect(Math.sign(tip[0])).toBe(Math.sign(places[v]![0]));
      });
  });
});

describe('skins, primitives, nodes', () => {
  const plain = planRig(tailed('fox', 'tubes').asset);

  test('the tail in a second skin that does not hold its attachment, the fur in a third primitive', () => {
    const made = severalSkins();
    const plan = planRig(made.asset);
    expectTail(made, plan);
    expect(plan.influences.map(({ mesh }) => mesh)).toEqual(expect.arrayContaining([1, 2]));
    const rigged = applyPlan(made.asset, plan);
    const { heads } = bindPose(rigged);
    plan.bones.forEach((bone, i) =>
      expect(apart(heads[made.asset.skeleton.count + i]!, bone.head)).toBeLessThan(1e-6),
    );
  });

  test('one skin cut across the tail into two primitives on two skins', () => {
    const made = splitTail();
    const plan = planRig(made.asset);
    expectTail(made, plan);
    const whole = planRig(tailed('mouse', 'tubes').asset);
    expect(plan.bones).toHaveLength(whole.bones.length);
    plan.bones.forEach((bone, i) => expect(apart(bone.head, whole.bones[i]!.head)).toBeLessThan(5e-3));
  });

  test.each([
    [[39.5, 100], 1],
    [[-39.5, 100], -1],
    [[-1], -1],
    [[0.01], 1],
  ] as const)('below armature nodes scaled %j', (armature, mirror) => {
    const made = underArmature('fox', armature);
    const plan = planRig(made.asset);
    expectTail(made, plan, mirror);
    expect(plan.bones).toHaveLength(plain.bones.length);
    plan.bones.forEach((bone, i) => {
      const [x, y, z] = plain.bones[i]!.head;
      expect(apart(bone.head, [mirror * x, y, z])).toBeLessThan(5e-3);
    });
    // The bind pose of the result has the heads where the plan says.
    const rigged = applyPlan(made.asset, plan);
    const { heads } = bindPose(rigged);
    plan.bones.forEach((bone, i) =>
      expect(apart(heads[made.asset.skeleton.count + i]!, bone.head)).toBeLessThan(1e-6),
    );
  });

  test('transforms of the node that carries a skinned mesh do not count', () => {
    const { asset, tail, centreLine } = tailed('fox', 'tubes');
    const { skeleton } = asset;
    const node = asset.meshes[0]!.bone;
    const scales = skeleton.scales.slice();
    scales.set([-3, 0.5, 100], 3 * node);
    const translations = skeleton.translations.slice();
    translations.set([5, 6, 7], 3 * node);
    const turned = { ...asset, skeleton: { ...skeleton, scales, translations } };
    const plan = planRig(turned);
    expectTail({ asset: turned, tail, centreLine: centreLine!, boneOf: [] }, plan);
    expect(plan.bones.map((bone) => bone.head)).toEqual(plain.bones.map((bone) => bone.head));
  });

  test('names that the file has already are not given again', () => {
    const made = offMiddle(0, { extraNodes: ['Tail_1', 'Tail_End'] });
    const plan = planRig(made.asset);
    expect(chainsOf(plan)).toHaveLength(1);
    const names = [...made.asset.skeleton.names, ...plan.bones.map((bone) => bone.name)];
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what is left alone', () => {
  test('a tail that has bones: no second chain', () => {
    const { asset } = bonedTail();
    const plan = planRig(asset);
    expect(plan.bones).toEqual([]);
    expect(plan.influences).toEqual([]);
  });

  test.each([
    ['cape', cape],
    ['skirt', skirt],
  ] as const)('%s from the pelvis: never a chain', (_, make) => {
    const { asset } = make();
    expect(planRig(asset).bones).toEqual([]);
  });

  test('a pouch off the middle plane is bound rigidly', () => {
    const made = pouch();
    const plan = planRig(made.asset);
    expect(plan.bones).toEqual([]);
    const found = plan.pieces.filter(({ report }) => report.verdict === 'rigid');
    expect(found.map(({ report }) => report.kind)).toEqual(['worn']);
    expect(found[0]!.report.lateral).toBeGreaterThan(0.45);
    // All of its skin to one bone of the file.
    const bone = made.asset.skeleton.names.indexOf(found[0]!.report.attachment);
    for (const { mesh, vertices, influences, bones, weights } of plan.influences)
      vertices.forEach((v, i) => {
        expect(made.tail[mesh]![v], `vertex ${v}`).toBeGreaterThan(0);
        expect(bones[i * influences]).toBe(bone);
        expect(weights[i * influences]).toBe(1);
      });
    const changed = plan.influences.reduce((sum, { vertices }) => sum + vertices.length, 0);
    expect(changed).toBeGreaterThan(0.8 * made.tail[0]!.filter((w) => w >= 0.5).length);
  });

  test('wings at the shoulders are left, and named', () => {
    const { asset } = wings();
    const plan = planRig(asset);
    expect(plan.bones).toEqual([]);
    expect(plan.influences).toEqual([]);
    expect(short(plan).filter((text) => text.startsWith('left wing'))).toHaveLength(2);
  });

  test('every piece says why, with a figure or a name', () => {
    for (const { asset } of [pouch(), wings(), cape(), tailed('toon', 'fused')])
      for (const { report } of planRig(asset).pieces) {
        expect(report.reason.length).toBeGreaterThan(8);
        expect(asset.skeleton.names).toContain(report.attachment);
        for (const figure of [
          report.confidence,
          report.aspect,
          report.boneRatio,
          report.flatness,
          report.lateral,
          report.length,
          report.weightDistanceBefore,
          report.weightDistanceAfter,
        ])
          expect(Number.isFinite(figure)).toBe(true);
        expect(report.confidence).toBeGreaterThanOrEqual(0);
        expect(report.confidence).toBeLessThanOrEqual(1);
      }
  });
});

describe('turned about the vertical by 30 degrees', () => {
  const turnedTail = (made: TestCharacter): void => {
    const { asset } = yawed(made.asset, 30);
    const plan = planRig(asset);
    if (plan.bones.length > 0) {
      const hit = hitOf(foundVertices(asset, plan), made.tail);
      expect(chainsOf(plan)).toHaveLength(1);
      expect(hit.precision).toBeGreaterThanOrEqual(0.92);
    }
  };
  test.each(['fox', 'mouse', 'toon'] as const)('%s: the right chain or none', (name) =>
    turnedTail(tailed(name, 'tubes')),
  );
  test('bodies without a tail: no chain', () => {
    for (const [name, proportions] of [
      ['slim', SLIM],
      ['fat', FAT],
    ] as const)
      for (const make of ['fused', 'tubes'] as const)
        expect(planRig(yawed(tailless(name, proportions, make).asset, 30).asset).bones).toEqual([]);
  });
});
