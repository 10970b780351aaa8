/**
 * Bodies made for the test, so that the truth is known: three tails without bones, fused with the body or of tubes, and
 * two bodies without a tail. Bounds: the research's demands on synthetic fixtures.
 */
import { describe, expect, test } from 'vitest';
import { planRig } from '../../../src/rig/planRig.js';
import { bindPose, skinBox } from '../../support/rig/bind.js';
import { FAT, SLIM } from '../../support/rig/body.js';
import type { TestCharacter } from '../../support/rig/character.js';
import { makes, tailed, tailless } from '../../support/rig/fixtures.js';
import { boneCount } from '../../support/rig/naive.js';
import { placeOn } from '../../support/rig/sections.js';
import {
  apart,
  chainsOf,
  driveDistance,
  foundVertices,
  headsOf,
  hitOf,
  newWeights,
  sectionsOf,
} from '../../support/rig/score.js';
import { tailNames, type TailName } from '../../support/rig/tails.js';
import type { V3 } from '../../support/referenceMath.js';

/** The centre line as a polyline from inside the body, one root radius deep, to the tip. */
const lineOf = ({ centreLine }: TestCharacter, depth: number): V3[] =>
  Array.from({ length: 61 }, (_, i) => [
    ...centreLine!.at(-depth + (i * (centreLine!.length + depth)) / 60).point,
  ]);

const cases = tailNames.flatMap((name) =>
  makes.map((make): [TailName, (typeof makes)[number]] => [name, make]),
);

describe.each(cases)('%s %s', (name, make) => {
  const made = tailed(name, make);
  const { asset, tail } = made;
  const plan = planRig(asset);
  const chains = chainsOf(plan);
  const [chain] = chains;
  const isTail = tail.map((list) => list.map((w) => w >= 0.5));

  test('exactly one chain, on the hips', () => {
    expect(chains.map(({ report }) => `${report.kind} ${report.attachment}`)).toEqual([
      'tail mixamorig:Hips',
    ]);
    expect(chain!.report.confidence).toBeGreaterThanOrEqual(0.8);
  });

  test('finds the tail and nothing else', () => {
    const hit = hitOf(foundVertices(asset, plan), tail);
    expect(hit.recall).toBeGreaterThanOrEqual(0.97);
    expect(hit.precision).toBeGreaterThanOrEqual(0.92);
  });

  test('joints lie on the centre line, in order', () => {
    const skin = sectionsOf(asset, isTail, lineOf(made, 0));
    // At the very root a section is cut by the body.
    const root = 0.1 * made.centreLine!.length;
    const depth = skin.radiusAt(root);
    const line = lineOf(made, depth);
    const places = headsOf(chain!).map((head) => placeOn(line, head));
    places
      .slice(0, -1)
      .forEach(({ distance, along }, i) =>
        expect(distance / skin.radiusAt(Math.max(root, along - depth)), `joint ${i}`).toBeLessThanOrEqual(
          0.5,
        ),
      );
    // The end lies on the tip, where sections are small.
    expect(places.at(-1)!.distance).toBeLessThanOrEqual(skin.radiusAt(0.7 * made.centreLine!.length));
    for (let i = 1; i < places.length; i++) expect(places[i]!.along).toBeGreaterThan(places[i - 1]!.along);
  });

  test('length and number of bones', () => {
    const { length, joints } = chain!.report;
    expect(Math.abs(length / made.centreLine!.length - 1)).toBeLessThan(0.15);
    const bones = boneCount(length, skinBox(asset).height);
    expect(joints.map((joint) => joint.name)).toEqual([
      ...Array.from({ length: bones }, (_, i) => `Tail_${i + 1}`),
      'Tail_End',
    ]);
    expect(plan.bones.map((bone) => bone.name)).toEqual(joints.map((joint) => joint.name));
  });

  test('bones: the first on the hips, each on the one before, moved only', () => {
    const hips = asset.skeleton.names.indexOf('mixamorig:Hips');
    const { worlds } = bindPose(asset);
    const heads = headsOf(chain!);
    const world = worlds[hips]!;
    let at: V3 = [world[12]!, world[13]!, world[14]!];
    plan.bones.forEach((bone, i) => {
      expect(bone.parent).toBe(i === 0 ? hips : asset.skeleton.count + i - 1);
      expect(bone.attachment).toBe(hips);
      // Rotation and scale of the attachment all the way down: the head before plus the turned translation.
      const t = bone.translation;
      at = [0, 1, 2].map(
        (r) => at[r]! + world[r]! * t[0] + world[4 + r]! * t[1] + world[8 + r]! * t[2],
      ) as V3;
      expect(apart(at, bone.head)).toBeLessThan(1e-9);
      expect(apart(heads[i]!, bone.head)).toBe(0);
      expect(chain!.report.joints[i]!.position).toEqual(bone.head);
    });
    expect(heads).toHaveLength(plan.bones.length);
  });

  test('skin is moved by bones within it: one section radius away', () => {
    const { before, after } = driveDistance(asset, plan, chain!);
    expect(after).toBeGreaterThanOrEqual(0.8);
    expect(after).toBeLessThanOrEqual(1.3);
    expect(before).toBeGreaterThan(2 * after);
    expect(chain!.report.weightDistanceAfter).toBeLessThan(0.5 * chain!.report.weightDistanceBefore);
  });

  test('pieces and influences speak of the same vertices', () => {
    const points = new Set(chain!.points);
    const collar = new Set(chain!.collar);
    expect([...chain!.points]).toEqual([...chain!.points].toSorted((a, b) => a - b));
    expect(chain!.report.vertices).toBe(points.size);
    newWeights(asset, plan).forEach((weights, m) =>
      weights.forEach((w, v) => {
        const point = plan.surface.pointOf[m]![v]!;
        if (w > 0.5 + 1e-9) expect(points.has(point), `vertex ${v} of mesh ${m}`).toBe(true);
        if (points.has(point) && !collar.has(point)) expect(w).toBeGreaterThan(0.5 - 1e-9);
      }),
    );
  });
});

describe.each([
  ['slim', SLIM],
  ['fat', FAT],
] as const)('%s body without a tail', (name, proportions) => {
  test.each(makes)('%s: no chain, nothing changed', (make) => {
    const { asset } = tailless(name, proportions, make);
    const plan = planRig(asset);
    expect(chainsOf(plan)).toEqual([]);
    expect(plan.bones).toEqual([]);
  });
});
