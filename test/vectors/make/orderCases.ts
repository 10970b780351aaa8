/** Cases of several springs, of centers, of nodes in any order, and of files of VRM 0.x. */
import type { V3 } from '../../support/referenceMath.js';
import { played, type Played } from './cases.js';
import {
  gltfOf,
  row,
  type Case,
  type Change,
  type Plan,
  type SecondaryAnimation,
  type SpringBoneJson,
} from './model.js';
import { nod, sixtyDegrees, sway, walk } from './motions.js';

type Springs = SpringBoneJson['springs'];

const order = 'VRMC_springBone 1.0, "Calculation order"';
const head: V3 = [0, 1.5, 0];

function springs(plans: Plan[], list: Springs): Played['gltf'] {
  return gltfOf(plans, { VRMC_springBone: { specVersion: '1.0', springs: list } });
}

/** Nodes 1 to 3 swing, 4 hangs from the end, 4 to 6 swing. */
const line = row(
  head,
  [0, 0, 0],
  [0, -0.1, 0],
  [0, -0.1, 0],
  [0, -0.02, 0.02],
  [0, -0.1, 0],
  [0, -0.08, 0.02],
);
const upper: Springs[0] = {
  name: 'upper',
  joints: [
    { node: 1, stiffness: 1, dragForce: 0.4 },
    { node: 2, stiffness: 0.7, dragForce: 0.4 },
    { node: 3 },
  ],
};
const lower: Springs[0] = {
  name: 'lower',
  joints: [
    { node: 4, stiffness: 0.5, gravityPower: 0.1, dragForce: 0.3 },
    { node: 5, stiffness: 0.5, dragForce: 0.5 },
    { node: 6 },
  ],
};
const ofLine = { positionsOf: [2, 3, 5, 6], rotationsOf: [1, 2, 4, 5], frames: [1, 2, 3, 5, 10, 20, 40, 60] };

/** Nodes 1 to 3 swing; 4 hangs from 2, 4 to 5 swing. */
const fork: Plan[] = [
  ...line.slice(0, 4),
  { parent: 2, translation: [0.05, -0.02, 0] },
  { parent: 4, translation: [0.06, -0.06, 0] },
];

const severals: Played[] = [
  {
    name: 'spring-on-spring',
    reason:
      'A spring that hangs from the end of another takes its head and parent from where that one stands in this frame.',
    rule: order,
    reports: ['K19', 'three-vrm#947'],
    gltf: springs(line, [upper, lower]),
    motion: sway(0, head),
    ...ofLine,
  },
  {
    name: 'springs-in-reverse',
    reason:
      'The same two springs, the lower one first in the file: the same numbers. Ancestors go first, not what the file lists first.',
    rule: order,
    reports: ['K19', 'VRM4U#162'],
    gltf: springs(line, [lower, upper]),
    motion: sway(0, head),
    ...ofLine,
  },
  ...[false, true].map((reverse): Played => ({
    name: reverse ? 'branch-in-reverse' : 'branch',
    reason: `A spring that hangs from a joint in the middle of another, ${
      reverse ? 'listed first: the same numbers' : 'listed last'
    }. The specification calls the order of branching springs undefined, but its algorithm says that ancestors go first.`,
    rule: 'VRMC_springBone 1.0, "Branching SpringChain (undefined)" and "Calculation order"',
    reports: ['K18', 'vrm-specification#472'],
    gltf: springs(
      fork,
      reverse
        ? [{ joints: [{ node: 4, stiffness: 0.5, dragForce: 0.4 }, { node: 5 }] }, upper]
        : [upper, { joints: [{ node: 4, stiffness: 0.5, dragForce: 0.4 }, { node: 5 }] }],
    ),
    motion: [{ frame: 2, node: 0, rotation: sixtyDegrees([1, 0, 1]) }],
    positionsOf: [2, 3, 5],
    rotationsOf: [1, 2, 4],
    frames: [1, 2, 3, 5, 10, 30],
  })),
  {
    name: 'nodes-in-reverse',
    reason: 'Children stand before their parents in the list of nodes: nothing may depend on node indices.',
    rule: order,
    reports: ['K19'],
    gltf: springs(
      [
        { parent: 1, translation: [0, -0.1, 0.03] },
        { parent: 2, translation: [0, -0.1, 0] },
        { parent: 3, translation: [0.02, 0, 0] },
        { parent: -1, translation: head },
      ],
      [
        {
          joints: [
            { node: 2, stiffness: 0.8, dragForce: 0.4 },
            { node: 1, stiffness: 0.6, dragForce: 0.3 },
            { node: 0 },
          ],
        },
      ],
    ),
    motion: [{ frame: 2, node: 3, rotation: sixtyDegrees([0, 0, 1]) }],
    positionsOf: [1, 0],
    rotationsOf: [2, 1],
    frames: [1, 2, 3, 5, 10, 30],
  },
];

/** A root, a head on it, a chain of two joints on the head. */
const body: Plan[] = row([0, 0, 0], [0, 1.5, 0], [0, 0.1, -0.05], [0, -0.1, -0.02], [0, -0.12, 0]);
const hair = (center?: number): Springs => [
  {
    joints: [
      { node: 2, stiffness: 0.8, gravityPower: 0.2, dragForce: 0.4 },
      { node: 3, stiffness: 0.5, gravityPower: 0.1, dragForce: 0.3 },
      { node: 4 },
    ],
    ...(center !== undefined && { center }),
  },
];
const ofHair = { positionsOf: [3, 4], rotationsOf: [2, 3] };
const nodding = nod(1);
const spaces = 'VRMC_springBone 1.0, "Considering center space"';

