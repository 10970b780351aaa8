/**
 * A chain as the design states it, computed the slow and plain way over what a plan says of its piece: geodesic
 * length from the collar, number of bones, places of the joints, weights of the points.
 */
import type { PlannedPiece, RigPlan } from '../../../src/rig/plan.js';
import type { Surface } from '../../../src/rig/surface.js';
import { add, len, mul, sub, type V3 } from '../referenceMath.js';

export const pointAt = ({ positions }: Surface, p: number): V3 => [
  positions[3 * p]!,
  positions[3 * p + 1]!,
  positions[3 * p + 2]!,
];

/** Lengths over mesh edges from the collar to the points of a piece (Dijkstra without a heap); -1 elsewhere. */
export function lengthsFromCollar(surface: Surface, piece: PlannedPiece): Float64Array {
  const inside = new Uint8Array(surface.count);
  for (const p of piece.points) inside[p] = 1;
  const neighbours = new Map<number, Set<number>>();
  for (let c = 0; c < surface.triangles.length; c++) {
    const a = surface.triangles[c]!;
    const b = surface.triangles[c % 3 === 2 ? c - 2 : c + 1]!;
    if (!inside[a] || !inside[b]) continue;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      if (!neighbours.has(from)) neighbours.set(from, new Set());
      neighbours.get(from)!.add(to);
    }
  }
  const lengths = new Float64Array(surface.count).fill(-1);
  const open = new Map<number, number>();
  for (const p of piece.collar) if (inside[p]) open.set(p, 0);
  while (open.size > 0) {
    let next = -1;
    let least = Infinity;
    for (const [p, length] of open)
      if (length < least) {
        next = p;
        least = length;
      }
    open.delete(next);
    lengths[next] = least;
    for (const to of neighbours.get(next) ?? []) {
      if (lengths[to]! >= 0) continue;
      const length = least + len(sub(pointAt(surface, to), pointAt(surface, next)));
      if (length < (open.get(to) ?? Infinity)) open.set(to, length);
    }
  }
  return lengths;
}

/** Smallest value that at least 99 of 100 do not exceed. */
export function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(0.99 * sorted.length) - 1)]!;
}

/** K = clamp(round(L / (0.1 H)), 3, 8). */
export const boneCount = (length: number, height: number): number =>
  Math.min(8, Math.max(3, Math.round(length / (0.1 * height))));

/** Weights on [bone before, own bone, bone after] and the number of the own bone, 0 for the first. */
export function statedWeights(g: number, length: number, bones: number): { bone: number; w: V3 } {
  const s = Math.min((bones * g) / length, bones * (1 - 2 ** -52));
  const k = Math.min(bones - 1, Math.max(0, Math.floor(s)));
  const f = s - k;
  const before = Math.min(0.5, Math.max(0, 0.5 - 2 * f));
  const after = k === bones - 1 ? 0 : Math.min(0.5, Math.max(0, 2 * f - 1.5));
  return { bone: k, w: [before, 1 - before - after, after] };
}

/** Area centroid of the skin of a piece whose length lies within a band. */
export function bandCentre(
  surface: Surface,
  lengths: Float64Array,
  middle: number,
  half: number,
): V3 | undefined {
  let sum: V3 = [0, 0, 0];
  let area = 0;
  const n = 12;
  for (let t = 0; t < surface.triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => surface.triangles[t + k]!);
    const g = corners.map((p) => lengths[p]!);
    if (Math.min(...g) < 0 || Math.min(...g) > middle + half || Math.max(...g) < middle - half) continue;
    const [a, b, c] = corners.map((p) => pointAt(surface, p)) as [V3, V3, V3];
    const u = sub(b, a);
    const v = sub(c, a);
    const size = len([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]);
    for (let i = 0; i < n; i++)
      for (let j = 0; i + j < n; j++)
        for (const third of i + j < n - 1 ? [1 / 3, 2 / 3] : [1 / 3]) {
          const x = (i + third) / n;
          const y = (j + third) / n;
          if (Math.abs(g[0]! * (1 - x - y) + g[1]! * x + g[2]! * y - middle) > half) continue;
          sum = add(sum, mul(add(a, add(mul(u, x), mul(v, y))), size));
          area += size;
        }
  }
  return area > 0 ? mul(sum, 1 / area) : undefined;
}

/** Joints as stated: collar centre, then band centres, smoothed twice by at most 0.3 local radii. */
export function statedJoints(
  surface: Surface,
  lengths: Float64Array,
  start: V3,
  length: number,
  bones: number,
  radiusAt: (along: number) => number,
): V3[] {
  const raw: V3[] = [start];
  const radii = [0];
  for (let i = 1; i <= bones; i++) {
    const along = (i * length) / bones;
    const radius = radiusAt(along);
    radii.push(radius);
    raw.push(bandCentre(surface, lengths, along, Math.min(length / (2 * bones), radius))!);
  }
  let joints = raw;
  for (let pass = 0; pass < 2; pass++)
    joints = joints.map((p, i) => {
      if (i === 0 || i === bones) return p;
      const mean = mul(add(add(joints[i - 1]!, mul(p, 2)), joints[i + 1]!), 1 / 4);
      const move = sub(mean, raw[i]!);
      const most = 0.3 * radii[i]!;
      return len(move) > most ? add(raw[i]!, mul(move, most / len(move))) : mean;
    });
  return joints;
}

/** Weights of all points by bone number as a plan's influences state them, by mesh and vertex. */
export function plannedWeights(plan: RigPlan, mesh: number): Map<number, Map<number, number>> {
  const weights = new Map<number, Map<number, number>>();
  for (const change of plan.influences.filter((entry) => entry.mesh === mesh))
    change.vertices.forEach((v, i) => {
      const list = new Map<number, number>();
      for (let k = i * change.influences; k < (i + 1) * change.influences; k++)
        if (change.weights[k]! > 0)
          list.set(change.bones[k]!, (list.get(change.bones[k]!) ?? 0) + change.weights[k]!);
      weights.set(v, list);
    });
  return weights;
}
