/**
 * What the collider fit decided for chains, noted at their root nodes: the groups of colliders that a chain feels, where
 * no spring says it, and what of its links is tested.
 */
import type { ChainDefinition, Skeleton } from '../../asset/asset.js';
import { FollowthroughError } from '../../asset/errors.js';
import { groupsOfMask, setChainTag } from '../gltf/chainTag.js';
import { objectsAt, oneLine } from '../gltf/json.js';
import type { GltfPatch } from '../gltf/patch.js';
import type { SpringMotion } from './expressible.js';

/**
 * Writes `suggested` of chains into the tags of their root nodes. Where there are no colliders there is nothing to say:
 * a list of groups from before is taken out.
 *
 * @param motion - springs and groups that the file says
 * @returns whether anything changed
 * @throws FollowthroughError `invalid-argument` for a bone that does not exist; `unsupported-file` where the node has
 * extras that are no object
 */
export function writeChainTags(
  patch: GltfPatch,
  skeleton: Skeleton,
  chains: readonly ChainDefinition[],
  { colliders, groups, springs }: SpringMotion,
): boolean {
  const nodes = objectsAt(patch.json, 'nodes', '');
  const sprung = new Set(springs.map(({ joints }) => joints[0]?.bone));
  let changed = false;
  for (const [c, { bones, suggested = {} }] of chains.entries()) {
    const root = bones[0]!;
    const node = skeleton.nodes[root];
    if (node === undefined)
      throw new FollowthroughError(
        'invalid-argument',
        oneLine(`chains/${c}/bones/0: there is no bone ${root}`),
      );
    const { colliderMask: mask, contactPart } = suggested;
    const isAllSaid = sprung.has(root) || colliders.length === 0;
    const felt = isAllSaid
      ? { colliderGroups: undefined }
      : { colliderGroups: groupsOfMask(mask ?? 0, groups.length) };
    const members = {
      ...(mask === undefined && !isAllSaid ? {} : felt),
      ...(contactPart === undefined || colliders.length === 0 ? {} : { contactPart }),
    };
    if (setChainTag(nodes[node]!, members, `/nodes/${node}`)) changed = true;
  }
  return changed;
}
