/**
 * Motions as explicit transforms per frame. They begin in frame 2, so that it makes no difference whether an engine takes
 * its state from the file or from the first frame. Waves are parabolas and turns rational, so no trigonometry is in them.
 */
import { mul, type Q4, type V3 } from '../../support/referenceMath.js';
import type { Change } from './model.js';
import { normalized, unitOf } from './tree.js';

/** Turns to 60 degrees about an axis: half the angle has the sine 1/2. */
export function sixtyDegrees(axis: V3): Q4 {
  return [...mul(unitOf(axis), 0.5), Math.sqrt(3) / 2];
}

/** Rotation about an axis by twice the angle whose tangent is `halfTan`. */
export function turn(axis: V3, halfTan: number): Q4 {
  return normalized([...mul(unitOf(axis), halfTan), 1]);
}

/** A wave of height 1 made of parabolas, from 0 upward at 0. */
function wave(x: number): number {
  const part = x - Math.floor(x);
  return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part);
}

function short(x: number): number {
  return Math.round(x * 1e4) / 1e4 + 0;
}

/** One change per frame, from frame 2 to the last. */
export function along(
  node: number,
  last: number,
  at: (step: number) => Omit<Change, 'frame' | 'node'>,
): Change[] {
  return Array.from({ length: last - 1 }, (_, k) => ({ frame: k + 2, node, ...at(k + 1) }));
}

/** A root that sways and yaws for half a second, from where it stands, and stays where it is then. */
export function sway(node: number, from: V3): Change[] {
  const places = along(node, 30, (step) => ({
    translation: [
      short(from[0] + 0.15 * wave(step / 24)),
      short(from[1] + 0.04 * wave(step / 15)),
      short(from[2] + 0.01 * step),
    ],
  }));
  const turns = along(node, 30, (step) => ({ rotation: turn([0, 1, 0], short(0.5 * wave(step / 40))) }));
  return [...places, ...turns];
}

/** A node that nods for half a second. */
export function nod(node: number): Change[] {
  return along(node, 30, (step) => ({ rotation: turn([1, 0, 0], short(0.3 * wave(step / 20))) }));
}

/** Straight ahead at a constant speed, metres per second. */
export function walk(node: number, from: V3, direction: V3, speed: number, last: number): Change[] {
  return along(node, last, (step) => ({
    translation: from.map((x, i) => short(x + (direction[i]! * speed * step) / 60)) as V3,
  }));
}
