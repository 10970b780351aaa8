/**
 * The body: five implicit limbs (torso with head, two arms, two legs) grown around a skeleton, meshed as one
 * connected skin with flat soles, and skinned by distance. Every vertex belongs to its limbs by their distance
 * fields, and within a limb hands its weight on from bone to bone across soft planes at the joints.
 */
import {
  cone,
  smoothMin,
  smoothUnion,
  surfaceNets,
  type DistanceField,
  type RoundCone,
  type TriangleMesh,
} from './implicitSurface.js';
import { add, dot, normalize, scale, smoothstep, sub, type Vec3 } from './linear.js';
import { boneIndex, onSide, PREFIX, SIDES, type JointTable, type Rig, type Side } from './humanoidRig.js';
import type { Influence } from './skin.js';

/** Radii in metres, and where the skin bends. */
export interface BodyBuild {
  /** Cell of the mesher. */
  cell: number;
  /** Cones of pelvis, trunk, neck and head, in the order in which they are joined. */
  torso: RoundCone[];
  /** Radii at the shoulder, the elbow, the wrist and the finger tips. */
  arm: readonly [number, number, number, number];
  /** Length of the hand beyond the wrist. */
  handLength: number;
  /** Radii at the hip, the knee, the ankle and the toes. */
  leg: readonly [number, number, number, number];
  /** Width of the smooth joins where limbs meet the trunk. */
  limbBlend: number;
  /** Distance over which trunk and limb share a vertex. */
  limbShare: number;
  /** Half width of the soft plane at the head of each bone, by name without side. */
  softness: Readonly<Record<string, number>>;
}

interface Limb {
  field: DistanceField;
  /** Bones from the trunk outwards. */
  bones: number[];
  /** One plane per bone but the first: crossing it goes from the bone before to this one. */
  planes: { point: Vec3; normal: Vec3; half: number }[];
}

export interface BodyMesh extends TriangleMesh {
  influences: Influence[][];
}

export function bodyMesh(rig: Rig, joints: JointTable, build: BodyBuild): BodyMesh {
  const limbs = [
    limb(rig, build, smoothUnion(build.torso), ['Hips', 'Spine', 'Spine1', 'Spine2', 'Neck', 'Head']),
    ...SIDES.map((side) =>
      limb(
        rig,
        build,
        smoothUnion(armCones(joints, build, side)),
        names(side, ['Shoulder', 'Arm', 'ForeArm', 'Hand']),
      ),
    ),
    ...SIDES.map((side) =>
      limb(
        rig,
        build,
        smoothUnion(legCones(joints, build, side)),
        names(side, ['UpLeg', 'Leg', 'Foot', 'ToeBase']),
      ),
    ),
  ];
  const field: DistanceField = (x, y, z) => {
    let d = limbs[0]!.field(x, y, z);
    for (let i = 1; i < limbs.length; i++) d = smoothMin(d, limbs[i]!.field(x, y, z), build.limbBlend);
    return Math.max(d, -y);
  };
  const { low, high } = bounds(joints, build);
  const mesh = surfaceNets(field, low, high, build.cell);
  return { ...mesh, influences: mesh.positions.map((p) => weigh(limbs, p, build.limbShare)) };
}

const names = (side: Side, bones: readonly string[]): string[] => bones.map((bone) => side + bone);

function armCones(joints: JointTable, build: BodyBuild, side: Side): RoundCone[] {
  const [shoulder, elbow, wrist, fingers] = build.arm;
  const along = normalize(sub(joints.hand, joints.foreArm));
  const at = (distance: number): Vec3 => add(joints.hand, scale(along, distance));
  const palmNormal = normalize([-along[1], along[0], 0]);
  const thumbRoot = at(build.handLength * 0.15);
  const thumbTip = add(at(build.handLength * 0.62), [0, -0.1 * build.handLength, build.handLength * 0.5]);
  const flatten = { axis: palmNormal, share: 0.7 };
  const left: RoundCone[] = [
    cone(joints.shoulder, joints.arm, shoulder * 0.9, shoulder, 0.03),
    cone(joints.arm, joints.foreArm, shoulder, elbow, 0.03),
    cone(joints.foreArm, joints.hand, elbow, wrist, 0.03),
    { ...cone(at(-0.01), at(build.handLength - fingers), wrist * 1.35, fingers, 0.03), flatten },
    cone(thumbRoot, thumbTip, fingers * 0.8, fingers * 0.62, 0.015),
  ];
  return left.map((part) => sided(part, side));
}

