/**
 * Registers: what the parts of the walk hand to each other outside the hot loop. Numbers that cross a function in
 * JavaScript would be boxed; small typed arrays keep them flat and allocate nothing. One chain is walked at a time.
 *
 * All of it is in solver space: world space, with x mirrored when an ancestor of the chain is mirrored.
 */

/** Head of the link: the tip before it. */
export const headPoint: Float64Array = new Float64Array(3);
/** Velocity of the tip. */
export const tipVelocity: Float64Array = new Float64Array(3);
/** Unit direction from head to tip. */
export const tipDirection: Float64Array = new Float64Array(3);
/** Unit direction of the rest target. */
export const restDirection: Float64Array = new Float64Array(3);
/** Head and tip of the link a tick ago, for sweeps. */
export const headBefore: Float64Array = new Float64Array(3);
/** See {@link headBefore}. */
export const tipBefore: Float64Array = new Float64Array(3);
/** Length of the link. */
export const linkLength: Float64Array = new Float64Array(1);
/** Radius of the link for colliders. */
export const linkRadius: Float64Array = new Float64Array(1);
/** Axis of a half turn, unit, in the anatomical frame. */
export const halfTurnAxis: Float64Array = new Float64Array(3);

/** Anatomical frame of the attachment (C_0) as columns: lateral, up, forward. */
export const baseFrame: Float64Array = new Float64Array(9);
/** The same in the last tick, where the chain has been carried to. */
export const frameBefore: Float64Array = new Float64Array(9);
/** Root point of the chain: head of link 0. */
export const rootPoint: Float64Array = new Float64Array(3);
/** Velocity of the attachment point as felt. */
export const feltVelocity: Float64Array = new Float64Array(3);
/** Reference velocity: what of the felt velocity is not air. */
export const referenceVelocity: Float64Array = new Float64Array(3);
/** Sign of x: -1 in mirrored solver space. */
export const mirrorSign: Float64Array = new Float64Array(1);
/** Scale of the attachment now over its scale at load. */
export const scaleNow: Float64Array = new Float64Array(1);
/** 1 when the attachment is scaled alike on all axes. */
export const uniformScale: Uint8Array = new Uint8Array(1);
/** Speed above which a floor was not moved but set down elsewhere. */
export const fastestFloor: Float64Array = new Float64Array(1);
/** Distance of tips from floors. */
export const floorClearance: Float64Array = new Float64Array(1);

/** Seconds per tick, and ticks per second. */
export const tickSeconds: Float64Array = new Float64Array(2);
/** Decay of the velocity along a floor over one tick. */
export const floorDecay: Float64Array = new Float64Array(1);

/** Sum of everything written for the chain in this tick: not finite when anything of it is not. */
export const checkSum: Float64Array = new Float64Array(1);
/** 1 when no link of the chain turned in this tick. */
export const calmLinks: Uint8Array = new Uint8Array(1);