const centers: Played[] = [
  {
    name: 'center-still',
    reason: 'A center that stands still changes nothing: the numbers are those without one.',
    rule: spaces,
    reports: ['K4', 'UniVRM#1546'],
    gltf: springs(body, hair(0)),
    motion: nodding,
    ...ofHair,
  },
  {
    name: 'center-moving',
    reason:
      'A center that goes and turns, a head that nods on it: only inertia is measured in its space. The rest direction and gravity are those of the world.',
    rule: spaces,
    reports: ['K4', 'three-vrm#1112', 'three-vrm#983'],
    gltf: springs(body, hair(0)),
    motion: [...sway(0, [0, 0, 0]), ...nodding],
    ...ofHair,
  },
  {
    name: 'center-walk',
    reason:
      'Everything goes at 1.4 m/s and the center with it: nothing of it is felt, the chain stands as at rest.',
    rule: spaces,
    reports: ['K4', 'eidoverse-worlds#119'],
    gltf: springs(body, hair(0)),
    motion: walk(0, [0, 0, 0], [0, 0, 1], 1.4, 30),
    ...ofHair,
    frames: [1, 2, 10, 30, 60],
  },
  {
    name: 'center-turning',
    reason:
      'The head that nods is the center itself: its turning is felt by the rest direction alone, not as inertia.',
    rule: 'VRMC_springBone 1.0, "Center Space"',
    reports: ['K4'],
    gltf: springs(body, hair(1)),
    motion: nodding,
    ...ofHair,
    frames: [1, 2, 10, 30, 60],
  },
];

type Group = SecondaryAnimation['boneGroups'][0];

function old(plans: Plan[], group: Partial<Group> & { bones: number[] }): Played['gltf'] {
  return gltfOf(plans, {
    VRM: {
      secondaryAnimation: {
        boneGroups: [
          {
            stiffiness: 0.8,
            gravityPower: 0,
            gravityDir: { x: 0, y: -1, z: 0 },
            dragForce: 0.4,
            center: -1,
            hitRadius: 0.02,
            colliderGroups: [],
            ...group,
          },
        ],
        colliderGroups: [],
      },
    },
  });
}

const leaf = 'VRMC_springBone 1.0, "For vrm0"';
const snap: Change[] = [{ frame: 2, node: 0, rotation: sixtyDegrees([0, 0, 1]) }];
const ofOld = { frames: [1, 2, 3, 5, 10, 30] };
const olds: Played[] = [
  {
    name: 'vrm0-leaf',
    reason:
      'VRM 0.x: every bone below a root swings, the last one too: its end is 7 cm further in the direction in which it stands from its parent.',
    rule: leaf,
    reports: ['K17', 'vrm_bevy_vtuber#29'],
    gltf: old(row(head, [0, 0, 0], [0, -0.1, 0], [0.03, -0.04, 0]), { bones: [1] }),
    motion: snap,
    positionsOf: [2, 3],
    rotationsOf: [1, 2, 3],
    ...ofOld,
  },
  {
    name: 'vrm0-leaf-scaled',
    reason: 'VRM 0.x: the 7 cm are in the space of the bone, so under a root scaled by 2 they are 14 cm.',
    rule: leaf,
    reports: ['K9', 'UniVRM#111'],
    gltf: old(
      [
        { parent: -1, translation: head, scale: [2, 2, 2] },
        { parent: 0, translation: [0, 0.01, 0] },
        { parent: 1, translation: [0, -0.05, 0] },
      ],
      { bones: [1] },
    ),
    motion: snap,
    positionsOf: [2],
    rotationsOf: [1, 2],
    ...ofOld,
  },
  {
    name: 'vrm0-gravity-z',
    reason:
      'VRM 0.x: vectors are those of a left-handed engine. Gravity with z = 1 points to -z of the glTF space.',
    rule: 'VRM 0.0, secondaryAnimation; how UniVRM migrates it',
    reports: ['K26', 'three-vrm 3.5.5'],
    gltf: old(row(head, [0, 0, 0], [0, -0.1, 0], [0, -0.1, 0]), {
      bones: [1],
      gravityPower: 0.5,
      gravityDir: { x: 0.6, y: 0, z: 0.8 },
    }),
    positionsOf: [2, 3],
    rotationsOf: [1, 2, 3],
    ...ofOld,
  },
  {
    name: 'vrm0-branch',
    reason:
      'VRM 0.x: where a bone has two children, its end is the first; the second swings on its own and rides on what turns the bone.',
    rule: 'VRM 0.0, secondaryAnimation',
    reports: ['K18', 'UniVRM#2331'],
    gltf: old(
      [
        ...row(head, [0, 0, 0], [0, -0.1, 0]),
        { parent: 1, translation: [0.05, -0.05, 0] },
        { parent: 3, translation: [0.06, 0, 0.02] },
      ],
      { bones: [1] },
    ),
    motion: snap,
    positionsOf: [2, 3, 4],
    rotationsOf: [1, 2, 3, 4],
    ...ofOld,
  },
];

export function orderCases(): Case[] {
  return [...severals, ...centers, ...olds].map(played);
}
