/**
 * A humanoid skeleton with Mixamo's bone names: 22 body bones and four end bones, from a table of joint positions
 * of the middle and the left side. Each bone's Y axis points along the bone, as in Mixamo's files.
 */
import {
  conjugate,
  cross,
  fromAxes,
  multiply,
  normalize,
  perpendicular,
  rotate,
  sub,
  Y,
  Z,
  type Quat,
  type Vec3,
} from './linear.js';

/** Joint positions of the bind pose in metres; the character faces +Z, its left is +X. */
export interface JointTable {
  hips: Vec3;
  spine: Vec3;
  spine1: Vec3;
  spine2: Vec3;
  neck: Vec3;
  head: Vec3;
  headTop: Vec3;
  shoulder: Vec3;
  arm: Vec3;
  foreArm: Vec3;
  hand: Vec3;
  upLeg: Vec3;
  leg: Vec3;
  foot: Vec3;
  toeBase: Vec3;
  toeEnd: Vec3;
}

/** One bone of the bind pose, in model space. */
export interface Bone {
  name: string;
  /** Index of the parent, -1 for the hips. */
  parent: number;
  head: Vec3;
  rotation: Quat;
  /** Local rotation the file is saved with, where it differs from the bind pose. */
  savedRotation?: Quat;
}

export interface Rig {
  bones: Bone[];
}

export const PREFIX = 'mixamorig:';
export const SIDES = ['Left', 'Right'] as const;
export type Side = (typeof SIDES)[number];

/** The mirror image in the plane x = 0. */
const mirror = (p: Vec3): Vec3 => [-p[0], p[1], p[2]];
export const onSide = (p: Vec3, side: Side): Vec3 => (side === 'Left' ? p : mirror(p));

export function humanoidRig(joints: JointTable): Rig {
  const bones: Bone[] = [];
  const push = (name: string, parent: number, head: Vec3, rotation: Quat): number =>
    bones.push({ name: PREFIX + name, parent, head, rotation }) - 1;
  /** A run of bones; each points at the next head, one without a next keeps the direction before it. */
  const run = (
    parent: number,
    names: readonly string[],
    heads: readonly Vec3[],
    reference: Vec3,
  ): number[] => {
    const indices: number[] = [];
    let rotation: Quat = [0, 0, 0, 1];
    names.forEach((name, i) => {
      const next = heads[i + 1];
      if (next) rotation = boneFrame(sub(next, heads[i]!), reference);
      indices.push(push(name, indices[i - 1] ?? parent, heads[i]!, rotation));
    });
    return indices;
  };

  const { hips, spine, spine1, spine2, neck, head, headTop } = joints;
  const trunk = run(
    -1,
    ['Hips', 'Spine', 'Spine1', 'Spine2', 'Neck', 'Head', 'HeadTop_End'],
    [hips, spine, spine1, spine2, neck, head, headTop],
    Z,
  );
  for (const side of SIDES) {
    const arm = [joints.shoulder, joints.arm, joints.foreArm, joints.hand].map((p) => onSide(p, side));
    run(
      trunk[3]!,
      ['Shoulder', 'Arm', 'ForeArm', 'Hand'].map((name) => side + name),
      arm,
      Z,
    );
  }
  for (const side of SIDES) {
    const leg = [joints.upLeg, joints.leg, joints.foot].map((p) => onSide(p, side));
    const foot = [joints.foot, joints.toeBase, joints.toeEnd].map((p) => onSide(p, side));
    const shin = run(trunk[0]!, [`${side}UpLeg`, `${side}Leg`], leg, Z).at(-1)!;
    run(
      shin,
      ['Foot', 'ToeBase', 'Toe_End'].map((name) => side + name),
      foot,
      Y,
    );
  }
  return { bones };
}

/** Y along `direction`, Z as near to `reference` as it can be. */
function boneFrame(direction: Vec3, reference: Vec3): Quat {
  const y = normalize(direction);
  const z = perpendicular(reference, y);
  return fromAxes(cross(y, z), y, z);
}

export function boneIndex(rig: Rig, name: string): number {
  const index = rig.bones.findIndex((bone) => bone.name === name);
  if (index < 0) throw new Error(`no bone ${name}`);
  return index;
}

/** Bind translation of a bone in its parent's frame. */
export function localTranslation(rig: Rig, index: number): Vec3 {
  const bone = rig.bones[index]!;
  const parent = rig.bones[bone.parent];
  return parent ? rotate(conjugate(parent.rotation), sub(bone.head, parent.head)) : bone.head;
}

/** Bind rotation of a bone in its parent's frame. */
export function localRotation(rig: Rig, index: number): Quat {
  const bone = rig.bones[index]!;
  const parent = rig.bones[bone.parent];
  return parent ? multiply(conjugate(parent.rotation), bone.rotation) : bone.rotation;
}

/** Appends a chain of bones at `heads` under `parent`, all with the parent's bind rotation. */
export function addChain(
  rig: Rig,
  parent: number,
  names: readonly string[],
  heads: readonly Vec3[],
): number[] {
  const { rotation } = rig.bones[parent]!;
  let last = parent;
  return names.map((name, i) => {
    last = rig.bones.push({ name, parent: last, head: heads[i]!, rotation }) - 1;
    return last;
  });
}
