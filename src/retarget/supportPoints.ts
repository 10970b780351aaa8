/**
 * What of a body can touch the ground: the outermost points of its skin, bone by bone, each fixed to the bone that moves
 * it most; of a character without skin its joints.
 */
import type { Asset } from '../asset/asset.js';
import { invertMat4, transformPoint } from '../math/index.js';
import { dominatedPoints } from '../setup/dominatedSkin.js';
import { findHumanoid } from './humanoid.js';
import { placeOf, type RestPose } from './restPose.js';

/** Points of a body. */
export interface SupportPoints {
  /** Bone of each point, ascending. */
  bones: Int32Array;
  /** Place in the frame of the bone, 3 per point. */
  places: Float64Array;
}

/** Directions in which a bone's skin is searched for its outermost points: corners, edges and faces of a cube. */
const DIRECTIONS: readonly (readonly [number, number, number])[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].flatMap((z): [number, number, number][] => (x === 0 && y === 0 && z === 0 ? [] : [[x, y, z]])),
  ),
);

/**
 * The support points of a character in a rest pose. A mesh without skin counts where it is a part of the body, on one of
 * its bones or a node of its own below one: swords and shields, which hang from slots, are no body.
 *
 * @param isLeft - bones that do not count: their skin is left out
 */
export function supportPoints(
  asset: Asset,
  rest: RestPose,
  isLeft: (bone: number) => boolean,
): SupportPoints {
  const body = new Set(Object.values(findHumanoid(asset).bones));
  const isBody = (bone: number): boolean => body.has(bone) || body.has(rest.parents[bone]!);
  const meshes = asset.meshes.filter(({ skin, bone }) => skin >= 0 || body.size === 0 || isBody(bone));
  const covered = { ...asset, meshes };
  const bones: number[] = [];
  const places: number[] = [];
  const back = new Float64Array(16);
  const place = new Float64Array(3);
  for (const bone of rest.parents.keys()) {
    if (isLeft(bone) || !invertMat4(back, 0, rest.worldMatrices, 16 * bone)) continue;
    const skin =
      asset.meshes.length === 0
        ? placeOf(rest, bone)
        : dominatedPoints(covered, { worlds: rest.worldMatrices }, bone);
    for (const p of outermost(skin)) {
      transformPoint(place, 0, back, 0, skin, 3 * p);
      bones.push(bone);
      places.push(...place);
    }
  }
  return { bones: Int32Array.from(bones), places: Float64Array.from(places) };
}

/** Indices of the points that lie farthest in any of the directions, each once. */
function outermost(points: Float64Array): Set<number> {
  const out = new Set<number>();
  if (points.length === 0) return out;
  for (const [x, y, z] of DIRECTIONS) {
    let best = 0;
    let farthest = -Infinity;
    for (let p = 0; p < points.length / 3; p++) {
      const along = x * points[3 * p]! + y * points[3 * p + 1]! + z * points[3 * p + 2]!;
      if (along > farthest) {
        farthest = along;
        best = p;
      }
    }
    out.add(best);
  }
  return out;
}
