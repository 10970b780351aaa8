/**
 * `loadGltf`: bytes in, {@link Asset} out. The stages: container, structure, buffers, decoding, the readers
 * of nodes, skins, meshes and clips, validator. Nothing but FollowthroughError leaves it.
 */
import type { Asset } from '../../asset/asset.js';
import { FollowthroughError, type Warning } from '../../asset/errors.js';
import { readSecondary } from '../vrm/readSecondary.js';
import { accessorReader, unpackDraco } from './accessors.js';
import { loadBuffers, loadViews, type ResolveUri } from './buffers.js';
import { readChainTags } from './chainTag.js';
import { readClips } from './clips.js';
import { parseContainer } from './container.js';
import type { DecoderOptions } from './decoders.js';
import { checkExtensions } from './extensions.js';
import { openGltf, usedParts } from './gltfFile.js';
import { oneLine } from './json.js';
import { readMeshes } from './meshes.js';
import { readSkeleton } from './skeleton.js';
import { readSkins } from './skins.js';
import { validateGltf } from './validate.js';

/** How to load a file. */
export interface LoadGltfOptions {
  /** Name for messages and {@link Asset.name}. Default `asset`. */
  name?: string;
  /** Reads a file that a .gltf refers to. Needed only for files with external buffers. */
  resolve?: ResolveUri;
  /**
   * Whether to run Khronos' validator first and refuse files with faults in what is read. Default true. Without
   * it only what would make the character unusable is refused.
   */
  validate?: boolean;
  /** Decoders to use instead of the npm packages, for instance where a bundler cannot load their WebAssembly. */
  decoders?: DecoderOptions;
}

/**
 * Loads a character from a .glb or .gltf file: all nodes as bones, skins, meshes and clips, decoded to float64.
 * The same bytes give the same numbers in every engine. Textures, materials, cameras and scenes are not read.
 *
 * @param bytes - the file; either container
 * @param options - name, access to external files, validation, decoders
 * @returns the character; what had to be repaired or passed over stands in its `warnings`
 * @throws FollowthroughError `invalid-file` when a part that is read is broken, with the place as a JSON pointer;
 * `unsupported-file` when it needs an extension or version that is not supported; `invalid-argument` when
 * `bytes` are no bytes
 *
 * @example
 * const fox = await loadGltf(new Uint8Array(await (await fetch('fox.glb')).arrayBuffer()), { name: 'fox' });
 * console.log(fox.skeleton.names, fox.clips.map((clip) => clip.name));
 */
export async function loadGltf(
  bytes: Uint8Array | ArrayBuffer,
  options: LoadGltfOptions = {},
): Promise<Asset> {
  try {
    return await load(asBytes(bytes), options);
  } catch (error) {
    if (error instanceof FollowthroughError) throw error;
    // Whatever a hostile file can still provoke in a decoder or by sheer size is the file's fault.
    const why = error instanceof Error ? error.message : String(error);
    throw new FollowthroughError('invalid-file', oneLine(`the file cannot be read, ${why}`));
  }
}

async function load(bytes: Uint8Array, options: LoadGltfOptions): Promise<Asset> {
  const { resolve, decoders = {} } = options;
  const warnings: Warning[] = [];
  const container = parseContainer(bytes);
  const file = openGltf(container);
  const { skeleton, boneOfNode } = readSkeleton(file.nodes, warnings);
  const used = usedParts(file);
  checkExtensions(file, used);
  const buffers = await loadBuffers(file, used, resolve);
  const views = await loadViews(file, used, buffers, decoders);
  const read = accessorReader(file, views, await unpackDraco(file, views, decoders));
  const skins = readSkins(file, boneOfNode, read);
  const meshes = readMeshes(file, boneOfNode, skins, read, warnings);
  const clips = readClips(file, boneOfNode, read, warnings);
  const secondary = readSecondary(file, skeleton, boneOfNode, warnings);
  const groups = secondary?.groups.length ?? 0;
  const suggestions = readChainTags(file.nodes, boneOfNode, groups, warnings);
  // Last, so that the validator only sees sizes that have been found to be real.
  if (options.validate !== false) await validateGltf(bytes, container.text, file, used, buffers, warnings);
  const asset = { name: options.name ?? 'asset', skeleton, skins, meshes, clips, suggestions, warnings };
  return secondary ? { ...asset, secondary } : asset;
}

/** Accepts any view of bytes, Node's Buffer among them. */
export function asBytes(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  throw new FollowthroughError('invalid-argument', 'bytes: expected a Uint8Array or an ArrayBuffer');
}
