/**
 * How a chain begins: at rest without velocity (first tick, reset), or from the pose its bones show, moving with the
 * attachment (a clip or the game had it before). Writes ATTACHMENT_VELOCITY, what is felt in this first tick.
 */
import { startRule } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { conjugateQuat, identityQuat, multiplyQuat, rotateVec3, swingQuat } from '../math/index.js';
import { measureLink } from './attachment.js';
import { baseFrame, feltVelocity, linkLength, mirrorSign, rootPoint } from './link.js';

/** Product of the bends so far: takes the anatomical frame of the attachment to that of the link. */
const turned = new Float64Array(4);
const bend = new Float64Array(4);
const direction = new Float64Array(3);
const head = new Float64Array(3);
const shownRotation = new Float64Array(4);
const inverse = new Float64Array(4);

/** Places the particles of the chain in `row` by its start rule. */
export function begin(views: Views, row: number): void {
  const { chain, particle } = views;
  const shown = chain.start[row] === startRule.shown;
  for (let i = 0; i < 3; i++) {
    feltVelocity[i] = shown ? chain.lastVelocity[row * 3 + i]! : 0;
    head[i] = rootPoint[i]!;
  }
  identityQuat(turned, 0);
  for (let k = 0; k < chain.count[row]!; k++) {
    const p = chain.first[row]! + k * chain.stride[row]!;
    measureLink(views, row, p);
    if (shown) bendShown(views, p);
    else identityQuat(bend, 0);
    multiplyQuat(turned, 0, turned, 0, bend, 0);
    rotateVec3(direction, 0, turned, 0, particle.direction, p * 3);
    for (let i = 0; i < 4; i++) particle.bend[p * 4 + i] = bend[i]!;
    for (let i = 0; i < 3; i++) {
      const d =
        baseFrame[i]! * direction[0]! + baseFrame[3 + i]! * direction[1]! + baseFrame[6 + i]! * direction[2]!;
      head[i] = head[i]! + linkLength[0]! * d;
      const mirror = i === 0 ? mirrorSign[0]! : 1;
      particle.position[p * 3 + i] = mirror * head[i]!;
      particle.couplingTarget[p * 3 + i] = mirror * head[i]!;
      particle.velocity[p * 3 + i] = mirror * feltVelocity[i]!;
    }
    particle.contact[p] = 0;
  }
}

/** Writes `bend`: the swing of link `p` that its bone's shown rotation stands for. */
function bendShown({ bone, particle }: Views, p: number): void {
  multiplyQuat(shownRotation, 0, particle.frameBefore, p * 4, bone.localRotation, particle.bone[p]! * 4);
  conjugateQuat(inverse, 0, particle.frameAfter, p * 4);
  multiplyQuat(shownRotation, 0, shownRotation, 0, inverse, 0);
  rotateVec3(direction, 0, shownRotation, 0, particle.direction, p * 3);
  swingQuat(bend, 0, particle.direction, p * 3, direction, 0);
}
