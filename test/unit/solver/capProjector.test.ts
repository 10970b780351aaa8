/** The nearest direction outside of caps of the sphere, against brute force: thousands of directions looked at. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  active,
  addCap,
  cap,
  capRank,
  type CapRank,
  clearCaps,
  projectDirection,
} from '../../../src/systems/capProjector.js';
import { baseFrame, restDirection, tipDirection } from '../../../src/systems/registers.js';
import type { V3 } from '../../support/referenceMath.js';
import {
  add,
  angleBetween,
  axisAngle,
  cross,
  dot,
  len,
  mul,
  qrot,
  seeded,
  sub,
  unit,
} from '../../support/referenceMath.js';
import type { Cap } from '../../support/sphere.js';
import { boundOf, deepest, nearestFree, nearestOnRim } from '../../support/sphere.js';

const turned = axisAngle([1, 2, -3], 1.1);
const lateral = qrot(turned, [1, 0, 0]);
const up = qrot(turned, [0, 1, 0]);
const forward = qrot(turned, [0, 0, 1]);
const rest = unit([0.3, -0.9, 0.4]);

beforeEach(() => {
  baseFrame.set([...lateral, ...up, ...forward]);
  restDirection.set(rest);
});

interface Result {
  direction: V3;
  /** Labels that define it, ascending. */
  active: number[];
}

/** What the projector makes of a candidate. */
function project(caps: readonly Cap[], d: V3): Result {
  clearCaps();
  for (const { axis, k, rank, label } of caps) {
    cap.set([...axis, k]);
    addCap(rank as CapRank, label);
  }
  tipDirection.set(d);
  projectDirection();
  return {
    direction: [tipDirection[0]!, tipDirection[1]!, tipDirection[2]!],
    active: [...active].filter((label) => label >= 0).toSorted((a, b) => a - b),
  };
}

const capOf = (axis: V3, k: number, rank: number = capRank.floor, label = 7): Cap => ({
  axis,
  k,
  rank,
  label,
});

/** Labels of the caps whose rim a direction is on. */
const rimsAt = (caps: readonly Cap[], d: V3): number[] =>
  caps.filter((c) => Math.abs(dot(d, c.axis) - boundOf(c)) < 1e-9).map(({ label }) => label);

const ranks = [capRank.floor, capRank.collider, capRank.keepOut];

interface Case {
  caps: Cap[];
  d: V3;
}

/**
 * A set of caps and a candidate.
 *
 * @param spread - how far the axes are from the candidate; at 9 they point anywhere
 * @param mixed - caps of all ranks, not floors alone
 */
function randomCase(
  random: () => number,
  count: number,
  spread: number,
  least: number,
  most: number,
  mixed: boolean,
): Case {
  const direction = (): V3 => {
    for (;;) {
      const v: V3 = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
      if (len(v) <= 1 && len(v) > 0.1) return unit(v);
    }
  };
  const d = direction();
  const caps = Array.from({ length: count }, (_, i): Cap => {
    const axis = unit(add(d, mul(direction(), spread)));
    const k = least + (most - least) * random();
    return capOf(axis, k, mixed ? ranks[Math.floor(3 * random())]! : capRank.floor, 10 * i + 3);
  });
  return { caps, d };
}

/** Six hundred and more cases of every kind. */
function randomCases(mixed: boolean): Case[] {
  const cases: Case[] = [];
  const random = seeded(mixed ? 4711 : 815);
  for (let count = 1; count <= 4; count++)
    for (let i = 0; i < 50; i++) {
      cases.push(randomCase(random, count, 9, -0.95, 0.97, mixed));
      cases.push(randomCase(random, count, 0.8, 0, 0.95, mixed));
      cases.push(randomCase(random, count, 1.5, -1.2, 0.4, mixed));
    }
  return cases;
}

function permutations<T>(of: readonly T[]): T[][] {
  if (of.length < 2) return [[...of]];
  return of.flatMap((first, i) => permutations(of.filter((_, j) => j !== i)).map((tail) => [first, ...tail]));
}

const lowestRank = (caps: readonly Cap[]): Cap[] =>
  caps.filter(({ rank }) => rank === Math.min(...caps.map((c) => c.rank)));

/** Caps that are kept when those of the largest ranks are given up until a free direction is seen. */
function kept({ caps, d }: Case): { caps: Cap[]; free: V3 | undefined } {
  for (let left = caps; ;) {
    const free = nearestFree(left, d);
    const highest = Math.max(...left.map(({ rank }) => rank));
    const fewer = left.filter(({ rank }) => rank < highest);
    if (free || fewer.length === 0) return { caps: left, free };
    left = fewer;
  }
}

