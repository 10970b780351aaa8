/**
 * Bridges between shells of the skin, so that a geodesic can pass from one to the other where they touch (a limb
 * stuck into a trunk) or lie on each other (fur over skin), and nowhere else (docs/rigging.md, "Shells and bridges").
 */
import { eigenvalues3 } from './eigen3.js';
import { nearestInTree, plantTree, type KdForest, type Nearest } from './kdTree.js';
import type { Bridge, SkinGraph } from './skinGraph.js';

/** A contact bridge may be this many times as long as the shortest gap between its two shells ... */
const CONTACT_GAP = 1.5;
/** ... plus this share of the local edge length. */
const CONTACT_EDGE = 0.5;
/** Contacts are looked for within this many local edge lengths. */
const CONTACT_REACH = 2;
/** Longest layer bridge, as a share of the thickness of the thinner shell. */
const LAYER_GAP = 0.4;
/** Least cosine between the normals at the ends of a layer bridge. */
const LAYER_NORMALS = 0.5;
/** Least cosine between a layer bridge and the normal: without it an upright tail gets short-cuts to the back. */
const LAYER_ALONG = 0.7;

/** What is known of the shells. */
interface Shells {
  graph: SkinGraph;
  /** Nodes ordered by shell, a tree each. */
  forest: KdForest;
  /** Shell s holds the entries `first[s]` to `first[s + 1]` of the forest's order. */
  first: Uint32Array;
  /** Low corner, then high corner of the box around each shell. */
  boxes: Float64Array;
  /** sqrt(2 lambda2) of each shell's nodes: the radius of a tube. */
  thickness: Float64Array;
  /** Unit normals, 3 per node. */
  normals: Float64Array;
  /** Mean edge length per node. */
  edge: Float64Array;
  /** Largest of those per shell. */
  longest: Float64Array;
}

/** A node and the nearest node of another shell. */
interface Candidate {
  from: number;
  to: number;
  gap: number;
  pair: number;
}

/**
 * Finds the bridges of a graph that has none yet.
 *
 * @param join - whether loose shells are joined as well
 */
export function bridgeShells(graph: SkinGraph, join: boolean): Bridge[] {
  if (graph.shells < 2) return [];
  const shells = surveyShells(graph);
  const { candidates, leastGap } = nearbyPairs(shells);
  const bridges: Bridge[] = [];
  for (const { from, to, gap, pair } of candidates) {
    const isContact = gap <= CONTACT_GAP * leastGap[pair]! + CONTACT_EDGE * shells.edge[from]!;
    const layer = isLayer(shells, from, to, gap);
    if (isContact || layer) bridges.push({ from, to, length: gap, layer });
  }
  return join ? [...bridges, ...joinLoose(shells, bridges)] : bridges;
}

function surveyShells(graph: SkinGraph): Shells {
  const { count, shells: number, shellOf, positions } = graph;
  const first = new Uint32Array(number + 1);
  for (const shell of shellOf) first[shell + 1]!++;
  for (let s = 0; s < number; s++) first[s + 1]! += first[s]!;
  const next = first.slice();
  const order = new Uint32Array(count);
  for (let n = 0; n < count; n++) order[next[shellOf[n]!]!++] = n;
  const forest = { positions, order };
  const shells: Shells = {
    graph,
    forest,
    first,
    boxes: new Float64Array(6 * number),
    thickness: new Float64Array(number),
    normals: nodeNormals(graph),
    edge: new Float64Array(count),
    longest: new Float64Array(number),
  };
  for (let n = 0; n < count; n++) {
    let sum = 0;
    for (let e = graph.first[n]!; e < graph.first[n + 1]!; e++) sum += graph.lengths[e]!;
    shells.edge[n] = sum / Math.max(1, graph.first[n + 1]! - graph.first[n]!);
    shells.longest[shellOf[n]!] = Math.max(shells.longest[shellOf[n]!]!, shells.edge[n]!);
  }
  for (let s = 0; s < number; s++) {
    plantTree(forest, first[s]!, first[s + 1]!);
    measureShell(shells, s);
  }
  return shells;
}

