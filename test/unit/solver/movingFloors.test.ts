/** Floors that move: they stop, carry and lift, and throw nothing. */
import { describe, expect, it } from 'vitest';
import { addFloor, setFloor } from '../../../src/index.js';
import { back, makeScene, makeTail, plain, run, tipOf, velocitiesOf } from '../../support/chains.js';
import type { V3 } from '../../support/referenceMath.js';
import { len, sub } from '../../support/referenceMath.js';

describe('floors', () => {
  it('that are moved along themselves by a jump drag no tail', () => {
    const scene = makeScene(makeTail({ links: 4, direction: back }), { ...plain, gravity: 1, floor: true });
    const floor = addFloor(scene.world, { point: [0, 0.9, 0] });
    run(scene, 10 * 120);
    const before = tipOf(scene);
    setFloor(scene.world, floor, { point: [10, 0.9, 0] });
    run(scene, 30);
    expect(len(sub(tipOf(scene), before))).toBeLessThan(0.01);
    expect(velocitiesOf(scene).every((v) => len(v) < 1)).toBe(true);
  });
});

describe('floors that move', () => {
  it('backward under a mirrored character drag its tail the same way as under a plain one', () => {
    const drag = (side: 1 | -1): V3[] => {
      const s = makeScene(makeTail({ links: 4, direction: back, hips: [0, 0.15, 0] }), {
        ...plain,
        gravity: 2,
        floor: true,
        scale: [side, 1, 1],
      });
      const floor = addFloor(s.world);
      run(s, 600);
      run(s, 60, (k) => setFloor(s.world, floor, { point: [0.005 * (k + 1), 0, 0] }));
      return [tipOf(s), velocitiesOf(s)[3]!];
    };
    const [plainTip, mirroredTip] = [drag(1)[0]!, drag(-1)[0]!];
    expect(plainTip[0]).toBeGreaterThan(0.01);
    plainTip.forEach((x, c) => expect(mirroredTip[c]).toBeCloseTo(x, 9));
  });

  it('drag the tail of a file in centimetres as that of one in metres', () => {
    const drag = (unit: number): V3 => {
      const tail = makeTail({ links: 4, direction: back, length: 0.8 * unit, hips: [0, 0.15 * unit, 0] });
      const s = makeScene(tail, { ...plain, gravity: 2, floor: true, unit });
      const floor = addFloor(s.world);
      run(s, 600);
      run(s, 60, (k) => setFloor(s.world, floor, { point: [0.01 * unit * (k + 1), 0, 0] }));
      const tip = tipOf(s);
      return [tip[0] / unit, tip[1] / unit, tip[2] / unit];
    };
    const [metres, centimetres] = [drag(1), drag(100)];
    expect(metres[0]).toBeGreaterThan(0.01);
    metres.forEach((x, c) => expect(centimetres[c]).toBeCloseTo(x, 9));
  });

  it('up and stop do not throw the tail', () => {
    const s = makeScene(makeTail({ links: 4, direction: back, hips: [0, 0.5, 0] }), {
      ...plain,
      gravity: 4,
      floor: true,
    });
    const floor = addFloor(s.world);
    run(s, 1200);
    expect(tipOf(s)[1]).toBeCloseTo(0.025, 6);
    let y = 0;
    run(s, 20, () => setFloor(s.world, floor, { point: [0, (y += 0.01), 0] }));
    let highest = 0;
    run(s, 120, undefined, () => (highest = Math.max(highest, tipOf(s)[1])));
    expect(highest - y).toBeLessThan(0.03);
  });
});
