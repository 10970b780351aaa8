/**
 * How far skin lies from the bones that move it: the mean over the points of a piece of sum w x distance to the segment
 * of the bone (docs/rigging.md, "Pieces"). After a good pass it is one radius of the piece.
 */
import { squaredToSegment, type DrivingBones } from './drivingBones.js';
import type { Influence } from './chainWeights.js';
import type { Surface } from './surface.js';

/** Distances from points to single bones, old and new. */
export interface BoneDistances {
  bones: DrivingBones;
  /** Numbers of the segments of each bone. */
  segmentsOf: Map<number, number[]>;
  /** Segments of new bones, 6 numbers each. */
  added: Map<number, Float64Array>;
}

/** Prepares the distances. */
export function boneDistances(bones: DrivingBones): BoneDistances {
  const segmentsOf = new Map<number, number[]>();
  for (const [s, owner] of bones.owners.entries()) {
    const list = segmentsOf.get(owner);
    if (list) list.push(s);
    else segmentsOf.set(owner, [s]);
  }
  return { bones, segmentsOf, added: new Map() };
}

function distanceTo(
  { bones, segmentsOf, added }: BoneDistances,
  bone: number,
  x: number,
  y: number,
  z: number,
): number {
  const own = added.get(bone);
  if (own) return Math.sqrt(squaredToSegment(own, 0, x, y, z));
  let least = Infinity;
  for (const s of segmentsOf.get(bone) ?? [])
    least = Math.min(least, squaredToSegment(bones.segments, s, x, y, z));
  if (least < Infinity) return Math.sqrt(least);
  const [dx, dy, dz] = [
    bones.heads[3 * bone]! - x,
    bones.heads[3 * bone + 1]! - y,
    bones.heads[3 * bone + 2]! - z,
  ];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/**
 * Mean weighted distance of points to their bones.
 *
 * @param influencesOf - influences of a point, sum 1; a point without any does not count
 */
export function weightDistance(
  distances: BoneDistances,
  surface: Surface,
  points: Uint32Array,
  influencesOf: (point: number) => readonly Influence[],
): number {
  let sum = 0;
  let total = 0;
  for (const point of points) {
    const influences = influencesOf(point);
    if (influences.length === 0) continue;
    const o = 3 * point;
    const [x, y, z] = [surface.positions[o]!, surface.positions[o + 1]!, surface.positions[o + 2]!];
    for (const { bone, weight } of influences) sum += weight * distanceTo(distances, bone, x, y, z);
    total++;
  }
  return total > 0 ? sum / total : 0;
}

/** The influences a point came with. */
export function storedInfluences({ first, bones, weights }: Surface, point: number): Influence[] {
  const influences: Influence[] = [];
  for (let i = first[point]!; i < first[point + 1]!; i++)
    influences.push({ bone: bones[i]!, weight: weights[i]! });
  return influences;
}
