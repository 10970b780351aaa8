/** Makes cases: words and input from the lists of cases, expected values from the naive loop. */
import type { Case, Change, Gltf, Tolerance, Words } from './model.js';
import { play, type Before, type Watch } from './springLoop.js';

export const usual: Tolerance = {
  metres: 1e-9,
  radians: 1e-8,
  float32: { metres: 1e-5, radians: 1e-4 },
};

/** Frames that are listed where nothing else is said. */
const usualFrames = [1, 2, 3, 5, 10, 30, 60];

export interface Played extends Words, Omit<Watch, 'frames'> {
  gltf: Gltf;
  motion?: Change[];
  frames?: number[];
  tolerance?: Partial<Tolerance>;
  before?: Before;
}

/** A case whose values are what the algorithm of the specification gives. */
export function played({ motion = [], frames = usualFrames, ...given }: Played): Case {
  const { name, reason, rule, reports, gltf, positionsOf, rotationsOf, tolerance, before } = given;
  return {
    name,
    reason,
    rule,
    reports,
    input: { gltf, motion },
    expected: play(gltf, motion, { frames, positionsOf, rotationsOf }, before),
    tolerance: { ...usual, ...tolerance },
  };
}
