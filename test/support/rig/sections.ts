/**
 * Cross-sections of a tail along a line of joints, measured on the surface by area: triangles are cut into small
 * pieces, each goes to the nearest place on the line, and pieces near one place make a section with a centre and a
 * radius (root mean square distance from the centre, across the line).
 */
import { add, cross, dot, len, mul, sub, type V3 } from '../referenceMath.js';

/** Nearest place of a line to a point. */
export interface Place {
  /** Length along the line. */
  along: number;
  /** Distance of the point. */
  distance: number;
}

export function placeOn(line: readonly V3[], p: V3): Place {
  let best: Place = { along: 0, distance: Infinity };
  let before = 0;
  for (let i = 0; i + 1 < line.length; i++) {
    const span = sub(line[i + 1]!, line[i]!);
    const length = len(span);
    if (length === 0) continue;
    const t = Math.min(1, Math.max(0, dot(sub(p, line[i]!), span) / (length * length)));
    const distance = len(sub(p, add(line[i]!, mul(span, t))));
    if (distance < best.distance) best = { along: before + t * length, distance };
    before += length;
  }
  return best;
}

export function lineLength(line: readonly V3[]): number {
  let sum = 0;
  for (let i = 0; i + 1 < line.length; i++) sum += len(sub(line[i + 1]!, line[i]!));
  return sum;
}

interface Sample {
  p: V3;
  area: number;
  along: number;
}

export interface Sections {
  /** Radius of the section at a length along the line. */
  radiusAt(along: number): number;
}

/** Sections of the given triangles (three corners each) along a line, within `reach` to both sides of a place. */
export function sectionsAlong(line: readonly V3[], corners: readonly V3[], reach: number): Sections {
  const samples: Sample[] = [];
  for (let i = 0; i + 2 < corners.length; i += 3) {
    const [a, b, c] = corners.slice(i, i + 3) as [V3, V3, V3];
    const area = areaOf(a, b, c);
    if (area > 0)
      for (const place of inTriangle) {
        const p = pointIn(a, b, c, place);
        samples.push({ p, area, ...placeOn(line, p) });
      }
  }
  const around = (along: number): Sample[] => {
    for (let width = reach; ; width *= 1.5) {
      const near = samples.filter((s) => Math.abs(s.along - along) <= width);
      if (near.length >= 30 || near.length === samples.length) return near;
    }
  };
  const centreOf = (near: Sample[]): V3 => {
    let sum: V3 = [0, 0, 0];
    let area = 0;
    for (const s of near) {
      sum = add(sum, mul(s.p, s.area));
      area += s.area;
    }
    return mul(sum, 1 / area);
  };
  const known = new Map<number, number>();
  return {
    radiusAt(along) {
      const key = Math.round((along / reach) * 4);
      let radius = known.get(key);
      if (radius === undefined) {
        const near = around(along);
        const centre = centreOf(near);
        let sum = 0;
        let area = 0;
        for (const { p, area: a } of near) {
          const d = sub(p, centre);
          sum += a * dot(d, d);
          area += a;
        }
        radius = Math.sqrt(sum / area);
        known.set(key, radius);
      }
      return radius;
    },
  };
}

/** Places in a triangle cut into 9 by equal steps along its sides, as shares of the second and the third corner. */
export const inTriangle: readonly (readonly [number, number])[] = [0, 1, 2].flatMap((i) =>
  [0, 1, 2].flatMap((j): [number, number][] => {
    const places: [number, number][] = [];
    if (i + j < 3) places.push([(i + 1 / 3) / 3, (j + 1 / 3) / 3]);
    if (i + j < 2) places.push([(i + 2 / 3) / 3, (j + 2 / 3) / 3]);
    return places;
  }),
);

/** Area of a triangle. */
export const areaOf = (a: V3, b: V3, c: V3): number => len(cross(sub(b, a), sub(c, a))) / 2;

/** Point of a triangle by its shares. */
export const pointIn = (a: V3, b: V3, c: V3, [x, y]: readonly [number, number]): V3 =>
  add(a, add(mul(sub(b, a), x), mul(sub(c, a), y)));
