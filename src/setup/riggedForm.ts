/**
 * Chains in the form that the rig pass gives them: Tail_1 to Tail_K with Tail_End, or Hair_1 to Hair_K with Hair_End (a
 * number behind the word for further chains), all with the bind rotation of what they hang from. The form decides which
 * family of defaults applies (docs/solver.md, "Rest").
 */
import type { Asset, ChainDefinition } from '../asset/asset.js';
import { angleQuat, rotateVec3 } from '../math/quat.js';
import { dot3, normalize3 } from '../math/vec3.js';
import { anatomicalFrame, type AnatomicalFrame } from './anatomicalFrame.js';
import { recoverNeutral } from './neutral.js';

/** Angle up to which bind rotations count as shared, in radians (0.01 degrees). */
const SHARED_ROTATION = 1.7e-4;
/** Cosine of the angle to straight down within which a tail hangs: 60 degrees. */
const HANGS = 0.5;

/** Base name of the hair that the rig pass builds, of which `name` may be the first bone. */
export function riggedHairBase(name: string): string | undefined {
  return /^(Hair\d*)_1$/.exec(name)?.[1];
}

/**
 * Family of defaults of a chain. A tail of the rig pass that hangs is lifted and centred (`rigged`): it was modelled
 * hanging between the legs because nobody could pose it. One that was modelled level, raised or curled keeps its shape,
 * as an artist's does.
 */
export function chainOrigin(asset: Asset, chain: ChainDefinition): ChainDefinition['origin'] {
  const { names } = asset.skeleton;
  const base = /^((?:Tail|Hair)\d*)_1$/.exec(names[chain.bones[0]!]!)?.[1];
  if (base === undefined || chain.end < 0 || chain.attachment < 0) return 'artist';
  if (names[chain.end] !== `${base}_End`) return 'artist';
  if (chain.bones.some((bone, i) => names[bone] !== `${base}_${i + 1}`)) return 'artist';
  const neutral = recoverNeutral(asset);
  const none = [0, 0, 0, 1];
  const shared = [...chain.bones, chain.end].every(
    (bone) => angleQuat(neutral.rotations, 4 * bone, none, 0) <= SHARED_ROTATION,
  );
  if (!shared) return 'artist';
  if (base.startsWith('Hair')) return 'hair';
  const heads = new Float64Array(6);
  heads.set(neutral.worlds.subarray(16 * chain.bones[0]! + 12, 16 * chain.bones[0]! + 15));
  heads.set(neutral.worlds.subarray(16 * chain.end + 12, 16 * chain.end + 15), 3);
  return hangs(anatomicalFrame(asset, neutral), heads) ? 'rigged' : 'artist';
}

/**
 * Whether a chain hangs: its way from root to end lies within 60 degrees of straight down, by the body's own up.
 *
 * @param heads - root first, end last, 3 each, world
 */
export function hangs(frame: AnatomicalFrame, heads: Float64Array): boolean {
  const way = new Float64Array(3);
  for (let k = 0; k < 3; k++) way[k] = heads[heads.length - 3 + k]! - heads[k]!;
  normalize3(way, 0, way, 0);
  const up = Float64Array.of(0, 1, 0);
  rotateVec3(up, 0, frame.rotation, 0, up, 0);
  return dot3(way, 0, up, 0) < -HANGS;
}
