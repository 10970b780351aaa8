/**
 * The second character: two feet, three strands of hair that meet each other, a charm that hangs from a bone of a strand, a
 * skirt with the springs, colliders and constraints of a VRM file, arms saved in another pose than the skin was bound in.
 */
import type {
  Asset,
  ChainDefinition,
  ColliderDefinition,
  ConstraintDefinition,
  SpringDefinition,
} from '../../src/index.js';
import { bothSides, boneOf, buildRig, chainRows, track, withClips, type BoneRow } from './buildRig.js';
import { turn, wave } from './exact.js';

const headTurn = turn([0, 1, 0.5], 0.25);

const body: BoneRow[] = [
  ['Hips', 'Armature', [0, 1, 0]],
  ['Spine', 'Hips', [0, 1.125, 0]],
  ['Chest', 'Spine', [0, 1.28125, 0], turn([1, 0, 0], 0.0625)],
  ['Neck', 'Chest', [0, 1.5, 0]],
  ['Head', 'Neck', [0, 1.5625, 0.015625], headTurn],
  ...bothSides([
    ['Leg_L', 'Hips', [0.09375, 0.96875, 0]],
    ['Shin_L', 'Leg_L', [0.09375, 0.53125, 0.015625]],
    ['Foot_L', 'Shin_L', [0.09375, 0.09375, 0]],
    ['Toe_L', 'Foot_L', [0.09375, 0.03125, 0.125]],
    ['Arm_L', 'Chest', [0.1875, 1.4375, 0]],
    ['Forearm_L', 'Arm_L', [0.4375, 1.4375, -0.015625]],
    ['Hand_L', 'Forearm_L', [0.6875, 1.4375, 0]],
    ['Eye_L', 'Head', [0.03125, 1.65625, 0.109375]],
  ]),
  // The form of the rig pass: hair with the rotation of the head, and an end.
  ...chainRows('Hair', 'Head', [-0.03125, 1.703125, -0.09375], [0, -0.09375, -0.015625], 4, headTurn),
  ['Hair_End', 'Hair_4', [-0.03125, 1.328125, -0.15625], headTurn],
  ...chainRows('Hair2', 'Head', [0, 1.71875, -0.1015625], [0.00390625, -0.09375, -0.0078125], 4, headTurn),
  ['Hair2_End', 'Hair2_4', [0.015625, 1.34375, -0.1328125], headTurn],
  ...chainRows('Hair3', 'Head', [0.03125, 1.703125, -0.09375], [0, -0.0625, -0.015625], 3, headTurn),
  ['Hair3_End', 'Hair3_3', [0.03125, 1.515625, -0.140625], headTurn],
  ['Charm_1', 'Hair2_2', [0.0078125, 1.609375, -0.1171875], turn([1, 1, 0], 0.5)],
  ['Charm_2', 'Charm_1', [0.0078125, 1.546875, -0.125]],
  ...bothSides(chainRows('SkirtSide_L', 'Hips', [0.15625, 0.984375, 0], [0.03125, -0.125, 0], 3)),
  ...chainRows('SkirtBack', 'Hips', [0, 0.984375, -0.125], [0, -0.125, -0.03125], 3),
];

/** What hangs from a strand of hair, by hand: nothing finds it. */
export function charmOf(asset: Asset): ChainDefinition {
  const bones = ['Charm_1', 'Charm_2'].map((name) => boneOf(asset, name));
  return { name: 'charm', attachment: boneOf(asset, 'Hair2_2'), bones, end: -1, origin: 'artist' };
}

