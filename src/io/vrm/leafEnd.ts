/**
 * The end of a VRM 0.x chain whose last bone has no child: 7 cm further in the direction in which the bone stands from
 * its parent (VRM 0.0 specification; VRMC_springBone 1.0, "For vrm0"). In the space of the bone, so it grows with it.
 */
import type { Skeleton } from '../../asset/asset.js';
import { conjugateQuat, rotateVec3 } from '../../math/quat.js';
import { normalize3 } from '../../math/vec3.js';
import { boneName, report, type Vector, type VrmReading } from './reading.js';

/** Metres. */
const LEAF_LENGTH = 0.07;

/**
 * The direction in which each bone goes on, in its own space, 3 per bone: from its parent's head to its own. A bone that
 * stands on its parent goes on like that; 0, 0, 0 where nothing above it has a direction either.
 */
export function boneDirections({ count, parents, rotations, translations }: Skeleton): Float64Array {
  const directions = new Float64Array(3 * count);
  const inverse = [0, 0, 0, 1];
  for (let bone = 0; bone < count; bone++) {
    const parent = parents[bone]!;
    if (normalize3(directions, 3 * bone, translations, 3 * bone) === 0 && parent >= 0)
      directions.copyWithin(3 * bone, 3 * parent, 3 * parent + 3);
    // Models that are not normalised have rotations.
    conjugateQuat(inverse, 0, rotations, 4 * bone);
    rotateVec3(directions, 3 * bone, inverse, 0, directions, 3 * bone);
  }
  return directions;
}

/**
 * The end of a leaf in its own space; up where it has no direction.
 *
 * @param directions - those of {@link boneDirections}
 * @param place - where the file names the chain, for the report
 */
export function leafEnd(reading: VrmReading, directions: Float64Array, leaf: number, place: string): Vector {
  const [x = 0, y = 0, z = 0] = directions.subarray(3 * leaf, 3 * leaf + 3);
  const hasDirection = x !== 0 || y !== 0 || z !== 0;
  if (reading.skeleton.translations.subarray(3 * leaf, 3 * leaf + 3).every((value) => value === 0)) {
    const guess = hasDirection ? 'continues the bone above' : 'points up';
    report(reading, 'vrm-leaf', place, `${boneName(reading, leaf)} stands on its parent; its end ${guess}`);
  }
  return hasDirection ? [LEAF_LENGTH * x, LEAF_LENGTH * y, LEAF_LENGTH * z] : [0, LEAF_LENGTH, 0];
}
