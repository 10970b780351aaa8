/** Meaning of the small integers in columns. */

/** Motion law of a chain: the coupled spring, or what a 60 Hz frame of VRM's spring bones does. */
export const chainModel = { spring: 0, vrm: 1 } as const;

/** What a link's rest direction is measured in. */
export const restFrame = { parent: 0, attachment: 1 } as const;

/** Where the rest shape comes from: the neutral pose, or the clip's own pose of this tick. */
export const restPose = { bind: 0, animated: 1 } as const;

/** Shape of a collider: solid ball, solid capsule, half space, and the insides of the first two. */
export const colliderShape = { sphere: 0, capsule: 1, plane: 2, insideSphere: 3, insideCapsule: 4 } as const;

/** What of a link a collider may not be entered by: its tip, or its whole segment. */
export const contactPart = { tip: 0, segment: 1 } as const;

/** What a node constraint takes over from its source: the turn about an axis, its place, the whole turn. */
export const constraintKind = { roll: 0, aim: 1, rotation: 2 } as const;

/** Who may move a chain: decided per clip, always the solver, always the clip. */
export const ownerRule = { auto: 0, solver: 1, clip: 2 } as const;

/** What a teleport does to the motion: moves along rigidly, returns to rest, or is felt like any other motion. */
export const teleportRule = { keep: 0, reset: 1, none: 2 } as const;

/** What a chain is doing. A faulted chain rests until it is reset. */
export const chainState = { awake: 0, asleep: 1, disabled: 2, faulted: 3 } as const;

/** How a chain's next tick begins: where it was, at rest, or from the pose that is shown. */
export const startRule = { running: 0, rest: 1, shown: 2 } as const;

/** What of a character may stand elsewhere than in the last tick. */
export const movedPart = { nothing: 0, root: 1, bones: 2 } as const;

/** How far a given root or pose has come: none, on its way through this frame, arrived but not yet shown by a tick. */
export const givenState = { none: 0, onTheWay: 1, arrived: 2 } as const;

/** What a character knows of a teleport in this tick: nothing, told by the game or the clip, found by a chain. */
export const teleportState = { none: 0, told: 1, found: 2 } as const;

/** How the wind is another than in the last tick: not at all, by its gusts, or because it was set. */
export const windChange = { none: 0, gusts: 1, set: 2 } as const;
