/**
 * The rest pose of a BVH file: OFFSETs, with rotations of zero. Where these cannot be the skeleton that moves (all zero,
 * or far from the translations that the frames give) the first frame's translations stand in.
 */
import type { Warning } from '../../asset/errors.js';
import { distance3, length3 } from '../../math/index.js';
import { isRotation, type Bvh } from './bvh.js';
import { createPose, poseOfFrame, type PositionMeaning } from './bvhPose.js';

/** Difference between OFFSET and the first frame, as a share of the longer, above which the frame counts. */
const CONTRADICTION = 0.1;

/** Rest translations, 3 per joint, file units. */
export function restTranslations(
  bvh: Bvh,
  meanings: readonly PositionMeaning[],
  warnings: Warning[],
): Float64Array {
  const { joints } = bvh;
  const rest = new Float64Array(3 * joints.length);
  for (const [j, joint] of joints.entries()) rest.set(joint.offset, 3 * j);
  if (bvh.frameCount > 0) {
    const first = createPose(bvh);
    poseOfFrame(bvh, meanings, 0, first);
    const replaced: string[] = [];
    for (const [j, joint] of joints.entries()) {
      if (joint.parent < 0 || joint.channels.every(isRotation)) continue;
      const longer = Math.max(length3(rest, 3 * j), length3(first.translations, 3 * j));
      if (distance3(rest, 3 * j, first.translations, 3 * j) <= CONTRADICTION * longer) continue;
      rest.set(first.translations.subarray(3 * j, 3 * j + 3), 3 * j);
      replaced.push(joint.name);
    }
    if (replaced.length > 0)
      warnings.push({
        code: 'rest-offset',
        message: `OFFSET of ${replaced.length} joints is not where the frames put them; the rest pose has their place of the first frame`,
        at: replaced[0]!,
      });
  }
  return rest;
}

/** Distance from the first root to the farthest joint or tip of the rest pose: the length of a leg or an arm, file units. */
export function reach({ joints }: Bvh, rest: Float64Array): number {
  const places = new Float64Array(3 * joints.length);
  const tip = new Float64Array(3);
  let farthest = 0;
  for (const [j, { parent, ends }] of joints.entries()) {
    for (let k = 0; k < 3; k++)
      places[3 * j + k] = parent < 0 ? 0 : places[3 * parent + k]! + rest[3 * j + k]!;
    farthest = Math.max(farthest, length3(places, 3 * j));
    for (const { offset } of ends) {
      for (let k = 0; k < 3; k++) tip[k] = places[3 * j + k]! + offset[k]!;
      farthest = Math.max(farthest, length3(tip, 0));
    }
  }
  return farthest;
}
