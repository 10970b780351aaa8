/**
 * Planes as caps of the sphere of directions, for the reference solver: the nearest unit direction with
 * d . normal >= least for every plane, by trying every candidate. Lower ranks win when nothing satisfies all.
 */
import type { V3 } from './referenceMath.js';
import { add, cross, dot, len, mul, sub, unit } from './referenceMath.js';

export interface ReferencePlane {
  normal: V3;
  /** Least allowed d . normal; above 1 nothing is free and the direction of least depth is taken. */
  least: number;
  /** 0 = floor, 1 = keep-out. */
  rank: number;
}

export interface ReferenceContact {
  direction: V3;
  /** The planes that hold the direction. */
  active: ReferencePlane[];
}

export function projectOut(planes: ReferencePlane[], d: V3, fallbacks: V3[]): ReferenceContact {
  const bounded = planes.filter((p) => p.least > -1).map((p) => ({ ...p, least: Math.min(1, p.least) }));
  for (let rank = Math.max(0, ...bounded.map((p) => p.rank)); rank >= 0; rank--) {
    const found = nearest(
      bounded.filter((p) => p.rank <= rank),
      d,
      fallbacks,
    );
    if (found) return found;
  }
  // Two floors that leave nothing free: not part of what the reference is used for.
  throw new Error('no free direction');
}

function nearest(planes: ReferencePlane[], d: V3, fallbacks: V3[]): ReferenceContact | undefined {
  const free = (x: V3): boolean => planes.every((p) => dot(x, p.normal) >= p.least - 1e-12);
  if (planes.every((p) => dot(d, p.normal) >= p.least)) return { direction: d, active: [] };
  const candidates: ReferenceContact[] = [];
  for (const p of planes) {
    if (dot(d, p.normal) < p.least) candidates.push({ direction: exit(p, d, fallbacks), active: [p] });
    for (const q of planes) {
      if (q === p) continue;
      const c = dot(p.normal, q.normal);
      const axis = cross(p.normal, q.normal);
      const det = dot(axis, axis);
      const a = (p.least - c * q.least) / det;
      const b = (q.least - c * p.least) / det;
      const rem = 1 - a * p.least - b * q.least;
      if (!(det > 1e-12) || rem < 0) continue;
      for (const side of [-1, 1]) {
        const base = add(mul(p.normal, a), mul(q.normal, b));
        candidates.push({
          direction: unit(add(base, mul(axis, side * Math.sqrt(rem / det)))),
          active: [p, q],
        });
      }
    }
  }
  const possible = candidates.filter((x) => free(x.direction));
  possible.sort((x, y) => dot(y.direction, d) - dot(x.direction, d));
  return possible[0];
}

/** The nearest direction on the rim of one cap; straight into the plane, the fallbacks say which way to turn. */
function exit(plane: ReferencePlane, d: V3, fallbacks: V3[]): V3 {
  const flat = (x: V3): V3 => sub(x, mul(plane.normal, dot(x, plane.normal)));
  const along = [d, ...fallbacks].map(flat).find((x) => len(x) > 1e-6)!;
  const rim = Math.sqrt(Math.max(0, 1 - plane.least * plane.least));
  return unit(add(mul(plane.normal, plane.least), mul(unit(along), rim)));
}
