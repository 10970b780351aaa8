/**
 * The clips of a demo character, sampled to linear keys at 30 per second. Every clip moves all body bones and the
 * place of the hips, none touches a tail, and each ends with the very numbers it starts with.
 */
import { sin } from '../../src/math/trig.js';
import { backFlipPose } from './backFlip.js';
import { bendArm } from './arms.js';
import { gaitPose, type BodyPose, type Gait } from './gait.js';
import { boneIndex, localTranslation, PREFIX, SIDES, type Rig } from './humanoidRig.js';
import { legLength, plantFoot, standing, type Turns } from './legs.js';
import { add, conjugate, euler, IDENTITY, multiply, type Quat } from './linear.js';

const KEYS_PER_SECOND = 30;

/** One animated property: 3 or 4 values per key. */
export interface KeyTrack {
  bone: number;
  path: 'translation' | 'rotation';
  values: number[];
}

export interface ClipKeys {
  name: string;
  times: number[];
  tracks: KeyTrack[];
}

/** What a character does differently from the next. */
export interface MotionStyle {
  walk: Gait;
  sprint: Gait;
  crouch: Gait;
  /** Length of the back flip, and how high the hips rise in it as a share of the leg's length. */
  backFlip: { seconds: number; jump: number };
  idleSeconds: number;
  /** How far the arms come down from the bind pose when they hang, in degrees. */
  armsHangDeg: number;
}

export function characterClips(rig: Rig, style: MotionStyle): ClipKeys[] {
  return [
    sampled(rig, 'Walk', style.walk.seconds, (phase) => gaitPose(rig, style.walk, phase)),
    sampled(rig, 'Sprint', style.sprint.seconds, (phase) => gaitPose(rig, style.sprint, phase)),
    sampled(rig, 'Crouch', style.crouch.seconds, (phase) => gaitPose(rig, style.crouch, phase)),
    sampled(rig, 'BackFlip', style.backFlip.seconds, (phase) =>
      backFlipPose(rig, style.backFlip.jump, phase),
    ),
    sampled(rig, 'Idle', style.idleSeconds, (phase) => idlePose(rig, style, phase)),
  ];
}

function idlePose(rig: Rig, style: MotionStyle, phase: number): BodyPose {
  const turn = 2 * Math.PI * phase;
  const breath = sin(2 * turn);
  const shift = sin(turn);
  const leg = legLength(rig);
  const pelvis = {
    offset: [0.025 * leg * shift, (-0.014 + 0.003 * breath) * leg, 0],
    turn: euler(0, 2 * shift, shift),
  } as const;
  const turns: Turns = new Map();
  turns.set('Spine', euler(0.5 * breath, -shift, -shift));
  turns.set('Spine1', euler(breath, 0, 0));
  turns.set('Spine2', euler(breath, 0, 0));
  turns.set('Neck', euler(-breath, 3 * shift, 0));
  turns.set('Head', euler(-breath, 5 * shift, 2 * sin(turn + 1)));
  for (const side of SIDES) {
    plantFoot(rig, turns, pelvis, side, standing(rig, side, [0, 0, 0], IDENTITY, true));
    bendArm(rig, turns, side, style.armsHangDeg + breath, 1.5 * breath, 14 + 2 * breath);
  }
  return { pelvis, turns };
}

function sampled(rig: Rig, name: string, seconds: number, pose: (phase: number) => BodyPose): ClipKeys {
  const count = Math.round(seconds * KEYS_PER_SECOND);
  const moving = rig.bones.flatMap((bone, i) =>
    bone.name.startsWith(PREFIX) && !bone.name.endsWith('_End') ? [i] : [],
  );
  const rotations = moving.map((bone): KeyTrack => ({ bone, path: 'rotation', values: [] }));
  const hips = boneIndex(rig, `${PREFIX}Hips`);
  const place: KeyTrack = { bone: hips, path: 'translation', values: [] };
  for (let key = 0; key < count; key++) {
    const { pelvis, turns } = pose(key / count);
    turns.set('Hips', pelvis.turn);
    place.values.push(...add(localTranslation(rig, hips), pelvis.offset));
    for (const { bone, values } of rotations) values.push(...nearest(turned(rig, bone, turns), values));
  }
  const tracks = [place, ...rotations];
  for (const { path, values } of tracks) values.push(...values.slice(0, path === 'rotation' ? 4 : 3));
  return { name, times: Array.from({ length: count + 1 }, (_, key) => key / KEYS_PER_SECOND), tracks };
}

/** Local rotation of a bone whose turn is given in the model axes that its parent carries. */
function turned(rig: Rig, index: number, turns: Turns): Quat {
  const bone = rig.bones[index]!;
  const parent = rig.bones[bone.parent]?.rotation ?? IDENTITY;
  const turn = turns.get(bone.name.slice(PREFIX.length)) ?? IDENTITY;
  return multiply(conjugate(parent), multiply(turn, bone.rotation));
}

/** Of q and -q the one nearer to the key before. */
function nearest(q: Quat, before: readonly number[]): Quat {
  const n = before.length;
  if (n === 0) return q;
  const dot = before[n - 4]! * q[0] + before[n - 3]! * q[1] + before[n - 2]! * q[2] + before[n - 1]! * q[3];
  return dot < 0 ? [-q[0], -q[1], -q[2], -q[3]] : q;
}
