/**
 * Plans made by hand: the welded skin of an asset, and pieces named by a rule over points, so that the picture is tested
 * without the search.
 */
import type { Asset } from '../../../../src/index.js';
import { multiplyMat4, transformPoint } from '../../../../src/math/index.js';
import type { PieceKind, PlannedPiece, RigPlan, Verdict } from '../../../../src/rig/plan.js';
import type { Surface } from '../../../../src/rig/surface.js';
import { recoverNeutral } from '../../../../src/setup/neutral.js';

type V3 = [number, number, number];

/** The skin of all primitives, welded by position; each vertex stands where its first joint puts it at bind. */
export function surfaceOf(asset: Asset): Surface {
  const neutral = recoverNeutral(asset);
  const positions: number[] = [];
  const triangles: number[] = [];
  const first = [0];
  const bones: number[] = [];
  const weights: number[] = [];
  const numbers = new Map<string, number>();
  const pointOf = asset.meshes.map((mesh) => {
    const skin = asset.skins[mesh.skin];
    if (!skin) return new Uint32Array();
    const bind = new Float64Array(16);
    multiplyMat4(bind, 0, neutral.worlds, 16 * skin.joints[0]!, skin.inverseBinds, 0);
    const own = new Uint32Array(mesh.positions.length / 3);
    for (let v = 0; v < own.length; v++) {
      const world = new Float64Array(3);
      transformPoint(world, 0, bind, 0, mesh.positions, 3 * v);
      const key = world.join(' ');
      if (!numbers.has(key)) {
        numbers.set(key, numbers.size);
        positions.push(...world);
        for (let k = v * mesh.influences; k < (v + 1) * mesh.influences; k++)
          if (mesh.weights[k]! > 0) {
            bones.push(skin.joints[mesh.joints[k]!]!);
            weights.push(mesh.weights[k]!);
          }
        first.push(bones.length);
      }
      own[v] = numbers.get(key)!;
    }
    for (let t = 0; t < mesh.indices.length; t += 3) {
      const corners = [0, 1, 2].map((k) => own[mesh.indices[t + k]!]!);
      if (new Set(corners).size === 3) triangles.push(...corners);
    }
    return own;
  });
  return {
    count: numbers.size,
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from(triangles),
    pointOf,
    first: Uint32Array.from(first),
    bones: Int32Array.from(bones),
    weights: Float64Array.from(weights),
  };
}

/** What a piece is told to be. */
export interface FakePiece {
  verdict: Verdict;
  kind: PieceKind;
  /** Which points belong to it. */
  has: (point: number, position: V3) => boolean;
  attachment: string;
  /** Joints of a chain, root first. */
  joints?: { name: string; position: V3 }[];
  reason?: string;
}

/** A plan with these pieces; a collar is made of the neighbours of a piece, or of its own border points where it has none. */
export function fakePlan(surface: Surface, pieces: FakePiece[]): RigPlan {
  return {
    pieces: pieces.map((piece, i) => plannedPiece(surface, piece, `piece${i + 1}`)),
    bones: [],
    influences: [],
    surface,
    warnings: [],
  };
}

function plannedPiece(surface: Surface, piece: FakePiece, id: string): PlannedPiece {
  const own = new Set<number>();
  for (let p = 0; p < surface.count; p++)
    if (piece.has(p, [...surface.positions.subarray(3 * p, 3 * p + 3)] as V3)) own.add(p);
  const collar = new Set<number>();
  for (let t = 0; t < surface.triangles.length; t += 3) {
    const corners = surface.triangles.subarray(t, t + 3);
    if (corners.some((p) => own.has(p))) for (const p of corners) if (!own.has(p)) collar.add(p);
  }
  const joints = piece.joints ?? [];
  return {
    report: {
      id,
      verdict: piece.verdict,
      kind: piece.kind,
      reason: piece.reason ?? 'said by hand',
      confidence: 0.9,
      vertices: own.size,
      attachment: piece.attachment,
      length: 0.81,
      joints,
      aspect: 8.25,
      boneRatio: 3.5,
      flatness: 1.125,
      lateral: 0,
      weightDistanceBefore: 0.47,
      weightDistanceAfter: piece.verdict === 'left' ? 0.47 : 0.17,
    },
    points: Uint32Array.from(own),
    collar: Uint32Array.from(collar),
    heads: Float64Array.from(joints.flatMap(({ position }) => position)),
  };
}
