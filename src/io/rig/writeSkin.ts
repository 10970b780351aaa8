/**
 * A skin with more joints: they stand behind the old ones, and so do their inverse bind matrices in a new accessor.
 */
import { FollowthroughError, type Skeleton, type Skin } from '../../asset/index.js';
import { memberOf, type JsonObject } from '../gltf/json.js';
import { appendAccessor, itemOf, type GltfPatch } from '../gltf/patch.js';

/**
 * Extends a skin of the file.
 *
 * @param old - the skin as it was read
 * @param skin - the skin as it shall be, the old joints first
 * @param skeleton - with the new bones
 */
export function writeSkin(patch: GltfPatch, index: number, old: Skin, skin: Skin, skeleton: Skeleton): void {
  const json = itemOf(patch, 'skins', index)!;
  const added = skin.joints.subarray(old.joints.length);
  (json['joints'] as number[]).push(...Array.from(added, (bone) => skeleton.nodes[bone]!));
  json['inverseBindMatrices'] = appendAccessor(patch, Float32Array.from(skin.inverseBinds), 'MAT4');
  raiseRoot(json, added, skeleton);
}

/**
 * Refuses to add joints that hang in another tree than all others, which glTF forbids.
 *
 * @throws FollowthroughError `unsupported-file`
 */
export function checkRoots(old: Skin, skin: Skin, skeleton: Skeleton): void {
  const tops = (joints: Int32Array): Set<number> =>
    new Set(Array.from(joints, (bone) => ancestors(skeleton, bone).at(-1)!));
  if (tops(old.joints).size === 1 && tops(skin.joints).size > 1)
    throw new FollowthroughError(
      'unsupported-file',
      `skin ${skin.name}: the new joints share no root node with its joints, expected one tree`,
    );
}

/** `skeleton` must be above every joint: a node that is not is replaced by the nearest above it that is. */
function raiseRoot(json: JsonObject, added: Int32Array, skeleton: Skeleton): void {
  const node = memberOf(json, 'skeleton');
  const bone = skeleton.nodes.indexOf(node as number);
  if (node === undefined || bone < 0) return;
  const ways = Array.from(added, (joint) => ancestors(skeleton, joint));
  const root = ancestors(skeleton, bone).find((above) => ways.every((way) => way.includes(above)));
  if (root === undefined) delete json['skeleton'];
  else json['skeleton'] = skeleton.nodes[root]!;
}

/** A bone and all bones above it, the top last. */
function ancestors({ parents }: Skeleton, bone: number): number[] {
  const way: number[] = [];
  for (let b = bone; b >= 0; b = parents[b]!) way.push(b);
  return way;
}
