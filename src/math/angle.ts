/**
 * Degrees and radians: radians inside the library and in its API, degrees on the command line, in reports and in
 * names that end in Deg.
 */

/** pi / 180 and 180 / pi, each rounded once to the nearest double. */
const RADIANS_PER_DEGREE = 0.017453292519943295;
const DEGREES_PER_RADIAN = 57.29577951308232;

/**
 * Radians from degrees. The error is at most 1 ulp: one rounded constant and one rounded product.
 *
 * @param angleDeg - an angle in degrees
 * @returns the angle in radians
 */
export function radians(angleDeg: number): number {
  return angleDeg * RADIANS_PER_DEGREE;
}

/**
 * Degrees from radians. The error is at most 1.5 ulp: one rounded constant and one rounded product.
 *
 * @param angleRad - an angle in radians
 * @returns the angle in degrees
 */
export function degrees(angleRad: number): number {
  return angleRad * DEGREES_PER_RADIAN;
}
