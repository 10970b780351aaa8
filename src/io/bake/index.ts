/**
 * Baking chain motion into the clips of a glTF file.
 *
 * @module followthrough/bake
 */
export { bakeGltf } from './bakeGltf.js';
export type { BakeOptions, BakeReport, BakeResult } from './bakeGltf.js';
export type { ClipReport } from './bakeClip.js';
export type { ChainOwner } from './owners.js';
