/**
 * Linear blend skinning in float64: a point stands at the weighted sum of jointWorld x inverseBind x position
 * (glTF 2.0, "Skinned mesh attributes"), weights as stored. Points that are bound rigidly to an attachment use
 * that bone alone, through the bind matrix it has in skin space.
 */
import { mat4 } from 'gl-matrix';
import type { Asset } from '../asset/index.js';
import type { Neutral } from '../setup/neutral.js';
import { writeInverseBind } from '../setup/inverseBind.js';
import { determinant3, transformPoint } from '../math/index.js';
import type { BonePose } from './bonePose.js';
import type { SkinnedEdges } from './skinnedEdges.js';

/** Matrices and buffers to skin the points of one skin. */
export interface SkinPoser {
  /** What is posed. */
  mesh: SkinnedEdges;
  /** jointWorld x inverseBind, 16 per joint. */
  matrices: Float64Array;
  /** Skin space to the attachment's frame, 16 per chain. */
  attachmentBinds: Float64Array;
  /** attachmentWorld x attachmentBind, 16 per chain. */
  attachmentMatrices: Float64Array;
  /** Bind-to-world scale of each chain's attachment in the current pose. */
  scales: Float64Array;
  /** Posed points, 3 per point. */
  posed: Float64Array;
}

/**
 * Prepares a skin.
 *
 * @param attachments - per chain the bone it hangs from (-1: the world); at least one entry
 */
export function createSkinPoser(
  asset: Asset,
  neutral: Neutral,
  mesh: SkinnedEdges,
  attachments: number[],
): SkinPoser {
  const joints = asset.skins[mesh.skin]!.joints;
  const attachmentBinds = new Float64Array(16 * attachments.length);
  attachments.forEach((bone, chain) =>
    writeInverseBind(attachmentBinds, 16 * chain, asset, asset.skins[mesh.skin]!, bone, () => neutral),
  );
  return {
    mesh,
    matrices: new Float64Array(16 * joints.length),
    attachmentBinds,
    attachmentMatrices: new Float64Array(16 * attachments.length),
    scales: new Float64Array(attachments.length),
    posed: new Float64Array(3 * mesh.count),
  };
}

/**
 * Poses all points.
 *
 * @param pose - bone pose with up-to-date world matrices
 * @param rigid - bind every point of a chain to that chain's attachment alone
 */
export function skinPoints(
  asset: Asset,
  poser: SkinPoser,
  attachments: number[],
  pose: BonePose,
  rigid: boolean,
): void {
  const { mesh, matrices, attachmentMatrices, posed } = poser;
  const skin = asset.skins[mesh.skin]!;
  for (let j = 0; j < skin.joints.length; j++)
    mat4.multiply(at(matrices, j), at(pose.worlds, skin.joints[j]!), at(skin.inverseBinds, j));
  for (let c = 0; c < attachments.length; c++) {
    const bone = attachments[c]!;
    const bind = at(poser.attachmentBinds, c);
    if (bone < 0) attachmentMatrices.set(bind, 16 * c);
    else mat4.multiply(at(attachmentMatrices, c), at(pose.worlds, bone), bind);
    poser.scales[c] = Math.cbrt(Math.abs(determinant3(attachmentMatrices, 16 * c)));
  }
  for (let p = 0; p < mesh.count; p++) {
    const owner = mesh.owners[p]!;
    if (rigid && owner >= 0) transformPoint(posed, 3 * p, attachmentMatrices, 16 * owner, mesh.points, 3 * p);
    else blendPoint(poser, p);
  }
}

/** The matrix with number `index` of a list. */
function at(matrices: Float64Array, index: number): Float64Array {
  return matrices.subarray(16 * index, 16 * index + 16);
}

function blendPoint(poser: SkinPoser, p: number): void {
  const { mesh, matrices, posed } = poser;
  const x = mesh.points[3 * p]!;
  const y = mesh.points[3 * p + 1]!;
  const z = mesh.points[3 * p + 2]!;
  let px = 0;
  let py = 0;
  let pz = 0;
  for (let k = p * mesh.influences; k < (p + 1) * mesh.influences; k++) {
    const weight = mesh.weights[k]!;
    if (weight === 0) continue;
    const m = 16 * mesh.joints[k]!;
    px += weight * (matrices[m]! * x + matrices[m + 4]! * y + matrices[m + 8]! * z + matrices[m + 12]!);
    py += weight * (matrices[m + 1]! * x + matrices[m + 5]! * y + matrices[m + 9]! * z + matrices[m + 13]!);
    pz += weight * (matrices[m + 2]! * x + matrices[m + 6]! * y + matrices[m + 10]! * z + matrices[m + 14]!);
  }
  posed[3 * p] = px;
  posed[3 * p + 1] = py;
  posed[3 * p + 2] = pz;
}

/**
 * Ratios of posed to bind length of every edge in the current pose, divided by the bind-to-world scale of the
 * attachment (of the first chain for body edges).
 *
 * @param ratios - receives one ratio per edge, from `offset`
 */
export function edgeRatios(poser: SkinPoser, ratios: Float64Array, offset: number): void {
  const { mesh, posed, scales } = poser;
  for (let e = 0; e < mesh.bindLengths.length; e++) {
    const a = mesh.edges[2 * e]!;
    const b = mesh.edges[2 * e + 1]!;
    const x = posed[3 * a]! - posed[3 * b]!;
    const y = posed[3 * a + 1]! - posed[3 * b + 1]!;
    const z = posed[3 * a + 2]! - posed[3 * b + 2]!;
    const chain = Math.max(mesh.owners[a]!, mesh.owners[b]!, 0);
    ratios[offset + e] = Math.sqrt(x * x + y * y + z * z) / (mesh.bindLengths[e]! * scales[chain]!);
  }
}
