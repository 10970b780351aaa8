/**
 * Builds the graph of the skin: shells, edges, bridges (docs/rigging.md, "Shells and bridges").
 */
import { bridgeShells } from './bridges.js';
import type { Bridge, SkinGraph } from './skinGraph.js';
import type { Surface } from './surface.js';
import { rootOf, unite } from './unionFind.js';

/**
 * Builds the graph of a surface.
 *
 * @param join - whether shells that touch nothing are joined to the nearest other, so that all is connected
 */
export function buildSkinGraph(surface: Surface, join = true): SkinGraph {
  const nodes = splitShells(surface);
  const edges = meshEdges(nodes.corners, nodes.positions, nodes.point.length);
  const around = trianglesAround(nodes.corners, nodes.point.length);
  const layerOf = Uint32Array.from({ length: nodes.shells }, (_, shell) => shell);
  const graph: SkinGraph = { ...nodes, ...edges, ...around, layerOf, count: nodes.point.length };
  const bridges = bridgeShells(graph, join);
  if (bridges.length === 0) return graph;
  uniteLayers(graph, bridges);
  return { ...graph, ...withBridges(graph, bridges) };
}

/** Shells with a layer bridge between them get one number. */
function uniteLayers({ shellOf, layerOf }: SkinGraph, bridges: readonly Bridge[]): void {
  for (const { from, to, layer } of bridges) if (layer) unite(layerOf, shellOf[from]!, shellOf[to]!);
  for (let shell = 0; shell < layerOf.length; shell++) layerOf[shell] = rootOf(layerOf, shell);
}

/** Triangles around each node. */
function trianglesAround(
  corners: Uint32Array,
  count: number,
): Pick<SkinGraph, 'firstTriangle' | 'triangles'> {
  const firstTriangle = new Uint32Array(count + 1);
  for (const node of corners) firstTriangle[node + 1]!++;
  for (let n = 0; n < count; n++) firstTriangle[n + 1]! += firstTriangle[n]!;
  const next = firstTriangle.slice();
  const triangles = new Uint32Array(corners.length);
  for (let c = 0; c < corners.length; c++) triangles[next[corners[c]!]!++] = Math.floor(c / 3);
  return { firstTriangle, triangles };
}

/** Unites triangles over shared edges and gives every point one node per shell it lies in. */
function splitShells(
  surface: Surface,
): Pick<SkinGraph, 'point' | 'positions' | 'corners' | 'shellOf' | 'shells' | 'shellSize'> {
  const { triangles, count } = surface;
  const shellOfTriangle = triangleShells(triangles, count);
  const { firstTriangle, triangles: around } = trianglesAround(triangles, count);
  const point: number[] = [];
  const shellOf: number[] = [];
  const corners = new Uint32Array(triangles.length);
  const nodeOfShell = new Map<number, number>();
  for (let p = 0; p < count; p++) {
    nodeOfShell.clear();
    for (let i = firstTriangle[p]!; i < firstTriangle[p + 1]!; i++) {
      const t = around[i]!;
      const shell = shellOfTriangle[t]!;
      let node = nodeOfShell.get(shell);
      if (node === undefined) {
        node = point.push(p) - 1;
        shellOf.push(shell);
        nodeOfShell.set(shell, node);
      }
      for (let c = 3 * t; c < 3 * t + 3; c++) if (triangles[c] === p) corners[c] = node;
    }
  }
  const positions = new Float64Array(3 * point.length);
  for (const [n, p] of point.entries())
    for (let k = 0; k < 3; k++) positions[3 * n + k] = surface.positions[3 * p + k]!;
  const { numbers, shells } = renumber(shellOf);
  const shellSize = new Uint32Array(shells);
  for (const shell of numbers) shellSize[shell]!++;
  return { point: Uint32Array.from(point), positions, corners, shellOf: numbers, shells, shellSize };
}

