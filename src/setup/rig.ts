/**
 * A rig: what is derived once from an asset when the first character of it is added (neutral pose, anatomical
 * frame, clips made ready, which bones each clip moves) and shared by all characters of that asset.
 */
import type { Asset } from '../asset/index.js';
import { anatomicalFrame, type AnatomicalFrame } from './anatomicalFrame.js';
import { prepareClip, type PreparedClip } from './clipSampling.js';
import { movedBones } from './movedBones.js';
import { recoverNeutral, type Neutral } from './neutral.js';

/** Directions that fix the anatomical frame, in the file's axes. */
export interface FrameOption {
  /** Up of the character. */
  up?: [number, number, number];
  /** Where it faces. */
  forward?: [number, number, number];
}

/** An asset with what was derived from it. */
export interface Rig {
  /** The loaded file. */
  readonly asset: Asset;
  /** Neutral pose of all bones. */
  readonly neutral: Neutral;
  /** Lateral, up, forward. */
  readonly frame: AnatomicalFrame;
  /** Clips ready for sampling. */
  readonly clips: PreparedClip[];
  /** Per clip: bones that it really moves. */
  readonly moved: Set<number>[];
  /** What fixed the frame, to tell rigs of one asset apart. */
  readonly given: FrameOption | undefined;
}

/** Whether two characters of one asset may share a rig. */
export function sameFrame(a: FrameOption | undefined, b: FrameOption | undefined): boolean {
  return String(a?.up) === String(b?.up) && String(a?.forward) === String(b?.forward);
}

/** Derives a rig. */
export function createRig(asset: Asset, given?: FrameOption): Rig {
  const neutral = recoverNeutral(asset);
  return {
    asset,
    neutral,
    frame: anatomicalFrame(asset, neutral, given),
    clips: asset.clips.map((clip) => prepareClip(clip)),
    moved: asset.clips.map((clip) => new Set(movedBones(clip, neutral))),
    given,
  };
}
