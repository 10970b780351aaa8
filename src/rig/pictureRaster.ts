/**
 * The skin painted into a grid with a depth buffer: what is seen in each cell, how far away and how bright. Cell (x, y)
 * covers x..x + 1 and y..y + 1; y grows downwards.
 */

/** Points as one view shows them. */
export interface Projection {
  /** Columns, in cells, per point. */
  x: Float64Array;
  /** Rows, in cells, downwards, per point. */
  y: Float64Array;
  /** Towards the viewer, in cells, per point. */
  depth: Float64Array;
  /** Brightness 0..1, per point. */
  light: Float64Array;
}

/** What is seen in each cell. */
export interface Raster {
  width: number;
  height: number;
  /** Nearest point of the surface, -1 where nothing is. */
  point: Int32Array;
  /** Towards the viewer; -Infinity where nothing is. */
  depth: Float64Array;
  /** Brightness 0..1. */
  light: Float64Array;
}

/** An empty raster. */
export function createRaster(width: number, height: number): Raster {
  return {
    width,
    height,
    point: new Int32Array(width * height).fill(-1),
    depth: new Float64Array(width * height).fill(-Infinity),
    light: new Float64Array(width * height),
  };
}

/**
 * Paints a triangle where it is nearest. A cell is covered when its centre is; the cells of the corners always are, so
 * that what is thinner than a cell leaves a trace. Triangles with a corner that is no number are left out.
 */
export function paintTriangle(raster: Raster, view: Projection, a: number, b: number, c: number): void {
  const { x, y } = view;
  const [ax, ay, bx, by, cx, cy] = [x[a]!, y[a]!, x[b]!, y[b]!, x[c]!, y[c]!];
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  if (!Number.isFinite(area)) return;
  for (const p of [a, b, c])
    paint(raster, view, Math.floor(x[p]!), Math.floor(y[p]!), a, b, c, p === a ? 1 : 0, p === b ? 1 : 0);
  if (area === 0) return;
  const left = Math.max(0, Math.floor(Math.min(ax, bx, cx)));
  const right = Math.min(raster.width - 1, Math.floor(Math.max(ax, bx, cx)));
  const top = Math.max(0, Math.floor(Math.min(ay, by, cy)));
  const bottom = Math.min(raster.height - 1, Math.floor(Math.max(ay, by, cy)));
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) {
      const [px, py] = [column + 0.5, row + 0.5];
      const u = ((bx - px) * (cy - py) - (cx - px) * (by - py)) / area;
      const v = ((cx - px) * (ay - py) - (ax - px) * (cy - py)) / area;
      if (u >= 0 && v >= 0 && u + v <= 1) paint(raster, view, column, row, a, b, c, u, v);
    }
}

/** Paints one cell at the weights u, v, 1 - u - v of the corners. */
function paint(
  raster: Raster,
  { depth, light }: Projection,
  column: number,
  row: number,
  a: number,
  b: number,
  c: number,
  u: number,
  v: number,
): void {
  if (column < 0 || row < 0 || column >= raster.width || row >= raster.height) return;
  const cell = row * raster.width + column;
  const w = 1 - u - v;
  const near = u * depth[a]! + v * depth[b]! + w * depth[c]!;
  if (!(near > raster.depth[cell]!)) return;
  raster.depth[cell] = near;
  raster.light[cell] = u * light[a]! + v * light[b]! + w * light[c]!;
  raster.point[cell] = u >= v && u >= w ? a : v >= w ? b : c;
}

/**
 * Labels without specks: a cell with fewer than two like neighbours among eight takes the most common label around it.
 *
 * @param labels - 0 where nothing is; that stays
 */
export function withoutSpecks(labels: Int32Array, width: number, height: number): Int32Array {
  const out = labels.slice();
  for (let row = 1; row + 1 < height; row++)
    for (let column = 1; column + 1 < width; column++) {
      const cell = row * width + column;
      const own = labels[cell]!;
      if (own === 0) continue;
      const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1].map(
        (step) => labels[cell + step]!,
      );
      const count = (label: number): number => around.filter((other) => other === label).length;
      if (count(own) >= 3) continue;
      let best = own;
      for (const label of around) if (label !== 0 && count(label) > count(best)) best = label;
      out[cell] = best;
    }
  return out;
}

/** How dark each cell is, 0..levels, smoothed over the neighbours that lie about as deep. */
export function shadeLevels(raster: Raster, sameDepth: number, thresholds: readonly number[]): Uint8Array {
  const { width, height, depth, light } = raster;
  const out = new Uint8Array(width * height);
  for (let row = 1; row + 1 < height; row++)
    for (let column = 1; column + 1 < width; column++) {
      const cell = row * width + column;
      if (depth[cell] === -Infinity) continue;
      let sum = 0;
      let count = 0;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const other = cell + dy * width + dx;
          if (!(Math.abs(depth[other]! - depth[cell]!) <= sameDepth)) continue;
          sum += light[other]!;
          count++;
        }
      const bright = sum / count;
      let level = 0;
      while (level < thresholds.length && bright < thresholds[level]!) level++;
      out[cell] = level;
    }
  return out;
}

/** Cells beside which something much nearer begins: lines that tell an arm from the trunk behind it. */
export function depthSteps(raster: Raster, step: number): Uint8Array {
  const { width, height, depth } = raster;
  const out = new Uint8Array(width * height);
  for (let row = 1; row + 1 < height; row++)
    for (let column = 1; column + 1 < width; column++) {
      const cell = row * width + column;
      if (depth[cell] === -Infinity) continue;
      const nearest = Math.max(
        depth[cell - 1]!,
        depth[cell + 1]!,
        depth[cell - width]!,
        depth[cell + width]!,
      );
      if (nearest > depth[cell]! + step) out[cell] = 1;
    }
  return out;
}