/** Area-weighted unit normals. */
function nodeNormals({ count, corners, positions }: SkinGraph): Float64Array {
  const normals = new Float64Array(3 * count);
  for (let c = 0; c < corners.length; c += 3) {
    const [a, b, d] = [3 * corners[c]!, 3 * corners[c + 1]!, 3 * corners[c + 2]!];
    const ux = positions[b]! - positions[a]!;
    const uy = positions[b + 1]! - positions[a + 1]!;
    const uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[d]! - positions[a]!;
    const vy = positions[d + 1]! - positions[a + 1]!;
    const vz = positions[d + 2]! - positions[a + 2]!;
    for (const o of [a, b, d]) {
      normals[o]! += uy * vz - uz * vy;
      normals[o + 1]! += uz * vx - ux * vz;
      normals[o + 2]! += ux * vy - uy * vx;
    }
  }
  for (let o = 0; o < normals.length; o += 3) {
    const size = Math.sqrt(
      normals[o]! * normals[o]! + normals[o + 1]! * normals[o + 1]! + normals[o + 2]! * normals[o + 2]!,
    );
    if (size > 0) for (let k = o; k < o + 3; k++) normals[k]! /= size;
  }
  return normals;
}

function measureShell({ graph, forest, first, boxes, thickness }: Shells, s: number): void {
  const { positions } = graph;
  const sum = new Float64Array(9);
  const [low, high] = [6 * s, 6 * s + 3];
  boxes.fill(Infinity, low, high);
  boxes.fill(-Infinity, high, high + 3);
  const size = first[s + 1]! - first[s]!;
  const origin = 3 * forest.order[first[s]!]!;
  for (let i = first[s]!; i < first[s + 1]!; i++) {
    const o = 3 * forest.order[i]!;
    for (let k = 0; k < 3; k++) {
      boxes[low + k] = Math.min(boxes[low + k]!, positions[o + k]!);
      boxes[high + k] = Math.max(boxes[high + k]!, positions[o + k]!);
    }
    const x = positions[o]! - positions[origin]!;
    const y = positions[o + 1]! - positions[origin + 1]!;
    const z = positions[o + 2]! - positions[origin + 2]!;
    [x, y, z, x * x, x * y, x * z, y * y, y * z, z * z].forEach((value, k) => (sum[k]! += value / size));
  }
  const [x, y, z] = [sum[0]!, sum[1]!, sum[2]!];
  const values = new Float64Array(3);
  eigenvalues3(values, [
    sum[3]! - x * x,
    sum[4]! - x * y,
    sum[5]! - x * z,
    sum[6]! - y * y,
    sum[7]! - y * z,
    sum[8]! - z * z,
  ]);
  thickness[s] = Math.sqrt(2 * Math.max(0, values[1]!));
}

/** For every node the nearest node of every other shell within reach, and the least gap of each pair of shells. */
function nearbyPairs(shells: Shells): { candidates: Candidate[]; leastGap: number[] } {
  const candidates: Candidate[] = [];
  const leastGap: number[] = [];
  const found: Nearest = { point: -1, squared: 0 };
  const { graph, forest, first, boxes } = shells;
  for (const [a, b] of overlapping(shells)) {
    const pair = leastGap.push(Infinity) - 1;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const)
      for (let i = first[from]!; i < first[from + 1]!; i++) {
        const node = forest.order[i]!;
        const reach = reachOf(shells, node, from, to);
        const [x, y, z] = [
          graph.positions[3 * node]!,
          graph.positions[3 * node + 1]!,
          graph.positions[3 * node + 2]!,
        ];
        if (boxDistance(boxes, to, x, y, z) > reach) continue;
        found.point = -1;
        found.squared = reach * reach * (1 + 1e-12);
        nearestInTree(forest, first[to]!, first[to + 1]!, x, y, z, found);
        if (found.point < 0) continue;
        const gap = Math.sqrt(found.squared);
        candidates.push({ from: node, to: found.point, gap, pair });
        leastGap[pair] = Math.min(leastGap[pair]!, gap);
      }
  }
  return { candidates, leastGap };
}

/** How far a node of one shell looks for a node of the other: contacts near, layers from the thinner shell only. */
function reachOf({ edge, thickness }: Shells, node: number, from: number, to: number): number {
  const layer = thickness[from]! <= thickness[to]! ? LAYER_GAP * thickness[from]! : 0;
  return Math.max(CONTACT_REACH * edge[node]!, layer);
}

/** Pairs of shells whose boxes come within reach of each other. */
function overlapping({ graph, boxes, thickness, longest }: Shells): [number, number][] {
  const margin = thickness.map((thick, s) => Math.max(CONTACT_REACH * longest[s]!, LAYER_GAP * thick));
  const low = (s: number, k: number): number => boxes[6 * s + k]! - margin[s]!;
  const high = (s: number, k: number): number => boxes[6 * s + 3 + k]! + margin[s]!;
  const order = Array.from({ length: graph.shells }, (_, s) => s).toSorted(
    (a, b) => low(a, 0) - low(b, 0) || a - b,
  );
  const pairs: [number, number][] = [];
  for (const [i, a] of order.entries())
    for (let j = i + 1; j < order.length && low(order[j]!, 0) <= high(a, 0); j++) {
      const b = order[j]!;
      const meet = [1, 2].every((k) => low(b, k) <= high(a, k) && low(a, k) <= high(b, k));
      if (meet) pairs.push([Math.min(a, b), Math.max(a, b)]);
    }
  return pairs.toSorted((p, q) => p[0] - q[0] || p[1] - q[1]);
}

