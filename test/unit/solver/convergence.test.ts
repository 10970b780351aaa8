/** The tick rate is a question of accuracy only: halving the tick halves the error. */
import { describe, expect, it } from 'vitest';
import { makeScene, makeTail, plain, radians, run, runAlong, tipsOf } from '../../support/chains.js';
import { fastHips } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import { len, sub } from '../../support/referenceMath.js';

const samples = 60;

/** Tips after the rest, every 1/60 s of the last two and a half seconds. */
function tipPath(tickRate: number, links: number): V3[][] {
  const scene = makeScene(makeTail({ links }), {
    ...plain,
    carry: radians(50),
    restCurve: 0,
    gravity: 1,
    air: 1,
    tickRate,
  });
  run(scene, 8 * tickRate);
  const path: V3[][] = [];
  runAlong(
    scene,
    2.5,
    (t) => [fastHips(t), 0, 0],
    (tick) => {
      if (tick % (tickRate / samples) === 0) path.push(tipsOf(scene));
    },
    tickRate,
  );
  return path;
}

function largestError(path: V3[][], exact: V3[][]): number {
  return Math.max(...path.flatMap((tips, k) => tips.map((tip, i) => len(sub(tip, exact[k]![i]!)))));
}

describe('convergence under fast hips', () => {
  it('is of first order in the tick and within 4% of the length at 120 ticks (4 links)', () => {
    const exact = tipPath(4800, 4);
    const rates = [60, 120, 240, 480, 960];
    const errors = rates.map((rate) => largestError(tipPath(rate, 4), exact));
    const orders = errors.slice(1).map((e, k) => Math.log2(errors[k]! / e));
    console.log(
      `errors ${errors.map((e) => e.toExponential(3)).join(', ')}; orders ${orders.map((o) => o.toFixed(2)).join(', ')}`,
    );
    expect(errors[1]! / 0.8).toBeLessThan(0.04);
    for (const order of orders) expect(order).toBeGreaterThan(0.9);
    const overall = Math.log2(errors[0]! / errors.at(-1)!) / (rates.length - 1);
    expect(overall).toBeGreaterThanOrEqual(1);
  });
});
