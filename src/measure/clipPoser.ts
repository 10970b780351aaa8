/**
 * A clip as a player shows it: its tracks over the pose that the file is saved in.
 */
import type { Asset, Clip } from '../asset/index.js';
import { prepareClip, sampleClip } from '../setup/clipSampling.js';
import { type BonePose, resetPose } from './bonePose.js';

/**
 * A function that writes the clip's local transforms at a time (seconds) over the file's saved pose.
 *
 * @param bakedKeys - what becomes of keys that this library baked: they are its own motion, not the artist's, so a
 *   simulation drops them and only a look at the clip as it is keeps them
 */
export function clipPoser(
  asset: Asset,
  clip: Clip,
  bakedKeys: 'keep-baked' | 'drop-baked',
): (time: number, pose: BonePose) => void {
  const baked = new Set(bakedKeys === 'drop-baked' ? clip.bakedBones : []);
  const tracks = clip.tracks.filter((track) => track.path !== 'rotation' || !baked.has(track.bone));
  const prepared = prepareClip({ ...clip, tracks });
  return (time, pose) => {
    resetPose(asset, pose);
    sampleClip(prepared, time, pose.translations, pose.rotations, pose.scales, 0);
  };
}
