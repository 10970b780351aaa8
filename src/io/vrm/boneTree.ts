/**
 * Who hangs from whom, with children in the order of the file: VRM 0.x continues a chain with the first child. Numbers
 * in depth-first order answer in one step whether a bone hangs below another.
 */
import { listAt, type JsonObject } from '../gltf/json.js';

/** The tree of all bones. */
export interface BoneTree {
  /** Children of each bone, as the file lists them. */
  children: readonly (readonly number[])[];
  /** Place of each bone in depth-first order. */
  enter: Int32Array;
  /** Place of the last bone below each bone, its own when it has no children. */
  leave: Int32Array;
}

/** Builds the tree of nodes that have been found to be one. */
export function buildTree(
  nodes: readonly JsonObject[],
  boneOfNode: Int32Array,
  parents: Int32Array,
): BoneTree {
  const count = parents.length;
  const children: number[][] = Array.from({ length: count }, () => []);
  nodes.forEach((node, n) => {
    for (const child of listAt(node, 'children', `/nodes/${n}`))
      children[boneOfNode[n]!]!.push(boneOfNode[child as number]!);
  });
  const size = new Int32Array(count).fill(1);
  for (let bone = count - 1; bone >= 0; bone--) if (parents[bone]! >= 0) size[parents[bone]!]! += size[bone]!;
  const enter = new Int32Array(count);
  const leave = new Int32Array(count);
  let free = 0;
  // Parents come before their children.
  for (let bone = 0; bone < count; bone++) {
    if (parents[bone]! < 0) {
      enter[bone] = free;
      free += size[bone]!;
    }
    leave[bone] = enter[bone]! + size[bone]! - 1;
    let next = enter[bone]! + 1;
    for (const child of children[bone]!) {
      enter[child] = next;
      next += size[child]!;
    }
  }
  return { children, enter, leave };
}

/** Whether `below` hangs from `above`, directly or not; a bone does not hang from itself. */
export function isAbove({ enter, leave }: BoneTree, above: number, below: number): boolean {
  return enter[above]! < enter[below]! && enter[below]! <= leave[above]!;
}
