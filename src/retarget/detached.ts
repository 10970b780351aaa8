/**
 * Bones that hang from elsewhere than the body does: feet that a rig hangs from its root for its own IK, the halves of a
 * body beside each other. Rotations alone would leave them where they are, so they get a place: the one they have beside
 * the bone that they belong to.
 */
import { conjugateQuat, rotateVec3 } from '../math/index.js';
import { isBelow } from './namedSkeleton.js';
import { placeOf, type RestPose } from './restPose.js';

/** A mapped bone whose place is made. */
export interface Detached {
  /** Its index among the mapped bones. */
  index: number;
  /** Index of the mapped bone that it belongs to. */
  owner: number;
  /** Its place in the frame of that bone, world units. */
  offset: Float64Array;
}

/** Of each bone the ones that it may belong to, the nearest first. */
const OWNERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(left|right)Toes$/, ['$1Foot']],
  [/^(left|right)Foot$/, ['$1LowerLeg']],
  [/^(left|right)LowerLeg$/, ['$1UpperLeg']],
  [/^(left|right)UpperLeg$/, ['hips']],
  [/^(left|right)Hand$/, ['$1LowerArm']],
  [/^(left|right)LowerArm$/, ['$1UpperArm']],
  [/^(left|right)UpperArm$/, ['$1Shoulder', 'upperChest', 'chest', 'spine']],
  [/^(left|right)Shoulder$/, ['upperChest', 'chest', 'spine']],
  [/^(left|right)(Thumb|Index|Middle|Ring|Little)Distal$/, ['$1$2Intermediate', '$1$2Proximal', '$1Hand']],
  [/^(left|right)(Index|Middle|Ring|Little)Intermediate$/, ['$1$2Proximal', '$1Hand']],
  [/^(left|right)ThumbProximal$/, ['$1ThumbMetacarpal', '$1Hand']],
  [/^(left|right)(?:Thumb|Index|Middle|Ring|Little)(?:Proximal|Metacarpal)$/, ['$1Hand']],
  [/^(?:leftEye|rightEye|jaw)$/, ['head']],
  [/^head$/, ['neck', 'upperChest', 'chest', 'spine']],
  [/^neck$/, ['upperChest', 'chest', 'spine']],
  [/^upperChest$/, ['chest', 'spine']],
  [/^chest$/, ['spine']],
  [/^spine$/, ['hips']],
];

/** Mapped bones whose nearest mapped ancestors do not reach the bone that they belong to, from the hips outwards. */
export function detachedBones(
  target: RestPose,
  roles: readonly string[],
  targetBones: Int32Array,
): Detached[] {
  const found = roles.flatMap((role, index): Detached[] => {
    const owner = ownerOf(role, roles);
    if (owner < 0 || isBelow(target.parents, targetBones[index]!, targetBones[owner]!)) return [];
    const offset = placeOf(target, targetBones[index]!);
    const origin = placeOf(target, targetBones[owner]!);
    for (let k = 0; k < 3; k++) offset[k] = offset[k]! - origin[k]!;
    const back = new Float64Array(4);
    conjugateQuat(back, 0, target.worldRotations, 4 * targetBones[owner]!);
    rotateVec3(offset, 0, back, 0, offset, 0);
    return [{ index, owner, offset }];
  });
  // A foot is placed when its shin stands where the thigh takes it.
  return found.toSorted((a, b) => steps(a.index, roles) - steps(b.index, roles) || a.index - b.index);
}

/** How many bones a bone belongs to, one through the other. */
function steps(index: number, roles: readonly string[]): number {
  const owner = ownerOf(roles[index]!, roles);
  return owner < 0 ? 0 : 1 + steps(owner, roles);
}

function ownerOf(role: string, roles: readonly string[]): number {
  for (const [pattern, owners] of OWNERS)
    if (pattern.test(role))
      for (const owner of owners) {
        const found = roles.indexOf(role.replace(pattern, owner));
        if (found >= 0) return found;
      }
  return -1;
}
