/**
 * Colliders and their groups as JSON of VRMC_springBone 1.0. Planes and insides stand in
 * VRMC_springBone_extended_collider 1.0, beside the plain shapes that its specification proposes for readers that do not
 * know it: for a plane a ball of 1000 m below it, for an inside a point that nothing reaches.
 */
import type { ColliderDefinition, ColliderShape, SecondaryMotion } from '../../asset/secondary.js';
import { isObject, memberOf, type JsonObject } from '../gltf/json.js';
import { readMark, withMark } from './colliderMark.js';
import { EXTENDED, readShape } from './colliderShapes.js';
import { matchOld } from './matchOld.js';
import { boneIn, objectsIn, type Vector, type VrmReading } from './reading.js';
import { SPRING_BONE } from './springBone.js';
import { writableUnit } from './unitVector.js';

/** Radius of the ball that stands in for a plane, metres: float32 holds its surface to 0.1 mm. */
const STAND_IN = 1000;
/** Where a point of no effect lies. */
const FAR_AWAY: Readonly<Vector> = [0, -10000, 0];

/**
 * The list of colliders. An entry that says the same stays as it is, another keeps the members that are not about its
 * shape.
 *
 * @param reading - the file, with warnings that nobody looks at
 * @param extension - the extension as it stands, empty when there is none
 */
export function colliderList(
  reading: VrmReading,
  extension: JsonObject,
  colliders: readonly ColliderDefinition[],
): JsonObject[] {
  const old = objectsIn(extension, 'colliders', '').flatMap(
    (json): { json: JsonObject; bone: number; key: string }[] => {
      const bone = boneIn(reading, json, 'node', '');
      const shape = bone < 0 ? undefined : readShape(reading, json, '');
      const fitted = readMark(reading, json, '');
      return shape ? [{ json, bone, key: keyOf({ bone, shape, ...(fitted && { fitted }) }) }] : [];
    },
  );
  const keys = colliders.map(keyOf);
  const matches = matchOld(
    keys,
    old.map(({ key }) => key),
    (index) => old[index]!.bone === colliders[index]!.bone,
  );
  return colliders.map(({ bone, shape, fitted }, index) => {
    const match = old[matches[index]!];
    if (match && match.key === keys[index]) return match.json;
    const json = colliderJson(match?.json ?? {}, reading.skeleton.nodes[bone]!, shape);
    return withMark(json, fitted, `/extensions/${SPRING_BONE}/colliders/${index}`);
  });
}

function keyOf({ bone, shape, fitted }: ColliderDefinition): string {
  return JSON.stringify({ bone, shape, fitted });
}

function colliderJson(old: JsonObject, node: number, shape: ColliderShape): JsonObject {
  const { [EXTENDED]: _, ...others } = extensionsOf(old);
  const isExtended = shape.kind === 'plane' || shape.inside;
  const extensions = isExtended
    ? { ...others, [EXTENDED]: { specVersion: '1.0', shape: shapeJson(shape) } }
    : others;
  const { extensions: __, ...rest } = old;
  return {
    ...rest,
    node,
    shape: isExtended ? standIn(shape) : shapeJson(shape),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
}

function shapeJson(shape: ColliderShape): JsonObject {
  if (shape.kind === 'plane') {
    const { offset, normal } = shape;
    return { plane: { offset, normal: writableUnit(normal)!.written } };
  }
  const { kind, offset, radius, inside } = shape;
  return {
    [kind]: {
      offset,
      radius,
      ...(kind === 'capsule' ? { tail: shape.tail } : {}),
      ...(inside ? { inside } : {}),
    },
  };
}

function standIn(shape: ColliderShape): JsonObject {
  if (shape.kind !== 'plane') return { sphere: { offset: FAR_AWAY, radius: 0 } };
  const { offset, normal } = shape;
  return { sphere: { offset: offset.map((value, k) => value - STAND_IN * normal[k]!), radius: STAND_IN } };
}

/** The list of groups; an entry of the same name keeps what else it says. */
export function groupList(extension: JsonObject, groups: SecondaryMotion['groups']): JsonObject[] {
  const old = objectsIn(extension, 'colliderGroups', '');
  const matches = matchOld(
    groups.map(({ name }) => name),
    old.map((json, g) => (memberOf(json, 'name') as string | null | undefined) || `group${g}`),
    () => true,
  );
  return groups.map(({ name, colliders }, g) => {
    const json = old[matches[g]!] ?? {};
    return {
      ...json,
      ...(((memberOf(json, 'name') as string | null | undefined) || `group${g}`) === name ? {} : { name }),
      colliders,
    };
  });
}

/** Whether a collider or a joint carries the extension. */
export function usesExtended(json: JsonObject): boolean {
  return Object.hasOwn(extensionsOf(json), EXTENDED);
}

function extensionsOf(json: JsonObject): JsonObject {
  const extensions = memberOf(json, 'extensions');
  return isObject(extensions) ? extensions : {};
}
