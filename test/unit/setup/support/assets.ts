/**
 * Hand-made characters for the build tests: nodes with a bind pose and a saved pose, skins in any space. World and
 * inverse bind matrices are three.js's, so that nothing here shares code with what is tested.
 */
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Asset, Clip, MeshPrimitive, Skin } from '../../../../src/asset/asset.js';

export type Triple = [number, number, number];
export type Quad = [number, number, number, number];

/** A node: its pose at bind, and what the file saves instead when that differs. */
export interface NodeSpec {
  name: string;
  parent?: string;
  t?: Triple;
  r?: Quad;
  s?: Triple;
  saved?: { t?: Triple; r?: Quad; s?: Triple };
}

/** A skin over joints by name. `space` maps bind world to skin space, as quantisation and mesh units do. */
export interface SkinSpec {
  joints: string[];
  space?: Matrix4;
  /** Bind world per joint where this skin disagrees with the nodes. */
  binds?: Record<string, Matrix4>;
}

/** Skinned points: positions in bind world, each fully on one joint. */
export interface PointSpec {
  joint: string;
  at: Triple[];
}

export function makeAsset(
  nodes: NodeSpec[],
  skins: SkinSpec[] = [],
  points: PointSpec[] = [],
  clips: Clip[] = [],
): Asset {
  const count = nodes.length;
  const index = (name: string): number => nodes.findIndex((node) => node.name === name);
  const worlds = bindWorlds(nodes);
  const bound = skins.map((skin, i): Skin => {
    const inverseBinds = skin.joints.flatMap((name) => {
      const bind = skin.binds?.[name] ?? worlds[index(name)]!;
      return (skin.space ?? new Matrix4()).clone().multiply(bind).invert().toArray();
    });
    return {
      name: `skin${i}`,
      joints: Int32Array.from(skin.joints, index),
      inverseBinds: Float64Array.from(inverseBinds),
    };
  });
  const space = skins[0]?.space ?? new Matrix4();
  const meshes = points.map(({ joint, at }, i): MeshPrimitive => {
    return {
      name: `mesh${i}`,
      mesh: i,
      primitive: 0,
      material: '',
      bone: 0,
      skin: 0,
      positions: Float64Array.from(at.flatMap((p) => new Vector3(...p).applyMatrix4(space).toArray())),
      indices: new Uint32Array(),
      influences: 4,
      joints: Uint16Array.from(at.flatMap(() => [skins[0]!.joints.indexOf(joint), 0, 0, 0])),
      weights: Float64Array.from(at.flatMap(() => [1, 0, 0, 0])),
    };
  });
  return {
    name: 'hand-made',
    skeleton: {
      count,
      names: nodes.map(({ name }) => name),
      parents: Int32Array.from(nodes, ({ parent }) => (parent === undefined ? -1 : index(parent))),
      nodes: Int32Array.from(nodes, (_, i) => i),
      translations: Float64Array.from(nodes.flatMap((node) => node.saved?.t ?? node.t ?? [0, 0, 0])),
      rotations: Float64Array.from(nodes.flatMap((node) => node.saved?.r ?? node.r ?? [0, 0, 0, 1])),
      scales: Float64Array.from(nodes.flatMap((node) => node.saved?.s ?? node.s ?? [1, 1, 1])),
    },
    skins: bound,
    meshes,
    clips,
    warnings: [],
  };
}

/** World matrices of the bind pose, by three.js. */
export function bindWorlds(nodes: NodeSpec[]): Matrix4[] {
  const worlds: Matrix4[] = [];
  for (const { parent, t = [0, 0, 0], r = [0, 0, 0, 1], s = [1, 1, 1] } of nodes) {
    const local = new Matrix4().compose(new Vector3(...t), new Quaternion(...r), new Vector3(...s));
    const above = parent === undefined ? -1 : nodes.findIndex(({ name }) => name === parent);
    worlds.push(above < 0 ? local : worlds[above]!.clone().multiply(local));
  }
  return worlds;
}

/** A repeatable stream of numbers in 0..1. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** A random rotation. */
export function randomQuat(next: () => number): Quad {
  const q = new Quaternion(next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5).normalize();
  return [q.x, q.y, q.z, q.w];
}

/** Rotation about an axis, in degrees. */
export function turn(axis: Triple, deg: number): Quad {
  const q = new Quaternion().setFromAxisAngle(new Vector3(...axis).normalize(), (deg * Math.PI) / 180);
  return [q.x, q.y, q.z, q.w];
}

/** Largest absolute difference of two lists of numbers. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}
