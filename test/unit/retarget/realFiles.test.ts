/**
 * Every motion file with a body onto characters that have nothing in common but being one: limbs point where the source's
 * do, heads are up where they are up, feet come down to the ground (docs/retarget.md).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Asset, Clip } from '../../../src/asset/index.js';
import { loadBvh } from '../../../src/io/bvh/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { calibrate, findHumanoid, retargetClip, type Calibration } from '../../../src/retarget/index.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { qrot, type Q4, type V3 } from '../../support/referenceMath.js';
import { shared } from '../../support/shared.js';
import { apartDeg, place, quatAt } from './motion.js';

const TARGETS = [
  'vrm/cryptovoxels_vrm0.vrm',
  'vrm/Godette_vrm0.vrm',
  'derived/seedsan_rebuilt.vrm',
  'glb-humanoid/kaykit_Knight.glb',
  'glb-humanoid/quaternius_cyberpunk_Character.glb',
];
const BONES = [
  ['UpperArm', 'LowerArm'],
  ['LowerArm', 'Hand'],
  ['UpperLeg', 'LowerLeg'],
  ['LowerLeg', 'Foot'],
];

const motions: Asset[] =
  shared === undefined
    ? []
    : readdirSync(`${shared}/bvh`)
        .filter((name) => name.endsWith('.bvh'))
        .toSorted()
        .map((name) => loadBvh(readFileSync(`${shared}/bvh/${name}`), { name }))
        .filter((asset) => findHumanoid(asset).warnings.length === 0);

/** Where the bones of an asset stand at a key of a clip; tracks have the same times. */
function placed(asset: Asset, { tracks }: Clip, key: number): V3[] {
  const { translations, rotations, scales } = recoverNeutral(asset);
  for (const { bone, path, values } of tracks) {
    const size = path === 'rotation' ? 4 : 3;
    const list = path === 'rotation' ? rotations : translations;
    list.set(values.subarray(size * key, size * key + size), size * bone);
  }
  return place(asset, { translations, rotations, scales }).at;
}

const between = (at: readonly V3[], from: number, to: number): V3 =>
  [0, 1, 2].map((k) => at[to]![k]! - at[from]![k]!) as V3;

describe.skipIf(shared === undefined).each(TARGETS)('%s', (name) => {
  let target: Asset;
  beforeAll(async () => {
    target = await loadGltf(readFileSync(`${shared}/${name}`), { name });
  });

  test.each(motions)('$name', (source) => {
    const calibration = calibrate(source, target);
    const clip = retargetClip(calibration, source, 0);
    for (const { values } of clip.tracks) expect(values.every(Number.isFinite)).toBe(true);
    const motion: Q4 = quatAt(calibration.motion, 0);
    const bones = (role: string): { from: number; to: number } | undefined => boneOf(calibration, role);
    const keys = clip.tracks[0]!.times.length;
    let lowest = Infinity;
    for (let i = 0; i < 5; i++) {
      const key = Math.floor(((keys - 1) * i) / 4);
      const [from, to] = [placed(source, source.clips[0]!, key), placed(target, clip, key)];
      for (const side of ['left', 'right'])
        for (const [head, tip] of BONES) {
          const [a, b] = [bones(side + head!), bones(side + tip!)];
          if (a === undefined || b === undefined) continue;
          const expected = qrot(motion, between(from, a.from, b.from));
          expect(apartDeg(between(to, a.to, b.to), expected)).toBeLessThan(0.05);
        }
      const [hips, head] = [bones('hips')!, bones('head')!];
      const up = qrot(motion, between(from, hips.from, head.from));
      if (up[1] > 0.9 * Math.hypot(...up)) expect(between(to, hips.to, head.to)[1]).toBeGreaterThan(0);
      lowest = Math.min(lowest, ...['leftFoot', 'rightFoot'].map((role) => to[bones(role)!.to]![1]));
    }
    // Ankles come down to about where they stand at rest; a tenth of the height above or below it.
    const height = heightAtRest(target, 'head') - heightAtRest(target, 'leftFoot');
    expect(Math.abs(lowest - heightAtRest(target, 'leftFoot'))).toBeLessThan(0.15 * height);
  });
});

function boneOf(
  { roles, sourceBones, targetBones }: Calibration,
  role: string,
): { from: number; to: number } | undefined {
  const i = roles.indexOf(role);
  return i < 0 ? undefined : { from: sourceBones[i]!, to: targetBones[i]! };
}

/** Height of a bone at rest. */
function heightAtRest(asset: Asset, role: string): number {
  return place(asset, recoverNeutral(asset)).at[findHumanoid(asset).bones[role]!]![1];
}
