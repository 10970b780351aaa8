/**
 * A collider carried by a bone. The columns stand ready so that snapshots and layouts need no change when shapes
 * are solved; no system reads them yet and the API offers no way to add one.
 */
export const Collider = {
  /** Name of the store. */
  name: 'collider',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** bitECS entity. */
    eid: ['u32', 'derived', 1],
    /** Row of the bone that carries it. */
    bone: ['i32', 'fixed', 1],
    /** Sphere, capsule, plane, inside sphere, inside capsule. */
    shape: ['u8', 'fixed', 1],
    /** Group bits, matched against a chain's mask. */
    groups: ['u32', 'fixed', 1],
    /** Centre or first end in the bone's frame. */
    offset: ['f64', 'fixed', 3],
    /** Second end of a capsule, normal of a plane. */
    tail: ['f64', 'fixed', 3],
    /** Radius at offset and at tail. */
    radius: ['f64', 'fixed', 2],
    /** World position of offset and tail in the last tick: where a sweep starts. */
    lastPose: ['f64', 'state', 6],
  },
} as const;
