/**
 * Protrusions of the skin that have no bone of their own inside: tips, swept inwards, each with the figures that the
 * verdict needs (docs/rigging.md, "Tips" to "Pieces").
 */
import { distance3 } from '../math/vec3.js';
import type { DrivingBones } from './drivingBones.js';
import { createGeodesic, resetGeodesic, settleTo, startAt, type Geodesic } from './geodesic.js';
import { ownNodes } from './ownShells.js';
import { isBefore, meanPlace } from './places.js';
import { ringCentre } from './rings.js';
import { findBranches, PERSISTENCE, type Branches } from './tips.js';
import type { SkinGraph } from './skinGraph.js';
import { sectionAt, type Sections } from './sections.js';
import { sweepFrom, type Sweep } from './sweep.js';

/** A protrusion. */
export interface Protrusion {
  /** Nodes, by ascending distance from the tip. */
  nodes: Uint32Array;
  /** The same and those of the root, which a chain takes along. */
  withRoot: Uint32Array;
  /** Distance from the tip per entry of {@link withRoot}. */
  fromTip: Float64Array;
  /** Length along the skin from the tip to the base. */
  base: number;
  /** Centre of the ring at the base, world. */
  collarCentre: Float64Array;
  /** Radius of the ring at the base. */
  collarRadius: number;
  /** Length over median radius. */
  aspect: number;
  /** Median of q over 15 to 90 % of the length. */
  boneRatio: number;
  /** Median flatness over the same. */
  flatness: number;
  /** Median radius over the whole length. */
  radius: number;
  /** Mean of its points, world. */
  middle: Float64Array;
  /** What ended the sweep. */
  end: Sweep['end'];
}

/** Least length over radius to be seen at all. */
const SEEN = 2;
/** Share of a piece that an accepted one may hold already. */
const OVERLAP = 0.5;
/** How much longer a piece must be over its own shells alone to count instead of that over bridges. */
const LONGER = 1.5;
/** Bins over the largest distance: fine enough for a mouse's tail. */
const BINS = 240;
/**
 * Sweeps settle at most so many nodes per node of the skin, the tips that stand out most first: thousands of loose
 * shells are thousands of tips. Characters with hundreds of shells need 13.
 */
const EFFORT = 32;

/** A tip with the field it was found in. */
interface Candidate {
  node: number;
  persistence: number;
  branches: Branches;
  branch: number;
}

/**
 * Finds protrusions.
 *
 * @param sources - world points; the distance of the skin from each gives tips (one source hides a short tail beside it)
 * @param onTip - called before each sweep with number and count
 * @param onStop - called when the effort is spent, with how many tips of how many were not looked at
 * @param most - nodes to settle per node of the skin
 */
export function findProtrusions(
  graph: SkinGraph,
  bones: DrivingBones,
  sources: readonly Float64Array[],
  onTip: (index: number, count: number) => void,
  onStop: (left: number, count: number) => void,
  most: number = EFFORT,
): Protrusion[] {
  const candidates: Candidate[] = [];
  let reach = 0;
  for (const source of sources) {
    const field = createGeodesic(graph);
    startAt(field, nearestNode(graph, source));
    settleTo(field, Infinity);
    const farthest = field.count > 0 ? field.distance[field.order[field.count - 1]!]! : 0;
    // The first field is the yardstick for all.
    if (reach === 0) reach = farthest;
    const branches = findBranches(field, PERSISTENCE * reach);
    for (const [branch, { node, persistence }] of branches.tips.entries())
      candidates.push({ node, persistence, branches, branch });
  }
  candidates.sort(
    (a, b) => b.persistence - a.persistence || (isBefore(graph.positions, a.node, b.node) ? -1 : 1),
  );
  const geodesic = createGeodesic(graph);
  const taken = new Uint8Array(graph.count);
  const found: Protrusion[] = [];
  const effort = { settled: 0 };
  for (const [i, candidate] of candidates.entries()) {
    if (effort.settled > most * graph.count) {
      onStop(candidates.length - i, candidates.length);
      break;
    }
    onTip(i, candidates.length);
    if (taken[candidate.node] === 1) continue;
    const piece = protrusionAt(geodesic, bones, candidate, reach / BINS, effort);
    if (piece === undefined) continue;
    const held = piece.nodes.reduce((sum, node) => sum + taken[node]!, 0);
    if (held > OVERLAP * piece.nodes.length) continue;
    for (const node of piece.nodes) taken[node] = 1;
    found.push(piece);
  }
  return found;
}

