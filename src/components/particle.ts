/**
 * A particle: the tip of one link; the link's head is the tip before it. One array per field, so that a kernel
 * streams through them; a chain's particles are a range of rows with a stride.
 */
export const Particle = {
  /** Name of the store. */
  name: 'particle',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id of the chain, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** Tip in world space. */
    position: ['f64', 'state', 3],
    /** Velocity of the tip in world space, units per second. */
    velocity: ['f64', 'state', 3],
    /** Bend of the last tick, a swing in the anatomical frame, x y z w. */
    bend: ['f64', 'state', 4],
    /** Where the neighbours' bends wanted the tip in the last tick, world space. */
    couplingTarget: ['f64', 'state', 3],
    /** 1 when the link touched a floor plane in the last tick. */
    contact: ['u8', 'state', 1],
    /** 1 when the link pressed on another chain in the last tick. */
    pressed: ['u8', 'state', 1],
    /** Velocity that the tip would have had then without contact, world space. */
    freeVelocity: ['f64', 'state', 3],

    /** Row of the bone that the link turns. */
    bone: ['i32', 'fixed', 1],
    /** Length at scale 1, in file units. */
    length: ['f64', 'fixed', 1],
    /** The rest link in the coordinates of the attachment bone, which its transform takes to world space. */
    localSpan: ['f64', 'fixed', 3],
    /** Thickness for colliders, in file units at scale 1. */
    radius: ['f64', 'fixed', 1],
    /** Rest direction, unit, in the anatomical frame. */
    direction: ['f64', 'fixed', 3],
    /** Direction of the link in its bone's own frame, unit. */
    boneDirection: ['f64', 'fixed', 3],
    /** Takes the frame of the bone's parent to the anatomical frame at rest, x y z w. */
    frameBefore: ['f64', 'fixed', 4],
    /** Takes the bone's own frame to the anatomical frame at rest, x y z w. */
    frameAfter: ['f64', 'fixed', 4],
    /** Exact propagator over one tick: position from position, from velocity; velocity from position, from velocity. */
    propagator: ['f64', 'fixed', 4],
    /** Weights in the oscillator's centre: rest target, coupling target, its velocity, acceleration. */
    weights: ['f64', 'fixed', 4],
    /** VRM model: what gravity adds to the rest direction in the centre, world space, in lengths of the link. */
    pull: ['f64', 'fixed', 3],
    /** VRM model without stiffness: what gravity adds to the velocity before a tick, world space, m/s at scale 1. */
    kick: ['f64', 'fixed', 3],
    /** VRM model: rate at which what the length takes from the way of a tick becomes velocity, 1/s; else 0. */
    hold: ['f64', 'fixed', 1],
  },
} as const;
