/**
 * Distances along the skin: Dijkstra over edge lengths, which can stop at a distance and go on later, and forgets in
 * the time it took (tips of a model share one search).
 */
import type { SkinGraph } from './skinGraph.js';

/** A search that can be continued. */
export interface Geodesic {
  /** The graph. */
  readonly graph: SkinGraph;
  /** Distance per node, final for settled nodes, Infinity where nothing came yet. */
  readonly distance: Float64Array;
  /** 1 for settled nodes. */
  readonly settled: Uint8Array;
  /** Settled nodes by ascending distance. */
  readonly order: Uint32Array;
  /** How many there are. */
  count: number;
  /** Nodes with a distance that are to be forgotten on {@link resetGeodesic}. */
  readonly touched: number[];
  /** Binary heap of waiting nodes by key; a node may stand in it several times. */
  readonly keys: number[];
  readonly waiting: number[];
}

/** An empty search. */
export function createGeodesic(graph: SkinGraph): Geodesic {
  return {
    graph,
    distance: new Float64Array(graph.count).fill(Infinity),
    settled: new Uint8Array(graph.count),
    order: new Uint32Array(graph.count),
    count: 0,
    touched: [],
    keys: [],
    waiting: [],
  };
}

/** Forgets everything. */
export function resetGeodesic(geodesic: Geodesic): void {
  for (const node of geodesic.touched) {
    geodesic.distance[node] = Infinity;
    geodesic.settled[node] = 0;
  }
  geodesic.count = 0;
  geodesic.touched.length = 0;
  geodesic.keys.length = 0;
  geodesic.waiting.length = 0;
}

/** Adds a node to start from, at a distance. */
export function startAt(geodesic: Geodesic, node: number, distance = 0): void {
  reach(geodesic, node, distance);
}

/**
 * Settles all nodes up to a distance.
 *
 * @param isOpen - nodes that may be entered, default all
 * @returns false when nothing is left to settle
 */
export function settleTo(geodesic: Geodesic, bound: number, isOpen?: (node: number) => boolean): boolean {
  const { graph, distance, settled, keys } = geodesic;
  const { first, neighbours, lengths } = graph;
  while (keys.length > 0 && keys[0]! <= bound) {
    const node = pop(geodesic);
    if (settled[node] === 1) continue;
    settled[node] = 1;
    geodesic.order[geodesic.count++] = node;
    const from = distance[node]!;
    for (let e = first[node]!; e < first[node + 1]!; e++) {
      const next = neighbours[e]!;
      const length = from + lengths[e]!;
      if (length < distance[next]! && (isOpen === undefined || isOpen(next))) reach(geodesic, next, length);
    }
  }
  return keys.length > 0;
}

function reach(geodesic: Geodesic, node: number, key: number): void {
  const { distance, touched, keys, waiting } = geodesic;
  if (!(key < distance[node]!)) return;
  if (distance[node] === Infinity) touched.push(node);
  distance[node] = key;
  let at = keys.length;
  keys.push(key);
  waiting.push(node);
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (keys[above]! <= key) break;
    keys[at] = keys[above]!;
    waiting[at] = waiting[above]!;
    at = above;
  }
  keys[at] = key;
  waiting[at] = node;
}

function pop({ keys, waiting }: Geodesic): number {
  const top = waiting[0]!;
  const key = keys.pop()!;
  const node = waiting.pop()!;
  const size = keys.length;
  if (size === 0) return top;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= size) break;
    if (below + 1 < size && keys[below + 1]! < keys[below]!) below++;
    if (keys[below]! >= key) break;
    keys[at] = keys[below]!;
    waiting[at] = waiting[below]!;
    at = below;
  }
  keys[at] = key;
  waiting[at] = node;
  return top;
}
