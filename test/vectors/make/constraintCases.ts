/** Cases of VRMC_node_constraint 1.0: each kind, weights, rests that differ, dependencies, springs behind constraints. */
import type { Q4, V3 } from '../../support/referenceMath.js';
import { played, type Played } from './cases.js';
import { constrain } from './constraintLoop.js';
import { gltfOf, type Case, type Change, type Constraint, type Plan } from './model.js';
import { sixtyDegrees, turn } from './motions.js';

const roll = 'VRMC_node_constraint 1.0, "Roll Constraint"';
const aim = 'VRMC_node_constraint 1.0, "Aim Constraint"';
const rotation = 'VRMC_node_constraint 1.0, "Rotation Constraint"';
const order = 'VRMC_node_constraint 1.0, "Dependency resolution between constraints"';

function by(constraint: Constraint): Pick<Plan, 'extensions'> {
  return { extensions: { VRMC_node_constraint: { specVersion: '1.0', constraint } } };
}

const p: V3 = [0, 1, 0];
const q1: Q4 = [0.1, 0.5, 0.5, 0.7];
const q2: Q4 = [0.2, -0.4, 0.4, 0.8];
const q3: Q4 = [-0.1, 0.3, 0.3, 0.9];
const quarter: Q4 = [Math.sqrt(0.5), 0, 0, Math.sqrt(0.5)];

/** A root, the source and the constrained node, both on the root. */
function pair(
  constraint: Constraint,
  source: Omit<Plan, 'parent'> = {},
  own: Omit<Plan, 'parent'> = {},
): Played['gltf'] {
  return gltfOf([
    { parent: -1, name: 'root', translation: p },
    { parent: 0, name: 'source', translation: [0.3, 0, 0], ...source },
    { parent: 0, name: 'constrained', translation: [0.1, 0.05, 0], ...own, ...by(constraint) },
  ]);
}

/** The source is turned in frame 1. */
const turnedTo = (q: Q4): Change[] => [{ frame: 1, node: 1, rotation: q }];
const ofPair = { positionsOf: [], rotationsOf: [2], frames: [1] };

const rolls: Played[] = [
  ...[1, 0.5, 0.25, 0].map((weight): Played => ({
    name: `roll-weight-${weight}`,
    reason: `A quarter turn of the source about x, handed over with weight ${weight}.`,
    rule: roll,
    reports: ['K29'],
    gltf: pair({ roll: { source: 1, rollAxis: 'X', weight } }),
    motion: turnedTo(quarter),
    ...ofPair,
  })),
  ...['X', 'Y', 'Z'].map((rollAxis): Played => ({
    name: `roll-about-${rollAxis.toLowerCase()}`,
    reason:
      'Source and node rest in different rotations and the source turns about no axis: what tilts the roll axis is taken out by the smallest rotation, what is left is the roll about the axis of the constrained node.',
    rule: roll,
    reports: ['K29', 'VRM-Addon-for-Blender#941'],
    gltf: pair({ roll: { source: 1, rollAxis } }, { rotation: q1 }, { rotation: q2 }),
    motion: turnedTo(q3),
    ...ofPair,
  })),
  {
    name: 'roll-beyond-half-a-turn',
    reason:
      'A roll of about 212 degrees is one of -148: with weight 1/2 the node goes the shorter way, to -74 degrees.',
    rule: `${roll}, "Weight"`,
    reports: ['K29'],
    gltf: pair({ roll: { source: 1, rollAxis: 'X', weight: 0.5 } }),
    motion: turnedTo([0.96, 0, 0, -0.28]),
    ...ofPair,
  },
];

const aims: Played[] = [
  ...['PositiveX', 'NegativeX', 'PositiveY', 'NegativeY', 'PositiveZ', 'NegativeZ'].map(
    (aimAxis): Played => ({
      name: `aim-${aimAxis.slice(0, 8).toLowerCase()}-${aimAxis.at(-1)!.toLowerCase()}`,
      reason:
        'The axis is turned to the source by the smallest rotation, from the rest of the node, in the world.',
      rule: aim,
      reports: ['K29', 'UniVRM#1763'],
      gltf: pair({ aim: { source: 1, aimAxis } }, {}, { rotation: q2 }),
      motion: [{ frame: 1, node: 1, translation: [0.3, 0.25, -0.35] }],
      ...ofPair,
    }),
  ),
  {
    name: 'aim-half',
    reason: 'With weight 1/2 the node goes half of the way.',
    rule: aim,
    reports: ['K29'],
    gltf: pair({ aim: { source: 1, aimAxis: 'PositiveX', weight: 0.5 } }, {}, { rotation: q3 }),
    motion: [{ frame: 1, node: 1, translation: [0.3, 0.25, -0.35] }],
    ...ofPair,
  },
  {
    name: 'aim-under-turned-parents',
    reason:
      'The parent of the node is turned and scaled, and in another branch than the source: both meet in the world.',
    rule: aim,
    reports: ['K29', 'UniVRM#1763'],
    gltf: gltfOf([
      { parent: -1, name: 'root', translation: p, rotation: q3 },
      { parent: 0, name: 'upperArm', translation: [0.2, 0.3, 0], rotation: q1 },
      { parent: 1, name: 'lowerArm', translation: [0, 0.25, 0.02] },
      { parent: 0, name: 'shoulder', translation: [0.1, 0.3, -0.05], rotation: q2, scale: [2, 2, 2] },
      {
        parent: 3,
        name: 'sleeve',
        translation: [0.05, 0, 0.01],
        rotation: q3,
        ...by({ aim: { source: 2, aimAxis: 'PositiveY' } }),
      },
    ]),
    motion: [
      { frame: 1, node: 0, rotation: [0.5, 0.5, 0.5, 0.5] },
      { frame: 1, node: 1, rotation: sixtyDegrees([1, 0, 1]) },
    ],
    positionsOf: [2],
    rotationsOf: [4],
    frames: [1],
  },
];

