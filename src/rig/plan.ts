/**
 * What the rig pass found and wants to change, as plain data: pieces of skin with a verdict each, new bones, new
 * influences. Nothing is changed by making a plan; `applyPlan` gives the changed character, `rigGltf` the changed file.
 */
import type { ChainSuggestion } from '../asset/asset.js';
import type { Warning } from '../asset/errors.js';
import type { Surface } from './surface.js';

/** What becomes of a piece: bones of its own, bound to one bone, or nothing. */
export type Verdict = 'chain' | 'rigid' | 'left';

/** What a piece looks like; names for people, decided together with the verdict. */
export type PieceKind =
  /** Long and round, in the middle plane behind the legs. */
  | 'tail'
  /** A tuft or ponytail that the caller named. */
  | 'hair'
  /** At the trunk but off its middle plane, or above the pelvis: a pouch, a sheath, a strap. */
  | 'worn'
  /** Flat: cape, skirt panel, wing membrane. */
  | 'sheet'
  /** A flat or long pair at the upper trunk. */
  | 'wing'
  /** On the head: ear, snout, antler, hat, hair that nobody named. */
  | 'head'
  /** On an arm or leg: toe, claw, sleeve, something held. */
  | 'limb'
  /** The end of a tail that has bones already. */
  | 'boned-tail'
  /** Too short or too thick to say. */
  | 'bump';

/** A joint of a new chain. */
export interface PlannedJoint {
  /** Name of the bone. */
  name: string;
  /** Where its head stands in the bind pose, world. */
  position: [number, number, number];
}

/** One protrusion of the skin, the figures that decided about it, and what becomes of it. */
export interface RigPiece {
  /** `piece1`, `piece2`, ...; for `force`. */
  id: string;
  /** What becomes of it. */
  verdict: Verdict;
  /** What it looks like. */
  kind: PieceKind;
  /** Why, in words with the deciding figure. */
  reason: string;
  /** 0..1: how far it is from every limit that would make it no chain. */
  confidence: number;
  /** Number of welded points. */
  vertices: number;
  /** Name of the bone from which it hangs. */
  attachment: string;
  /** Length along the skin from the collar to the tip, world units. */
  length: number;
  /** Joints of the new chain from root to end: one per bone and the end; empty without a chain. */
  joints: PlannedJoint[];
  /** Length over median section radius. */
  aspect: number;
  /** Median over the length of (distance of the section's centre to the nearest bone) / (section's radius). */
  boneRatio: number;
  /** Median ratio of the two larger axes of a section: 1 is round. */
  flatness: number;
  /** Distance of the collar from the middle plane over half the spacing of the rear legs, or the collar's radius. */
  lateral: number;
  /** Mean distance, weighted, from the piece's skin to the bones that move it, world units, as it came. */
  weightDistanceBefore: number;
  /** The same after the pass; equal to the former where nothing changes. */
  weightDistanceAfter: number;
}

/** A piece together with what belongs to it on the surface. */
export interface PlannedPiece {
  /** The figures. */
  report: RigPiece;
  /** Its points on the surface, ascending. */
  points: Uint32Array;
  /** Points of its border ring on the surface. */
  collar: Uint32Array;
  /** Heads of the new chain, 3 per joint, root first, the end last; empty without a chain. */
  heads: Float64Array;
}

/** A bone to add. Its bone number is the skeleton's count plus its index in {@link RigPlan.bones}. */
export interface NewBone {
  /** Name, not used by any bone of the file. */
  name: string;
  /** Bone number of the parent: one of the file's, or a new one before this. */
  parent: number;
  /** Local translation in the parent's frame; the local rotation is none and the scale 1. */
  translation: [number, number, number];
  /** The bone of the file whose rotation and scale in the bind pose it shares. */
  attachment: number;
  /** Its head in the bind pose, world. */
  head: [number, number, number];
  /** For the first bone of a chain: what the chain's options should be by default where the usual would tear the skin. */
  suggested?: Omit<ChainSuggestion, 'bone'>;
}

/** Influences of some vertices of one mesh, to replace all that these vertices had. */
export interface NewInfluences {
  /** Index in `asset.meshes`. */
  mesh: number;
  /** The vertices, ascending. */
  vertices: Uint32Array;
  /** Influences per vertex here; never more than the mesh has. */
  influences: number;
  /** Bone numbers (file's or new), `influences` per vertex; 0 weight where unused. */
  bones: Int32Array;
  /** Weights, `influences` per vertex, sum 1, descending. */
  weights: Float64Array;
}

/** Result of the pass. */
export interface RigPlan {
  /** Everything that was looked at, found things first. */
  pieces: PlannedPiece[];
  /** Bones to add, parents before children. */
  bones: NewBone[];
  /** Weights to change, at most one entry per mesh. */
  influences: NewInfluences[];
  /** The welded skin in the bind pose that all this refers to. */
  surface: Surface;
  /** What was odd. */
  warnings: Warning[];
}
