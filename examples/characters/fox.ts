/**
 * The fox: 1.9 m tall, upright, with a bushy tail of two shells (skin and fur) that hangs from the pelvis. It comes as
 * an automatic humanoid rigger leaves it, without a bone in the tail, and with the bones that an automatic tail pass
 * makes: four links and an end, all with the bind rotation of the hips.
 */
import { cos } from '../../src/math/trig.js';
import { bodyMesh, bothSides, type BodyBuild } from './bodyMesh.js';
import { characterGlb } from './characterFile.js';
import { characterClips, type MotionStyle } from './clips.js';
import {
  addChain,
  boneIndex,
  humanoidRig,
  onSide,
  PREFIX,
  SIDES,
  type JointTable,
  type Rig,
} from './humanoidRig.js';
import { guessedWeights } from './guessedWeights.js';
import { cone, type RoundCone } from './implicitSurface.js';
import { mix, mixVec, smoothstep, type Vec3 } from './linear.js';
import type { Piece } from './skin.js';
import { tailWeights } from './tailWeights.js';
import { ball, curveThrough, tube, type Tube } from './tube.js';

const JOINTS: JointTable = {
  hips: [0, 0.94, -0.015],
  spine: [0, 1.05, -0.01],
  spine1: [0, 1.16, -0.012],
  spine2: [0, 1.27, -0.02],
  neck: [0, 1.42, -0.03],
  head: [0, 1.5, -0.01],
  headTop: [0, 1.72, 0.02],
  shoulder: [0.055, 1.38, -0.03],
  arm: [0.165, 1.365, -0.035],
  foreArm: [0.355, 1.185, -0.05],
  hand: [0.53, 1.02, -0.035],
  upLeg: [0.095, 0.89, -0.01],
  leg: [0.115, 0.49, 0.012],
  foot: [0.125, 0.095, -0.035],
  toeBase: [0.135, 0.035, 0.1],
  toeEnd: [0.14, 0.03, 0.19],
};

const EAR_NORMAL: Vec3 = [0.2425, 0, 0.9701];
const EAR: RoundCone = {
  ...cone([0.078, 1.665, -0.005], [0.128, 1.898, -0.015], 0.066, 0.017, 0.035),
  flatten: { axis: EAR_NORMAL, share: 0.48 },
};

const TORSO: RoundCone[] = [
  cone([-0.045, 0.935, -0.01], [0.045, 0.935, -0.01], 0.118, 0.118, 0.05),
  cone([0, 0.97, -0.005], [0, 1.14, 0], 0.112, 0.098, 0.05),
  { ...cone([0, 1.14, 0], [0, 1.3, -0.01], 0.1, 0.142, 0.06), flatten: { axis: [0, 0, 1], share: 0.86 } },
  cone([-0.07, 1.34, -0.025], [0.07, 1.34, -0.025], 0.09, 0.09, 0.06),
  cone([0, 1.3, 0.055], [0, 1.4, 0.04], 0.07, 0.06, 0.06),
  cone([0, 1.36, -0.025], [0, 1.53, -0.01], 0.075, 0.068, 0.05),
  cone([0, 1.59, 0.0], [0, 1.61, 0.03], 0.124, 0.114, 0.04),
  ...bothSides(cone([0.055, 1.56, 0.03], [0.168, 1.515, 0.0], 0.08, 0.014, 0.04)),
  cone([0, 1.57, 0.09], [0, 1.545, 0.24], 0.066, 0.03, 0.04),
  cone([0, 1.533, 0.09], [0, 1.522, 0.2], 0.045, 0.022, 0.02),
  cone([0, 1.557, 0.262], [0, 1.559, 0.268], 0.02, 0.018, 0.01),
  ...bothSides(EAR),
];

const BUILD: BodyBuild = {
  cell: 0.018,
  torso: TORSO,
  arm: [0.058, 0.043, 0.034, 0.022],
  handLength: 0.17,
  leg: [0.095, 0.06, 0.043, 0.04],
  limbBlend: 0.045,
  limbShare: 0.09,
  softness: {
    Spine: 0.07,
    Spine1: 0.07,
    Spine2: 0.08,
    Neck: 0.06,
    Head: 0.05,
    Arm: 0.09,
    ForeArm: 0.075,
    Hand: 0.045,
    Leg: 0.11,
    Foot: 0.06,
    ToeBase: 0.04,
  },
};

