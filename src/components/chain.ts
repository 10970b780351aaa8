/**
 * A chain: links that hang from an attachment bone. Its particles are the rows first, first + stride, ... of the
 * particle pool. Options stand here as given. `setChain` makes the constants that a tick reads of them (limits, caps,
 * the particles' propagators): write `acceleration`, `air`, `wind`, `weight`, `clearance`, `keepOut`, `floor` and `restFrame`
 * directly if you like, and the others through it.
 */
export const Chain = {
  /** Name of the store. */
  name: 'chain',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id, 0 in a free row; also the sort key of all processing. */
    id: ['u32', 'state', 1],
    /** bitECS entity. */
    eid: ['u32', 'derived', 1],
    /** Row of the character. */
    character: ['i32', 'fixed', 1],
    /** Row of the bone it hangs from (a root bone of the skeleton hangs from the character's root). */
    attachment: ['i32', 'fixed', 1],
    /** Row of its first particle. */
    first: ['i32', 'fixed', 1],
    /** Number of links. */
    count: ['i32', 'fixed', 1],
    /** Distance between the rows of neighbouring links. */
    stride: ['i32', 'fixed', 1],
    /** Longest path of chains it depends on: 0 hangs from the body, 1 from a chain of level 0, ... */
    level: ['i32', 'fixed', 1],

    /** Motion law, see `chainModel` in codes.ts. */
    model: ['u8', 'fixed', 1],
    /** What a link's rest direction is measured in, see `restFrame`. */
    restFrame: ['u8', 'fixed', 1],
    /** Where the rest shape comes from, see `restPose`. */
    restPose: ['u8', 'fixed', 1],
    /** Who may move the chain, see `ownerRule`. */
    ownerRule: ['u8', 'fixed', 1],
    /** What a teleport does, see `teleportRule`. */
    teleportRule: ['u8', 'fixed', 1],
    /** 1: links stay behind the plane through the root that faces forward. */
    keepOut: ['u8', 'fixed', 1],
    /** 1: links stay above the floor planes. */
    floor: ['u8', 'fixed', 1],
    /** Row of the bone in whose space motion is felt, -1: the world. */
    center: ['i32', 'fixed', 1],
    /** Groups of colliders the chain feels, one bit each. */
    colliderMask: ['u32', 'fixed', 1],
    /** What of its links stays out of colliders, see `contactPart`. */
    contactPart: ['u8', 'fixed', 1],

    /** Groups the chain belongs to, one bit each. */
    groups: ['u32', 'fixed', 1],
    /** Groups of chains that its links stay out of, one bit each. */
    chainMask: ['u32', 'fixed', 1],

    /** Spring at the root link, Hz. */
    frequency: ['f64', 'fixed', 1],
    /** Frequency of the tip link as a share of the root's. */
    tipRatio: ['f64', 'fixed', 1],
    /** Damping ratio, 1 is critical. */
    damping: ['f64', 'fixed', 1],
    /** Rate at which a bend follows its neighbours, 1/s. */
    coupling: ['f64', 'fixed', 1],
    /** Largest bend of a link, radians; Infinity is off. */
    limit: ['f64', 'fixed', 1],
    /** Cosine of the limit, -2 without one. */
    limitCosine: ['f64', 'fixed', 1],
    /** Sine of the limit. */
    limitSine: ['f64', 'fixed', 1],
    /** Constant acceleration in world space, m/s^2 at scale 1 (gravity). */
    acceleration: ['f64', 'fixed', 3],
    /** Share of the attachment's velocity that is felt as air, 0..1. */
    air: ['f64', 'fixed', 1],
    /** Share of the world's wind that is felt, 0..1. */
    wind: ['f64', 'fixed', 1],
    /** Share of the attachment's translation that is felt, 0..1. */
    inertia: ['f64', 'fixed', 1],
    /** Share of the attachment's turning that is felt, 0..1. */
    inertiaRotation: ['f64', 'fixed', 1],
    /** Fastest translation that is felt, m/s at scale 1. */
    maxSpeed: ['f64', 'fixed', 1],
    /** Fastest turning that is felt, rad/s. */
    maxTurn: ['f64', 'fixed', 1],
    /** 1 when all of the attachment's motion is felt, as by default. */
    feelsAll: ['u8', 'fixed', 1],
    /** Cosine of half the turn per tick at which the felt share reaches the cap; -2 without a cap. */
    maxTurnCosine: ['f64', 'fixed', 1],
    /** Cosine and sine of half the largest felt turn per tick. */
    feltTurn: ['f64', 'fixed', 2],
    /** Lift of the whole chain at rest, radians. */
    carry: ['f64', 'fixed', 1],
    /** 0: centred arc, 1: authored curve. */
    restCurve: ['f64', 'fixed', 1],
    /** Radius of the links for colliders, m at scale 1. */
    radius: ['f64', 'fixed', 1],
    /** Distance of the centre line from a floor, m at scale 1. */
    clearance: ['f64', 'fixed', 1],
    /** Sum of the link lengths at scale 1, in file units. */
    restLength: ['f64', 'fixed', 1],
    /** Scale of the attachment's world transform in the neutral pose. */
    neutralScale: ['f64', 'fixed', 1],
    /** Takes vectors of the anatomical frame to the attachment bone's frame: 3x3, columns. */
    anatomical: ['f64', 'fixed', 9],

    /** 0..1: how much of the simulated rotation is shown. */
    weight: ['f64', 'state', 1],
    /** What it is doing, see `chainState`. */
    status: ['u8', 'state', 1],
    /** 1 when a clip that plays owns it. */
    clipOwned: ['u8', 'state', 1],
    /** How the next tick begins, see `startRule`. */
    start: ['u8', 'state', 1],
    /** Ticks without motion and without a changed input. */
    stillTicks: ['i32', 'state', 1],
    /** Attachment point of the last tick, solver space: world, x mirrored when `mirrored`. */
    lastPoint: ['f64', 'state', 3],
    /** Anatomical frame of the last tick, solver space: 3x3, columns. */
    lastFrame: ['f64', 'state', 9],
    /** 1 when an ancestor mirrored it in the last tick. */
    mirrored: ['u8', 'state', 1],
    /** Scale of the last tick. */
    lastScale: ['f64', 'state', 1],
    /** Felt velocity of the attachment point in the last tick, solver space, units per second. */
    lastVelocity: ['f64', 'state', 3],
    /** Rotation (3x3, columns) and place of the centre bone in the last tick, solver space. */
    lastCenter: ['f64', 'state', 12],
  },
} as const;
