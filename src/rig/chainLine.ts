/**
 * Joints along a piece of skin: a coordinate that runs over the skin from the collar to the tip, and the centre line
 * of the rings at even steps of it (docs/rigging.md, "Line").
 */
import { createGeodesic, settleTo, startAt } from './geodesic.js';
import { nearestInTree, plantTree, type Nearest } from './kdTree.js';
import {
  addTriangle,
  createBins,
  prefixSums,
  sectionAt,
  sectionsOf,
  type SectionBins,
  type Sections,
} from './sections.js';
import type { SkinGraph } from './skinGraph.js';

/** A piece that becomes a chain. */
export interface ChainSkin {
  /** Its nodes. */
  nodes: Uint32Array;
  /** Those at its border, where the chain begins. */
  collar: Uint32Array;
  /** Where the first joint stands, world. */
  collarCentre: Float64Array;
}

/** The joints of a chain and the coordinate they were placed by. */
export interface ChainLine {
  /** Length along the skin: the 99th percentile of the coordinate. */
  length: number;
  /** Number of bones. */
  bones: number;
  /** Heads and the end, 3 each: bones + 1 points, world. */
  heads: Float64Array;
  /** Coordinate per entry of the piece's nodes: distance from the collar along the skin. */
  coordinate: Float64Array;
  /** Rings along the coordinate. */
  sections: Sections;
}

/** Bins along the whole length. */
const BINS = 400;
/** Share of the nodes that lies within the length. */
const PERCENTILE = 0.99;
/** Length of a bone as a share of the height, when the number of bones is not given. */
const BONE_LENGTH = 0.1;
const FEWEST = 3;
const MOST = 8;
/** How far smoothing may move a joint, as a share of the ring's radius: beyond it, it leaves thin curved tails. */
const SMOOTHING = 0.3;

/** Number of bones for a length: one for every tenth of the height, 3 to 8. */
export function bonesFor(length: number, height: number): number {
  return Math.min(Math.max(Math.round(length / (BONE_LENGTH * height)), FEWEST), MOST);
}

/**
 * Places joints.
 *
 * @param bonesOf - number of bones for the length that was found
 */
export function chainLine(graph: SkinGraph, skin: ChainSkin, bonesOf: (length: number) => number): ChainLine {
  const coordinate = skinCoordinate(graph, skin);
  const length = percentile(coordinate, PERCENTILE);
  const bones = bonesOf(length);
  const bins = binsAlong(graph, skin, coordinate, length);
  const sections = sectionsOf(bins);
  const raw = rawJoints(skin, bins, sections, length, bones);
  return { length, bones, heads: smoothed(raw, sections, length), coordinate, sections };
}

/** Dijkstra from the collar, inside the piece. */
function skinCoordinate(graph: SkinGraph, { nodes, collar }: ChainSkin): Float64Array {
  const inside = new Uint8Array(graph.count);
  for (const node of nodes) inside[node] = 1;
  const geodesic = createGeodesic(graph);
  for (const node of collar) startAt(geodesic, node);
  settleTo(geodesic, Infinity, (node) => inside[node] === 1);
  // A part that the collar cannot reach within the piece takes part where it hangs on nearest to the reached skin.
  const reached = nodes.filter((node) => geodesic.settled[node] === 1);
  const coordinate = Float64Array.from(nodes, (node) => geodesic.distance[node]!);
  if (reached.length === nodes.length) return coordinate;
  if (reached.length === 0) return coordinate.fill(0);
  const forest = { positions: graph.positions, order: reached };
  plantTree(forest, 0, reached.length);
  const found: Nearest = { point: -1, squared: 0 };
  for (const [i, node] of nodes.entries()) {
    if (geodesic.settled[node] === 1) continue;
    found.point = -1;
    found.squared = Infinity;
    const o = 3 * node;
    const [x, y, z] = [graph.positions[o]!, graph.positions[o + 1]!, graph.positions[o + 2]!];
    nearestInTree(forest, 0, reached.length, x, y, z, found);
    coordinate[i] = geodesic.distance[found.point]!;
  }
  return coordinate;
}

