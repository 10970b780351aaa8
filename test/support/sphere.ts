/**
 * Brute force on the sphere of directions: what is free of a set of caps is found by looking at many directions,
 * all over the sphere and along the rim of every cap, and by looking closer where it pays.
 */
import type { V3 } from './referenceMath.js';
import { add, cross, dot, mul, unit } from './referenceMath.js';

/** Forbidden are the directions d with d . axis > k. */
export interface Cap {
  /** Unit vector. */
  axis: V3;
  k: number;
  /** Caps of a larger rank are given up first. */
  rank: number;
  label: number;
}

/** The k that counts: below -1 only the way straight out is free. */
export const boundOf = ({ k }: Cap): number => Math.max(-1, k);

/** How deep, as a cosine, a direction is in the cap it violates most; not above 0 when it is free of all. */
export function deepest(caps: readonly Cap[], d: V3): number {
  let most = -Infinity;
  for (const cap of caps) most = Math.max(most, dot(d, cap.axis) - boundOf(cap));
  return most;
}

/** Evenly spread directions (a Fibonacci lattice), about 0.025 rad apart. */
const everywhere: readonly V3[] = Array.from({ length: 20_000 }, (_, i): V3 => {
  const z = 1 - (2 * i + 1) / 20_000;
  const turn = Math.PI * (3 - Math.sqrt(5)) * i;
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(turn), r * Math.sin(turn), z];
});

const rimSamples = 720;

/** Every local maximum of `score` on the rim of a cap, by sampling and looking closer; -Infinity is no candidate. */
function rimMaxima(of: Cap, score: (d: V3) => number): V3[] {
  const k = boundOf(of);
  const r = Math.sqrt(Math.max(0, 1 - k * k));
  const x = unit(cross(of.axis, Math.abs(of.axis[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
  const y = cross(of.axis, x);
  const at = (turn: number): V3 =>
    add(mul(of.axis, k), add(mul(x, r * Math.cos(turn)), mul(y, r * Math.sin(turn))));
  const gap = (2 * Math.PI) / rimSamples;
  const scores = Array.from({ length: rimSamples }, (_, i) => score(at(i * gap)));
  const found: V3[] = [];
  scores.forEach((s, i) => {
    const before = scores[(i + rimSamples - 1) % rimSamples]!;
    if (s === -Infinity || before > s || scores[(i + 1) % rimSamples]! > s) return;
    let best = i * gap;
    let highest = s;
    for (let reach = gap; reach > 1e-9; reach /= 16) {
      const centre = best;
      for (let j = -16; j <= 16; j++) {
        const here = score(at(centre + (j * reach) / 16));
        if (here <= highest) continue;
        highest = here;
        best = centre + (j * reach) / 16;
      }
    }
    found.push(at(best));
  });
  return found;
}

function nearest(of: readonly V3[], d: V3): V3 | undefined {
  let best: V3 | undefined;
  for (const p of of) if (best === undefined || dot(p, d) > dot(best, d)) best = p;
  return best;
}

/** The nearest direction to d outside all caps; undefined when none was seen. */
export function nearestFree(caps: readonly Cap[], d: V3): V3 | undefined {
  const free = (p: V3): boolean => deepest(caps, p) <= 1e-12;
  if (free(d)) return d;
  // Scattered directions see what no rim would show; the nearest one is mostly on a rim.
  let best: V3 | undefined;
  for (const p of everywhere) if ((best === undefined || dot(p, d) > dot(best, d)) && free(p)) best = p;
  const onRims = caps.flatMap((cap) => rimMaxima(cap, (p) => (free(p) ? dot(p, d) : -Infinity)));
  return nearest(best ? [best, ...onRims] : onRims, d);
}

/** The nearest direction to d on the rim of a cap. */
export function nearestOnRim(cap: Cap, d: V3): V3 {
  return nearest(
    rimMaxima(cap, (p) => dot(p, d)),
    d,
  )!;
}
