/**
 * From bodies and shells to characters as `loadGltf` would give them: an armature (scaled, mirrored or not), the
 * bones, one skin or several, meshes, and what tests must know about them.
 */
import type { Asset, MeshPrimitive, Skin } from '../../../src/index.js';
import { localRotation, localTranslation, type Rig } from '../../../examples/characters/humanoidRig.js';
import {
  conjugate,
  rotate,
  scale,
  X,
  Y,
  Z,
  type Quat,
  type Vec3,
} from '../../../examples/characters/linear.js';
import type { Curve } from '../../../examples/characters/tube.js';
import type { Shell } from './shells.js';

/** A mesh: shells in one primitive, on one skin. */
export interface MeshSpec {
  name: string;
  shells: readonly Shell[];
  /** Which skin, default 0. */
  skin?: number;
  /** Name of the material, default none. */
  material?: string;
}

export interface CharacterSpec {
  rig: Rig;
  meshes: readonly MeshSpec[];
  /** Scales of nested armature nodes, default one of 1. */
  armature?: readonly number[];
  /** Rig bones per skin; default one skin of all but end bones. */
  skins?: readonly (readonly number[])[];
  /** Extra scale of the space of each skin against that of the first, default 1. */
  skinUnits?: readonly number[];
  /** Nodes without any use, by name, at the top of the file. */
  extraNodes?: readonly string[];
}

export interface TestCharacter {
  asset: Asset;
  /** Bone number in the asset of each rig bone. */
  boneOf: number[];
  /** Per mesh and vertex the share that belongs to the tail. */
  tail: number[][];
  /** Known centre line of the tail. */
  centreLine?: Curve;
}

/** Whether a rig bone is a joint: end bones only mark where the last bone ends. */
const isJoint = (name: string): boolean => !name.endsWith('_End');

export function character(spec: CharacterSpec): TestCharacter {
  const { rig, armature = [1] } = spec;
  const unit = armature.reduce((product, s) => product * s, 1);
  const names: string[] = [];
  const parents: number[] = [];
  const translations: number[] = [];
  const rotations: number[] = [];
  const scales: number[] = [];
  const push = (name: string, parent: number, t: Vec3, r: Quat, s: Vec3): number => {
    parents.push(parent);
    translations.push(...t);
    rotations.push(...r);
    scales.push(...s);
    return names.push(name) - 1;
  };
  let top = -1;
  armature.forEach((s, i) => {
    top = push(
      i === 0 ? 'Armature' : `Armature${i}`,
      top,
      [0, 0, 0],
      [0, 0, 0, 1],
      [s, Math.abs(s), Math.abs(s)],
    );
  });
  const boneOf: number[] = [];
  rig.bones.forEach((bone, i) =>
    boneOf.push(
      push(
        bone.name,
        boneOf[bone.parent] ?? top,
        scale(localTranslation(rig, i), 1 / Math.abs(unit)),
        localRotation(rig, i),
        [1, 1, 1],
      ),
    ),
  );
  for (const name of spec.extraNodes ?? []) push(name, -1, [0, 0, 0], [0, 0, 0, 1], [1, 1, 1]);
  const joints = spec.skins ?? [[...rig.bones.keys()].filter((b) => isJoint(rig.bones[b]!.name))];
  const units = joints.map((_, s) => Math.abs(unit) * (spec.skinUnits?.[s] ?? 1));
  const skins = joints.map((list, s): Skin => ({
    name: `skin${s}`,
    joints: Int32Array.from(list, (b) => boneOf[b]!),
    inverseBinds: Float64Array.from(
      list.flatMap((b) => inverseBind(rig.bones[b]!, Math.abs(unit), units[s]! / Math.abs(unit))),
    ),
  }));
  const meshes = spec.meshes.map((mesh, m) => {
    const node = push(mesh.name, -1, [0, 0, 0], [0, 0, 0, 1], [1, 1, 1]);
    const skin = mesh.skin ?? 0;
    return primitive(mesh, m, node, skin, joints[skin]!, 1 / units[skin]!);
  });
  return {
    asset: {
      name: 'made',
      skeleton: {
        count: names.length,
        names,
        parents: Int32Array.from(parents),
        nodes: Int32Array.from(names.keys()),
        translations: Float64Array.from(translations),
        rotations: Float64Array.from(rotations),
        scales: Float64Array.from(scales),
      },
      skins,
      meshes,
      clips: [],
      warnings: [],
    },
    boneOf,
    tail: spec.meshes.map(({ shells }) => shells.flatMap((shell) => shell.tail)),
  };
}

function primitive(
  { name, shells, material = '' }: MeshSpec,
  index: number,
  node: number,
  skin: number,
  skinJoints: readonly number[],
  shrink: number,
): MeshPrimitive {
  const positions: number[] = [];
  const indices: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  for (const shell of shells) {
    const first = positions.length / 3;
    for (const p of shell.positions) positions.push(...scale(p, shrink));
    for (const corner of shell.triangles) indices.push(first + corner);
    for (const list of shell.influences) {
      const four = fourLargest(list);
      for (let k = 0; k < 4; k++) {
        joints.push(Math.max(0, skinJoints.indexOf(four[k]?.[0] ?? skinJoints[0]!)));
        weights.push(four[k]?.[1] ?? 0);
      }
    }
  }
  return {
    name: `${name}.0`,
    mesh: index,
    primitive: 0,
    material,
    bone: node,
    skin,
    positions: Float64Array.from(positions),
    indices: Uint32Array.from(indices),
    influences: 4,
    joints: Uint16Array.from(joints),
    weights: Float64Array.from(weights),
  };
}

/** Equal bones merged, the four heaviest, normalised. */
function fourLargest(list: Shell['influences'][number]): [number, number][] {
  const merged = new Map<number, number>();
  for (const { bone, weight } of list) merged.set(bone, (merged.get(bone) ?? 0) + weight);
  const kept = [...merged].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 4);
  const total = kept.reduce((sum, [, weight]) => sum + weight, 0);
  return kept.map(([bone, weight]) => [bone, weight / total]);
}

/**
 * Skin space to bone space. The bone's own space is in units of the innermost node; `extra` more shrinks the skin's.
 */
function inverseBind(
  { head, rotation }: { head: Vec3; rotation: Quat },
  unit: number,
  extra: number,
): number[] {
  const back = conjugate(rotation);
  const columns = [X, Y, Z].map((axis) => scale(rotate(back, axis), extra));
  const origin = scale(rotate(back, head), -1 / unit);
  return [...columns[0]!, 0, ...columns[1]!, 0, ...columns[2]!, 0, ...origin, 1];
}
