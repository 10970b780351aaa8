/**
 * The mouse: 1.2 m tall with a long thin tail that lies on the floor and is modelled bent to its left. The file has
 * the faults that real files have: there is no end bone, the last bone's frame is turned against its parent's, and
 * the pose it is saved in is 28 degrees off the bind pose at that bone.
 */
import { bodyMesh, bothSides, type BodyBuild } from './bodyMesh.js';
import { characterGlb } from './characterFile.js';
import { characterClips, type MotionStyle } from './clips.js';
import {
  addChain,
  boneIndex,
  humanoidRig,
  localRotation,
  onSide,
  PREFIX,
  SIDES,
  type JointTable,
  type Rig,
} from './humanoidRig.js';
import { cone, type RoundCone } from './implicitSurface.js';
import { axisAngle, euler, mix, mixVec, multiply, normalize, smoothstep, type Vec3 } from './linear.js';
import type { Piece } from './skin.js';
import { tailWeights } from './tailWeights.js';
import { ball, curveThrough, tube } from './tube.js';

const JOINTS: JointTable = {
  hips: [0, 0.46, -0.015],
  spine: [0, 0.53, -0.01],
  spine1: [0, 0.6, -0.012],
  spine2: [0, 0.665, -0.018],
  neck: [0, 0.76, -0.02],
  head: [0, 0.815, -0.01],
  headTop: [0, 1.06, 0.01],
  shoulder: [0.04, 0.725, -0.02],
  arm: [0.108, 0.715, -0.022],
  foreArm: [0.215, 0.605, -0.03],
  hand: [0.305, 0.505, -0.015],
  upLeg: [0.072, 0.43, -0.005],
  leg: [0.088, 0.25, 0.012],
  foot: [0.094, 0.065, -0.028],
  toeBase: [0.104, 0.028, 0.075],
  toeEnd: [0.11, 0.024, 0.155],
};

const TORSO: RoundCone[] = [
  cone([-0.03, 0.455, -0.005], [0.03, 0.455, -0.005], 0.108, 0.108, 0.04),
  cone([0, 0.5, 0.015], [0, 0.57, 0.012], 0.122, 0.112, 0.05),
  { ...cone([0, 0.6, 0], [0, 0.68, -0.008], 0.1, 0.095, 0.05), flatten: { axis: [0, 0, 1], share: 0.9 } },
  cone([-0.04, 0.705, -0.018], [0.04, 0.705, -0.018], 0.066, 0.066, 0.05),
  cone([0, 0.72, -0.015], [0, 0.83, -0.005], 0.058, 0.06, 0.04),
  cone([0, 0.915, -0.01], [0, 0.93, 0.015], 0.13, 0.125, 0.04),
  ...bothSides(cone([0.06, 0.88, 0.03], [0.088, 0.868, 0.03], 0.07, 0.058, 0.04)),
  cone([0, 0.9, 0.09], [0, 0.872, 0.2], 0.072, 0.03, 0.05),
  cone([0, 0.885, 0.222], [0, 0.886, 0.23], 0.021, 0.019, 0.012),
  ...bothSides({
    ...cone([0.075, 1.01, -0.02], [0.142, 1.1, -0.03], 0.05, 0.098, 0.03),
    flatten: { axis: [0.3, 0, 0.954], share: 0.2 },
  }),
];

const BUILD: BodyBuild = {
  cell: 0.0135,
  torso: TORSO,
  arm: [0.04, 0.031, 0.026, 0.018],
  handLength: 0.11,
  leg: [0.068, 0.045, 0.034, 0.034],
  limbBlend: 0.035,
  limbShare: 0.065,
  softness: {
    Spine: 0.05,
    Spine1: 0.05,
    Spine2: 0.05,
    Neck: 0.035,
    Head: 0.035,
    Arm: 0.06,
    ForeArm: 0.05,
    Hand: 0.032,
    Leg: 0.07,
    Foot: 0.045,
    ToeBase: 0.035,
  },
};

const GREY: Vec3 = [0.3, 0.28, 0.28];
const CREAM: Vec3 = [0.75, 0.69, 0.62];
const PINK: Vec3 = [0.76, 0.36, 0.33];
const DARK: Vec3 = [0.02, 0.015, 0.015];

