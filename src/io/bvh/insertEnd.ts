/** Gives a leaf of a BVH file a child that marks its tip: a joint with channels that are zero in every frame. */
import { isRotation, type Bvh, type BvhChannel, type BvhJoint } from './bvh.js';
import { freeName } from './freeName.js';

/** A tip to put into a file. */
export interface NewEnd {
  /** Index of the leaf. */
  joint: number;
  /** Tip in the frame of the leaf, file units. */
  tip: [number, number, number];
}

const anyOrder: BvhChannel[] = ['Zrotation', 'Xrotation', 'Yrotation'];

/**
 * A copy of a file in which each of these leaves has a child `<leaf>_End`, at its depth-first place, with an End Site of
 * no length of its own. Programs that know no joint without channels (some take none) find three that are zero.
 *
 * @param ends - one per leaf
 */
export function insertEnds(bvh: Bvh, ends: readonly NewEnd[]): Bvh {
  const tips = new Map(ends.map(({ joint, tip }) => [joint, tip]));
  const taken = new Set(bvh.joints.map(({ name }) => name));
  const joints: BvhJoint[] = [];
  /** New index of each joint. */
  const moved: number[] = [];
  /** For every number of a new frame the number of the old one, -1 for zero. */
  const columns: number[] = [];
  for (const [j, joint] of bvh.joints.entries()) {
    const tip = tips.get(j);
    moved.push(joints.length);
    joints.push({
      ...joint,
      parent: joint.parent < 0 ? -1 : moved[joint.parent]!,
      channels: [...joint.channels],
      firstChannel: columns.length,
      ends: tip ? [] : joint.ends.map(({ name, offset }) => ({ name, offset: [...offset] })),
      offset: [...joint.offset],
    });
    columns.push(...joint.channels.map((_, k) => joint.firstChannel + k));
    if (tip === undefined) continue;
    const order = joint.channels.filter(isRotation);
    const channels = order.length === 3 ? order : anyOrder;
    joints.push({
      name: freeName(`${joint.name}_End`, taken),
      parent: moved[j]!,
      offset: [...tip],
      channels: [...channels],
      firstChannel: columns.length,
      ends: [{ name: '', offset: [0, 0, 0] }],
    });
    columns.push(-1, -1, -1);
  }
  const channelCount = columns.length;
  const frames = new Float64Array(bvh.frameCount * channelCount);
  for (let frame = 0; frame < bvh.frameCount; frame++)
    for (const [c, from] of columns.entries())
      if (from >= 0) frames[frame * channelCount + c] = bvh.frames[frame * bvh.channelCount + from]!;
  return { ...bvh, joints, channelCount, frames, warnings: [...bvh.warnings] };
}
