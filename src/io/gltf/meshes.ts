/**
 * Meshes that hang on a node: positions, triangles, skin weights. Primitives that share accessors share arrays.
 */
import type { MeshPrimitive, Skin } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import type { AccessorReader, Decoded } from './accessors.js';
import { DRACO, extensionOf, type GltfFile } from './gltfFile.js';
import {
  indexAt,
  integerAt,
  isObject,
  memberOf,
  objectAt,
  objectsAt,
  refuse,
  stringAt,
  type JsonObject,
} from './json.js';

const TRIANGLES = 4;
const TRIANGLE_STRIP = 5;
const TRIANGLE_FAN = 6;
const UNSIGNED: readonly number[] = [5121, 5123, 5125];

/** What a primitive holds, whatever node it hangs on. */
interface Geometry {
  name: string;
  mesh: number;
  primitive: number;
  material: string;
  positions: Float64Array;
  indices: Uint32Array;
  influences: number;
  /** As stored; checked against a skin when one is known. */
  joints: Uint16Array;
  weights: Float64Array;
  place: string;
}

/** Reads every mesh once per node that carries it. */
export function readMeshes(
  file: GltfFile,
  boneOfNode: Int32Array,
  skins: readonly Skin[],
  read: AccessorReader,
  warnings: Warning[],
): MeshPrimitive[] {
  const meshes: MeshPrimitive[] = [];
  const geometries = new Map<number, Geometry[]>();
  const checked = new Set<string>();
  file.nodes.forEach((node, n) => {
    const mesh = indexAt(node, 'mesh', `/nodes/${n}`, file.meshes.length);
    const skin = indexAt(node, 'skin', `/nodes/${n}`, skins.length);
    if (mesh < 0) return;
    let known = geometries.get(mesh);
    if (!known) geometries.set(mesh, (known = readMesh(file, mesh, read, warnings)));
    for (const { place, ...geometry } of known) {
      const skinned = skin >= 0 && geometry.influences > 0;
      if (skinned && !checked.has(`${place} ${skin}`)) {
        checkJoints(geometry.joints, geometry.weights, skins[skin]!.joints.length, place);
        checked.add(`${place} ${skin}`);
      }
      if (skin >= 0 && !skinned)
        warnings.push({
          code: 'skin-without-weights',
          message: `${place}: node ${n} has a skin, but the mesh has no joints and weights; read as not skinned`,
          at: geometry.name,
        });
      const bare = { influences: 0, joints: new Uint16Array(0), weights: new Float64Array(0) };
      meshes.push({
        ...geometry,
        bone: boneOfNode[n]!,
        skin: skinned ? skin : -1,
        ...(skinned ? undefined : bare),
      });
    }
  });
  return meshes;
}

function readMesh(file: GltfFile, m: number, read: AccessorReader, warnings: Warning[]): Geometry[] {
  const mesh = file.meshes[m]!;
  const name = stringAt(mesh, 'name', `/meshes/${m}`) || `mesh${m}`;
  const geometries: Geometry[] = [];
  objectsAt(mesh, 'primitives', `/meshes/${m}`).forEach((primitive, p) => {
    const place = `/meshes/${m}/primitives/${p}`;
    const geometry = readPrimitive(file, primitive, place, read);
    const labels = { name: `${name}.${p}`, mesh: m, primitive: p, material: materialName(file, primitive) };
    if (geometry) geometries.push({ ...labels, ...geometry });
    else
      warnings.push({
        code: 'no-positions',
        message: `${place}: has no positions; left out`,
        at: labels.name,
      });
  });
  return geometries;
}

