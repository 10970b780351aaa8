/**
 * Motion files and retargeting beside three: a made-up walk of 3,000 frames of 21 joints read by `loadBvh` and by BVHLoader, and moved to
 * another body of the same names by `retargetClip` and by SkeletonUtils. Both pairs interleaved, median of the ratios.
 */
import { Group, type AnimationClip, type Object3D, type Skeleton } from 'three';
import { BVHLoader, type BVH } from 'three/addons/loaders/BVHLoader.js';
import { retargetClip as threeRetargetClip } from 'three/addons/utils/SkeletonUtils.js';
import { loadBvh } from '../src/io/bvh/index.js';
import { calibrate, createRetargetedPose, retargetClip, retargetPose } from '../src/retarget/index.js';
import { walkerBvh } from '../test/support/walkerBvh.js';
import { cpuNanoseconds } from './contenders.js';

const frames = 3000;
const text = walkerBvh(frames);

function milliseconds(work: () => void): number {
  const begin = cpuNanoseconds();
  work();
  return (cpuNanoseconds() - begin) / 1e6;
}

/** Medians of both, and of their ratio, after a warm-up. */
function beside(ours: () => void, theirs: () => void, rounds: number): string {
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds + 3; round++) {
    const mine = round % 2 === 0 ? milliseconds(ours) : 0;
    const peer = milliseconds(theirs);
    pairs.push([round % 2 === 0 ? mine : milliseconds(ours), peer]);
  }
  const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
  const kept = pairs.slice(3);
  const mine = median(kept.map(([own]) => own));
  const peer = median(kept.map(([, other]) => other));
  const ratio = median(kept.map(([own, other]) => other / own));
  return `${mine.toFixed(1)} ms, three ${peer.toFixed(1)} ms, ${ratio.toFixed(1)}x`;
}

const source = loadBvh(text);
const target = loadBvh(walkerBvh(1));
const calibration = calibrate(source, target);
console.log(
  `reading ${frames} frames: ${beside(
    () => void loadBvh(text),
    () => void new BVHLoader().parse(text),
    11,
  )}`,
);

/** three wants an object with a skeleton. */
function holder({ skeleton }: BVH): Object3D & { skeleton: Skeleton } {
  const group = new Group();
  group.add(skeleton.bones[0]!);
  return Object.assign(group, { skeleton });
}
const parsed = new BVHLoader().parse(text);
const from = holder(parsed);
const to = holder(new BVHLoader().parse(walkerBvh(1)));
const names = Object.fromEntries(to.skeleton.bones.map(({ name }) => [name, name]));
const clip: AnimationClip = parsed.clip;
console.log(
  `retargeting them: ${beside(
    () => void retargetClip(calibration, source, 0),
    () => void threeRetargetClip(to, from, clip, { hip: 'Hips', names, fps: 30 }),
    11,
  )}`,
);

const pose = createRetargetedPose(calibration);
const local = { ...calibration.source };
for (let i = 0; i < 20_000; i++) retargetPose(calibration, local, pose);
const count = 100_000;
const perPose = milliseconds(() => {
  for (let i = 0; i < count; i++) retargetPose(calibration, local, pose);
});
console.log(`one pose of ${calibration.roles.length} bones: ${((perPose * 1e6) / count).toFixed(0)} ns`);
