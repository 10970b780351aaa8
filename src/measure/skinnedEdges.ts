/**
 * The edges of a skinned mesh whose stretch is measured: triangle edges over welded positions, so that a seam
 * that splits vertices neither hides nor doubles an edge, sorted into tail, collar and body. Rule
 * (docs/measuring.md): a point belongs to the tail when more than half of its weight lies on chain bones; an edge with
 * exactly one end there is a collar edge. The weights that decide it may be those of another character with the same
 * vertices.
 */
import type { Asset, ChainDefinition, MeshPrimitive, Warning } from '../asset/index.js';

/** Where an edge lies. */
export const edgeKind = { body: 0, collar: 1, tail: 2 } as const;

/** Welded points and edges of all primitives that share one skin. */
export interface SkinnedEdges {
  /** Index of the skin in the asset. */
  skin: number;
  /** Number of welded points. */
  count: number;
  /** Positions in skin space, 3 per point. */
  points: Float64Array;
  /** Influences per point (the largest number of the primitives). */
  influences: number;
  /** Joint numbers within the skin, `influences` per point. */
  joints: Uint16Array;
  /** Weights as stored, `influences` per point. */
  weights: Float64Array;
  /** Per point: index of the chain that more than half of the deciding weight lies on, -1 for the body. */
  owners: Int16Array;
  /** Pairs of points. */
  edges: Uint32Array;
  /** Length of each edge in skin space. */
  bindLengths: Float64Array;
  /** Per edge: {@link edgeKind}. */
  kinds: Uint8Array;
  /** Edges left out because their bind length is zero. */
  zeroLength: number;
}

/**
 * Collects the edges of every skin that carries triangles.
 *
 * @param asset - the character
 * @param chains - chains whose bones (and end helpers) make up the tail
 * @param warnings - receives what was found odd in the weights
 * @param edgesOf - the character that the chains belong to and whose weights say what is tail, with the same
 *   primitives and vertices; by default the same
 */
export function collectEdges(
  asset: Asset,
  chains: readonly ChainDefinition[],
  warnings: Warning[],
  edgesOf: Asset = asset,
): SkinnedEdges[] {
  const result: SkinnedEdges[] = [];
  const chainsOfSkins = edgesOf.skins.map((_, skin) => jointChains(edgesOf, skin, chains));
  for (let skin = 0; skin < asset.skins.length; skin++) {
    const meshes = asset.meshes.flatMap((mesh, i): WeighedMesh[] => {
      if (mesh.skin !== skin || mesh.influences === 0 || mesh.indices.length < 3) return [];
      const deciding = edgesOf.meshes[i]!;
      return [{ mesh, deciding, chainOfJoint: chainsOfSkins[deciding.skin] ?? new Int16Array() }];
    });
    if (meshes.length > 0) result.push(edgesOfSkin(asset, skin, meshes, chains.length, warnings));
  }
  return result;
}

/** A primitive, and the one whose weights decide which of its vertices are tail. */
interface WeighedMesh {
  mesh: MeshPrimitive;
  deciding: MeshPrimitive;
  /** Per joint of the deciding primitive's skin: the chain that it belongs to, -1 for the body. */
  chainOfJoint: Int16Array;
}

function edgesOfSkin(
  asset: Asset,
  skin: number,
  meshes: WeighedMesh[],
  chainCount: number,
  warnings: Warning[],
): SkinnedEdges {
  const influences = Math.max(...meshes.map(({ mesh }) => mesh.influences));
  const points: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  const owners: number[] = [];
  const share = new Float64Array(chainCount);
  const welded = new Map<string, number>();
  const edges: number[] = [];
  const seen = new Set<number>();
  let unusual = 0;
  let split = 0;

  for (const { mesh, deciding, chainOfJoint } of meshes) {
    const vertices = mesh.positions.length / 3;
    const pointOf = new Uint32Array(vertices);
    for (let v = 0; v < vertices; v++) {
      // `+ 0` turns -0 into 0, so that both weld.
      const key = `${mesh.positions[3 * v]! + 0},${mesh.positions[3 * v + 1]! + 0},${mesh.positions[3 * v + 2]! + 0}`;
      const known = welded.get(key);
      if (known !== undefined) {
        pointOf[v] = known;
        if (!sameWeights(mesh, v, joints, weights, known * influences, influences)) split++;
        continue;
      }
      const point = welded.size;
      welded.set(key, point);
      pointOf[v] = point;
      points.push(mesh.positions[3 * v]!, mesh.positions[3 * v + 1]!, mesh.positions[3 * v + 2]!);
      let sum = 0;
      for (let k = 0; k < influences; k++) {
        const given = k < mesh.influences;
        const weight = given ? mesh.weights[v * mesh.influences + k]! : 0;
        joints.push(given ? mesh.joints[v * mesh.influences + k]! : 0);
        weights.push(weight);
        sum += weight;
      }
      if (Math.abs(sum - 1) > 1e-3) unusual++;
      owners.push(ownerOf(deciding, v, chainOfJoint, share));
    }
    for (let i = 0; i + 2 < mesh.indices.length; i += 3)
      for (let side = 0; side < 3; side++) {
        const a = pointOf[mesh.indices[i + side]!]!;
        const b = pointOf[mesh.indices[i + ((side + 1) % 3)]!]!;
        // Points stay far below 2^26, so the pair fits a float64 integer.
        const pair = Math.min(a, b) * 67108864 + Math.max(a, b);
        if (seen.has(pair)) continue;
        seen.add(pair);
        edges.push(Math.min(a, b), Math.max(a, b));
      }
  }

  const at = asset.skins[skin]!.name;
  if (unusual > 0)
    warnings.push({
      code: 'weights-not-one',
      message: `${unusual} of ${welded.size} points have weights that do not sum to 1 (used as stored)`,
      at,
    });
  if (split > 0)
    warnings.push({
      code: 'seam-weights-differ',
      message: `${split} vertices lie on a welded point with other weights (the first vertex counts)`,
      at,
    });
  return classify(skin, influences, points, joints, weights, owners, edges);
}

