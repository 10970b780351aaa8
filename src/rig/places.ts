/**
 * Places of points: a total order, and the mean. Mirror-symmetric bodies are full of exact ties; broken by index, the result would
 * depend on the order of the vertices in the file.
 */
import type { SkinGraph } from './skinGraph.js';

/** Whether point a comes before point b: by x, y, z, then by index. */
export function isBefore(positions: Float64Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    const difference = positions[3 * a + k]! - positions[3 * b + k]!;
    if (difference !== 0) return difference < 0;
  }
  return a < b;
}

/** Mean position of nodes, world. */
export function meanPlace({ positions }: SkinGraph, nodes: Uint32Array): Float64Array {
  const mean = new Float64Array(3);
  for (const node of nodes) for (let k = 0; k < 3; k++) mean[k]! += positions[3 * node + k]! / nodes.length;
  return mean;
}
