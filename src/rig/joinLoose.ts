/**
 * Joins shells that no bridge reaches by the one closest pair of nodes each: the shortest tree over all parts (Boruvka:
 * in every round each part but the largest is joined to its nearest other).
 */
import { nearestInTree, plantTree, type Nearest } from './kdTree.js';
import { isBefore } from './places.js';
import { boxDistance, type Shells } from './shellSurvey.js';
import type { Bridge } from './skinGraph.js';
import { rootOf, unite } from './unionFind.js';

/** A tree over the boxes of the shells. */
interface BoxTree {
  /** Shells in the order of a k-d tree over the middles of their boxes. */
  order: Uint32Array;
  /** Box around all shells in the subtree at each place of the order, 6 numbers each. */
  boxes: Float64Array;
}

/** The bridges that join what the given ones leave loose. */
export function joinLoose(shells: Shells, bridges: readonly Bridge[]): Bridge[] {
  const { graph, forest, first } = shells;
  const parent = Uint32Array.from({ length: graph.shells }, (_, s) => s);
  for (const { from, to } of bridges) unite(parent, graph.shellOf[from]!, graph.shellOf[to]!);
  const tree = boxTree(shells);
  const joins: Bridge[] = [];
  for (;;) {
    const part = parent.map((_, s) => rootOf(parent, s));
    const sizes = new Uint32Array(graph.shells);
    for (let s = 0; s < part.length; s++) sizes[part[s]!]! += first[s + 1]! - first[s]!;
    const largest = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0));
    if (sizes[largest] === graph.count) return joins;
    const nearest = new Map<number, Bridge>();
    for (let s = 0; s < part.length; s++) {
      if (part[s] === largest) continue;
      let best = nearest.get(part[s]!);
      for (let i = first[s]!; i < first[s + 1]!; i++)
        best = nearestOther(shells, tree, part, forest.order[i]!, best);
      if (best !== undefined) nearest.set(part[s]!, best);
    }
    for (const join of nearest.values())
      if (unite(parent, graph.shellOf[join.from]!, graph.shellOf[join.to]!)) joins.push(join);
  }
}

function boxTree({ graph, boxes }: Shells): BoxTree {
  const count = graph.shells;
  const middles = new Float64Array(3 * count);
  for (let s = 0; s < count; s++)
    for (let k = 0; k < 3; k++) middles[3 * s + k] = (boxes[6 * s + k]! + boxes[6 * s + 3 + k]!) / 2;
  const order = Uint32Array.from({ length: count }, (_, s) => s);
  plantTree({ positions: middles, order }, 0, count);
  const around = new Float64Array(6 * count);
  const measure = (low: number, high: number): number => {
    const middle = (low + high) >> 1;
    around.set(boxes.subarray(6 * order[middle]!, 6 * order[middle]! + 6), 6 * middle);
    for (const [from, to] of [
      [low, middle],
      [middle + 1, high],
    ] as const) {
      if (from >= to) continue;
      const below = measure(from, to);
      for (let k = 0; k < 3; k++) {
        around[6 * middle + k] = Math.min(around[6 * middle + k]!, around[6 * below + k]!);
        around[6 * middle + 3 + k] = Math.max(around[6 * middle + 3 + k]!, around[6 * below + 3 + k]!);
      }
    }
    return middle;
  };
  measure(0, count);
  return { order, boxes: around };
}

const found: Nearest = { point: -1, squared: Infinity };

/** The nearer of a bridge and the shortest from a node to another part; of equal ones, the first by place. */
function nearestOther(
  { graph, forest, first, boxes }: Shells,
  tree: BoxTree,
  part: Uint32Array,
  node: number,
  known: Bridge | undefined,
): Bridge | undefined {
  const { positions, shellOf } = graph;
  const own = part[shellOf[node]!]!;
  const [x, y, z] = [positions[3 * node]!, positions[3 * node + 1]!, positions[3 * node + 2]!];
  let best = known;
  let length = known?.length ?? Infinity;
  const visit = (low: number, high: number): void => {
    if (low >= high) return;
    const middle = (low + high) >> 1;
    if (boxDistance(tree.boxes, middle, x, y, z) > length) return;
    const shell = tree.order[middle]!;
    if (part[shell] !== own && boxDistance(boxes, shell, x, y, z) <= length) {
      found.point = -1;
      found.squared = length * length * (1 + 1e-12);
      nearestInTree(forest, first[shell]!, first[shell + 1]!, x, y, z, found);
      const away = Math.sqrt(found.squared);
      if (
        found.point >= 0 &&
        (best === undefined || away < length || (away === length && comesBefore(node, found.point, best)))
      ) {
        best = { from: node, to: found.point, length: away, layer: false };
        length = away;
      }
    }
    const [lower, upper] = [(low + middle) >> 1, (middle + 1 + high) >> 1];
    const lowerFirst =
      low < middle &&
      (middle + 1 >= high ||
        boxDistance(tree.boxes, lower, x, y, z) <= boxDistance(tree.boxes, upper, x, y, z));
    if (lowerFirst) visit(low, middle);
    visit(middle + 1, high);
    if (!lowerFirst) visit(low, middle);
  };
  const comesBefore = (from: number, to: number, other: Bridge): boolean =>
    from === other.from ? isBefore(positions, to, other.to) : isBefore(positions, from, other.from);
  visit(0, part.length);
  return best;
}
