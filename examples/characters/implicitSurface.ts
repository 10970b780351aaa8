/**
 * A body as an implicit surface: tapered capsules ("round cones", the distance function is Quilez's closed form)
 * joined by a smooth minimum, and a mesher (naive surface nets: one vertex per cell that the surface crosses, one quad per crossed grid
 * edge) whose vertices are then moved onto the surface.
 */
import { clamp, mixVec, type Vec3 } from './linear.js';

/** A capsule from `a` to `b` with two radii, in metres. */
export interface RoundCone {
  a: Vec3;
  b: Vec3;
  radiusA: number;
  radiusB: number;
  /** Width of the smooth join with what was added before it. */
  blend: number;
  /** Flattens the shape about `a`: lengths along the unit `axis` shrink to this share. */
  flatten?: { axis: Vec3; share: number };
}

/** A round cone in one line. */
export const cone = (a: Vec3, b: Vec3, radiusA: number, radiusB: number, blend: number): RoundCone => ({
  a,
  b,
  radiusA,
  radiusB,
  blend,
});

/** Signed distance (approximate where flattened): negative inside. */
export type DistanceField = (x: number, y: number, z: number) => number;

function roundCone({ a, b, radiusA, radiusB, flatten }: RoundCone): DistanceField {
  const [ax, ay, az] = a;
  const share = flatten?.share ?? 1;
  const [nx, ny, nz] = flatten?.axis ?? [0, 0, 0];
  const stretch = 1 / share - 1;
  const bn = (b[0] - ax) * nx + (b[1] - ay) * ny + (b[2] - az) * nz;
  const bx = b[0] - ax + bn * stretch * nx;
  const by = b[1] - ay + bn * stretch * ny;
  const bz = b[2] - az + bn * stretch * nz;
  const axisSquared = bx * bx + by * by + bz * bz;
  const taper = radiusA - radiusB;
  const slantSquared = axisSquared - taper * taper;
  const inverse = 1 / axisSquared;
  return (px, py, pz) => {
    let x = px - ax;
    let y = py - ay;
    let z = pz - az;
    const n = (x * nx + y * ny + z * nz) * stretch;
    x += n * nx;
    y += n * ny;
    z += n * nz;
    const along = x * bx + y * by + z * bz;
    const beyond = along - axisSquared;
    const ox = x * axisSquared - bx * along;
    const oy = y * axisSquared - by * along;
    const oz = z * axisSquared - bz * along;
    const offSquared = ox * ox + oy * oy + oz * oz;
    const alongSquared = along * along * axisSquared;
    const beyondSquared = beyond * beyond * axisSquared;
    const k = Math.sign(taper) * taper * taper * offSquared;
    if (Math.sign(beyond) * slantSquared * beyondSquared > k)
      return (Math.sqrt(offSquared + beyondSquared) * inverse - radiusB) * share;
    if (Math.sign(along) * slantSquared * alongSquared < k)
      return (Math.sqrt(offSquared + alongSquared) * inverse - radiusA) * share;
    return ((Math.sqrt(offSquared * slantSquared * inverse) + along * taper) * inverse - radiusA) * share;
  };
}

/** Polynomial smooth minimum: differs from the minimum only where the two are closer than `k`. */
export function smoothMin(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0) / k;
  return Math.min(a, b) - h * h * k * 0.25;
}

/** Joins cones in the given order. */
export function smoothUnion(cones: readonly RoundCone[]): DistanceField {
  const fields = cones.map(roundCone);
  return (x, y, z) => {
    let d = 1e3;
    for (let i = 0; i < fields.length; i++) d = smoothMin(d, fields[i]!(x, y, z), cones[i]!.blend);
    return d;
  };
}

/** Unit outward normal and slope by central differences. */
function gradient(field: DistanceField, p: Vec3, step: number): Vec3 {
  const s = 0.5 / step;
  return [
    (field(p[0] + step, p[1], p[2]) - field(p[0] - step, p[1], p[2])) * s,
    (field(p[0], p[1] + step, p[2]) - field(p[0], p[1] - step, p[2])) * s,
    (field(p[0], p[1], p[2] + step) - field(p[0], p[1], p[2] - step)) * s,
  ];
}

export interface TriangleMesh {
  positions: Vec3[];
  /** Three corners per triangle, counter-clockwise seen from outside. */
  triangles: number[];
}

/** Meshes the zero level of `field` inside the box with cubic cells of edge `cell`. */
export function surfaceNets(field: DistanceField, low: Vec3, high: Vec3, cell: number): TriangleMesh {
  const nx = Math.ceil((high[0] - low[0]) / cell) + 1;
  const ny = Math.ceil((high[1] - low[1]) / cell) + 1;
  const nz = Math.ceil((high[2] - low[2]) / cell) + 1;
  const at = (i: number, j: number, k: number): number => i + nx * (j + ny * k);
  const values = sampleGrid(field, low, cell, [nx, ny, nz]);
  const vertexOf = new Int32Array(nx * ny * nz).fill(-1);
  const positions: Vec3[] = [];
  for (let k = 0; k < nz - 1; k++)
    for (let j = 0; j < ny - 1; j++)
      for (let i = 0; i < nx - 1; i++) {
        const centre = cellVertex(values, at(i, j, k), nx, nx * ny);
        if (!centre) continue;
        vertexOf[at(i, j, k)] = positions.length;
        const start: Vec3 = [
          low[0] + (i + centre[0]) * cell,
          low[1] + (j + centre[1]) * cell,
          low[2] + (k + centre[2]) * cell,
        ];
        positions.push(start);
      }

  const triangles: number[] = [];
  const strides = [1, nx, nx * ny];
  const sizes = [nx, ny, nz];
  for (let k = 1; k < nz - 1; k++)
    for (let j = 1; j < ny - 1; j++)
      for (let i = 1; i < nx - 1; i++)
        for (let axis = 0; axis < 3; axis++) {
          const here = at(i, j, k);
          if ([i, j, k][axis]! + 1 >= sizes[axis]!) continue;
          const inside = values[here]! < 0;
          if (inside === values[here + strides[axis]!]! < 0) continue;
          const u = strides[(axis + 1) % 3]!;
          const v = strides[(axis + 2) % 3]!;
          const ring = [here - u - v, here - v, here, here - u].map((c) => vertexOf[c]!);
          pushQuad(triangles, positions, inside ? ring : ring.toReversed());
        }
  for (let pass = 0; pass < 3; pass++) relax(positions, triangles, field, cell);
  return { positions, triangles };
}

