/**
 * The skin around the collar of a chain. Its weights are not trusted (source 000): whoever gave a tail to the shins gave
 * them its root as well. Skin of the piece's own shells beyond the collar (a root stuck into the body) belongs to the
 * attachment; in the body's skin limbs lose their hold towards the ring, and the first bone fades out.
 */
import type { Draft } from './draft.js';
import { createGeodesic, settleTo, startAt } from './geodesic.js';
import type { SkinGraph } from './skinGraph.js';

/** A point of the zone. */
export interface ZonePoint {
  /** Distance from the ring along the skin over two collar radii, 0..1. */
  away: number;
  /** Whether it is skin of the piece's own shell. */
  own: boolean;
}

/** Width of the zone in collar radii. */
const WIDTH = 2;
/** Share of a shell's nodes in the piece that makes the shell its own. */
const OWN = 0.5;
/** Share of a piece in shells of its own from which it is made of them. */
const MOSTLY = 0.8;
/** The rest of an own shell reaches at most this far: in collar radii, or as a share of the piece's length. */
const ROOT_RADII = 3;
const ROOT_LENGTH = 1 / 3;

/**
 * Collects the zone.
 *
 * @param isPiece - per point of the surface: part of the piece itself
 * @returns by point
 */
export function collarZone(draft: Draft, isPiece: (point: number) => boolean): Map<number, ZonePoint> {
  const { graph, collar, collarRadius } = draft;
  const width = WIDTH * collarRadius;
  const geodesic = createGeodesic(graph);
  for (const node of collar) startAt(geodesic, node);
  // Only skin that the piece grows out of: what merely lies beside its root is no part of it.
  const shells = new Set([...collar].map((node) => graph.shellOf[node]!));
  const isOpen = (node: number): boolean => shells.has(graph.shellOf[node]!) && !isPiece(graph.point[node]!);
  settleTo(geodesic, width, isOpen);
  const zone = new Map<number, ZonePoint>();
  const add = (node: number, own: boolean): void => {
    const point = graph.point[node]!;
    if (isPiece(point) || (zone.has(point) && !own)) return;
    zone.set(point, { away: Math.min(1, geodesic.distance[node]! / width), own });
  };
  for (let i = 0; i < geodesic.count; i++) add(geodesic.order[i]!, false);
  for (const node of ownRest(draft)) add(node, true);
  return zone;
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

/** Nodes of the piece's own shells that the piece does not hold: its root inside the body. */
export function ownRest({ graph, nodes, collar, collarRadius, length }: Draft): number[] {
  const inside = new Uint8Array(graph.count);
  for (const node of nodes) inside[node] = 1;
  const rest: number[] = [];
  const reach = Math.max(ROOT_RADII * collarRadius, ROOT_LENGTH * length);
  for (const shell of ownShells(graph, nodes)) {
    const others: number[] = [];
    for (let node = 0; node < graph.count; node++)
      if (graph.shellOf[node] === shell && inside[node] === 0) others.push(node);
    // A shell that goes on far beyond the collar is more than the piece's root.
    const geodesic = createGeodesic(graph);
    for (const node of collar) if (graph.shellOf[node] === shell) startAt(geodesic, node);
    settleTo(geodesic, reach, (node) => graph.shellOf[node] === shell && inside[node] === 0);
    if (others.every((node) => geodesic.settled[node] === 1)) rest.push(...others);
  }
  return rest;
}

function ownShells(graph: SkinGraph, nodes: Uint32Array): number[] {
  const held = new Uint32Array(graph.shells);
  const all = new Uint32Array(graph.shells);
  for (const shell of graph.shellOf) all[shell]!++;
  for (const node of nodes) held[graph.shellOf[node]!]!++;
  return [...all.keys()].filter((shell) => held[shell]! > OWN * all[shell]!);
}
