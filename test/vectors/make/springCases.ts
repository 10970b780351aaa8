/** Cases of one spring: each value of a joint, its rest, its length, the root that moves. */
import type { Q4, V3 } from '../../support/referenceMath.js';
import { played, type Played } from './cases.js';
import { gltfOf, row, type Case, type JointJson, type Plan } from './model.js';
import { sixtyDegrees, sway, turn, walk } from './motions.js';

const inertia = 'VRMC_springBone 1.0, "Inertia calculation"';
const applying = 'VRMC_springBone 1.0, "Applying rotation"';
const joints = 'VRMC_springBone 1.0, "joints"';

/** A root with one link of 20 cm that hangs down; the values are those of its only joint. */
function one(values: Omit<JointJson, 'node'>, link: V3 = [0, -0.2, 0], root: V3 = [0, 1, 0]): Played['gltf'] {
  return spring(row(root, [0, 0, 0], link), [{ node: 1, ...values }, { node: 2 }]);
}

function spring(plans: Plan[], list: JointJson[]): Played['gltf'] {
  return gltfOf(plans, { VRMC_springBone: { specVersion: '1.0', springs: [{ joints: list }] } });
}

const ofOne = { positionsOf: [2], rotationsOf: [1] };
/** The root is turned by 60 degrees at once. */
const snap = [{ frame: 2, node: 0, rotation: sixtyDegrees([0, 0, 1]) }];
const plain = { stiffness: 1, gravityPower: 0, dragForce: 0.4 };

const values: Played[] = [
  {
    name: 'rest',
    reason:
      'A joint whose rest hangs down under its own gravity stays where the file has it, from the first frame.',
    rule: 'VRMC_springBone 1.0, "Initialization"',
    reports: ['K5', 'UniVRM#2459', 'UniVRM#2608'],
    gltf: one({ ...plain, gravityPower: 0.5 }, [0, -0.2, 0], [50, 0, 3]),
    ...ofOne,
    frames: [1, 60],
  },
  {
    name: 'gravity-only',
    reason:
      'Without stiffness a level link falls as a pendulum. The power is metres per second added in every frame, so the way per frame is power / 60, not power / 3600.',
    rule: inertia,
    reports: ['K1'],
    gltf: one({ stiffness: 0, gravityPower: 1, dragForce: 0.4 }, [0.2, 0, 0]),
    ...ofOne,
    frames: [1, 2, 3, 5, 10, 30, 60, 120],
  },
  {
    name: 'stiffness-only',
    reason: 'The pull to the rest direction is stiffness / 60 metres long, whatever the length of the link.',
    rule: inertia,
    reports: ['K1'],
    gltf: one({ ...plain, stiffness: 2 }),
    motion: snap,
    ...ofOne,
  },
  ...[0, 0.4, 1].map((dragForce): Played => ({
    name: `drag-${dragForce}`,
    reason: `The last displacement is kept by the factor 1 - dragForce = ${1 - dragForce}${
      dragForce === 0 ? ': it swings on' : dragForce === 1 ? ': nothing overshoots' : ''
    }.`,
    rule: inertia,
    reports: ['K1'],
    gltf: one({ ...plain, dragForce }),
    motion: snap,
    ...ofOne,
    frames: [1, 2, 3, 5, 10, 30, 60, 120],
  })),
  {
    name: 'defaults',
    reason:
      'Values that a joint leaves out: stiffness 1, gravityPower 0, gravityDir (0, -1, 0), dragForce 0.5, hitRadius 0. Some readers take 0.4 for the drag.',
    rule: 'VRMC_springBone 1.0, schema of a joint',
    reports: ['K26'],
    gltf: one({}),
    motion: snap,
    ...ofOne,
  },
  {
    name: 'gravity-and-stiffness',
    reason: 'Both together settle where stiffness times rest direction plus gravity points.',
    rule: inertia,
    reports: ['K21'],
    gltf: one({ stiffness: 0.6, gravityPower: 0.8, dragForce: 0.4 }, [0.2, 0, 0]),
    ...ofOne,
    frames: [1, 2, 3, 5, 10, 30, 60, 120],
  },
  {
    name: 'gravity-dir',
    reason: 'Gravity points into the world, aslant, whatever way the root is turned.',
    rule: inertia,
    reports: ['K21'],
    gltf: one({ ...plain, gravityPower: 0.5, gravityDir: [0.6, 0, -0.8] }),
    motion: snap,
    ...ofOne,
  },
  {
    name: 'gravity-dir-not-unit',
    reason: 'The direction is multiplied as it stands: one of length 2 is gravity of twice the power.',
    rule: inertia,
    reports: ['K16'],
    gltf: one({ ...plain, gravityPower: 0.5, gravityDir: [1.2, 0, -1.6] }),
    motion: snap,
    ...ofOne,
  },
  {
    name: 'gravity-dir-zero',
    reason: 'A direction of length 0 is no gravity, and nothing that is not finite.',
    rule: inertia,
    reports: ['K16'],
    gltf: one({ ...plain, gravityPower: 5, gravityDir: [0, 0, 0] }),
    motion: snap,
    ...ofOne,
    frames: [1, 2, 10, 60],
  },
];

