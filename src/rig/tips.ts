/**
 * Tips of the protrusions of the skin: maxima of the geodesic distance from a source, with how far they stand out
 * (persistence, by a merge tree) and which branch every node belongs to (docs/rigging.md, "Tips").
 */
import type { Geodesic } from './geodesic.js';
import { isBefore } from './places.js';
import { rootOf } from './unionFind.js';

/** Branches of a distance field. */
export interface Branches {
  /** Tips that stand out enough. */
  tips: Tip[];
  /** Index in {@link tips} of the branch each node belongs to, -1 for nodes that were not reached. */
  branchOf: Int32Array;
}

/** The end of a branch. */
export interface Tip {
  /** The node farthest out. */
  node: number;
  /** Distance from the tip down to where the branch meets a longer one. */
  persistence: number;
  /** Index of the branch that this one grows on, -1 for the longest. */
  parent: number;
}

/** Smallest persistence of a tip, as a share of the largest distance. */
export const PERSISTENCE = 0.03;

/**
 * Branches of a finished search.
 *
 * @param least - smallest persistence
 */
export function findBranches(field: Geodesic, least: number): Branches {
  const { graph, distance, order, count } = field;
  const tipOf = new Int32Array(graph.count).fill(-1); // per node: the tip of the branch it was swept into
  const joined = new Int32Array(graph.count).fill(-1); // per tip: the tip of the branch it ended at
  const persistence = new Map<number, number>();
  const set = Int32Array.from({ length: graph.count }, (_, n) => n); // union-find; the root's elder tip:
  const elder = new Int32Array(graph.count).fill(-1);
  const outlives = (a: number, b: number): boolean =>
    distance[a]! > distance[b]! || (distance[a] === distance[b] && isBefore(graph.positions, a, b));
  for (let i = count - 1; i >= 0; i--) {
    const node = order[i]!;
    let root = -1;
    for (let e = graph.first[node]!; e < graph.first[node + 1]!; e++) {
      const next = graph.neighbours[e]!;
      if (tipOf[next]! < 0) continue;
      const other = rootOf(set, next);
      if (root < 0) root = other;
      if (other === root) continue;
      const [keep, end] = outlives(elder[root]!, elder[other]!) ? [root, other] : [other, root];
      const tip = elder[end]!;
      joined[tip] = elder[keep]!;
      persistence.set(tip, distance[tip]! - distance[node]!);
      set[end] = keep;
      root = keep;
    }
    if (root < 0) {
      elder[node] = node;
      tipOf[node] = node;
      persistence.set(node, distance[node]!);
    } else {
      set[node] = root;
      tipOf[node] = elder[root]!;
    }
  }
  return significant(tipOf, joined, persistence, least);
}

/** Keeps the branches that stand out; the others are part of what they grow on. */
function significant(
  tipOf: Int32Array,
  joined: Int32Array,
  persistence: ReadonlyMap<number, number>,
  least: number,
): Branches {
  const numbers = new Map<number, number>();
  const tips: Tip[] = [];
  for (const [node, stands] of persistence)
    if (stands >= least || joined[node]! < 0)
      numbers.set(node, tips.push({ node, persistence: stands, parent: -1 }) - 1);
  const resolve = (tip: number): number => {
    let at = tip;
    while (at >= 0 && !numbers.has(at)) at = joined[at]!;
    return at < 0 ? -1 : numbers.get(at)!;
  };
  for (const tip of tips) tip.parent = joined[tip.node]! < 0 ? -1 : resolve(joined[tip.node]!);
  const resolved = new Map<number, number>();
  const branchOf = tipOf.map((tip) => {
    if (tip < 0) return -1;
    let number = resolved.get(tip);
    if (number === undefined) resolved.set(tip, (number = resolve(tip)));
    return number;
  });
  return { tips, branchOf };
}
