/** Names of the bones of a human body, as VRM 1.0 has them (`VRMC_vrm`, "humanoid"). */

/** The two sides in those names. */
const SIDES = ['left', 'right'];
const MIDDLE = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head', 'jaw'];
const LIMBS = ['Shoulder', 'UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot', 'Toes', 'Eye'];
const FINGERS = ['Index', 'Middle', 'Ring', 'Little'].flatMap((finger) =>
  ['Proximal', 'Intermediate', 'Distal'].map((part) => finger + part),
);
const THUMB = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'];

/** All of them. */
export const humanoidNames: ReadonlySet<string> = new Set([
  ...MIDDLE,
  ...SIDES.flatMap((side) => [...LIMBS, ...FINGERS, ...THUMB].map((part) => side + part)),
]);