/** Root triangle of the shell of each triangle. */
function triangleShells(triangles: Uint32Array, points: number): Uint32Array {
  const parent = Uint32Array.from({ length: triangles.length / 3 }, (_, t) => t);
  // Edges by their lower point, so that the triangles at one edge meet in a short list.
  const { firstTriangle, triangles: around } = trianglesAround(triangles, points);
  const seenAt = new Int32Array(points).fill(-1);
  const byOther = new Uint32Array(points);
  for (let p = 0; p < points; p++)
    for (let i = firstTriangle[p]!; i < firstTriangle[p + 1]!; i++) {
      const t = around[i]!;
      for (let c = 3 * t; c < 3 * t + 3; c++) {
        const other = triangles[c]!;
        if (other === p) continue;
        if (seenAt[other] === p) unite(parent, byOther[other]!, t);
        else {
          seenAt[other] = p;
          byOther[other] = t;
        }
      }
    }
  return parent.map((_, t) => rootOf(parent, t));
}

function renumber(roots: readonly number[]): { numbers: Uint32Array; shells: number } {
  const known = new Map<number, number>();
  const numbers = new Uint32Array(roots.length);
  for (const [i, root] of roots.entries()) {
    let number = known.get(root);
    if (number === undefined) known.set(root, (number = known.size));
    numbers[i] = number;
  }
  return { numbers, shells: known.size };
}

/** Every edge once in each direction. */
function meshEdges(
  corners: Uint32Array,
  positions: Float64Array,
  count: number,
): Pick<SkinGraph, 'first' | 'neighbours' | 'lengths' | 'longestEdge'> {
  const { firstTriangle, triangles } = trianglesAround(corners, count);
  const first = new Uint32Array(count + 1);
  const neighbours = new Uint32Array(2 * corners.length);
  const lengths = new Float64Array(2 * corners.length);
  const seenAt = new Int32Array(count).fill(-1);
  let used = 0;
  let longestEdge = 0;
  for (let n = 0; n < count; n++) {
    for (let i = firstTriangle[n]!; i < firstTriangle[n + 1]!; i++)
      for (let c = 3 * triangles[i]!; c < 3 * triangles[i]! + 3; c++) {
        const other = corners[c]!;
        if (other === n || seenAt[other] === n) continue;
        seenAt[other] = n;
        neighbours[used] = other;
        lengths[used] = distance(positions, n, other);
        longestEdge = Math.max(longestEdge, lengths[used]!);
        used++;
      }
    first[n + 1] = used;
  }
  return { first, neighbours: neighbours.slice(0, used), lengths: lengths.slice(0, used), longestEdge };
}

function distance(positions: Float64Array, a: number, b: number): number {
  const x = positions[3 * a]! - positions[3 * b]!;
  const y = positions[3 * a + 1]! - positions[3 * b + 1]!;
  const z = positions[3 * a + 2]! - positions[3 * b + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Edges and bridges in one list. */
function withBridges(
  graph: SkinGraph,
  bridges: readonly Bridge[],
): Pick<SkinGraph, 'first' | 'neighbours' | 'lengths'> {
  const extra = new Uint32Array(graph.count + 1);
  for (const { from, to } of bridges) {
    extra[from]!++;
    extra[to]!++;
  }
  const first = new Uint32Array(graph.count + 1);
  for (let n = 0; n < graph.count; n++)
    first[n + 1] = first[n]! + graph.first[n + 1]! - graph.first[n]! + extra[n]!;
  const neighbours = new Uint32Array(first[graph.count]!);
  const lengths = new Float64Array(first[graph.count]!);
  const next = first.slice();
  for (let n = 0; n < graph.count; n++)
    for (let e = graph.first[n]!; e < graph.first[n + 1]!; e++) {
      neighbours[next[n]!] = graph.neighbours[e]!;
      lengths[next[n]!++] = graph.lengths[e]!;
    }
  for (const { from, to, length } of bridges) {
    neighbours[next[from]!] = to;
    lengths[next[from]!++] = length;
    neighbours[next[to]!] = from;
    lengths[next[to]!++] = length;
  }
  return { first, neighbours, lengths };
}
