/**
 * Characters of rigid pieces: meshes that hang on bones without a skin. The rig pass looks at skinned meshes alone; here
 * such a mesh counts as one that its bone holds wholly.
 */
import type { Asset, MeshPrimitive, Skin } from '../../asset/asset.js';
import { identityMat4 } from '../../math/mat4.js';

/** The same character with a skin of one joint for each mesh that has none. Shares everything else. */
export function withRigidSkins(asset: Asset): Asset {
  const skins: Skin[] = [...asset.skins];
  const meshes = asset.meshes.map((mesh): MeshPrimitive => {
    if (mesh.skin >= 0 && mesh.influences > 0) return mesh;
    const inverseBinds = new Float64Array(16);
    identityMat4(inverseBinds, 0);
    skins.push({ name: mesh.name, joints: Int32Array.of(mesh.bone), inverseBinds });
    const count = mesh.positions.length / 3;
    const weights = new Float64Array(4 * count);
    for (let vertex = 0; vertex < count; vertex++) weights[4 * vertex] = 1;
    return { ...mesh, skin: skins.length - 1, influences: 4, joints: new Uint16Array(4 * count), weights };
  });
  return { ...asset, skins, meshes };
}
