/**
 * Shells that belong to a piece alone: a tail modelled as a tube of its own and stuck into the body, with or without
 * fur over it, as most game models are made.
 */
import { createGeodesic, settleTo, startAt } from './geodesic.js';
import { meanPlace } from './places.js';
import { ringCentre } from './rings.js';
import type { SkinGraph } from './skinGraph.js';

/** Share of a shell's nodes in the piece that makes the shell its own. */
const OWN = 0.5;
/** Share of a piece in shells of its own from which it is made of them. */
const MOSTLY = 0.6;

/** Length of the root ring of a closed shell, in radii. */
const ROOT_RING = 0.5;
/** How far beyond its base the shells of a piece may reach and still be nothing but its root, as a share of its length. */
const ROOT = 1 / 3;

/** The shells of a piece. */
function ownShells(graph: SkinGraph, nodes: Uint32Array): number[] {
  const held = new Uint32Array(graph.shells);
  const all = new Uint32Array(graph.shells);
  for (const shell of graph.shellOf) all[shell]!++;
  for (const node of nodes) held[graph.shellOf[node]!]!++;
  return [...all.keys()].filter((shell) => held[shell]! > OWN * all[shell]!);
}

/**
 * The nodes of a piece that is made of shells of its own, without those of the body that a bridge added; all nodes of a
 * piece that grows out of the body's shell.
 */
export function ownNodes(graph: SkinGraph, nodes: Uint32Array): Uint32Array {
  const shells = new Set(ownShells(graph, nodes));
  const own = nodes.filter((node) => shells.has(graph.shellOf[node]!));
  return own.length >= MOSTLY * nodes.length ? own : nodes;
}

/** A piece that is nothing but shells of its own. */
export interface WholeShells {
  /** All nodes of the shells, by distance from the tip. */
  nodes: Uint32Array;
  /** Their rings at the root. */
  collar: Uint32Array;
  /** Mean of the rings, world. */
  collarCentre: Float64Array;
}

/**
 * Completes a piece that is made of shells of its own by their roots, which are stuck into the body: its collar is then
 * its own root ring.
 *
 * @param nodes - the piece, by distance from the tip
 * @param base - its length
 * @param radius - its median radius
 * @returns undefined when the piece grows out of the body's shell, or its shells are more than its root
 */
export function wholeShells(
  graph: SkinGraph,
  nodes: Uint32Array,
  base: number,
  radius: number,
): WholeShells | undefined {
  const shells = new Set(ownShells(graph, nodes));
  if (!nodes.every((node) => shells.has(graph.shellOf[node]!))) return undefined;
  const geodesic = createGeodesic(graph);
  startAt(geodesic, nodes[0]!);
  settleTo(geodesic, (1 + ROOT) * base, (node) => shells.has(graph.shellOf[node]!));
  const all = geodesic.order.slice(0, geodesic.count);
  const size = graph.shellOf.reduce((sum, shell) => sum + (shells.has(shell) ? 1 : 0), 0);
  if (all.length < size) return undefined;
  const rings: Uint32Array[] = [];
  const collarCentre = new Float64Array(3);
  for (const shell of shells) {
    const own = all.filter((node) => graph.shellOf[node] === shell);
    const ring = rootRing(graph, own, geodesic.distance, radius);
    const nearest = ring.reduce((least, node) => Math.min(least, geodesic.distance[node]!), Infinity);
    // The closed line just inside the ring: the ring itself may be lopsided, or the cap of a tube.
    const centre = ringCentre(geodesic, nearest * (1 - 1e-9), own) ?? meanPlace(graph, ring);
    for (let k = 0; k < 3; k++) collarCentre[k]! += centre[k]! / shells.size;
    rings.push(ring);
  }
  return { nodes: all, collar: Uint32Array.from(rings.flatMap((ring) => [...ring])), collarCentre };
}

/** The open rim of a shell at its far end; of a closed one, the nodes within half a radius of its farthest. */
function rootRing(graph: SkinGraph, nodes: Uint32Array, distance: Float64Array, radius: number): Uint32Array {
  const farthest = nodes.reduce((most, node) => Math.max(most, distance[node]!), 0);
  const rim = nodes.filter((node) => distance[node]! > 0.5 * farthest && isOnRim(graph, node));
  return rim.length > 0 ? rim : nodes.filter((node) => distance[node]! >= farthest - ROOT_RING * radius);
}

/** Whether a node lies on an edge of a single triangle. */
function isOnRim({ corners, firstTriangle, triangles }: SkinGraph, node: number): boolean {
  const uses = new Map<number, number>();
  for (let k = firstTriangle[node]!; k < firstTriangle[node + 1]!; k++)
    for (let c = 3 * triangles[k]!; c < 3 * triangles[k]! + 3; c++)
      if (corners[c] !== node) uses.set(corners[c]!, (uses.get(corners[c]!) ?? 0) + 1);
  return [...uses.values()].includes(1);
}
