/**
 * A calibration: everything that is needed to move poses from one skeleton to another, taken once from the rest poses of
 * both. It holds copies, so that nothing a live character does can change it, and any number of solves may share it. The
 * formula is that of `docs/retarget.md`: rotations are measured in the world, against the nearest mapped ancestor, which
 * loses nothing where bones between are not mapped.
 */
import type { Asset, Warning } from '../asset/index.js';
import { FollowthroughError } from '../asset/errors.js';
import { conjugateQuat, multiplyQuat } from '../math/index.js';
import type { GivenFrame } from '../setup/anatomicalFrame.js';
import { humanoidNames } from '../setup/humanoidNames.js';
import { alignments, alignMode, type AlignMode, type Body } from './alignment.js';
import { detachedBones, type Detached } from './detached.js';
import { calibrateHips, type HipsMotion } from './hips.js';
import { findHumanoid, type HumanoidBones } from './humanoid.js';
import { bindPose, clipPose, localsOf, placeOf, type LocalPose, type RestPose } from './restPose.js';
import { looksUpright, motionTurn, straightestMoment } from './upright.js';

/** A moment of a clip. */
export interface ClipMoment {
  /** Name of the clip. */
  clip: string;
  /** Seconds from its beginning. */
  timeSeconds: number;
}

/** How to calibrate. */
export interface CalibrateOptions {
  /** Bones of the source that are known, by VRM name: over those that are found. */
  sourceBones?: Readonly<Record<string, string>>;
  /** The same for the target. */
  targetBones?: Readonly<Record<string, string>>;
  /**
   * The source's pose that stands for the target's rest pose: `bind`, or a moment of one of its clips. Default `auto`: its
   * bind pose, or, where that is no standing body, the moment of its first clip in which it stands straightest.
   */
  sourcePose?: 'auto' | 'bind' | ClipMoment;
  /** Up and forward of the source's rest pose, where they cannot be seen. */
  sourceFrame?: GivenFrame;
  /** The same for the target. */
  targetFrame?: GivenFrame;
  /** Bones that shall keep their own rest shape (`delta`) or point where the source's point (`match`), by VRM name. */
  modes?: Readonly<Record<string, AlignMode>>;
}

/** Made by {@link calibrate}; never changed afterwards. */
export interface Calibration {
  /** The source's pose that stands for the target's rest pose. */
  source: RestPose;
  /** The source's bind pose: what a clip does not move stands so. */
  sourceBind: LocalPose;
  /** The target's rest pose. */
  target: RestPose;
  /** VRM names of the mapped bones, each after those it hangs from in the target. */
  roles: readonly string[];
  /** Bone of the source, per mapped bone. */
  sourceBones: Int32Array;
  /** Bone of the target, per mapped bone. */
  targetBones: Int32Array;
  /** Index of the mapped bone that a mapped bone hangs from in the target, -1 without one. */
  ancestors: Int32Array;
  /** Takes the world of the source's motion to that of the target's; a unit quaternion. */
  motion: Float64Array;
  /** Per mapped bone, 4 each: inverse of the source's rest rotation, in the target's world. */
  fromRest: Float64Array;
  /** Per mapped bone, 4 each: inverse of the aligned rest rotation of the target's parent. */
  intoParent: Float64Array;
  /** Per mapped bone, 4 each: the aligned rest rotation of the target. */
  toRest: Float64Array;
  /** How the hips move. */
  hips: HipsMotion | undefined;
  /** Mapped bones whose place has to be made, because they hang from elsewhere. */
  detached: readonly Detached[];
  /** What was guessed or is missing. */
  warnings: readonly Warning[];
}

/**
 * Calibrates two characters for {@link retargetClip} and {@link retargetPose}.
 *
 * @param source - whose motion it is: a BVH file, a glTF file with clips; names, rest pose and the first clip are looked at
 * @param target - who shall move
 * @throws FollowthroughError `invalid-argument` when the skeletons share no bone of a body, `unknown-name` for a bone, clip
 * or VRM name that does not exist
 *
 * @example
 * const calibration = calibrate(loadBvh(bytes), await loadGltf(fox));
 */
export function calibrate(source: Asset, target: Asset, options: CalibrateOptions = {}): Calibration {
  checkModes(options.modes ?? {});
  const from = findHumanoid(source, options.sourceBones);
  const to = findHumanoid(target, options.targetBones);
  const warnings = [...from.warnings, ...to.warnings];
  const sourceBind = bindPose(source, options.sourceFrame);
  const sourcePose = sourceRest(source, sourceBind, from.bones, options, warnings);
  const targetPose = bindPose(target, options.targetFrame);
  const roles = mappedRoles(from.bones, to.bones);
  if (roles.length === 0)
    throw new FollowthroughError(
      'invalid-argument',
      `${source.name} and ${target.name}: no bone of a body is known in both; sourceBones and targetBones name them`,
    );
  const sourceBones = Int32Array.from(roles, (role) => from.bones[role]!);
  const targetBones = Int32Array.from(roles, (role) => to.bones[role]!);
  const ancestors = Int32Array.from(targetBones, (bone) =>
    mappedAbove(targetPose.parents, targetBones, bone),
  );
  const turn = turnBetween(sourcePose.frame, targetPose.frame);
  const motion = motionTurn(source, from.bones, sourcePose, targetPose, turn, warnings);
  const modeOf = (role: string): AlignMode => options.modes?.[role] ?? alignMode(role);
  const sourceBody: Body = { pose: sourcePose, bones: pick(from.bones, roles), all: from.bones, turn };
  const targetBody: Body = {
    pose: targetPose,
    bones: pick(to.bones, roles),
    all: to.bones,
    turn: Float64Array.of(0, 0, 0, 1),
  };
  const aligned = alignments(sourceBody, targetBody, roles, ancestors, modeOf);
  return {
    source: sourcePose,
    sourceBind: localsOf(sourceBind),
    target: targetPose,
    roles,
    sourceBones,
    targetBones,
    ancestors,
    motion,
    ...restRotations(sourcePose, targetPose, sourceBones, targetBones, ancestors, turn, aligned),
    hips: calibrateHips(source, sourceBody, targetBody, motion, hipsOrigin(sourceBind, from.bones), warnings),
    detached: detachedBones(targetPose, roles, targetBones),
    warnings,
  };
}

