/**
 * A plan of the rig pass carried out on a character in memory: new bones, skins that hold them, new weights. A new
 * bone shares the bind rotation and scale of the bone it hangs from, so its inverse bind matrix is that bone's with
 * the way between the two taken off: inverse(B T(c)) = T(-c) inverse(B). Nothing is inverted and nothing is guessed.
 */
import type { Asset, ChainSuggestion, MeshPrimitive, Skeleton, Skin } from '../asset/asset.js';
import { FollowthroughError } from '../asset/errors.js';
import { writeInverseBind } from '../setup/inverseBind.js';
import { recoverNeutral, type Neutral } from '../setup/neutral.js';
import { modelSize } from '../setup/neutralPose.js';
import type { NewBone, NewInfluences, RigPlan } from './plan.js';

/** Most joints that a skin can have: the largest vertex joint is a 16 bit number. */
const MAX_JOINTS = 65536;
/** By how much an old bone may move in the neutral pose, relative to the size of the model: float32 noise. */
const NEUTRAL_NOISE = 1e-4;
/** By how much the weights of a vertex may miss 1. */
const SUM_NOISE = 1e-6;

/**
 * Carries out a plan.
 *
 * New bones stand behind the old ones; their `nodes` are the indices that the written file gives them. A skin is
 * extended when a mesh that it moves has new influences: by every bone of each new chain that occurs in them, its
 * unweighted end too, and by bones of the file that they use and the skin lacked. Changed vertices keep no old
 * influence. When one primitive of the file hangs on several nodes, it changes on all of them.
 *
 * @param asset - the character that the plan was made for; not changed, arrays that stay as they are are shared
 * @param plan - result of `planRig`
 * @returns the changed character; its inverse bind matrices and weights are not yet rounded to what a file stores
 * @throws FollowthroughError `invalid-argument` when the plan does not fit the character; `unsupported-file` when a
 * primitive that changes also hangs on a node with another skin or other changes, when a skin would grow beyond
 * 65536 joints, or when all inverse bind matrices of a skin are equal, so that a bone more would move the others
 */
export function applyPlan(asset: Asset, plan: RigPlan): Asset {
  if (plan.bones.length === 0 && plan.influences.length === 0) return { ...asset };
  checkBones(asset.skeleton, plan.bones);
  const changes = changesByMesh(asset, plan);
  let neutral: Neutral | undefined;
  const neutralPose = (): Neutral => (neutral ??= recoverNeutral(asset));
  const skins = asset.skins.map((skin, index) => {
    const bones = missingBones(asset, plan, skin, index, changes);
    return bones.length === 0 ? skin : extendedSkin(asset, plan, skin, bones, neutralPose);
  });
  const result: Asset = {
    ...asset,
    skeleton: extendedSkeleton(asset.skeleton, plan.bones),
    skins,
    suggestions: [...(asset.suggestions ?? []), ...suggestionsOf(asset.skeleton.count, plan.bones)],
    meshes: asset.meshes.map((mesh, index) => {
      const change = changes.get(index);
      return change ? changedMesh(mesh, skins[mesh.skin]!, change) : mesh;
    }),
  };
  asset.skins.forEach((skin, index) => {
    if (skins[index] !== skin && saysNothing(skin)) checkNeutral(skin, neutralPose(), recoverNeutral(result));
  });
  return result;
}

/** What the plan says about its chains, by the numbers of their first bones. */
function suggestionsOf(count: number, bones: readonly NewBone[]): ChainSuggestion[] {
  return bones.flatMap(({ suggested }, index) => (suggested ? [{ bone: count + index, ...suggested }] : []));
}

function unfit(problem: string): FollowthroughError {
  return new FollowthroughError('invalid-argument', `plan: ${problem}`);
}

function checkBones({ count }: Skeleton, bones: readonly NewBone[]): void {
  bones.forEach(({ name, parent, translation }, index) => {
    if (!Number.isInteger(parent) || parent < 0 || parent >= count + index)
      throw unfit(`the parent of ${name} is ${parent}, expected a bone before it`);
    if (!translation.every(Number.isFinite)) throw unfit(`the translation of ${name} is not finite`);
  });
}

