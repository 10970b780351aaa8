/**
 * Bones for what hangs from a character and has none: finding it, and writing it into glTF files. Colliders fitted to
 * its body.
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
export { fitColliders, type ColliderFit } from '../../rig/fit/fitColliders.js';
export type { BodyRegion, BodySide } from '../../rig/fit/bodyParts.js';
export type {
  FitLimit,
  FitOptions,
  FitReport,
  FittedChain,
  FittedCollider,
  FittedRegion,
} from '../../rig/fit/report.js';
