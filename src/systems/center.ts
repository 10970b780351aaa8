/**
 * The centre of a chain (VRM): a bone whose motion is not felt. Before the walk the chain is carried along with it, so
 * that what is felt is motion relative to it (docs/solver.md, "Centre").
 */
import type { Views } from '../components/stores.js';
import { rotateVec3 } from '../math/index.js';
import { orthonormalise } from '../setup/columns3.js';
import { carry, rotationBetween, target, turn } from './carry.js';
import { mirrorSign } from './registers.js';

/** The centre bone's columns in solver space, the rotation in them, and its place. */
const columns = new Float64Array(9);
const rotation = new Float64Array(9);
const place = new Float64Array(3);
const arm = new Float64Array(3);
const frame = new Float64Array(3);

function readCenter({ bone, chain }: Views, row: number): void {
  const w = bone.world;
  const at = chain.center[row]! * 12;
  const side = mirrorSign[0]!;
  for (let c = 0; c < 9; c++) columns[c] = (c % 3 === 0 ? side : 1) * w[at + c]!;
  for (let c = 0; c < 3; c++) place[c] = (c === 0 ? side : 1) * w[at + 9 + c]!;
  orthonormalise(rotation, columns);
}

/** True when there is no centre, or it stands, bit for bit, where it stood in the last tick. */
export function centerStill(views: Views, row: number): boolean {
  const { center, lastCenter } = views.chain;
  if (center[row]! < 0) return true;
  readCenter(views, row);
  for (let i = 0; i < 9; i++) if (rotation[i] !== lastCenter[row * 12 + i]) return false;
  for (let i = 0; i < 3; i++) if (place[i] !== lastCenter[row * 12 + 9 + i]) return false;
  return true;
}

/** Carries the chain, its last attachment point and frame with the centre's motion since the last tick. */
export function followCenter(views: Views, row: number): void {
  const { lastCenter, lastPoint, lastFrame } = views.chain;
  const at = row * 12;
  readCenter(views, row);
  rotationBetween(rotation, lastCenter, at);
  for (let i = 0; i < 3; i++) arm[i] = lastPoint[row * 3 + i]! - lastCenter[at + 9 + i]!;
  rotateVec3(target, 0, turn, 0, arm, 0);
  for (let i = 0; i < 3; i++) target[i] = target[i]! + place[i]!;
  // A centre that is scaled away or not finite carries nothing.
  if (!(Math.abs(turn[3]! + target[0]! + target[1]! + target[2]!) < Infinity)) return;
  carry(views, row);
  for (let c = row * 9; c < row * 9 + 9; c += 3) {
    for (let i = 0; i < 3; i++) frame[i] = lastFrame[c + i]!;
    rotateVec3(lastFrame, c, turn, 0, frame, 0);
  }
}

/** Keeps where the centre stands, for the next tick. */
export function rememberCenter(views: Views, row: number): void {
  const { lastCenter } = views.chain;
  readCenter(views, row);
  for (let i = 0; i < 9; i++) lastCenter[row * 12 + i] = rotation[i]!;
  for (let i = 0; i < 3; i++) lastCenter[row * 12 + 9 + i] = place[i]!;
}