/** Three joints of 8, 12 and 6 cm with values of their own, and their end. */
const chain: JointJson[] = [
  { node: 1, stiffness: 1.5, gravityPower: 0.2, dragForce: 0.3 },
  { node: 2, stiffness: 0.8, gravityPower: 0, dragForce: 0.5 },
  { node: 3, stiffness: 0.5, gravityPower: 0.4, gravityDir: [0, -0.6, 0.8], dragForce: 0.6 },
  { node: 4 },
];
const links: V3[] = [
  [0, -0.08, 0],
  [0, -0.12, 0],
  [0, -0.06, 0],
];
const ofChain = { positionsOf: [2, 3, 4], rotationsOf: [1, 2, 3] };
const head: V3 = [0, 1.5, 0];
const turns: Q4[] = [
  [0.1, 0.5, 0.5, 0.7],
  [0.2, -0.4, 0.4, 0.8],
  [-0.5, 0.5, 0.5, 0.5],
  [0.1, 0.7, -0.1, 0.7],
];
const crooked: Plan[] = [
  { parent: -1, translation: head, rotation: turns[0]! },
  { parent: 0, translation: [0.02, -0.03, 0.05], rotation: turns[1]! },
  { parent: 1, translation: [0.03, 0.04, 0.12], rotation: turns[2]! },
  { parent: 2, translation: [-0.02, 0.06, 0.09], rotation: turns[3]! },
  { parent: 3, translation: [0.05, 0.02, -0.04] },
];

/** The chain under a root that is scaled in the file. */
function scaled(scale: V3, by: number): Played['gltf'] {
  const plans = row(head, [0, 0, 0], ...links.map((v): V3 => [v[0], v[1] / by, v[2]]));
  return spring([{ ...plans[0]!, scale }, ...plans.slice(1)], chain);
}

