/**
 * Required extensions: one that nobody here knows stops a file only when it sits on something that is read,
 * where it could stand for the data (a new compression). VRM, materials, lights and the like never do.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { DRACO, MESHOPT, namesAt, type GltfFile, type UsedParts } from './gltfFile.js';
import { isObject, memberOf, objectsAt, oneLine, type JsonObject } from './json.js';

/** Extensions that are understood, or that leave the data they sit on as it is. */
const HARMLESS: ReadonlySet<string> = new Set([
  DRACO,
  ...MESHOPT,
  'KHR_mesh_quantization',
  'KHR_materials_variants',
  'KHR_animation_pointer',
  'EXT_mesh_features',
  'EXT_structural_metadata',
  'EXT_instance_features',
]);

/**
 * Refuses a file whose required extension may change what is read.
 *
 * @throws FollowthroughError `unsupported-file`
 */
export function checkExtensions(file: GltfFile, used: UsedParts): void {
  const required = namesAt(file.json, 'extensionsRequired').filter((name) => !HARMLESS.has(name));
  if (required.length === 0) return;
  const look = (owner: unknown, place: string): void => {
    const extensions = isObject(owner) ? memberOf(owner, 'extensions') : undefined;
    if (!isObject(extensions)) return;
    for (const name of required)
      if (Object.hasOwn(extensions, name))
        throw new FollowthroughError(
          'unsupported-file',
          oneLine(`${place}: needs the extension ${name}, which is not supported`),
        );
  };
  const lookAt = (owners: readonly JsonObject[], key: string, place: string): void =>
    owners.forEach((owner, i) =>
      objectsAt(owner, key, `${place}/${i}`).forEach((part, k) => look(part, `${place}/${i}/${key}/${k}`)),
    );
  for (const i of used.buffers) look(file.buffers[i], `/buffers/${i}`);
  for (const i of used.bufferViews) look(file.bufferViews[i], `/bufferViews/${i}`);
  for (const i of used.accessors) {
    look(file.accessors[i], `/accessors/${i}`);
    look(file.accessors[i]!['sparse'], `/accessors/${i}/sparse`);
  }
  file.meshes.forEach((mesh, i) => look(mesh, `/meshes/${i}`));
  file.skins.forEach((skin, i) => look(skin, `/skins/${i}`));
  file.animations.forEach((animation, i) => look(animation, `/animations/${i}`));
  lookAt(file.meshes, 'primitives', '/meshes');
  lookAt(file.animations, 'channels', '/animations');
  lookAt(file.animations, 'samplers', '/animations');
}
