/**
 * What a vector file holds, and short ways to write its cases: nodes as glTF has them, motion as explicit transforms
 * per frame. test/vectors/README.md says what every member means.
 */
import type { Q4, V3 } from '../../support/referenceMath.js';

/** A glTF node; only what the vectors use. */
export interface GltfNode {
  name: string;
  translation?: V3;
  rotation?: Q4;
  scale?: V3;
  children?: number[];
  extensions?: { VRMC_node_constraint: { specVersion: '1.0'; constraint: Constraint } };
}

export interface Constraint {
  roll?: { source: number; rollAxis: string; weight?: number };
  aim?: { source: number; aimAxis: string; weight?: number };
  rotation?: { source: number; weight?: number };
}

/** Values of a joint as VRMC_springBone 1.0 writes them. */
export interface JointJson {
  node: number;
  hitRadius?: number;
  stiffness?: number;
  gravityPower?: number;
  gravityDir?: V3;
  dragForce?: number;
}

export interface Shape {
  sphere?: { offset?: V3; radius?: number; inside?: boolean };
  capsule?: { offset?: V3; radius?: number; tail?: V3; inside?: boolean };
  plane?: { offset?: V3; normal?: V3 };
}

export interface ColliderJson {
  node: number;
  shape: Shape;
  extensions?: { VRMC_springBone_extended_collider: { specVersion: '1.0'; shape: Shape } };
}

export interface SpringBoneJson {
  specVersion: '1.0';
  colliders?: ColliderJson[];
  colliderGroups?: { name?: string; colliders: number[] }[];
  springs: { name?: string; joints: JointJson[]; colliderGroups?: number[]; center?: number }[];
}

interface Xyz {
  x: number;
  y: number;
  z: number;
}

/** `extensions.VRM.secondaryAnimation` of VRM 0.x; the misspelling is the format's. */
export interface SecondaryAnimation {
  boneGroups: {
    stiffiness: number;
    gravityPower: number;
    gravityDir: Xyz;
    dragForce: number;
    center: number;
    hitRadius: number;
    bones: number[];
    colliderGroups: number[];
  }[];
  colliderGroups: { node: number; colliders: { offset: Xyz; radius: number }[] }[];
}

export interface Gltf {
  asset: { version: '2.0' };
  extensionsUsed: string[];
  scene: 0;
  scenes: { nodes: number[] }[];
  nodes: GltfNode[];
  extensions?: { VRMC_springBone?: SpringBoneJson; VRM?: { secondaryAnimation: SecondaryAnimation } };
}

/** A node gets a local transform in a frame and keeps it until it gets another. */
export interface Change {
  frame: number;
  node: number;
  translation?: V3;
  rotation?: Q4;
}

/** World positions and local rotations after one frame, in the order of `positionsOf` and `rotationsOf`. */
export interface ExpectedFrame {
  frame: number;
  positions: V3[];
  rotations: Q4[];
}

export interface Expected {
  positionsOf: number[];
  rotationsOf: number[];
  frames: ExpectedFrame[];
}

/** Distance of a node from a shape given in the world, less the hitRadius. */
interface Clearance {
  node: number;
  world: Shape;
  hitRadius: number;
  /** What is asked for. */
  atLeastMetres: number;
  /** The least that the reference implementation reaches; null: not a number. */
  referenceMetres: number | null;
}

/** What holds in every frame from the first to the last given. */
export interface Invariants {
  frames: [first: number, last: number];
  lengths: { from: number; to: number; metres: number }[];
  clearances: Clearance[];
}

/** Largest distance of positions in metres and largest angle between rotations in radians. */
interface Limits {
  metres: number;
  radians: number;
}

export interface Tolerance extends Limits {
  /** For engines that compute in single precision. */
  float32: Limits;
}

export interface Case {
  name: string;
  reason: string;
  rule: string;
  /** Faults that users reported, as the K numbers of this repository's tests and threads of other projects. */
  reports: string[];
  input: { gltf: Gltf; motion: Change[] };
  expected?: Expected;
  /** Where the specifications leave something open: what each reading of them gives, by name. */
  readings?: Record<string, Expected>;
  invariants?: Invariants;
  tolerance: Tolerance;
}

/** What a case says in words. */
export type Words = Pick<Case, 'name' | 'reason' | 'rule' | 'reports'>;

export interface VectorFile {
  format: 'vrm-motion-vectors';
  version: 1;
  about: string;
  framesPerSecond: 60;
  cases: Case[];
}

/** A node of a case, with its parent in place of its children. */
export type Plan = Omit<GltfNode, 'children' | 'name'> & { parent: number; name?: string };

/** A file without buffers, in the member order of a glTF. */
export function gltfOf(plans: Plan[], extensions: NonNullable<Gltf['extensions']> = {}): Gltf {
  const childrenOf = (n: number): number[] => [...plans.keys()].filter((m) => plans[m]!.parent === n);
  const spring = extensions.VRMC_springBone;
  const used = [
    ...Object.keys(extensions),
    ...(spring?.colliders?.some((c) => c.extensions) ? ['VRMC_springBone_extended_collider'] : []),
    ...(plans.some((plan) => plan.extensions) ? ['VRMC_node_constraint'] : []),
  ];
  const nodes = plans.map((plan, n): GltfNode => {
    const children = childrenOf(n);
    const node: GltfNode & { parent?: number } = { name: `n${n}`, ...plan };
    delete node.parent;
    return children.length > 0 ? { ...node, children } : node;
  });
  return {
    asset: { version: '2.0' },
    extensionsUsed: used,
    scene: 0,
    scenes: [{ nodes: childrenOf(-1) }],
    nodes,
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** Nodes in a row, each the child of the one before it, at these places in it. */
export function row(...translations: V3[]): Plan[] {
  return translations.map((translation, n) => ({ parent: n - 1, translation }));
}
