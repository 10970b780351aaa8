/**
 * Sections of the skin across a coordinate g: centre, radius and flatness of the ring of skin around each value of g,
 * from area samples in fine bins with prefix sums. Area, never vertices: a game mesh has five rings per tail
 * (docs/rigging.md, "Sweep").
 */
import { eigenvalues3 } from './eigen3.js';

/** Area, first and second moments of the samples, ten numbers per bin, added up bin by bin. */
export interface SectionBins {
  /** Width of a bin in units of g. */
  width: number;
  /** Number of bins that hold something. */
  count: number;
  /** Per bin: area, a x, a y, a z, a xx, a xy, a xz, a yy, a yz, a zz, relative to {@link origin}. */
  moments: Float64Array;
  /** Near the samples, so that moments lose no digits. */
  origin: [number, number, number];
}

/** Rings along g. */
export interface Sections {
  /** Distance between sections: the width of a bin; section i stands at (i + 0.5) step. */
  step: number;
  /** Number of sections. */
  count: number;
  /** Centroids, 3 per section. */
  centres: Float64Array;
  /** Radii: root of the trace of the covariance; 0 where there is no skin (a bridge between shells). */
  radii: Float64Array;
  /** Root of the ratio of the two largest variances, 1: round. */
  flatness: Float64Array;
}

const MOMENTS = 10;

/** No samples yet. */
export function createBins(width: number, origin: [number, number, number]): SectionBins {
  return { width, count: 0, moments: new Float64Array(MOMENTS * 64), origin };
}

/**
 * Adds a triangle, split so that no sample is longer than a bin.
 *
 * @param corners - three nodes
 * @param g - coordinate per node
 */
export function addTriangle(
  bins: SectionBins,
  positions: Float64Array,
  a: number,
  b: number,
  c: number,
  g: ArrayLike<number>,
): void {
  const ax = positions[3 * a]!;
  const ay = positions[3 * a + 1]!;
  const az = positions[3 * a + 2]!;
  const ux = positions[3 * b]! - ax;
  const uy = positions[3 * b + 1]! - ay;
  const uz = positions[3 * b + 2]! - az;
  const vx = positions[3 * c]! - ax;
  const vy = positions[3 * c + 1]! - ay;
  const vz = positions[3 * c + 2]! - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
  if (!(area > 0)) return;
  const wx = vx - ux;
  const wy = vy - uy;
  const wz = vz - uz;
  const longest = Math.sqrt(
    Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz),
  );
  const parts = Math.min(64, Math.max(1, Math.ceil(longest / bins.width)));
  const share = area / (parts * parts);
  const ga = g[a]!;
  const gu = g[b]! - ga;
  const gv = g[c]! - ga;
  const [ox, oy, oz] = bins.origin;
  for (let i = 0; i < parts; i++)
    for (let j = 0; j < parts - i; j++)
      for (let up = 0; up < (i + j < parts - 1 ? 2 : 1); up++) {
        const s = (i + (up + 1) / 3) / parts;
        const t = (j + (up + 1) / 3) / parts;
        const x = ax + s * ux + t * vx - ox;
        const y = ay + s * uy + t * vy - oy;
        const z = az + s * uz + t * vz - oz;
        addSample(bins, ga + s * gu + t * gv, share, x, y, z);
      }
}

function addSample(bins: SectionBins, g: number, area: number, x: number, y: number, z: number): void {
  const bin = Math.max(0, Math.floor(g / bins.width));
  while (MOMENTS * (bin + 1) > bins.moments.length) {
    const grown = new Float64Array(2 * bins.moments.length);
    grown.set(bins.moments);
    bins.moments = grown;
  }
  if (bin >= bins.count) bins.count = bin + 1;
  const { moments } = bins;
  const o = MOMENTS * bin;
  moments[o]! += area;
  moments[o + 1]! += area * x;
  moments[o + 2]! += area * y;
  moments[o + 3]! += area * z;
  moments[o + 4]! += area * x * x;
  moments[o + 5]! += area * x * y;
  moments[o + 6]! += area * x * z;
  moments[o + 7]! += area * y * y;
  moments[o + 8]! += area * y * z;
  moments[o + 9]! += area * z * z;
}

/** Prefix sums of the bins: entry i holds everything before bin i. */
export function prefixSums(bins: SectionBins): Float64Array {
  const sums = new Float64Array(MOMENTS * (bins.count + 1));
  for (let o = 0; o < MOMENTS * bins.count; o++) sums[o + MOMENTS] = sums[o]! + bins.moments[o]!;
  return sums;
}

/**
 * Sections at every bin, each over the window of g that is half its radius wide, and two bins at least.
 */
export function sectionsOf(bins: SectionBins): Sections {
  const { count, width } = bins;
  const sums = prefixSums(bins);
  const sections: Sections = {
    step: width,
    count,
    centres: new Float64Array(3 * count),
    radii: new Float64Array(count),
    flatness: new Float64Array(count),
  };
  for (let i = 0; i < count; i++) {
    section(bins, sums, i, 1, sections);
    const half = Math.max(1, Math.round(sections.radii[i]! / 4 / width));
    if (half > 1) section(bins, sums, i, half, sections);
  }
  return sections;
}

const moment = new Float64Array(MOMENTS);
const values = new Float64Array(3);

/** Section i over the bins within `half` of it. */
function section(bins: SectionBins, sums: Float64Array, i: number, half: number, out: Sections): void {
  const from = MOMENTS * Math.max(0, i - half);
  const to = MOMENTS * Math.min(bins.count, i + half + 1);
  for (let k = 0; k < MOMENTS; k++) moment[k] = sums[to + k]! - sums[from + k]!;
  const area = moment[0]!;
  if (!(area > 0)) {
    // No skin here (a bridge between shells): the section before goes on, without a radius of its own.
    for (let k = 0; k < 3; k++)
      out.centres[3 * i + k] = i > 0 ? out.centres[3 * i - 3 + k]! : bins.origin[k]!;
    out.radii[i] = 0;
    out.flatness[i] = 1;
    return;
  }
  const [x, y, z] = [moment[1]! / area, moment[2]! / area, moment[3]! / area];
  eigenvalues3(values, [
    moment[4]! / area - x * x,
    moment[5]! / area - x * y,
    moment[6]! / area - x * z,
    moment[7]! / area - y * y,
    moment[8]! / area - y * z,
    moment[9]! / area - z * z,
  ]);
  out.centres[3 * i] = x + bins.origin[0];
  out.centres[3 * i + 1] = y + bins.origin[1];
  out.centres[3 * i + 2] = z + bins.origin[2];
  out.radii[i] = Math.sqrt(Math.max(0, values[0]! + values[1]! + values[2]!));
  out.flatness[i] = values[1]! > 0 ? Math.sqrt(values[0]! / values[1]!) : Infinity;
}

/** Number of the section at g, kept within those that exist. */
export function sectionAt(sections: Sections, g: number): number {
  return Math.min(Math.max(Math.floor(g / sections.step), 0), sections.count - 1);
}
