/**
 * What an audit says about the leaves of a set of BVH files: joints without a child, whose rotation moves no position
 * that a file holds, so that a wrong one shows nowhere but in a picture (docs/bvh.md, "Leaf joints").
 */

/** How a leaf ends in the files. */
export type LeafEnd =
  /** No End Site. */
  | 'none'
  /** An End Site at the joint itself. */
  | 'zero'
  /** An End Site that only goes on where the bone before came from. */
  | 'straight';

/** What was found. */
export type LeafVerdict =
  /** The leaf bends as a leaf can, or does not turn at all. */
  | 'ok'
  /** Its rotations are unlike those of a healthy leaf, but the geometry does not prove a fault. */
  | 'suspicious'
  /** It bends backward as no finger can: the bend of the pose that the files count from is missing at the tip. */
  | 'defect'
  /** Too few frames, or bones without a length, to say anything. */
  | 'unknown';

/** A leaf whose tip the files do not tell, and what its rotations say over all frames of the set. Angles in degrees. */
export interface LeafFinding {
  /** Name of the joint. */
  name: string;
  /** Index of the joint in {@link Bvh.joints}, the same in every file of the group. */
  joint: number;
  /** How it ends. */
  end: LeafEnd;
  /** What was found. */
  verdict: LeafVerdict;
  /** Bend between the two bones before the tip in the pose that the files count from. */
  restBendDeg: number;
  /** Frames in which the leaf turns by less than 1 degree. */
  stillFrames: number;
  /** Median turn of the leaf in the other frames. */
  medianTurnDeg: number;
  /** 0..1, how much these turns share one direction. */
  oneSided: number;
  /** Least and largest bend of the joint before the leaf; positive is the way it flexes. */
  innerBendDeg: [number, number];
  /** Least and largest bend of the leaf as programs show it that go on straight; negative is backward. */
  apparentBendDeg: [number, number];
  /** The same with the tip at {@link tip}. */
  repairedBendDeg: [number, number];
  /** Proposed tip in the frame of the leaf, file units. */
  tip: [number, number, number];
  /** Sum of the weights of the poses that the tip was found from: about the number of poses in which the joint before it is straight. */
  support: number;
}

/** Files that share one rest skeleton. */
export interface LeafGroup {
  /** Indices into the list of files. */
  files: number[];
  /** Frames of all of them. */
  frames: number;
  /** Leaves whose tip is not told. */
  leaves: LeafFinding[];
}

/** What {@link auditLeaves} found. */
export interface LeafAudit {
  /** Sets of files with one skeleton each, in the order of their first file. */
  groups: LeafGroup[];
}