/** Makes the avatar. */
export function makeAvatar(): Asset {
  const asset = buildRig('avatar', body);
  // The file was saved with one arm down and a knee bent: the neutral pose must come from the skin.
  const { rotations } = asset.skeleton;
  rotations.set(turn([0, 0, 1], -0.75), 4 * boneOf(asset, 'Arm_L'));
  rotations.set(turn([1, 0, 0], 0.25), 4 * boneOf(asset, 'Shin_R'));
  const quarters = [0, 0.25, 0.5, 0.75, 1];
  const nod = quarters.map((x) => turn([1, 0.125, 0], wave(x) / 4 - 0.0625));
  return {
    ...withClips(asset, {
      Nod: [
        track(asset, 'Chest', 'rotation', 'linear', quarters, nod),
        track(
          asset,
          'Hand_L',
          'rotation',
          'linear',
          quarters,
          quarters.map((x) => turn([1, 0, 0], wave(x) / 2)),
        ),
        track(
          asset,
          'Neck',
          'rotation',
          'linear',
          quarters,
          quarters.map((x) => turn([0, 1, 0.25], 0.25 - wave(x) / 2)),
        ),
      ],
    }),
    secondary: {
      source: 'vrm-1',
      colliders: colliders(asset),
      groups: [
        { name: 'legs', colliders: [0, 1] },
        { name: 'hips', colliders: [2, 3] },
        { name: 'room', colliders: [4] },
      ],
      springs: springs(asset),
      constraints: constraints(asset),
      humanoid: { hips: boneOf(asset, 'Hips'), head: boneOf(asset, 'Head') },
    },
  };
}

function colliders(asset: Asset): ColliderDefinition[] {
  const leg = (name: string): ColliderDefinition => ({
    bone: boneOf(asset, name),
    shape: {
      kind: 'capsule',
      offset: [0, 0, 0],
      tail: [0, -0.4375, 0.015625],
      radius: 0.09375,
      tailRadius: 0.0625,
      inside: false,
    },
  });
  const hips = boneOf(asset, 'Hips');
  return [
    leg('Leg_L'),
    leg('Leg_R'),
    { bone: hips, shape: { kind: 'sphere', offset: [0, -0.0625, 0], radius: 0.125, inside: false } },
    { bone: hips, shape: { kind: 'plane', offset: [0, 0, 0.125], normal: [0, 0, -1] } },
    { bone: hips, shape: { kind: 'sphere', offset: [0, -0.25, 0], radius: 0.5625, inside: true } },
  ];
}

function springs(asset: Asset): SpringDefinition[] {
  const spring = (base: string, rest: Partial<SpringDefinition>): SpringDefinition => ({
    name: base,
    joints: [1, 2, 3].map((k) => ({
      bone: boneOf(asset, `${base}_${k}`),
      hitRadius: 0.015625,
      // One joint without stiffness: gravity then moves its velocity.
      stiffness: base === 'SkirtBack' && k === 3 ? 0 : 1.5 - k / 4,
      gravityPower: k / 8,
      gravityDir: [0, -1, 0],
      dragForce: [0.375, 0.5, 1][k - 1]!,
    })),
    end: -1,
    endOffset: [0, -0.0703125, 0],
    groups: [0, 1],
    center: -1,
    ...rest,
  });
  return [
    spring('SkirtSide_L', { center: boneOf(asset, 'Root') }),
    spring('SkirtSide_R', { center: boneOf(asset, 'Hips'), groups: [0, 2] }),
    spring('SkirtBack', { groups: [0, 1, 2] }),
  ];
}

function constraints(asset: Asset): ConstraintDefinition[] {
  const bone = (name: string): number => boneOf(asset, name);
  return [
    { bone: bone('Forearm_L'), source: bone('Hand_L'), kind: 'roll', axis: [1, 0, 0], weight: 0.5 },
    { bone: bone('Forearm_R'), source: bone('Forearm_L'), kind: 'rotation', axis: [1, 0, 0], weight: 0.75 },
    { bone: bone('Eye_L'), source: bone('Hand_L'), kind: 'aim', axis: [0, 0, 1], weight: 1 },
    { bone: bone('Eye_R'), source: bone('Eye_L'), kind: 'rotation', axis: [0, 0, 1], weight: 1 },
    { bone: bone('Head'), source: bone('Neck'), kind: 'roll', axis: [0, 1, 0], weight: 0.375 },
  ];
}
