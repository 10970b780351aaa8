/**
 * A link that slides on a sphere without friction: its tip stays on a circle about the line from head to centre, so it
 * is the pendulum of the textbook with the part of gravity that lies in the circle's plane (docs/solver.md, "Contact":
 * only motion into a surface is removed). The length constraint itself takes about h w^2 / 4 of an amplitude per
 * second; contact may take nothing beyond that.
 */
import { describe, expect, it } from 'vitest';
import { addCollider, step, type ColliderShape } from '../../../src/index.js';
import { makeScene, makeTail, plain, tipOf } from '../../support/chains.js';
import { linkGap } from '../../support/contactGaps.js';
import { add, cross, dot, len, mul, sub, unit, type V3 } from '../../support/referenceMath.js';

const head: V3 = [0, 1, 0];
const length = 0.3;
const radius = 0.01;
const gravity = 9.8;
const amplitudeRad = 0.35;
const options = {
  ...plain,
  // Too weak to count against gravity.
  frequency: 1e-4,
  damping: 0,
  gravity,
  coupling: 0,
  limit: Infinity,
  air: 0,
  radius,
};

/** Circle on which the tip moves: middle, radius, lowest direction and the one square to it in its plane. */
interface Circle {
  shape?: ColliderShape;
  middle: V3;
  radius: number;
  lowest: V3;
  aside: V3;
  /** Gravity in its plane. */
  pull: number;
}

/** The sphere of radius r whose centre lies `away` from the head, aslant below it. */
function circleOf(part: 'tip' | 'segment', away: number, r: number): Circle {
  const u = unit([0, -2, -1]);
  const shape: ColliderShape = { kind: 'sphere', offset: add(head, mul(u, away)), radius: r, inside: false };
  const reach = r + radius;
  // Angle of the touching link from u: the tangent, or the triangle of head, tip and centre.
  const angle =
    part === 'segment'
      ? Math.asin(reach / away)
      : Math.acos((away ** 2 + length ** 2 - reach ** 2) / (2 * away * length));
  const lowest = unit(sub([0, -1, 0], mul(u, dot([0, -1, 0], u))));
  return {
    shape,
    middle: add(head, mul(u, length * Math.cos(angle))),
    radius: length * Math.sin(angle),
    lowest,
    aside: cross(u, lowest),
    pull: gravity * len(sub([0, -1, 0], mul(u, dot([0, -1, 0], u)))),
  };
}

const hanging: Circle = {
  middle: head,
  radius: length,
  lowest: [0, -1, 0],
  aside: [1, 0, 0],
  pull: gravity,
};

/** Period of the pendulum of textbooks at an amplitude, by the arithmetic-geometric mean. */
function pendulumPeriod(circle: Circle, angleRad: number): number {
  let [a, b] = [1, Math.cos(angleRad / 2)];
  for (let k = 0; k < 8; k++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return (2 * Math.PI * Math.sqrt(circle.radius / circle.pull)) / a;
}

interface Slid {
  /** Relative to the textbook's at the mean amplitude. */
  periodError: number;
  /** Share of the amplitude lost per second. */
  loss: number;
  /** Farthest from the sphere, and from the circle. */
  lift: number;
}

function slide(circle: Circle, part: 'tip' | 'segment', tickRate: number): Slid {
  const at = (angle: number): V3 =>
    add(
      circle.middle,
      mul(add(mul(circle.lowest, Math.cos(angle)), mul(circle.aside, Math.sin(angle))), circle.radius),
    );
  const tail = makeTail({ links: 1, length, hips: head, direction: sub(at(amplitudeRad), head) });
  const scene = makeScene(tail, { ...options, contactPart: part, tickRate });
  if (circle.shape) addCollider(scene.world, { shape: circle.shape });
  const angles: number[] = [];
  let lift = 0;
  for (let k = 0; k <= 3 * tickRate; k++) {
    step(scene.world);
    const tip = tipOf(scene);
    const from = sub(tip, circle.middle);
    angles.push(Math.atan2(dot(from, circle.aside), dot(from, circle.lowest)));
    if (circle.shape)
      lift = Math.max(lift, Math.abs(linkGap(circle.shape, head, tip, radius, part === 'tip')));
  }
  // Swings from the crossings of the lowest point; amplitudes where a parabola through three ticks turns.
  const crossings: number[] = [];
  const peaks: { t: number; size: number }[] = [{ t: 0, size: amplitudeRad }];
  for (let k = 1; k + 1 < angles.length; k++) {
    const [a, b, c] = [angles[k - 1]!, angles[k]!, angles[k + 1]!];
    if (a * b <= 0) crossings.push((k - 1 + a / (a - b)) / tickRate);
    if (k > 2 && (b - a) * (c - b) <= 0) {
      const off = (a - c) / (2 * (a - 2 * b + c));
      peaks.push({ t: (k + off) / tickRate, size: Math.abs(b - ((a - c) * off) / 4) });
    }
  }
  const last = peaks.at(-1)!;
  const whole = crossings.slice(0, 2 * Math.floor((crossings.length - 1) / 2) + 1);
  const period = (whole.at(-1)! - whole[0]!) / ((whole.length - 1) / 2);
  const mean = peaks.reduce((sum, { size }) => sum + pendulumPeriod(circle, size), 0) / peaks.length;
  return {
    periodError: period / mean - 1,
    loss: Math.log(amplitudeRad / last.size) / last.t,
    lift,
  };
}

const circles: [string, 'tip' | 'segment', Circle][] = [
  ['its middle', 'segment', circleOf('segment', 0.15, 0.11)],
  ['its tip, where only that counts', 'tip', circleOf('tip', 0.3, 0.24)],
  ['its tip, where all of it counts', 'segment', circleOf('tip', 0.42, 0.27)],
];

describe('a link that slides on a sphere by', () => {
  it.each(circles)('%s is the pendulum on its circle, and loses what a free one loses', (_, part, circle) => {
    for (const tickRate of [120, 480]) {
      const own = slide(circle, part, tickRate);
      const free = slide(hanging, part, tickRate);
      // What the length constraint takes grows with the square of the circular frequency.
      const share = circle.pull / circle.radius / (hanging.pull / hanging.radius);
      const what = JSON.stringify({ tickRate, own, free, share });
      expect(Math.abs(own.periodError), what).toBeLessThan(0.002);
      expect(own.loss, what).toBeLessThan(share * free.loss + 0.002);
      expect(own.loss, what).toBeGreaterThan(0);
      expect(own.lift, what).toBeLessThan(1e-9);
    }
  });

  it.each(circles)('%s loses a quarter at four times the ticks', (_, part, circle) => {
    const [coarse, fine] = [120, 480].map((tickRate) => slide(circle, part, tickRate).loss);
    expect(fine! / coarse!).toBeLessThan(0.26);
  });
});
