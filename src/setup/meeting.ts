/** Chains that stay out of each other: what is known of them. How it is found: chainPairs.ts. */

/** Two chains whose links stay apart. */
export interface ChainPair {
  /** Row of the chain with the lower id. */
  a: number;
  /** Row of the other. */
  b: number;
  /** Who gives way: 2 the first, 0 the second, 1 both (whole numbers, which are never boxed). */
  yields: 0 | 1 | 2;
  /** Share of both radii that link i of a keeps from link j of b, at i * (links of b) + j: 1, less where they touch at rest. */
  share: Float64Array;
}

/** What is known of the chains that meet others. */
export interface Meeting {
  /** Per level: the pairs, by the ids of both. */
  pairs: ChainPair[][];
  /** Per level: rows of all chains in them. */
  members: number[][];
  /** Per particle row: where its tip comes in this tick by its own motion, world. */
  tips: Float64Array;
  /** The same of the root point, per chain row. */
  roots: Float64Array;
  /** Velocity with which each tip comes there, and each root; world. */
  tipSpeeds: Float64Array;
  /** See {@link Meeting.tipSpeeds}. */
  rootSpeeds: Float64Array;
  /** Middle and radius of the ball around the chain, per chain row; a negative radius: it meets nobody in this tick. */
  balls: Float64Array;
  /** Per particle row: how many planes bound its link. */
  counts: Uint8Array;
  /** Those planes, `planeSize` numbers each, `planesPerLink` per particle row. */
  planes: Float64Array;
}

/** Most planes that bound a link: those of its nearest neighbours. */
export const planesPerLink = 4;
/** Numbers of a plane: normal, offset (the link stays where n.x >= offset), its speed along the normal, the gap. */
export const planeSize = 6;
