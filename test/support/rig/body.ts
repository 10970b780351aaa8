/**
 * Upright bodies for the rig pass, from a few proportions: 22 bones with Mixamo's names and four end nodes, as one
 * fused skin (one implicit surface, a tail grown into it) or as one closed shell per limb. Everything is in metres,
 * faces +Z, stands on y = 0, and is the same at every call.
 */
import { bodyMesh, bothSides, type BodyBuild } from '../../../examples/characters/bodyMesh.js';
import {
  boneIndex,
  humanoidRig,
  onSide,
  PREFIX,
  SIDES,
  type JointTable,
  type Rig,
} from '../../../examples/characters/humanoidRig.js';
import {
  cone,
  smoothUnion,
  type DistanceField,
  type RoundCone,
} from '../../../examples/characters/implicitSurface.js';
import { add, distance, scale, smoothstep, type Vec3 } from '../../../examples/characters/linear.js';
import type { Influence } from '../../../examples/characters/skin.js';
import { curveThrough } from '../../../examples/characters/tube.js';
import { tubeShell, type Shell } from './shells.js';

/** What tells one body from the next; lengths as shares of the height. */
export interface Proportions {
  height: number;
  /** Height of the hips. */
  hips: number;
  /** Radius of the head. */
  head: number;
  /** Radius of the pelvis; belly and chest follow. */
  girth: number;
  /** Radius of the thigh; everything else of the limbs follows. */
  limb: number;
  /** Half the distance of the legs. */
  stance: number;
  /** How far the arms hang down from the T pose: 0 level, 1 by 45 degrees. */
  droop: number;
  /** Edge of the mesher's cells. */
  cell: number;
}

export interface Body {
  proportions: Proportions;
  joints: JointTable;
  rig: Rig;
  /** Point of the pelvis' back from which a tail grows, and the radius there. */
  tailRoot: Vec3;
}

export const SLIM: Proportions = {
  height: 1.8,
  hips: 0.5,
  head: 0.07,
  girth: 0.06,
  limb: 0.04,
  stance: 0.052,
  droop: 0.8,
  cell: 0.025,
};
export const FAT: Proportions = {
  height: 1.5,
  hips: 0.42,
  head: 0.1,
  girth: 0.17,
  limb: 0.075,
  stance: 0.09,
  droop: 0.5,
  cell: 0.028,
};
export const FOX: Proportions = { ...SLIM, height: 1.9, girth: 0.065, limb: 0.05, cell: 0.024 };
export const MOUSE: Proportions = {
  height: 1.2,
  hips: 0.4,
  head: 0.12,
  girth: 0.095,
  limb: 0.056,
  stance: 0.065,
  droop: 0.9,
  cell: 0.016,
};
export const TOON: Proportions = {
  height: 1.0,
  hips: 0.3,
  head: 0.2,
  girth: 0.15,
  limb: 0.075,
  stance: 0.085,
  droop: 0.2,
  cell: 0.016,
};

export function makeBody(proportions: Proportions): Body {
  const { height: h, hips, head, girth, limb, stance, droop } = proportions;
  const headJoint = 1 - 2 * head;
  const neck = headJoint - 0.045;
  const up = (share: number): number => hips + (neck - hips) * share;
  const reach = Math.max(0.09, girth + 0.8 * limb);
  const arm: Vec3 = [reach, up(0.88), 0];
  const along: Vec3 = [1 / Math.sqrt(1 + droop * droop), -droop / Math.sqrt(1 + droop * droop), 0];
  const thigh = hips - 0.03;
  const table = {
    hips: [0, hips, 0],
    spine: [0, up(0.25), 0],
    spine1: [0, up(0.5), 0],
    spine2: [0, up(0.75), 0],
    neck: [0, neck, 0],
    head: [0, headJoint, 0],
    headTop: [0, 1, 0],
    shoulder: [0.03, up(0.92), 0],
    arm,
    foreArm: add(arm, scale(along, 0.15)),
    hand: add(add(arm, scale(along, 0.28)), [0, 0, 0.012]),
    upLeg: [stance, thigh, 0],
    leg: [stance * 1.1, (thigh + 0.05) / 2, 0.008],
    foot: [stance * 1.15, 0.05, -0.01],
    toeBase: [stance * 1.2, 0.02, 0.055],
    toeEnd: [stance * 1.2, 0.018, 0.1],
  } satisfies Record<keyof JointTable, Vec3>;
  const joints = Object.fromEntries(
    Object.entries(table).map(([name, p]) => [name, scale(p, h)]),
  ) as unknown as JointTable;
  return {
    proportions,
    joints,
    rig: humanoidRig(joints),
    tailRoot: scale([0, hips - 0.01, -0.92 * girth], h),
  };
}

