/**
 * Measuring one character by the edges of another: a tail that has no bones of its own is told from the body by the
 * weights of the same character after the rig pass. Both must be the same meshes; the chains are those of the other
 * character, and what they hang from is looked up here by name.
 */
import { type Asset, type ChainDefinition, FollowthroughError } from '../asset/index.js';
import { type LoopBone, loopBones } from './clipLoop.js';

/**
 * @throws FollowthroughError `invalid-argument` unless both characters have the same primitives in the same order, each
 *   with as many vertices and triangles
 */
export function requireSameMeshes(asset: Asset, edgesOf: Asset): void {
  const differ = (what: string, own: number, other: number): FollowthroughError =>
    new FollowthroughError(
      'invalid-argument',
      `edgesOf: ${edgesOf.name} has ${other} ${what}, ${asset.name} has ${own}; expected the same meshes`,
    );
  if (asset.meshes.length !== edgesOf.meshes.length)
    throw differ('primitives', asset.meshes.length, edgesOf.meshes.length);
  asset.meshes.forEach((mesh, i) => {
    const other = edgesOf.meshes[i]!;
    for (const [what, own, count] of [
      ['vertices', mesh.positions.length / 3, other.positions.length / 3],
      ['triangles', mesh.indices.length / 3, other.indices.length / 3],
    ] as const)
      if (own !== count) throw differ(`${what} in primitive ${i} (${mesh.name})`, own, count);
  });
}

/** Where chains hang in a character, which need not have the chains themselves. */
export interface ChainPlaces {
  /** What each chain hangs from, with its length. */
  attachments: LoopBone[];
  /** Those bones of the chains that the character has. */
  simulated: ReadonlySet<number>;
}

/**
 * Looks up where chains hang.
 *
 * @param asset - the character that is measured
 * @param edgesOf - the one that the chains belong to; may be the same
 * @returns attachments by name (of several bones by that name the one at the same node of the file); where this
 *   character has no such bone the nearest one above it; -1, the world, where there is none
 */
export function chainPlaces(asset: Asset, edgesOf: Asset, chains: readonly ChainDefinition[]): ChainPlaces {
  const attachments = loopBones(edgesOf, chains).map(({ bone, length }) => {
    let here = -1;
    for (let b = bone; b >= 0 && here < 0; b = edgesOf.skeleton.parents[b]!)
      here = sameBone(asset, edgesOf, b);
    return { bone: here, length };
  });
  const bones = chains.flatMap((chain) => chain.bones.map((bone) => sameBone(asset, edgesOf, bone)));
  return { attachments, simulated: new Set(bones) };
}

/** The bone of this character that is called like one of another's, -1 when there is none. */
function sameBone(asset: Asset, edgesOf: Asset, bone: number): number {
  const { names, nodes } = asset.skeleton;
  const name = edgesOf.skeleton.names[bone]!;
  const node = edgesOf.skeleton.nodes[bone]!;
  const same = names.findIndex((other, b) => other === name && nodes[b] === node);
  return same >= 0 ? same : names.indexOf(name);
}