/** Materials are not read, so whatever is odd about one only means that it has no name. */
function materialName(file: GltfFile, primitive: JsonObject): string {
  const materials = memberOf(file.json, 'materials');
  const index = memberOf(primitive, 'material');
  const material: unknown =
    Array.isArray(materials) && typeof index === 'number' ? materials[index] : undefined;
  const name = isObject(material) ? memberOf(material, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

function readPrimitive(
  file: GltfFile,
  primitive: JsonObject,
  place: string,
  read: AccessorReader,
): Omit<Geometry, 'name' | 'mesh' | 'primitive' | 'material'> | undefined {
  const attributes = objectAt(primitive, 'attributes', place) ?? {};
  const at = `${place}/attributes`;
  const attribute = (semantic: string): Decoded | undefined => {
    const index = indexAt(attributes, semantic, at, file.accessors.length);
    return index < 0 ? undefined : read(index);
  };
  const position = attribute('POSITION');
  if (!position) return undefined;
  if (position.width !== 3) refuse(`${at}/POSITION`, 'expected VEC3');
  if (!position.values.every(Number.isFinite)) refuse(`${at}/POSITION`, 'holds a value that is not finite');
  const count = position.count;
  const corners = indexAt(primitive, 'indices', place, file.accessors.length);
  const mode = extensionOf(primitive, DRACO, place)
    ? TRIANGLES
    : integerAt(primitive, 'mode', place, 0, 6, TRIANGLES);
  const indices = triangles(corners < 0 ? undefined : read(corners), count, mode, `${place}/indices`);
  const sets: { joints: Decoded; weights: Decoded }[] = [];
  for (;;) {
    const joints = attribute(`JOINTS_${sets.length}`);
    const weights = attribute(`WEIGHTS_${sets.length}`);
    if (!joints || !weights) break;
    checkInfluences(joints, weights, count, sets.length, at);
    sets.push({ joints, weights });
  }
  return { place, positions: position.values, indices, ...mergeInfluences(sets, count) };
}

function checkInfluences(joints: Decoded, weights: Decoded, count: number, set: number, at: string): void {
  if (joints.width !== 4 || !UNSIGNED.includes(joints.componentType) || joints.normalized)
    refuse(`${at}/JOINTS_${set}`, 'expected VEC4 of unsigned integers');
  if (weights.width !== 4) refuse(`${at}/WEIGHTS_${set}`, 'expected VEC4');
  if (joints.count !== count)
    refuse(`${at}/JOINTS_${set}`, `${joints.count} elements for ${count} positions`);
  if (weights.count !== count)
    refuse(`${at}/WEIGHTS_${set}`, `${weights.count} elements for ${count} positions`);
  if (!weights.values.every(Number.isFinite))
    refuse(`${at}/WEIGHTS_${set}`, 'holds a value that is not finite');
  if (!joints.values.every((joint) => joint <= 65535))
    refuse(`${at}/JOINTS_${set}`, 'holds a joint above 65535');
}

function mergeInfluences(
  sets: readonly { joints: Decoded; weights: Decoded }[],
  count: number,
): { influences: number; joints: Uint16Array; weights: Float64Array } {
  const influences = sets.length * 4;
  const joints = new Uint16Array(count * influences);
  const weights = new Float64Array(count * influences);
  sets.forEach((set, s) => {
    for (let v = 0; v < count; v++) {
      const to = v * influences + s * 4;
      for (let k = 0; k < 4; k++) {
        joints[to + k] = set.joints.values[v * 4 + k]!;
        weights[to + k] = set.weights.values[v * 4 + k]!;
      }
    }
  });
  return { influences, joints, weights };
}

/** Joints that carry no weight may be anything in a file; they become 0 so that nobody reads past the skin. */
function checkJoints(joints: Uint16Array, weights: Float64Array, size: number, place: string): void {
  for (let i = 0; i < joints.length; i++) {
    if (joints[i]! < size) continue;
    if (weights[i] !== 0)
      refuse(`${place}/attributes`, `joint ${joints[i]} where the skin has ${size} joints`);
    joints[i] = 0;
  }
}

function triangles(stored: Decoded | undefined, count: number, mode: number, place: string): Uint32Array {
  if (stored) {
    if (stored.width !== 1 || !UNSIGNED.includes(stored.componentType) || stored.normalized)
      refuse(place, 'expected SCALAR of unsigned integers');
    for (const corner of stored.values)
      if (corner >= count) refuse(place, `vertex ${corner} where there are ${count}`);
  }
  const corners = stored ? stored.count : count;
  const corner = (i: number): number => (stored ? stored.values[i]! : i);
  if (mode === TRIANGLES) return Uint32Array.from({ length: corners - (corners % 3) }, (_, i) => corner(i));
  if ((mode !== TRIANGLE_STRIP && mode !== TRIANGLE_FAN) || corners < 3) return new Uint32Array(0);
  const out = new Uint32Array((corners - 2) * 3);
  for (let i = 0; i + 2 < corners; i++) {
    const odd = i & 1;
    out[i * 3] = corner(mode === TRIANGLE_STRIP ? i : i + 1);
    out[i * 3 + 1] = corner(mode === TRIANGLE_STRIP ? i + 1 + odd : i + 2);
    out[i * 3 + 2] = corner(mode === TRIANGLE_STRIP ? i + 2 - odd : 0);
  }
  return out;
}