const MOTION: MotionStyle = {
  walk: {
    seconds: 0.8,
    travel: 0.7,
    stance: 0.6,
    lift: 0.14,
    lowPhase: 0.05,
    drop: 0.07,
    bob: 0.045,
    sway: 0.05,
    yawDeg: 9,
    rollDeg: 5,
    pelvisPitchDeg: 2,
    leanDeg: 2,
    twistDeg: 6,
    footPitch: [
      [0, -14],
      [0.1, 0],
      [0.36, 0],
      [0.62, 28],
      [0.74, 20],
      [0.93, -14],
    ],
    arms: { lowerDeg: 26, forwardDeg: 4, swingDeg: 26, elbowDeg: 26, elbowSwingDeg: 10 },
  },
  sprint: {
    seconds: 0.5,
    travel: 0.85,
    stance: 0.32,
    lift: 0.36,
    lowPhase: 0.17,
    drop: 0.13,
    bob: 0.14,
    sway: 0.02,
    yawDeg: 11,
    rollDeg: 4,
    pelvisPitchDeg: 12,
    leanDeg: 10,
    twistDeg: 10,
    footPitch: [
      [0, -4],
      [0.06, 0],
      [0.14, 2],
      [0.33, 40],
      [0.55, 58],
      [0.85, -6],
    ],
    arms: { lowerDeg: 26, forwardDeg: 8, swingDeg: 44, elbowDeg: 80, elbowSwingDeg: 14 },
  },
  crouch: {
    seconds: 1.4,
    travel: 0.4,
    stance: 0.64,
    lift: 0.1,
    lowPhase: 0.05,
    drop: 0.36,
    bob: 0.03,
    sway: 0.04,
    yawDeg: 7,
    rollDeg: 3,
    pelvisPitchDeg: 14,
    leanDeg: 20,
    twistDeg: 4,
    footPitch: [
      [0, -6],
      [0.1, 0],
      [0.45, 0],
      [0.66, 22],
      [0.8, 12],
      [0.95, -6],
    ],
    arms: { lowerDeg: 20, forwardDeg: 34, swingDeg: 12, elbowDeg: 66, elbowSwingDeg: 6 },
  },
  backFlip: { seconds: 1.4, jump: 1.1 },
  idleSeconds: 4,
  armsHangDeg: 28,
};

/** Down to the floor and along it, bending to the left. */
const TAIL = curveThrough([
  [0, 0.455, -0.1],
  [0.005, 0.345, -0.195],
  [0.022, 0.215, -0.285],
  [0.06, 0.1, -0.39],
  [0.125, 0.045, -0.505],
  [0.225, 0.034, -0.6],
  [0.35, 0.03, -0.66],
]);
const TAIL_LINKS = 8;
/** How the last bone's bind frame is turned against the frame of the others. */
const LAST_FRAME = euler(35, 70, -25);
/** What the file's saved pose adds to the last bone's bind rotation. */
const SAVED_TURN = axisAngle(normalize([0.3, 0.5, 0.8]), 28);

/** The mouse as a GLB; the same bytes at every call. */
export function mouseGlb(): Promise<Uint8Array> {
  const rig = humanoidRig(JOINTS);
  const body = bodyMesh(rig, JOINTS, BUILD);
  const head = boneIndex(rig, `${PREFIX}Head`);
  const eyes = SIDES.map((side) => ball(onSide([0.062, 0.945, 0.118], side), 0.026, DARK, head));
  const pieces = [{ ...body, colors: body.positions.map(bodyColor) }, ...eyes, tail(rig)];
  return characterGlb({ name: 'Mouse', rig, pieces, clips: characterClips(rig, MOTION), seed: 11 });
}

function tail(rig: Rig): Piece {
  const hips = boneIndex(rig, `${PREFIX}Hips`);
  const heads = Array.from({ length: TAIL_LINKS }, (_, i) => TAIL.at((i * TAIL.length) / TAIL_LINKS).point);
  const bones = addChain(
    rig,
    hips,
    heads.map((_, i) => `Tail_${i + 1}`),
    heads,
  );
  const index = bones.at(-1)!;
  const last = rig.bones[index]!;
  last.rotation = multiply(last.rotation, LAST_FRAME);
  last.savedRotation = multiply(localRotation(rig, index), SAVED_TURN);
  return tube(TAIL, {
    from: -0.06,
    to: TAIL.length,
    rings: 110,
    sides: 12,
    radius: (along) => mix(0.026, 0.007, smoothstep(-0.2, 1, along / TAIL.length)) * tipRound(along),
    color: () => PINK,
    weigh: (along) => tailWeights(along, TAIL.length, hips, bones),
  });
}

/** Rounds the last centimetre off. */
function tipRound(along: number): number {
  const left = Math.min(1, Math.max(0, (TAIL.length - along) / 0.012));
  return Math.sqrt(left * (2 - left));
}

function bodyColor([x, y, z]: Vec3): Vec3 {
  const side = Math.abs(x);
  if (y < 0.09 || side > 0.3) return PINK;
  const belly =
    smoothstep(0.03, 0.06, z) * (1 - smoothstep(0.055, 0.085, side)) * (1 - smoothstep(0.72, 0.78, y));
  const muzzle = smoothstep(0.06, 0.12, z) * (1 - smoothstep(0.87, 0.9, y)) * smoothstep(0.78, 0.82, y);
  let color = mixVec(GREY, CREAM, Math.min(1, belly * smoothstep(0.4, 0.46, y) + muzzle));
  const innerEar =
    smoothstep(0.97, 1.0, y - 0.2 * (side < 0.08 ? 1 : 0)) * (z + 0.32 * (side - 0.1) > -0.012 ? 1 : 0);
  const fromEar = Math.sqrt((side - 0.138) * (side - 0.138) + (y - 1.095) * (y - 1.095));
  color = mixVec(color, PINK, innerEar * (1 - smoothstep(0.062, 0.078, fromEar)));
  return z > 0.215 ? mixVec(color, PINK, smoothstep(0.215, 0.225, z)) : color;
}