function checkModes(modes: Readonly<Record<string, AlignMode>>): void {
  for (const [role, mode] of Object.entries(modes)) {
    if (!humanoidNames.has(role))
      throw new FollowthroughError('unknown-name', `modes: '${role}' is no bone of a human body`);
    if (mode !== 'match' && mode !== 'delta')
      throw new FollowthroughError('invalid-argument', `modes.${role}: expected 'match' or 'delta'`);
  }
}

/** Where the hips stand in the bind pose. */
function hipsOrigin(bind: RestPose, { hips }: HumanoidBones): Float64Array | undefined {
  return hips === undefined ? undefined : placeOf(bind, hips);
}

/** Names that both bodies have, parents in the target first. */
function mappedRoles(source: HumanoidBones, target: HumanoidBones): string[] {
  return Object.keys(target)
    .filter((role) => source[role] !== undefined)
    .toSorted((a, b) => target[a]! - target[b]! || (a < b ? -1 : 1));
}

function pick(bones: HumanoidBones, roles: readonly string[]): HumanoidBones {
  return Object.fromEntries(roles.map((role) => [role, bones[role]!]));
}

/** Index of the nearest mapped bone above, -1 without one. */
function mappedAbove(parents: Int32Array, mapped: Int32Array, bone: number): number {
  for (let b = parents[bone]!; b >= 0; b = parents[b]!) {
    const found = mapped.indexOf(b);
    if (found >= 0) return found;
  }
  return -1;
}

/** The rotation that takes one body's directions to the other's. */
function turnBetween(from: Float64Array, to: Float64Array): Float64Array {
  const out = new Float64Array(4);
  conjugateQuat(out, 0, from, 0);
  multiplyQuat(out, 0, to, 0, out, 0);
  return out;
}

function sourceRest(
  source: Asset,
  bind: RestPose,
  bones: HumanoidBones,
  { sourcePose = 'auto', sourceFrame }: CalibrateOptions,
  warnings: Warning[],
): RestPose {
  if (typeof sourcePose === 'object') {
    const clip = source.clips.findIndex(({ name }) => name === sourcePose.clip);
    if (clip < 0)
      throw new FollowthroughError(
        'unknown-name',
        `sourcePose: ${source.name} has no clip '${sourcePose.clip}'`,
      );
    if (!Number.isFinite(sourcePose.timeSeconds))
      throw new FollowthroughError('invalid-argument', 'sourcePose.timeSeconds: expected a finite number');
    return clipPose(source, clip, sourcePose.timeSeconds, sourceFrame);
  }
  if (sourcePose !== 'bind' && sourcePose !== 'auto')
    throw new FollowthroughError(
      'invalid-argument',
      "sourcePose: expected 'auto', 'bind' or a moment of a clip",
    );
  if (sourcePose === 'bind' || source.clips.length === 0 || looksUpright(bind, bones)) return bind;
  const time = straightestMoment(source, bones);
  if (time === undefined) return bind;
  warnings.push({
    code: 'rest-implausible',
    message: `the rest pose is no standing body; clip '${source.clips[0]!.name}' at ${time} s counts instead, where it stands straightest`,
    at: source.name,
  });
  return clipPose(source, 0, time, sourceFrame);
}

function restRotations(
  source: RestPose,
  target: RestPose,
  sourceBones: Int32Array,
  targetBones: Int32Array,
  ancestors: Int32Array,
  turn: Float64Array,
  aligned: Float64Array,
): Pick<Calibration, 'fromRest' | 'intoParent' | 'toRest'> {
  const count = sourceBones.length;
  const fromRest = new Float64Array(4 * count);
  const intoParent = new Float64Array(4 * count);
  const toRest = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    multiplyQuat(fromRest, 4 * i, turn, 0, source.worldRotations, 4 * sourceBones[i]!);
    conjugateQuat(fromRest, 4 * i, fromRest, 4 * i);
    multiplyQuat(toRest, 4 * i, aligned, 4 * i, target.worldRotations, 4 * targetBones[i]!);
    const parent = target.parents[targetBones[i]!]!;
    if (parent < 0) intoParent.set([0, 0, 0, 1], 4 * i);
    else for (let k = 0; k < 4; k++) intoParent[4 * i + k] = target.worldRotations[4 * parent + k]!;
    if (ancestors[i]! >= 0) multiplyQuat(intoParent, 4 * i, aligned, 4 * ancestors[i]!, intoParent, 4 * i);
    conjugateQuat(intoParent, 4 * i, intoParent, 4 * i);
  }
  return { fromRest, intoParent, toRest };
}
