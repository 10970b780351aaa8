/**
 * `loadVrm`: {@link loadGltf} for files that must say something about secondary motion.
 */
import type { Asset } from '../../asset/asset.js';
import { FollowthroughError } from '../../asset/errors.js';
import type { SecondaryMotion } from '../../asset/secondary.js';
import { loadGltf, type LoadGltfOptions } from '../gltf/load.js';

/** A character with springs, colliders, constraints or humanoid bones. */
export interface VrmAsset extends Asset {
  /** What its file says about secondary motion; lists are empty where it says nothing. */
  secondary: SecondaryMotion;
}

/**
 * Loads a character from a .vrm (VRM 0.x or 1.0), or from a .glb or .gltf with `VRMC_springBone` or
 * `VRMC_node_constraint`, whatever the name of the file. `loadGltf` reads the same; this one insists on it.
 *
 * References that point nowhere, numbers out of range, springs that are no chains, bones in two springs and the like
 * are put right or left out, and said in `warnings` (codes that begin with `vrm-`).
 *
 * @param bytes - the file
 * @param options - as for `loadGltf`
 * @returns the character with `secondary`
 * @throws FollowthroughError those of `loadGltf`; `invalid-file` when the file has none of the extensions
 *
 * @example
 * const { secondary } = await loadVrm(await readFile('avatar.vrm'));
 * console.log(secondary.springs.map(({ name, joints }) => `${name}: ${joints.length}`));
 */
export async function loadVrm(
  bytes: Uint8Array | ArrayBuffer,
  options: LoadGltfOptions = {},
): Promise<VrmAsset> {
  const asset = await loadGltf(bytes, options);
  const { secondary } = asset;
  if (!secondary)
    throw new FollowthroughError(
      'invalid-file',
      '/extensions: expected VRM, VRMC_vrm, VRMC_springBone or VRMC_node_constraint',
    );
  return { ...asset, secondary };
}