const ORANGE: Vec3 = [0.75, 0.23, 0.045];
const WHITE: Vec3 = [0.9, 0.86, 0.79];
const DARK: Vec3 = [0.06, 0.035, 0.025];

const MOTION: MotionStyle = {
  walk: {
    seconds: 1,
    travel: 0.62,
    stance: 0.6,
    lift: 0.1,
    lowPhase: 0.05,
    drop: 0.05,
    bob: 0.03,
    sway: 0.025,
    yawDeg: 8,
    rollDeg: 3,
    pelvisPitchDeg: 3,
    leanDeg: 2,
    twistDeg: 6,
    footPitch: [
      [0, -16],
      [0.1, 0],
      [0.36, 0],
      [0.62, 30],
      [0.74, 22],
      [0.93, -16],
    ],
    arms: { lowerDeg: 33, forwardDeg: 2, swingDeg: 24, elbowDeg: 17, elbowSwingDeg: 9 },
  },
  sprint: {
    seconds: 0.6,
    travel: 0.75,
    stance: 0.32,
    lift: 0.36,
    lowPhase: 0.17,
    drop: 0.12,
    bob: 0.1,
    sway: 0.01,
    yawDeg: 11,
    rollDeg: 3,
    pelvisPitchDeg: 12,
    leanDeg: 10,
    twistDeg: 10,
    footPitch: [
      [0, -4],
      [0.06, 0],
      [0.14, 2],
      [0.33, 42],
      [0.55, 62],
      [0.85, -6],
    ],
    arms: { lowerDeg: 32, forwardDeg: 8, swingDeg: 48, elbowDeg: 84, elbowSwingDeg: 14 },
  },
  crouch: {
    seconds: 1.6,
    travel: 0.36,
    stance: 0.64,
    lift: 0.08,
    lowPhase: 0.05,
    drop: 0.34,
    bob: 0.03,
    sway: 0.035,
    yawDeg: 7,
    rollDeg: 2,
    pelvisPitchDeg: 18,
    leanDeg: 26,
    twistDeg: 4,
    footPitch: [
      [0, -6],
      [0.1, 0],
      [0.45, 0],
      [0.66, 24],
      [0.8, 14],
      [0.95, -6],
    ],
    arms: { lowerDeg: 26, forwardDeg: 32, swingDeg: 12, elbowDeg: 62, elbowSwingDeg: 6 },
  },
  backFlip: { seconds: 1.5, jump: 0.7 },
  idleSeconds: 4,
  armsHangDeg: 34,
};

/** The tail hangs almost straight, a little away from the legs. */
const TAIL = curveThrough([
  [0, 0.945, -0.11],
  [0, 0.75, -0.155],
  [0, 0.55, -0.21],
  [0, 0.35, -0.275],
  [0, 0.17, -0.345],
]);
const TAIL_LINKS = 4;

/**
 * The fox as a humanoid rigger leaves it: 22 body bones and their ends, the skin of the tail on the left shin and, the
 * rest, on both thighs. The same bytes at every call.
 */
export function foxGlb(): Promise<Uint8Array> {
  const rig = humanoidRig(JOINTS);
  const guess = guessedWeights(rig, [
    { bone: 'LeftLeg', bias: 1.1 },
    { bone: 'LeftUpLeg', bias: 1 },
    { bone: 'RightUpLeg', bias: 1 },
  ]);
  return glb(rig, (_, point) => guess(point));
}

/** The same fox, vertex by vertex, with bones in its tail. The same bytes at every call. */
export function foxWithTailGlb(): Promise<Uint8Array> {
  const rig = humanoidRig(JOINTS);
  const hips = boneIndex(rig, `${PREFIX}Hips`);
  const heads = Array.from(
    { length: TAIL_LINKS + 1 },
    (_, i) => TAIL.at((i * TAIL.length) / TAIL_LINKS).point,
  );
  const names = ['Tail_1', 'Tail_2', 'Tail_3', 'Tail_4', 'Tail_End'];
  const bones = addChain(rig, hips, names, heads).slice(0, TAIL_LINKS);
  return glb(rig, (along) => tailWeights(along, TAIL.length, hips, bones));
}

