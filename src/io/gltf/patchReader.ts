/**
 * Reading a file that is being changed: accessors and primitives are decoded as in loading, but only those asked for,
 * and of primitives compressed by Draco every attribute, since they cannot be changed and stay compressed.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { accessorReader, unpackPrimitive, type AccessorReader } from './accessors.js';
import { loadBuffers, loadViews } from './buffers.js';
import type { Components, DecoderOptions } from './decoders.js';
import { DRACO, extensionOf, gltfFileOf, useAccessors, useView, type UsedParts } from './gltfFile.js';
import { indexAt, objectAt, objectsAt, oneLine, refuse, type JsonObject } from './json.js';
import type { GltfPatch } from './patch.js';

/** Indices of a primitive: mesh, and the primitive in it. */
export interface PrimitiveIndex {
  mesh: number;
  primitive: number;
}

/** What {@link openPatchReader} gives. */
export interface PatchReader {
  /** Decoded accessors that the primitives' attributes stand in. */
  read: AccessorReader;
  /** Components of accessors whose data Draco holds. */
  unpacked: ReadonlyMap<number, Components>;
}

/** The JSON of a primitive. */
export function primitiveOf(patch: GltfPatch, { mesh, primitive }: PrimitiveIndex): JsonObject {
  const json = objectsAt(patch.json, 'meshes', '')[mesh];
  const found = json && objectsAt(json, 'primitives', `/meshes/${mesh}`)[primitive];
  return found ?? refuse(`/meshes/${mesh}/primitives/${primitive}`, 'is missing');
}

/**
 * Gets ready to read primitives as the file came; what a patch overwrote is not seen.
 *
 * @param primitives - whose attributes will be read
 * @param isWanted - which attributes; of Draco's, all are decoded
 * @throws FollowthroughError `invalid-file` when their data is missing or broken
 */
export async function openPatchReader(
  patch: GltfPatch,
  primitives: readonly PrimitiveIndex[],
  isWanted: (semantic: string) => boolean,
  decoders: DecoderOptions,
): Promise<PatchReader> {
  const file = gltfFileOf(patch.json, patch.container.bin);
  const used: UsedParts = { accessors: new Set(), bufferViews: new Set(), buffers: new Set() };
  const found = primitives.map((index) => {
    const json = primitiveOf(patch, index);
    const place = `/meshes/${index.mesh}/primitives/${index.primitive}`;
    const attributes = objectAt(json, 'attributes', place) ?? {};
    for (const semantic of Object.keys(attributes))
      if (isWanted(semantic))
        used.accessors.add(indexAt(attributes, semantic, `${place}/attributes`, file.accessors.length));
    const draco = extensionOf(json, DRACO, place);
    if (draco) useView(file, used, draco, `${place}/extensions/${DRACO}`);
    return { json, place };
  });
  useAccessors(file, used);
  for (const view of used.bufferViews)
    if (patch.appended.has(view))
      throw new FollowthroughError(
        'invalid-argument',
        `/bufferViews/${view}: was appended by this patch, expected one of the file`,
      );
  const buffers = await loadBuffers(file, used, async (uri) => externalFile(patch, uri));
  const views = await loadViews(file, used, buffers, decoders);
  const unpacked = new Map<number, Components>();
  for (const { json, place } of found) {
    const parts = await unpackPrimitive(file, json, place, views, decoders, () => true);
    for (const [accessor, components] of parts) unpacked.set(accessor, components);
  }
  return { read: accessorReader(file, views, unpacked), unpacked };
}

function externalFile(patch: GltfPatch, uri: string): Uint8Array {
  const bytes = patch.files.get(uri);
  if (bytes instanceof Uint8Array) return bytes;
  throw new Error(oneLine(bytes ?? 'only files beside the .gltf are read'));
}
