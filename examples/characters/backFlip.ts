/**
 * A back flip on the spot: crouch, jump, one full turn backwards, land, rise. Ends in the pose it starts from.
 */
import { add, axisAngle, euler, mix, mixQuat, mixVec, multiply, smoothstep, X, type Vec3 } from './linear.js';
import { bendArm } from './arms.js';
import { cycle, type BodyPose } from './gait.js';
import { SIDES, type Rig } from './humanoidRig.js';
import {
  headOf,
  legLength,
  plantFoot,
  standing,
  withPelvis,
  type FootGoal,
  type Pelvis,
  type Turns,
} from './legs.js';

/** Phases of take-off and landing. */
const TAKE_OFF = 0.32;
const LANDING = 0.74;

type Keys = readonly (readonly [number, number])[];
/** Depth of the knee bend, as a share of the leg's length. */
const SQUAT: Keys = [
  [0, 0.02],
  [0.2, 0.36],
  [TAKE_OFF, 0.0],
  [LANDING, 0.04],
  [0.84, 0.3],
];
/** Bend of the trunk forward, swing of the arms (back > 0), bend of the elbows; degrees. */
const BOW: Keys = [
  [0, 0],
  [0.2, 38],
  [0.34, -14],
  [0.52, 34],
  [0.7, 6],
  [0.84, 34],
];
const ARMS: Keys = [
  [0, 0],
  [0.19, 48],
  [0.34, -135],
  [0.52, -55],
  [0.72, -70],
  [0.85, 10],
];
const ELBOWS: Keys = [
  [0, 14],
  [0.2, 25],
  [0.34, 12],
  [0.52, 70],
  [0.74, 25],
];

/** `jumpHeight` is how far the hips rise, as a share of the leg's length. */
export function backFlipPose(rig: Rig, jumpHeight: number, phase: number): BodyPose {
  const leg = legLength(rig);
  const flight = Math.min(1, Math.max(0, (phase - TAKE_OFF) / (LANDING - TAKE_OFF)));
  const jump = 4 * flight * (1 - flight) * jumpHeight;
  const bow = cycle(BOW, phase);
  const turned = 360 * smoothstep(TAKE_OFF - 0.04, LANDING + 0.02, phase);
  const pelvis: Pelvis = {
    offset: [0, (jump - cycle(SQUAT, phase)) * leg, -0.12 * leg * cycle(SQUAT, phase)],
    turn: axisAngle(X, 0.3 * bow - turned),
  };
  const turns: Turns = new Map();
  for (const bone of ['Spine', 'Spine1', 'Spine2']) turns.set(bone, euler(bow * 0.3, 0, 0));
  turns.set('Neck', euler(bow * -0.2, 0, 0));
  turns.set('Head', euler(bow * -0.3, 0, 0));
  const inAir =
    smoothstep(TAKE_OFF, TAKE_OFF + 0.07, phase) * (1 - smoothstep(LANDING - 0.07, LANDING, phase));
  const tuck = cycle(TUCK, phase);
  for (const side of SIDES) {
    const ground = standing(rig, side, [0, 0, 0], axisAngle(X, 0), true);
    const goal = blend(ground, carried(rig, side, pelvis, tuck, leg), inAir);
    plantFoot(rig, turns, pelvis, side, goal);
    turns.set(`${side}ToeBase`, axisAngle(X, 0));
    bendArm(rig, turns, side, 34, cycle(ARMS, phase), cycle(ELBOWS, phase));
  }
  return { pelvis, turns };
}

const TUCK: Keys = [
  [0, 0],
  [TAKE_OFF, 0],
  [0.5, 1],
  [0.58, 1],
  [0.7, 0.1],
];

/** The foot drawn up in front of the pelvis by `tuck` (0 = hanging straight). */
function carried(rig: Rig, side: 'Left' | 'Right', pelvis: Pelvis, tuck: number, leg: number): FootGoal {
  const ankle = headOf(rig, `${side}Foot`);
  const drawn: Vec3 = add(ankle, [0, mix(0.01, 0.45, tuck) * leg, mix(-0.03, 0.3, tuck) * leg]);
  return {
    ankle: withPelvis(rig, pelvis, drawn),
    turn: multiply(pelvis.turn, axisAngle(X, mix(30, 20, tuck))),
  };
}

const blend = (a: FootGoal, b: FootGoal, t: number): FootGoal => ({
  ankle: mixVec(a.ankle, b.ankle, t),
  turn: mixQuat(a.turn, b.turn, t),
});
