/**
 * From influences per welded point to influences per vertex of each mesh: every vertex at a point gets the same, so no
 * seam can open. Vertices that have these weights already are left out, so that running the pass again changes nothing.
 */
import type { Asset, MeshPrimitive } from '../asset/asset.js';
import { collarFade, type Influence } from './chainWeights.js';
import type { NewInfluences } from './plan.js';
import type { Surface } from './surface.js';

/** What shall become of the points of the surface. */
export interface PointChanges {
  /** New influences by point, in place of all it had. */
  replaced: Map<number, readonly Influence[]>;
  /** The skin around a collar. */
  zone?: {
    /** Distance from the ring over the width of the zone, 0..1, by point. */
    points: ReadonlyMap<number, number>;
    /** First bone of the chain. */
    first: number;
    /** Bone from which it hangs. */
    attachment: number;
    /** Whether a bone keeps its hold there. */
    keeps: (bone: number) => boolean;
  };
  /** Meshes that may change, default all. */
  meshes?: ReadonlySet<number>;
}

/** Difference of weights that does not count. */
const SAME = 1e-6;

/** Collects the changes of every mesh. */
export function newInfluences(
  asset: Asset,
  surface: Surface,
  changes: readonly PointChanges[],
): NewInfluences[] {
  const result: NewInfluences[] = [];
  for (const [m, mesh] of asset.meshes.entries()) {
    const points = surface.pointOf[m]!;
    const vertices: number[] = [];
    const bones: number[] = [];
    const weights: number[] = [];
    for (const [vertex, point] of points.entries()) {
      const wanted = wantedInfluences(asset, mesh, m, vertex, point, changes);
      if (wanted === undefined) continue;
      const kept = fitted(wanted, mesh.influences);
      if (isSame(asset, mesh, vertex, kept)) continue;
      vertices.push(vertex);
      for (let k = 0; k < mesh.influences; k++) {
        bones.push(kept[k]?.bone ?? 0);
        weights.push(kept[k]?.weight ?? 0);
      }
    }
    if (vertices.length === 0) continue;
    result.push({
      mesh: m,
      vertices: Uint32Array.from(vertices),
      influences: mesh.influences,
      bones: Int32Array.from(bones),
      weights: Float64Array.from(weights),
    });
  }
  return result;
}

function wantedInfluences(
  asset: Asset,
  mesh: MeshPrimitive,
  m: number,
  vertex: number,
  point: number,
  changes: readonly PointChanges[],
): Influence[] | undefined {
  for (const { replaced, zone, meshes } of changes) {
    if (meshes !== undefined && !meshes.has(m)) continue;
    const influences = replaced.get(point);
    if (influences !== undefined) return [...influences];
    const away = zone?.points.get(point);
    if (zone !== undefined && away !== undefined)
      return zoneInfluences(away, zone, storedInfluences(asset, mesh, vertex));
  }
  return undefined;
}

/** Towards the ring limbs hand their weight to the attachment, and the first bone comes in. */
function zoneInfluences(
  away: number,
  { first, attachment, keeps }: NonNullable<PointChanges['zone']>,
  stored: readonly Influence[],
): Influence[] {
  const share = collarFade(away);
  const weights = new Map<number, number>([[first, share]]);
  const add = (bone: number, weight: number): void => {
    weights.set(bone, (weights.get(bone) ?? 0) + weight * (1 - share));
  };
  if (stored.length === 0) add(attachment, 1);
  else
    for (const { bone, weight } of stored) {
      const kept = keeps(bone) ? weight : weight * away;
      add(bone, kept);
      add(attachment, weight - kept);
    }
  return [...weights].map(([bone, weight]) => ({ bone, weight }));
}

/** A vertex' own influences, equal bones added up, scaled to sum 1; empty when it has none. */
function storedInfluences(asset: Asset, mesh: MeshPrimitive, vertex: number): Influence[] {
  const { joints } = asset.skins[mesh.skin]!;
  const sums = new Map<number, number>();
  let total = 0;
  for (let k = vertex * mesh.influences; k < (vertex + 1) * mesh.influences; k++) {
    const bone = joints[mesh.joints[k]!];
    const weight = mesh.weights[k]!;
    if (!(weight > 0) || bone === undefined) continue;
    sums.set(bone, (sums.get(bone) ?? 0) + weight);
    total += weight;
  }
  return [...sums].map(([bone, weight]) => ({ bone, weight: weight / total }));
}

/** The heaviest influences, as many as fit, scaled to sum 1. */
function fitted(influences: readonly Influence[], most: number): Influence[] {
  const kept = influences
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.bone - b.bone)
    .slice(0, most);
  const sum = kept.reduce((total, { weight }) => total + weight, 0);
  return kept.map(({ bone, weight }) => ({ bone, weight: weight / sum }));
}

function isSame(asset: Asset, mesh: MeshPrimitive, vertex: number, wanted: readonly Influence[]): boolean {
  const stored = storedInfluences(asset, mesh, vertex);
  return (
    stored.length === wanted.length &&
    wanted.every(({ bone, weight }) =>
      stored.some((other) => other.bone === bone && Math.abs(other.weight - weight) <= SAME),
    )
  );
}
