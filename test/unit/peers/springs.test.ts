/**
 * Faults that users of other spring-bone systems report, by their K numbers: springs, air, weight and limits.
 * Small inputs and right values are those of the survey of peers; each test names the fault and what is right here.
 */
import { describe, expect, it } from 'vitest';
import { resetChain, setChain, setRoot, step, type ChainOptions } from '../../../src/index.js';
import {
  back,
  directionsOf,
  down,
  jointsOf,
  lengthFault,
  makeScene,
  makeTail,
  plain,
  radians,
  run,
  runAlong,
  tipOf,
  tipsOf,
  velocitiesOf,
} from '../../support/chains.js';
import {
  add,
  angleBetween,
  axisAngle,
  identity,
  len,
  qinv,
  qmul,
  qrot,
  sub,
  type Q4,
  type V3,
} from '../../support/referenceMath.js';
import { plain as plainJoint, vrmTail, type Values } from '../vrmModel/support.js';

/** One link of 0.8 m at 0.9 Hz: w^2 l, the pull back of the spring per sine of the bend, in m/s^2. */
const w = 2 * Math.PI * 0.9;
const pull = w * w * 0.8;

/** Bend at which spring and gravity balance, for a rest direction so far from straight down. */
function balance(gravity: number, fromDown: number): number {
  return Math.atan2(gravity * Math.sin(fromDown), pull + gravity * Math.cos(fromDown));
}

