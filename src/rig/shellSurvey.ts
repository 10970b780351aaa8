/**
 * What bridges need to know of the shells of a skin: a tree of the nodes of each, its box, thickness, normals and edges.
 */
import { eigenvalues3 } from './eigen3.js';
import { largestBelow, plantTree, type KdForest } from './kdTree.js';
import type { SkinGraph } from './skinGraph.js';

/** What is known of the shells. */
export interface Shells {
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
  /** Largest of those in the subtree at each place of the forest's order. */
  widest: Float64Array;
  /** Largest of those per shell. */
  longest: Float64Array;
}

/** Surveys the shells of a graph. */
export function surveyShells(graph: SkinGraph): Shells {
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
    widest: new Float64Array(count),
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
    largestBelow(shells.widest, forest, first[s]!, first[s + 1]!, shells.edge);
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

/** Distance of a point to a box: low corner, then high corner, six numbers each. */
export function boxDistance(boxes: Float64Array, s: number, x: number, y: number, z: number): number {
  const dx = Math.max(0, boxes[6 * s]! - x, x - boxes[6 * s + 3]!);
  const dy = Math.max(0, boxes[6 * s + 1]! - y, y - boxes[6 * s + 4]!);
  const dz = Math.max(0, boxes[6 * s + 2]! - z, z - boxes[6 * s + 5]!);
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
