/**
 * Planting feet: where hip, knee and ankle go when the pelvis moves and a foot has a place to be (two-bone inverse
 * kinematics by the law of cosines, no trigonometry).
 */
import {
  add,
  clamp,
  conjugate,
  cross,
  distance,
  fromAxes,
  length,
  multiply,
  normalize,
  perpendicular,
  rotate,
  scale,
  sub,
  Z,
  type Quat,
  type Vec3,
} from './linear.js';
import { boneIndex, PREFIX, type Rig, type Side } from './humanoidRig.js';

/** Turns of bones away from the bind pose, by name without prefix, in model axes carried along by the parent. */
export type Turns = Map<string, Quat>;

/** Where a foot is: its ankle and its turn away from the bind pose, in model space. */
export interface FootGoal {
  ankle: Vec3;
  turn: Quat;
}

/** The pelvis: how far its bone moved and turned away from the bind pose. */
export interface Pelvis {
  offset: Vec3;
  turn: Quat;
}

export const headOf = (rig: Rig, name: string): Vec3 => rig.bones[boneIndex(rig, PREFIX + name)]!.head;

/** Where a point fixed to the pelvis goes. */
export function withPelvis(rig: Rig, pelvis: Pelvis, bindPoint: Vec3): Vec3 {
  const hips = headOf(rig, 'Hips');
  return add(add(hips, pelvis.offset), rotate(pelvis.turn, sub(bindPoint, hips)));
}

export function legLength(rig: Rig): number {
  const [hip, knee, ankle] = legJoints(rig, 'Left');
  return distance(hip, knee) + distance(knee, ankle);
}

const legJoints = (rig: Rig, side: Side): [Vec3, Vec3, Vec3] => [
  headOf(rig, `${side}UpLeg`),
  headOf(rig, `${side}Leg`),
  headOf(rig, `${side}Foot`),
];

/** Sets the turns of thigh, shin and foot so that the foot reaches its goal, the knee pointing forward. */
export function plantFoot(rig: Rig, turns: Turns, pelvis: Pelvis, side: Side, goal: FootGoal): void {
  const [hip, knee, ankle] = legJoints(rig, side);
  const hips = headOf(rig, 'Hips');
  const back = conjugate(pelvis.turn);
  // all of it in the bind axes, as the pelvis carries them
  const target = add(hips, rotate(back, sub(goal.ankle, add(hips, pelvis.offset))));
  const thigh = distance(hip, knee);
  const shin = distance(knee, ankle);
  const reach = sub(target, hip);
  const d = clamp(length(reach), Math.abs(thigh - shin) * 1.05, (thigh + shin) * 0.9995);
  const down = normalize(reach);
  const outward: Vec3 = [side === 'Left' ? 0.12 : -0.12, 0, 0];
  const forward = perpendicular(add(Z, outward), down);
  const along = (thigh * thigh - shin * shin + d * d) / (2 * d);
  const bend = Math.sqrt(Math.max(0, thigh * thigh - along * along));
  const newKnee = add(scale(down, along), scale(forward, bend));
  const newAnkle = scale(down, d);
  const hinge = cross(forward, down);
  const bindHinge = cross(
    perpendicular(add(Z, outward), normalize(sub(ankle, hip))),
    normalize(sub(ankle, hip)),
  );
  const thighTurn = align(sub(knee, hip), bindHinge, newKnee, hinge);
  const shinTurn = align(sub(ankle, knee), bindHinge, sub(newAnkle, newKnee), hinge);
  const footTurn = multiply(back, goal.turn);
  turns.set(`${side}UpLeg`, thighTurn);
  turns.set(`${side}Leg`, multiply(conjugate(thighTurn), shinTurn));
  turns.set(`${side}Foot`, multiply(conjugate(shinTurn), footTurn));
}

/** Takes the direction `from` to `to` and the hinge axis near `hingeFrom` to the one near `hingeTo`. */
function align(from: Vec3, hingeFrom: Vec3, to: Vec3, hingeTo: Vec3): Quat {
  return multiply(axesQuat(normalize(to), hingeTo), conjugate(axesQuat(normalize(from), hingeFrom)));
}

function axesQuat(y: Vec3, hinge: Vec3): Quat {
  const x = perpendicular(hinge, y);
  return fromAxes(x, y, cross(x, y));
}

/** A goal of the foot that stands at its bind place, moved by `offset` and pitched about ball or heel (toes down > 0). */
export function standing(rig: Rig, side: Side, offset: Vec3, pitch: Quat, toesDown: boolean): FootGoal {
  const ankle = headOf(rig, `${side}Foot`);
  const toe = headOf(rig, `${side}ToeBase`);
  const heel: Vec3 = [ankle[0], 0, ankle[2] - 0.5 * ankle[1]];
  const pivot: Vec3 = toesDown ? toe : heel;
  return { ankle: add(add(pivot, rotate(pitch, sub(ankle, pivot))), offset), turn: pitch };
}
