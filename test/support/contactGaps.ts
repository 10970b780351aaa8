/**
 * Depth of links in colliders, written apart from src/systems: the distance of a point to a shape, the least of it along
 * a link by search, and the directions of a link that are least deep by looking at many of them. What a shape is:
 * docs/solver.md, "Colliders"; the bound that tests hold against it: 1e-6 m, or the least depth there is.
 */
import type { ColliderShape } from '../../src/index.js';
import { add, cross, dot, len, mul, sub, unit, type V3 } from './referenceMath.js';

/** A link that hangs from a head; only its direction is free. */
export interface Link {
  head: V3;
  length: number;
  radius: number;
}

/** A round cone along an axis: its shape in numbers that a search needs often. */
interface Cone {
  from: V3;
  axis: V3;
  length: number;
  radius: number;
  tailRadius: number;
  /** Sine and cosine of the lean of the straight side; a sine of 1 and more: one ball holds the other. */
  sine: number;
  cosine: number;
}

function coneOf(shape: Exclude<ColliderShape, { kind: 'plane' }>): Cone {
  const tail = shape.kind === 'capsule' ? shape.tail : shape.offset;
  const tailRadius = shape.kind === 'capsule' ? shape.tailRadius : shape.radius;
  const way = sub(tail, shape.offset);
  const far = len(way);
  const length = far > 1e-12 ? far : 0;
  const sine = length > 0 ? (shape.radius - tailRadius) / length : 1;
  return {
    from: shape.offset,
    axis: length > 0 ? unit(way) : [0, 0, 0],
    length,
    radius: shape.radius,
    tailRadius,
    sine,
    cosine: Math.sqrt(Math.max(0, 1 - sine * sine)),
  };
}

/** Distance of a point to the union of the balls along an axis, negative inside. */
function coneGap(cone: Cone, px: number, py: number, pz: number): number {
  const { from, axis, length, radius, tailRadius, sine, cosine } = cone;
  const x = px - from[0];
  const y = py - from[1];
  const z = pz - from[2];
  const along = x * axis[0] + y * axis[1] + z * axis[2];
  const square = x * x + y * y + z * z;
  const off = Math.sqrt(Math.max(0, square - along * along));
  // In the half plane of the point: the straight side counts between the two lines square to it.
  const onSide = along * cosine - off * sine;
  if (Math.abs(sine) < 1 && onSide > 0 && onSide < length * cosine)
    return along * sine + off * cosine - radius;
  const fromTail = Math.sqrt(off * off + (along - length) * (along - length));
  return Math.min(Math.sqrt(square) - radius, fromTail - tailRadius);
}

/** Distance of a point that is a ball of the radius to a shape; below 0 it is in, or out of one that keeps it inside. */
function pointGap(shape: ColliderShape, p: V3, radius: number): number {
  if (shape.kind === 'plane') return dot(sub(p, shape.offset), unit(shape.normal)) - radius;
  const gap = coneGap(coneOf(shape), p[0], p[1], p[2]);
  return (shape.inside ? -gap : gap) - radius;
}

const golden = (Math.sqrt(5) - 1) / 2;

/** Least distance along a segment. The distance to a convex shape is convex, so a search by sections finds it. */
function segmentGap(shape: ColliderShape, from: V3, to: V3, radius: number): number {
  if (shape.kind === 'plane') return Math.min(pointGap(shape, from, radius), pointGap(shape, to, radius));
  const cone = coneOf(shape);
  const [x, y, z] = from;
  const [wx, wy, wz] = sub(to, from);
  const at = (u: number): number => coneGap(cone, x + u * wx, y + u * wy, z + u * wz);
  if (shape.kind === 'sphere') {
    const square = wx * wx + wy * wy + wz * wz;
    const foot = square > 0 ? dot(sub(shape.offset, from), [wx, wy, wz]) / square : 0;
    return at(Math.min(1, Math.max(0, foot))) - radius;
  }
  let low = 0;
  let high = 1;
  let left = 1 - golden;
  let right = golden;
  let atLeft = at(left);
  let atRight = at(right);
  for (let i = 0; i < 40; i++) {
    if (atLeft < atRight) {
      high = right;
      right = left;
      atRight = atLeft;
      left = low + (1 - golden) * (high - low);
      atLeft = at(left);
    } else {
      low = left;
      left = right;
      atLeft = atRight;
      right = low + golden * (high - low);
      atRight = at(right);
    }
  }
  return Math.min(at(0), at(1), atLeft, atRight) - radius;
}

/** A distance that the whole link keeps at least, quick to find: both as balls. */
function gapAtLeast(shape: ColliderShape, { head, length, radius }: Link, d: V3): number {
  if (shape.kind === 'plane' || shape.inside) return -Infinity;
  const tail = shape.kind === 'capsule' ? shape.tail : shape.offset;
  const wide = shape.kind === 'capsule' ? Math.max(shape.radius, shape.tailRadius) : shape.radius;
  let square = 0;
  let axis = 0;
  for (let k = 0; k < 3; k++) {
    square += (head[k]! + (length / 2) * d[k]! - (shape.offset[k]! + tail[k]!) / 2) ** 2;
    axis += (tail[k]! - shape.offset[k]!) ** 2;
  }
  return Math.sqrt(square) - Math.sqrt(axis) / 2 - wide - length / 2 - radius;
}

