/**
 * Which bones are those of a human body, under the names of VRM 1.0 (`VRMC_vrm`, "humanoid"): what a VRM file says, else
 * what names and hierarchy tell. Names alone lie (`LeftShoulder` is a collar bone in one rig and an upper arm in the
 * next, `LeftLeg` a shin or a thigh), so a limb is read as a whole, from the hand or the foot upwards.
 */
import type { Asset } from '../asset/asset.js';
import { FollowthroughError, type Warning } from '../asset/errors.js';
import { humanoidNames } from '../setup/humanoidNames.js';
import { findFingers } from './fingers.js';
import { findArm, findLeg } from './limbs.js';
import { namedSkeleton } from './namedSkeleton.js';
import { findTrunk } from './trunk.js';

/** Bones of a human body: index by VRM 1.0 name. */
export type HumanoidBones = Readonly<Record<string, number>>;

/** What {@link findHumanoid} found. */
export interface Humanoid {
  /** Bone index by VRM name. */
  bones: HumanoidBones;
  /** `vrm`: as the file says; `names`: by names and hierarchy. */
  source: 'vrm' | 'names';
  /** Required bones that are missing. */
  warnings: Warning[];
}

/** Bones without which a body is none, as VRM has it. */
const REQUIRED = [
  'hips',
  'spine',
  'head',
  ...['left', 'right'].flatMap((side) =>
    ['UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot'].map((part) => side + part),
  ),
];

/**
 * Finds the bones of a human body.
 *
 * @param asset - character
 * @param given - names of bones that the caller knows, by VRM name; they win
 * @throws FollowthroughError `unknown-name` for a bone or a VRM name that does not exist, or a name that two bones have,
 * `invalid-argument` for a bone that is given twice
 */
export function findHumanoid(asset: Asset, given: Readonly<Record<string, string>> = {}): Humanoid {
  const vrm = asset.secondary?.humanoid;
  const said = vrm !== undefined && Object.keys(vrm).length > 0;
  const known = givenBones(asset, given);
  const taken = new Set(Object.values(known));
  const found = Object.entries(said ? vrm : namedHumanoid(asset)).filter(([, bone]) => !taken.has(bone));
  const bones = { ...Object.fromEntries(found), ...known };
  const missing = missingBones(bones);
  const warnings: Warning[] =
    missing.length === 0
      ? []
      : [
          {
            code: 'humanoid-incomplete',
            message: `no bone was found for ${missing.join(', ')}`,
            at: asset.name,
          },
        ];
  return { bones, source: said ? 'vrm' : 'names', warnings };
}

function givenBones(
  { name: file, skeleton }: Asset,
  given: Readonly<Record<string, string>>,
): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [role, name] of Object.entries(given)) {
    if (!humanoidNames.has(role))
      throw new FollowthroughError(
        'unknown-name',
        `${role}: is no bone of a human body (hips, leftUpperArm, ...)`,
      );
    const bone = skeleton.names.indexOf(name);
    if (bone < 0) throw new FollowthroughError('unknown-name', `${role}: ${file} has no bone '${name}'`);
    if (skeleton.names.includes(name, bone + 1))
      throw new FollowthroughError('unknown-name', `${role}: ${file} has several bones '${name}'`);
    const other = Object.keys(found).find((one) => found[one] === bone);
    if (other !== undefined)
      throw new FollowthroughError('invalid-argument', `${role}: '${name}' of ${file} is ${other} already`);
    found[role] = bone;
  }
  return found;
}

function missingBones(bones: HumanoidBones): string[] {
  return REQUIRED.filter((name) => bones[name] === undefined);
}

/** Meshes are called Head and Body as well: names count on bones that move skin, where these are enough for a body. */
function namedHumanoid(asset: Asset): HumanoidBones {
  const joints = new Set(asset.skins.flatMap((skin) => [...skin.joints]));
  const all = bodyOf(asset, () => true);
  if (joints.size === 0) return all;
  const skinned = bodyOf(asset, (bone) => joints.has(bone));
  return missingBones(skinned).length <= missingBones(all).length ? skinned : all;
}

function bodyOf(asset: Asset, counts: (bone: number) => boolean): HumanoidBones {
  const skeleton = namedSkeleton(asset, counts);
  const found: Record<string, number> = {};
  for (const side of ['left', 'right'] as const) {
    const leg = findLeg(skeleton, side);
    const arm = findArm(skeleton, side);
    for (const [part, bone] of Object.entries({ ...leg, ...arm })) found[side + part] = bone;
    if (arm['Hand'] !== undefined)
      for (const [part, bone] of Object.entries(findFingers(skeleton, arm['Hand'])))
        found[side + part] = bone;
  }
  Object.assign(found, findTrunk(skeleton, found));
  return found;
}
