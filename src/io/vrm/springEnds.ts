/**
 * A node at the end of every spring that has none: VRMC_springBone 1.0 turns a bone towards the next joint, so the 7 cm
 * that VRM 0.x adds to a leaf need a node there ("For vrm0" of its specification). It is empty and hangs on the leaf.
 */
import type { Skeleton } from '../../asset/asset.js';
import type { SpringDefinition } from '../../asset/secondary.js';
import type { BoneTree } from './boneTree.js';
import type { Vector } from './reading.js';

/** A node to add. */
export interface NewEnd {
  /** Its name: that of the bone with `_end`, and a number where that is taken. */
  name: string;
  /** Bone it hangs on. */
  parent: number;
  /** Where it stands in the space of that bone. */
  translation: Vector;
}

/**
 * Finds the end of every spring: a bone without children that stands there already, else a new node. The bones of new
 * nodes are numbered behind all others, in the order of the list.
 *
 * @param springs - as they shall be written; not changed
 */
export function springEnds(
  skeleton: Skeleton,
  { children }: BoneTree,
  springs: readonly SpringDefinition[],
): { springs: SpringDefinition[]; ends: NewEnd[] } {
  const swinging = new Set(springs.flatMap(({ joints }) => joints.map(({ bone }) => bone)));
  const names = new Set(skeleton.names);
  const ends: NewEnd[] = [];
  const found = springs.map((spring) => {
    const { joints, endOffset } = spring;
    const last = joints.at(-1)?.bone;
    if (!endOffset || last === undefined) return spring;
    const standing = children[last]!.find(
      (bone) =>
        children[bone]!.length === 0 &&
        !swinging.has(bone) &&
        endOffset.every((value, k) => value === skeleton.translations[3 * bone + k]),
    );
    if (standing !== undefined) return { ...spring, end: standing, endOffset: undefined };
    ends.push({
      name: freeName(names, `${skeleton.names[last]!}_end`),
      parent: last,
      translation: endOffset,
    });
    return { ...spring, end: skeleton.count + ends.length - 1, endOffset: undefined };
  });
  return { springs: found, ends };
}

/** Takes a name that no node has: some readers find nodes by name. */
function freeName(names: Set<string>, wanted: string): string {
  let name = wanted;
  for (let n = 2; names.has(name); n++) name = `${wanted}${n}`;
  names.add(name);
  return name;
}
