/**
 * A file taken apart but not yet read: its lists of objects, checked to be lists of objects, and the parts of
 * them that a character needs. What nothing here refers to is never loaded, decoded or judged.
 */
import type { TrackPath } from '../../asset/asset.js';
import { parseGltfJson, type Container } from './container.js';
import { indexAt, listAt, objectAt, objectsAt, type JsonObject } from './json.js';

/** The lists of a glTF file. */
export interface GltfFile {
  /** The whole JSON. */
  json: JsonObject;
  /** The binary chunk of a GLB. */
  bin: Uint8Array | undefined;
  /** Top-level lists, empty where missing. */
  nodes: JsonObject[];
  meshes: JsonObject[];
  skins: JsonObject[];
  animations: JsonObject[];
  accessors: JsonObject[];
  bufferViews: JsonObject[];
  buffers: JsonObject[];
}

/** Indices of the parts that hold what a character needs. */
export interface UsedParts {
  accessors: Set<number>;
  bufferViews: Set<number>;
  buffers: Set<number>;
}

/** Names under which the meshopt extension is in use; both have the same members. */
export const MESHOPT: readonly string[] = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];
/** Name of the Draco extension. */
export const DRACO = 'KHR_draco_mesh_compression';

/** Takes the lists out of a container. */
export function openGltf(container: Container): GltfFile {
  return gltfFileOf(parseGltfJson(container.text), container.bin);
}

/** Takes the lists out of a file's JSON. */
export function gltfFileOf(json: JsonObject, bin: Uint8Array | undefined): GltfFile {
  const list = (key: string): JsonObject[] => objectsAt(json, key, '');
  return {
    json,
    bin,
    nodes: list('nodes'),
    meshes: list('meshes'),
    skins: list('skins'),
    animations: list('animations'),
    accessors: list('accessors'),
    bufferViews: list('bufferViews'),
    buffers: list('buffers'),
  };
}

/** True for the vertex attributes that are read. */
export function isReadAttribute(semantic: string): boolean {
  return semantic === 'POSITION' || /^(?:JOINTS|WEIGHTS)_\d+$/.test(semantic);
}

/** True for the animated properties that are read (morph weights and pointers are not). */
export function isReadPath(path: unknown): path is TrackPath {
  return path === 'translation' || path === 'rotation' || path === 'scale';
}

/** The extension `name` of an object, undefined when it has none. */
export function extensionOf(owner: JsonObject, name: string, place: string): JsonObject | undefined {
  const extensions = objectAt(owner, 'extensions', place);
  return extensions && objectAt(extensions, name, `${place}/extensions`);
}

/** The meshopt extension of a buffer view. */
export function meshoptOf(view: JsonObject, place: string): JsonObject | undefined {
  return extensionOf(view, MESHOPT[0]!, place) ?? extensionOf(view, MESHOPT[1]!, place);
}

/** Finds the accessors, buffer views and buffers that positions, weights, skins and clips stand in. */
export function usedParts(file: GltfFile): UsedParts {
  const used: UsedParts = { accessors: new Set(), bufferViews: new Set(), buffers: new Set() };
  const take = (owner: JsonObject, key: string, place: string): void => {
    const index = indexAt(owner, key, place, file.accessors.length);
    if (index >= 0) used.accessors.add(index);
  };
  file.meshes.forEach((mesh, m) => {
    objectsAt(mesh, 'primitives', `/meshes/${m}`).forEach((primitive, p) => {
      const place = `/meshes/${m}/primitives/${p}`;
      const attributes = objectAt(primitive, 'attributes', place) ?? {};
      for (const semantic of Object.keys(attributes))
        if (isReadAttribute(semantic)) take(attributes, semantic, `${place}/attributes`);
      take(primitive, 'indices', place);
      const draco = extensionOf(primitive, DRACO, place);
      if (draco) useView(file, used, draco, `${place}/extensions/${DRACO}`);
    });
  });
  file.skins.forEach((skin, s) => take(skin, 'inverseBindMatrices', `/skins/${s}`));
  file.animations.forEach((animation, a) => {
    const samplers = objectsAt(animation, 'samplers', `/animations/${a}`);
    objectsAt(animation, 'channels', `/animations/${a}`).forEach((channel, c) => {
      const place = `/animations/${a}/channels/${c}`;
      if (!isReadPath(objectAt(channel, 'target', place)?.['path'])) return;
      const s = indexAt(channel, 'sampler', place, samplers.length);
      if (s < 0) return;
      take(samplers[s]!, 'input', `/animations/${a}/samplers/${s}`);
      take(samplers[s]!, 'output', `/animations/${a}/samplers/${s}`);
    });
  });
  useAccessors(file, used);
  return used;
}

/** Adds the buffer views and buffers that the used accessors stand in. */
export function useAccessors(file: GltfFile, used: UsedParts): void {
  for (const index of used.accessors) {
    const accessor = file.accessors[index]!;
    const place = `/accessors/${index}`;
    useView(file, used, accessor, place);
    const sparse = objectAt(accessor, 'sparse', place);
    for (const part of ['indices', 'values']) {
      const owner = sparse && objectAt(sparse, part, `${place}/sparse`);
      if (owner) useView(file, used, owner, `${place}/sparse/${part}`);
    }
  }
}

/** Adds the buffer view that an object refers to, and its buffer. */
export function useView(file: GltfFile, used: UsedParts, owner: JsonObject, place: string): void {
  const index = indexAt(owner, 'bufferView', place, file.bufferViews.length);
  if (index < 0) return;
  used.bufferViews.add(index);
  const view = file.bufferViews[index]!;
  const holder = meshoptOf(view, `/bufferViews/${index}`) ?? view;
  const buffer = indexAt(holder, 'buffer', `/bufferViews/${index}`, file.buffers.length);
  if (buffer >= 0) used.buffers.add(buffer);
}

/** The strings of a top-level list. */
export function namesAt(json: JsonObject, key: string): string[] {
  return listAt(json, key, '').filter((name): name is string => typeof name === 'string');
}
