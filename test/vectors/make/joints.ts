/**
 * Which joints a file has, with the values that hold for them: VRMC_springBone 1.0 (defaults of its schema; the last
 * joint of a spring is only an end) and secondaryAnimation of VRM 0.x (every bone below a root swings, a chain goes on
 * with the first child, a bone without children gets an end 7 cm ahead; z of vectors is turned over).
 */
import { mul, qinv, qrot, type V3 } from '../../support/referenceMath.js';
import type { ColliderJson, Gltf } from './model.js';
import { at, back, treeOf, unitOf, worldOf, type Tree } from './tree.js';

export interface Joint {
  node: number;
  /** The end in the space of the node, as the file is saved. */
  tail: V3;
  hitRadius: number;
  stiffness: number;
  gravityPower: number;
  gravityDir: V3;
  dragForce: number;
  /** -1: the world. */
  center: number;
  colliders: ColliderJson[];
}

const down: V3 = [0, -1, 0];

/** All joints, each after those above it: root to leaf, whatever the order of the file. */
export function jointsOf(gltf: Gltf): Joint[] {
  const tree = treeOf(gltf);
  const joints = gltf.extensions?.VRM ? oldJoints(gltf, tree) : newJoints(gltf, tree);
  const depth = (n: number): number => (n < 0 ? 0 : 1 + depth(tree.parents[n]!));
  return joints.toSorted((a, b) => depth(a.node) - depth(b.node));
}

function newJoints(gltf: Gltf, tree: Tree): Joint[] {
  const { springs = [], colliders = [], colliderGroups = [] } = gltf.extensions?.VRMC_springBone ?? {};
  return springs.flatMap(({ joints, center = -1, colliderGroups: used = [] }) =>
    joints.slice(0, -1).map(({ node, ...values }, j) => ({
      hitRadius: 0,
      stiffness: 1,
      gravityPower: 0,
      gravityDir: down,
      dragForce: 0.5,
      ...values,
      node,
      // Nodes between two joints are passed over: the end is where the next joint stands, seen from this one.
      tail: back(worldOf(tree, node), worldOf(tree, joints[j + 1]!.node).origin),
      center,
      colliders: used.flatMap((g) => colliderGroups[g]!.colliders).map((c) => colliders[c]!),
    })),
  );
}

function oldJoints({ nodes, extensions }: Gltf, tree: Tree): Joint[] {
  const { boneGroups, colliderGroups } = extensions!.VRM!.secondaryAnimation;
  return boneGroups.flatMap(({ bones, stiffiness, gravityDir, colliderGroups: used, ...values }) => {
    const colliders = used.flatMap((g) => {
      const { node, colliders: spheres } = colliderGroups[g]!;
      return spheres.map(({ offset: { x, y, z }, radius }): ColliderJson => ({
        node,
        shape: { sphere: { offset: [x, y, -z], radius } },
      }));
    });
    const below = (n: number): number[] => [n, ...(nodes[n]!.children ?? []).flatMap(below)];
    return bones.flatMap(below).map((node): Joint => ({
      node,
      tail: endOf(tree, node, nodes[node]!.children?.[0]),
      hitRadius: values.hitRadius,
      stiffness: stiffiness,
      gravityPower: values.gravityPower,
      gravityDir: [gravityDir.x, gravityDir.y, -gravityDir.z],
      dragForce: values.dragForce,
      center: values.center,
      colliders,
    }));
  });
}

/** Where the first child stands; else 7 cm further in the direction in which the node stands from its parent. */
function endOf({ locals }: Tree, node: number, child: number | undefined): V3 {
  if (child !== undefined) return locals[child]!.translation;
  const { translation, rotation } = locals[node]!;
  return qrot(qinv(rotation), mul(unitOf(translation), 0.07));
}

/** The end of a joint in the world, as the tree stands now. */
export function tailNow(tree: Tree, { node, tail }: Joint): V3 {
  return at(worldOf(tree, node), tail);
}
