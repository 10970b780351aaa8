/**
 * The skin of the body around the collar of a chain that grows out of it. Its weights are not trusted (docs/rigging.md, "Collar"):
 * whoever gave a tail to the shins gave them its root as well. Towards the ring limbs lose their hold to the attachment,
 * and the first bone fades out over two collar radii.
 */
import type { Draft } from './draft.js';
import { createGeodesic, settleTo, startAt } from './geodesic.js';

/** Width of the zone in collar radii. */
const WIDTH = 2;

/**
 * Collects the zone.
 *
 * @param isPiece - per point of the surface: part of the piece itself
 * @returns by point: distance from the ring along the skin over the width of the zone, 0..1
 */
export function collarZone(draft: Draft, isPiece: (point: number) => boolean): Map<number, number> {
  const { graph, collar, collarRadius } = draft;
  const width = WIDTH * collarRadius;
  const geodesic = createGeodesic(graph);
  for (const node of collar) startAt(geodesic, node);
  // Only skin that the piece grows out of: what merely lies beside its root is no part of it.
  const shells = new Set([...collar].map((node) => graph.shellOf[node]!));
  settleTo(geodesic, width, (node) => shells.has(graph.shellOf[node]!) && !isPiece(graph.point[node]!));
  const zone = new Map<number, number>();
  for (let i = 0; i < geodesic.count; i++) {
    const node = geodesic.order[i]!;
    const point = graph.point[node]!;
    if (!isPiece(point) && !zone.has(point)) zone.set(point, Math.min(1, geodesic.distance[node]! / width));
  }
  return zone;
}
