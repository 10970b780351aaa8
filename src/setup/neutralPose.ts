/**
 * The neutral pose as data, and what is read from it: positions, size, how far the saved pose lies off.
 */
import type { Asset } from '../asset/asset.js';
import type { Warning } from '../asset/errors.js';
import { degrees } from '../math/angle.js';
import { angleQuat } from '../math/quat.js';
import { distance3 } from '../math/vec3.js';

/** The pose in which chains rest and from which bends are measured. All arrays are indexed by bone. */
export interface Neutral {
  /** Local translations, 3 per bone, in the parent's units. */
  translations: Float64Array;
  /** Local rotations, 4 per bone, unit x, y, z, w. */
  rotations: Float64Array;
  /** Local scales, 3 per bone. */
  scales: Float64Array;
  /** World matrices, 16 per bone, column-major, of exactly the locals above; top-level nodes stand in world space. */
  worlds: Float64Array;
  /** 1: from inverse bind matrices, 0: the node's saved translation, rotation, scale. */
  sources: Uint8Array;
  /** What had to be guessed or disagrees. */
  warnings: Warning[];
}

/**
 * Angle between the saved and the neutral local rotation of a bone, in degrees.
 */
export function savedPoseDeg(asset: Asset, neutral: Neutral, bone: number): number {
  return degrees(angleQuat(asset.skeleton.rotations, 4 * bone, neutral.rotations, 4 * bone));
}

/** Diagonal of the box around all heads in the neutral pose, in world units. */
export function modelSize(neutral: Neutral): number {
  const low = new Float64Array([Infinity, Infinity, Infinity]);
  const high = new Float64Array([-Infinity, -Infinity, -Infinity]);
  for (let o = 12; o < neutral.worlds.length; o += 16) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, neutral.worlds[o + k]!);
      high[k] = Math.max(high[k]!, neutral.worlds[o + k]!);
    }
  }
  return neutral.worlds.length === 0 ? 0 : distance3(low, 0, high, 0);
}