/** Cones of pelvis, belly, chest, neck and head. */
function torsoCones({ proportions, joints }: Body): RoundCone[] {
  const { height: h, girth, head } = proportions;
  const g = girth * h;
  const side: Vec3 = [0.35 * g, 0, 0];
  const blend = 0.025 * h;
  return [
    cone(add(joints.hips, scale(side, -1)), add(joints.hips, side), g, g, blend),
    cone(joints.hips, joints.spine1, 0.95 * g, 0.9 * g, blend),
    cone(joints.spine1, joints.spine2, 0.9 * g, 0.95 * g, blend),
    cone(joints.spine2, joints.neck, 0.9 * g, 0.035 * h, blend),
    cone(joints.neck, joints.head, 0.035 * h, 0.035 * h, blend),
    cone(
      add(joints.head, [0, head * h, 0]),
      add(joints.head, [0, head * h, 0.02 * h]),
      head * h,
      head * h * 0.95,
      blend,
    ),
    ...bothSides(
      cone(
        add(joints.head, [0.6 * head * h, 1.6 * head * h, 0]),
        add(joints.head, [0.9 * head * h, 2.4 * head * h, 0]),
        0.35 * head * h,
        0.12 * head * h,
        0.4 * blend,
      ),
    ),
  ];
}

function buildOf({ proportions }: Body, torso: RoundCone[]): BodyBuild {
  const { height: h, limb, cell } = proportions;
  const r = limb * h;
  return {
    cell,
    torso,
    arm: [0.62 * r, 0.5 * r, 0.42 * r, Math.max(0.3 * r, cell)],
    handLength: 0.08 * h,
    leg: [r, 0.68 * r, Math.max(0.5 * r, cell), Math.max(0.45 * r, cell)],
    limbBlend: 0.02 * h,
    limbShare: 0.045 * h,
    softness: {},
  };
}

/** Width of the fillet between body and tail, as a share of the height. */
export const FILLET = 0.01;

/** Distance from the trunk and head of a body, below 0 inside. */
export const trunkField = (body: Body): DistanceField => smoothUnion(torsoCones(body));

/**
 * One welded skin. With a tail its cones are part of the surface; `tail` is 0 on the body, 0.5 where the fillet between
 * the two ends, and 1 from there on.
 */
export function fusedSkin(body: Body, tailCones: readonly RoundCone[]): Shell {
  const bodyField = trunkField(body);
  const mesh = bodyMesh(body.rig, body.joints, buildOf(body, [...torsoCones(body), ...tailCones]));
  const tailField = tailCones.length > 0 ? smoothUnion(tailCones) : (): number => Infinity;
  const fillet = FILLET * body.proportions.height;
  const tail = mesh.positions.map(([x, y, z]) => {
    // Legs and arms are nearer than a tail that does not touch them.
    const t = tailField(x, y, z);
    return t > 2 * fillet ? 0 : smoothstep(-fillet, 3 * fillet, bodyField(x, y, z) - t);
  });
  return {
    name: 'skin',
    positions: [...mesh.positions],
    triangles: [...mesh.triangles],
    influences: mesh.influences.map((list, v) =>
      mixed(list, tail[v]!, () => legInfluences(body.rig, mesh.positions[v]!)),
    ),
    tail,
  };
}

