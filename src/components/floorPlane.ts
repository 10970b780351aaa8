/** A floor: the half space below a plane that links may not enter. */
export const FloorPlane = {
  /** Name of the store. */
  name: 'floor',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** bitECS entity. */
    eid: ['u32', 'derived', 1],
    /** A point of the plane, world. */
    point: ['f64', 'state', 3],
    /** Unit normal, pointing out of the floor, world. */
    normal: ['f64', 'state', 3],
    /** Point of the last tick: where its velocity is measured from. */
    lastPoint: ['f64', 'state', 3],
    /** Velocity of the plane in this tick, units per second. */
    velocity: ['f64', 'state', 3],
  },
} as const;