function boxDistance(boxes: Float64Array, s: number, x: number, y: number, z: number): number {
  const dx = Math.max(0, boxes[6 * s]! - x, x - boxes[6 * s + 3]!);
  const dy = Math.max(0, boxes[6 * s + 1]! - y, y - boxes[6 * s + 4]!);
  const dz = Math.max(0, boxes[6 * s + 2]! - z, z - boxes[6 * s + 5]!);
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** Whether two nodes lie on each other: close, normals alike, the gap along the normal. */
function isLayer({ graph, thickness, normals }: Shells, from: number, to: number, gap: number): boolean {
  const thin = Math.min(thickness[graph.shellOf[from]!]!, thickness[graph.shellOf[to]!]!);
  if (gap > LAYER_GAP * thin) return false;
  const [a, b] = [3 * from, 3 * to];
  let alike = 0;
  let along = 0;
  for (let k = 0; k < 3; k++) {
    alike += normals[a + k]! * normals[b + k]!;
    along += normals[a + k]! * (graph.positions[b + k]! - graph.positions[a + k]!);
  }
  return alike > LAYER_NORMALS && (gap === 0 || Math.abs(along) > LAYER_ALONG * gap);
}

/** Joins what is still loose by the one closest pair of nodes, smallest part first. */
function joinLoose(shells: Shells, bridges: readonly Bridge[]): Bridge[] {
  const { graph, first } = shells;
  const part = Uint32Array.from({ length: graph.shells }, (_, s) => s);
  const unite = (a: number, b: number): void => {
    const [keep, drop] = [Math.min(part[a]!, part[b]!), Math.max(part[a]!, part[b]!)];
    for (let s = 0; s < part.length; s++) if (part[s] === drop) part[s] = keep;
  };
  for (const { from, to } of bridges) {
    const [a, b] = [graph.shellOf[from]!, graph.shellOf[to]!];
    if (part[a] !== part[b]) unite(a, b);
  }
  const joins: Bridge[] = [];
  for (;;) {
    const sizes = new Map<number, number>();
    for (let s = 0; s < part.length; s++)
      sizes.set(part[s]!, (sizes.get(part[s]!) ?? 0) + first[s + 1]! - first[s]!);
    if (sizes.size < 2) return joins;
    const [smallest] = [...sizes].reduce((best, item) => (item[1] < best[1] ? item : best));
    const join = closestPair(shells, part, smallest);
    if (join === undefined) return joins;
    joins.push(join);
    unite(graph.shellOf[join.from]!, graph.shellOf[join.to]!);
  }
}

/** The closest pair of nodes between a part and everything else. */
function closestPair(shells: Shells, part: Uint32Array, loose: number): Bridge | undefined {
  const { graph, forest, first, boxes } = shells;
  const own: number[] = [];
  const others: number[] = [];
  for (let s = 0; s < part.length; s++) (part[s] === loose ? own : others).push(s);
  let best: Bridge | undefined;
  const found: Nearest = { point: -1, squared: Infinity };
  for (const a of own)
    for (const b of others) {
      if (best !== undefined && boxGap(boxes, a, b) >= best.length) continue;
      for (let i = first[a]!; i < first[a + 1]!; i++) {
        const node = forest.order[i]!;
        const o = 3 * node;
        const [x, y, z] = [graph.positions[o]!, graph.positions[o + 1]!, graph.positions[o + 2]!];
        found.point = -1;
        found.squared = best === undefined ? Infinity : best.length * best.length;
        if (best !== undefined && boxDistance(boxes, b, x, y, z) >= best.length) continue;
        nearestInTree(forest, first[b]!, first[b + 1]!, x, y, z, found);
        if (found.point >= 0)
          best = { from: node, to: found.point, length: Math.sqrt(found.squared), layer: false };
      }
    }
  return best;
}

/** Distance of two boxes. */
function boxGap(boxes: Float64Array, a: number, b: number): number {
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(
      0,
      boxes[6 * a + k]! - boxes[6 * b + 3 + k]!,
      boxes[6 * b + k]! - boxes[6 * a + 3 + k]!,
    );
    squared += gap * gap;
  }
  return Math.sqrt(squared);
}
