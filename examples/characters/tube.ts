/**
 * Surfaces swept along a curve: a closed tube of rings, and a ball as the simplest of them.
 */
import { cos, sin } from '../../src/math/trig.js';
import {
  add,
  clamp,
  cross,
  distance,
  mixVec,
  normalize,
  perpendicular,
  scale,
  sub,
  X,
  type Vec3,
} from './linear.js';
import type { Influence, Piece } from './skin.js';

/** A curve measured by its length. */
export interface Curve {
  length: number;
  /** Point and unit tangent at a length from the start; straight on beyond both ends. */
  at(length: number): { point: Vec3; tangent: Vec3 };
}

/** A smooth curve through the points (Catmull-Rom). */
export function curveThrough(points: readonly Vec3[]): Curve {
  const steps = 24;
  const samples: Vec3[] = [];
  const last = points.length - 1;
  for (let i = 0; i < last; i++) {
    const b = points[i]!;
    const c = points[i + 1]!;
    const a = points[i - 1] ?? sub(scale(b, 2), c);
    const d = points[i + 2] ?? sub(scale(c, 2), b);
    for (let n = 0; n < steps; n++) samples.push(catmullRom(a, b, c, d, n / steps));
  }
  samples.push(points[last]!);
  const lengths = [0];
  for (let i = 1; i < samples.length; i++)
    lengths.push(lengths[i - 1]! + distance(samples[i - 1]!, samples[i]!));
  return {
    length: lengths.at(-1)!,
    at(along) {
      let i = 0;
      while (i < samples.length - 2 && lengths[i + 1]! < along) i++;
      const t = (along - lengths[i]!) / (lengths[i + 1]! - lengths[i]!);
      const tangentAt = (k: number): Vec3 =>
        normalize(sub(samples[Math.min(k + 1, samples.length - 1)]!, samples[Math.max(k - 1, 0)]!));
      return {
        point: mixVec(samples[i]!, samples[i + 1]!, t),
        tangent: normalize(mixVec(tangentAt(i), tangentAt(i + 1), clamp(t, 0, 1))),
      };
    },
  };
}

function catmullRom(a: Vec3, b: Vec3, c: Vec3, d: Vec3, t: number): Vec3 {
  const value = (k: 0 | 1 | 2): number =>
    b[k] +
    0.5 *
      t *
      (c[k] - a[k] + t * (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k] + t * (3 * (b[k] - c[k]) + d[k] - a[k])));
  return [value(0), value(1), value(2)];
}

/** What a tail is made of. */
export interface Tube {
  /** Lengths along the curve of the first and the last ring; negative = inside the body. */
  from: number;
  to: number;
  rings: number;
  sides: number;
  /** Radius at a length along the curve and an angle around it. */
  radius(along: number, angle: number): number;
  color(along: number): Vec3;
  /** Weights at a length along the curve and a point of the surface. */
  weigh(along: number, point: Vec3): Influence[];
}

/** A closed tube: rings along the curve, a point at both ends. */
export function tube(curve: Curve, spec: Tube): Piece {
  const piece: Piece = { positions: [], triangles: [], influences: [], colors: [] };
  const push = (point: Vec3, along: number): number => {
    piece.influences.push(spec.weigh(along, point));
    piece.colors.push(spec.color(along));
    return piece.positions.push(point) - 1;
  };
  const root = push(curve.at(spec.from).point, spec.from);
  let side: Vec3 = X;
  for (let ring = 0; ring < spec.rings; ring++) {
    const along = spec.from + ((spec.to - spec.from) * (ring + 0.5)) / spec.rings;
    const { point, tangent } = curve.at(along);
    side = perpendicular(side, tangent);
    const other = cross(tangent, side);
    for (let n = 0; n < spec.sides; n++) {
      const angle = (2 * Math.PI * n) / spec.sides;
      const r = spec.radius(along, angle);
      push(add(point, add(scale(side, r * cos(angle)), scale(other, r * sin(angle)))), along);
    }
  }
  const tip = push(curve.at(spec.to).point, spec.to);
  const vertex = (ring: number, n: number): number => root + 1 + ring * spec.sides + (n % spec.sides);
  for (let n = 0; n < spec.sides; n++) {
    piece.triangles.push(root, vertex(0, n + 1), vertex(0, n));
    for (let ring = 0; ring + 1 < spec.rings; ring++) {
      const [a, b, c, d] = [
        vertex(ring, n),
        vertex(ring, n + 1),
        vertex(ring + 1, n),
        vertex(ring + 1, n + 1),
      ];
      piece.triangles.push(a, b, d, a, d, c);
    }
    piece.triangles.push(tip, vertex(spec.rings - 1, n), vertex(spec.rings - 1, n + 1));
  }
  return piece;
}

/** A ball of one colour, rigid to one bone. */
export function ball(centre: Vec3, radius: number, color: Vec3, bone: number): Piece {
  const curve = curveThrough([sub(centre, [0, 0, radius]), add(centre, [0, 0, radius])]);
  return tube(curve, {
    from: 0,
    to: 2 * radius,
    rings: 9,
    sides: 12,
    radius: (along) => Math.sqrt(along * (2 * radius - along)),
    color: () => color,
    weigh: () => [{ bone, weight: 1 }],
  });
}
