/**
 * Whether a clip loops. Rule (docs/baking.md, "Loops"): the attachments of the chains and their ancestors agree between
 * the first and the last pose to 1 degree and 1% of the chain's length. Root motion, a steady displacement per
 * pass, is not a jump: the character moves on at the start and at the end of the pass, so the next pass simply
 * begins that much further.
 */
import type { Asset, ChainDefinition, Clip } from '../asset/index.js';
import { anatomicalFrame } from '../setup/anatomicalFrame.js';
import { chainRest } from '../setup/chainRest.js';
import { closedTurnDeg, closedWay } from '../setup/loopJump.js';
import { recoverNeutral } from '../setup/neutral.js';
import { angleQuat, degrees, multiplyQuat, type Numbers } from '../math/index.js';
import { type BonePose, pathToRoot, savedPose, updateWorlds } from './bonePose.js';
import { clipPoser } from './clipPoser.js';

/** Root motion is steady when both ends of the pass move at this share of its mean speed or more. */
const minEndSpeed = 0.25;

/** Whether a clip is repeated: found from its first and last pose, or told. */
export type LoopRule = 'auto' | 'on' | 'off';

/** What {@link clipLoop} found. */
export interface LoopCheck {
  /** Whether first and last pose join. */
  loops: boolean;
  /** Way of the whole character per pass in world units: zero without root motion. */
  displacement: [number, number, number];
  /** Largest angle between first and last pose, degrees. */
  turnGapDeg: number;
  /** Largest way between first and last pose that is no root motion, as a share of the chain's length. */
  wayGap: number;
}

/** A bone whose motion must join, with the length that its way is compared to. */
export interface LoopBone {
  /** Attachment of a chain; -1 hangs from nothing and always joins. */
  bone: number;
  /** World length of the chain. */
  length: number;
}

/**
 * Whether a clip is repeated and how far it carries the character in a pass.
 *
 * @param tickSeconds - time over which the speed at both ends is taken
 */
export function clipLoop(
  asset: Asset,
  clip: Clip,
  chains: ChainDefinition[],
  tickSeconds: number,
  rule: LoopRule,
): LoopCheck {
  if (rule === 'off' || !(clip.duration > 0)) return noLoop();
  const simulated = new Set(chains.flatMap((chain) => chain.bones));
  const attachments = loopBones(asset, chains);
  return loopOfBones(asset, clip, { attachments, simulated }, tickSeconds, rule);
}

function noLoop(): LoopCheck {
  return { loops: false, displacement: [0, 0, 0], turnGapDeg: 0, wayGap: 0 };
}

/** What chains hang from, with the length of each. */
export function loopBones(asset: Asset, chains: readonly ChainDefinition[]): LoopBone[] {
  return chains.map((definition) => ({
    bone: definition.attachment,
    length: chainLength(asset, definition),
  }));
}

/**
 * What {@link clipLoop} does, for chains that this character may not have.
 *
 * @param bones - what the chains hang from, and the bones that are moved by chains: they do not count
 */
export function loopOfBones(
  asset: Asset,
  clip: Clip,
  bones: { attachments: LoopBone[]; simulated: ReadonlySet<number> },
  tickSeconds: number,
  rule: LoopRule,
): LoopCheck {
  if (rule === 'off' || !(clip.duration > 0)) return noLoop();
  const found = findLoop(
    asset,
    clipPoser(asset, clip, 'drop-baked'),
    clip.duration,
    tickSeconds,
    bones.attachments,
    bones.simulated,
  );
  return { ...found, loops: rule === 'on' || found.loops };
}

/** World length of a chain in the neutral pose. */
function chainLength(asset: Asset, definition: ChainDefinition): number {
  const neutral = recoverNeutral(asset);
  const rest = chainRest(asset, neutral, anatomicalFrame(asset, neutral), definition, {
    carry: 0,
    restCurve: 1,
  });
  return rest.lengths.reduce((sum, length) => sum + length, 0);
}

