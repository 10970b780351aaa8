/**
 * Cases with colliders. How far a push-out and the restored length after it leave a tail inside is an accident of the
 * reference implementation, which no better engine should copy. So values are given only where every way out ends in
 * the same place: where nothing touches (they come from the naive loop), and where a limp link has settled (they come
 * from a closed form). Under forces there are invariants.
 */
import { add, dot, mul, sub, type V3 } from '../../support/referenceMath.js';
import { played, usual, type Played } from './cases.js';
import {
  gltfOf,
  row,
  type Case,
  type ColliderJson,
  type Expected,
  type JointJson,
  type Plan,
} from './model.js';
import type { Gltf, Shape, Words } from './model.js';
import { sixtyDegrees, turn } from './motions.js';
import { fromTo, length, unitOf } from './tree.js';

const pushing = 'VRMC_springBone 1.0, "Collision with colliders"';
const extending = 'VRMC_springBone_extended_collider 1.0';

/** The head of the link and its end at rest: a level link of 20 cm along x, 1 m up. */
const head: V3 = [0, 1, 0];
const rest: V3 = [0.2, 1, 0];
const linkLength = 0.2;

/** Root, joint, end, and a node that carries the colliders. */
const plans: Plan[] = [
  ...row(head, [0, 0, 0], [linkLength, 0, 0]),
  { parent: -1, name: 'carrier', translation: [0, 0, 0] },
];

export function extended(shape: Shape, node = 3): ColliderJson {
  return {
    node,
    shape: { sphere: { offset: [0, -10000, 0], radius: 0 } },
    extensions: { VRMC_springBone_extended_collider: { specVersion: '1.0', shape } },
  };
}

export function plain(shape: Shape, node = 3): ColliderJson {
  return { node, shape };
}

/** A link among colliders; limp and without inertia if not said otherwise. */
export function among(
  colliders: ColliderJson[],
  values: Omit<JointJson, 'node'> = {},
  nodes: Plan[] = plans,
  felt: number[] = [...colliders.keys()],
): Gltf {
  return gltfOf(nodes, {
    VRMC_springBone: {
      specVersion: '1.0',
      colliders,
      colliderGroups: [{ colliders: felt }],
      springs: [
        {
          joints: [{ node: 1, stiffness: 0, gravityPower: 0, dragForce: 1, ...values }, { node: 2 }],
          colliderGroups: [0],
        },
      ],
    },
  });
}

/**
 * Where a link ends that goes the shortest way to the distance `reach` from a point: with D the distance of the point
 * and u its direction, the angle to u has the cosine (D^2 + l^2 - reach^2) / (2 D l), in the plane of u and the link.
 */
export function onRim(center: V3, reach: number, from: V3 = rest): V3 {
  const w = sub(center, head);
  const distance = length(w);
  const u = mul(w, 1 / distance);
  const k = (distance * distance + linkLength * linkLength - reach * reach) / (2 * distance * linkLength);
  const link = unitOf(sub(from, head));
  const aside = unitOf(sub(link, mul(u, dot(link, u))));
  return add(head, mul(add(mul(u, k), mul(aside, Math.sqrt(1 - k * k))), linkLength));
}

/** Where the link ends that has been turned up until its end is on a plane, level or not. */
function onPlane(point: V3, normal: V3, clearance: number): V3 {
  const k = (dot(sub(point, head), normal) + clearance) / linkLength;
  const link = unitOf(sub(rest, head));
  const aside = unitOf(sub(link, mul(normal, dot(link, normal))));
  return add(head, mul(add(mul(normal, k), mul(aside, Math.sqrt(1 - k * k))), linkLength));
}

export function settledAt(tail: V3): Expected {
  const rotation = fromTo([1, 0, 0], unitOf(sub(tail, head)));
  const frames = [30, 60].map((frame) => ({ frame, positions: [tail], rotations: [rotation] }));
  return { positionsOf: [2], rotationsOf: [1], frames };
}

interface Settled extends Words {
  gltf: Gltf;
  tail: V3;
}

const sphere: Shape = { sphere: { offset: [0.19, 0.96, 0], radius: 0.06 } };
const across: Shape = { capsule: { offset: [0.19, 0.96, -0.3], radius: 0.06, tail: [0.19, 0.96, 0.3] } };
const limp =
  'A limp link that begins inside is turned out by the shortest way and stays: its end on the surface, its length exact.';

