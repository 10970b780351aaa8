/**
 * Entry point `followthrough/retarget`: poses and clips moved from one skeleton to another.
 *
 * @module followthrough/retarget
 */
export type { AlignMode } from './alignment.js';
export { calibrate, type Calibration, type CalibrateOptions, type ClipMoment } from './calibrate.js';
export type { Detached } from './detached.js';
export type { HipsMotion, HipsScale } from './hips.js';
export {
  clearance,
  groundClip,
  type ClearanceOptions,
  type GroundedClip,
  type GroundOptions,
} from './ground.js';
export { findHumanoid, type Humanoid, type HumanoidBones } from './humanoid.js';
export type { LocalPose, RestPose } from './restPose.js';
export type { GivenFrame } from '../setup/anatomicalFrame.js';
export { retargetClip, type RetargetClipOptions } from './retargetClip.js';
export { createRetargetedPose, retargetPose, type RetargetedPose } from './retargetPose.js';
