/** The legs of a body, by which its size and stance are judged. */
import type { HumanoidBones } from './humanoid.js';
import { gapBetween, type Places } from './restPose.js';

/** Thigh, shin and foot of every whole leg. */
export function legsOf(bones: HumanoidBones): [number, number, number][] {
  return ['left', 'right'].flatMap((side): [number, number, number][] => {
    const [thigh, shin, foot] = ['UpperLeg', 'LowerLeg', 'Foot'].map((part) => bones[side + part]);
    return thigh === undefined || shin === undefined || foot === undefined ? [] : [[thigh, shin, foot]];
  });
}

/** Length of thigh and shin of every whole leg. */
export function legLengths(pose: Places, bones: HumanoidBones): number[] {
  return legsOf(bones).map(
    ([thigh, shin, foot]) => gapBetween(pose, thigh, shin) + gapBetween(pose, shin, foot),
  );
}
