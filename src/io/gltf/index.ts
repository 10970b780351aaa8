/**
 * Entry point `followthrough/gltf`: glTF 2.0 files in and out.
 */
export { loadGltf, type LoadGltfOptions } from './load.js';
export type { ResolveUri } from './buffers.js';
export type { DecoderOptions, DracoModule, MeshoptModule } from './decoders.js';
export {
  appendAccessor,
  openPatch,
  type GltfPatch,
  type OpenPatchOptions,
  type PatchData,
  type PatchType,
} from './patch.js';
export type { Container } from './container.js';
export type { JsonObject } from './json.js';
export { addClip } from './addClip.js';
export { setRotationTracks, type SetTracksResult } from './rotationTracks.js';
export type { RotationTrack } from './bakedTag.js';
export { writePatch, type WritePatchOptions } from './writePatch.js';
