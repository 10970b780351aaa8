/** Shapes and distances for the tests of what users of other systems report. */
import type { ChainOptions, ColliderShape } from '../../../src/index.js';
import { plain } from '../../support/chains.js';
import { add, dot, len, mul, sub, type V3 } from '../../support/referenceMath.js';

/** Links that only their own spring, and what a test adds, moves. */
export const free: ChainOptions = { ...plain, limit: Infinity, coupling: 0, tipRatio: 1 };

export function sphere(offset: V3, radius: number, inside = false): ColliderShape {
  return { kind: 'sphere', offset, radius, inside };
}

export function capsule(
  offset: V3,
  tail: V3,
  radius: number,
  tailRadius = radius,
  inside = false,
): ColliderShape {
  return { kind: 'capsule', offset, tail, radius, tailRadius, inside };
}

/** Distance of a point to the part of a line between two others. */
export function distance(p: V3, from: V3, to: V3): number {
  const along = sub(to, from);
  const t = Math.min(1, Math.max(0, dot(sub(p, from), along) / dot(along, along)));
  return len(sub(p, add(from, mul(along, t))));
}
