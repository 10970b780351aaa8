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

/** The shells of a piece: 1 per shell, and how many. */
function ownShells({ shells, shellOf, shellSize }: SkinGraph, nodes: Uint32Array): Uint8Array {
  const held = new Uint32Array(shells);
  for (const node of nodes) held[shellOf[node]!]!++;
  return Uint8Array.from(held, (count, shell) => (count > OWN * shellSize[shell]! ? 1 : 0));
}

/**
 * The nodes of a piece that is made of shells of its own, without those of the body that a bridge added; all nodes of a
 * piece that grows out of the body's shell.
 */
export function ownNodes(graph: SkinGraph, nodes: Uint32Array): Uint32Array {
  // One shell is the whole or not: nothing to take out.
  if (graph.shells === 1) return nodes;
  const isOwn = ownShells(graph, nodes);
  const own = nodes.filter((node) => isOwn[graph.shellOf[node]!] === 1);
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
  const { shellOf, shellSize } = graph;
  const isOwn = ownShells(graph, nodes);
  if (!nodes.every((node) => isOwn[shellOf[node]!] === 1)) return undefined;
  const geodesic = createGeodesic(graph);
  startAt(geodesic, nodes[0]!);
  settleTo(geodesic, (1 + ROOT) * base, (node) => isOwn[shellOf[node]!] === 1);
  const all = geodesic.order.slice(0, geodesic.count);
  let size = 0;
  let shells = 0;
  for (const [shell, own] of isOwn.entries()) {
    size += own * shellSize[shell]!;
    shells += own;
  }
  if (all.length < size) return undefined;
  const rings: Uint32Array[] = [];
  const collarCentre = new Float64Array(3);
  for (const own of byShell(graph, all)) {
    const ring = rootRing(graph, own, geodesic.distance, radius);
    const nearest = ring.reduce((least, node) => Math.min(least, geodesic.distance[node]!), Infinity);
    // The closed line just inside the ring: the ring itself may be lopsided, or the cap of a tube.
    const centre = ringCentre(geodesic, nearest * (1 - 1e-9), own) ?? meanPlace(graph, ring);
    for (let k = 0; k < 3; k++) collarCentre[k]! += centre[k]! / shells;
    rings.push(ring);
  }
  return { nodes: all, collar: Uint32Array.from(rings.flatMap((ring) => [...ring])), collarCentre };
}

/** Nodes by shell, shells ascending, each in the given order. */
function byShell({ shellOf, shells, shellSize }: SkinGraph, nodes: Uint32Array): Uint32Array[] {
  const lists: Uint32Array[] = [];
  const filled = new Uint32Array(shells);
  for (const node of nodes) {
    const shell = shellOf[node]!;
    const list = (lists[shell] ??= new Uint32Array(shellSize[shell]!));
    list[filled[shell]!++] = node;
  }
  return lists.filter((list) => list !== undefined);
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