/**
 * Compares the first and the last pose of a clip.
 *
 * @param poseAt - writes the clip's local transforms at a time into the pose
 * @param duration - length of the clip in seconds
 * @param tickSeconds - time over which the speed at both ends is taken
 * @param attachments - what the chains hang from
 * @param simulated - bones that are moved by chains: they do not count
 */
function findLoop(
  asset: Asset,
  poseAt: (time: number, pose: BonePose) => void,
  duration: number,
  tickSeconds: number,
  attachments: LoopBone[],
  simulated: ReadonlySet<number>,
): LoopCheck {
  const at = (time: number): BonePose => {
    const pose = savedPose(asset);
    poseAt(time, pose);
    updateWorlds(asset.skeleton, pose);
    return pose;
  };
  const first = at(0);
  const last = at(duration);
  const turns = worldTurnsDeg(asset, first, last);

  let displacement: [number, number, number] = [0, 0, 0];
  let mover = -1;
  for (const { bone, length } of attachments) {
    const way = wayOf(bone, first, last);
    if (norm(way) > norm(displacement) && norm(way) > closedWay * length) {
      displacement = way;
      mover = bone;
    }
  }
  if (mover >= 0) {
    const least = (minEndSpeed * tickSeconds) / duration;
    const start = speedShare(mover, displacement, first, at(tickSeconds));
    const end = speedShare(mover, displacement, at(duration - tickSeconds), last);
    if (Math.min(start, end) < least) displacement = [0, 0, 0];
  }

  let turnGapDeg = 0;
  let wayGap = 0;
  for (const { bone, length } of attachments)
    for (const b of pathToRoot(asset.skeleton, bone)) {
      if (simulated.has(b)) continue;
      const way = wayOf(b, first, last);
      const left = norm([way[0] - displacement[0], way[1] - displacement[1], way[2] - displacement[2]]);
      // Bones above the one that carries root motion stand still.
      const gap = b === bone ? left : Math.min(left, norm(way));
      turnGapDeg = Math.max(turnGapDeg, turns[b]!);
      wayGap = Math.max(wayGap, gap / length);
    }
  return { loops: turnGapDeg <= closedTurnDeg && wayGap <= closedWay, displacement, turnGapDeg, wayGap };
}

/** Angle between the world rotations of two poses, per bone, degrees. */
function worldTurnsDeg(asset: Asset, first: BonePose, last: BonePose): Float64Array {
  const a = worldRotations(asset, first);
  const b = worldRotations(asset, last);
  return Float64Array.from({ length: asset.skeleton.count }, (_, bone) => turnDeg(a, 4 * bone, b, 4 * bone));
}

function worldRotations(asset: Asset, pose: BonePose): Float64Array {
  const { count, parents } = asset.skeleton;
  const out = new Float64Array(4 * count);
  for (let bone = 0; bone < count; bone++) {
    const parent = parents[bone]!;
    if (parent < 0) out.set(pose.rotations.subarray(4 * bone, 4 * bone + 4), 4 * bone);
    else multiplyQuat(out, 4 * bone, out, 4 * parent, pose.rotations, 4 * bone);
  }
  return out;
}

/** Angle between two unit quaternions in degrees: 2 atan2(|v|, |w|) of conj(a) b. */
export function turnDeg(a: Numbers, i: number, b: Numbers, j: number): number {
  return degrees(angleQuat(a, i, b, j));
}

function wayOf(bone: number, from: BonePose, to: BonePose): [number, number, number] {
  if (bone < 0) return [0, 0, 0];
  const w = 16 * bone + 12;
  return [
    to.worlds[w]! - from.worlds[w]!,
    to.worlds[w + 1]! - from.worlds[w + 1]!,
    to.worlds[w + 2]! - from.worlds[w + 2]!,
  ];
}

function norm(v: readonly number[]): number {
  return Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
}

/** Share of the pass's mean speed at which a bone goes the way of the pass between two poses. */
function speedShare(
  bone: number,
  displacement: [number, number, number],
  from: BonePose,
  to: BonePose,
): number {
  const way = wayOf(bone, from, to);
  const along = way[0] * displacement[0] + way[1] * displacement[1] + way[2] * displacement[2];
  return along / norm(displacement) ** 2;
}
