/**
 * A plan of the rig pass written into a file: nodes, joints and inverse bind matrices are appended, joints and weights
 * of changed primitives get new accessors, everything else keeps its index, its bytes and its place.
 */
import { type Asset, FollowthroughError, type MeshPrimitive } from '../../asset/index.js';
import { applyPlan } from '../../rig/applyPlan.js';
import type { NewBone, RigPlan } from '../../rig/plan.js';
import { chainTagExtras } from '../gltf/chainTag.js';
import type { DecoderOptions } from '../gltf/decoders.js';
import { objectsAt } from '../gltf/json.js';
import { listOf, type GltfPatch } from '../gltf/patch.js';
import { openPatchReader } from '../gltf/patchReader.js';
import { changedAttributes, writeAttributes } from './writeInfluences.js';
import { checkRoots, writeSkin } from './writeSkin.js';

/**
 * Writes a plan into a patch. A plan that changes nothing leaves the patch as it is, so that the very bytes of the
 * file come back.
 *
 * Of a changed primitive only joints and weights become new; unchanged vertices keep their stored numbers bit for bit.
 * Weights keep their component type: float32 that sum to 1 within 1e-6, or whole numbers that sum exactly to 255 or
 * 65535. Joints become 16 bit numbers when one exceeds 255. A primitive compressed by Draco becomes plain, with every
 * attribute as it was decoded, but for weights whose sum Draco's rounding spoilt: those sum to 1 again; one whose buffer views are compressed by meshopt stays so in all other attributes.
 *
 * @param patch - a file opened by `openPatch`; nothing of what is read here may have been changed before
 * @param asset - the character in that file
 * @param plan - made for that character
 * @throws FollowthroughError those of `applyPlan`; `invalid-argument` when the character is not that of the file;
 * `unsupported-file` when weights are stored in an unknown form, or new joints share no root with the old
 */
export async function writePlan(
  patch: GltfPatch,
  asset: Asset,
  plan: RigPlan,
  decoders: DecoderOptions = {},
): Promise<void> {
  const rigged = applyPlan(asset, plan);
  const nodes = objectsAt(patch.json, 'nodes', '').length;
  if (nodes !== asset.skeleton.count)
    throw new FollowthroughError(
      'invalid-argument',
      `asset: has ${asset.skeleton.count} bones where the file has ${nodes} nodes`,
    );
  const primitives = changedPrimitives(plan, rigged);
  const isWanted = (semantic: string): boolean => /^(?:JOINTS|WEIGHTS)_\d+$/.test(semantic);
  const reader = await openPatchReader(
    patch,
    primitives.map(({ mesh }) => mesh),
    isWanted,
    decoders,
  );
  // All that can fail comes first.
  const changes = primitives.map(({ mesh, vertices }) => ({
    mesh,
    attributes: changedAttributes(patch, reader, mesh, vertices),
  }));
  const extended = rigged.skins.flatMap((skin, index) => {
    const old = asset.skins[index]!;
    if (skin === old) return [];
    checkRoots(old, skin, rigged.skeleton);
    return [{ index, old, skin }];
  });
  appendNodes(patch, rigged, plan.bones);
  for (const { index, old, skin } of extended) writeSkin(patch, index, old, skin, rigged.skeleton);
  for (const { mesh, attributes } of changes)
    if (attributes.length > 0) writeAttributes(patch, reader, mesh, attributes);
}

/** Every changed primitive of the file once, with the new influences and the vertices that have them. */
function changedPrimitives(plan: RigPlan, rigged: Asset): { mesh: MeshPrimitive; vertices: Uint32Array }[] {
  const changed = new Map<string, { mesh: MeshPrimitive; vertices: Uint32Array }>();
  for (const { mesh: index, vertices } of plan.influences) {
    const mesh = rigged.meshes[index]!;
    if (vertices.length > 0) changed.set(`${mesh.mesh} ${mesh.primitive}`, { mesh, vertices });
  }
  return [...changed.values()];
}

function appendNodes(patch: GltfPatch, { skeleton }: Asset, bones: readonly NewBone[]): void {
  const nodes = objectsAt(patch.json, 'nodes', '');
  const first = nodes.length;
  bones.forEach(({ name, suggested }, index) => {
    const bone = first + index;
    const translation = [...skeleton.translations.subarray(3 * bone, 3 * bone + 3)];
    nodes.push({ name, translation, ...(suggested ? { extras: chainTagExtras(suggested) } : {}) });
    const children: unknown[] = listOf(nodes[skeleton.nodes[skeleton.parents[bone]!]!]!, 'children', '');
    children.push(bone);
  });
}
