/**
 * Animals that others made, the bones of their tails taken out: the pass puts them back. Then the character walks: skin
 * that was torn between shins and rump follows the new chain. Bounds: what must hold of the rig pass.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Asset } from '../../../src/index.js';
import { measureClip, type MeasureReport } from '../../../src/measure/index.js';
import { applyPlan } from '../../../src/rig/applyPlan.js';
import { planRig } from '../../../src/rig/planRig.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import type { TailTruth } from '../../support/rig/ablate.js';
import { animal, animalNames } from '../../support/rig/animals.js';
import { skinBox } from '../../support/rig/bind.js';
import { boneCount } from '../../support/rig/naive.js';
import {
  chainsOf,
  driveDistance,
  foundVertices,
  headsOf,
  hitOf,
  jointErrors,
  median,
  tailWeights,
} from '../../support/rig/score.js';
import { shared } from '../../support/shared.js';

const table: string[] = [];
afterAll(() => console.log(table.join('\n')));

describe.skipIf(!shared).each(animalNames)('%s', (name) => {
  let asset: Asset;
  let truth: TailTruth;
  let plan: RigPlan;

  beforeAll(async () => {
    ({ asset, truth } = await animal(name));
    plan = planRig(asset);
  });

  test('exactly one chain, on the bone from which the tail hung', () => {
    expect(chainsOf(plan).map(({ report }) => `${report.kind} ${report.attachment}`)).toEqual([
      `tail ${truth.attach}`,
    ]);
  });

  test('finds the tail, joints lie in it, bones move what is around them', () => {
    const [chain] = chainsOf(plan);
    const hit = hitOf(foundVertices(asset, plan), tailWeights(asset, truth));
    const errors = jointErrors(asset, truth, headsOf(chain!));
    const drive = driveDistance(asset, plan, chain!);
    const bones = plan.bones.length - 1;
    table.push(
      `${name.padEnd(13)} recall ${hit.recall.toFixed(2)} precision ${hit.precision.toFixed(2)} ` +
        `joints ${median(errors).toFixed(2)} / ${Math.max(...errors).toFixed(2)} radii, ` +
        `drive ${drive.before.toFixed(1)} -> ${drive.after.toFixed(2)} radii, K ${bones}`,
    );
    // The scut of a stag is mostly a cone inside the rump.
    expect(hit.recall).toBeGreaterThanOrEqual(name === 'stag' ? 0.55 : 0.75);
    expect(hit.precision).toBeGreaterThanOrEqual(0.9);
    expect(median(errors)).toBeLessThanOrEqual(0.9);
    expect(drive.after).toBeGreaterThanOrEqual(0.8);
    expect(drive.after).toBeLessThanOrEqual(1.3);
    expect(drive.before).toBeGreaterThan(2.5);
    expect(bones).toBe(boneCount(chain!.report.length, skinBox(asset).height));
  });

  test('the report states the same distances in world units', () => {
    const [chain] = chainsOf(plan);
    const { weightDistanceBefore, weightDistanceAfter } = chain!.report;
    const drive = driveDistance(asset, plan, chain!);
    table.push(
      `${name.padEnd(13)} drive in world units ${drive.beforeWorld.toPrecision(3)} -> ${drive.afterWorld.toPrecision(3)}, ` +
        `reported ${weightDistanceBefore.toPrecision(3)} -> ${weightDistanceAfter.toPrecision(3)}`,
    );
    // The report speaks of the whole piece, collar included, of which the attachment holds half.
    expect(weightDistanceBefore / drive.beforeWorld).toBeGreaterThan(0.75);
    expect(weightDistanceBefore / drive.beforeWorld).toBeLessThan(1.35);
    expect(weightDistanceAfter / drive.afterWorld).toBeGreaterThan(0.75);
    expect(weightDistanceAfter).toBeLessThan(0.6 * weightDistanceBefore);
  });

  test('walking and running tear nothing', () => {
    const rigged = applyPlan(asset, plan);
    const clips = asset.clips.filter((clip) => /(?:^|_|\|)(?:Walk|Run|Gallop)$/.test(clip.name));
    expect(clips.length).toBeGreaterThan(1);
    for (const clip of clips) {
      const { tail, collar, body }: MeasureReport = measureClip(rigged, clip.name, { pose: 'chain' });
      const before = measureClip(asset, clip.name, { pose: 'clip', edgesOf: rigged }).tail;
      table.push(
        `${name.padEnd(13)} ${clip.name.replace(/.*\|/, '').padEnd(18)} tail p99 ${tail.p99?.toFixed(2)} ` +
          `max ${tail.max?.toFixed(2)} torn ${tail.torn?.toFixed(4)} ` +
          `(before ${before.p99?.toFixed(1)}, ${before.torn?.toFixed(3)}), collar p99 ${collar.p99?.toFixed(2)}, ` +
          `body p99 ${body.p99?.toFixed(2)}`,
      );
      expect(tail.edges, clip.name).toBeGreaterThan(0);
      // A gallop throws the artists' own tails about: its figures are only printed.
      if (clip.name.endsWith('Gallop')) continue;
      expect.soft(tail.torn, clip.name).toBe(0);
      expect.soft(tail.p99!, clip.name).toBeLessThanOrEqual(Math.max(body.p99!, 1.25));
      expect.soft(collar.p99!, clip.name).toBeLessThanOrEqual(Math.max(body.p99!, 1.4));
    }
  });
});