function glb(rig: Rig, weighTail: Tube['weigh']): Promise<Uint8Array> {
  const body = bodyMesh(rig, JOINTS, BUILD);
  const head = boneIndex(rig, `${PREFIX}Head`);
  const eyes = SIDES.map((side) => ball(onSide([0.058, 1.614, 0.115], side), 0.026, DARK, head));
  const pieces = [{ ...body, colors: body.positions.map(bodyColor) }, ...eyes, ...tail(weighTail)];
  return characterGlb({ name: 'Fox', rig, pieces, clips: characterClips(rig, MOTION), seed: 7 });
}

function tail(weigh: Tube['weigh']): Piece[] {
  const color = (along: number): Vec3 =>
    mixVec(ORANGE, WHITE, smoothstep(0.66 * TAIL.length, 0.78 * TAIL.length, along));
  const skin = tube(TAIL, {
    from: -0.05,
    to: 0.96 * TAIL.length,
    rings: 44,
    sides: 16,
    radius: (along) => mix(0.042, 0.012, smoothstep(0, TAIL.length, along)),
    color,
    weigh,
  });
  const fur = tube(TAIL, {
    from: -0.035,
    to: TAIL.length,
    rings: 48,
    sides: 24,
    radius: furRadius,
    color,
    weigh,
  });
  return [skin, fur];
}

/** A slim root, a full middle and a pointed tip, with tufts that overlap like tiles. */
function furRadius(along: number, angle: number): number {
  const t = along / TAIL.length;
  const full = 0.03 + 0.064 * smoothstep(-0.08, 0.5, t);
  const point = 1 - smoothstep(0.6, 1.04, t);
  const layer = t * 7 + 0.22 * cos(4 * angle);
  const tuft = 0.9 + 0.16 * (layer - Math.floor(layer)) * smoothstep(0, 0.2, t);
  return full * (0.1 + 0.9 * point) * tuft;
}

function bodyColor([x, y, z]: Vec3): Vec3 {
  const side = Math.abs(x);
  if (y > 1.66) return earColor(side, y, z);
  if (y > 1.455 && side < 0.2) {
    const mouth = 1.55 - 0.2 * Math.max(0, side - 0.02);
    const white = (1 - smoothstep(mouth - 0.012, mouth + 0.008, y)) * smoothstep(-0.03, 0.02, z);
    return mixVec(mixVec(ORANGE, WHITE, white), DARK, smoothstep(0.25, 0.262, z));
  }
  // a bib, narrow at the belly
  const halfWidth = mix(0.02, 0.1, smoothstep(0.93, 1.32, y));
  const bib = smoothstep(0.03, 0.06, z) * (1 - smoothstep(halfWidth - 0.02, halfWidth + 0.02, side));
  const color = mixVec(ORANGE, WHITE, bib * smoothstep(0.92, 1.0, y));
  // socks and gloves
  const sock = side < 0.3 ? 1 - smoothstep(0.3, 0.4, y) : 0;
  return mixVec(color, DARK, Math.max(sock, smoothstep(0.42, 0.48, side)));
}

/** White inside, dark at the tip and behind. */
function earColor(side: number, y: number, z: number): Vec3 {
  const t = (y - EAR.a[1]) / (EAR.b[1] - EAR.a[1]);
  const inFront = (side - EAR.a[0]) * EAR_NORMAL[0] + (z - EAR.a[2]) * EAR_NORMAL[2];
  const fromRim = mix(EAR.radiusA, EAR.radiusB, t) - Math.abs(side - mix(EAR.a[0], EAR.b[0], t));
  const inside =
    smoothstep(0.004, 0.012, inFront) * smoothstep(0.012, 0.022, fromRim) * smoothstep(0.1, 0.25, t);
  const back = mixVec(ORANGE, DARK, smoothstep(0.35, 0.75, t + (inFront < 0 ? 0.1 : -0.2)));
  return mixVec(back, WHITE, inside);
}