const shapes: Played[] = [
  {
    name: 'chain-of-three',
    reason:
      'Every joint starts from where this frame has put the one before it: heads and parents are fresh, root first. Joints have their own values; joint i turns node i and swings node i + 1.',
    rule: 'VRMC_springBone 1.0, "Calculation order"',
    reports: ['K19', 'three-vrm#947'],
    gltf: spring(row(head, [0, 0, 0], ...links), chain),
    motion: sway(0, head),
    ...ofChain,
    frames: [1, 2, 3, 5, 10, 20, 30, 40, 60],
  },
  {
    name: 'snap-60',
    reason: 'A chain whose root turns by 60 degrees from one frame to the next overshoots and settles.',
    rule: inertia,
    reports: ['K1', 'UniVRM#425'],
    gltf: spring(row(head, [0, 0, 0], ...links), chain),
    motion: snap,
    ...ofChain,
    frames: [1, 2, 3, 5, 10, 30, 60, 120],
  },
  {
    name: 'jump-10m',
    reason:
      'The algorithm knows no teleport: a root that jumps ten metres in a frame drags the chain behind it. An engine that detects jumps has to be told not to, here.',
    rule: inertia,
    reports: ['K3', 'three-vrm#1112'],
    gltf: spring(row(head, [0, 0, 0], ...links), chain),
    motion: [{ frame: 2, node: 0, translation: [10, 1.5, 0] }],
    ...ofChain,
  },
  {
    name: 'walk',
    reason:
      'A constant 1.4 m/s without a center leaves a chain swept back for good: the algorithm feels the way of its head per frame.',
    rule: inertia,
    reports: ['K4', 'eidoverse-worlds#119'],
    gltf: spring(row(head, [0, 0, 0], ...links), chain),
    motion: walk(0, head, [1, 0, 0], 1.4, 40),
    ...ofChain,
    frames: [1, 2, 3, 5, 10, 20, 40],
  },
  {
    name: 'rest-axes',
    reason:
      'Nodes with rotations at rest, bone axes along nothing: the rest direction is that of the next joint in the space of this one, the rest rotation is kept and only swung, without twist.',
    rule: applying,
    reports: ['K7', 'K20', 'UniVRM#1430'],
    gltf: spring(crooked, chain),
    motion: [{ frame: 2, node: 0, rotation: [0.5, 0.5, 0.5, 0.5] }],
    ...ofChain,
    frames: [1, 2, 3, 5, 10, 20, 30, 60],
  },
  {
    name: 'animated-joint',
    reason:
      'A rotation that is set on a joint from outside is overwritten: rest is what the file has, not the pose of now.',
    rule: applying,
    reports: ['K7', 'UniVRM#1712'],
    gltf: spring(row(head, [0, 0, 0], ...links), chain),
    motion: [
      { frame: 2, node: 2, rotation: sixtyDegrees([1, 0, 0]) },
      { frame: 3, node: 0, rotation: turn([0, 0, 1], 0.25) },
    ],
    ...ofChain,
    frames: [1, 2, 3, 5, 10, 60],
  },
  ...[
    [3, [3, 3, 3] as V3],
    [0.01, [0.01, 0.01, 0.01] as V3],
  ].map((pair): Played => {
    const [by, scale] = pair as [number, V3];
    return {
      name: `root-scale-${by}`,
      reason: `The root of the file is scaled by ${by}, the links are as long in the world as those of snap-60: lengths are taken in the world, so the same numbers come out.`,
      rule: 'VRMC_springBone 1.0, "Initialization": boneLength in the world',
      reports: ['K8', 'UniVRM#922'],
      gltf: scaled(scale, by),
      motion: snap,
      ...ofChain,
    };
  }),
  {
    name: 'root-mirrored',
    reason:
      'A root scaled by (-1, 1, 1), which no rotation can express: positions are the mirror image, x turned over, of what the same tree does without that scale under the mirrored turn.',
    rule: applying,
    reports: ['K10', 'Automatic-DynamicBone#23'],
    gltf: spring([{ ...crooked[0]!, scale: [-1, 1, 1], rotation: [0, 0, 0, 1] }, ...crooked.slice(1)], chain),
    motion: [{ frame: 2, node: 0, rotation: sixtyDegrees([0, 1, 0]) }],
    ...ofChain,
  },
  {
    name: 'last-joint',
    reason:
      'The last joint of a spring is only an end: its values mean nothing and its node is not turned. What hangs from it rides along.',
    rule: 'VRMC_springBone 1.0, "SpringChain" and "joints"',
    reports: ['K17', 'godot-vrm#119'],
    gltf: spring(row(head, [0, 0, 0], ...links, [0, -0.1, 0.02]), [
      chain[0]!,
      chain[1]!,
      { node: 3, stiffness: 50, gravityPower: 9, gravityDir: [1, 0, 0], dragForce: 0, hitRadius: 3 },
    ]),
    motion: snap,
    positionsOf: [2, 3, 4, 5],
    rotationsOf: [1, 2, 3, 4],
    frames: [1, 2, 5, 30],
  },
  {
    name: 'skipped-node',
    reason:
      'A node between two joints is passed over, with the bend it has: the end of joint 1 is where node 3 stands, seen from node 1, not the translation of node 3 in node 2.',
    rule: joints,
    reports: ['K7', 'three-vrm 3.5.5'],
    gltf: spring(crooked, [chain[0]!, chain[2]!, chain[3]!]),
    motion: snap,
    positionsOf: [2, 3, 4],
    rotationsOf: [1, 2, 3],
    frames: [1, 2, 3, 5, 10, 30],
  },
];

export function springCases(): Case[] {
  return [...values, ...shapes].map(played);
}
