/**
 * The skin that can be seen, as points on its triangles: where they stand in the bind pose and which bone owns each (the
 * one with most weight over the three corners). Points on triangles, not vertices, so that a coarse mesh counts as much
 * as a fine one. What hangs on a bone without a skin belongs to that bone.
 */
import type { Asset, MeshPrimitive } from '../../asset/asset.js';
import { transformPoint } from '../../math/mat4.js';
import type { Neutral } from '../../setup/neutralPose.js';
import { skinSpaces } from '../bindSpace.js';
import { diagonalOf } from '../diagonal.js';

/** Points of the visible skin. */
export interface Samples {
  /** World, bind pose, 3 per point. */
  positions: Float64Array;
  /** Bone that owns each point. */
  bones: Int32Array;
}

/** Distance between points, as a share of the diagonal of the skin. */
const SPACING = 1 / 128;
/** Most rows of points on one triangle. */
const ROWS = 24;

/**
 * Samples the skin.
 *
 * @param isHidden - primitives that nobody sees
 */
export function skinSamples(
  asset: Asset,
  neutral: Neutral,
  isHidden: (mesh: MeshPrimitive) => boolean,
): Samples {
  const spaces = skinSpaces(asset, neutral);
  const placed = asset.meshes.map((mesh) => (isHidden(mesh) ? undefined : placeMesh(mesh, neutral, spaces)));
  const spacing = SPACING * diagonalOf(asset, placed);
  const positions: number[] = [];
  const bones: number[] = [];
  for (const [m, world] of placed.entries()) {
    const mesh = asset.meshes[m]!;
    if (world === undefined) continue;
    for (let i = 0; i + 2 < mesh.indices.length; i += 3) {
      const corners = [mesh.indices[i]!, mesh.indices[i + 1]!, mesh.indices[i + 2]!];
      const bone = ownerOf(asset, mesh, corners);
      if (bone < 0) continue;
      const before = positions.length;
      sampleTriangle(world, corners, spacing, positions);
      for (let p = before; p < positions.length; p += 3) bones.push(bone);
    }
  }
  return { positions: Float64Array.from(positions), bones: Int32Array.from(bones) };
}

/** World positions of the vertices; undefined where the space of the skin is singular. */
function placeMesh(mesh: MeshPrimitive, neutral: Neutral, spaces: Float64Array): Float64Array | undefined {
  const isSkinned = mesh.skin >= 0 && mesh.influences > 0;
  const matrices = isSkinned ? spaces : neutral.worlds;
  const at = 16 * (isSkinned ? mesh.skin : mesh.bone);
  if (matrices[at + 15] === 0 || at >= matrices.length) return undefined;
  const out = new Float64Array(mesh.positions.length);
  for (let o = 0; o < out.length; o += 3) transformPoint(out, o, matrices, at, mesh.positions, o);
  return out;
}

/** The bone with most weight over the corners of a triangle; ties: the lower number. -1 without weight. */
function ownerOf(asset: Asset, mesh: MeshPrimitive, corners: readonly number[]): number {
  if (mesh.skin < 0 || mesh.influences === 0) return mesh.bone;
  const { joints } = asset.skins[mesh.skin]!;
  const own = new Map<number, number>();
  for (const vertex of corners)
    for (let k = vertex * mesh.influences; k < (vertex + 1) * mesh.influences; k++) {
      const bone = joints[mesh.joints[k]!];
      const weight = mesh.weights[k]!;
      if (bone !== undefined && weight > 0 && weight < Infinity) own.set(bone, (own.get(bone) ?? 0) + weight);
    }
  let best = -1;
  let most = 0;
  for (const [bone, weight] of own)
    if (weight > most || (weight === most && bone < best)) {
      best = bone;
      most = weight;
    }
  return best;
}

/** Middles of the n^2 alike triangles that a triangle is cut into, its corners, for triangles without a far corner. */
function sampleTriangle(
  world: Float64Array,
  corners: readonly number[],
  spacing: number,
  out: number[],
): void {
  const [a, b, c] = corners as [number, number, number];
  let longest = 0;
  for (const [p, q] of [
    [a, b],
    [b, c],
    [c, a],
  ] as const) {
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const way = world[3 * p + k]! - world[3 * q + k]!;
      squared += way * way;
    }
    longest = Math.max(longest, squared);
  }
  if (!Number.isFinite(longest) || longest === 0) return;
  const rows = Math.min(Math.max(Math.ceil(Math.sqrt(longest) / spacing), 1), ROWS);
  const add = (u: number, v: number): void => {
    for (let k = 0; k < 3; k++)
      out.push(
        world[3 * a + k]! +
          u * (world[3 * b + k]! - world[3 * a + k]!) +
          v * (world[3 * c + k]! - world[3 * a + k]!),
      );
  };
  for (let i = 0; i < rows; i++)
    for (let j = 0; i + j < rows; j++) {
      add((i + 1 / 3) / rows, (j + 1 / 3) / rows);
      if (i + j + 1 < rows) add((i + 2 / 3) / rows, (j + 2 / 3) / rows);
    }
}
