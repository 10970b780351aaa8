/**
 * Inverse bind matrices of bones that are no joints of a skin: there the file says none, but its other joints and the
 * neutral pose do.
 */
import type { Asset, Skin } from '../asset/asset.js';
import { invertMat4, multiplyMat4 } from '../math/mat4.js';
import type { Neutral } from './neutralPose.js';

/**
 * Writes what takes the space of a skin to the frame of a bone, 16 numbers at `o`. A joint of the skin has its own
 * matrix; any other bone gets that of the nearest joint above it, else of the first joint, with the neutral pose
 * between the two; -1 is the world.
 *
 * @param neutralPose - asked only where it is needed
 * @returns false, and zeros written, when the bone has no size in the neutral pose
 */
export function writeInverseBind(
  out: Float64Array,
  o: number,
  asset: Asset,
  skin: Skin,
  bone: number,
  neutralPose: () => Neutral,
): boolean {
  let joint = -1;
  for (let b = bone; b >= 0 && joint < 0; b = asset.skeleton.parents[b]!) joint = skin.joints.indexOf(b);
  joint = Math.max(joint, 0);
  out.set(skin.inverseBinds.subarray(16 * joint, 16 * joint + 16), o);
  const driver = skin.joints[joint]!;
  if (driver === bone) return true;
  // bone <- world <- driver <- skin space, in the neutral pose
  const { worlds } = neutralPose();
  multiplyMat4(out, o, worlds, 16 * driver, out, o);
  if (bone < 0) return true;
  const inverse = new Float64Array(16);
  if (!invertMat4(inverse, 0, worlds, 16 * bone)) {
    out.fill(0, o, o + 16);
    return false;
  }
  multiplyMat4(out, o, inverse, 0, out, o);
  return true;
}
