/**
 * What a file says about secondary motion, from whichever extensions it has: VRM 1.0 (`VRMC_vrm`), VRM 0.x (`VRM`),
 * VRM animations (`VRMC_vrm_animation`, of which only the humanoid bones are read), `VRMC_springBone` and `VRMC_node_constraint` in any file. Where both versions of VRM stand in a file, 1.0 is read.
 */
import type { Skeleton } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import type { SecondaryMotion } from '../../asset/secondary.js';
import type { GltfFile } from '../gltf/gltfFile.js';
import { isObject, memberOf, type JsonObject } from '../gltf/json.js';
import { buildTree } from './boneTree.js';
import { hasConstraints, readConstraints } from './constraints.js';
import { readHumanoid, readHumanoid0 } from './humanoid.js';
import { isReadableVersion, objectIn, report, type VrmReading } from './reading.js';
import { readSecondaryAnimation } from './secondaryAnimation.js';
import { readSpringBone, SPRING_BONE } from './springBone.js';

const ROOT = '/extensions';
const ANIMATION = 'VRMC_vrm_animation';

/**
 * Reads springs, colliders, constraints and humanoid bones.
 *
 * @param file - the file taken apart
 * @param skeleton - its nodes
 * @param boneOfNode - bone of each node
 * @param warnings - receives what was put right or left out
 * @returns undefined when the file has none of the extensions
 * @throws FollowthroughError `invalid-file` with a JSON pointer for JSON that is not what the extensions hold
 */
export function readSecondary(
  { json, nodes }: GltfFile,
  skeleton: Skeleton,
  boneOfNode: Int32Array,
  warnings: Warning[],
): SecondaryMotion | undefined {
  const extensions = memberOf(json, 'extensions');
  const holder = isObject(extensions) ? extensions : {};
  const names = [SPRING_BONE, 'VRMC_vrm', 'VRM', ANIMATION].filter(
    (name) => (memberOf(holder, name) ?? undefined) !== undefined,
  );
  if (names.length === 0 && !hasConstraints(nodes)) return undefined;
  const tree = buildTree(nodes, boneOfNode, skeleton.parents);
  const reading: VrmReading = { nodes, skeleton, boneOfNode, tree, warnings, said: new Set() };
  const versioned = (name: string): JsonObject | undefined => {
    const extension = objectIn(holder, name, ROOT);
    return extension && isReadableVersion(reading, extension, `${ROOT}/${name}`, name)
      ? extension
      : undefined;
  };
  const vrm = versioned('VRMC_vrm');
  const springBone = versioned(SPRING_BONE);
  const animation = vrm ? undefined : versioned(ANIMATION);
  const vrm0 = objectIn(holder, 'VRM', ROOT);
  const isNew = vrm !== undefined || springBone !== undefined;
  if (isNew && vrm0)
    report(reading, 'vrm-versions', `${ROOT}/VRM`, 'stands beside VRM 1.0, which is read instead');
  const motion = springBone
    ? readSpringBone(reading, springBone)
    : vrm0 && !isNew
      ? readSecondaryAnimation(reading, vrm0)
      : { colliders: [], groups: [], springs: [] };
  return {
    source: vrm ? 'vrm-1' : vrm0 && !isNew ? 'vrm-0' : animation && !springBone ? 'vrma' : 'springbone',
    ...motion,
    constraints: readConstraints(reading),
    humanoid: vrm
      ? readHumanoid(reading, vrm, 'VRMC_vrm')
      : vrm0
        ? readHumanoid0(reading, vrm0)
        : animation
          ? readHumanoid(reading, animation, ANIMATION)
          : {},
  };
}