const settled: Settled[] = [
  {
    name: 'sphere',
    reason: limp,
    rule: pushing,
    reports: ['K11', 'K14'],
    gltf: among([plain(sphere)]),
    tail: onRim([0.19, 0.96, 0], 0.06),
  },
  {
    name: 'sphere-hit-radius',
    reason: 'The hitRadius of the joint is added to the radius of the collider.',
    rule: pushing,
    reports: ['K11', 'VRM4U#316'],
    gltf: among([plain(sphere)], { hitRadius: 0.02 }),
    tail: onRim([0.19, 0.96, 0], 0.08),
  },
  {
    name: 'sphere-on-turned-node',
    reason: 'The offset of a collider is in the space of its node: turned, moved and scaled with it.',
    rule: pushing,
    reports: ['K11', 'VRM-Addon-for-Blender#510'],
    // Turned by 90 degrees about z: (x, y) goes to (-y, x); half a metre per unit.
    gltf: among([plain({ sphere: { offset: [-0.08, -0.18, 0], radius: 0 } })], { hitRadius: 0.06 }, [
      ...plans.slice(0, 3),
      {
        parent: -1,
        translation: [0.1, 1, 0],
        rotation: [0, 0, Math.sqrt(0.5), Math.sqrt(0.5)],
        scale: [0.5, 0.5, 0.5],
      },
    ]),
    tail: onRim([0.19, 0.96, 0], 0.06),
  },
  {
    name: 'capsule-side',
    reason: `${limp} The axis stands square to the way out.`,
    rule: pushing,
    reports: ['K11', 'UniVRM#2291'],
    gltf: among([plain(across)], { hitRadius: 0.01 }),
    tail: onRim([0.19, 0.96, 0], 0.07),
  },
  {
    name: 'capsule-end',
    reason: 'Beyond the end of its axis a capsule is a ball about that end, no longer and no shorter.',
    rule: pushing,
    reports: ['K11', 'UniVRM#2291'],
    gltf: among([plain({ capsule: { offset: [0.19, 0.7, 0], radius: 0.06, tail: [0.19, 0.96, 0] } })]),
    tail: onRim([0.19, 0.96, 0], 0.06),
  },
  {
    name: 'capsule-nearest-to-the-tail',
    reason:
      'The nearest point of the axis is that of the tail. (Projecting the head of the joint instead, as an engine does, finds no contact here.)',
    rule: pushing,
    reports: ['K11', 'UniVRM#2205'],
    gltf: among([plain({ capsule: { offset: [0.1, 0.97, 0], radius: 0.05, tail: [0.4, 0.97, 0] } })]),
    tail: onPlane([0, 0.97, 0], [0, 1, 0], 0.05),
  },
  {
    name: 'capsule-without-length',
    reason: 'A capsule whose two ends meet is a sphere: nothing is divided by its length.',
    rule: pushing,
    reports: ['K11', 'K16'],
    gltf: among([plain({ capsule: { offset: [0.19, 0.96, 0], radius: 0.06, tail: [0.19, 0.96, 0] } })]),
    tail: onRim([0.19, 0.96, 0], 0.06),
  },
  {
    name: 'plane',
    reason: 'A plane holds the end of the link, plus its hitRadius, on the side of its normal.',
    rule: `${extending}, "Plane Collider"`,
    reports: ['K15'],
    gltf: among([extended({ plane: { offset: [7, 1.03, -5], normal: [0, 1, 0] } })], { hitRadius: 0.02 }),
    tail: onPlane([0, 1.03, 0], [0, 1, 0], 0.02),
  },
  {
    name: 'plane-on-turned-node',
    reason:
      'A plane turns with its node. Its normal is (0, 0, 1) where the file says nothing; the node turns that upward and aslant. Offset and normal go through a scale each in its own way.',
    rule: `${extending}, "Plane Collider"`,
    reports: ['K10', 'K26'],
    // The node maps (0, 0, 1) to (0, 0.96, 0.28) by a turn about x.
    gltf: among([extended({ plane: {} })], {}, [
      ...plans.slice(0, 3),
      { parent: -1, translation: [0.3, 1.04, 0], rotation: [-0.6, 0, 0, 0.8], scale: [3, 3, 3] },
    ]),
    tail: onPlane([0.3, 1.04, 0], [0, 0.96, 0.28], 0),
  },
  {
    name: 'inside-sphere',
    reason: 'A sphere that holds the end inside: its radius less the hitRadius is as far as the end may go.',
    rule: `${extending}, "Inside Sphere Collider"`,
    reports: ['K11'],
    gltf: among([extended({ sphere: { offset: [0.02, 1.15, 0], radius: 0.22, inside: true } })], {
      hitRadius: 0.02,
    }),
    tail: onRim([0.02, 1.15, 0], 0.2),
  },
  {
    name: 'inside-capsule',
    reason: 'A capsule that holds the end inside; the axis stands square to the way in.',
    rule: `${extending}, "Inside Capsule Collider"`,
    reports: ['K11'],
    gltf: among(
      [
        extended({
          capsule: { offset: [0.02, 1.15, -0.4], radius: 0.22, tail: [0.02, 1.15, 0.4], inside: true },
        }),
      ],
      { hitRadius: 0.02 },
    ),
    tail: onRim([0.02, 1.15, 0], 0.2),
  },
  {
    name: 'extended-replaces-plain',
    reason:
      'Where an extended shape stands, the plain one beside it is only for readers that do not know the extension: this one would push the link to the other side.',
    rule: extending,
    reports: ['K26'],
    gltf: among([
      {
        ...extended({ plane: { offset: [0, 1.05, 0], normal: [0, 1, 0] } }),
        shape: { sphere: { offset: [0.2, 1.02, 0], radius: 0.08 } },
      },
    ]),
    tail: onPlane([0, 1.05, 0], [0, 1, 0], 0),
  },
];

