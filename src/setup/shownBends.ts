/**
 * The bends that the shown pose of a chain stands for: where a chain begins when the solver takes it over from a clip
 * or the game. Taken while the last tick's pose is still shown (docs/solver.md, "Owner").
 */
import type { Views } from '../components/stores.js';
import { conjugateQuat, identityQuat, multiplyQuat, rotateVec3, swingQuat } from '../math/index.js';

/** Shown rotation of the link's bone against rest, twist included, in the anatomical frame. */
const shown = new Float64Array(4);
/** Product of the bends so far: what the solver makes of it, without twist. */
const turned = new Float64Array(4);
const scratch = new Float64Array(4);
const direction = new Float64Array(3);

/** Writes the bends of the chain in `row` from the local rotations that its bones show. */
export function takeShownBends({ bone, chain, particle }: Views, row: number): void {
  identityQuat(shown, 0);
  identityQuat(turned, 0);
  for (let k = 0; k < chain.count[row]!; k++) {
    const p = chain.first[row]! + k * chain.stride[row]!;
    // shown = shown x (frameBefore x local x frameAfter^-1)
    multiplyQuat(scratch, 0, particle.frameBefore, p * 4, bone.localRotation, particle.bone[p]! * 4);
    multiplyQuat(shown, 0, shown, 0, scratch, 0);
    conjugateQuat(scratch, 0, particle.frameAfter, p * 4);
    multiplyQuat(shown, 0, shown, 0, scratch, 0);
    rotateVec3(direction, 0, shown, 0, particle.direction, p * 3);
    conjugateQuat(scratch, 0, turned, 0);
    rotateVec3(direction, 0, scratch, 0, direction, 0);
    swingQuat(particle.bend, p * 4, particle.direction, p * 3, direction, 0);
    multiplyQuat(turned, 0, turned, 0, particle.bend, p * 4);
  }
}
