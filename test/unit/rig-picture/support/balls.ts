/** Skin without a character: balls of any number of points, owned as the caller says, and an asset of a few bones. */
import { assetOf } from '../../../support/chains.js';
import type { Asset } from '../../../../src/index.js';
import type { Surface } from '../../../../src/rig/surface.js';

/** An asset of unconnected bones at the origin, upright as glTF says. */
export function bonesOnly(names: string[]): Asset {
  return assetOf(
    names,
    names.map(() => -1),
    names.map(() => [0, 0, 0]),
    names.map(() => [0, 0, 0, 1]),
  );
}

/**
 * Balls of rings and columns of points.
 *
 * @param ownerOf - bone of a point of a ball, -1 for none
 */
export function ballSurface(
  balls: { centre: [number, number, number]; radius: (point: number) => number }[],
  rings: number,
  columns: number,
  ownerOf: (ball: number, point: number) => number,
): Surface {
  const positions: number[] = [];
  const triangles: number[] = [];
  const first = [0];
  const bones: number[] = [];
  balls.forEach(({ centre, radius }, ball) => {
    const start = positions.length / 3;
    for (let ring = 0; ring < rings; ring++)
      for (let column = 0; column < columns; column++) {
        const point = ring * columns + column;
        const [polar, turn] = [(Math.PI * (ring + 0.5)) / rings, (2 * Math.PI * column) / columns];
        const direction = [
          Math.sin(polar) * Math.cos(turn),
          Math.cos(polar),
          Math.sin(polar) * Math.sin(turn),
        ];
        positions.push(...direction.map((d, k) => centre[k]! + d * radius(point)));
        const owner = ownerOf(ball, point);
        if (owner >= 0) bones.push(owner);
        first.push(bones.length);
        if (ring === 0) continue;
        const at = (r: number, c: number): number => start + r * columns + (c % columns);
        triangles.push(at(ring - 1, column), at(ring, column + 1), at(ring, column));
        triangles.push(at(ring - 1, column), at(ring - 1, column + 1), at(ring, column + 1));
      }
  });
  return {
    count: positions.length / 3,
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from(triangles),
    pointOf: [],
    first: Uint32Array.from(first),
    bones: Int32Array.from(bones),
    weights: new Float64Array(bones.length).fill(1),
  };
}
