/** A character one of whose meshes loses its rigging: the question that the rig pass is asked. */
import type { Asset } from '../../../src/index.js';

/**
 * The character with all vertices of a mesh bound to one bone of its skin alone.
 *
 * @param mesh - index of the mesh
 * @param bone - name of the bone
 */
export function boundTo<A extends Asset>(asset: A, mesh: number, bone: string): A {
  const old = asset.meshes[mesh]!;
  const joint = asset.skins[old.skin]!.joints.indexOf(asset.skeleton.names.indexOf(bone));
  const weights = new Float64Array(old.weights.length);
  for (let k = 0; k < weights.length; k += old.influences) weights[k] = 1;
  const joints = new Uint16Array(old.joints.length).fill(joint);
  return { ...asset, meshes: asset.meshes.with(mesh, { ...old, joints, weights }) };
}
