/**
 * The neutral pose of a character: what its skins were bound to, whatever pose the file happens to be saved in.
 * L_i = (W_parent^0)^-1 W_i^0 with W^0 = inverse bind^-1, both matrices from the same skin, so that a factor common to
 * a skin (quantisation, mesh units, a scaled armature) cancels. See `docs/solver.md`, "Rest".
 */
import type { Asset } from '../asset/asset.js';
import { composeMat4, decomposeMat4, identityMat4, invertMat4, multiplyMat4 } from '../math/mat4.js';
import { bindRatio, boundSkins, sharedSkin } from './boundSkins.js';
import type { Neutral } from './neutralPose.js';
import { neutralWarnings } from './neutralWarnings.js';

export type { Neutral } from './neutralPose.js';

/**
 * Relative difference up to which a recovered scale is taken for 1, or for the saved scale. Bind matrices are float32:
 * the ratio of two carries their rounding times their condition, up to 1.7e-5 on real files. A scale that is meant
 * differs by far more; kept noise would multiply along a chain and make every length and every key odd.
 */
const SCALE_NOISE = 5e-5;

/**
 * Recovers the neutral pose of a character from its inverse bind matrices.
 *
 * A joint takes both matrices from the first skin, in file order, that holds it and its nearest ancestor with which
 * it shares a skin; nodes in between keep their own neutral locals. A joint that shares no skin with any ancestor,
 * and a node that is no joint, keep the saved translation, rotation and scale.
 *
 * @param asset - character; not changed
 * @returns the neutral pose, newly allocated, with warnings `saved-pose-differs`, `skins-disagree`,
 * `zero-length-bone`, `scaled-armature`, `singular-bind`, `no-bind`
 */
export function recoverNeutral(asset: Asset): Neutral {
  const { skeleton } = asset;
  const { count } = skeleton;
  const neutral: Neutral = {
    translations: skeleton.translations.slice(),
    rotations: skeleton.rotations.slice(),
    scales: skeleton.scales.slice(),
    worlds: new Float64Array(16 * count),
    sources: new Uint8Array(count),
    warnings: [],
  };
  const skins = boundSkins(asset, neutral.warnings);
  const local = new Float64Array(16);
  const between = new Float64Array(16);
  for (let bone = 0; bone < count; bone++) {
    const shared = sharedSkin(asset, skins, bone);
    if (shared !== undefined && neutralBetween(asset, neutral, shared.ancestor, bone, between)) {
      bindRatio(shared.skin, shared.ancestor, bone, local);
      multiplyMat4(local, 0, between, 0, local, 0);
      decomposeMat4(
        neutral.translations,
        3 * bone,
        neutral.rotations,
        4 * bone,
        neutral.scales,
        3 * bone,
        local,
        0,
      );
      for (let k = 3 * bone; k < 3 * bone + 3; k++)
        neutral.scales[k] = withoutNoise(neutral.scales[k]!, skeleton.scales[k]!);
      neutral.sources[bone] = 1;
    }
    writeWorld(asset, neutral, bone, local);
  }
  neutral.warnings.push(...neutralWarnings(asset, neutral, skins));
  return neutral;
}

/**
 * Inverse of the neutral transform from `ancestor` (exclusive) down to the parent of `bone` (inclusive).
 *
 * @returns false when a scale of 0 lies in between
 */
function neutralBetween(
  asset: Asset,
  neutral: Neutral,
  ancestor: number,
  bone: number,
  out: Float64Array,
): boolean {
  const { parents } = asset.skeleton;
  identityMat4(out, 0);
  const local = new Float64Array(16);
  for (let node = parents[bone]!; node !== ancestor; node = parents[node]!) {
    composeMat4(
      local,
      0,
      neutral.translations,
      3 * node,
      neutral.rotations,
      4 * node,
      neutral.scales,
      3 * node,
    );
    multiplyMat4(out, 0, local, 0, out, 0);
  }
  return parents[bone] === ancestor || invertMat4(out, 0, out, 0);
}

function withoutNoise(scale: number, saved: number): number {
  if (Math.abs(scale - 1) <= SCALE_NOISE) return 1;
  return Math.abs(scale - saved) <= SCALE_NOISE * Math.abs(saved) ? saved : scale;
}

function writeWorld(asset: Asset, neutral: Neutral, bone: number, local: Float64Array): void {
  const parent = asset.skeleton.parents[bone]!;
  composeMat4(
    local,
    0,
    neutral.translations,
    3 * bone,
    neutral.rotations,
    4 * bone,
    neutral.scales,
    3 * bone,
  );
  if (parent < 0) neutral.worlds.set(local, 16 * bone);
  else multiplyMat4(neutral.worlds, 16 * bone, neutral.worlds, 16 * parent, local, 0);
}
