/**
 * Welding by position: vertices that stand within a tiny distance of each other become one point. A hash grid with
 * cells of four times that distance keeps it O(n); a vertex near the border of its cell looks across it.
 */

/** Stands for the point of a vertex without a usable position. */
export const noPoint = 0xffffffff;

/** Points and the way to them. */
export interface Welded {
  /** Number of points. */
  count: number;
  /** 3 per point. */
  positions: Float64Array;
  /** Per list: point of each vertex, {@link noPoint} where the position is not finite. */
  pointOf: Uint32Array[];
  /** Per list: how many vertices have no finite position. */
  lost: number[];
}

/**
 * Welds vertices.
 *
 * @param lists - positions, 3 per vertex
 * @param near - distance below which vertices are one
 */
export function weldPoints(lists: readonly Float64Array[], near: number): Welded {
  const cell = 4 * near;
  const total = lists.reduce((sum, list) => sum + list.length / 3, 0);
  const grid = createGrid(total);
  const pointOf: Uint32Array[] = [];
  const lost: number[] = [];
  for (const list of lists) {
    const points = new Uint32Array(list.length / 3);
    let missing = 0;
    for (let v = 0; v < points.length; v++) {
      const x = list[3 * v]!;
      const y = list[3 * v + 1]!;
      const z = list[3 * v + 2]!;
      if (!Number.isFinite(x + y + z)) {
        points[v] = noPoint;
        missing++;
      } else points[v] = weldOne(grid, x, y, z, cell, near);
    }
    pointOf.push(points);
    lost.push(missing);
  }
  return { count: grid.count, positions: grid.positions.slice(0, 3 * grid.count), pointOf, lost };
}

interface Grid {
  count: number;
  positions: Float64Array;
  /** First point of each bucket, -1: none. */
  heads: Int32Array;
  /** Next point in the same bucket. */
  next: Int32Array;
}

function createGrid(most: number): Grid {
  let buckets = 64;
  while (buckets < 2 * most) buckets *= 2;
  return {
    count: 0,
    positions: new Float64Array(3 * most),
    heads: new Int32Array(buckets).fill(-1),
    next: new Int32Array(most),
  };
}

function weldOne(grid: Grid, x: number, y: number, z: number, cell: number, near: number): number {
  const u = x / cell;
  const v = y / cell;
  const w = z / cell;
  const margin = near / cell;
  // The cells that a sphere of the welding distance reaches: one, or two per axis near a border.
  for (let i = Math.floor(u - margin); i <= Math.floor(u + margin); i++)
    for (let j = Math.floor(v - margin); j <= Math.floor(v + margin); j++)
      for (let k = Math.floor(w - margin); k <= Math.floor(w + margin); k++) {
        const found = findIn(grid, bucketOf(grid, i, j, k), x, y, z, near);
        if (found >= 0) return found;
      }
  const point = grid.count++;
  grid.positions[3 * point] = x;
  grid.positions[3 * point + 1] = y;
  grid.positions[3 * point + 2] = z;
  const bucket = bucketOf(grid, Math.floor(u), Math.floor(v), Math.floor(w));
  grid.next[point] = grid.heads[bucket]!;
  grid.heads[bucket] = point;
  return point;
}

function bucketOf(grid: Grid, i: number, j: number, k: number): number {
  let hash = Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & (grid.heads.length - 1);
}

function findIn(grid: Grid, bucket: number, x: number, y: number, z: number, near: number): number {
  const { positions, next } = grid;
  for (let p = grid.heads[bucket]!; p >= 0; p = next[p]!) {
    const dx = positions[3 * p]! - x;
    const dy = positions[3 * p + 1]! - y;
    const dz = positions[3 * p + 2]! - z;
    if (dx * dx + dy * dy + dz * dz <= near * near) return p;
  }
  return -1;
}