/** One closed shell per limb: trunk, head, arms, legs. */
export function limbShells(body: Body): Shell[] {
  const { joints, rig, proportions } = body;
  const { height: h, girth, head, limb, cell } = proportions;
  const r = limb * h;
  const g = girth * h;
  const shell = (
    name: string,
    points: readonly Vec3[],
    radii: readonly number[],
    bones: readonly string[],
  ): Shell => limbShell(rig, name, points, radii, bones, cell);
  const shells = [
    shell(
      'trunk',
      [add(joints.hips, [0, -0.9 * g, 0]), joints.hips, joints.spine1, joints.spine2, joints.neck],
      [0.3 * g, g, 0.92 * g, 0.95 * g, 0.035 * h],
      ['Hips', 'Spine', 'Spine1', 'Spine2', 'Neck'],
    ),
    shell(
      'head',
      [-0.3, 0.35, 1, 1.65, 2].map((t): Vec3 => add(joints.head, [0, t * head * h, 0])),
      [0.25, 0.75, 1, 0.75, 0.25].map((t) => t * head * h),
      ['Neck', 'Head'],
    ),
  ];
  for (const side of SIDES) {
    const at = (...points: Vec3[]): Vec3[] => points.map((p) => onSide(p, side));
    const fingers = add(joints.hand, scale(add(joints.hand, scale(joints.foreArm, -1)), 0.6));
    shells.push(
      shell(
        `${side}Arm`,
        at(joints.shoulder, joints.arm, joints.foreArm, joints.hand, fingers),
        [0.4 * r, 0.62 * r, 0.5 * r, 0.42 * r, 0.25 * r],
        ['Shoulder', 'Arm', 'ForeArm', 'Hand'].map((bone) => side + bone),
      ),
      shell(
        `${side}Leg`,
        at(joints.upLeg, joints.leg, joints.foot, [joints.foot[0], 0.6 * joints.foot[1], joints.foot[2]]),
        [r, 0.68 * r, 0.5 * r, 0.4 * r],
        ['UpLeg', 'Leg', 'Foot'].map((bone) => side + bone),
      ),
      shell(
        `${side}Foot`,
        at(joints.foot, joints.toeBase, joints.toeEnd),
        [0.55 * r, 0.45 * r, 0.35 * r],
        ['Foot', 'ToeBase'].map((bone) => side + bone),
      ),
    );
  }
  return shells;
}

function limbShell(
  rig: Rig,
  name: string,
  points: readonly Vec3[],
  radii: readonly number[],
  bones: readonly string[],
  cell: number,
): Shell {
  const curve = curveThrough(points);
  const stops = points.map((_, i) => lengthTo(points, i));
  const total = stops.at(-1)!;
  const widest = Math.max(...radii);
  return tubeShell(curve, {
    name,
    from: 0,
    to: curve.length,
    rings: Math.max(6, Math.round(curve.length / (1.3 * cell))),
    sides: Math.max(8, Math.round((2 * Math.PI * widest) / (1.6 * cell))),
    radius: (along) => {
      const t = (along / curve.length) * total;
      let i = 0;
      while (i < stops.length - 2 && stops[i + 1]! < t) i++;
      const share = Math.min(1, Math.max(0, (t - stops[i]!) / (stops[i + 1]! - stops[i]!)));
      return radii[i]! + (radii[i + 1]! - radii[i]!) * share;
    },
    weigh: (p) =>
      nearestBones(
        rig,
        p,
        bones.map((bone) => boneIndex(rig, PREFIX + bone)),
        4,
      ),
    tail: () => 0,
  });
}

function lengthTo(points: readonly Vec3[], index: number): number {
  let sum = 0;
  for (let i = 1; i <= index; i++) sum += distance(points[i - 1]!, points[i]!);
  return sum;
}

/** What an automatic rigger makes of tail skin: the two nearest leg bones by 1 / d^2. */
export function legInfluences(rig: Rig, p: Vec3): Influence[] {
  const names = SIDES.flatMap((side) => [`${side}UpLeg`, `${side}Leg`]);
  return nearestBones(
    rig,
    p,
    names.map((name) => boneIndex(rig, PREFIX + name)),
    2,
  );
}

/** The two nearest of some bones, weighted by a power of the distance. */
function nearestBones(rig: Rig, p: Vec3, bones: readonly number[], power: 2 | 4): Influence[] {
  const near = bones
    .map((bone) => ({ bone, d: Math.max(1e-6, boneDistance(rig, p, bone)) }))
    .toSorted((a, b) => a.d - b.d || a.bone - b.bone)
    .slice(0, 2);
  const shares = near.map(({ d }) => 1 / (power === 2 ? d * d : d * d * d * d));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return near.map(({ bone }, i) => ({ bone, weight: shares[i]! / total }));
}

function boneDistance(rig: Rig, p: Vec3, bone: number): number {
  const { head } = rig.bones[bone]!;
  const next = rig.bones.find(({ parent }) => parent === bone)?.head ?? head;
  const along = add(next, scale(head, -1));
  const from = add(p, scale(head, -1));
  const squared = along[0] * along[0] + along[1] * along[1] + along[2] * along[2];
  const t = squared > 0 ? (from[0] * along[0] + from[1] * along[1] + from[2] * along[2]) / squared : 0;
  return distance(from, scale(along, Math.min(1, Math.max(0, t))));
}

function mixed(list: readonly Influence[], share: number, others: () => Influence[]): Influence[] {
  if (share === 0) return [...list];
  const total = list.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return [
    ...list.map(({ bone, weight }) => ({ bone, weight: ((1 - share) * weight) / total })),
    ...others().map(({ bone, weight }) => ({ bone, weight: share * weight })),
  ];
}
