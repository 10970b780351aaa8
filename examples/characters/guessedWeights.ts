/**
 * Weights as an automatic humanoid rigger guesses them for skin that belongs to no part of its template: it has to name
 * some body bone for every vertex and is most sure of the nearest. The nearer of two bones takes nearly all, so where
 * the nearest changes, skin that hangs together is owned by bones that move apart.
 */
import { clamp, distance, dot, mixVec, sub, type Vec3 } from './linear.js';
import { boneIndex, PREFIX, type Rig } from './humanoidRig.js';
import type { Influence } from './skin.js';

/** A bone that may be guessed. */
export interface Candidate {
  /** Name without prefix. */
  bone: string;
  /** How many times nearer it looks than it is. */
  bias: number;
}

/**
 * Weights at a point: proportional to (bias / distance to the bone) ^ 12, summing to 1. The high power is how sure the
 * guess is: with 2 all bones would share everything.
 */
export function guessedWeights(rig: Rig, candidates: readonly Candidate[]): (p: Vec3) => Influence[] {
  const segments = candidates.map(({ bone, bias }) => {
    const index = boneIndex(rig, PREFIX + bone);
    const child = rig.bones.find(({ parent }) => parent === index)!;
    return { bone: index, bias, from: rig.bones[index]!.head, to: child.head };
  });
  return (p) => {
    const pulls = segments.map(({ bias, from, to }) => power12(bias / toSegment(p, from, to)));
    const sum = pulls.reduce((total, pull) => total + pull, 0);
    return segments.map(({ bone }, i) => ({ bone, weight: pulls[i]! / sum }));
  };
}

function toSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const axis = sub(b, a);
  return distance(p, mixVec(a, b, clamp(dot(sub(p, a), axis) / dot(axis, axis), 0, 1)));
}

function power12(x: number): number {
  const cube = x * x * x;
  return cube * cube * cube * cube;
}
