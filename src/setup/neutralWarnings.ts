/**
 * What a user should know about the neutral pose of a file: where the saved pose differs from the bind pose, where
 * skins contradict each other, bones without length, armatures with a scale.
 */
import type { Asset } from '../asset/asset.js';
import type { Warning } from '../asset/errors.js';
import { composeMat4, decomposeMat4, determinant3 } from '../math/mat4.js';
import { angleQuat } from '../math/quat.js';
import { distance3, length3 } from '../math/vec3.js';
import { bindRatio, sharedSkin } from './boundSkins.js';
import type { BoundSkin } from './boundSkins.js';
import { modelSize, savedPoseDeg } from './neutralPose.js';
import type { Neutral } from './neutralPose.js';

/** Angle above which a joint's saved pose counts as different, in degrees. */
const SAVED_POSE_DEG = 0.5;
/** How many joints are named one by one. */
const NAMED_JOINTS = 12;
/** Disagreement between skins that is reported: radians, and translation relative to the model. */
const SKINS_DISAGREE = 1e-3;
/** Length of a bone, relative to the model, below which it counts as zero. */
const ZERO_LENGTH = 1e-6;
/** Deviation of a scale from 1 that is reported. */
const SCALE_NOTICED = 1e-3;

/**
 * All warnings about a recovered neutral pose.
 *
 * @param skins - the usable skins of the asset
 */
export function neutralWarnings(asset: Asset, neutral: Neutral, skins: BoundSkin[]): Warning[] {
  return [
    ...savedPoseWarnings(asset, neutral),
    ...skinWarnings(asset, skins),
    ...zeroLengthWarnings(asset, neutral),
    ...scaleWarnings(asset, neutral),
  ];
}

function savedPoseWarnings(asset: Asset, neutral: Neutral): Warning[] {
  const { names } = asset.skeleton;
  const off: { bone: number; deg: number }[] = [];
  for (let bone = 0; bone < names.length; bone++) {
    const deg = savedPoseDeg(asset, neutral, bone);
    if (neutral.sources[bone] === 1 && deg > SAVED_POSE_DEG) off.push({ bone, deg });
  }
  off.sort((a, b) => b.deg - a.deg || a.bone - b.bone);
  const warnings = off.slice(0, NAMED_JOINTS).map(({ bone, deg }) => {
    const at = names[bone]!;
    const message = `the saved pose differs from the bind pose by ${deg.toFixed(1)} degrees at joint ${at}; the bind pose is used`;
    return { code: 'saved-pose-differs', message, at };
  });
  const next = off[NAMED_JOINTS];
  if (next !== undefined) {
    const rest = off.length - NAMED_JOINTS;
    const message = `the saved pose differs from the bind pose at ${rest} more joints, by up to ${next.deg.toFixed(1)} degrees`;
    warnings.push({ code: 'saved-pose-differs', message, at: names[next.bone]! });
  }
  return warnings;
}

/** One warning per pair of skins: the joint where they differ most. */
function skinWarnings(asset: Asset, skins: BoundSkin[]): Warning[] {
  const worst = new Map<string, { first: BoundSkin; other: BoundSkin; bone: number; difference: number }>();
  const first = new Float64Array(16);
  const second = new Float64Array(16);
  for (let bone = 0; bone < asset.skeleton.count; bone++) {
    const shared = sharedSkin(asset, skins, bone);
    if (shared === undefined) continue;
    bindRatio(shared.skin, shared.ancestor, bone, first);
    for (const other of skins) {
      if (other === shared.skin || other.jointOf[bone]! < 0 || other.jointOf[shared.ancestor]! < 0) continue;
      bindRatio(other, shared.ancestor, bone, second);
      const difference = localDifference(first, second, unitsPerSize(shared.skin, shared.ancestor));
      const key = `${shared.skin.index}/${other.index}`;
      if (difference > SKINS_DISAGREE && difference > (worst.get(key)?.difference ?? 0))
        worst.set(key, { first: shared.skin, other, bone, difference });
    }
  }
  return [...worst.values()].map((pair) => {
    const at = asset.skeleton.names[pair.bone]!;
    const names = [pair.first, pair.other].map(({ index }) => asset.skins[index]!.name);
    const message = `skins ${names[0]} and ${names[1]} disagree about the bind pose of joint ${at} by ${pair.difference.toFixed(4)}; the first is used`;
    return { code: 'skins-disagree', message, at };
  });
}

/** Larger of the angle in radians and the distance relative to the model between two local matrices. */
function localDifference(a: Float64Array, b: Float64Array, perSize: number): number {
  const t = new Float64Array(6);
  const r = new Float64Array(8);
  const s = new Float64Array(6);
  decomposeMat4(t, 0, r, 0, s, 0, a, 0);
  decomposeMat4(t, 3, r, 4, s, 3, b, 0);
  return Math.max(angleQuat(r, 0, r, 4), distance3(t, 0, t, 3) * perSize);
}

/** Length of a joint's unit in skin space, relative to the size of the skin. */
function unitsPerSize(skin: BoundSkin, bone: number): number {
  return skin.size > 0 ? length3(skin.binds, 16 * skin.jointOf[bone]!) / skin.size : 0;
}

function zeroLengthWarnings(asset: Asset, neutral: Neutral): Warning[] {
  const { names, parents } = asset.skeleton;
  const size = modelSize(neutral);
  const warnings: Warning[] = [];
  for (let bone = 0; bone < names.length; bone++) {
    const parent = parents[bone]!;
    if (parent < 0 || neutral.sources[bone] !== 1) continue;
    if (distance3(neutral.worlds, 16 * bone + 12, neutral.worlds, 16 * parent + 12) > ZERO_LENGTH * size)
      continue;
    const at = names[bone]!;
    const message = `joint ${at} stands exactly where its parent ${names[parent]!} stands: a bone without length`;
    warnings.push({ code: 'zero-length-bone', message, at });
  }
  return warnings;
}

function scaleWarnings(asset: Asset, neutral: Neutral): Warning[] {
  const { names, parents } = asset.skeleton;
  const carriesJoint = new Uint8Array(names.length);
  for (let bone = names.length - 1; bone >= 0; bone--) {
    if (neutral.sources[bone] === 1) carriesJoint[bone] = 1;
    if (carriesJoint[bone] === 1 && parents[bone]! >= 0) carriesJoint[parents[bone]!] = 1;
  }
  const warnings: Warning[] = [];
  const matrix = new Float64Array(16);
  for (let bone = 0; bone < names.length; bone++) {
    if (carriesJoint[bone] === 0) continue;
    const at = names[bone]!;
    const [x, y, z] = [0, 1, 2].map((k) => neutral.scales[3 * bone + k]!) as [number, number, number];
    composeMat4(
      matrix,
      0,
      neutral.translations,
      3 * bone,
      neutral.rotations,
      4 * bone,
      neutral.scales,
      3 * bone,
    );
    const mirrored = determinant3(matrix, 0) < 0 ? ', mirrored' : '';
    if (Math.max(Math.abs(x - 1), Math.abs(y - 1), Math.abs(z - 1)) <= SCALE_NOTICED) continue;
    const uniform = Math.max(Math.abs(x - y), Math.abs(x - z)) <= SCALE_NOTICED * Math.abs(x);
    const scale = uniform ? x.toPrecision(4) : [x, y, z].map((s) => s.toPrecision(4)).join(', ');
    const message = `${neutral.sources[bone] === 1 ? 'joint' : 'node'} ${at} carries a scale of ${scale}${mirrored}; lengths are measured in world space`;
    warnings.push({ code: 'scaled-armature', message, at });
  }
  return warnings;
}
