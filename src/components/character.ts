/** A character: one skeleton in the world, with a root transform that the game moves. */
export const Character = {
  /** Name of the store. */
  name: 'character',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** bitECS entity. */
    eid: ['u32', 'derived', 1],
    /** Index into `world.rigs`. */
    rig: ['i32', 'fixed', 1],
    /** Row of asset bone 0; the row before it is the character's root. */
    firstBone: ['i32', 'fixed', 1],
    /** Bones of the asset, the root not counted. */
    boneCount: ['i32', 'fixed', 1],
    /** File units per metre. */
    unit: ['f64', 'fixed', 1],
    /** First row of its given poses in `poseInput`, -1 before the first `setPose`. */
    firstInput: ['i32', 'state', 1],
    /** How far a root or pose that the game gave has come, see `givenState`. */
    fresh: ['u8', 'state', 1],
    /** What may stand elsewhere than in the last tick, see `movedPart`. */
    moved: ['u8', 'state', 1],
    /** Whether this tick's jump is a teleport, see `teleportState`. */
    teleported: ['u8', 'state', 1],
    /** 1 when a collider of its own stands elsewhere than in the last tick, or was changed since. */
    collidersMoved: ['u8', 'state', 1],
    /** Root at the start of the current frame: translation 3, rotation 4, scale 3. */
    rootFrom: ['f64', 'state', 10],
    /** Root as last given. */
    rootTo: ['f64', 'state', 10],
  },
} as const;