/** The node nearest to a point. */
function nearestNode({ count, positions }: SkinGraph, point: Float64Array): number {
  let best = 0;
  let least = Infinity;
  for (let node = 0; node < count; node++) {
    const away = distance3(positions, 3 * node, point, 0);
    if (away < least || (away === least && isBefore(positions, node, best))) {
      least = away;
      best = node;
    }
  }
  return best;
}

function protrusionAt(
  geodesic: Geodesic,
  bones: DrivingBones,
  { node, persistence, branches, branch }: Candidate,
  step: number,
  effort: { settled: number },
): Protrusion | undefined {
  // Skin of forks does not count into the rings: only the branch itself and what it grows on.
  const line = new Uint8Array(branches.tips.length + 1);
  for (let b = branch; b >= 0; b = branches.tips[b]!.parent) line[b] = 1;
  const { branchOf } = branches;
  const { graph } = geodesic;
  const layer = graph.layerOf[graph.shellOf[node]!]!;
  const sweep = (isOpen?: (n: number) => boolean): Protrusion => {
    const counts = (n: number): boolean => line[branchOf[n]!] === 1;
    const input = { geodesic, tip: node, step, reach: 1.25 * persistence, segments: bones.segments, counts };
    const piece = protrusionOf(geodesic, sweepFrom(isOpen ? { ...input, isOpen } : input));
    effort.settled += geodesic.count;
    resetGeodesic(geodesic);
    return piece;
  };
  const whole = sweep();
  if (graph.shells === 1) return isSeen(whole) ? whole : undefined;
  // Where a tail touches a leg, a bridge leads the front into the leg; over its own shells alone it comes to its root.
  const own = sweep((n) => graph.layerOf[graph.shellOf[n]!] === layer);
  const piece = isSeen(own) && (!isSeen(whole) || own.base > LONGER * whole.base) ? own : whole;
  return isSeen(piece) ? piece : undefined;
}

function isSeen({ aspect, boneRatio }: Protrusion): boolean {
  return aspect >= SEEN && boneRatio > 1;
}

/** Figures of a finished sweep, whose distances still stand in `geodesic`. */
export function protrusionOf(geodesic: Geodesic, sweep: Sweep): Protrusion {
  const { graph, distance, order, count } = geodesic;
  const { base, root, sections, ratios } = sweep;
  const upTo = (limit: number): Uint32Array => {
    let inside = 0;
    while (inside < count && distance[order[inside]!]! <= limit) inside++;
    return ownNodes(graph, order.slice(0, inside));
  };
  const nodes = upTo(base);
  const withRoot = upTo(root);
  const last = sectionAt(sections, base);
  const middle = rangeOf(sections, 0.15 * base, 0.9 * base);
  const radius = median(sections.radii, sections, 0, last + 1);
  return {
    nodes,
    withRoot,
    fromTip: Float64Array.from(withRoot, (node) => distance[node]!),
    base,
    collarCentre: ringCentre(geodesic, base, nodes) ?? centreOf(sections, base),
    collarRadius: sections.radii[last]!,
    aspect: radius > 0 ? base / radius : 0,
    boneRatio: median(ratios, sections, ...middle),
    flatness: median(sections.flatness, sections, ...middle),
    radius,
    middle: meanPlace(graph, nodes),
    end: sweep.end,
  };
}

function centreOf(sections: Sections, distance: number): Float64Array {
  const o = 3 * sectionAt(sections, distance);
  return sections.centres.slice(o, o + 3);
}

function rangeOf(sections: Sections, from: number, to: number): [number, number] {
  const first = sectionAt(sections, from);
  return [first, Math.max(first, sectionAt(sections, to)) + 1];
}

/** Median of a figure over sections that hold skin. */
function median(list: Float64Array, { radii }: Sections, from: number, to: number): number {
  const part = list
    .slice(from, to)
    .filter((_, i) => radii[from + i]! > 0)
    .toSorted((a, b) => a - b);
  return part.length === 0 ? 0 : part[part.length >> 1]!;
}
