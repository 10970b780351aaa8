/**
 * The rest shape of a chain whose rest is the animated pose: the clip's own rotations of this tick take the place of
 * the neutral ones, so that physics adds to the artist's motion (docs/solver.md, "Animated rest").
 */
import { restPose } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { multiplyQuat, normalizeQuat, rotateVec3 } from '../math/index.js';

const frame = new Float64Array(4);

/** Rewrites rest directions and frames of the chain in `row` from this tick's poses, if it asks for that. */
export function animatedRest(views: Views, row: number): void {
  const { bone, chain, particle } = views;
  if (chain.restPose[row] !== restPose.animated) return;
  for (let k = 0; k < chain.count[row]!; k++) {
    const p = chain.first[row]! + k * chain.stride[row]!;
    const b = particle.bone[p]!;
    if (k > 0) {
      const before = p - chain.stride[row]!;
      for (let i = 0; i < 4; i++) frame[i] = particle.frameAfter[before * 4 + i]!;
      turnThroughNodesBetween(views, b, particle.bone[before]!);
      normalizeQuat(particle.frameBefore, p * 4, frame, 0);
    }
    multiplyQuat(frame, 0, particle.frameBefore, p * 4, bone.poseRotation, b * 4);
    normalizeQuat(particle.frameAfter, p * 4, frame, 0);
    rotateVec3(particle.direction, p * 3, particle.frameAfter, p * 4, particle.boneDirection, p * 3);
  }
}

/** Multiplies `frame` by the poses of the nodes that stand between two links' bones, outermost first. */
function turnThroughNodesBetween(views: Views, bone: number, ancestor: number): void {
  const parent = views.bone.parent[bone]!;
  if (parent === ancestor || parent < 0) return;
  turnThroughNodesBetween(views, parent, ancestor);
  multiplyQuat(frame, 0, frame, 0, views.bone.poseRotation, parent * 4);
}
