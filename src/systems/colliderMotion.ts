/**
 * Where the colliders stand in this tick: their shapes taken to the world by their bones. A uniform scale of the bone
 * scales the radii; of a stretched one the largest axis counts. A collider on a bone that a chain moves stands where that
 * chain left it in the last tick.
 */
import { colliderShape, teleportState } from '../components/codes.js';
import { orderOf } from '../setup/buildOrder.js';
import type { World } from '../setup/world.js';
import type { Views } from '../components/stores.js';

/** Measures every collider; run once per tick before the chains. */
export function measureColliders(world: World): void {
  const { views } = world;
  const { colliders } = orderOf(world);
  for (let i = 0; i < colliders.length; i++) measureCollider(views, colliders[i]!);
}

function measureCollider(views: Views, row: number): void {
  const { collider, bone, character, global } = views;
  const { offset, tail, radius, pose, lastPose, worldRadius } = collider;
  const o = row * 3;
  const p = row * 6;
  const b = collider.bone[row]!;
  const isPlane = collider.shape[row] === colliderShape.plane;
  if (b < 0) {
    for (let k = 0; k < 3; k++) {
      pose[p + k] = offset[o + k]!;
      pose[p + 3 + k] = tail[o + k]!;
    }
    worldRadius[row * 2] = radius[row * 2]!;
    worldRadius[row * 2 + 1] = radius[row * 2 + 1]!;
  } else {
    const w = bone.world;
    const m = b * 12;
    for (let k = 0; k < 3; k++) {
      const c0 = w[m + k]!;
      const c1 = w[m + 3 + k]!;
      const c2 = w[m + 6 + k]!;
      pose[p + k] = w[m + 9 + k]! + c0 * offset[o]! + c1 * offset[o + 1]! + c2 * offset[o + 2]!;
      const turned = c0 * tail[o]! + c1 * tail[o + 1]! + c2 * tail[o + 2]!;
      pose[p + 3 + k] = isPlane ? turned : w[m + 9 + k]! + turned;
    }
    if (isPlane) turnNormal(w, m, tail, o, pose, p + 3);
    const scale = largestScale(w, m);
    worldRadius[row * 2] = scale * radius[row * 2]!;
    worldRadius[row * 2 + 1] = scale * radius[row * 2 + 1]!;
  }
  const owner = collider.character[row]!;
  if (collider.fresh[row] === 1 || (owner >= 0 && character.teleported[owner] !== teleportState.none))
    for (let k = p; k < p + 6; k++) lastPose[k] = pose[k]!;
  let moved = collider.fresh[row] === 1;
  for (let k = p; k < p + 6; k++) if (pose[k] !== lastPose[k]) moved = true;
  // A body that grows where it stands meets what slept beside it.
  for (let k = row * 2; k < row * 2 + 2; k++) if (worldRadius[k] !== collider.lastRadius[k]) moved = true;
  if (!moved) return;
  if (owner >= 0) character.collidersMoved[owner] = 1;
  else global.collidersMoved[0] = 1;
}

/** A normal goes with the cofactors of the transform, so that it stays square to the plane under any scale. */
function turnNormal(
  w: Float64Array,
  m: number,
  normal: Float64Array,
  o: number,
  out: Float64Array,
  p: number,
): void {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    const c0 = w[m + 3 + i]! * w[m + 6 + j]! - w[m + 3 + j]! * w[m + 6 + i]!;
    const c1 = w[m + 6 + i]! * w[m + j]! - w[m + 6 + j]! * w[m + i]!;
    const c2 = w[m + i]! * w[m + 3 + j]! - w[m + j]! * w[m + 3 + i]!;
    out[p + k] = c0 * normal[o]! + c1 * normal[o + 1]! + c2 * normal[o + 2]!;
    square += out[p + k]! * out[p + k]!;
  }
  const n = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let k = 0; k < 3; k++) out[p + k] = out[p + k]! * n;
}

function largestScale(w: Float64Array, m: number): number {
  let most = 0;
  for (let c = m; c < m + 9; c += 3) {
    const square = w[c]! * w[c]! + w[c + 1]! * w[c + 1]! + w[c + 2]! * w[c + 2]!;
    if (square > most) most = square;
  }
  return Math.sqrt(most);
}

/** Ends the tick: where colliders stand now is where the next tick's motion begins. */
export function settleColliders(world: World): void {
  const { collider, character, global } = world.views;
  const { colliders, characters } = orderOf(world);
  let moving = 0;
  for (let i = 0; i < colliders.length; i++) {
    const row = colliders[i]!;
    const p = row * 6;
    for (let k = p; k < p + 6; k++) {
      if (collider.bone[row] === -1 && collider.pose[k] !== collider.lastPose[k]) moving = 1;
      collider.lastPose[k] = collider.pose[k]!;
    }
    for (let k = row * 2; k < row * 2 + 2; k++) collider.lastRadius[k] = collider.worldRadius[k]!;
    collider.fresh[row] = 0;
  }
  global.collidersMoved[0] = moving;
  for (let i = 0; i < characters.length; i++) character.collidersMoved[characters[i]!] = 0;
}
