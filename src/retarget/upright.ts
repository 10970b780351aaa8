/** Whether a rest pose is a standing body, and whether a motion has the same up as the rest pose of its file. */
import type { Asset, Warning } from '../asset/index.js';
import { dot3, swingQuat } from '../math/index.js';
import type { HumanoidBones } from './humanoid.js';
import { legLengths } from './legs.js';
import { clipPlaces, directionBetween, placeOf, upOf, type Places, type RestPose } from './restPose.js';

/** Cosine up to which the trunk counts as pointing another way. */
const UPRIGHT = 0.7071067811865476;

/** True when the legs point the other way than the trunk, as far as both are there. */
export function looksUpright(pose: Places, bones: HumanoidBones): boolean {
  const trunk = trunkDirection(pose, bones);
  if (trunk === undefined) return true;
  return ['left', 'right'].every((side) => {
    const upper = bones[`${side}UpperLeg`];
    const foot = bones[`${side}Foot`];
    const leg = upper === undefined || foot === undefined ? undefined : directionBetween(pose, upper, foot);
    return leg === undefined || dot3(leg, 0, trunk, 0) < -0.5;
  });
}

/** Moments of a clip among which a standing pose is looked for. */
const MOMENTS = 64;

/**
 * The moment of a clip in which the body stands straightest: both legs point most nearly away from the trunk.
 *
 * @returns seconds, undefined when it never stands
 */
export function straightestMoment(asset: Asset, bones: HumanoidBones): number | undefined {
  const { duration } = asset.clips[0]!;
  const poseAt = clipPlaces(asset, asset.clips[0]!);
  let best: number | undefined;
  let least = Infinity;
  for (let k = 0; k <= MOMENTS; k++) {
    const time = (duration * k) / MOMENTS;
    const pose = poseAt(time);
    const trunk = trunkDirection(pose, bones);
    if (trunk === undefined || !looksUpright(pose, bones)) continue;
    let sum = 0;
    for (const side of ['left', 'right']) {
      for (const [from, to] of [
        ['UpperLeg', 'LowerLeg'],
        ['LowerLeg', 'Foot'],
      ]) {
        const bone = bones[side + from!];
        const next = bones[side + to!];
        const leg = bone === undefined || next === undefined ? undefined : directionBetween(pose, bone, next);
        if (leg !== undefined) sum += dot3(leg, 0, trunk, 0);
      }
    }
    if (sum < least) {
      least = sum;
      best = time;
    }
  }
  return best;
}

/** From the hips to the head, or as far up as there are bones. */
function trunkDirection(pose: Places, bones: HumanoidBones): Float64Array | undefined {
  const hips = bones['hips'];
  const top = bones['head'] ?? bones['neck'] ?? bones['upperChest'] ?? bones['chest'];
  return hips === undefined || top === undefined ? undefined : directionBetween(pose, hips, top);
}

/**
 * The rotation that takes the world of the motion to the target's: that of the rest poses, unless the body of the first
 * clip stands along another axis than at rest (some exporters turn one and not the other); then the shortest that sets it
 * upright, which leaves its heading. A body that lies goes on lying: it stands only where its hips are as high along that
 * axis as legs hold them.
 *
 * @param turn - takes the source's rest world to the target's
 */
export function motionTurn(
  source: Asset,
  bones: HumanoidBones,
  rest: RestPose,
  target: RestPose,
  turn: Float64Array,
  warnings: Warning[],
): Float64Array {
  const axis = source.clips.length === 0 ? undefined : standingAxis(source, bones, rest);
  if (axis === undefined || dot3(axis, 0, upOf(rest), 0) > UPRIGHT) return turn.slice();
  warnings.push({
    code: 'motion-up',
    message: `clip '${source.clips[0]!.name}' stands along another axis than the rest pose; it is set upright`,
    at: source.name,
  });
  const out = new Float64Array(4);
  swingQuat(out, 0, axis, 0, upOf(target), 0);
  return out;
}

/** Share of the legs' length by which hips may be lower or higher than straight legs hold them. */
const STANDING = 0.3;

/** The axis of the world along which the body stands in nine moments of the first clip; undefined where it does not. */
function standingAxis(source: Asset, bones: HumanoidBones, rest: RestPose): Float64Array | undefined {
  const clip = source.clips[0]!;
  const legs = legLengths(rest, bones);
  const poseAt = clipPlaces(source, clip);
  const mean = new Float64Array(3);
  const hips: Float64Array[] = [];
  const moments = 9;
  for (let k = 0; k < moments; k++) {
    const pose = poseAt((clip.duration * k) / (moments - 1));
    const trunk = trunkDirection(pose, bones);
    if (trunk === undefined) return undefined;
    hips.push(placeOf(pose, bones['hips']!));
    for (let c = 0; c < 3; c++) mean[c] = mean[c]! + trunk[c]! / moments;
  }
  const axis = nearestAxis(mean);
  if (legs.length === 0 || dot3(mean, 0, axis, 0) < 0.9) return undefined;
  const leg = Math.max(...legs);
  const stands = hips.every((place) => Math.abs(dot3(place, 0, axis, 0) / leg - 1) <= STANDING);
  return stands ? axis : undefined;
}

function nearestAxis(v: Float64Array): Float64Array {
  const sizes = v.map(Math.abs);
  const k = sizes.indexOf(Math.max(...sizes));
  const out = new Float64Array(3);
  out[k] = v[k]! < 0 ? -1 : 1;
  return out;
}
