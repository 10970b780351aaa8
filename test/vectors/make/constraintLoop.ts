/**
 * VRMC_node_constraint 1.0 as its pseudo-code has it: roll, aim and rotation in quaternions and world positions, what a
 * constraint depends on first. Weights are halves of halves, so that slerp needs nothing but a square root.
 */
import { mul, qinv, qmul, qrot, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import type { Constraint, Gltf } from './model.js';
import { fromTo, normalized, turnOf, unitOf, worldOf, type Tree } from './tree.js';

const axes: Record<string, V3> = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };

/** The axis of a name like X, PositiveY or NegativeZ. */
function axisOf(name: string): V3 {
  return mul(axes[name.at(-1)!]!, name.startsWith('Negative') ? -1 : 1);
}

/** Turns the constrained nodes of a tree; the file says which and what rest is. */
export function constrain({ nodes }: Gltf, tree: Tree): void {
  const rest = nodes.map(({ rotation }): Q4 => rotation ?? [0, 0, 0, 1]);
  const done = new Set<number>();
  const visit = (n: number): void => {
    const constraint = nodes[n]!.extensions?.VRMC_node_constraint.constraint;
    if (!constraint || done.has(n)) return;
    done.add(n);
    for (const other of dependencies(tree, n, constraint)) visit(other);
    const { source, weight = 1 } = (constraint.roll ?? constraint.aim ?? constraint.rotation)!;
    const target = targetOf(tree, n, constraint, rest[n]!, rest[source]!);
    tree.locals[n]!.rotation = slerp(rest[n]!, target, weight);
  };
  nodes.forEach((_, n) => visit(n));
}

/** The source; for an aim, which looks at places in the world, also everything above the source and the node. */
function dependencies(tree: Tree, n: number, { roll, aim, rotation }: Constraint): number[] {
  const above = (m: number): number[] => (m < 0 ? [] : [m, ...above(tree.parents[m]!)]);
  return aim ? [...above(aim.source), ...above(tree.parents[n]!)] : [(roll ?? rotation)!.source];
}

function targetOf(tree: Tree, n: number, constraint: Constraint, dstRest: Q4, srcRest: Q4): Q4 {
  const { roll, aim, rotation } = constraint;
  if (aim) {
    const parent = turnOf(tree, tree.parents[n]!);
    const from = qrot(qmul(parent, dstRest), axisOf(aim.aimAxis));
    const to = unitOf(sub(worldOf(tree, aim.source).origin, worldOf(tree, n).origin));
    return qmul(qmul(qmul(qinv(parent), fromTo(from, to)), parent), dstRest);
  }
  const delta = qmul(qinv(srcRest), tree.locals[(roll ?? rotation)!.source]!.rotation);
  if (!roll) return qmul(dstRest, delta);
  const inParent = qmul(qmul(srcRest, delta), qinv(srcRest));
  const inDst = qmul(qmul(qinv(dstRest), inParent), dstRest);
  const axis = axisOf(roll.rollAxis);
  return qmul(qmul(dstRest, qinv(fromTo(axis, qrot(inDst, axis)))), inDst);
}

/** Along the shorter arc; the weight is a sum of halves of halves. */
function slerp(a: Q4, b: Q4, weight: number): Q4 {
  if (weight === 0) return a;
  if (weight === 1) return normalized(b);
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  const half = normalized([a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3]]);
  return weight < 0.5 ? slerp(a, half, 2 * weight) : slerp(half, b, 2 * weight - 1);
}
