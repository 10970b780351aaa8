/**
 * The head that hair sits on: how far every point of the hair is from its skin, and the line through it that tells a
 * strand beside the head from hair around it.
 */
import { distance3 } from '../math/vec3.js';
import type { DrivingBones } from './drivingBones.js';
import { nearestInTree, plantTree } from './kdTree.js';
import type { SkinGraph } from './skinGraph.js';
import type { Surface } from './surface.js';

/** The head as hair sees it. */
export interface HairHead {
  /** Distance of each node of the hair to the head's skin; to its joint where it has none beside the hair. */
  distance: Float64Array;
  /**
   * Segments, 6 numbers each: of the attachment and the bones above it (hair bones say nothing about a strand), and
   * through the middle of the head's skin, since a head is much larger than its bone.
   */
  segments: Float64Array;
}

/**
 * Surveys the head.
 *
 * @param graph - the hair
 * @param isHair - per point of the surface
 * @param attach - bone from which the hair hangs
 */
export function hairHead(
  surface: Surface,
  bones: DrivingBones,
  parents: Int32Array,
  graph: SkinGraph,
  isHair: (point: number) => boolean,
  attach: number,
): HairHead {
  const own = ownedPoints(surface, attach);
  const bare = own.filter((point) => !isHair(point));
  const forest = { positions: surface.positions, order: Uint32Array.from(bare) };
  plantTree(forest, 0, bare.length);
  const found = { point: -1, squared: Infinity };
  const distance = Float64Array.from({ length: graph.count }, (_, node) => {
    const o = 3 * node;
    if (bare.length === 0) return distance3(graph.positions, o, bones.heads, 3 * attach);
    found.squared = Infinity;
    const [x, y, z] = [graph.positions[o]!, graph.positions[o + 1]!, graph.positions[o + 2]!];
    nearestInTree(forest, 0, bare.length, x, y, z, found);
    return Math.sqrt(found.squared);
  });
  return { distance, segments: headSegments(surface, bones, parents, attach, own) };
}

/** Points in triangles that a bone owns by more than half. */
function ownedPoints({ count, triangles, first, bones, weights }: Surface, bone: number): number[] {
  const isSkin = new Uint8Array(count);
  for (const point of triangles) isSkin[point] = 1;
  const owned: number[] = [];
  for (let point = 0; point < count; point++) {
    let sum = 0;
    for (let i = first[point]!; i < first[point + 1]!; i++) if (bones[i] === bone) sum += weights[i]!;
    if (isSkin[point] === 1 && sum > 0.5) owned.push(point);
  }
  return owned;
}

function headSegments(
  { positions }: Surface,
  bones: DrivingBones,
  parents: Int32Array,
  attach: number,
  own: readonly number[],
): Float64Array {
  const above = new Set<number>();
  for (let bone = attach; bone >= 0; bone = parents[bone]!) above.add(bone);
  const segments: number[] = [];
  for (const [s, owner] of bones.owners.entries())
    if (above.has(owner)) segments.push(...bones.segments.subarray(6 * s, 6 * s + 6));
  if (own.length > 0) {
    const joint = bones.heads.subarray(3 * attach, 3 * attach + 3);
    // The median: a ponytail that the head owns must not pull the middle along.
    const middle = [0, 1, 2].map((k) => {
      const values = own.map((point) => positions[3 * point + k]!).toSorted((a, b) => a - b);
      return values[values.length >> 1]!;
    });
    // As far beyond the middle as the joint lies before it: the crown.
    segments.push(...joint, ...middle.map((value, k) => 2 * value - joint[k]!));
  }
  return Float64Array.from(segments);
}
