/**
 * Tails with a known centre line for the bodies of body.ts: the fox's hangs, with fur over it; the mouse's lies on the
 * floor; the toon's is short, thick, furry and points up. Each as cones for a fused skin, or as tubes.
 */
import { cone, type RoundCone } from '../../../examples/characters/implicitSurface.js';
import { add, mix, scale, smoothstep, type Vec3 } from '../../../examples/characters/linear.js';
import { curveThrough, type Curve } from '../../../examples/characters/tube.js';
import {
  FILLET,
  FOX,
  legInfluences,
  makeBody,
  MOUSE,
  TOON,
  type Body,
  trunkField,
  type Proportions,
} from './body.js';
import { tubeShell, type Shell, type TubeSpec } from './shells.js';

export interface Tail {
  /** Centre line from the body's surface to the tip. */
  curve: Curve;
  /** Radius of the skin at a length along it. */
  radius: (along: number) => number;
  /** Radius of the fur, where there is any. */
  fur?: (along: number) => number;
}

export const tailNames = ['fox', 'mouse', 'toon'] as const;
export type TailName = (typeof tailNames)[number];

export const proportionsOf: Record<TailName, Proportions> = { fox: FOX, mouse: MOUSE, toon: TOON };

/** A tail from the root of a body through points relative to it, in shares of the height. */
export function tailThrough(
  body: Body,
  points: readonly Vec3[],
  rootRadius: number,
  tipRadius: number,
  furRadius = 0,
): Tail {
  const h = body.proportions.height;
  const curve = curveThrough([body.tailRoot, ...points.map((p) => add(body.tailRoot, scale(p, h)))]);
  const share = (along: number): number => along / curve.length;
  return {
    curve,
    radius: (along) =>
      h *
      mix(rootRadius, tipRadius, smoothstep(0, 1, share(along))) *
      rounded(curve.length - along, tipRadius * h),
    ...(furRadius > 0 && {
      fur: (along: number): number =>
        h *
        mix(0.7 * furRadius, furRadius, smoothstep(0, 0.5, share(along))) *
        (1 - 0.75 * smoothstep(0.65, 1, share(along))),
    }),
  };
}

/** Rounds a tip off. */
function rounded(left: number, radius: number): number {
  const t = Math.min(1, Math.max(0, left / radius));
  return Math.sqrt(t * (2 - t));
}

export function namedTail(name: TailName, body: Body): Tail {
  if (name === 'fox')
    return tailThrough(
      body,
      [
        [0, -0.1, -0.035],
        [0, -0.2, -0.07],
        [0, -0.31, -0.11],
        [0, -0.42, -0.17],
      ],
      0.024,
      0.016,
      0.04,
    );
  if (name === 'mouse')
    return tailThrough(
      body,
      [
        [0, -0.1, -0.08],
        [0, -0.21, -0.15],
        [0, -0.31, -0.24],
        [0.03, -0.35, -0.35],
        [0.1, -0.362, -0.44],
        [0.2, -0.366, -0.5],
      ],
      0.024,
      0.018,
    );
  return tailThrough(
    body,
    [
      [0, 0.025, -0.1],
      [0, 0.065, -0.19],
      [0, 0.125, -0.27],
    ],
    0.05,
    0.032,
    0.075,
  );
}

/** Cones along a tail, the first inside the body. */
export function tailCones(body: Body, { curve, radius }: Tail, count = 10): RoundCone[] {
  const h = body.proportions.height;
  const from = -0.03 * h;
  const end = curve.length - radius(curve.length - 0.03 * h);
  const at = (i: number): number => from + ((end - from) * i) / count;
  return Array.from({ length: count }, (_, i) =>
    cone(curve.at(at(i)).point, curve.at(at(i + 1)).point, radius(at(i)), radius(at(i + 1)), FILLET * h),
  );
}

/** The skin of a tail as a closed tube, weighted to the legs; what lies inside the trunk counts for less than half. */
export function tailTube(body: Body, tail: Tail, spec: Partial<TubeSpec> = {}): Shell {
  const { curve } = tail;
  const trunk = trunkField(body);
  return tubeShell(curve, {
    name: 'tail skin',
    from: -0.025 * body.proportions.height,
    to: curve.length,
    rings: Math.max(16, Math.round(curve.length / (0.018 * body.proportions.height))),
    sides: 12,
    radius: tail.radius,
    weigh: (p) => legInfluences(body.rig, p),
    tail: ([x, y, z]) => (trunk(x, y, z) > 0 ? 1 : 0.3),
    ...spec,
  });
}

/** Fur around a tail as a closed tube. */
export function furTube(body: Body, tail: Tail, spec: Partial<TubeSpec> = {}): Shell {
  const { curve } = tail;
  return tailTube(body, tail, {
    name: 'fur',
    from: -0.015 * body.proportions.height,
    to: curve.length + 0.012 * body.proportions.height,
    sides: 16,
    radius: (along) => tail.fur!(along),
    ...spec,
  });
}

export const bodyFor = (name: TailName): Body => makeBody(proportionsOf[name]);