function legCones(joints: JointTable, build: BodyBuild, side: Side): RoundCone[] {
  const [hip, knee, ankle, toes] = build.leg;
  const heel: Vec3 = [joints.foot[0], ankle * 0.75, joints.foot[2] - ankle * 0.5];
  const ball: Vec3 = [joints.toeBase[0], toes * 0.72, joints.toeBase[2]];
  const tip: Vec3 = [joints.toeEnd[0], toes * 0.6, joints.toeEnd[2] - toes * 0.8];
  const calf = add(joints.leg, [0, (joints.foot[1] - joints.leg[1]) * 0.3, -knee * 0.3]);
  const left: RoundCone[] = [
    cone(joints.upLeg, joints.leg, hip, knee, 0.03),
    cone(joints.leg, joints.foot, knee * 0.97, ankle, 0.03),
    cone(calf, joints.foot, knee * 0.93, ankle * 0.9, 0.03),
    cone(heel, ball, ankle, toes, 0.03),
    cone(ball, tip, toes * 1.08, toes * 0.85, 0.03),
  ];
  return left.map((part) => sided(part, side));
}

function sided(part: RoundCone, side: Side): RoundCone {
  const flatten = part.flatten && { ...part.flatten, axis: onSide(part.flatten.axis, side) };
  return { ...part, a: onSide(part.a, side), b: onSide(part.b, side), ...(flatten && { flatten }) };
}

/** A cone and its mirror image. */
export const bothSides = (part: RoundCone): RoundCone[] => SIDES.map((side) => sided(part, side));

function limb(rig: Rig, build: BodyBuild, field: DistanceField, boneNames: readonly string[]): Limb {
  const bones = boneNames.map((name) => boneIndex(rig, PREFIX + name));
  const planes = boneNames.slice(1).map((name, i) => {
    const before = rig.bones[bones[i]!]!;
    const here = rig.bones[bones[i + 1]!]!;
    return {
      point: here.head,
      normal: normalize(add(yAxis(before.rotation), yAxis(here.rotation))),
      half: build.softness[name.replace(/^(Left|Right)/, '')] ?? 0.04,
    };
  });
  return { field, bones, planes };
}

const yAxis = (q: readonly [number, number, number, number]): Vec3 => [
  2 * (q[0] * q[1] - q[2] * q[3]),
  1 - 2 * (q[0] * q[0] + q[2] * q[2]),
  2 * (q[1] * q[2] + q[0] * q[3]),
];

function weigh(limbs: readonly Limb[], p: Vec3, share: number): Influence[] {
  const distances = limbs.map((each) => each.field(p[0], p[1], p[2]));
  const nearest = Math.min(...distances);
  const influences: Influence[] = [];
  limbs.forEach((each, i) => {
    const nearness = Math.max(0, 1 - (distances[i]! - nearest) / share);
    let weight = nearness * nearness;
    if (weight === 0) return;
    each.bones.forEach((bone, k) => {
      const plane = each.planes[k];
      const beyond = plane ? smoothstep(-plane.half, plane.half, dot(sub(p, plane.point), plane.normal)) : 0;
      if (beyond < 1) influences.push({ bone, weight: weight * (1 - beyond) });
      weight *= beyond;
    });
  });
  return influences;
}

/** A box around everything, with the plane x = 0 in the middle and y = 0 between two cell layers. */
function bounds(joints: JointTable, build: BodyBuild): { low: Vec3; high: Vec3 } {
  const margin = 3 * build.cell;
  let [x, y, back, front] = [joints.hand[0] + build.handLength, 0, 0, joints.toeEnd[2] + build.leg[3]];
  for (const { a, b, radiusA, radiusB } of build.torso)
    for (const [p, r] of [
      [a, radiusA],
      [b, radiusB],
    ] as const) {
      x = Math.max(x, p[0] + r);
      y = Math.max(y, p[1] + r);
      back = Math.min(back, p[2] - r);
      front = Math.max(front, p[2] + r);
    }
  x += margin;
  return {
    low: [-x, -2.5 * build.cell, back - margin],
    high: [x, y + margin, front + margin],
  };
}
