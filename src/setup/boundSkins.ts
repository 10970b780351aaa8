/**
 * Bind matrices of a character's skins, ready to be compared: W^0 = inverse bind^-1 per joint, only where it exists.
 * Which two matrices give a joint's neutral local is decided here (`docs/solver.md`, "Rest").
 */
import type { Asset, Skin } from '../asset/asset.js';
import type { Warning } from '../asset/errors.js';
import { invertMat4, multiplyMat4 } from '../math/mat4.js';
import { length3 } from '../math/vec3.js';

/** One skin, prepared: the bind matrices that can be used. */
export interface BoundSkin {
  /** Index in {@link Asset.skins}. */
  index: number;
  /** Number of the joint per bone, -1 where the skin does not hold the bone or its matrix is singular. */
  jointOf: Int32Array;
  /** W^0 per joint, 16 each: joint space to skin space at bind. */
  binds: Float64Array;
  /** Largest distance of a joint from the mean of the joints, in skin space; the yardstick for disagreements. */
  size: number;
}

/**
 * Prepares all skins of an asset that say something about the bind pose.
 *
 * @param warnings - receives `no-bind` and `singular-bind`
 */
export function boundSkins(asset: Asset, warnings: Warning[]): BoundSkin[] {
  const bound: BoundSkin[] = [];
  for (const [index, skin] of asset.skins.entries()) {
    if (saysNothing(skin)) {
      const message = `skin ${skin.name} has no bind pose of its own (all inverse bind matrices are equal): the saved pose is used`;
      warnings.push({ code: 'no-bind', message, at: skin.name });
      continue;
    }
    bound.push(boundSkin(asset, skin, index, warnings));
  }
  return bound;
}

/** A skin of several joints whose matrices are all the same (absent in the file) would put every joint in one place. */
function saysNothing(skin: Skin): boolean {
  if (skin.joints.length < 2) return false;
  return skin.inverseBinds.every((value, k) => value === skin.inverseBinds[k % 16]);
}

function boundSkin(asset: Asset, skin: Skin, index: number, warnings: Warning[]): BoundSkin {
  const jointOf = new Int32Array(asset.skeleton.count).fill(-1);
  const binds = new Float64Array(16 * skin.joints.length);
  const centre = new Float64Array(3);
  let used = 0;
  for (const [joint, bone] of skin.joints.entries()) {
    if (jointOf[bone]! >= 0) continue;
    if (
      !isFinite16(skin.inverseBinds, 16 * joint) ||
      !invertMat4(binds, 16 * joint, skin.inverseBinds, 16 * joint)
    ) {
      const at = asset.skeleton.names[bone]!;
      const message = `the inverse bind matrix of joint ${at} in skin ${skin.name} cannot be inverted: its saved pose is used`;
      warnings.push({ code: 'singular-bind', message, at });
      continue;
    }
    jointOf[bone] = joint;
    used++;
    for (let k = 0; k < 3; k++) centre[k]! += binds[16 * joint + 12 + k]!;
  }
  return { index, jointOf, binds, size: reach(binds, jointOf, centre, used) };
}

function reach(binds: Float64Array, jointOf: Int32Array, sum: Float64Array, count: number): number {
  const offset = new Float64Array(3);
  let size = 0;
  for (const joint of jointOf) {
    if (joint < 0) continue;
    for (let k = 0; k < 3; k++) offset[k] = binds[16 * joint + 12 + k]! - sum[k]! / count;
    size = Math.max(size, length3(offset, 0));
  }
  return size;
}

function isFinite16(values: Float64Array, offset: number): boolean {
  for (let k = offset; k < offset + 16; k++) if (!Number.isFinite(values[k]!)) return false;
  return true;
}

/**
 * Local matrix of `bone` relative to `ancestor` by the bind matrices of one skin that holds both.
 *
 * @param out - receives 16 numbers
 */
export function bindRatio(skin: BoundSkin, ancestor: number, bone: number, out: Float64Array): void {
  invertMat4(out, 0, skin.binds, 16 * skin.jointOf[ancestor]!);
  multiplyMat4(out, 0, out, 0, skin.binds, 16 * skin.jointOf[bone]!);
}

/**
 * Nearest ancestor with which a bone shares a skin, and the first skin that holds both.
 *
 * @returns undefined when there is none
 */
export function sharedSkin(
  asset: Asset,
  skins: BoundSkin[],
  bone: number,
): { skin: BoundSkin; ancestor: number } | undefined {
  const { parents } = asset.skeleton;
  for (let ancestor = parents[bone]!; ancestor >= 0; ancestor = parents[ancestor]!) {
    const skin = skins.find(({ jointOf }) => jointOf[bone]! >= 0 && jointOf[ancestor]! >= 0);
    if (skin !== undefined) return { skin, ancestor };
  }
  return undefined;
}
