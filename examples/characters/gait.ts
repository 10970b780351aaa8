/**
 * Going in place: walk, sprint and crouched sneaking from one set of numbers each. One cycle is two steps; the left
 * foot touches down at phase 0, the right at 1/2. On the ground the foot moves back at a constant speed, as under a
 * character that is carried forward by its game.
 */
import { cos, sin } from '../../src/math/trig.js';
import { axisAngle, euler, mix, smoothstep, X, type Vec3 } from './linear.js';
import { SIDES, type Rig, type Side } from './humanoidRig.js';
import { legLength, plantFoot, standing, type Pelvis, type Turns } from './legs.js';
import { bendArm } from './arms.js';

/** Lengths are shares of the leg's length, phases shares of the cycle, angles degrees. */
export interface Gait {
  seconds: number;
  /** Way of the foot on the ground. */
  travel: number;
  /** Share of the cycle that a foot is on the ground. */
  stance: number;
  lift: number;
  /** Phase and height (below standing) of the lowest pelvis, and the height gained up to the highest. */
  lowPhase: number;
  drop: number;
  bob: number;
  sway: number;
  /** Turn of the pelvis about the vertical and its tilt towards the swinging leg. */
  yawDeg: number;
  rollDeg: number;
  pelvisPitchDeg: number;
  /** Bend of the trunk forward, turn of the shoulders against the pelvis. */
  leanDeg: number;
  twistDeg: number;
  /** Pitch of the foot over the cycle: [phase, toes down > 0]. */
  footPitch: readonly (readonly [number, number])[];
  arms: { lowerDeg: number; forwardDeg: number; swingDeg: number; elbowDeg: number; elbowSwingDeg: number };
}

export interface BodyPose {
  pelvis: Pelvis;
  turns: Turns;
}

const TURN = 2 * Math.PI;

export function gaitPose(rig: Rig, gait: Gait, phase: number): BodyPose {
  const leg = legLength(rig);
  const height = -gait.drop + (gait.bob * (1 - cos(2 * TURN * (phase - gait.lowPhase)))) / 2;
  const side = sin(TURN * (phase + 0.25 - gait.stance / 2));
  const yaw = -gait.yawDeg * cos(TURN * phase);
  const roll = gait.rollDeg * side;
  const pelvis: Pelvis = {
    offset: [gait.sway * leg * side, height * leg, 0],
    turn: euler(gait.pelvisPitchDeg, yaw, roll),
  };
  const turns: Turns = new Map();
  const twist = -(yaw + (yaw * gait.twistDeg) / Math.max(1, gait.yawDeg));
  for (const bone of ['Spine', 'Spine1', 'Spine2'])
    turns.set(bone, euler(gait.leanDeg / 3, twist / 3, -roll / 3));
  const bow = gait.leanDeg + gait.pelvisPitchDeg;
  turns.set('Neck', euler(-0.35 * bow, -0.5 * (yaw + twist), 0));
  turns.set('Head', euler(-0.55 * bow, -0.5 * (yaw + twist), 0));
  for (const each of SIDES) {
    const own = each === 'Left' ? phase : phase + 0.5;
    const p = own - Math.floor(own);
    stepFoot(rig, gait, turns, pelvis, each, p, leg);
    const { lowerDeg, forwardDeg, swingDeg, elbowDeg, elbowSwingDeg } = gait.arms;
    const swing = cos(TURN * p);
    bendArm(rig, turns, each, lowerDeg, swing * swingDeg - forwardDeg, elbowDeg - swing * elbowSwingDeg);
  }
  return { pelvis, turns };
}

function stepFoot(
  rig: Rig,
  gait: Gait,
  turns: Turns,
  pelvis: Pelvis,
  side: Side,
  p: number,
  leg: number,
): void {
  const reach = (gait.travel * leg) / 2;
  const swing = (p - gait.stance) / (1 - gait.stance);
  const airborne = swing > 0;
  const back = -reach * Math.min(1.2, (2 * (1 - gait.stance)) / gait.stance);
  const z = airborne ? hermite(-reach, back, reach, back, swing) : mix(reach, -reach, p / gait.stance);
  const rise = airborne ? sin((TURN / 2) * swing) : 0;
  const pitchDeg = cycle(gait.footPitch, p);
  const offset: Vec3 = [0, gait.lift * leg * rise * rise, z];
  const pitch = axisAngle(X, pitchDeg);
  plantFoot(rig, turns, pelvis, side, standing(rig, side, offset, pitch, pitchDeg > 0));
  // while the heel rises the toes stay flat on the ground
  const flat = airborne ? 1 - smoothstep(0, 0.3, swing) : 1;
  turns.set(`${side}ToeBase`, axisAngle(X, pitchDeg > 0 ? -pitchDeg * flat : 0));
}

function hermite(a: number, slopeA: number, b: number, slopeB: number, t: number): number {
  const s = 1 - t;
  return s * s * (1 + 2 * t) * a + s * s * t * slopeA + t * t * (3 - 2 * t) * b - t * t * s * slopeB;
}

/** Smooth periodic interpolation of values at phases (ascending, the first at 0), at rest at every key. */
export function cycle(keys: readonly (readonly [number, number])[], phase: number): number {
  let i = keys.length - 1;
  while (i > 0 && keys[i]![0] > phase) i--;
  const [from, a] = keys[i]!;
  const [to, b] = keys[i + 1] ?? [1, keys[0]![1]];
  return mix(a, b, smoothstep(from, to, phase));
}
