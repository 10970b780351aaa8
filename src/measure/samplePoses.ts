/**
 * The poses that a measurement looks at: evenly spaced instants of a clip, with the chains simulated or as the
 * clip has them. A loop is sampled at i D / n (its end is its start), a one-shot at i D / (n - 1), ends included.
 */
import type { Asset, Clip, Warning } from '../asset/index.js';
import { type BonePose, savedPose, updateWorlds } from './bonePose.js';
import { simulatePass } from './clipPass.js';
import { clipPoser } from './clipPoser.js';
import type { ChainSetup } from './passRecorder.js';

/** What {@link samplePoses} needs to know. */
export interface SampleOptions {
  /** Number of instants. */
  samples: number;
  /** `chain` simulates, the others show the clip. */
  pose: 'rigid' | 'chain' | 'clip';
  /** File units per metre. */
  unit?: number;
  /** Ticks per second, default 120. */
  tickRate?: number;
  /** Whether the clip is repeated. */
  loops: boolean;
  /** Most simulated seconds before the measured pass. */
  maxWarmup?: number;
  /** Called now and then with the simulated seconds so far. */
  onProgress?: (seconds: number) => void;
}

/** What the sampling found out. */
export interface Sampled {
  /** How far the simulated loop stays open, degrees; null unless a loop was simulated. */
  seamDeg: number | null;
  /** What happened while simulating. */
  warnings: Warning[];
}

/**
 * Walks through the instants.
 *
 * @param visit - receives the pose with world matrices (valid during the call) and the number of the instant
 */
export function samplePoses(
  asset: Asset,
  clip: Clip,
  chains: ChainSetup[],
  options: SampleOptions,
  visit: (pose: BonePose, index: number) => void,
): Sampled {
  const { samples, loops } = options;
  const intervals = loops ? samples : Math.max(1, samples - 1);
  const loop = loops ? 'on' : 'off';
  const pass =
    options.pose === 'chain'
      ? simulatePass(asset, clip, chains, { ...options, ticksMultiple: intervals, loop })
      : undefined;
  const poseAt = clipPoser(asset, clip, options.pose === 'clip' ? 'keep-baked' : 'drop-baked');
  const pose = savedPose(asset);
  for (let i = 0; i < samples; i++) {
    poseAt(Math.min((i * clip.duration) / intervals, clip.duration), pose);
    if (pass) {
      const tick = (i * pass.ticks) / intervals;
      pass.bones.forEach((bone, b) => {
        const o = 4 * (tick * pass.bones.length + b);
        pose.rotations.set(pass.rotations.subarray(o, o + 4), 4 * bone);
      });
    }
    updateWorlds(asset.skeleton, pose);
    visit(pose, i);
  }
  return { seamDeg: pass?.seamDeg ?? null, warnings: pass?.warnings ?? [] };
}