describe('users have seen', () => {
  it('K5: tails that jump from the origin in the first frame; here a VRM chain begins at its rest', () => {
    for (const dragForce of [0, 0.4, 1]) {
      const tail = vrmTail({ links: 3, length: 0.6, axes: 3 }, [{ ...plainJoint, dragForce }]);
      const scene = makeScene(tail, { position: [50, 0, 3] });
      for (let k = 0; k < 3; k++) {
        step(scene.world);
        tipsOf(scene).forEach((tip, i) =>
          expect(len(sub(tip, add(tail.bindTips[i]!, [50, 0, 3])))).toBeLessThan(1e-9),
        );
      }
    }
  });

  it('K6: a reset that leaves the stored tails behind; here a VRM chain rests at once, wherever it was', () => {
    const tail = vrmTail({ links: 3, length: 0.6, axes: 3 }, [{ ...plainJoint, dragForce: 0.1 }]);
    const scene = makeScene(tail, { teleport: 'none' });
    run(scene, 1);
    runAlong(scene, 1.1, (t) => [2 * t * t, 0, 0.2 * Math.sin(9 * t)]);
    const root: V3 = [2 * 1.1 * 1.1, 0, 0.2 * Math.sin(9.9)];
    const rest = tail.bindTips.map((p) => add(p, root));
    expect(len(sub(tipOf(scene), rest[2]!))).toBeGreaterThan(0.05);
    resetChain(scene.world, scene.chain);
    run(scene, 30, undefined, () => {
      tipsOf(scene).forEach((tip, i) => expect(len(sub(tip, rest[i]!))).toBeLessThan(1e-9));
      for (const v of velocitiesOf(scene)) expect(len(v)).toBeLessThan(1e-9);
    });
  });

  it.each<[string, Partial<Values>]>([
    ['a gravity without direction', { gravityPower: 1, gravityDir: [0, 0, 0] }],
    ['no stiffness and no gravity', { stiffness: 0 }],
    ['a stiffness next to nothing', { stiffness: 1e-20, gravityPower: 1e-20 }],
    ['a stiffness of 1e6', { stiffness: 1e6 }],
    ['no drag', { dragForce: 0 }],
    ['all the drag there is', { dragForce: 1 }],
    ['gravity straight against the spring', { gravityPower: 1, gravityDir: [0, 1, 0] }],
  ])('K16: joints that are not finite after %s; here all lengths hold', (_, values) => {
    const tail = vrmTail({ links: 3, length: 0.6, axes: 3 }, [{ ...plainJoint, ...values }]);
    const scene = makeScene(tail, { teleport: 'none', floor: false });
    for (let k = 0; k < 600; k++) {
      const position: V3 = [0.3 * Math.sin(k / 12), 0, 0.2 * Math.sin(k / 9)];
      setRoot(scene.world, scene.character, { position });
      step(scene.world);
      expect(tipsOf(scene).flat().every(Number.isFinite)).toBe(true);
      expect(lengthFault(scene, add(position, [0, 1, 0]))).toBeLessThanOrEqual(1);
      for (const d of directionsOf(scene)) expect(len(d)).toBeCloseTo(1, 9);
    }
    expect(scene.world.report.warnings.filter(({ code }) => code === 'chain-faulted')).toEqual([]);
  });

  it('K21: wind nobody can foresee; here the air of a steady walk lays a link back by the angle of the statics', () => {
    for (const [air, damping, speed] of [
      [1, 0.65, 1.4],
      [0.25, 0.65, 1.4],
      [0.5, 1, 3],
    ] as const) {
      const [coarse, middle, fine] = [120, 240, 480].map((tickRate) => {
        const scene = makeScene(makeTail({ links: 1 }), {
          ...plain,
          limit: Infinity,
          air,
          damping,
          tickRate,
        });
        run(scene, 1);
        runAlong(scene, 8, (t) => [speed * t, 0, 0], undefined, tickRate);
        const [d] = directionsOf(scene);
        expect(d![0]).toBeLessThan(0);
        // And when the wind ends the link is back where it was.
        run(scene, 10 * tickRate);
        expect(angleBetween(directionsOf(scene)[0]!, down)).toBeLessThan(1e-6);
        return angleBetween(d!, down);
      }) as [number, number, number];
      // Square to the link: w^2 l sin(a) = 2 z w (air v) cos(a). The length constraint is of first order in the tick.
      const expected = Math.atan2(2 * damping * w * air * speed, pull);
      expect(2 * fine - middle).toBeCloseTo(expected, 4);
      expect(Math.abs(coarse / expected - 1)).toBeLessThan(0.02);
    }
  });

  it('K21: gravity that reaches all chains or none; here each has its own, and it goes without a trace', () => {
    const heavy = makeScene(makeTail({ links: 1, direction: back }), { ...plain, gravity: 3 });
    const other = makeScene(makeTail({ links: 1, direction: back }), plain, heavy.world);
    run(heavy, 20 * 120);
    const bend = (): number => angleBetween(directionsOf(heavy)[0]!, back);
    expect(bend()).toBeCloseTo(balance(3, Math.PI / 2), 6);
    expect(jointsOf(other).at(-1)).toEqual(other.tail.bindTips[0]);
    setChain(heavy.world, heavy.chain, { gravity: -3 });
    run(heavy, 20 * 120);
    expect(bend()).toBeCloseTo(balance(3, Math.PI / 2), 6);
    expect(directionsOf(heavy)[0]![1]).toBeGreaterThan(0);
    setChain(heavy.world, heavy.chain, { gravity: 0 });
    run(heavy, 20 * 120);
    expect(bend()).toBeLessThan(1e-6);
  });

  describe('K30: limits that are left, ignored or turn over at a pole; here a link bends by no more and no less:', () => {
    const border = balance(1, Math.PI / 2);
    const frames: [string, Q4, number | undefined][] = [
      ['as it stands', identity, undefined],
      ['in a turned frame', axisAngle([1, 2, -0.5], 2.2), 7],
    ];
    it.each<[string, number, number, number]>([
      // rest direction from straight down in degrees, gravity in m/s^2, limit in radians
      ['well inside', 90, 1, radians(30)],
      ['at the border', 90, 1, border],
      ['just inside of it', 90, 1, border * (1 + 1e-9)],
      ['just beyond it', 90, 1, border * (1 - 1e-3)],
      ['far beyond it', 90, 100, radians(30)],
      ['a limit next to nothing', 90, 100, 1e-6],
      ['half a turn', 179, 100, Math.PI],
      ['more than half a turn', 179, 100, 4],
      ['no limit at all', 179, 100, Infinity],
      ['almost opposite to the pull', 179.9, 100, radians(30)],
      ['almost opposite to the pull, almost free', 179.9, 100, radians(170)],
      ['almost along it', 0.1, 100, radians(30)],
    ])('%s', (_, fromDownDeg, gravity, limit) => {
      for (const [, rotation, axes] of frames) {
        const fromDown = radians(fromDownDeg);
        const rest: V3 = [0, -Math.cos(fromDown), -Math.sin(fromDown)];
        const tail = makeTail({
          directions: [qrot(qinv(rotation), rest)],
          ...(axes === undefined ? {} : { axes }),
        });
        const scene = makeScene(tail, { ...plain, gravity, limit, rotation });
        step(scene.world);
        expect(angleBetween(directionsOf(scene)[0]!, rest)).toBeLessThan(Math.min(limit, 0.05) + 1e-9);
        run(scene, 20 * 120, undefined, () => {
          const [d] = directionsOf(scene);
          expect(angleBetween(d!, rest)).toBeLessThanOrEqual(limit + 1e-9);
        });
        const bend = Math.min(limit, balance(gravity, fromDown));
        const [d] = directionsOf(scene);
        // Within the plane of rest and pull, toward the pull.
        const expected: V3 = [0, -Math.cos(fromDown - bend), -Math.sin(fromDown - bend)];
        expect(len(sub(d!, expected))).toBeLessThan(1e-6);
      }
    });

    it('exactly opposite to the pull: somewhere within the limit, and finite', () => {
      for (const axes of [1, 2, 3]) {
        const scene = makeScene(makeTail({ links: 3, direction: [0, 1, 0], axes }), {
          ...plain,
          gravity: 100,
          limit: radians(30),
        });
        run(scene, 1200, undefined, () => {
          let above: V3 = [0, 1, 0];
          for (const d of directionsOf(scene)) {
            expect(angleBetween(d, above)).toBeLessThanOrEqual(radians(30) + 1e-7);
            above = d;
          }
          expect(lengthFault(scene, [0, 1, 0])).toBeLessThanOrEqual(1);
        });
      }
    });

    it.each([0, -0.1, Number.NaN])('a limit of %d is neither none nor rigid: it is refused', (limit) => {
      const options: ChainOptions = { ...plain, limit };
      expect(() => makeScene(makeTail(), options)).toThrow(
        expect.objectContaining({ code: 'invalid-argument' }),
      );
    });

    it('twist is no bend: a root that turns about the link takes it along at any limit', () => {
      const scene = makeScene(makeTail({ links: 2 }), { ...plain, limit: radians(1), teleport: 'none' });
      run(scene, 1);
      let turn = identity;
      for (let k = 0; k < 360; k++) {
        turn = qmul(axisAngle([0, 1, 0], radians(3)), turn);
        setRoot(scene.world, scene.character, { rotation: turn });
        step(scene.world);
        for (const d of directionsOf(scene)) expect(angleBetween(d, down)).toBeLessThan(1e-9);
      }
    });
  });
});
