/**
 * A made-up character as a file. Nodes, meshes and materials keep names of their own, so that an option can be given
 * any of them.
 */
import type { Asset, MeshPrimitive } from '../../../../src/index.js';
import { buildGltf, type GltfBuilder, type Json } from '../../../support/gltfBuilder.js';

/**
 * Writes a character of one skin, unscaled, bone by node.
 *
 * @param meshNames - names of its meshes, default those of the nodes
 */
export function assetGltf(
  { skeleton, skins, meshes }: Asset,
  meshNames: readonly string[] = [],
): GltfBuilder {
  const b = buildGltf();
  const part = (list: Float64Array, width: number, bone: number): number[] => [
    ...list.subarray(width * bone, width * bone + width),
  ];
  const nodes = skeleton.names.map((name, bone): Json => {
    const children = [...skeleton.parents.keys()].filter((child) => skeleton.parents[child] === bone);
    return {
      name,
      translation: part(skeleton.translations, 3, bone),
      rotation: part(skeleton.rotations, 4, bone),
      ...(children.length > 0 ? { children } : {}),
    };
  });
  meshes.forEach(({ bone }, mesh) => Object.assign(nodes[bone]!, { mesh, skin: 0 }));
  Object.assign(b.json, {
    scene: 0,
    scenes: [{ nodes: [...nodes.keys()].filter((node) => skeleton.parents[node] === -1) }],
    nodes,
    materials: meshes.map(({ material }) => ({ name: material })),
    meshes: meshes.map((mesh, m) => ({
      name: meshNames[m] ?? skeleton.names[mesh.bone],
      primitives: [{ material: m, ...primitive(b, mesh) }],
    })),
    skins: skins.map(({ joints, inverseBinds }) => ({
      joints: [...joints],
      inverseBindMatrices: b.accessor(Float32Array.from(inverseBinds), 'MAT4'),
    })),
  });
  return b;
}

function primitive(b: GltfBuilder, { positions, indices, joints, weights }: MeshPrimitive): Json {
  return {
    indices: b.accessor(Uint32Array.from(indices), 'SCALAR'),
    attributes: {
      POSITION: b.accessor(Float32Array.from(positions), 'VEC3'),
      JOINTS_0: b.accessor(Uint16Array.from(joints), 'VEC4'),
      WEIGHTS_0: b.accessor(Float32Array.from(weights), 'VEC4'),
    },
  };
}
