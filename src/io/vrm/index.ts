/**
 * VRM 0.x and 1.0, and glTF files with spring bones: springs, colliders and node constraints as data.
 *
 * @module followthrough/vrm
 */
export { loadVrm, type VrmAsset } from './loadVrm.js';
