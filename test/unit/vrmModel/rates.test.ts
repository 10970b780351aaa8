/** The VRM model at other tick rates than 60: it stays near the 60 Hz algorithm (DESIGN 5, "VRM model"). */
import { describe, expect, it } from 'vitest';
import { angleBetween, axisAngle, identity, len, qmul, sub, type V3 } from '../../support/referenceMath.js';
import { naive, plain, played, vrmTail, type Motion } from './support.js';

/** Hair roots 12 cm above and 10 cm behind the joint about which the head turns. */
const hips: V3 = [0, 0.12, -0.1];

/** Head turned by 60 degrees to the sides and 15 up and down, hips swaying. */
const headTurn: Motion = (t) => ({
  position: [0.05 * Math.sin(Math.PI * t), 0, 0],
  rotation: qmul(
    axisAngle([0, 1, 0], (Math.PI / 3) * Math.sin(Math.PI * t)),
    axisAngle([1, 0, 0], (Math.PI / 12) * Math.sin(1.6 * Math.PI * t)),
  ),
});

/** Root mean square of the tips' distance from the 60 Hz algorithm, as a share of the chain's length. */
function rms(motion: Motion, links: number, link: number, values: typeof plain, tickRate: number): number {
  const tail = vrmTail({ links, length: links * link, hips }, [values]);
  const frames = naive(tail, hips, [values], motion, 4);
  const ticks = played(tail, motion, 4, tickRate);
  let sum = 0;
  let count = 0;
  for (const [k, tips] of frames.entries()) {
    const at = ((k + 1) * tickRate) / 60 - 1;
    if (at !== Math.floor(at)) continue;
    for (const [i, tip] of tips.entries()) sum += len(sub(ticks[at]![i]!, tip)) ** 2;
    count += tips.length;
  }
  return Math.sqrt(sum / count) / (links * link);
}

const cases = [1, 3].flatMap((links) =>
  [0.03, 0.1, 0.2].flatMap((link) =>
    [1, 4].flatMap((stiffness) => [0.4, 1].map((dragForce) => ({ links, link, stiffness, dragForce }))),
  ),
);

describe('head turn', () => {
  it.each(cases)('within 5% at 30 and 120 ticks: %o', ({ links, link, stiffness, dragForce }) => {
    const values = { ...plain, stiffness, dragForce };
    expect(rms(headTurn, links, link, values, 120)).toBeLessThan(0.05);
    expect(rms(headTurn, links, link, values, 30)).toBeLessThan(0.05);
  });
});

describe('a walk at 1.4 m/s', () => {
  const walk: Motion = (t) => ({
    position: [0, 0.02 * Math.sin(4 * Math.PI * t), 1.4 * t],
    rotation: identity,
  });
  it.each([0.03, 0.1, 0.2])(
    'at 120 ticks, links of %d m: the lag behind the walk is no longer the same',
    (link) => {
      const off = [1, 4].map((stiffness) => rms(walk, 1, link, { ...plain, stiffness }, 120));
      console.log(
        `walk, link ${link} m: ${off.map((share) => (100 * share).toFixed(1)).join(', ')}% for stiffness 1, 4`,
      );
      // The head goes a tick's way where the frame goes a whole one before the spring answers (docs/solver.md).
      for (const share of off) expect(share).toBeLessThan(0.2);
    },
  );
});

/** How far a 60 degree snap swings past its rest, radians, and seconds until it stays within 2%. */
function snap(links: number, tickRate: number): { overshoot: number; settled: number } {
  const turned = Math.PI / 3;
  const motion: Motion = (t) => ({
    position: [0, 0, 0],
    rotation: axisAngle([1, 0, 0], t > 0 ? turned : 0),
  });
  const ticks = played(
    vrmTail({ links, length: 0.1 * links, hips: [0, 0, 0] }, [plain]),
    motion,
    4,
    tickRate,
  );
  const rest: V3 = [0, -Math.cos(turned), -Math.sin(turned)];
  let overshoot = 0;
  let settled = 0;
  for (const [k, tips] of ticks.entries()) {
    const direction = sub(tips.at(-1)!, tips.at(-2) ?? [0, 0, 0]);
    const angle = angleBetween(direction, rest);
    // The swing goes from straight down to behind: beyond the rest it lies higher.
    if (Math.atan2(-direction[2], -direction[1]) > turned) overshoot = Math.max(overshoot, angle);
    if (angle > 0.02 * turned) settled = (k + 1) / tickRate;
  }
  return { overshoot, settled };
}

describe('snap of 60 degrees', () => {
  it.each([1, 3])('settles and overshoots as at 60 ticks, within 10%%: %i links', (links) => {
    const at60 = snap(links, 60);
    expect(at60.overshoot).toBeGreaterThan(0.02);
    for (const tickRate of [90, 120, 144]) {
      const { overshoot, settled } = snap(links, tickRate);
      expect(Math.abs(overshoot / at60.overshoot - 1), `overshoot at ${tickRate}`).toBeLessThan(0.1);
      expect(Math.abs(settled / at60.settled - 1), `settled at ${tickRate}`).toBeLessThan(0.1);
    }
  });
});
