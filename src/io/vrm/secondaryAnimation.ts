/**
 * Springs and colliders of VRM 0.x (`extensions.VRM.secondaryAnimation`, VRM 0.0 specification). A group names root
 * bones, everything below them swings: a chain goes on with the first child, every other child begins one of its own,
 * and a bone without children gets an end 7 cm ahead. Vectors are those of a left-handed engine: z is turned over.
 */
import type { SecondaryMotion, SpringDefinition, SpringJoint } from '../../asset/secondary.js';
import { listAt, memberOf, type JsonObject } from '../gltf/json.js';
import { isAbove } from './boneTree.js';
import { claim, createClaims, type Claims } from './claims.js';
import { boneDirections, leafEnd } from './leafEnd.js';
import { asBone, boneIn, boneName, numberIn, objectIn, objectsIn, referencesIn, report } from './reading.js';
import { stringIn, xyzIn, type Vector, type VrmReading } from './reading.js';
import { DOWN, gravityOf, usableCenter } from './springValues.js';

const ROOT = '/extensions/VRM/secondaryAnimation';

/** Reads springs, colliders and their groups. */
export function readSecondaryAnimation(
  reading: VrmReading,
  extension: JsonObject,
): Pick<SecondaryMotion, 'colliders' | 'groups' | 'springs'> {
  const json = objectIn(extension, 'secondaryAnimation', '/extensions/VRM') ?? {};
  const colliders: SecondaryMotion['colliders'] = [];
  const groups = objectsIn(json, 'colliderGroups', ROOT).map((group, g) => {
    const place = `${ROOT}/colliderGroups/${g}`;
    const bone = boneIn(reading, group, 'node', place);
    const members: number[] = [];
    objectsIn(group, 'colliders', place).forEach((collider, c) => {
      const at = `${place}/colliders/${c}`;
      const offset = xyzIn(reading, collider, 'offset', at, [0, 0, 0]);
      const radius = numberIn(reading, collider, 'radius', at, { missing: 0, min: 0 });
      if (!offset) report(reading, 'vrm-shape', at, 'the collider has no place; left out');
      if (!offset || bone < 0) return;
      const shape = { kind: 'sphere', offset: turned(offset), radius, inside: false } as const;
      members.push(colliders.push({ bone, shape }) - 1);
    });
    return { name: `group${g}`, colliders: members };
  });
  return { colliders, groups, springs: readGroups(reading, json, groups.length) };
}

function readGroups(reading: VrmReading, json: JsonObject, groupCount: number): SpringDefinition[] {
  const claims = createClaims(reading.skeleton.count);
  const directions = boneDirections(reading.skeleton);
  const endOf = (leaf: number, place: string): Vector => leafEnd(reading, directions, leaf, place);
  const found: { spring: SpringDefinition; center: number; place: string }[] = [];
  objectsIn(json, 'boneGroups', ROOT).forEach((group, g) => {
    const place = `${ROOT}/boneGroups/${g}`;
    const name = stringIn(group, 'comment', place) || `spring${g}`;
    const groups = referencesIn(reading, group, 'colliderGroups', place, groupCount, 'collider group');
    const center = centerIn(reading, group, place);
    const joint = readJoint(reading, group, place);
    const roots = rootsIn(reading, group, place);
    if (roots.length === 0) report(reading, 'vrm-spring', place, 'no bones; left out');
    for (const root of roots)
      for (const chain of chainsBelow(reading, claims, root, joint, `${place}/bones`, endOf))
        found.push({ spring: { name, ...chain, groups: [...groups], center: -1 }, center, place });
  });
  // Only now is it known which bones swing.
  for (const { spring, center, place } of found)
    spring.center = usableCenter(reading, claims, spring, center, `${place}/center`, false);
  return found.map(({ spring }) => spring);
}

