/**
 * Stage 4: bones follow their links. The local rotation of link i's bone is A_i^-1 q_i A_(i+1), with q the bend; the
 * weight blends it with the animated pose. Only the chain's own bones turn (docs/solver.md, "Rebuild").
 */
import type { World } from '../setup/world.js';
import { chainState, movedPart } from '../components/codes.js';
import type { Bone } from '../components/bone.js';
import type { Columns } from '../components/field.js';
import type { Views } from '../components/stores.js';
import { slerpQuatBy } from '../math/index.js';
import { boneWorld } from './boneWorld.js';
import { showPose } from './driverTransforms.js';

/** Rebuilds the bones of the chains `rows[from..to)` and of everything they carry. */
export function rebuildBones(world: World, rows: Int32Array, from: number, to: number): void {
  const { bone, chain, character } = world.views;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    const moved = character.moved[chain.character[row]!] !== movedPart.nothing || chain.level[row]! > 0;
    if (chain.status[row] === chainState.asleep && !moved) continue;
    const off = chain.status[row] === chainState.disabled || chain.clipOwned[row] === 1;
    if (off || chain.weight[row] === 0) showChain(world.views, row);
    else turnBones(world.views, row);
    const carried = world.order!.carried[row]!;
    for (let b = 0; b < carried.length; b++) boneWorld(bone, carried[b]!);
  }
}

/** Shows the animated pose on a chain's own bones. */
function showChain(views: Views, row: number): void {
  const { chain, particle } = views;
  for (let k = 0; k < chain.count[row]!; k++)
    showPose(views, particle.bone[chain.first[row]! + k * chain.stride[row]!]!);
}

/** Writes the shown local pose of a chain's own bones. */
function turnBones({ bone, chain, character, particle }: Views, row: number): void {
  const weight = chain.weight[row]!;
  const { bend, frameBefore, frameAfter } = particle;
  const { localRotation, localTranslation, neutralTranslation } = bone;
  const count = chain.count[row]!;
  const stride = chain.stride[row]!;
  // Else they stand since the last time, unless a share of the pose is mixed in.
  const posed = character.moved[chain.character[row]!] === movedPart.bones || weight !== 1;
  for (let k = 0, p = chain.first[row]!; k < count; k++, p += stride) {
    const p4 = p * 4;
    const b3 = particle.bone[p]! * 3;
    const b4 = particle.bone[p]! * 4;
    // bend x frameAfter
    const ax = bend[p4]!;
    const ay = bend[p4 + 1]!;
    const az = bend[p4 + 2]!;
    const aw = bend[p4 + 3]!;
    const bx = frameAfter[p4]!;
    const by = frameAfter[p4 + 1]!;
    const bz = frameAfter[p4 + 2]!;
    const bw = frameAfter[p4 + 3]!;
    const cx = aw * bx + ax * bw + (ay * bz - az * by);
    const cy = aw * by + ay * bw + (az * bx - ax * bz);
    const cz = aw * bz + az * bw + (ax * by - ay * bx);
    const cw = aw * bw - (ax * bx + ay * by + az * bz);
    // conjugate of frameBefore x that
    const ex = -frameBefore[p4]!;
    const ey = -frameBefore[p4 + 1]!;
    const ez = -frameBefore[p4 + 2]!;
    const ew = frameBefore[p4 + 3]!;
    localRotation[b4] = ew * cx + ex * cw + (ey * cz - ez * cy);
    localRotation[b4 + 1] = ew * cy + ey * cw + (ez * cx - ex * cz);
    localRotation[b4 + 2] = ew * cz + ez * cw + (ex * cy - ey * cx);
    localRotation[b4 + 3] = ew * cw - (ex * cx + ey * cy + ez * cz);
    // The root link hangs where the pose puts it; the others keep their length. Scale stays the animated one.
    if (posed && k > 0) {
      localTranslation[b3] = neutralTranslation[b3]!;
      localTranslation[b3 + 1] = neutralTranslation[b3 + 1]!;
      localTranslation[b3 + 2] = neutralTranslation[b3 + 2]!;
    }
    if (weight !== 1) blendWithPose(bone, b3, b4, chain.weight, row);
  }
}

/** Leaves only a share of the simulated local pose, the rest is the animated one. */
function blendWithPose(
  bone: Columns<typeof Bone>,
  b3: number,
  b4: number,
  weights: Float64Array,
  row: number,
): void {
  const weight = weights[row]!;
  slerpQuatBy(bone.localRotation, b4, bone.poseRotation, b4, bone.localRotation, b4, weights, row);
  for (let i = b3; i < b3 + 3; i++) {
    const animated = bone.poseTranslation[i]!;
    bone.localTranslation[i] = animated + weight * (bone.localTranslation[i]! - animated);
  }
}