/** Field values at all grid points; in blocks further from the surface than their size only the sign is right. */
function sampleGrid(field: DistanceField, low: Vec3, cell: number, sizes: Vec3): Float64Array {
  const [nx, ny, nz] = sizes;
  const values = new Float64Array(nx * ny * nz);
  const block = 6;
  const half = (cell * (block - 1)) / 2;
  // half a diagonal, and a cell more, so that no edge out of the block crosses the surface
  const reach = half * 1.75 + cell;
  for (let k = 0; k < nz; k += block)
    for (let j = 0; j < ny; j += block)
      for (let i = 0; i < nx; i += block) {
        const [x, y, z] = [low[0] + i * cell, low[1] + j * cell, low[2] + k * cell];
        const centre = field(x + half, y + half, z + half);
        const far = Math.abs(centre) > reach;
        for (let c = 0; c < Math.min(block, nz - k); c++)
          for (let b = 0; b < Math.min(block, ny - j); b++)
            for (let a = 0; a < Math.min(block, nx - i); a++)
              values[i + a + nx * (j + b + ny * (k + c))] = far
                ? centre
                : field(x + a * cell, y + b * cell, z + c * cell);
      }
  return values;
}

/** Moves every vertex half way to the mean of its neighbours and back onto the surface: evens out the edges. */
function relax(positions: Vec3[], triangles: readonly number[], field: DistanceField, cell: number): void {
  const sums = positions.map((): [number, number, number, number] => [0, 0, 0, 0]);
  for (let c = 0; c < triangles.length; c++) {
    const sum = sums[triangles[c]!]!;
    const p = positions[triangles[c % 3 === 2 ? c - 2 : c + 1]!]!;
    sum[0] += p[0];
    sum[1] += p[1];
    sum[2] += p[2];
    sum[3]++;
  }
  sums.forEach(([x, y, z, n], i) => {
    if (n > 0) positions[i] = project(field, mixVec(positions[i]!, [x / n, y / n, z / n], 0.5), cell);
  });
}

/** Mean of the points where the surface crosses the cell's edges, in cell units; undefined when it does not. */
function cellVertex(
  values: Float64Array,
  corner: number,
  strideY: number,
  strideZ: number,
): Vec3 | undefined {
  let x = 0;
  let y = 0;
  let z = 0;
  let crossings = 0;
  for (let e = 0; e < 12; e++) {
    const axis = e >> 2;
    const u = e & 1;
    const v = (e >> 1) & 1;
    const i = axis === 0 ? 0 : u;
    const j = axis === 1 ? 0 : axis === 0 ? u : v;
    const k = axis === 2 ? 0 : v;
    const from = corner + i + j * strideY + k * strideZ;
    const a = values[from]!;
    const b = values[from + (axis === 0 ? 1 : axis === 1 ? strideY : strideZ)]!;
    if (a < 0 === b < 0) continue;
    const t = a / (a - b);
    x += i + (axis === 0 ? t : 0);
    y += j + (axis === 1 ? t : 0);
    z += k + (axis === 2 ? t : 0);
    crossings++;
  }
  return crossings === 0 ? undefined : [x / crossings, y / crossings, z / crossings];
}

/** Newton steps along the gradient, never further than half a cell in all. */
function project(field: DistanceField, start: Vec3, cell: number): Vec3 {
  let p = start;
  for (let n = 0; n < 3; n++) {
    const value = field(p[0], p[1], p[2]);
    if (Math.abs(value) < cell * 2e-3) break;
    const g = gradient(field, p, cell * 0.05);
    const slopeSquared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    if (slopeSquared < 1e-4) break;
    const step = -value / slopeSquared;
    p = [p[0] + g[0] * step, p[1] + g[1] * step, p[2] + g[2] * step];
  }
  const reach = cell * 0.5;
  return [
    clamp(p[0], start[0] - reach, start[0] + reach),
    clamp(p[1], start[1] - reach, start[1] + reach),
    clamp(p[2], start[2] - reach, start[2] + reach),
  ];
}

function pushQuad(triangles: number[], positions: readonly Vec3[], ring: readonly number[]): void {
  const [a, b, c, d] = ring as [number, number, number, number];
  const span = (i: number, j: number): number => {
    const p = positions[i]!;
    const q = positions[j]!;
    return (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]);
  };
  if (span(a, c) <= span(b, d)) triangles.push(a, b, c, a, c, d);
  else triangles.push(a, b, d, b, c, d);
}
