/**
 * The outline of a skinned mesh seen along an axis: its triangles are painted into a grid, and the border of the
 * painted area is followed from cell corner to cell corner, then smoothed. Small and good enough for a picture.
 */
import type { Asset } from 'followthrough';

/** A closed outline, x and y in turn. */
export type Outline = number[];

/** Size of a grid cell in world units. */
const cell = 0.006;

/**
 * Triangles of all skinned meshes whose corners are wanted, posed, as x, y of three corners each.
 *
 * @param worlds - world matrices of all bones, 16 per bone
 * @param axes - which world axes point right and up in the picture
 * @param wants - which vertices, told by the bone with most weight
 */
export function projectedTriangles(
  asset: Asset,
  worlds: Float64Array,
  axes: readonly [number, number],
  wants: (bone: number) => boolean,
): number[] {
  const triangles: number[] = [];
  for (const mesh of asset.meshes) {
    const skin = asset.skins[mesh.skin];
    if (!skin) continue;
    const count = mesh.positions.length / 3;
    const posed = new Float64Array(2 * count);
    const wanted = new Uint8Array(count);
    for (let v = 0; v < count; v++) {
      let most = 0;
      for (let k = 0; k < mesh.influences; k++) {
        const weight = mesh.weights[v * mesh.influences + k]!;
        const joint = mesh.joints[v * mesh.influences + k]!;
        if (weight === 0) continue;
        const bone = skin.joints[joint]!;
        for (const side of [0, 1] as const)
          posed[2 * v + side]! +=
            weight * placed(skin.inverseBinds, joint, worlds, bone, mesh.positions, v, axes[side]);
        if (weight > most) {
          most = weight;
          wanted[v] = wants(bone) ? 1 : 0;
        }
      }
    }
    for (let i = 0; i < mesh.indices.length; i += 3) {
      const corners = [mesh.indices[i]!, mesh.indices[i + 1]!, mesh.indices[i + 2]!];
      if (!corners.every((v) => wanted[v] === 1)) continue;
      for (const v of corners) triangles.push(posed[2 * v]!, posed[2 * v + 1]!);
    }
  }
  return triangles;
}

/** One coordinate of boneWorld x inverseBind x position. */
function placed(
  inverseBinds: Float64Array,
  joint: number,
  worlds: Float64Array,
  bone: number,
  positions: Float64Array,
  vertex: number,
  axis: number,
): number {
  let sum = worlds[16 * bone + 12 + axis]!;
  for (let column = 0; column < 3; column++) {
    const b = 16 * joint + column;
    const local =
      inverseBinds[b]! * positions[3 * vertex]! +
      inverseBinds[b + 4]! * positions[3 * vertex + 1]! +
      inverseBinds[b + 8]! * positions[3 * vertex + 2]! +
      inverseBinds[b + 12]!;
    sum += worlds[16 * bone + 4 * column + axis]! * local;
  }
  return sum;
}

/** Outlines of the area that triangles cover. */
export function outlines(triangles: number[]): Outline[] {
  const grid = paint(triangles);
  const found: Outline[] = [];
  const done = new Set<number>();
  for (let y = 0; y < grid.height; y++)
    for (let x = 0; x < grid.width; x++) {
      // A painted cell with nothing below starts a border that runs along its lower edge.
      const start = y * (grid.width + 1) + x;
      if (!grid.at(x, y) || grid.at(x, y - 1) || done.has(start)) continue;
      const border = follow(grid, x, y, done);
      if (border.length > 40)
        found.push(smooth(border).map((value, i) => grid.origin[i % 2]! + value * cell));
    }
  return found;
}

interface Grid {
  width: number;
  height: number;
  origin: [number, number];
  at: (x: number, y: number) => boolean;
}

function paint(triangles: number[]): Grid {
  let left = Infinity;
  let bottom = Infinity;
  let right = -Infinity;
  let top = -Infinity;
  for (let i = 0; i < triangles.length; i += 2) {
    left = Math.min(left, triangles[i]!);
    right = Math.max(right, triangles[i]!);
    bottom = Math.min(bottom, triangles[i + 1]!);
    top = Math.max(top, triangles[i + 1]!);
  }
  const width = Math.ceil((right - left) / cell) + 2;
  const height = Math.ceil((top - bottom) / cell) + 2;
  const cells = new Uint8Array(width * height);
  const origin: [number, number] = [left - cell, bottom - cell];
  for (let i = 0; i < triangles.length; i += 6) {
    const p = triangles.slice(i, i + 6).map((value, k) => (value - origin[k % 2]!) / cell);
    const [ax, ay, bx, by, cx, cy] = p as [number, number, number, number, number, number];
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    for (let y = Math.floor(Math.min(ay, by, cy)); y <= Math.max(ay, by, cy); y++)
      for (let x = Math.floor(Math.min(ax, bx, cx)); x <= Math.max(ax, bx, cx); x++) {
        const u = ((bx - x - 0.5) * (cy - y - 0.5) - (cx - x - 0.5) * (by - y - 0.5)) / area;
        const v = ((cx - x - 0.5) * (ay - y - 0.5) - (ax - x - 0.5) * (cy - y - 0.5)) / area;
        if (u >= 0 && v >= 0 && u + v <= 1) cells[y * width + x] = 1;
      }
    for (let k = 0; k < 6; k += 2) cells[Math.floor(p[k + 1]!) * width + Math.floor(p[k]!)] = 1;
  }
  const at = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && cells[y * width + x] === 1;
  return { width, height, origin, at };
}

/** Walks around an area with the area on the left, corner by corner, until it is back. */
function follow(grid: Grid, startX: number, startY: number, done: Set<number>): Outline {
  const border: Outline = [];
  let [x, y] = [startX, startY];
  let [dx, dy] = [1, 0];
  do {
    if (dx === 1) done.add(y * (grid.width + 1) + x);
    border.push(x, y);
    x += dx;
    y += dy;
    // The cells ahead, seen from the corner: left and right of the way.
    const aheadLeft = grid.at(x + (dx - dy - 1) / 2, y + (dy + dx - 1) / 2);
    const aheadRight = grid.at(x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2);
    if (aheadRight) [dx, dy] = [dy, -dx];
    else if (!aheadLeft) [dx, dy] = [-dy, dx];
  } while (x !== startX || y !== startY || dx !== 1);
  return border;
}

/** Averages over neighbouring corners and keeps every second. */
function smooth(border: Outline): Outline {
  const count = border.length / 2;
  const out: Outline = [];
  for (let i = 0; i < count; i += 2)
    for (let side = 0; side < 2; side++) {
      let sum = 0;
      for (let k = -3; k <= 3; k++) sum += border[2 * ((i + k + count) % count) + side]!;
      out.push(sum / 7);
    }
  return out;
}
