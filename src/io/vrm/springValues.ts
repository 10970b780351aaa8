/**
 * What both versions of VRM share about springs: the force of gravity in one form, and which node can be a center.
 */
import type { SpringDefinition, SpringJoint } from '../../asset/secondary.js';
import { normalize3 } from '../../math/vec3.js';
import { isAbove } from './boneTree.js';
import { claimedDownTo, type Claims } from './claims.js';
import { boneName, report, type Vector, type VrmReading } from './reading.js';

/** Where gravity points when a file does not say it. */
export const DOWN: Readonly<Vector> = [0, -1, 0];

/** By how much a unit vector that was rounded to float32 may miss 1. */
const UNIT_NOISE = 1e-6;

/**
 * Gravity as size and unit direction. The algorithm multiplies the two as they stand, so the length of a direction that
 * is not unit goes into the size, and a zero direction is no gravity.
 *
 * @param power - size; below 0 it turns the direction over
 */
export function gravityOf(power: number, dir: Vector): Pick<SpringJoint, 'gravityPower' | 'gravityDir'> {
  const unit: Vector = [0, 0, 0];
  const length = normalize3(unit, 0, dir, 0);
  if (length === 0) return { gravityPower: 0, gravityDir: [...DOWN] };
  const size = Math.abs(length - 1) < UNIT_NOISE ? power : power * length;
  return {
    gravityPower: Math.min(Math.abs(size), Number.MAX_VALUE),
    gravityDir: power < 0 ? [0 - unit[0], 0 - unit[1], 0 - unit[2]] : unit,
  };
}

/**
 * The center of a spring. It should be the first joint or stand above it, apart from other springs (VRMC_springBone
 * 1.0, "Center Space"). Where it only breaks that rule it is kept; one that the spring itself moves, or that another
 * spring moves from elsewhere, would follow what it is to measure and is left out.
 *
 * @param claims - the bones of all springs
 * @param center - bone that the file names, -1 for none
 * @param isStrict - whether the format has that rule (1.0): then what is kept is reported too
 * @returns the center, -1 for none
 */
export function usableCenter(
  reading: VrmReading,
  claims: Claims,
  spring: SpringDefinition,
  center: number,
  place: string,
  isStrict: boolean,
): number {
  if (center < 0) return -1;
  const { tree, skeleton } = reading;
  const first = spring.joints[0]!.bone;
  const isOnWay = center === first || isAbove(tree, center, first);
  const isSwung = claimedDownTo(claims, tree, center === first ? skeleton.parents[center]! : center) > 0;
  const problem = isAbove(tree, first, center)
    ? 'hangs from the spring itself'
    : isSwung
      ? 'is moved by another spring'
      : 'is not above the spring';
  const isUsable = isOnWay || !isSwung;
  if (!isUsable || (isStrict && (isSwung || !isOnWay)))
    report(
      reading,
      'vrm-center',
      place,
      `center ${boneName(reading, center)} ${problem}; ${isUsable ? 'kept' : 'left out'}`,
    );
  return isUsable ? center : -1;
}