/** The chain on which more than half of a vertex's weight lies, -1 for the body. */
function ownerOf(
  { influences, joints, weights }: MeshPrimitive,
  vertex: number,
  chainOfJoint: Int16Array,
  share: Float64Array,
): number {
  share.fill(0);
  let total = 0;
  let onChains = 0;
  for (let k = vertex * influences; k < (vertex + 1) * influences; k++) {
    const chain = chainOfJoint[joints[k]!] ?? -1;
    total += weights[k]!;
    if (chain < 0) continue;
    onChains += weights[k]!;
    share[chain]! += weights[k]!;
  }
  return onChains > total / 2 ? share.indexOf(Math.max(...share)) : -1;
}

/** Whether a vertex has the weights of the point it is welded to, in any order, to 1e-6. */
function sameWeights(
  mesh: MeshPrimitive,
  vertex: number,
  joints: number[],
  weights: number[],
  start: number,
  influences: number,
): boolean {
  for (let k = 0; k < mesh.influences; k++) {
    const weight = mesh.weights[vertex * mesh.influences + k]!;
    if (weight === 0) continue;
    const joint = mesh.joints[vertex * mesh.influences + k]!;
    let other = 0;
    for (let i = 0; i < influences; i++) if (joints[start + i] === joint) other += weights[start + i]!;
    if (Math.abs(other - weight) > 1e-6) return false;
  }
  return true;
}

/** Per joint of a skin: the chain that it belongs to, -1 for the body. */
function jointChains(asset: Asset, skin: number, chains: readonly ChainDefinition[]): Int16Array {
  const chainOfBone = new Map<number, number>();
  chains.forEach((chain, index) => {
    for (const bone of chain.bones) chainOfBone.set(bone, index);
    if (chain.end >= 0) chainOfBone.set(chain.end, index);
  });
  return Int16Array.from(asset.skins[skin]!.joints, (bone) => chainOfBone.get(bone) ?? -1);
}

function classify(
  skin: number,
  influences: number,
  points: number[],
  joints: number[],
  weights: number[],
  owners: number[],
  pairs: number[],
): SkinnedEdges {
  const edges: number[] = [];
  const lengths: number[] = [];
  const kinds: number[] = [];
  let zeroLength = 0;
  for (let e = 0; e < pairs.length; e += 2) {
    const a = pairs[e]!;
    const b = pairs[e + 1]!;
    const x = points[3 * a]! - points[3 * b]!;
    const y = points[3 * a + 1]! - points[3 * b + 1]!;
    const z = points[3 * a + 2]! - points[3 * b + 2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) {
      zeroLength++;
      continue;
    }
    const ends = (owners[a]! >= 0 ? 1 : 0) + (owners[b]! >= 0 ? 1 : 0);
    edges.push(a, b);
    lengths.push(length);
    kinds.push(ends === 2 ? edgeKind.tail : ends === 1 ? edgeKind.collar : edgeKind.body);
  }
  return {
    skin,
    count: owners.length,
    points: Float64Array.from(points),
    influences,
    joints: Uint16Array.from(joints),
    weights: Float64Array.from(weights),
    owners: Int16Array.from(owners),
    edges: Uint32Array.from(edges),
    bindLengths: Float64Array.from(lengths),
    kinds: Uint8Array.from(kinds),
    zeroLength,
  };
}