const snap = [{ frame: 2, node: 0, rotation: sixtyDegrees([0, 0, 1]) }];
const springy = { stiffness: 1, gravityPower: 0.3, dragForce: 0.4 };
const untouched: Played[] = [
  {
    name: 'sphere-out-of-reach',
    reason: 'A sphere that the end passes at 2 mm changes nothing.',
    rule: pushing,
    reports: ['K11'],
    gltf: among([plain({ sphere: { offset: [0.262, 1, 0], radius: 0.05 } })], {
      ...springy,
      hitRadius: 0.01,
    }),
    motion: snap,
    positionsOf: [2],
    rotationsOf: [1],
  },
  {
    name: 'sphere-beside-the-middle',
    reason: 'Only the end of a link is tested: a sphere that stands across its middle changes nothing.',
    rule: pushing,
    reports: ['K12', 'godot-proposals#14581'],
    gltf: among([plain({ sphere: { offset: [0.07, 1, 0], radius: 0.05 } })], { ...springy, hitRadius: 0.01 }),
    motion: [{ frame: 2, node: 0, rotation: turn([0, 0, 1], 0.1) }],
    positionsOf: [2],
    rotationsOf: [1],
  },
  {
    name: 'collider-of-another-group',
    reason: 'A spring feels only colliders of the groups that it names.',
    rule: 'VRMC_springBone 1.0, "springs"',
    reports: ['K26'],
    gltf: among([plain(sphere), plain({ sphere: { offset: [0, 9, 0], radius: 1 } })], springy, plans, [1]),
    motion: snap,
    positionsOf: [2],
    rotationsOf: [1],
  },
  {
    name: 'hit-radius-of-the-joint-above',
    reason:
      'The radius at the end of joint i is the hitRadius of joint i, not of the joint that stands there: this chain passes 2 cm from the sphere with 1 cm, and would not with the 30 cm of its last joint.',
    rule: 'VRMC_springBone 1.0, "SpringChain": the values of the last joint are not used',
    reports: ['K11', 'VRM4U#316'],
    gltf: gltfOf(plans, {
      VRMC_springBone: {
        specVersion: '1.0',
        colliders: [plain({ sphere: { offset: [0.27, 1, 0], radius: 0.05 } })],
        colliderGroups: [{ colliders: [0] }],
        springs: [
          {
            joints: [
              { node: 1, ...springy, hitRadius: 0.01 },
              { node: 2, hitRadius: 0.3 },
            ],
            colliderGroups: [0],
          },
        ],
      },
    }),
    motion: snap,
    positionsOf: [2],
    rotationsOf: [1],
  },
];

export function untouchedCases(): Case[] {
  return untouched.map(played);
}

export function settledCases(): Case[] {
  return settled.map(({ name, reason, rule, reports, gltf, tail }) => ({
    name,
    reason,
    rule,
    reports,
    input: { gltf, motion: [] },
    expected: settledAt(tail),
    tolerance: usual,
  }));
}
