/**
 * Places in a tree of nodes: affine maps as three columns and an origin, straight from the glTF rule T R S. Only + - * /
 * and square roots, so that the files come out the same on every engine.
 */
import {
  add,
  cross,
  dot,
  identity,
  mul,
  qmul,
  qrot,
  sub,
  type Q4,
  type V3,
} from '../../support/referenceMath.js';
import type { Change, Gltf } from './model.js';

export interface Affine {
  columns: [V3, V3, V3];
  origin: V3;
}

interface Local {
  translation: V3;
  rotation: Q4;
  scale: V3;
}

/** Nodes with the local transforms they have now. */
export interface Tree {
  parents: number[];
  locals: Local[];
  /** How the engine rounds what it stores; single precision is tried with Math.fround. */
  round: (x: number) => number;
}

/** Length by a square root: unlike Math.hypot the same everywhere. */
export function length(a: V3): number {
  return Math.sqrt(dot(a, a));
}

export function unitOf(a: V3): V3 {
  return mul(a, 1 / length(a));
}

export function normalized(q: Q4): Q4 {
  const size = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return [q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}

/** The smallest rotation that takes one unit vector to another that is not opposite. */
export function fromTo(a: V3, b: V3): Q4 {
  return normalized([...cross(a, b), 1 + dot(a, b)]);
}

export const unmoved: Affine = {
  columns: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  origin: [0, 0, 0],
};

export function treeOf({ nodes }: Gltf, round: Tree['round'] = (x) => x): Tree {
  const parents = nodes.map(() => -1);
  nodes.forEach(({ children = [] }, n) => children.forEach((child) => (parents[child] = n)));
  const locals = nodes.map(({ translation, rotation, scale }): Local => ({
    translation: rounded(translation ?? [0, 0, 0], round),
    rotation: rounded(rotation ?? identity, round),
    scale: rounded(scale ?? [1, 1, 1], round),
  }));
  return { parents, locals, round };
}

/** Gives nodes the transforms of a frame. */
export function pose(tree: Tree, motion: Change[], frame: number): void {
  for (const { node, translation, rotation } of motion.filter((change) => change.frame === frame)) {
    const local = tree.locals[node]!;
    if (translation) local.translation = rounded(translation, tree.round);
    if (rotation) local.rotation = rounded(rotation, tree.round);
  }
}

export function rounded<T extends number[]>(list: T, round: Tree['round']): T {
  return list.map(round) as T;
}

export function localOf(tree: Tree, n: number): Affine {
  const { translation, rotation, scale } = tree.locals[n]!;
  const column = (i: number): V3 => mul(qrot(rotation, unmoved.columns[i]!), scale[i]!);
  return { columns: [column(0), column(1), column(2)], origin: translation };
}

/** World transform of a node from the local ones that hold now; of nothing for -1. */
export function worldOf(tree: Tree, n: number): Affine {
  if (n < 0) return unmoved;
  const { columns, origin } = times(worldOf(tree, tree.parents[n]!), localOf(tree, n));
  const [x, y, z] = columns;
  const { round } = tree;
  return {
    columns: [rounded(x, round), rounded(y, round), rounded(z, round)],
    origin: rounded(origin, round),
  };
}

/** World rotation of a node where nothing above it is scaled unevenly. */
export function turnOf(tree: Tree, n: number): Q4 {
  return n < 0 ? identity : qmul(turnOf(tree, tree.parents[n]!), tree.locals[n]!.rotation);
}

/** The map b, then a. */
export function times(a: Affine, b: Affine): Affine {
  const [x, y, z] = b.columns;
  return { columns: [turned(a, x), turned(a, y), turned(a, z)], origin: at(a, b.origin) };
}

/** A direction through a map. */
export function turned({ columns: [x, y, z] }: Affine, v: V3): V3 {
  return add(add(mul(x, v[0]), mul(y, v[1])), mul(z, v[2]));
}

/** A point through a map. */
export function at(a: Affine, p: V3): V3 {
  return add(turned(a, p), a.origin);
}

/** A point back through a map (rows of the inverse are cross products of the columns over the determinant). */
export function back({ columns: [x, y, z], origin }: Affine, p: V3): V3 {
  const det = dot(x, cross(y, z));
  const from = sub(p, origin);
  return [dot(cross(y, z), from) / det, dot(cross(z, x), from) / det, dot(cross(x, y), from) / det];
}

/** A normal through a map, unit: it goes with the cofactors, which have the sign of the determinant. */
export function normalThrough({ columns: [x, y, z] }: Affine, n: V3): V3 {
  const sign = dot(x, cross(y, z)) < 0 ? -1 : 1;
  const sum = add(add(mul(cross(y, z), n[0]), mul(cross(z, x), n[1])), mul(cross(x, y), n[2]));
  return mul(unitOf(sum), sign);
}
