/**
 * Node constraints: VRMC_node_constraint 1.0. Those that follow each other in a circle are read like all others: what
 * becomes of them is decided where they are carried out (`addConstraints`).
 */
import type { ConstraintDefinition } from '../../asset/secondary.js';
import { isObject, memberOf, type JsonObject } from '../gltf/json.js';
import { boneIn, isReadableVersion, numberIn, objectIn, report, stringIn } from './reading.js';
import type { Vector, VrmReading } from './reading.js';

/** Name of the extension. */
const NODE_CONSTRAINT = 'VRMC_node_constraint';

const KINDS = ['roll', 'aim', 'rotation'] as const;

const AXES: ReadonlyMap<string, Readonly<Vector>> = new Map([
  ['X', [1, 0, 0]],
  ['Y', [0, 1, 0]],
  ['Z', [0, 0, 1]],
  ['PositiveX', [1, 0, 0]],
  ['PositiveY', [0, 1, 0]],
  ['PositiveZ', [0, 0, 1]],
  ['NegativeX', [-1, 0, 0]],
  ['NegativeY', [0, -1, 0]],
  ['NegativeZ', [0, 0, -1]],
]);

/** Whether any node has a constraint. */
export function hasConstraints(nodes: readonly JsonObject[]): boolean {
  return nodes.some((node) => constraintOf(node) !== undefined);
}

/** Reads the constraints of all nodes, in the order of the nodes. */
export function readConstraints(reading: VrmReading): ConstraintDefinition[] {
  return reading.nodes.flatMap((node, n) => {
    if (constraintOf(node) === undefined) return [];
    const place = `/nodes/${n}/extensions/${NODE_CONSTRAINT}`;
    const extension = objectIn(node['extensions'] as JsonObject, NODE_CONSTRAINT, `/nodes/${n}/extensions`)!;
    const constraint = readConstraint(reading, reading.boneOfNode[n]!, extension, place);
    return constraint ? [constraint] : [];
  });
}

function constraintOf(node: JsonObject): unknown {
  const extensions = memberOf(node, 'extensions');
  return isObject(extensions) ? (memberOf(extensions, NODE_CONSTRAINT) ?? undefined) : undefined;
}

function readConstraint(
  reading: VrmReading,
  bone: number,
  extension: JsonObject,
  place: string,
): ConstraintDefinition | undefined {
  if (!isReadableVersion(reading, extension, place, NODE_CONSTRAINT)) return undefined;
  const holder = objectIn(extension, 'constraint', place) ?? {};
  const kinds = KINDS.filter((name) => objectIn(holder, name, `${place}/constraint`) !== undefined);
  const kind = kinds[0];
  if (kind === undefined) {
    report(reading, 'vrm-constraint', place, 'neither roll nor aim nor rotation; left out');
    return undefined;
  }
  if (kinds.length > 1)
    report(reading, 'vrm-constraint', place, `${kinds.join(' and ')} at once; ${kind} is read`);
  const json = objectIn(holder, kind, `${place}/constraint`)!;
  const at = `${place}/constraint/${kind}`;
  const source = boneIn(reading, json, 'source', at);
  if (source < 0) return undefined;
  const axis = kind === 'rotation' ? AXES.get('X') : axisIn(reading, json, `${kind}Axis`, at, kind === 'aim');
  if (!axis) return undefined;
  const weight = numberIn(reading, json, 'weight', at, { missing: 1, min: 0, max: 1 });
  return { bone, source, kind, axis: [...axis], weight };
}

function axisIn(
  reading: VrmReading,
  json: JsonObject,
  key: string,
  place: string,
  isSigned: boolean,
): Readonly<Vector> | undefined {
  const name = stringIn(json, key, place) ?? '';
  const axis = name.length > 1 === isSigned ? AXES.get(name) : undefined;
  if (!axis) report(reading, 'vrm-constraint', `${place}/${key}`, `'${name}' is no axis; left out`);
  return axis;
}