const rotations: Played[] = [1, 0.75, 0].map((weight) => ({
  name: `rotation-weight-${weight}`,
  reason: `The source turns from its rest to now in its own frame; the node does the same in its own, with weight ${weight}${
    weight === 0 ? ', so it rests, although the pose turns it' : ''
  }.`,
  rule: rotation,
  reports: ['K29', 'K22'],
  gltf: pair({ rotation: { source: 1, weight } }, { rotation: q1 }, { rotation: q2 }),
  motion: [
    { frame: 1, node: 1, rotation: q3 },
    { frame: 1, node: 2, rotation: quarter },
  ],
  ...ofPair,
}));

const orders: Played[] = [
  {
    name: 'constraint-on-constraint',
    reason:
      'A node that follows a constrained node stands before it in the file: it is met after it all the same.',
    rule: order,
    reports: ['K29', 'UniVRM#2593'],
    gltf: gltfOf([
      { parent: -1, name: 'root', translation: p },
      { parent: 0, name: 'third', rotation: q1, ...by({ rotation: { source: 2, weight: 0.5 } }) },
      { parent: 0, name: 'second', rotation: q2, ...by({ roll: { source: 3, rollAxis: 'Y' } }) },
      { parent: 0, name: 'first' },
    ]),
    motion: [{ frame: 1, node: 3, rotation: q3 }],
    positionsOf: [],
    rotationsOf: [1, 2],
    frames: [1],
  },
  {
    name: 'aim-at-what-hangs-from-a-constrained-node',
    reason:
      'The source of an aim is moved by a constraint above it: that one goes first, though it stands later in the file.',
    rule: order,
    reports: ['K29'],
    gltf: gltfOf([
      { parent: -1, name: 'root', translation: p },
      {
        parent: 0,
        name: 'eye',
        translation: [0.2, 0, 0],
        ...by({ aim: { source: 3, aimAxis: 'PositiveZ' } }),
      },
      { parent: 0, name: 'arm', translation: [-0.2, 0, 0], ...by({ rotation: { source: 4 } }) },
      { parent: 2, name: 'hand', translation: [0, 0.3, 0.2] },
      { parent: 0, name: 'handle' },
    ]),
    motion: [{ frame: 1, node: 4, rotation: sixtyDegrees([0, 0, 1]) }],
    positionsOf: [3],
    rotationsOf: [1, 2],
    frames: [1],
  },
  {
    name: 'spring-behind-a-constraint',
    reason:
      'Constraints are met before springs in every frame: a spring that hangs from a constrained node sees it as it stands now.',
    rule: 'VRMC_vrm 1.0, order of updates; VRMC_springBone 1.0',
    reports: ['K29', 'K19'],
    gltf: gltfOf(
      [
        { parent: -1, name: 'root', translation: p },
        { parent: 0, name: 'source' },
        {
          parent: 0,
          name: 'constrained',
          translation: [0, 0.2, 0],
          ...by({ rotation: { source: 1, weight: 0.5 } }),
        },
        { parent: 2, name: 'hair1', translation: [0, 0.1, 0] },
        { parent: 3, name: 'hair2', translation: [0, -0.1, -0.02] },
        { parent: 4, name: 'hair3', translation: [0, -0.1, 0] },
      ],
      {
        VRMC_springBone: {
          specVersion: '1.0',
          springs: [
            {
              joints: [
                { node: 3, stiffness: 1, dragForce: 0.4 },
                { node: 4, stiffness: 0.6, dragForce: 0.4 },
                { node: 5 },
              ],
            },
          ],
        },
      },
    ),
    motion: [
      { frame: 2, node: 1, rotation: turn([0, 0, 1], 0.6) },
      { frame: 8, node: 1, rotation: turn([1, 0, 0], 0.3) },
    ],
    positionsOf: [4, 5],
    rotationsOf: [2, 3, 4],
    frames: [1, 2, 3, 5, 8, 9, 20, 60],
  },
];

export function constraintCases(): Case[] {
  return [...rolls, ...aims, ...rotations, ...orders].map((given) =>
    played({ ...given, before: (tree) => constrain(given.gltf, tree) }),
  );
}
