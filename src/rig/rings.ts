/**
 * Level lines of a geodesic search on the skin.
 */
import { distance3 } from '../math/vec3.js';
import type { Geodesic } from './geodesic.js';

/**
 * Centre of the closed line around the skin at a distance from the tip, by its length: an area around the line would
 * lean to the side where the body begins. Undefined where there is no line, at the end of a shell.
 */
export function ringCentre(
  { graph, distance, settled }: Geodesic,
  level: number,
  nodes: Uint32Array,
): Float64Array | undefined {
  const { corners, firstTriangle, triangles, positions } = graph;
  const sum = new Float64Array(3);
  let total = 0;
  const crossing = new Float64Array(6);
  for (const node of nodes) {
    for (let k = firstTriangle[node]!; k < firstTriangle[node + 1]!; k++) {
      const t = 3 * triangles[k]!;
      const three = [corners[t]!, corners[t + 1]!, corners[t + 2]!];
      // Each triangle by its innermost corner on this side.
      const first = three.find((n) => settled[n] === 1 && distance[n]! <= level);
      if (first !== node || three.some((n) => settled[n] === 0)) continue;
      let found = 0;
      for (let side = 0; side < 3; side++) {
        const [a, b] = [three[side]!, three[(side + 1) % 3]!];
        if (distance[a]! <= level === distance[b]! <= level) continue;
        const share = (level - distance[a]!) / (distance[b]! - distance[a]!);
        for (let axis = 0; axis < 3; axis++)
          crossing[3 * found + axis] =
            positions[3 * a + axis]! + share * (positions[3 * b + axis]! - positions[3 * a + axis]!);
        found++;
      }
      if (found !== 2) continue;
      const length = distance3(crossing, 0, crossing, 3);
      for (let axis = 0; axis < 3; axis++)
        sum[axis]! += (length * (crossing[axis]! + crossing[3 + axis]!)) / 2;
      total += length;
    }
  }
  return total > 0 ? sum.map((value) => value / total) : undefined;
}
