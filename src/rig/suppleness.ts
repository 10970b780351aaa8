/**
 * How a new chain may move before its skin tears: the largest bend of its joints, and a rest shape that the skin
 * stands. The skin is posed and every edge held against the bounds of a tear (docs/measuring.md, "Ratios": torn is above
 * 1.5 or below 0.67). A thick tail of many bones tears at angles that a thin one never notices (docs/rigging.md,
 * "Suppleness").
 */
import {
  axisAngleQuat,
  conjugateQuat,
  identityQuat,
  multiplyQuat,
  rotateVec3,
  swingQuat,
} from '../math/quat.js';
import { cross3, normalize3 } from '../math/vec3.js';
import type { AnatomicalFrame } from '../setup/anatomicalFrame.js';
import { restDirections } from '../setup/chainRest.js';
import type { Influence } from './chainWeights.js';
import type { Surface } from './surface.js';

/** Ratios of posed to bind length of an edge that is not torn. */
const TEAR = { shortest: 0.67, longest: 1.5 };
/** The same with a margin, for bends in several directions at once. */
const SAFE = { shortest: 0.7, longest: 1.43 };
/** Angles between which the largest bend is searched, radians: 6 and 60 degrees. */
const LEAST = (6 * Math.PI) / 180;
const MOST = (60 * Math.PI) / 180;
/** Halvings of the search. */
const STEPS = 7;
/** Share of the largest bend that stays for the swing, whatever the rest shape takes. */
const SWING = 0.5;

/** What is posed. */
export interface SuppleSkin {
  surface: Surface;
  /** Heads of the chain and its end, 3 each, world. */
  heads: Float64Array;
  /** Number of the first bone. */
  first: number;
  /** New influences by point; points without any stay with the attachment. */
  influences: ReadonlyMap<number, readonly Influence[]>;
  /** Anatomical frame of the body. */
  frame: AnatomicalFrame;
}

/** A rest shape and a bend limit that keep the skin whole. */
export interface Suppleness {
  /** Lift of the whole chain, radians. */
  carry: number;
  /** 0: centred arc, 1: as modelled. */
  restCurve: number;
  /** Largest bend of a joint beyond its rest, radians. */
  limit: number;
}

/** Rest shapes of a hanging tail, the first that does not tear is taken: lifted and centred, lifted, less, as modelled. */
const RESTS = [
  { carryDeg: 50, restCurve: 0 },
  { carryDeg: 50, restCurve: 1 },
  { carryDeg: 25, restCurve: 1 },
  { carryDeg: 0, restCurve: 1 },
];

/**
 * Finds what a chain's skin stands.
 *
 * @param hangs - whether the chain is lifted at rest; one that does not hang keeps its modelled shape
 */
export function suppleness(skin: SuppleSkin, hangs: boolean): Suppleness {
  const edges = edgesAround(skin.surface, skin.influences);
  const bones = skin.heads.length / 3 - 1;
  const largest = largestBend(skin, edges);
  const rests = RESTS.map(({ carryDeg, restCurve }) => ({ carry: (carryDeg * Math.PI) / 180, restCurve }));
  const modelled = rests.at(-1)!;
  const rest = hangs
    ? (rests.find((shape) => keeps(skin, edges, restTurns(skin, shape), TEAR)) ?? modelled)
    : modelled;
  return { ...rest, limit: Math.max(largest - rest.carry / bones, SWING * largest) };
}

