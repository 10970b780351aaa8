/**
 * The arithmetic every number of a world goes through: + - * / and sqrt only, so that the same inputs give the same
 * bits in every engine and on every processor. The rule and its reasons: docs/determinism.md.
 */
export { degrees, radians } from './angle.js';
export { exp, log } from './exp.js';
export {
  createHash,
  finishHash,
  hashDoubles,
  hashValue,
  hashWords,
  startHash,
  type HashLanes,
} from './hash.js';
export { acos, asin, atan, atan2 } from './inverseTrig.js';
export {
  composeMat4,
  decomposeMat4,
  determinant3,
  identityMat4,
  invertMat4,
  multiplyMat4,
  transformDirection,
  transformPoint,
} from './mat4.js';
export type { Numbers } from './numbers.js';
export {
  angleQuat,
  axisAngleQuat,
  conjugateQuat,
  identityQuat,
  limitAngleQuat,
  multiplyQuat,
  normalizeQuat,
  quatFromMat4,
  rotateVec3,
  swingQuat,
  swingTwist,
  writeUnitQuat,
} from './quat.js';
export { slerpQuat, slerpQuatBy } from './slerp.js';
export { cos, sin, tan } from './trig.js';
export { mathVersion } from './version.js';
export { angleBetween3, cross3, distance3, dot3, length3, normalize3 } from './vec3.js';