function percentile(list: Float64Array, share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** Area samples of the piece's triangles over the coordinate. */
function binsAlong(
  graph: SkinGraph,
  { nodes, collarCentre }: ChainSkin,
  coordinate: Float64Array,
  length: number,
): SectionBins {
  const along = new Float64Array(graph.count).fill(-1);
  for (const [i, node] of nodes.entries()) along[node] = coordinate[i]!;
  const bins = createBins(length > 0 ? length / BINS : 1, [
    collarCentre[0]!,
    collarCentre[1]!,
    collarCentre[2]!,
  ]);
  const seen = new Set<number>();
  for (const node of nodes)
    for (let k = graph.firstTriangle[node]!; k < graph.firstTriangle[node + 1]!; k++) {
      const t = graph.triangles[k]!;
      const [a, b, c] = [graph.corners[3 * t]!, graph.corners[3 * t + 1]!, graph.corners[3 * t + 2]!];
      if (seen.has(t) || along[a]! < 0 || along[b]! < 0 || along[c]! < 0) continue;
      seen.add(t);
      addTriangle(bins, graph.positions, a, b, c, along);
    }
  return bins;
}

/** J0 at the collar's centre, J_i at the area centroid of the band around i L / K. */
function rawJoints(
  { collarCentre }: ChainSkin,
  bins: SectionBins,
  sections: Sections,
  length: number,
  bones: number,
): Float64Array {
  const sums = prefixSums(bins);
  const heads = new Float64Array(3 * (bones + 1));
  heads.set(collarCentre.subarray(0, 3));
  for (let i = 1; i <= bones; i++) {
    const g = (i * length) / bones;
    let half = Math.min(length / (2 * bones), localRadius(sections, g));
    // A band without skin (wide rings of a coarse mesh) grows until it holds some.
    while (!centroid(heads, 3 * i, bins, sums, g, half) && half < length)
      half = Math.max(2 * half, bins.width);
  }
  return heads;
}

/** Area centroid of the skin with coordinates within `half` of g. */
function centroid(
  out: Float64Array,
  o: number,
  bins: SectionBins,
  sums: Float64Array,
  g: number,
  half: number,
): boolean {
  const clampBin = (value: number): number => Math.min(Math.max(value, 0), bins.count);
  const from = 10 * clampBin(Math.floor((g - half) / bins.width));
  const to = 10 * clampBin(Math.ceil((g + half) / bins.width));
  const area = sums[to]! - sums[from]!;
  if (!(area > 0)) return false;
  for (let k = 0; k < 3; k++) out[o + k] = bins.origin[k]! + (sums[to + 1 + k]! - sums[from + 1 + k]!) / area;
  return true;
}

function localRadius(sections: Sections, g: number): number {
  return sections.count === 0 ? 0 : sections.radii[sectionAt(sections, g)]!;
}

/** Two passes of 1/4, 1/2, 1/4 over the inner joints, each kept near where it was. */
function smoothed(raw: Float64Array, sections: Sections, length: number): Float64Array {
  const bones = raw.length / 3 - 1;
  let heads = raw.slice();
  for (let pass = 0; pass < 2; pass++) {
    const before = heads;
    heads = before.slice();
    for (let i = 1; i < bones; i++)
      for (let k = 0; k < 3; k++)
        heads[3 * i + k] = before[3 * i + k]! / 2 + (before[3 * i - 3 + k]! + before[3 * i + 3 + k]!) / 4;
  }
  for (let i = 1; i < bones; i++) {
    let squared = 0;
    for (let k = 0; k < 3; k++)
      squared += (heads[3 * i + k]! - raw[3 * i + k]!) * (heads[3 * i + k]! - raw[3 * i + k]!);
    const moved = Math.sqrt(squared);
    const most = SMOOTHING * localRadius(sections, (i * length) / bones);
    if (moved <= most) continue;
    for (let k = 0; k < 3; k++)
      heads[3 * i + k] = raw[3 * i + k]! + ((heads[3 * i + k]! - raw[3 * i + k]!) * most) / moved;
  }
  return heads;
}