/** Edges with an end in the piece, as pairs of points. */
function edgesAround({ triangles, count }: Surface, influences: ReadonlyMap<number, unknown>): Uint32Array {
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

/** The largest angle, 6 to 60 degrees, at which all joints may bend at once to any side. */
function largestBend(skin: SuppleSkin, edges: Uint32Array): number {
  const axes = bendAxes(skin);
  const holds = (angleRad: number): boolean =>
    axes.every((axis) => keeps(skin, edges, evenTurns(skin, axis, angleRad), SAFE));
  if (holds(MOST)) return MOST;
  let low = LEAST;
  let high = MOST;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Up and down, to both sides. */
function bendAxes({ heads, frame }: SuppleSkin): Float64Array[] {
  const lateral = Float64Array.of(1, 0, 0);
  rotateVec3(lateral, 0, frame.rotation, 0, lateral, 0);
  const along = new Float64Array(3);
  for (let k = 0; k < 3; k++) along[k] = heads[heads.length - 3 + k]! - heads[k]!;
  const other = new Float64Array(3);
  cross3(other, 0, along, 0, lateral, 0);
  if (normalize3(other, 0, other, 0) === 0) return [lateral, lateral.map((value) => -value)];
  return [lateral, other].flatMap((axis) => [axis, axis.map((value) => -value)]);
}

/** World rotation of each bone from its bind pose when every joint bends alike. */
function evenTurns({ heads }: SuppleSkin, axis: Float64Array, angleRad: number): Float64Array {
  const turns = new Float64Array((4 * heads.length) / 3 - 4);
  for (let i = 0; 4 * i < turns.length; i++) axisAngleQuat(turns, 4 * i, axis, 0, (i + 1) * angleRad);
  return turns;
}

/** The same for a rest shape: each bone by the shortest turn from where the one before carries it. */
function restTurns({ heads, frame }: SuppleSkin, shape: { carry: number; restCurve: number }): Float64Array {
  const bones = heads.length / 3 - 1;
  const inverse = new Float64Array(4);
  conjugateQuat(inverse, 0, frame.rotation, 0);
  const authored = new Float64Array(3 * bones);
  for (let k = 0; k < 3 * bones; k++) authored[k] = heads[k + 3]! - heads[k]!;
  for (let i = 0; i < bones; i++) {
    normalize3(authored, 3 * i, authored, 3 * i);
    rotateVec3(authored, 3 * i, inverse, 0, authored, 3 * i);
  }
  const rest = restDirections(authored, bones, shape);
  const turns = new Float64Array(4 * bones);
  const turn = new Float64Array(4);
  identityQuat(turn, 0);
  const from = new Float64Array(3);
  const swing = new Float64Array(4);
  for (let i = 0; i < bones; i++) {
    rotateVec3(from, 0, turn, 0, authored, 3 * i);
    swingQuat(swing, 0, from, 0, rest, 3 * i);
    multiplyQuat(turn, 0, swing, 0, turn, 0);
    // From the anatomical frame to the world.
    multiplyQuat(turns, 4 * i, frame.rotation, 0, turn, 0);
    multiplyQuat(turns, 4 * i, turns, 4 * i, inverse, 0);
  }
  return turns;
}

/** Whether no edge leaves the bounds. */
function keeps(
  skin: SuppleSkin,
  edges: Uint32Array,
  turns: Float64Array,
  { shortest, longest }: { shortest: number; longest: number },
): boolean {
  const { positions } = skin.surface;
  const posed = posedPoints(skin, turns);
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [3 * edges[e]!, 3 * edges[e + 1]!];
    let before = 0;
    let after = 0;
    for (let k = 0; k < 3; k++) {
      before += (positions[a + k]! - positions[b + k]!) * (positions[a + k]! - positions[b + k]!);
      after += (posed[a + k]! - posed[b + k]!) * (posed[a + k]! - posed[b + k]!);
    }
    if (before === 0) continue;
    if (after < shortest * shortest * before || after > longest * longest * before) return false;
  }
  return true;
}

/** All points with every bone turned, each at the end of the one before. */
function posedPoints({ surface, heads, first, influences }: SuppleSkin, turns: Float64Array): Float64Array {
  const bones = heads.length / 3 - 1;
  const origins = heads.slice();
  const v = new Float64Array(3);
  for (let i = 0; i < bones; i++) {
    for (let k = 0; k < 3; k++) v[k] = heads[3 * i + 3 + k]! - heads[3 * i + k]!;
    rotateVec3(v, 0, turns, 4 * i, v, 0);
    for (let k = 0; k < 3; k++) origins[3 * i + 3 + k] = origins[3 * i + k]! + v[k]!;
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
      rotateVec3(v, 0, turns, 4 * i, v, 0);
      for (let k = 0; k < 3; k++) sum[k]! += weight * (origins[3 * i + k]! + v[k]!);
    }
    posed.set(sum, o);
  }
  return posed;
}
