/**
 * Bones for what hangs from a character and has none: finding it, and writing it into glTF files.
 *
 * @module followthrough/rig
 */
export { rigGltf } from './rigGltf.js';
export type { RigGltfOptions, RigReport, RigResult } from './rigGltf.js';
export { planRig } from '../../rig/planRig.js';
export { applyPlan } from '../../rig/applyPlan.js';
export { rigPicture } from '../../rig/picture.js';
export type { ForcedVerdict, HairOption, RigOptions } from '../../rig/options.js';
export type {
  NewBone,
  NewInfluences,
  PieceKind,
  PlannedJoint,
  PlannedPiece,
  RigPiece,
  RigPlan,
  Verdict,
} from '../../rig/plan.js';
export type { Surface } from '../../rig/surface.js';
