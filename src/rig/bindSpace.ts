/**
 * From the space of a skin to the world of the neutral pose: W(joint) x inverse bind (docs/rigging.md, "Bind space"). All
 * joints of a consistent skin give the same map; the rootmost joint is taken, and in a further skin one that an earlier
 * skin holds too, since the neutral pose took that joint's matrices from there.
 */
import type { Asset } from '../asset/asset.js';
import { invertMat4, multiplyMat4 } from '../math/mat4.js';
import type { Neutral } from '../setup/neutralPose.js';

/**
 * Maps of all skins.
 *
 * @returns 16 numbers per skin, column-major, skin space -> world; zeros for a skin whose map is singular or not finite
 */
export function skinSpaces(asset: Asset, neutral: Neutral): Float64Array {
  const spaces = new Float64Array(16 * asset.skins.length);
  const inverse = new Float64Array(16);
  const known = new Set<number>();
  for (const [s, { joints, inverseBinds }] of asset.skins.entries()) {
    const order = [...joints.keys()].toSorted((a, b) => joints[a]! - joints[b]! || a - b);
    const joint = order.find((j) => known.has(joints[j]!)) ?? order[0];
    if (joint === undefined) continue;
    multiplyMat4(spaces, 16 * s, neutral.worlds, 16 * joints[joint]!, inverseBinds, 16 * joint);
    if (!invertMat4(inverse, 0, spaces, 16 * s)) spaces.fill(0, 16 * s, 16 * s + 16);
    for (const bone of joints) known.add(bone);
  }
  return spaces;
}
