/**
 * Physics that was added to the artist's motion (`restPose: 'animated'`, or a weight below 1): the bake replaces
 * the artist's keys, so a second bake would add physics to physics. The animation's extras name the nodes
 * (`followthrough.added`); while their baked keys are unchanged, another bake of that kind leaves them as they are.
 */
import type { Clip } from '../../asset/index.js';
import type { ChainOptions } from '../../setup/chainOptions.js';
import { isObject, type JsonObject, memberOf, objectsAt } from '../gltf/json.js';
import type { GltfPatch } from '../gltf/patch.js';

/** Whether options mix the artist's motion of a chain into the result. */
export function addsToMotion(options: ChainOptions): boolean {
  return options.restPose === 'animated' || (options.weight ?? 1) < 1;
}

/** Nodes of an animation whose keys hold physics added to the artist's motion. */
export function nodesWithAddedMotion(patch: GltfPatch, animation: number): Set<number> {
  const extras = memberOf(animationAt(patch, animation), 'extras');
  const ours = isObject(extras) ? memberOf(extras, 'followthrough') : undefined;
  const nodes = isObject(ours) ? memberOf(ours, 'added') : undefined;
  return new Set(Array.isArray(nodes) ? nodes.filter((node): node is number => Number.isInteger(node)) : []);
}

/** Names the nodes; extras that are no object are somebody else's and stay. */
export function markAddedMotion(patch: GltfPatch, animation: number, nodes: Set<number>): void {
  const json = animationAt(patch, animation);
  const extras = memberOf(json, 'extras');
  if (extras !== undefined && !isObject(extras)) return;
  const found = extras ? memberOf(extras, 'followthrough') : undefined;
  const { added: _, ...ours } = isObject(found) ? found : ({} as JsonObject);
  const added = [...nodes].toSorted((a, b) => a - b);
  json['extras'] = { ...extras, followthrough: { ...ours, ...(added.length > 0 ? { added } : {}) } };
}

/** Bones whose added motion is still as it was baked. */
export function bonesWithAddedMotion(
  clip: Clip,
  nodes: Int32Array,
  marked: ReadonlySet<number>,
): Set<number> {
  return new Set(clip.bakedBones.filter((bone) => marked.has(nodes[bone]!)));
}

function animationAt(patch: GltfPatch, animation: number): JsonObject {
  return objectsAt(patch.json, 'animations', '')[animation] ?? {};
}
