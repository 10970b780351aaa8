/** A collider: a shape carried by a bone, or standing in the world, that links may not enter. */
export const Collider = {
  /** Name of the store. */
  name: 'collider',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** bitECS entity. */
    eid: ['u32', 'derived', 1],
    /** Row of the character whose chains feel it, -1: every character's. */
    character: ['i32', 'fixed', 1],
    /** Row of the bone that carries it, -1: the world. */
    bone: ['i32', 'fixed', 1],
    /** See `colliderShape` in codes.ts. */
    shape: ['u8', 'fixed', 1],
    /** Group bits, matched against a chain's mask. */
    groups: ['u32', 'fixed', 1],
    /** Centre, first end of a capsule or point of a plane, in the bone's frame. */
    offset: ['f64', 'state', 3],
    /** Second end of a capsule, normal of a plane, in the bone's frame. */
    tail: ['f64', 'state', 3],
    /** Radius at offset and at tail, in the bone's units. */
    radius: ['f64', 'state', 2],
    /** World position of offset and tail (of a plane: its normal) in the last tick. */
    lastPose: ['f64', 'state', 6],
    /** Radii in world units in the last tick. */
    lastRadius: ['f64', 'state', 2],
    /** 1 before the first tick and after a jump: it has no velocity yet. */
    fresh: ['u8', 'state', 1],
    /** World position of offset and tail (of a plane: its normal) in this tick. */
    pose: ['f64', 'derived', 6],
    /** Radii in world units in this tick. */
    worldRadius: ['f64', 'derived', 2],
  },
} as const;
