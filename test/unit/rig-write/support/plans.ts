/**
 * Plans made by hand: a chain of three bones and an end under one bone, and new weights for every third vertex.
 */
import { Matrix4, Vector3 } from 'three';
import type { Asset } from '../../../../src/asset/asset.js';
import type { NewBone, NewInfluences, RigPlan } from '../../../../src/rig/plan.js';
import { recoverNeutral } from '../../../../src/setup/neutral.js';
import { modelSize } from '../../../../src/setup/neutralPose.js';

/** A plan that changes nothing. */
export const emptyPlan = (): RigPlan => ({
  pieces: [],
  bones: [],
  influences: [],
  surface: {
    count: 0,
    positions: new Float64Array(),
    triangles: new Uint32Array(),
    pointOf: [],
    first: new Uint32Array(1),
    bones: new Int32Array(),
    weights: new Float64Array(),
  },
  warnings: [],
});

/** World matrix of a bone in the neutral pose. */
export function bindWorld(asset: Asset, bone: number): Matrix4 {
  return new Matrix4().fromArray(recoverNeutral(asset).worlds, 16 * bone);
}

/** Three bones and an end behind a bone, in world steps that are no multiples of each other. */
function chainUnder(asset: Asset, attachment: number, prefix = 'Tail'): NewBone[] {
  const world = bindWorld(asset, attachment);
  const size = modelSize(recoverNeutral(asset));
  const inverse = world.clone().invert();
  const head = new Vector3().setFromMatrixPosition(world);
  let last = new Vector3();
  return ['1', '2', '3', 'End'].map((end, i): NewBone => {
    head.add(new Vector3(0.013 * i, 0.03 - 0.01 * i, -0.09).multiplyScalar(size));
    const local = head.clone().applyMatrix4(inverse);
    const translation = local.clone().sub(last).toArray();
    last = local;
    return {
      name: `${prefix}_${end}`,
      parent: i === 0 ? attachment : asset.skeleton.count + i - 1,
      translation,
      attachment,
      head: head.toArray(),
    };
  });
}

/** Weights on one bone, two or three, none of them a round number; descending, sum 1. */
const WEIGHTS: readonly (readonly number[])[] = [
  [1, 0, 0],
  [0.71, 0.29, 0],
  [0.4151, 0.3333, 0.2516],
  [0.987, 0.0119, 0.0011],
];

/** Which of (attachment, bone 1, 2, 3) the weights go to. */
const TARGETS: readonly (readonly number[])[] = [
  [1, 0, 2],
  [2, 3, 1],
  [3, 2, 1],
  [0, 1, 2],
];

/** New weights for every third vertex of a mesh. */
export function influencesOn(
  asset: Asset,
  mesh: number,
  attachment: number,
  firstBone = asset.skeleton.count,
): NewInfluences {
  const count = asset.meshes[mesh]!.positions.length / 3;
  const vertices = Uint32Array.from({ length: Math.ceil(count / 3) }, (_, i) => 3 * i);
  const bones: number[] = [];
  const weights: number[] = [];
  vertices.forEach((_, i) => {
    const list = WEIGHTS[i % WEIGHTS.length]!;
    const sum = list[0]! + list[1]! + list[2]!;
    list.forEach((weight, k) => {
      const target = TARGETS[(i >> 2) % TARGETS.length]![k]!;
      bones.push(weight === 0 ? 0 : target === 0 ? attachment : firstBone + target - 1);
      weights.push(weight / sum);
    });
  });
  return {
    mesh,
    vertices,
    influences: 3,
    bones: Int32Array.from(bones),
    weights: Float64Array.from(weights),
  };
}

/** A chain under a bone, and every third vertex of the given meshes (default: all that are skinned) on it. */
export function planUnder(asset: Asset, attachmentName: string, meshes?: readonly number[]): RigPlan {
  const attachment = asset.skeleton.names.indexOf(attachmentName);
  if (attachment < 0) throw new Error(`no bone ${attachmentName}`);
  const skinned = asset.meshes.flatMap(({ skin }, index) => (skin >= 0 ? [index] : []));
  return {
    ...emptyPlan(),
    bones: chainUnder(asset, attachment),
    influences: (meshes ?? skinned).map((mesh) => influencesOn(asset, mesh, attachment)),
  };
}
