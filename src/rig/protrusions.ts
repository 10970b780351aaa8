/**
 * Protrusions of the skin that have no bone of their own inside: tips, swept inwards, each with the figures that the
 * verdict needs (research: steps 8 to 12).
 */
import { distance3 } from '../math/vec3.js';
import type { DrivingBones } from './drivingBones.js';
import { createGeodesic, resetGeodesic, settleTo, startAt, type Geodesic } from './geodesic.js';
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
  /** Centre of the ring where the root ends, world. */
  rootCentre: Float64Array;
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
  /** What ended the sweep. */
  end: Sweep['end'];
}

/** Least length over radius to be seen at all. */
const SEEN = 2;
/** Share of a piece that an accepted one may hold already. */
const OVERLAP = 0.5;
/** Bins over the largest distance: fine enough for a mouse's tail. */
const BINS = 240;

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
 */
export function findProtrusions(
  graph: SkinGraph,
  bones: DrivingBones,
  sources: readonly Float64Array[],
  onTip: (index: number, count: number) => void,
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
  candidates.sort((a, b) => b.persistence - a.persistence || a.node - b.node);
  const geodesic = createGeodesic(graph);
  const taken = new Uint8Array(graph.count);
  const found: Protrusion[] = [];
  for (const [i, candidate] of candidates.entries()) {
    onTip(i, candidates.length);
    if (taken[candidate.node] === 1) continue;
    const piece = protrusionAt(geodesic, bones, candidate, reach / BINS);
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
    if (away < least) {
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
): Protrusion | undefined {
  // Skin of forks does not count into the rings: only the branch itself and what it grows on.
  const line = new Set<number>();
  for (let b = branch; b >= 0; b = branches.tips[b]!.parent) line.add(b);
  const { branchOf } = branches;
  const sweep = sweepFrom({
    geodesic,
    tip: node,
    step,
    reach: 1.25 * persistence,
    segments: bones.segments,
    counts: (n) => line.has(branchOf[n]!),
  });
  const piece = protrusionOf(geodesic, sweep);
  resetGeodesic(geodesic);
  return piece.aspect >= SEEN && piece.boneRatio > 1 ? piece : undefined;
}

/** Figures of a finished sweep, whose distances still stand in `geodesic`. */
export function protrusionOf({ distance, order, count }: Geodesic, sweep: Sweep): Protrusion {
  const { base, root, sections, ratios } = sweep;
  const upTo = (limit: number): Uint32Array => {
    let inside = 0;
    while (inside < count && distance[order[inside]!]! <= limit) inside++;
    return order.slice(0, inside);
  };
  const withRoot = upTo(root);
  const last = sectionAt(sections, base);
  const end = 3 * sectionAt(sections, root);
  const middle = rangeOf(sections, 0.15 * base, 0.9 * base);
  const radius = median(sections.radii, sections, 0, last + 1);
  return {
    nodes: upTo(base),
    withRoot,
    fromTip: Float64Array.from(withRoot, (node) => distance[node]!),
    rootCentre: sections.centres.slice(end, end + 3),
    base,
    collarCentre: sections.centres.slice(3 * last, 3 * last + 3),
    collarRadius: sections.radii[last]!,
    aspect: radius > 0 ? base / radius : 0,
    boneRatio: median(ratios, sections, ...middle),
    flatness: median(sections.flatness, sections, ...middle),
    radius,
    end: sweep.end,
  };
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
