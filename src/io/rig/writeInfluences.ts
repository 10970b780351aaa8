/**
 * New joints and weights of one primitive: accessors of their own that repeat the old numbers bit for bit, except at
 * the vertices that change. Component types are kept; joints become 16 bit numbers where 8 are too few.
 */
import { FollowthroughError, type MeshPrimitive } from '../../asset/index.js';
import type { Decoded } from '../gltf/accessors.js';
import { DRACO, extensionOf } from '../gltf/gltfFile.js';
import { memberOf, objectAt, type JsonObject } from '../gltf/json.js';
import { appendAccessor, itemOf, type GltfPatch } from '../gltf/patch.js';
import { primitiveOf, type PatchReader, type PrimitiveIndex } from '../gltf/patchReader.js';
import { makePlain } from '../gltf/plainDraco.js';
import { quantizeWeights, roundWeights } from './quantizeWeights.js';

const ARRAY_BUFFER = 34962;
/** Largest error of a number that Draco stores with 8 bits, fewer than which nobody uses for weights. */
const DRACO_ROUNDING = 0.5 / 255;
const [BYTE, SHORT, FLOAT] = [5121, 5123, 5126] as const;

type Joints = Uint8Array | Uint16Array | Uint32Array;
type Weights = Uint8Array | Uint16Array | Float32Array;

/** An attribute that gets a new accessor. */
export interface ChangedAttribute {
  /** `JOINTS_0`, `WEIGHTS_0`, ... */
  semantic: string;
  /** Its numbers as the file stores them, 4 per vertex. */
  data: Joints | Weights;
}

/**
 * The joints and weights attributes of a primitive that differ from what the file holds when the given vertices get
 * the influences of `mesh`. Where it is compressed by Draco, and so becomes plain, sums that Draco's rounding spoilt are
 * brought back to 1.
 *
 * @throws FollowthroughError `unsupported-file` when the weights are stored in a form that glTF does not know, or one
 * vertex needs weights stored in two forms
 */
export function changedAttributes(
  patch: GltfPatch,
  reader: PatchReader,
  mesh: MeshPrimitive,
  vertices: Uint32Array,
): ChangedAttribute[] {
  const primitive = primitiveOf(patch, mesh);
  const attributes = objectAt(primitive, 'attributes', '') ?? {};
  const read = (semantic: string): Decoded => reader.read(memberOf(attributes, semantic) as number);
  const sets = Array.from({ length: mesh.influences / 4 }, (_, set) => {
    const joints = storedJoints(read(`JOINTS_${set}`));
    const weights = storedWeights(read(`WEIGHTS_${set}`), mesh.name);
    return {
      old: { joints, weights },
      joints: widened(joints, mesh, vertices, set),
      weights: weights.slice(),
    };
  });
  const write = (vertex: number): void => {
    const [from, to] = [vertex * mesh.influences, (vertex + 1) * mesh.influences];
    const forms = sets.map(({ weights }) => weights);
    asStored(mesh.weights.subarray(from, to), forms, mesh.name).forEach((weight, k) => {
      const set = sets[k >> 2]!;
      const at = 4 * vertex + (k & 3);
      set.weights[at] = weight;
      set.joints[at] = weight === 0 ? 0 : mesh.joints[from + k]!;
    });
  };
  const changed = (): ChangedAttribute[] =>
    sets.flatMap(({ old, joints, weights }, set) => [
      ...(differ(old.joints, joints) ? [{ semantic: `JOINTS_${set}`, data: joints }] : []),
      ...(differ(old.weights, weights) ? [{ semantic: `WEIGHTS_${set}`, data: weights }] : []),
    ]);
  vertices.forEach(write);
  const isPlain = extensionOf(primitive, DRACO, '') === undefined;
  if (isPlain || changed().length === 0) return changed();
  roundedVertices(mesh).forEach(write);
  return changed();
}

/**
 * Vertices whose weights miss a sum of 1 by what Draco's rounding of each explains. Nobody could check them while they
 * were compressed; stored plainly they would be a fault that the file did not have.
 */
function roundedVertices({ weights, influences }: MeshPrimitive): number[] {
  const rounded: number[] = [];
  for (let from = 0; from < weights.length; from += influences) {
    const sum = weights.subarray(from, from + influences).reduce((all, weight) => all + weight, 0);
    const off = Math.abs(sum - 1);
    if (off > 1e-7 && off <= DRACO_ROUNDING * influences) rounded.push(from / influences);
  }
  return rounded;
}

function storedJoints({ values, componentType }: Decoded): Joints {
  if (componentType === BYTE) return Uint8Array.from(values);
  return componentType === SHORT ? Uint16Array.from(values) : Uint32Array.from(values);
}

/** The stored numbers: decoding divided whole numbers once, so rounding finds them again. */
function storedWeights({ values, componentType, normalized }: Decoded, name: string): Weights {
  if (componentType === FLOAT) return Float32Array.from(values);
  if (normalized && componentType === BYTE)
    return Uint8Array.from(values, (value) => Math.round(value * 255));
  if (normalized && componentType === SHORT)
    return Uint16Array.from(values, (value) => Math.round(value * 65535));
  throw new FollowthroughError(
    'unsupported-file',
    `mesh ${name}: weights of component type ${componentType}, expected floats or normalised unsigned integers`,
  );
}

/** A copy of the joints that can hold the new ones. */
function widened(joints: Joints, mesh: MeshPrimitive, vertices: Uint32Array, set: number): Joints {
  let largest = 0;
  for (const vertex of vertices)
    for (let k = 0; k < 4; k++)
      largest = Math.max(largest, mesh.joints[vertex * mesh.influences + 4 * set + k]!);
  return joints instanceof Uint8Array && largest > 255 ? Uint16Array.from(joints) : joints.slice();
}

function asStored(weights: Float64Array, sets: readonly Weights[], name: string): number[] {
  const form = sets[0]!;
  const count = weights.findLastIndex((weight) => weight > 0) + 1;
  if (!sets.slice(0, Math.ceil(count / 4)).every(({ constructor }) => constructor === form.constructor))
    throw new FollowthroughError(
      'unsupported-file',
      `mesh ${name}: WEIGHTS_0 and the sets behind it have different component types, expected one`,
    );
  if (form instanceof Float32Array) return roundWeights(weights);
  return quantizeWeights(weights, form instanceof Uint8Array ? 255 : 65535);
}

function differ(a: Joints | Weights, b: Joints | Weights): boolean {
  return a.some((value: number, i: number) => value !== b[i]);
}

/** Gives a primitive new accessors for some of its attributes; one compressed by Draco becomes plain. */
export function writeAttributes(
  patch: GltfPatch,
  reader: PatchReader,
  index: PrimitiveIndex,
  changed: readonly ChangedAttribute[],
): void {
  const attributes = primitiveOf(patch, index)['attributes'] as JsonObject;
  for (const { semantic, data } of changed) {
    const accessor = appendAccessor(patch, data, 'VEC4');
    const json = itemOf(patch, 'accessors', accessor)!;
    itemOf(patch, 'bufferViews', json['bufferView'])!['target'] = ARRAY_BUFFER;
    if (semantic.startsWith('WEIGHTS') && !(data instanceof Float32Array)) json['normalized'] = true;
    attributes[semantic] = accessor;
  }
  makePlain(patch, reader, index);
}
