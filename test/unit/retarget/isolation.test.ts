/**
 * A calibration is a snapshot: nothing that happens to characters before, between or after solves changes a bit of them, and
 * no solve changes anything but what it writes (DESIGN 8; three-vrm #1643, Babylon #18450, Expy-Kit #21).
 */
import { expect, test } from 'vitest';
import type { Asset } from '../../../src/asset/index.js';
import { loadBvh } from '../../../src/io/bvh/index.js';
import {
  calibrate,
  createRetargetedPose,
  groundClip,
  retargetClip,
  retargetPose,
  type Calibration,
} from '../../../src/retarget/index.js';
import { advance, addCharacter, createWorld, play, setRoot } from '../../../src/index.js';
import { walkerBvh } from '../../support/walkerBvh.js';
import { makeBody, RESTS, spoil } from './bodies.js';
import { copyPose } from './motion.js';

const motion = (): Asset => loadBvh(walkerBvh(31), { name: 'walker.bvh' });
// A skin says how the body stands at rest, whatever pose the file is saved in.
const target = (): Asset => makeBody({ axes: 71, saved: 5, turns: RESTS.A }).asset;

test('what goes in is not changed', () => {
  const [source, body] = [motion(), target()];
  const before = structuredClone([source, body]);
  const calibration = calibrate(source, body);
  const kept = structuredClone(calibration);
  const clip = retargetClip(calibration, source, 0);
  groundClip(body, clip);
  expect([source, body]).toEqual(before);
  expect(calibration).toEqual(kept);
});

test('the third calibration and the third solve give the bits of the first', () => {
  const [source, body] = [motion(), target()];
  const solve = (): unknown => retargetClip(calibrate(source, body), source, 0);
  const first = solve();
  solve();
  expect(solve()).toEqual(first);
});

test('a character that is moved, turned and animated in between changes nothing', () => {
  const [source, body] = [motion(), target()];
  const clean = retargetClip(calibrate(source, body), source, 0);
  const world = createWorld();
  const character = addCharacter(world, { ...body, clips: [clean] });
  play(world, character, 0);
  for (let i = 0; i < 5; i++) {
    setRoot(world, character, { position: [i, 2, 0], rotation: [0, 1, 0, 0] });
    advance(world, 0.21);
    // The pose in which the file is saved is no rest pose where a skin says another.
    spoil(body, i);
    expect(retargetClip(calibrate(source, body), source, 0)).toEqual(clean);
  }
});

test('a calibration outlives the assets it was made from', () => {
  const [source, body] = [motion(), target()];
  const calibration = calibrate(source, body);
  const clean = retargetClip(calibration, motion(), 0);
  for (const { skeleton, skins } of [source, body]) {
    skeleton.translations.fill(9);
    skeleton.rotations.fill(0.5);
    for (const { inverseBinds } of skins) inverseBinds.fill(1);
  }
  expect(retargetClip(calibration, motion(), 0)).toEqual(clean);
});

test('two solves at the same time share nothing', () => {
  const source = motion();
  const calibrations = [calibrate(source, target()), calibrate(source, makeBody({ axes: 72 }).asset)];
  const poses = [0, 0.4].map((time) => poseAt(source, calibrations[0]!, time));
  const alone = calibrations.map((calibration, i) => {
    const out = createRetargetedPose(calibration);
    retargetPose(calibration, poses[i]!, out);
    return copyPose(out);
  });
  const outs = calibrations.map(createRetargetedPose);
  for (let round = 0; round < 3; round++)
    for (const [i, calibration] of calibrations.entries()) {
      retargetPose(calibration, poses[i]!, outs[i]!);
      for (const [k, out] of outs.entries()) if (k <= i || round > 0) expect(copyPose(out)).toEqual(alone[k]);
    }
});

/** A pose of the source at a time, by a clip of one key. */
function poseAt(source: Asset, calibration: Calibration, time: number): ReturnType<typeof copyPose> {
  const pose = copyPose(calibration.source);
  for (const { bone, path, times, values } of source.clips[0]!.tracks) {
    const key = times.findIndex((at) => at >= time);
    const size = path === 'rotation' ? 4 : 3;
    const list = path === 'rotation' ? pose.rotations : pose.translations;
    list.set(values.subarray(size * key, size * key + size), size * bone);
  }
  return pose;
}
