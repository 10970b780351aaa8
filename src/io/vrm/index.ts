/**
 * VRM 0.x and 1.0, and glTF files with spring bones: springs, colliders and node constraints as data, and springs and
 * colliders written back.
 *
 * @module followthrough/vrm
 */
export { loadVrm, type VrmAsset } from './loadVrm.js';
export { tuneSprings, type SpringEdit } from './tuneSprings.js';
export { writeSprings } from './writeSprings.js';
export type {
  AddedEnd,
  WriteSpringsOptions,
  WriteSpringsReport,
  WriteSpringsResult,
} from './writeSprings.js';
