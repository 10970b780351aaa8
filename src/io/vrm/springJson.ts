/**
 * Springs as JSON of VRMC_springBone 1.0. A number that the file says already stays as it is written there, a default
 * that it leaves out stays out, members that nobody here knows stay with their spring and their joint.
 */
import type { SpringDefinition, SpringJoint } from '../../asset/secondary.js';
import { isObject, memberOf, type JsonObject } from '../gltf/json.js';
import { objectsIn, type Vector } from './reading.js';
import { DOWN, gravityOf } from './springValues.js';
import { writableUnit } from './unitVector.js';

/** Numbers of a joint besides gravity, with the defaults of the format. */
const NUMBERS = [
  ['hitRadius', 0],
  ['stiffness', 1],
  ['dragForce', 0.5],
] as const;

/** A spring of the file. */
interface OldSpring {
  json: JsonObject;
  /** Its joints by node; the first, where a node stands in it twice. */
  joints: Map<unknown, JsonObject>;
}

/**
 * The list of springs.
 *
 * @param extension - the extension as it stands, empty when there is none
 * @param nodeOf - node of each bone, new ones among them; every spring has a bone at its end
 */
export function springList(
  extension: JsonObject,
  springs: readonly SpringDefinition[],
  nodeOf: (bone: number) => number,
): JsonObject[] {
  const byNode = new Map<unknown, OldSpring>();
  for (const json of objectsIn(extension, 'springs', '')) {
    const old: OldSpring = { json, joints: new Map() };
    for (const joint of objectsIn(json, 'joints', '')) {
      const node = memberOf(joint, 'node');
      if (!old.joints.has(node)) old.joints.set(node, joint);
      // As in reading: a bone belongs to the first spring that names it.
      if (!byNode.has(node)) byNode.set(node, old);
    }
  }
  const continued = new Set<OldSpring>();
  return springs.map((spring, index) => {
    const old = spring.joints.length > 0 ? byNode.get(nodeOf(spring.joints[0]!.bone)) : undefined;
    const json = old && !continued.has(old) ? old.json : {};
    if (old) continued.add(old);
    return springJson(json, old?.joints, spring, index, nodeOf);
  });
}

function springJson(
  old: JsonObject,
  oldJoints: OldSpring['joints'] | undefined,
  { name, joints, end, groups, center }: SpringDefinition,
  index: number,
  nodeOf: (bone: number) => number,
): JsonObject {
  const json: JsonObject = { ...old };
  if (((memberOf(json, 'name') as string | null | undefined) || `spring${index}`) !== name)
    json['name'] = name;
  json['joints'] = [
    ...joints.map((joint) => jointJson(oldJoints?.get(nodeOf(joint.bone)), nodeOf(joint.bone), joint)),
    oldJoints?.get(nodeOf(end)) ?? { node: nodeOf(end) },
  ];
  const listed = memberOf(json, 'colliderGroups');
  if (groups.length > 0) json['colliderGroups'] = groups;
  else if (Array.isArray(listed) && listed.length > 0) delete json['colliderGroups'];
  if (center >= 0) json['center'] = nodeOf(center);
  else if (typeof memberOf(json, 'center') === 'number') delete json['center'];
  return json;
}

function jointJson(old: JsonObject | undefined, node: number, joint: SpringJoint): JsonObject {
  const json: JsonObject = old ? { ...old } : { node };
  for (const [key, missing] of NUMBERS)
    if (!old || (memberOf(json, key) ?? missing) !== joint[key]) json[key] = joint[key];
  const power = memberOf(json, 'gravityPower') ?? 0;
  const dir = memberOf(json, 'gravityDir') ?? DOWN;
  if (old && isVector(dir)) {
    if (isGravity(power, dir, joint)) return json;
    if (isGravity(joint.gravityPower, dir, joint)) return { ...json, gravityPower: joint.gravityPower };
  }
  json['gravityPower'] = joint.gravityPower;
  json['gravityDir'] = writableUnit(joint.gravityDir)!.written;
  return json;
}

/** Whether a file that says these two means the gravity of a joint. */
function isGravity(power: unknown, dir: Vector, joint: SpringJoint): boolean {
  if (typeof power !== 'number') return false;
  const { gravityPower, gravityDir } = gravityOf(power, dir);
  return gravityPower === joint.gravityPower && gravityDir.every((value, k) => value === joint.gravityDir[k]);
}

function isVector(value: unknown): value is Vector {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
}

/** Joints of a list of springs. */
export function jointsIn(springs: readonly JsonObject[]): JsonObject[] {
  return springs.flatMap(({ joints }) => (joints as unknown[]).filter(isObject));
}
