/**
 * Closed shells for the rig pass' bodies: tubes along a curve with rings as one likes, flat sheets. A shell knows of
 * each vertex how much of it belongs to the tail: the truth that tests compare with.
 */
import { cos, sin } from '../../../src/math/trig.js';
import {
  add,
  cross,
  normalize,
  perpendicular,
  scale,
  sub,
  X,
  type Vec3,
} from '../../../examples/characters/linear.js';
import type { Influence } from '../../../examples/characters/skin.js';
import type { Curve } from '../../../examples/characters/tube.js';

export interface Shell {
  name: string;
  positions: Vec3[];
  /** Three corners per triangle, counter-clockwise seen from outside. */
  triangles: number[];
  influences: Influence[][];
  /** Share of each vertex that belongs to the tail. */
  tail: number[];
}

export interface TubeSpec {
  name: string;
  /** Lengths along the curve of the points at both ends; negative = inside the body. */
  from: number;
  to: number;
  rings: number;
  sides: number;
  radius(along: number, angle: number): number;
  weigh(p: Vec3, along: number): Influence[];
  tail(p: Vec3): number;
  /** Angle of a side's vertex by its share 0..1 of the way around; default even. */
  angle?: (share: number) => number;
  /** Place of the last point instead of the curve's. */
  tip?: Vec3;
  /** No point at the root: the first ring is a border. */
  open?: boolean;
}

/** Rings along a curve, a point at both ends. */
export function tubeShell(curve: Curve, spec: TubeSpec): Shell {
  const shell: Shell = { name: spec.name, positions: [], triangles: [], influences: [], tail: [] };
  const push = (p: Vec3, along: number): number => {
    shell.influences.push(spec.weigh(p, along));
    shell.tail.push(spec.tail(p));
    return shell.positions.push(p) - 1;
  };
  const root = spec.open ? -1 : push(curve.at(spec.from).point, spec.from);
  let side: Vec3 = X;
  for (let ring = 0; ring < spec.rings; ring++) {
    const along = spec.from + ((spec.to - spec.from) * (ring + 0.5)) / spec.rings;
    const { point, tangent } = curve.at(along);
    side = perpendicular(side, tangent);
    const other = cross(tangent, side);
    for (let n = 0; n < spec.sides; n++) {
      const angle = 2 * Math.PI * (spec.angle?.(n / spec.sides) ?? n / spec.sides);
      const r = spec.radius(along, angle);
      push(add(point, add(scale(side, r * cos(angle)), scale(other, r * sin(angle)))), along);
    }
  }
  const tip = push(spec.tip ?? curve.at(spec.to).point, spec.to);
  const at = (ring: number, n: number): number => root + 1 + ring * spec.sides + (n % spec.sides);
  for (let n = 0; n < spec.sides; n++) {
    if (!spec.open) shell.triangles.push(root, at(0, n + 1), at(0, n));
    for (let ring = 0; ring + 1 < spec.rings; ring++) {
      const [a, b, c, d] = [at(ring, n), at(ring, n + 1), at(ring + 1, n), at(ring + 1, n + 1)];
      shell.triangles.push(a, b, d, a, d, c);
    }
    shell.triangles.push(tip, at(spec.rings - 1, n), at(spec.rings - 1, n + 1));
  }
  return shell;
}

/** A plate with two sides and a rim: `across` x `down` cells spanned by two edges from a corner. */
export function plateShell(
  name: string,
  corner: Vec3,
  acrossEdge: Vec3,
  downEdge: Vec3,
  cells: readonly [number, number],
  thickness: number,
  weigh: (p: Vec3) => Influence[],
  tail = 0,
): Shell {
  const shell: Shell = { name, positions: [], triangles: [], influences: [], tail: [] };
  const [across, down] = cells;
  const normal = normalize(cross(acrossEdge, downEdge));
  for (const layer of [0, 1])
    for (let j = 0; j <= down; j++)
      for (let i = 0; i <= across; i++) {
        const p = add(
          add(corner, add(scale(acrossEdge, i / across), scale(downEdge, j / down))),
          scale(normal, (layer - 0.5) * thickness),
        );
        shell.positions.push(p);
        shell.influences.push(weigh(p));
        shell.tail.push(tail);
      }
  const at = (layer: number, i: number, j: number): number =>
    layer * (across + 1) * (down + 1) + j * (across + 1) + i;
  const quad = (a: number, b: number, c: number, d: number): void => {
    shell.triangles.push(a, b, c, a, c, d);
  };
  for (let j = 0; j < down; j++)
    for (let i = 0; i < across; i++) {
      quad(at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1));
      quad(at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j));
    }
  for (let i = 0; i < across; i++) {
    quad(at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0));
    quad(at(0, i + 1, down), at(0, i, down), at(1, i, down), at(1, i + 1, down));
  }
  for (let j = 0; j < down; j++) {
    quad(at(0, 0, j + 1), at(0, 0, j), at(1, 0, j), at(1, 0, j + 1));
    quad(at(0, across, j), at(0, across, j + 1), at(1, across, j + 1), at(1, across, j));
  }
  return shell;
}

/** The same shell mirrored in the plane x = 0, its bones by `bone`. */
export function mirroredShell(shell: Shell, bone: (bone: number) => number): Shell {
  return {
    ...shell,
    name: `${shell.name} mirrored`,
    positions: shell.positions.map(([x, y, z]): Vec3 => [-x, y, z]),
    triangles: shell.triangles.map((_, c, all) => all[c % 3 === 1 ? c + 1 : c % 3 === 2 ? c - 1 : c]!),
    influences: shell.influences.map((list) =>
      list.map(({ bone: b, weight }) => ({ bone: bone(b), weight })),
    ),
  };
}

/** Vertex of a shell that is nearest to a point. */
export function nearestVertex({ positions }: Shell, p: Vec3): number {
  let best = 0;
  const d = (i: number): number => {
    const o = sub(positions[i]!, p);
    return o[0] * o[0] + o[1] * o[1] + o[2] * o[2];
  };
  for (let i = 1; i < positions.length; i++) if (d(i) < d(best)) best = i;
  return best;
}

/** Volume that a shell encloses, above 0 when its faces look outward. */
export function volumeOf({ positions, triangles }: Shell): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions[triangles[t + k]!]!) as [Vec3, Vec3, Vec3];
    const n = cross(b, c);
    sum += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
  }
  return sum;
}
