/**
 * The character as the picture sees it: points in its own left, up and forward, so that it stands upright whatever axes
 * the file has; normals; and the views.
 */
import type { Asset } from '../asset/asset.js';
import { rotateVec3 } from '../math/quat.js';
import { cross3, dot3, normalize3 } from '../math/vec3.js';
import { anatomicalFrame } from '../setup/anatomicalFrame.js';
import { type Neutral, recoverNeutral } from '../setup/neutral.js';
import { pointOwners } from './pictureColors.js';
import type { Surface } from './surface.js';

/** One direction to look from. */
export interface View {
  title: string;
  /** Which of left, up, forward (0, 1, 2) runs across the picture, and whether along (1) or against (-1). */
  across: 0 | 2;
  acrossSign: 1 | -1;
  /** Which axis runs towards the viewer, and whether along or against. */
  toward: 0 | 2;
  towardSign: 1 | -1;
}

/** The picture's views: front, side, and the back, where tails are. */
export const views: readonly View[] = [
  { title: 'front', across: 0, acrossSign: 1, toward: 2, towardSign: 1 },
  { title: 'side, from its left', across: 2, acrossSign: -1, toward: 0, towardSign: 1 },
  { title: 'back', across: 0, acrossSign: -1, toward: 2, towardSign: -1 },
];

/** What all views share. */
export interface Scene {
  surface: Surface;
  /** Points: left, up, forward, 3 each, world units. */
  points: Float64Array;
  /** Unit normals in the same axes, 3 per point; zero where there is no face. */
  normals: Float64Array;
  /** Bone that owns each point, -1 for none. */
  owners: Int32Array;
  /** Heads of all bones in the bind pose in the same axes, 3 per bone. */
  heads: Float64Array;
  /** Smallest and largest left, up, forward of the skin; zeros without skin. */
  low: [number, number, number];
  high: [number, number, number];
  /** Left, up and forward as world directions, 3 each. */
  axes: Float64Array;
}

/** Brings a character and its skin into its own axes. */
export function createScene(asset: Asset, surface: Surface): Scene {
  const neutral = recoverNeutral(asset);
  const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const { rotation } = anatomicalFrame(asset, neutral);
  for (let k = 0; k < 9; k += 3) rotateVec3(axes, k, rotation, 0, axes, k);
  const points = inAxes(axes, surface.positions, surface.count);
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  points.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    low[i % 3] = Math.min(low[i % 3]!, value);
    high[i % 3] = Math.max(high[i % 3]!, value);
  });
  for (let k = 0; k < 3; k++) if (!(low[k]! <= high[k]!)) low[k] = high[k] = 0;
  return {
    surface,
    points,
    normals: pointNormals(surface, points),
    owners: pointOwners(surface),
    heads: inAxes(axes, boneHeads(neutral), asset.skeleton.count),
    low,
    high,
    axes,
  };
}

/** World positions as left, up, forward. */
export function inAxes(axes: Float64Array, positions: ArrayLike<number>, count: number): Float64Array {
  const out = new Float64Array(3 * count);
  const point = new Float64Array(3);
  for (let p = 0; p < 3 * count; p += 3) {
    for (let k = 0; k < 3; k++) point[k] = positions[p + k]!;
    for (let k = 0; k < 3; k++) out[p + k] = dot3(axes, 3 * k, point, 0);
  }
  return out;
}

function boneHeads({ worlds }: Neutral): Float64Array {
  const out = new Float64Array((3 * worlds.length) / 16);
  for (let bone = 0; 16 * bone < worlds.length; bone++)
    out.set(worlds.subarray(16 * bone + 12, 16 * bone + 15), 3 * bone);
  return out;
}

/** Mean of the normals of the faces around each point, weighted by area. */
function pointNormals({ count, triangles }: Surface, points: Float64Array): Float64Array {
  const normals = new Float64Array(3 * count);
  const sides = new Float64Array(9);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      sides[k] = points[3 * triangles[t + 1]! + k]! - points[3 * triangles[t]! + k]!;
      sides[3 + k] = points[3 * triangles[t + 2]! + k]! - points[3 * triangles[t]! + k]!;
    }
    cross3(sides, 6, sides, 0, sides, 3);
    if (!Number.isFinite(sides[6]! + sides[7]! + sides[8]!)) continue;
    for (let corner = 0; corner < 3; corner++)
      for (let k = 0; k < 3; k++) normals[3 * triangles[t + corner]! + k]! += sides[6 + k]!;
  }
  for (let p = 0; p < normals.length; p += 3) normalize3(normals, p, normals, p);
  return normals;
}