/** The change of every mesh entry, also of those that show a changed primitive a second time. */
function changesByMesh(asset: Asset, plan: RigPlan): Map<number, NewInfluences> {
  const changes = new Map<number, NewInfluences>();
  for (const change of plan.influences) {
    checkInfluences(asset, plan, change);
    if (changes.has(change.mesh)) throw unfit(`changes mesh ${change.mesh} twice`);
    changes.set(change.mesh, change);
  }
  for (const change of plan.influences) {
    const { mesh, primitive, skin, name } = asset.meshes[change.mesh]!;
    for (const [index, other] of asset.meshes.entries()) {
      if (other.mesh !== mesh || other.primitive !== primitive || other.skin < 0) continue;
      const known = changes.get(index);
      if (other.skin !== skin || (known !== undefined && !sameChange(known, change)))
        throw new FollowthroughError(
          'unsupported-file',
          `mesh ${name}: hangs on several nodes with different skins or changes, expected one mesh per node`,
        );
      changes.set(index, change);
    }
  }
  return changes;
}

function checkInfluences(asset: Asset, plan: RigPlan, change: NewInfluences): void {
  const mesh = asset.meshes[change.mesh];
  const size = change.vertices.length * change.influences;
  if (mesh === undefined || mesh.skin < 0) throw unfit(`mesh ${change.mesh} is not skinned`);
  if (change.influences > mesh.influences)
    throw unfit(`${change.influences} influences where mesh ${mesh.name} has ${mesh.influences}`);
  if (change.bones.length !== size || change.weights.length !== size)
    throw unfit(`the influences of mesh ${mesh.name} do not fit its vertices`);
  const vertices = mesh.positions.length / 3;
  if (!change.vertices.every((vertex) => vertex < vertices))
    throw unfit(`mesh ${mesh.name} has only ${vertices} vertices`);
  const bones = asset.skeleton.count + plan.bones.length;
  if (!change.bones.every((bone, k) => change.weights[k] === 0 || (bone >= 0 && bone < bones)))
    throw unfit(`a weight of mesh ${mesh.name} goes to no bone`);
  if (!change.weights.every((weight) => weight >= 0 && weight < Infinity))
    throw unfit(`a weight of mesh ${mesh.name} is no number from 0`);
  change.vertices.forEach((vertex, v) => {
    let sum = 0;
    for (let k = v * change.influences; k < (v + 1) * change.influences; k++) sum += change.weights[k]!;
    if (!(Math.abs(sum - 1) <= SUM_NOISE))
      throw unfit(`the weights of vertex ${vertex} of mesh ${mesh.name} sum to ${sum}, expected 1`);
  });
}

function sameChange(a: NewInfluences, b: NewInfluences): boolean {
  const same = (x: ArrayLike<number>, y: ArrayLike<number>): boolean => {
    if (x.length !== y.length) return false;
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
    return true;
  };
  if (a === b) return true;
  return (
    a.influences === b.influences &&
    same(a.vertices, b.vertices) &&
    same(a.bones, b.bones) &&
    same(a.weights, b.weights)
  );
}

function extendedSkeleton(old: Skeleton, bones: readonly NewBone[]): Skeleton {
  const { count } = old;
  const size = count + bones.length;
  const skeleton: Skeleton = {
    count: size,
    names: [...old.names, ...bones.map(({ name }) => name)],
    parents: new Int32Array(size),
    nodes: new Int32Array(size),
    translations: new Float64Array(3 * size),
    rotations: new Float64Array(4 * size),
    scales: new Float64Array(3 * size).fill(1),
  };
  for (const key of ['parents', 'nodes', 'translations', 'rotations', 'scales'] as const)
    skeleton[key].set(old[key]);
  bones.forEach(({ parent, translation }, index) => {
    const bone = count + index;
    skeleton.parents[bone] = parent;
    skeleton.nodes[bone] = bone;
    skeleton.rotations[4 * bone + 3] = 1;
    // A sum with 0 is never -0, which JSON cannot hold.
    for (let k = 0; k < 3; k++) skeleton.translations[3 * bone + k] = translation[k]! + 0;
  });
  return skeleton;
}

