/**
 * The skin a bone dominates, where it stands in the neutral pose: W_bone^0 x inverse bind x position, never the raw
 * position. A vertex belongs to the bone with its largest weight (ties: the first).
 */
import type { Asset, MeshPrimitive } from '../asset/asset.js';
import { multiplyMat4, transformPoint } from '../math/mat4.js';
import type { Neutral } from './neutralPose.js';

/**
 * World positions, in the neutral pose, of the vertices a bone dominates; of unskinned meshes on the bone: all.
 *
 * @returns 3 numbers per vertex
 */
export function dominatedPoints(asset: Asset, neutral: Pick<Neutral, 'worlds'>, bone: number): Float64Array {
  const points: number[] = [];
  const matrix = new Float64Array(16);
  const point = new Float64Array(3);
  for (const mesh of asset.meshes) {
    const skin = asset.skins[mesh.skin];
    if (skin === undefined) {
      if (mesh.bone !== bone) continue;
      matrix.set(neutral.worlds.subarray(16 * bone, 16 * bone + 16));
    } else {
      const joint = skin.joints.indexOf(bone);
      if (joint < 0) continue;
      multiplyMat4(matrix, 0, neutral.worlds, 16 * bone, skin.inverseBinds, 16 * joint);
    }
    for (let vertex = 0; vertex < mesh.positions.length / 3; vertex++) {
      if (skin !== undefined && skin.joints[dominantJoint(mesh, vertex)] !== bone) continue;
      transformPoint(point, 0, matrix, 0, mesh.positions, 3 * vertex);
      if (Number.isFinite(point[0]! + point[1]! + point[2]!)) points.push(point[0]!, point[1]!, point[2]!);
    }
  }
  return Float64Array.from(points);
}

/**
 * Sum of all skin weights per bone, over all meshes.
 *
 * @returns one number per bone; 0 for a bone that moves no skin
 */
export function skinWeights(asset: Asset): Float64Array {
  const sums = new Float64Array(asset.skeleton.count);
  for (const mesh of asset.meshes) {
    const skin = asset.skins[mesh.skin];
    if (skin === undefined) continue;
    for (let k = 0; k < mesh.weights.length; k++) {
      const bone = skin.joints[mesh.joints[k]!];
      const weight = mesh.weights[k]!;
      if (bone !== undefined && weight > 0) sums[bone]! += weight;
    }
  }
  return sums;
}

/** Joint with the largest weight of a vertex, -1 when all are 0. */
function dominantJoint(mesh: MeshPrimitive, vertex: number): number {
  let best = 0;
  let joint = -1;
  for (let k = vertex * mesh.influences; k < (vertex + 1) * mesh.influences; k++) {
    if (mesh.weights[k]! <= best) continue;
    best = mesh.weights[k]!;
    joint = mesh.joints[k]!;
  }
  return joint;
}
