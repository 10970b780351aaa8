/**
 * Whether a clip that loops jumps where it wraps: root motion that starts anew, or a pass that does not close. Chains
 * must not feel that jump (docs/solver.md, "Teleport").
 */
import { angleQuat, degrees, distance3 } from '../math/index.js';
import type { PreparedClip } from './clipSampling.js';
import { columnLength } from './columns3.js';
import type { Rig } from './rig.js';

/** Largest turn of a bone between the first and the last pose of a closed loop, degrees. */
export const closedTurnDeg = 1;
/** Largest way of a bone between the first and the last pose of a closed loop, share of the chain's length. */
export const closedWay = 0.01;

/**
 * @param bones - the asset's bones that carry an attachment: itself and everything above it
 * @param chainLength - length of the shortest chain that hangs there, world units of the neutral pose
 */
export function clipJumps(
  rig: Rig,
  clip: PreparedClip,
  bones: ReadonlySet<number>,
  chainLength: number,
): boolean {
  return clip.tracks.some((track) => {
    if (!bones.has(track.bone) || track.path === 'scale') return false;
    const { values, size, interpolation } = track;
    const perKey = interpolation === 'cubic' ? 3 * size : size;
    const first = interpolation === 'cubic' ? size : 0;
    const last = values.length - perKey + first;
    if (track.path === 'rotation') return degrees(angleQuat(values, first, values, last)) > closedTurnDeg;
    const parent = rig.asset.skeleton.parents[track.bone]!;
    const scale = parent < 0 ? 1 : columnLength(rig.neutral.worlds.subarray(16 * parent), 0);
    return distance3(values, first, values, last) * scale > closedWay * chainLength;
  });
}
