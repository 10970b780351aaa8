/**
 * Taking a primitive out of Draco's hands: every attribute and the triangle corners get plain data as it was decoded,
 * and the extension goes (KHR_draco_mesh_compression). The compressed bytes stay in the file, unreferenced.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { padded } from './container.js';
import type { Components } from './decoders.js';
import { DRACO, extensionOf } from './gltfFile.js';
import { isObject, listAt, memberOf, objectAt, objectsAt, type JsonObject } from './json.js';
import { appendView, boundsOf, bytesOf, itemOf, listOf, type GltfPatch } from './patch.js';
import { primitiveOf, type PatchReader, type PrimitiveIndex } from './patchReader.js';

const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;
const TRIANGLES = 4;

/**
 * Makes a primitive plain; nothing happens to one that is not compressed. Attributes that were given other accessors
 * since the reader was opened keep those.
 *
 * @throws FollowthroughError `unsupported-file` when the primitive has no accessor for its triangle corners
 */
export function makePlain(patch: GltfPatch, reader: PatchReader, index: PrimitiveIndex): void {
  const primitive = primitiveOf(patch, index);
  const place = `/meshes/${index.mesh}/primitives/${index.primitive}`;
  const draco = extensionOf(primitive, DRACO, place);
  if (!draco) return;
  if (memberOf(primitive, 'indices') === undefined)
    throw new FollowthroughError('unsupported-file', `${place}/indices: is missing beside ${DRACO}`);
  const attributes = objectAt(primitive, 'attributes', place) ?? {};
  const compressed = Object.keys(objectAt(draco, 'attributes', place) ?? {});
  for (const semantic of compressed)
    if (Object.hasOwn(attributes, semantic)) fill(patch, reader, attributes, semantic, ARRAY_BUFFER);
  fill(patch, reader, primitive, 'indices', ELEMENT_ARRAY_BUFFER);
  // Draco holds triangles even where the primitive says strip.
  if (memberOf(primitive, 'mode') !== undefined) primitive['mode'] = TRIANGLES;
  const extensions = primitive['extensions'] as JsonObject;
  delete extensions[DRACO];
  if (Object.keys(extensions).length === 0) delete primitive['extensions'];
  if (!usesExtension(patch.json, DRACO)) forgetExtension(patch.json, DRACO);
}

/** Gives the accessor at `owner[key]` its data, or the owner a new one where others use it or it has data of its own. */
function fill(
  patch: GltfPatch,
  reader: PatchReader,
  owner: JsonObject,
  key: string,
  target: typeof ARRAY_BUFFER | typeof ELEMENT_ARRAY_BUFFER,
): void {
  const index = memberOf(owner, key) as number;
  const components = reader.unpacked.get(index);
  if (!components) return;
  const { width, componentType } = reader.read(index);
  const data = narrowed(components, componentType);
  const old = itemOf(patch, 'accessors', index)!;
  const accessor =
    countUsers(patch.json, index) > 1 || memberOf(old, 'bufferView') !== undefined ? { ...old } : old;
  delete accessor['byteOffset'];
  delete accessor['sparse'];
  const bytes = bytesOf(data);
  const element = data.BYTES_PER_ELEMENT * width;
  const stride = target === ARRAY_BUFFER ? padded(element) : element;
  accessor['bufferView'] = appendView(patch, spaced(bytes, element, stride), {
    ...(stride === element ? {} : { byteStride: stride }),
    target,
  });
  // Draco is lossy, so the bounds of the data that went in do not hold for the data that comes out.
  if (memberOf(accessor, 'min') !== undefined || memberOf(accessor, 'max') !== undefined)
    Object.assign(accessor, boundsOf(data, width));
  if (accessor !== old) owner[key] = listOf(patch.json, 'accessors', '').push(accessor) - 1;
}

/** Triangle corners come as 32 bit numbers, whatever the accessor says. */
function narrowed(components: Components, componentType: number): Components {
  if (componentType === 5121 && !(components instanceof Uint8Array)) return Uint8Array.from(components);
  if (componentType === 5123 && !(components instanceof Uint16Array)) return Uint16Array.from(components);
  return components;
}

/** Elements at a stride; vertex attributes must start at multiples of four bytes. */
function spaced(bytes: Uint8Array, element: number, stride: number): Uint8Array {
  if (element === stride) return bytes;
  const count = bytes.length / element;
  const out = new Uint8Array(count * stride);
  for (let i = 0; i < count; i++) out.set(bytes.subarray(i * element, (i + 1) * element), i * stride);
  return out;
}

/** How many attributes, morph targets and corner lists of all primitives refer to an accessor. */
function countUsers(json: JsonObject, accessor: number): number {
  let users = 0;
  const count = (owner: JsonObject | undefined): void => {
    for (const value of Object.values(owner ?? {})) if (value === accessor) users++;
  };
  for (const mesh of objectsAt(json, 'meshes', ''))
    for (const primitive of objectsAt(mesh, 'primitives', '')) {
      count(objectAt(primitive, 'attributes', ''));
      objectsAt(primitive, 'targets', '').forEach(count);
      count({ indices: memberOf(primitive, 'indices') });
    }
  return users;
}

/** True when anything in the file carries the extension. */
function usesExtension(json: JsonObject, name: string): boolean {
  const open: unknown[] = [json];
  while (open.length > 0) {
    const value = open.pop();
    if (isObject(value)) {
      const extensions = memberOf(value, 'extensions');
      if (isObject(extensions) && Object.hasOwn(extensions, name)) return true;
      open.push(...Object.values(value));
    } else if (Array.isArray(value)) for (const item of value) open.push(item);
  }
  return false;
}

/** Takes an extension off the lists of the file; a list that would be empty goes. */
function forgetExtension(json: JsonObject, name: string): void {
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    const list = listAt(json, key, '');
    if (!list.includes(name)) continue;
    const rest = list.filter((other) => other !== name);
    if (rest.length > 0) json[key] = rest;
    else delete json[key];
  }
}