describe('the direction out of caps', () => {
  for (const mixed of [false, true])
    it(`is the nearest that sampling finds, with caps of ${mixed ? 'all ranks' : 'one rank'}`, () => {
      const seen = { untouched: 0, exits: 0, pairs: 0, jammed: 0, given: 0, missed: 0 };
      for (const one of randomCases(mixed)) {
        const { direction, active: labels } = project(one.caps, one.d);
        const { caps, free } = kept(one);
        expect(Math.abs(Math.hypot(...direction) - 1)).toBeLessThan(5e-16);
        if (caps.length < one.caps.length) seen.given++;
        if (free === undefined) {
          // The exit of one cap, and none is less deep in the others.
          const depths = caps.map((c) => deepest(caps, nearestOnRim(c, one.d)));
          expect(deepest(caps, direction)).toBeLessThan(Math.min(...depths) + 1e-6);
          expect(labels).toHaveLength(1);
          expect(rimsAt(caps, direction)).toEqual(labels);
          seen.jammed++;
          continue;
        }
        if (deepest(one.caps, direction) < 1e-9 && caps.length < one.caps.length) {
          // A gap so small that no sample fell into it.
          seen.missed++;
          continue;
        }
        expect(deepest(caps, direction)).toBeLessThan(1e-9);
        const nearer = angleBetween(direction, one.d) - angleBetween(free, one.d);
        expect(Math.abs(nearer)).toBeLessThan(1e-3);
        if (deepest(caps, one.d) <= 0) {
          expect(direction).toEqual(one.d);
          expect(labels).toEqual([]);
          seen.untouched++;
        } else {
          expect(labels).toEqual(rimsAt(caps, direction));
          if (labels.length === 1) seen.exits++;
          else seen.pairs++;
        }
      }
      // Nothing above is empty.
      for (const kind of ['untouched', 'exits', 'pairs', 'jammed'] as const)
        expect(seen[kind], kind).toBeGreaterThan(20);
      expect(seen.given > 20).toBe(mixed);
      expect(seen.missed).toBeLessThan(3);
    });

  it('does not depend on the order of the caps', () => {
    for (const mixed of [false, true])
      for (const { caps, d } of randomCases(mixed)) {
        const first = project(caps, d);
        for (const others of permutations(caps)) {
          const again = project(others, d);
          const depths = [first, again].map((x) => deepest(lowestRank(caps), x.direction));
          // Jammed, and two exits are equally deep: either will do.
          if (depths[0]! > 1e-9 && Math.abs(depths[1]! - depths[0]!) < 1e-12) continue;
          expect(again).toEqual(first);
        }
      }
  });

  it('stays what it is when no cap holds it', () => {
    const random = seeded(99);
    for (let i = 0; i < 500; i++) {
      const { caps, d } = randomCase(random, 1 + (i % 4), 9, -0.9, 0.9, true);
      const others = caps.map((c) => ({ ...c, k: Math.max(c.k, dot(d, c.axis) + 1e-9 * (i % 3)) }));
      expect(project(others, d)).toEqual({ direction: d, active: [] });
    }
    expect(project([], up)).toEqual({ direction: up, active: [] });
  });

  it('is the same for a cap that is there twice, or nearly', () => {
    const random = seeded(12);
    for (let i = 0; i < 300; i++) {
      const { caps, d } = randomCase(random, 2, 1.2, -0.3, 0.9, false);
      const once = project(caps, d).direction;
      const again = project([...caps, { ...caps[i % 2]!, label: 50 }], d).direction;
      expect(len(sub(again, once))).toBeLessThan(1e-12);
      const off = 10 ** -(3 + (i % 11));
      const nudged = { ...caps[i % 2]!, axis: unit(add(caps[i % 2]!.axis, [off, -2 * off, off])) };
      const close = project([...caps, nudged], d).direction;
      if (nearestFree([...caps, nudged], d)) expect(deepest([...caps, nudged], close)).toBeLessThan(1e-9);
    }
  });

  it('is either of the two where they are equally near', () => {
    const left = capOf(unit([1, -1, 0]), 0.4, capRank.floor, 1);
    const right = capOf(unit([-1, -1, 0]), 0.4, capRank.floor, 2);
    for (const caps of permutations([left, right])) {
      const { direction, active: labels } = project(caps, [0, -1, 0]);
      expect(labels).toEqual([1, 2]);
      expect(direction[0]).toBeCloseTo(0, 14);
      expect(direction[1]).toBeCloseTo(-0.4 * Math.SQRT2, 14);
    }
  });

  it('is not moved by a cap that forbids nothing', () => {
    const d = unit([0.2, -1, 0.1]);
    expect(project([capOf(d, 1)], d)).toEqual({ direction: d, active: [] });
    expect(project([capOf(d, 1.5), capOf(unit(sub(d, up)), 1)], d)).toEqual({ direction: d, active: [] });
    const alone = project([capOf(d, 0.5, capRank.floor, 3)], d);
    expect(project([capOf(d, 3), capOf(d, 0.5, capRank.floor, 3), capOf(up, 1)], d)).toEqual(alone);
  });

  it('is not moved by any number of those, nor in a jam', () => {
    const d = unit([0.2, -1, 0.1]);
    const idle = Array.from({ length: 30 }, (_, i) => capOf(d, 1 + i));
    const floor = capOf([0, -1, 0], -0.3, capRank.floor, 60);
    const lid = capOf(unit([0.3, 1, 0]), -0.4, capRank.floor, 61);
    for (const caps of [[floor], [floor, lid]])
      expect(project([...idle, ...caps], d)).toEqual(project(caps, d));
  });

  it.each([-1, -1.001, -40])('leads straight out of a cap that leaves nothing free (k %d)', (k) => {
    const random = seeded(5);
    for (let i = 0; i < 50; i++) {
      const { caps, d } = randomCase(random, 1, 9, k, k, false);
      const { direction, active: labels } = project(caps, d);
      expect(len(add(direction, caps[0]!.axis))).toBeLessThan(1e-15);
      expect(labels).toEqual([3]);
    }
  });
});

