/**
 * What a loaded character is: skeleton, skins, meshes and clips as plain typed arrays, shared by every layer.
 * No behaviour here. Spaces follow glTF: right-handed, +Y up, column vectors, quaternions x, y, z, w.
 */
import type { Warning } from './errors.js';
import type { SecondaryMotion, SpringJoint } from './secondary.js';

/**
 * All nodes of a file as bones, parents before children (ties: file order). `node` maps a bone to the index it
 * has in the file.
 */
export interface Skeleton {
  /** Number of bones. */
  count: number;
  /** Bone names; an unnamed node is called `node<index>`. Names need not be unique. */
  names: string[];
  /** Index of the parent bone, -1 at the top; always smaller than the bone's own index. */
  parents: Int32Array;
  /** Index of the node in the file, per bone. */
  nodes: Int32Array;
  /** Saved local translations, 3 per bone, in the parent's units. */
  translations: Float64Array;
  /** Saved local rotations, 4 per bone, unit x, y, z, w. */
  rotations: Float64Array;
  /** Saved local scales, 3 per bone. */
  scales: Float64Array;
}

/** A skin of the file. */
export interface Skin {
  /** Name, or `skin<index>`. */
  name: string;
  /** Bone index per joint, in the order that vertex joints refer to. */
  joints: Int32Array;
  /** Inverse bind matrices, 16 per joint, column-major, skin space -> joint space. Identities when the file has none. */
  inverseBinds: Float64Array;
}

/** One primitive of a mesh that hangs on a node. */
export interface MeshPrimitive {
  /** Name of the mesh plus the index of the primitive. */
  name: string;
  /** Index of the mesh in the file. */
  mesh: number;
  /** Index of the primitive in that mesh, as the file counts. */
  primitive: number;
  /** Name of its material; empty without a material or a name. */
  material: string;
  /** The bone (node) that carries the mesh. */
  bone: number;
  /** Index into {@link Asset.skins}, -1 when the mesh is not skinned. */
  skin: number;
  /** Positions, 3 per vertex, decoded (dequantised, denormalised), in mesh space. */
  positions: Float64Array;
  /** Triangle corners; empty when the primitive holds no triangles. Strips and fans are unrolled. */
  indices: Uint32Array;
  /** Influences per vertex: 4, 8, ... (0 when not skinned). */
  influences: number;
  /** Joint numbers within the skin, `influences` per vertex. */
  joints: Uint16Array;
  /** Weights, `influences` per vertex, decoded to 0..1 and as stored (not normalised). */
  weights: Float64Array;
}

/** How values between two keys are found. */
export type Interpolation = 'step' | 'linear' | 'cubic';

/** The property of a bone that a track moves. */
export type TrackPath = 'translation' | 'rotation' | 'scale';

/** One animated property of one bone. */
export interface Track {
  /** Index of the bone. */
  bone: number;
  /** Which property. */
  path: TrackPath;
  /** Interpolation between keys. */
  interpolation: Interpolation;
  /** Key times in seconds, ascending, as stored. */
  times: Float64Array;
  /** Values, 3 or 4 per key; `cubic` holds in-tangent, value, out-tangent per key. Rotations are not yet aligned in hemisphere. */
  values: Float64Array;
}

/** An animation of the file. */
export interface Clip {
  /** Name; an unnamed clip is `#<index>`. */
  name: string;
  /** Index of the animation in the file. */
  index: number;
  /** Last key time of any track, in seconds. */
  duration: number;
  /** Tracks that move bones (morph weights are left out). */
  tracks: Track[];
  /** Bones whose rotation keys this library baked and that are unchanged since (they count as the solver's). */
  bakedBones: number[];
}

/**
 * What a file says about a chain: defaults of its options, over those of its origin (docs/rigging.md, "Suppleness").
 */
export interface ChainSuggestion {
  /** Root bone of the chain. */
  bone: number;
  /** Largest bend of a link beyond its rest direction, radians. */
  limit?: number;
  /** Lift of the whole chain at rest, radians. */
  carry?: number;
  /** 0: a centred arc, 1: the curve as modelled. */
  restCurve?: number;
  /** Groups of colliders that are felt, one bit each. */
  colliderMask?: number;
  /** What stays out of colliders: tips, or whole links. */
  contactPart?: 'tip' | 'segment';
}

/** A loaded character. */
export interface Asset {
  /** A name for messages: the file name, or `asset`. */
  name: string;
  /** All nodes. */
  skeleton: Skeleton;
  /** Skins in file order. */
  skins: Skin[];
  /** Primitives of all meshes that hang on a node. */
  meshes: MeshPrimitive[];
  /** Clips in file order. */
  clips: Clip[];
  /** What the file says about its chains; the rig pass writes it. */
  suggestions?: readonly ChainSuggestion[];
  /** Springs, colliders and constraints, where the file has them. */
  secondary?: SecondaryMotion;
  /** What had to be repaired or left out while reading. */
  warnings: Warning[];
}

/**
 * A chain as found in a skeleton or named by the caller: what shall be simulated, before any option.
 */
export interface ChainDefinition {
  /** Name: that of its root bone. */
  name: string;
  /** Bone from which the chain hangs; -1 when its root bone is a top-level node. */
  attachment: number;
  /**
   * Bones of the links, root first; each is an ancestor of the next. Link i runs from the head (origin) of
   * bones[i] to the head of bones[i + 1]; the last link ends at `end`.
   */
  bones: number[];
  /** Bone whose head is the tip of the last link (an end helper), -1 when there is none. */
  end: number;
  /**
   * Which family of defaults applies (docs/solver.md, "Rest"): `rigged`, a hanging tail of the rig pass; `hair`, hair of
   * the rig pass; `artist`, every other chain, which keeps its shape.
   */
  origin: 'rigged' | 'hair' | 'artist';
  /** What the file says about its options, over the defaults of the origin. */
  suggested?: Omit<ChainSuggestion, 'bone'>;
  /** Tip of the last link in the space of its bone, where no bone stands there; used when `end` is -1. */
  endOffset?: readonly [number, number, number];
  /** Bone in whose space motion is felt, default the world: what moves with it bends nothing. */
  center?: number;
  /** What the VRM model needs, one per bone; makes it the default model. */
  joints?: readonly SpringJoint[];
}