/** Distance of a link to a shape; of its tip alone where `tipOnly`, and in shapes that keep it inside. */
export function linkGap(shape: ColliderShape, from: V3, to: V3, radius: number, tipOnly: boolean): number {
  if (tipOnly || (shape.kind !== 'plane' && shape.inside)) return pointGap(shape, to, radius);
  return segmentGap(shape, from, to, radius);
}

/** Shapes that a link feels, and of which only its tip stays out. */
export interface Felt {
  shape: ColliderShape;
  tipOnly: boolean;
}

/** How deep a link is at worst when it points along d; below 0 it is clear of everything. */
export function depthAlong(link: Link, felt: readonly Felt[], d: V3): number {
  const tip = add(link.head, mul(d, link.length));
  let deepest = -Infinity;
  for (const { shape, tipOnly } of felt)
    if (-gapAtLeast(shape, link, d) > deepest)
      deepest = Math.max(deepest, -linkGap(shape, link.head, tip, link.radius, tipOnly));
  return deepest;
}

/** Evenly spread directions within an angle of d (a Fibonacci lattice). */
function directionsAround(d: V3, angleRad: number, count: number): V3[] {
  const x = unit(cross(d, Math.abs(d[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
  const y = cross(d, x);
  const height = 1 - Math.cos(angleRad);
  return Array.from({ length: count }, (_, i): V3 => {
    const z = 1 - ((i + 0.5) / count) * height;
    const turn = Math.PI * (3 - Math.sqrt(5)) * i;
    const r = Math.sqrt(1 - z * z);
    return add(mul(d, z), add(mul(x, r * Math.cos(turn)), mul(y, r * Math.sin(turn))));
  });
}

/** Where a search for less depth ended. */
interface Found {
  d: V3;
  depth: number;
}

/**
 * Looks for less depth around a direction, ever closer, until it is not above `enough`.
 *
 * @param shrink - of the reach from round to round: a valley between two shapes is narrow, slow shrinking keeps it in sight
 * @param allowed - which directions count
 */
function lookCloser(
  depth: (d: V3) => number,
  from: Found,
  { reachRad, finestRad, shrink, looks, enough }: Search,
  allowed: (d: V3) => boolean,
): Found {
  let best = from;
  for (let reach = reachRad; reach > finestRad && best.depth > enough; reach *= shrink)
    for (const d of directionsAround(best.d, reach, looks)) {
      if (!allowed(d)) continue;
      const here = depth(d);
      if (here < best.depth) best = { d, depth: here };
      if (best.depth <= enough) break;
    }
  return best;
}

interface Search {
  reachRad: number;
  finestRad: number;
  shrink: number;
  looks: number;
  enough: number;
}

/**
 * The least depth that any direction has, or one not above `enough`: looks all over the sphere, and closer at the best.
 *
 * @param start - directions to look at as well
 */
export function leastDepth(link: Link, felt: readonly Felt[], start: readonly V3[], enough = 0): Found {
  const depth = (d: V3): number => depthAlong(link, felt, d);
  const seen = [...start, ...directionsAround([0, 0, 1], Math.PI, 1500)]
    .map((d): Found => ({ d, depth: depth(d) }))
    .toSorted((a, b) => a.depth - b.depth);
  const search: Search = { reachRad: 0.1, finestRad: 1e-9, shrink: 0.6, looks: 40, enough };
  let best = seen[0]!;
  for (const one of seen.slice(0, 5)) {
    const closer = lookCloser(depth, one, search, () => true);
    if (closer.depth < best.depth) best = closer;
    if (best.depth <= enough) break;
  }
  return best;
}

/** A free direction less than the angle from d, if one is seen. */
export function freeWithin(
  link: Link,
  felt: readonly Felt[],
  d: V3,
  angleRad: number,
  samples: number,
): V3 | undefined {
  const depth = (other: V3): number => depthAlong(link, felt, other);
  let best: Found = { d, depth: depth(d) };
  for (const other of directionsAround(d, angleRad, samples)) {
    if (best.depth <= 0) break;
    const here = depth(other);
    if (here < best.depth) best = { d: other, depth: here };
  }
  const least = Math.cos(angleRad);
  const reachRad = Math.min(0.3, (2 * angleRad) / Math.sqrt(samples));
  const search: Search = { reachRad, finestRad: 1e-5, shrink: 0.5, looks: 20, enough: 0 };
  const closer = lookCloser(depth, best, search, (other) => dot(other, d) >= least);
  return closer.depth <= 0 ? closer.d : undefined;
}