describe('caps that leave no direction free', () => {
  const down: V3 = [0, -1, 0];
  /** The way to the right and down, where both caps below are. */
  const candidate = unit([0.6, -0.8, 0.05]);

  it('give way by rank: keep-out, then colliders, then nothing', () => {
    const floor = capOf(down, -0.6, capRank.floor, 1);
    const collider = capOf([0, 1, 0], -0.2, capRank.collider, 2);
    const keepOut = capOf(unit([0.1, 1, 0.3]), 0.1, capRank.keepOut, 3);
    for (const caps of permutations([floor, collider, keepOut])) {
      const { direction, active: labels } = project(caps, candidate);
      expect(labels).toEqual([1]);
      expect(direction[1]).toBeCloseTo(0.6, 12);
      expect(direction).toEqual(project([floor], candidate).direction);
    }
  });

  it('keep the collider when the keep-out plane alone is in the way', () => {
    const floor = capOf(down, 0.1, capRank.floor, 1);
    const collider = capOf([1, 0, 0], 0.2, capRank.collider, 2);
    const keepOut = capOf([-1, 0, 0], -0.3, capRank.keepOut, 3);
    const both = project([floor, collider], candidate);
    expect(both.active).toEqual([1, 2]);
    for (const caps of permutations([floor, collider, keepOut]))
      expect(project(caps, candidate)).toEqual(both);
  });

  it('of one rank leave the exit that is least deep in the others', () => {
    const low = capOf(down, -0.2, capRank.floor, 1);
    const high = capOf(unit([0.2, 1, 0.3]), -0.2, capRank.floor, 2);
    const third = capOf(unit([1, 0.5, -0.3]), -0.5, capRank.floor, 4);
    for (const caps of permutations([low, high, third])) {
      const depths = caps.map((c) => deepest(caps, nearestOnRim(c, candidate)));
      const least = Math.min(...depths);
      expect(depths.filter((x) => x < least + 0.05)).toHaveLength(1);
      const { direction, active: labels } = project(caps, candidate);
      expect(deepest(caps, direction)).toBeCloseTo(least, 6);
      expect(labels).toEqual([caps[depths.indexOf(least)]!.label]);
    }
  });
});

describe('the side on which a candidate along the axis leaves', () => {
  /** The direction on the rim of the cap on the side of `v`. */
  const on = (axis: V3, k: number, v: V3): V3 =>
    add(mul(axis, k), mul(unit(sub(v, mul(axis, dot(v, axis)))), Math.sqrt(1 - k * k)));
  const near = (a: V3, b: V3): void => expect(len(sub(a, b))).toBeLessThan(1e-12);
  const skew = unit([0.5, 0.7, -0.4]);

  it.each([-0.7, 0, 0.4])('is that of the rest direction (k %d)', (k) => {
    near(project([capOf(skew, k)], skew).direction, on(skew, k, rest));
    // Seven digits off the axis are no side yet, five are.
    const side = unit(cross(skew, rest));
    near(project([capOf(skew, k)], unit(add(skew, mul(side, 1e-7)))).direction, on(skew, k, rest));
    expect(
      len(sub(project([capOf(skew, k)], unit(add(skew, mul(side, 1e-5)))).direction, on(skew, k, side))),
    ).toBeLessThan(1e-9);
  });

  it.each([1, -1])('is backward where the rest direction is parallel to the axis as well (%d)', (sign) => {
    restDirection.set(mul(skew, sign));
    near(project([capOf(skew, 0.3)], skew).direction, on(skew, 0.3, mul(forward, -1)));
    restDirection.set(mul(up, sign));
    near(project([capOf(up, 0.3)], up).direction, on(up, 0.3, mul(forward, -1)));
  });

  it.each([1, -1])('is lateral where forward is parallel to it too (%d)', (sign) => {
    restDirection.set(mul(forward, -sign));
    const axis = mul(forward, sign);
    near(project([capOf(axis, 0.3)], axis).direction, on(axis, 0.3, lateral));
  });

  it('is found by the same rule where other caps are', () => {
    const far = capOf(unit(cross(skew, rest)), 0.95, capRank.collider, 9);
    const { direction, active: labels } = project([far, capOf(skew, 0.4)], skew);
    near(direction, on(skew, 0.4, rest));
    expect(labels).toEqual([7]);
  });
});
