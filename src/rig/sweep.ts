/**
 * Does a bone run inside this limb-like protrusion? A geodesic front runs from the tip inwards; each front is a ring
 * with a centre c and a radius r, and q = distance of c to the skeleton / r. The base of the protrusion is where q
 * falls below 1 for a while (a bone begins) or where the ring flares onto the body (docs/rigging.md, "Sweep").
 */
import { distanceToBones } from './drivingBones.js';
import { resetGeodesic, settleTo, startAt, type Geodesic } from './geodesic.js';
import {
  addTriangle,
  createBins,
  sectionAt,
  sectionsOf,
  type SectionBins,
  type Sections,
} from './sections.js';

/** q below which a bone counts as inside. */
const BONE_INSIDE = 1;
/** It must stay inside for this share of the radius. */
const BONE_LASTS = 0.5;
/** dr/ds of a flare: between a 30-degree cone (0.5) and a flat disc (1). Cautious, for the verdict ... */
const FLARE_SLOPE = 0.6;
/** ... and for the root of what becomes a chain: more of a tail's root in the rump is found, and no body skin with it. */
const ROOT_SLOPE = 0.84;
/** The root reaches this many collar radii further than the cautious base, at most. */
const ROOT_REACH = 0.5;
/** How much wider a flare is, and stays: a cuff of fur does not. */
const FLARE_GROWS = 1.35;
/** Just before the flare the ring is no wider than this. */
const FLARE_BEGINS = 1.2;

/** What a sweep found. */
export interface Sweep {
  /** Distance from the tip at which the protrusion begins, as far as the verdict goes. */
  base: number;
  /** The same for a chain's root: a little further into the body. */
  root: number;
  /** What ended the sweep. */
  end: 'bone' | 'flare' | 'everything';
  /** Rings from the tip, beyond the base as far as they were needed. */
  sections: Sections;
  /** q per section, as far as the sweep went. */
  ratios: Float64Array;
}

/** What a sweep runs on. */
export interface SweepInput {
  /** Search to use; overwritten, and left with the distances from the tip. */
  geodesic: Geodesic;
  /** Node at the tip. */
  tip: number;
  /** Width of a section's bin. */
  step: number;
  /** Distance to look at first. */
  reach: number;
  /** Segments of the skeleton, 6 numbers each. */
  segments: Float64Array;
  /** 1 for nodes whose triangles count (forks are left out); all nodes are walked over. */
  counts?: (node: number) => boolean;
  /** Nodes that may be walked over, default all. */
  isOpen?: (node: number) => boolean;
}

/** Sweeps inwards from a tip, searching only as far as needed. */
export function sweepFrom(input: SweepInput): Sweep {
  const { geodesic, tip, step } = input;
  const { graph } = geodesic;
  resetGeodesic(geodesic);
  startAt(geodesic, tip);
  const at = 3 * tip;
  const bins = createBins(step, [graph.positions[at]!, graph.positions[at + 1]!, graph.positions[at + 2]!]);
  let bound = 0.08 * input.reach + graph.longestEdge;
  let done = 0;
  for (;;) {
    const more = settleTo(geodesic, bound, input.isOpen);
    done = addSettled(geodesic, bins, done, input.counts);
    // Triangles at the front are incomplete; rings well inside it are not.
    const limit = more ? bound - graph.longestEdge : Infinity;
    const sections = sectionsOf(bins);
    const found = walk(sections, input.segments, limit, FLARE_SLOPE);
    const further = found && walk(sections, input.segments, limit, ROOT_SLOPE);
    if (found !== undefined && further !== undefined) {
      const reach = ROOT_REACH * sections.radii[sectionAt(sections, found.base)]!;
      return { ...found, root: Math.max(found.base, Math.min(further.base, found.base + reach)) };
    }
    bound = graph.longestEdge + 1.4 * (bound - graph.longestEdge) + step;
  }
}

/** Adds the triangles that the settled nodes complete. */
function addSettled(
  { graph, distance, settled, order, count }: Geodesic,
  bins: SectionBins,
  done: number,
  counts: ((node: number) => boolean) | undefined,
): number {
  const { corners, firstTriangle, triangles, positions } = graph;
  for (let i = done; i < count; i++) {
    const node = order[i]!;
    for (let k = firstTriangle[node]!; k < firstTriangle[node + 1]!; k++) {
      const t = 3 * triangles[k]!;
      const [a, b, c] = [corners[t]!, corners[t + 1]!, corners[t + 2]!];
      if (settled[a] === 0 || settled[b] === 0 || settled[c] === 0) continue;
      // The corner that came last brings the triangle; of equal ones, that with the highest number.
      if (!isLast(distance, node, a) || !isLast(distance, node, b) || !isLast(distance, node, c)) continue;
      if (counts !== undefined && !(counts(a) && counts(b) && counts(c))) continue;
      addTriangle(bins, positions, a, b, c, distance);
    }
  }
  return count;
}

function isLast(distance: Float64Array, node: number, other: number): boolean {
  return distance[other]! < distance[node]! || (distance[other] === distance[node] && other <= node);
}

/** Walks over the rings until one of the stops; undefined when it needs rings beyond `limit`. */
function walk(
  sections: Sections,
  segments: Float64Array,
  limit: number,
  slope: number,
): Omit<Sweep, 'root'> | undefined {
  const { count, step, radii, centres } = sections;
  const ratios = new Float64Array(count).fill(Infinity);
  const end = (base: number, why: Sweep['end']): Omit<Sweep, 'root'> => ({
    base,
    end: why,
    sections,
    ratios,
  });
  let insideFrom = -1;
  for (let i = 0; i < count; i++) {
    const s = (i + 0.5) * step;
    const r = radii[i]!;
    if (r === 0) continue;
    const h = Math.max(r, 3 * step);
    if (s + 3 * h + r > limit) return undefined;
    ratios[i] = distanceToBones(segments, centres[3 * i]!, centres[3 * i + 1]!, centres[3 * i + 2]!) / r;
    if (s < r) continue;
    if (ratios[i]! < BONE_INSIDE) {
      if (insideFrom < 0) insideFrom = s;
      if (s < 2 * r || s - insideFrom >= BONE_LASTS * r) return end(insideFrom, 'bone');
    } else insideFrom = -1;
    if (s >= 2 * r && flares(sections, s, r, h, slope))
      return end(lastNarrow(sections, i, s + h, r), 'flare');
  }
  if (limit < Infinity) return undefined;
  return end(insideFrom >= 0 ? insideFrom : count * step, 'everything');
}

function flares(sections: Sections, s: number, r: number, h: number, slope: number): boolean {
  const at = (distance: number): number => sections.radii[sectionAt(sections, distance)]!;
  const next = at(s + h);
  return (
    next - r > slope * h &&
    next > FLARE_GROWS * r &&
    at(s + 2 * h) > FLARE_GROWS * r &&
    at(s + 3 * h) > FLARE_GROWS * r
  );
}

/** The last ring up to `to` that is hardly wider than r. */
function lastNarrow(sections: Sections, from: number, to: number, r: number): number {
  let last = from;
  for (let i = from; i <= sectionAt(sections, to); i++) if (sections.radii[i]! <= FLARE_BEGINS * r) last = i;
  return (last + 0.5) * sections.step;
}
