/**
 * A proxy: a ball, or two balls and what lies between them, that stands for a part of the body; where it stands in the
 * bind pose, and its gaps to points and links. Distances are those that contact uses (docs/solver.md, "Colliders"): the
 * union of balls over the axis. The solver has them in registers for one link of one chain; here they are functions.
 */
import type { ColliderShape } from '../../asset/secondary.js';
import { invertMat4, transformPoint } from '../../math/mat4.js';
import { distance3, dot3 } from '../../math/vec3.js';

/** A ball or capsule in the world of the bind pose. */
export interface Proxy {
  /** Centre of the first ball. */
  a: Float64Array;
  /** Centre of the second ball; equal to the first for a ball. */
  b: Float64Array;
  /** Radius of the first ball. */
  ra: number;
  /** Radius of the second ball. */
  rb: number;
}

/** A proxy made ready for many points. */
export interface Cone {
  /** First end. */
  a: Float64Array;
  /** Unit direction to the second; zeros for a ball. */
  axis: Float64Array;
  /** Distance of the ends; 0 for a ball. */
  length: number;
  /** Radius at the first end. */
  radius: number;
  /** Growth of the radius per length. */
  taper: number;
  /** How much farther along the axis the nearest ball is than the foot of a point, per distance from the axis. */
  shift: number;
}

/** Makes a proxy ready. A larger ball that holds the smaller is all there is of it. */
export function coneOf({ a, b, ra, rb }: Proxy): Cone {
  const length = distance3(a, 0, b, 0);
  if (length <= Math.abs(rb - ra))
    return {
      a: rb > ra ? b : a,
      axis: new Float64Array(3),
      length: 0,
      radius: Math.max(ra, rb),
      taper: 0,
      shift: 0,
    };
  const taper = (rb - ra) / length;
  return {
    a,
    axis: a.map((value, k) => (b[k]! - value) / length),
    length,
    radius: ra,
    taper,
    // The nearest ball is met at a right angle to the cone's side, not to its axis.
    shift: taper / Math.sqrt(1 - taper * taper),
  };
}

/**
 * Distance of a point to the surface: negative inside.
 *
 * @param p - points, 3 numbers each
 * @param o - where the point begins
 */
export function gapTo(
  { a, axis, length, radius, taper, shift }: Cone,
  p: ArrayLike<number>,
  o: number,
): number {
  const x = p[o]! - a[0]!;
  const y = p[o + 1]! - a[1]!;
  const z = p[o + 2]! - a[2]!;
  const along = x * axis[0]! + y * axis[1]! + z * axis[2]!;
  const square = Math.max(x * x + y * y + z * z - along * along, 0);
  const free = along + shift * Math.sqrt(square);
  const s = free < 0 ? 0 : free > length ? length : free;
  return Math.sqrt(square + (along - s) * (along - s)) - radius - taper * s;
}

/** {@link gapTo} for one point. */
export function pointGap(proxy: Proxy, p: ArrayLike<number>, o: number): number {
  return gapTo(coneOf(proxy), p, o);
}

/** Steps of the search along a link: each keeps two thirds of it. */
const STEPS = 40;

/**
 * Distance of a whole link to the surface of a proxy: negative where it enters. The gap is convex along the link, so
 * thirds that cannot hold the least are dropped.
 *
 * @param head - where the link begins
 * @param tip - where it ends
 */
export function linkGap(proxy: Proxy, head: Float64Array, tip: Float64Array): number {
  const cone = coneOf(proxy);
  const at = new Float64Array(3);
  const gapAt = (t: number): number => {
    for (let k = 0; k < 3; k++) at[k] = head[k]! + t * (tip[k]! - head[k]!);
    return gapTo(cone, at, 0);
  };
  let low = 0;
  let high = 1;
  for (let step = 0; step < STEPS; step++) {
    const third = (high - low) / 3;
    if (gapAt(low + third) <= gapAt(high - third)) high -= third;
    else low += third;
  }
  return Math.min(gapAt(0), gapAt(1), gapAt((low + high) / 2));
}

/** A proxy with larger radii. */
export function larger(proxy: Proxy, growth: number): Proxy {
  return { ...proxy, ra: proxy.ra + growth, rb: proxy.rb + growth };
}

/** Largest axis scale of a world matrix: radii go by it (systems/colliderMotion.ts). */
export function largestScale(worlds: Float64Array, bone: number): number {
  let most = 0;
  for (let c = 16 * bone; c < 16 * bone + 12; c += 4) most = Math.max(most, dot3(worlds, c, worlds, c));
  return Math.sqrt(most);
}

/** Whether the axes of a bone have different scales in the bind pose: a ball on it is no ball then. */
export function isStretched(worlds: Float64Array, bone: number): boolean {
  const squares = [0, 4, 8].map((c) => dot3(worlds, 16 * bone + c, worlds, 16 * bone + c));
  return Math.max(...squares) > 1.02 * Math.min(...squares);
}

/**
 * The proxy of a collider that keeps things out.
 *
 * @returns undefined for planes, insides and numbers that are not finite
 */
export function proxyOf(shape: ColliderShape, worlds: Float64Array, bone: number): Proxy | undefined {
  if (shape.kind === 'plane' || shape.inside || 16 * bone >= worlds.length || bone < 0) return undefined;
  const scale = largestScale(worlds, bone);
  const a = new Float64Array(3);
  const b = new Float64Array(3);
  const isCapsule = shape.kind === 'capsule';
  transformPoint(a, 0, worlds, 16 * bone, shape.offset, 0);
  transformPoint(b, 0, worlds, 16 * bone, isCapsule ? shape.tail : shape.offset, 0);
  const ra = scale * shape.radius;
  const rb = scale * (isCapsule ? shape.tailRadius : shape.radius);
  const isFinite = Number.isFinite(a[0]! + a[1]! + a[2]! + b[0]! + b[1]! + b[2]! + ra + rb);
  return isFinite ? { a, b, ra, rb } : undefined;
}

/** A capsule that is shorter than this share of its radius is a ball. */
const BALL = 0.01;

/**
 * A proxy as a collider's shape in the space of its bone.
 *
 * @returns undefined when the bone has no size in the bind pose
 */
export function shapeOf(
  { a, b, ra, rb }: Proxy,
  worlds: Float64Array,
  bone: number,
): ColliderShape | undefined {
  const inverse = new Float64Array(16);
  const scale = largestScale(worlds, bone);
  if (!(scale > 0) || !invertMat4(inverse, 0, worlds, 16 * bone)) return undefined;
  const local = (point: Float64Array): [number, number, number] => {
    const out: [number, number, number] = [0, 0, 0];
    transformPoint(out, 0, inverse, 0, point, 0);
    return out;
  };
  const length = distance3(a, 0, b, 0);
  if (length <= Math.abs(rb - ra) || length < BALL * ra) {
    const centre = rb > ra ? b : a;
    return { kind: 'sphere', offset: local(centre), radius: Math.max(ra, rb) / scale, inside: false };
  }
  return {
    kind: 'capsule',
    offset: local(a),
    tail: local(b),
    radius: ra / scale,
    tailRadius: rb / scale,
    inside: false,
  };
}
