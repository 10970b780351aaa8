/**
 * Skins: joints as bones, inverse bind matrices as float64. A file without matrices means identities.
 */
import type { Skin } from '../../asset/asset.js';
import type { AccessorReader } from './accessors.js';
import type { GltfFile } from './gltfFile.js';
import { asInteger, indexAt, listAt, refuse, stringAt, type JsonObject } from './json.js';

const FLOAT = 5126;

/** Reads the skins in file order. */
export function readSkins(file: GltfFile, boneOfNode: Int32Array, read: AccessorReader): Skin[] {
  return file.skins.map((skin, s) => {
    const place = `/skins/${s}`;
    const joints = listAt(skin, 'joints', place);
    if (joints.length === 0) refuse(`${place}/joints`, 'expected at least one joint');
    return {
      name: stringAt(skin, 'name', place) || `skin${s}`,
      joints: Int32Array.from(
        joints,
        (joint, j) => boneOfNode[asInteger(joint, `${place}/joints/${j}`, 0, file.nodes.length - 1)]!,
      ),
      inverseBinds: readInverseBinds(file, skin, joints.length, place, read),
    };
  });
}

function readInverseBinds(
  file: GltfFile,
  skin: JsonObject,
  count: number,
  place: string,
  read: AccessorReader,
): Float64Array {
  const index = indexAt(skin, 'inverseBindMatrices', place, file.accessors.length);
  if (index < 0) {
    const identities = new Float64Array(count * 16);
    for (let i = 0; i < count * 16; i += 16)
      for (let diagonal = 0; diagonal < 16; diagonal += 5) identities[i + diagonal] = 1;
    return identities;
  }
  const matrices = read(index);
  if (matrices.width !== 16 || matrices.componentType !== FLOAT)
    refuse(`${place}/inverseBindMatrices`, 'expected MAT4 of floats');
  if (matrices.count < count)
    refuse(`${place}/inverseBindMatrices`, `${matrices.count} matrices for ${count} joints`);
  const values = matrices.values.slice(0, count * 16);
  if (!values.every(Number.isFinite))
    refuse(`${place}/inverseBindMatrices`, 'holds a value that is not finite');
  return values;
}
