/**
 * The named hair of a character: which primitives a name means, and the islands (connected parts) they fall into.
 */
import type { Asset } from '../asset/asset.js';
import { FollowthroughError } from '../asset/errors.js';
import { nearestNames } from '../setup/nearestNames.js';
import { createGeodesic, settleTo, startAt } from './geodesic.js';
import { buildSkinGraph } from './buildSkinGraph.js';
import type { SkinGraph } from './skinGraph.js';
import { meanPlace } from './places.js';
import type { Surface } from './surface.js';
import { noPoint } from './weld.js';

/** A connected part of the named primitives. */
export interface Island {
  /** Number by size, largest first; ties by place. */
  index: number;
  /** Its nodes, ascending. */
  nodes: Uint32Array;
}

/**
 * Skinned primitives on a node, of a mesh or with a material of a name.
 *
 * @returns indices in `asset.meshes`
 * @throws FollowthroughError `unknown-name`
 */
export function namedMeshes(asset: Asset, name: string): Set<number> {
  const namesOf = asset.meshes.map(({ bone, name: primitive, material }) => [
    asset.skeleton.names[bone]!,
    // The name of a primitive is that of its mesh and a number.
    primitive.replace(/\.\d+$/, ''),
    primitive,
    material,
  ]);
  const found = new Set<number>();
  for (const [m, { skin }] of asset.meshes.entries())
    if (skin >= 0 && namesOf[m]!.includes(name)) found.add(m);
  if (found.size > 0) return found;
  const near = nearestNames(
    name,
    [...new Set(namesOf.flat())].filter((other) => other !== ''),
  );
  const hint = near.length > 0 ? `; nearest: ${near.join(', ')}` : '';
  throw new FollowthroughError(
    'unknown-name',
    `hair ${name}: no node, mesh or material with a skinned mesh is called that${hint}`,
  );
}

/** The surface of some primitives alone, as a graph whose shells are joined only where they touch. */
export function graphOfMeshes(asset: Asset, surface: Surface, meshes: ReadonlySet<number>): SkinGraph {
  const triangles: number[] = [];
  for (const m of meshes) {
    const points = surface.pointOf[m]!;
    const { indices } = asset.meshes[m]!;
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const corners = [0, 1, 2].map((k) => points[indices[i + k]!] ?? noPoint);
      const [a, b, c] = corners as [number, number, number];
      if (a !== b && b !== c && c !== a && !corners.includes(noPoint)) triangles.push(a, b, c);
    }
  }
  return buildSkinGraph({ ...surface, triangles: Uint32Array.from(triangles) }, false);
}

/** Connected parts of a graph. */
export function findIslands(graph: SkinGraph): Island[] {
  const islands: Uint32Array[] = [];
  const geodesic = createGeodesic(graph);
  for (let start = 0; start < graph.count; start++) {
    if (geodesic.settled[start] === 1) continue;
    const before = geodesic.count;
    startAt(geodesic, start);
    settleTo(geodesic, Infinity);
    islands.push(geodesic.order.subarray(before, geodesic.count).toSorted((a, b) => a - b));
  }
  return islands
    .toSorted((a, b) => b.length - a.length || comparePlaces(graph, a, b))
    .map((nodes, index) => ({ index, nodes }));
}

/** Order of two islands of one size: by their mean place. */
function comparePlaces(graph: SkinGraph, a: Uint32Array, b: Uint32Array): number {
  const [p, q] = [meanPlace(graph, a), meanPlace(graph, b)];
  for (let k = 0; k < 3; k++) if (p[k] !== q[k]) return p[k]! - q[k]!;
  return a[0]! - b[0]!;
}
