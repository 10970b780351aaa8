/**
 * How tall a character stands in the pose its file is saved in: the extent of its skinned meshes along up.
 */
import type { Asset } from '../asset/index.js';
import type { Neutral } from '../setup/neutral.js';
import { savedPose } from './bonePose.js';
import type { SkinnedEdges } from './skinnedEdges.js';
import { createSkinPoser, skinPoints } from './skinning.js';

/**
 * Height in file units, null without a skinned mesh.
 *
 * @param up - unit vector
 */
export function characterHeight(
  asset: Asset,
  neutral: Neutral,
  meshes: SkinnedEdges[],
  up: readonly number[],
): number | null {
  const pose = savedPose(asset);
  let low = Infinity;
  let high = -Infinity;
  for (const mesh of meshes) {
    const attachments = [asset.skins[mesh.skin]!.joints[0]!];
    const poser = createSkinPoser(asset, neutral, mesh, attachments);
    skinPoints(asset, poser, attachments, pose, false);
    for (let p = 0; p < poser.posed.length; p += 3) {
      const y = poser.posed[p]! * up[0]! + poser.posed[p + 1]! * up[1]! + poser.posed[p + 2]! * up[2]!;
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
  }
  return high > low ? high - low : null;
}
