/**
 * How a chain begins: at rest without velocity (first tick, reset), or from the bends that its bones showed, moving
 * with the attachment (a clip or the game had it before). Writes `feltVelocity`, what is felt in this first tick.
 */
import { startRule } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { identityQuat, multiplyQuat, rotateVec3 } from '../math/index.js';
import { measureLink } from './attachment.js';
import { baseFrame, feltVelocity, linkLength, mirrorSign, rootPoint, tickSeconds } from './registers.js';

/** Product of the bends so far: takes the anatomical frame of the attachment to that of the link. */
const turned = new Float64Array(4);
const direction = new Float64Array(3);
const head = new Float64Array(3);

/** Places the particles of the chain in `row` by its start rule, as they stood a tick ago. */
export function begin(views: Views, row: number): void {
  const { chain, particle } = views;
  const shown = chain.start[row] === startRule.shown;
  for (let i = 0; i < 3; i++) {
    feltVelocity[i] = shown ? chain.lastVelocity[row * 3 + i]! : 0;
    head[i] = rootPoint[i]! - tickSeconds[0]! * feltVelocity[i]!;
  }
  identityQuat(turned, 0);
  for (let k = 0; k < chain.count[row]!; k++) {
    const p = chain.first[row]! + k * chain.stride[row]!;
    measureLink(views, p);
    if (!shown) identityQuat(particle.bend, p * 4);
    multiplyQuat(turned, 0, turned, 0, particle.bend, p * 4);
    rotateVec3(direction, 0, turned, 0, particle.direction, p * 3);
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
    particle.pressed[p] = 0;
  }
}
