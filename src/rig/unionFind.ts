/**
 * Union-find: which things hang together, as a forest in an array of parents; a thing that is its own parent stands for
 * its set.
 */

/** What stands for the set of `at`; shortens the way there. */
export function rootOf(parent: Uint32Array | Int32Array, at: number): number {
  let root = at;
  while (parent[root] !== root) {
    parent[root] = parent[parent[root]!]!;
    root = parent[root]!;
  }
  return root;
}

/**
 * Makes one set of those of `a` and `b`; the smaller number stands for both, so the order of calls does not show.
 *
 * @returns false when they were one already
 */
export function unite(parent: Uint32Array, a: number, b: number): boolean {
  const p = rootOf(parent, a);
  const q = rootOf(parent, b);
  parent[Math.max(p, q)] = Math.min(p, q);
  return p !== q;
}
