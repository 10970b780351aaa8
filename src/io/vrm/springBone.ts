/**
 * Springs and colliders of VRM 1.0, or of a plain file: VRMC_springBone 1.0. A joint turns its bone so that it points at
 * the next joint; the last joint of a spring is only an end, its values mean nothing.
 */
import type { SecondaryMotion, SpringDefinition, SpringJoint } from '../../asset/secondary.js';
import { memberOf, type JsonObject } from '../gltf/json.js';
import { isAbove } from './boneTree.js';
import { claim, claimedDownTo, createClaims, type Claims } from './claims.js';
import { readMark } from './colliderMark.js';
import { EXTENDED, readShape } from './colliderShapes.js';
import { boneIn, boneName, numberIn, objectIn, objectsIn, referencesIn, report } from './reading.js';
import { stringIn, vectorIn, type VrmReading } from './reading.js';
import { DOWN, gravityOf, usableCenter } from './springValues.js';

/** Name of the extension. */
export const SPRING_BONE = 'VRMC_springBone';

const ROOT = `/extensions/${SPRING_BONE}`;

/** A joint as the file lists it. */
interface ListedJoint {
  bone: number;
  json: JsonObject;
  place: string;
}

/** Reads springs, colliders and their groups. */
export function readSpringBone(
  reading: VrmReading,
  extension: JsonObject,
): Pick<SecondaryMotion, 'colliders' | 'groups' | 'springs'> {
  const colliders: SecondaryMotion['colliders'] = [];
  // Index of each collider of the file in the list above, -1 for those left out.
  const kept = objectsIn(extension, 'colliders', ROOT).map((collider, c) => {
    const place = `${ROOT}/colliders/${c}`;
    const bone = boneIn(reading, collider, 'node', place);
    const shape = bone < 0 ? undefined : readShape(reading, collider, place);
    const fitted = shape && readMark(reading, collider, place);
    return shape ? colliders.push({ bone, shape, ...(fitted && { fitted }) }) - 1 : -1;
  });
  const groups = objectsIn(extension, 'colliderGroups', ROOT).map((group, g) => {
    const place = `${ROOT}/colliderGroups/${g}`;
    const members = referencesIn(reading, group, 'colliders', place, kept.length, 'collider');
    return {
      name: stringIn(group, 'name', place) || `group${g}`,
      colliders: members.map((c) => kept[c]!).filter((index) => index >= 0),
    };
  });
  return { colliders, groups, springs: readSprings(reading, extension, groups.length) };
}

function readSprings(reading: VrmReading, extension: JsonObject, groupCount: number): SpringDefinition[] {
  const claims = createClaims(reading.skeleton.count);
  const found: { spring: SpringDefinition; center: number; place: string }[] = [];
  objectsIn(extension, 'springs', ROOT).forEach((json, s) => {
    const place = `${ROOT}/springs/${s}`;
    const name = stringIn(json, 'name', place) || `spring${s}`;
    const groups = referencesIn(reading, json, 'colliderGroups', place, groupCount, 'collider group');
    const center =
      (memberOf(json, 'center') ?? undefined) === undefined ? -1 : boneIn(reading, json, 'center', place);
    for (const part of freeParts(reading, claims, listedJoints(reading, json, place), place))
      found.push({
        spring: { name, ...part, endOffset: undefined, groups: [...groups], center: -1 },
        center,
        place,
      });
  });
  // Only now is it known which bones swing.
  for (const { spring, center, place } of found) {
    spring.center = usableCenter(reading, claims, spring, center, `${place}/center`, true);
    if (claims.taken[spring.end])
      report(
        reading,
        'vrm-duplicate',
        place,
        `ends at ${boneName(reading, spring.end)}, which belongs to another spring as well`,
      );
  }
  return found.map(({ spring }) => spring);
}

/** The joints of a spring that exist, from root to tip; none, and reported, when they are no chain. */
function listedJoints(reading: VrmReading, spring: JsonObject, place: string): ListedJoint[] {
  const joints: ListedJoint[] = [];
  objectsIn(spring, 'joints', place).forEach((json, j) => {
    const at = `${place}/joints/${j}`;
    const bone = boneIn(reading, json, 'node', at);
    if (bone < 0) return;
    if (bone === joints.at(-1)?.bone)
      report(reading, 'vrm-duplicate', at, `${boneName(reading, bone)} for the second time; left out`);
    else joints.push({ bone, json, place: at });
  });
  if (joints.length < 2) {
    const problem = joints.length === 0 ? 'no joints' : 'one joint only, which turns nothing';
    report(reading, 'vrm-spring', place, `${problem}; left out`);
    return [];
  }
  for (let j = 1; j < joints.length; j++) {
    const { bone, place: at } = joints[j]!;
    const before = joints[j - 1]!.bone;
    if (isAbove(reading.tree, before, bone)) continue;
    const problem = `${boneName(reading, bone)} does not hang from the joint before it, ${boneName(reading, before)}`;
    report(reading, 'vrm-spring', at, `${problem}; the spring is left out`);
    return [];
  }
  return joints;
}

/** Claims the bones of a spring. Those of earlier springs are left out, which can leave several parts. */
function freeParts(
  reading: VrmReading,
  claims: Claims,
  joints: readonly ListedJoint[],
  place: string,
): Pick<SpringDefinition, 'joints' | 'end'>[] {
  const { tree, skeleton } = reading;
  const parts: Pick<SpringDefinition, 'joints' | 'end'>[] = [];
  let isOpen = false;
  for (let j = 0; j + 1 < joints.length; j++) {
    const { bone, json, place: at } = joints[j]!;
    const end = joints[j + 1]!.bone;
    const above = skeleton.parents[end]!;
    const passed = claimedDownTo(claims, tree, above) - claimedDownTo(claims, tree, bone);
    if (claims.taken[bone] || passed > 0) {
      const problem = claims.taken[bone]
        ? `${boneName(reading, bone)} belongs to an earlier spring`
        : `${boneName(reading, bone)} passes over a bone of an earlier spring`;
      report(reading, 'vrm-duplicate', at, `${problem}; left out`);
      isOpen = false;
      continue;
    }
    for (let passing = above; passing !== bone; passing = skeleton.parents[passing]!)
      claim(claims, tree, passing);
    claim(claims, tree, bone);
    if (!isOpen) parts.push({ joints: [], end });
    isOpen = true;
    const part = parts.at(-1)!;
    part.joints.push(readJoint(reading, bone, json, at));
    part.end = end;
    reportExtensions(reading, json, at, place);
  }
  return parts;
}

function readJoint(reading: VrmReading, bone: number, json: JsonObject, place: string): SpringJoint {
  const value = (key: string, missing: number, max?: number): number =>
    numberIn(reading, json, key, place, { missing, min: 0, ...(max === undefined ? {} : { max }) });
  return {
    bone,
    hitRadius: value('hitRadius', 0),
    stiffness: value('stiffness', 1),
    ...gravityOf(value('gravityPower', 0), vectorIn(reading, json, 'gravityDir', place, DOWN) ?? [...DOWN]),
    dragForce: value('dragForce', 0.5, 1),
  };
}

/** Limits of bending (VRMC_springBone_limit, a draft) and the like are not read. */
function reportExtensions(reading: VrmReading, json: JsonObject, at: string, spring: string): void {
  for (const name of Object.keys(objectIn(json, 'extensions', at) ?? {})) {
    const what = name === EXTENDED ? `${name} on a joint` : name;
    report(reading, 'vrm-extension', `${spring}/joints`, `${what} is not read; the joints go without`);
  }
}
