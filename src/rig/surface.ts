/**
 * The skin of a character as one surface: all skinned primitives in the bind pose, at world scale, welded by position
 * (exporters split vertices at UV and normal seams), with averaged weights per welded point.
 */
import type { Asset, MeshPrimitive } from '../asset/asset.js';
import type { Warning } from '../asset/errors.js';
import { transformPoint } from '../math/mat4.js';
import { diagonalOf } from './diagonal.js';
import { noPoint, weldPoints } from './weld.js';

/** The welded skin. */
export interface Surface {
  /** Number of welded points. */
  count: number;
  /** Bind pose, world, 3 per point. */
  positions: Float64Array;
  /** Points of the triangles, 3 each; no corner twice. */
  triangles: Uint32Array;
  /** Per entry of `asset.meshes`: the point of each vertex, 4294967295 where its position is not finite; empty for
   * meshes that are not skinned. */
  pointOf: Uint32Array[];
  /** Influences of point p are the entries `first[p]` to `first[p + 1]` of {@link bones} and {@link weights}. */
  first: Uint32Array;
  /** Bone numbers. */
  bones: Int32Array;
  /** Weights; they sum to 1 per point unless all of its weights are 0. */
  weights: Float64Array;
}

/** Distance below which vertices are one point, as a share of the skin's diagonal. */
const WELD = 1e-5;

/**
 * Welds the skin.
 *
 * @param spaces - skin space to world, 16 per skin
 * @param warnings - receives `not-finite-positions`, `weights-not-one`, `no-weights`, `degenerate-triangles`
 */
export function weldSurface(asset: Asset, spaces: Float64Array, warnings: Warning[]): Surface {
  const placed = asset.meshes.map((mesh) => placeVertices(mesh, spaces));
  const welded = weldPoints(placed, WELD * diagonalOf(asset, placed));
  for (const [m, lost] of welded.lost.entries())
    if (lost > 0)
      warnings.push({
        code: 'not-finite-positions',
        message: `${lost} vertices have no finite position; they are left as they are`,
        at: asset.meshes[m]!.name,
      });
  const triangles = weldTriangles(asset, welded.pointOf, warnings);
  return { ...welded, triangles, ...averageWeights(asset, welded.pointOf, welded.count, warnings) };
}

/** World positions of a skinned primitive's vertices; empty when it is not skinned. */
function placeVertices(mesh: MeshPrimitive, spaces: Float64Array): Float64Array {
  const space = 16 * mesh.skin;
  if (mesh.skin < 0 || mesh.influences === 0 || spaces[space + 15] === 0) return new Float64Array(0);
  const out = new Float64Array(mesh.positions.length);
  for (let o = 0; o < out.length; o += 3) transformPoint(out, o, spaces, space, mesh.positions, o);
  return out;
}

function weldTriangles(asset: Asset, pointOf: Uint32Array[], warnings: Warning[]): Uint32Array {
  const most = asset.meshes.reduce((sum, { indices }) => sum + indices.length, 0);
  const triangles = new Uint32Array(most);
  let used = 0;
  for (const [m, { indices, name }] of asset.meshes.entries()) {
    const points = pointOf[m]!;
    if (points.length === 0) continue;
    let degenerate = 0;
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const a = points[indices[i]!] ?? noPoint;
      const b = points[indices[i + 1]!] ?? noPoint;
      const c = points[indices[i + 2]!] ?? noPoint;
      if (a === b || b === c || c === a || a === noPoint || b === noPoint || c === noPoint) {
        degenerate++;
        continue;
      }
      triangles[used++] = a;
      triangles[used++] = b;
      triangles[used++] = c;
    }
    if (degenerate > 0)
      warnings.push({
        code: 'degenerate-triangles',
        message: `${degenerate} triangles have no area or a corner without a position; passed over`,
        at: name,
      });
  }
  return triangles.slice(0, used);
}

/** Mean of the vertices' weights per point, each vertex' weights scaled to sum 1 first. */
function averageWeights(
  asset: Asset,
  pointOf: Uint32Array[],
  count: number,
  warnings: Warning[],
): Pick<Surface, 'first' | 'bones' | 'weights'> {
  const { first: start, vertices, meshes } = verticesOfPoints(pointOf, count);
  const first = new Uint32Array(count + 1);
  const bones: number[] = [];
  const weights: number[] = [];
  const own = new Map<number, number>();
  const odd = { sums: 0, none: 0 };
  for (let p = 0; p < count; p++) {
    own.clear();
    let total = 0;
    for (let i = start[p]!; i < start[p + 1]!; i++)
      total += addWeights(asset, asset.meshes[meshes[i]!]!, vertices[i]!, own, odd);
    for (const [bone, weight] of own) {
      bones.push(bone);
      weights.push(weight / total);
    }
    first[p + 1] = bones.length;
  }
  if (odd.none > 0)
    warnings.push(oddWeights('no-weights', `${odd.none} vertices have no weight at all`, asset));
  if (odd.sums > 0)
    warnings.push(
      oddWeights(
        'weights-not-one',
        `${odd.sums} vertices have weights that do not sum to 1 (scaled here)`,
        asset,
      ),
    );
  return { first, bones: Int32Array.from(bones), weights: Float64Array.from(weights) };
}

function oddWeights(code: string, message: string, asset: Asset): Warning {
  return { code, message, at: asset.name };
}

/** Adds a vertex' weights, scaled to sum 1, to a point's. Gives 1, or 0 for a vertex without weight. */
function addWeights(
  asset: Asset,
  mesh: MeshPrimitive,
  vertex: number,
  own: Map<number, number>,
  odd: { sums: number; none: number },
): number {
  const { joints } = asset.skins[mesh.skin]!;
  const from = vertex * mesh.influences;
  let sum = 0;
  for (let k = from; k < from + mesh.influences; k++) if (mesh.weights[k]! > 0) sum += mesh.weights[k]!;
  if (!(sum > 0 && sum < Infinity)) {
    odd.none++;
    return 0;
  }
  if (Math.abs(sum - 1) > 1e-3) odd.sums++;
  for (let k = from; k < from + mesh.influences; k++) {
    const bone = joints[mesh.joints[k]!];
    if (!(mesh.weights[k]! > 0) || bone === undefined) continue;
    own.set(bone, (own.get(bone) ?? 0) + mesh.weights[k]! / sum);
  }
  return 1;
}

/** Vertices that were welded to each point, with their meshes. */
function verticesOfPoints(
  pointOf: Uint32Array[],
  count: number,
): { first: Uint32Array; vertices: Uint32Array; meshes: Uint32Array } {
  const first = new Uint32Array(count + 1);
  for (const points of pointOf) for (const p of points) if (p !== noPoint) first[p + 1]!++;
  for (let p = 0; p < count; p++) first[p + 1]! += first[p]!;
  const next = first.slice();
  const vertices = new Uint32Array(first[count]!);
  const meshes = new Uint32Array(first[count]!);
  for (const [m, points] of pointOf.entries())
    for (const [v, p] of points.entries()) {
      if (p === noPoint) continue;
      const at = next[p]!++;
      vertices[at] = v;
      meshes[at] = m;
    }
  return { first, vertices, meshes };
}
