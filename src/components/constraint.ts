/**
 * A node constraint: a bone whose rotation follows another bone of the same character (docs/solver.md, "Constraints").
 * `level` and `frozen` follow from which bones the character's constraints name; write `weight` through
 * `setConstraint`, which also tells the character that its pose changes.
 */
export const Constraint = {
  /** Name of the store. */
  name: 'constraint',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** bitECS entity. */
    eid: ['u32', 'derived', 1],
    /** Row of the character. */
    character: ['i32', 'fixed', 1],
    /** Row of the bone that is turned. */
    bone: ['i32', 'fixed', 1],
    /** Row of the bone that it follows. */
    source: ['i32', 'fixed', 1],
    /** What of the source it follows, see `constraintKind` in codes.ts. */
    kind: ['u8', 'fixed', 1],
    /** Axis in the bone's own frame, unit: of the roll, or the one that aims. */
    axis: ['f64', 'fixed', 3],
    /** Rest rotation of the bone in its parent, x y z w. */
    rest: ['f64', 'fixed', 4],
    /** Rest rotation of the source in its parent. */
    sourceRest: ['f64', 'fixed', 4],
    /** Row of the lowest bone (or the character's root) above both bones: an aim is measured in its frame. */
    meet: ['i32', 'fixed', 1],
    /** Longest path of constraints that it depends on: 0 depends on none that moves. */
    level: ['i32', 'fixed', 1],
    /** 1 when it depends on itself: its bone stands at rest. */
    frozen: ['u8', 'fixed', 1],
    /** 0..1: share of the way from rest to what the source asks for. */
    weight: ['f64', 'state', 1],
  },
} as const;