/** Bones that a skin must get, ascending: those of the file first, then whole new chains. */
function missingBones(
  asset: Asset,
  plan: RigPlan,
  skin: Skin,
  index: number,
  changes: ReadonlyMap<number, NewInfluences>,
): number[] {
  const { count } = asset.skeleton;
  const has = new Uint8Array(count + plan.bones.length);
  const used = new Uint8Array(has.length);
  for (const bone of skin.joints) has[bone] = 1;
  const top = topsOfChains(count, plan.bones);
  for (const [mesh, { bones, weights }] of changes) {
    if (asset.meshes[mesh]!.skin !== index) continue;
    for (let k = 0; k < bones.length; k++) {
      if (weights[k] === 0) continue;
      const bone = bones[k]!;
      used[bone < count ? bone : top[bone - count]!] = 1;
    }
  }
  const missing: number[] = [];
  for (let bone = 0; bone < has.length; bone++) {
    const isUsed = bone < count ? used[bone] : used[top[bone - count]!];
    if (isUsed === 1 && has[bone] === 0) missing.push(bone);
  }
  if (skin.joints.length + missing.length > MAX_JOINTS)
    throw new FollowthroughError('unsupported-file', `skin ${skin.name}: more than ${MAX_JOINTS} joints`);
  return missing;
}

/** Per new bone the number of the first bone of its chain. */
function topsOfChains(count: number, bones: readonly NewBone[]): number[] {
  const tops: number[] = [];
  bones.forEach(({ parent }, index) => tops.push(parent < count ? count + index : tops[parent - count]!));
  return tops;
}

function extendedSkin(
  asset: Asset,
  plan: RigPlan,
  skin: Skin,
  bones: readonly number[],
  neutralPose: () => Neutral,
): Skin {
  const { count } = asset.skeleton;
  const old = skin.joints.length;
  const joints = new Int32Array(old + bones.length);
  const inverseBinds = new Float64Array(16 * joints.length);
  joints.set(skin.joints);
  inverseBinds.set(skin.inverseBinds);
  bones.forEach((bone, i) => {
    const at = 16 * (old + i);
    joints[old + i] = bone;
    const way = [0, 0, 0];
    let holder = bone;
    while (holder >= count) {
      const { parent, translation } = plan.bones[holder - count]!;
      for (let k = 0; k < 3; k++) way[k]! += translation[k]!;
      holder = parent;
    }
    if (!writeInverseBind(inverseBinds, at, asset, skin, holder, neutralPose)) {
      const name = asset.skeleton.names[holder]!;
      throw new FollowthroughError('unsupported-file', `bone ${name}: has no size in the bind pose`);
    }
    for (let k = 0; k < 3; k++) inverseBinds[at + 12 + k]! -= way[k]!;
  });
  return { name: skin.name, joints, inverseBinds };
}

function changedMesh(mesh: MeshPrimitive, skin: Skin, change: NewInfluences): MeshPrimitive {
  const joints = mesh.joints.slice();
  const weights = mesh.weights.slice();
  const jointOf = new Map<number, number>();
  skin.joints.forEach((bone, joint) => jointOf.set(bone, jointOf.get(bone) ?? joint));
  change.vertices.forEach((vertex, v) => {
    const to = vertex * mesh.influences;
    joints.fill(0, to, to + mesh.influences);
    weights.fill(0, to, to + mesh.influences);
    for (let k = 0; k < change.influences; k++) {
      const weight = change.weights[v * change.influences + k]!;
      if (weight === 0) continue;
      joints[to + k] = jointOf.get(change.bones[v * change.influences + k]!)!;
      weights[to + k] = weight;
    }
  });
  return { ...mesh, joints, weights };
}

/** True for a skin whose matrices are all the same: they say nothing about the bind pose (`boundSkins`). */
function saysNothing({ joints, inverseBinds }: Skin): boolean {
  return joints.length > 1 && inverseBinds.every((value, k) => value === inverseBinds[k % 16]);
}

/** With one matrix that differs, the others begin to speak: they may say only what was taken for true before. */
function checkNeutral(skin: Skin, before: Neutral, after: Neutral): void {
  const size = modelSize(before);
  for (let k = 0; k < before.worlds.length; k++) {
    const scale = k % 16 < 12 ? Math.max(1, Math.abs(before.worlds[k]!)) : size;
    if (Math.abs(after.worlds[k]! - before.worlds[k]!) > NEUTRAL_NOISE * scale)
      throw new FollowthroughError(
        'unsupported-file',
        `skin ${skin.name}: all inverse bind matrices are equal, so no bone can be added without moving the others`,
      );
  }
}
