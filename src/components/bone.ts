/** A bone: one node of a character's skeleton, or the root above it. Bones of a character are contiguous rows. */
export const Bone = {
  /** Name of the store. */
  name: 'bone',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id of the character, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** bitECS entity. */
    eid: ['u32', 'derived', 1],
    /** Row of the parent, -1 for a character's root. */
    parent: ['i32', 'fixed', 1],
    /** Animated local translation (clips or the game), before any chain: what drives the tick. */
    poseTranslation: ['f64', 'state', 3],
    /** Animated local rotation, x y z w. */
    poseRotation: ['f64', 'state', 4],
    /** Animated local scale. */
    poseScale: ['f64', 'state', 3],
    /** Neutral local translation, recovered from the bind matrices. */
    neutralTranslation: ['f64', 'fixed', 3],
    /** Neutral local rotation. */
    neutralRotation: ['f64', 'fixed', 4],
    /** Neutral local scale. */
    neutralScale: ['f64', 'fixed', 3],
    /** Local translation after the chains: what is shown. */
    localTranslation: ['f64', 'derived', 3],
    /** Shown local rotation. */
    localRotation: ['f64', 'derived', 4],
    /** Shown local scale. */
    localScale: ['f64', 'derived', 3],
    /** Shown local translation of the tick before, for interpolation. */
    lastTranslation: ['f64', 'derived', 3],
    /** Shown local rotation of the tick before. */
    lastRotation: ['f64', 'derived', 4],
    /** Shown local scale of the tick before. */
    lastScale: ['f64', 'derived', 3],
    /**
     * World transform of this tick, for bones that chains hang from and those above (`readPose` gives all): three
     * columns of the 3x3 part, then the position.
     */
    world: ['f64', 'derived', 12],
  },
} as const;
