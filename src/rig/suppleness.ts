/**
 * How far the joints of a new chain may bend before its skin tears: the skin is posed with all joints bent alike, and
 * the largest angle is searched at which every edge keeps within the bounds of a tear, with a margin (source 000,
 * "Measuring": torn is above 1.5 or below 0.67). A thick tail of many bones tears at angles a thin one never notices.
 */
import { cos, sin } from '../math/trig.js';
import { cross3, normalize3 } from '../math/vec3.js';
import type { Influence } from './chainWeights.js';
import type { Surface } from './surface.js';

/** Ratios of posed to bind length that an edge must keep within: those of a tear, with a margin for twisted bends. */
const SHORTEST = 0.7;
const LONGEST = 1.43;
/** Angles between which the search runs, radians: a chain that may not bend at all is none. */
const LEAST = (6 * Math.PI) / 180;
const MOST = (60 * Math.PI) / 180;
/** Halvings of the search. */
const STEPS = 7;

/** What is posed. */
export interface SuppleSkin {
  surface: Surface;
  /** Heads of the chain and its end, 3 each, world. */
  heads: Float64Array;
  /** Number of the first bone. */
  first: number;
  /** New influences by point; points without any stay with the attachment. */
  influences: ReadonlyMap<number, readonly Influence[]>;
  /** Lateral axis of the body, unit. */
  lateral: Float64Array;
}

/** The largest bend per joint, radians, 6 to 60 degrees. */
export function largestBend(skin: SuppleSkin): number {
  const edges = edgesAround(skin.surface, skin.influences);
  const axes = bendAxes(skin);
  let low = LEAST;
  let high = MOST;
  if (keeps(skin, edges, axes, high)) return high;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (keeps(skin, edges, axes, middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Edges with an end in the piece, as pairs of points. */
export function edgesAround({ triangles, count }: Surface, influences: ReadonlyMap<number, unknown>): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let t = 0; t < triangles.length; t += 3)
    for (let side = 0; side < 3; side++) {
      const a = triangles[t + side]!;
      const b = triangles[t + ((side + 1) % 3)]!;
      if (!influences.has(a) && !influences.has(b)) continue;
      const pair = Math.min(a, b) * count + Math.max(a, b);
      if (seen.has(pair)) continue;
      seen.add(pair);
      edges.push(a, b);
    }
  return Uint32Array.from(edges);
}

/** Up and down, to both sides. */
function bendAxes({ heads, lateral }: SuppleSkin): Float64Array[] {
  const along = new Float64Array(3);
  const end = heads.length - 3;
  for (let k = 0; k < 3; k++) along[k] = heads[end + k]! - heads[k]!;
  const other = new Float64Array(3);
  cross3(other, 0, along, 0, lateral, 0);
  normalize3(other, 0, other, 0);
  return [lateral, lateral.map((value) => -value), other, other.map((value) => -value)];
}

function keeps(skin: SuppleSkin, edges: Uint32Array, axes: readonly Float64Array[], angleRad: number): boolean {
  const { positions } = skin.surface;
  for (const axis of axes) {
    const posed = posedPoints(skin, axis, angleRad);
    for (let e = 0; e < edges.length; e += 2) {
      const [a, b] = [3 * edges[e]!, 3 * edges[e + 1]!];
      let before = 0;
      let after = 0;
      for (let k = 0; k < 3; k++) {
        before += (positions[a + k]! - positions[b + k]!) * (positions[a + k]! - positions[b + k]!);
        after += (posed[a + k]! - posed[b + k]!) * (posed[a + k]! - posed[b + k]!);
      }
      if (before === 0) continue;
      if (after < SHORTEST * SHORTEST * before || after > LONGEST * LONGEST * before) return false;
    }
  }
  return true;
}

/** All points with every joint bent by an angle about one axis. */
export function posedPoints(skin: SuppleSkin, axis: Float64Array, angleRad: number): Float64Array {
  const { surface, heads, first, influences } = skin;
  const bones = heads.length / 3 - 1;
  const turns = Array.from({ length: bones }, (_, i) => turn(axis, (i + 1) * angleRad));
  const origins = heads.slice();
  const v = new Float64Array(3);
  for (let i = 0; i < bones; i++) {
    for (let k = 0; k < 3; k++) v[k] = heads[3 * i + 3 + k]! - heads[3 * i + k]!;
    for (let k = 0; k < 3; k++) origins[3 * i + 3 + k] = origins[3 * i + k]! + row(turns[i]!, k, v);
  }
  const posed = surface.positions.slice();
  for (const [point, list] of influences) {
    const o = 3 * point;
    const sum = [0, 0, 0];
    for (const { bone, weight } of list) {
      const i = bone - first;
      if (i < 0 || i >= bones) {
        for (let k = 0; k < 3; k++) sum[k]! += weight * surface.positions[o + k]!;
        continue;
      }
      for (let k = 0; k < 3; k++) v[k] = surface.positions[o + k]! - heads[3 * i + k]!;
      for (let k = 0; k < 3; k++) sum[k]! += weight * (origins[3 * i + k]! + row(turns[i]!, k, v));
    }
    posed.set(sum, o);
  }
  return posed;
}

/** Rotation matrix about a unit axis, row by row (Rodrigues). */
function turn(axis: Float64Array, angleRad: number): Float64Array {
  const [x, y, z] = [axis[0]!, axis[1]!, axis[2]!];
  const c = cos(angleRad);
  const s = sin(angleRad);
  const d = 1 - c;
  return Float64Array.of(
    d * x * x + c,
    d * x * y - s * z,
    d * x * z + s * y,
    d * x * y + s * z,
    d * y * y + c,
    d * y * z - s * x,
    d * x * z - s * y,
    d * y * z + s * x,
    d * z * z + c,
  );
}

function row(matrix: Float64Array, k: number, v: Float64Array): number {
  return matrix[3 * k]! * v[0]! + matrix[3 * k + 1]! * v[1]! + matrix[3 * k + 2]! * v[2]!;
}