/** The center of a group; writers put -1 for none. */
function centerIn(reading: VrmReading, group: JsonObject, place: string): number {
  const value = memberOf(group, 'center') ?? -1;
  return typeof value === 'number' && value < 0 ? -1 : asBone(reading, value, `${place}/center`);
}

/** The values of a group, with the defaults that its makers' own reader has; the format names none. */
function readJoint(reading: VrmReading, group: JsonObject, place: string): Omit<SpringJoint, 'bone'> {
  // The key is misspelt in the format.
  if (memberOf(group, 'stiffiness') === undefined && memberOf(group, 'stiffness') !== undefined)
    report(reading, 'vrm-number', place, "stiffness: VRM 0.x spells it 'stiffiness'; passed over");
  const power = numberIn(reading, group, 'gravityPower', place, { missing: 0 });
  return {
    hitRadius: numberIn(reading, group, 'hitRadius', place, { missing: 0.02, min: 0 }),
    stiffness: numberIn(reading, group, 'stiffiness', place, { missing: 1, min: 0 }),
    ...gravityOf(power, turned(xyzIn(reading, group, 'gravityDir', place, DOWN) ?? [...DOWN])),
    dragForce: numberIn(reading, group, 'dragForce', place, { missing: 0.4, min: 0, max: 1 }),
  };
}

/** The root bones of a group. One below another would swing twice and is left out, wherever it stands in the list. */
function rootsIn(reading: VrmReading, group: JsonObject, place: string): number[] {
  const { tree } = reading;
  const listed: { bone: number; place: string }[] = [];
  if (memberOf(group, 'bones') !== null)
    listAt(group, 'bones', place).forEach((value, b) => {
      const at = `${place}/bones/${b}`;
      const bone = asBone(reading, value, at);
      if (bone >= 0) listed.push({ bone, place: at });
    });
  const covered = new Set<number>();
  let outer = -1;
  for (const root of listed.toSorted((a, b) => tree.enter[a.bone]! - tree.enter[b.bone]!)) {
    if (outer < 0 || (root.bone !== outer && !isAbove(tree, outer, root.bone))) outer = root.bone;
    else if (root.bone !== outer) covered.add(root.bone);
  }
  const roots = new Set<number>();
  for (const { bone, place: at } of listed) {
    if (roots.has(bone) || covered.has(bone))
      report(reading, 'vrm-duplicate', at, `${boneName(reading, bone)} swings already; left out`);
    else roots.add(bone);
  }
  return [...roots];
}

/** All chains of a root, each after the one it hangs from. A bone of an earlier group ends a chain. */
function chainsBelow(
  reading: VrmReading,
  claims: Claims,
  root: number,
  values: Omit<SpringJoint, 'bone'>,
  place: string,
  endOf: (leaf: number, place: string) => Vector,
): Pick<SpringDefinition, 'joints' | 'end' | 'endOffset'>[] {
  const { tree } = reading;
  const chains: Pick<SpringDefinition, 'joints' | 'end' | 'endOffset'>[] = [];
  const heads = [root];
  for (let h = 0; h < heads.length; h++) {
    const joints: SpringJoint[] = [];
    let bone = heads[h]!;
    let last = -1;
    while (bone >= 0 && !claims.taken[bone]) {
      claim(claims, tree, bone);
      joints.push({ bone, ...values, gravityDir: [...values.gravityDir] });
      last = bone;
      const children = tree.children[bone]!;
      for (let c = 1; c < children.length; c++) heads.push(children[c]!);
      bone = children[0] ?? -1;
    }
    if (bone >= 0)
      report(
        reading,
        'vrm-duplicate',
        place,
        `${boneName(reading, bone)} swings in an earlier group; left out`,
      );
    if (last >= 0) chains.push({ joints, end: bone, endOffset: bone < 0 ? endOf(last, place) : undefined });
  }
  return chains;
}

/** A vector of a left-handed space in glTF's. */
function turned([x, y, z]: Vector): Vector {
  return [x, y, 0 - z];
}
