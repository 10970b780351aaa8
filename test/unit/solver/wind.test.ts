/** Wind (docs/solver.md, "Wind"): walking the other way through still air, equilibria in closed form, gusts, who feels it. */
import { describe, expect, it } from 'vitest';
import { setChain, setRoot, setWind, step, type ChainOptions } from '../../../src/index.js';
import { makeScene, makeTail, tipsOf, type Scene, type Tail } from '../../support/chains.js';
import { len, mul, sub, unit, type V3 } from '../../support/referenceMath.js';
import { plain, vrmTail } from '../vrmModel/support.js';

const free: ChainOptions = { floor: false, keepOut: false, limit: Infinity, teleport: 'none' };
const wind: V3 = [0.4, 0.1, -1.1];

function ticks(scene: Scene, count: number): void {
  for (let i = 0; i < count; i++) step(scene.world);
}

/** Tips of a standing chain that the wind sets upon. */
function standing(tail: Tail, options: ChainOptions, count: number): V3[][] {
  const scene = makeScene(tail, { ...free, ...options });
  step(scene.world);
  setWind(scene.world, { velocity: wind });
  return Array.from({ length: count }, () => {
    step(scene.world);
    return tipsOf(scene);
  });
}

/** Seconds for the jerk at the start to fade. */
const settled = 30;

/** Tips, seen from the root, of one that walks with the air until the air stands still. */
function walking(tail: Tail, options: ChainOptions, count: number): V3[][] {
  const scene = makeScene(tail, { ...free, ...options });
  const velocity = mul(wind, -1);
  setWind(scene.world, { velocity });
  const tips: V3[][] = [];
  for (let k = -settled * 120; k <= count; k++) {
    const position = mul(velocity, k / 120);
    if (k === 1) setWind(scene.world);
    setRoot(scene.world, scene.character, { position });
    step(scene.world);
    if (k > 0) tips.push(tipsOf(scene).map((tip) => sub(tip, position)));
  }
  return tips;
}

function worst(a: V3[][], b: V3[][]): number {
  return Math.max(...a.flatMap((tips, k) => tips.map((tip, i) => len(sub(tip, b[k]![i]!)))));
}

describe('wind', () => {
  const tails: [string, Tail, ChainOptions][] = [
    ['a coupled tail', makeTail(), {}],
    ['all air', makeTail({ links: 2 }), { air: 1 }],
    ['hair', makeTail({ links: 3 }), { restFrame: 'attachment', coupling: 0, frequency: 1.5 }],
    ['VRM joints', vrmTail({ links: 3, length: 0.3 }, [plain]), {}],
    ['VRM joints, limp', vrmTail({ links: 2, length: 0.3 }, [{ ...plain, stiffness: 0.2 }]), {}],
  ];

  it.each(tails)('is walking the other way through still air: %s', (_, tail, options) => {
    const moved = standing(tail, options, 240);
    expect(worst(moved, walking(tail, options, 240))).toBeLessThan(1e-11);
    // It is felt at all, and the tip goes where the air goes.
    const [tip] = moved.at(-1)!.slice(-1);
    const off = sub(tip!, tail.bindTips.at(-1)!);
    expect(off[0] * wind[0] + off[2] * wind[2]).toBeGreaterThan(0.01);
  });

  it('nothing of it is felt where air is not', () => {
    const tail = makeTail();
    const scene = makeScene(tail, { ...free, air: 0 });
    ticks(scene, 1);
    const before = tipsOf(scene);
    setWind(scene.world, { velocity: wind, gusts: 1 });
    ticks(scene, 60);
    expect(worst([tipsOf(scene)], [before])).toBe(0);
  });

  it('holds one link where drag and spring are in balance', () => {
    const length = 0.5;
    const [frequency, damping, air, speed] = [1.2, 0.7, 0.4, 0.8];
    // w^2 (T - p) + 2 z w air W = 0, and the length: both lie on one ray.
    const lean = (2 * damping * air * speed) / (2 * Math.PI * frequency);
    const expected = unit([0, -length, -lean]);
    const error = (tickRate: number): number => {
      const options = { ...free, frequency, damping, air, tickRate };
      const scene = makeScene(makeTail({ links: 1, length }), options);
      setWind(scene.world, { velocity: [0, 0, -speed] });
      ticks(scene, 20 * tickRate);
      return len(sub(unit(sub(tipsOf(scene)[0]!, [0, 1, 0])), expected));
    };
    // The length is restored tick by tick, so what is left of it goes with the tick.
    expect(error(120)).toBeLessThan(0.003);
    expect(error(480) / error(120)).toBeCloseTo(1 / 4, 2);
  });

  it('holds one VRM joint at tan = drag speed / stiffness', () => {
    const values = { ...plain, stiffness: 1.5, dragForce: 0.6 };
    const scene = makeScene(vrmTail({ links: 1, length: 0.1 }, [values]), { ...free, tickRate: 60 });
    setWind(scene.world, { velocity: [0, 0, -2] });
    ticks(scene, 1200);
    const [x, y, z] = sub(tipsOf(scene)[0]!, [0, 1, 0]);
    expect(x).toBe(0);
    expect(z / y).toBeCloseTo((0.6 * 2) / 1.5, 9);
  });

  it('leaves nothing behind when it stops, lets a chain sleep and wakes it', () => {
    const scene = makeScene(makeTail(), free);
    const { chain } = scene.world.views;
    ticks(scene, 1);
    const rest = tipsOf(scene);
    setWind(scene.world, { velocity: wind });
    ticks(scene, 3600);
    expect(chain.status[0]).toBe(1);
    setWind(scene.world);
    ticks(scene, 1);
    expect(chain.status[0]).toBe(0);
    ticks(scene, 3600);
    expect(chain.status[0]).toBe(1);
    expect(worst([tipsOf(scene)], [rest])).toBeLessThan(1e-9);
  });

  it('blows on the groups it is bound to, and on a chain by its share', () => {
    const run = (options: ChainOptions, groups: number): V3[] => {
      const scene = makeScene(makeTail(), { ...free, ...options });
      setWind(scene.world, { velocity: wind, groups });
      ticks(scene, 240);
      return tipsOf(scene);
    };
    const rest = run({ wind: 0 }, 0xffffffff);
    expect(run({ groups: 2 }, 1)).toEqual(rest);
    expect(run({ groups: 2 }, 4 + 8)).toEqual(rest);
    const full = run({ groups: 2 }, 2);
    expect(full).toEqual(run({ groups: 6 }, 4));
    const half = run({ wind: 0.5 }, 1);
    const way = (tips: V3[]): number => len(sub(tips.at(-1)!, rest.at(-1)!));
    expect(way(half)).toBeGreaterThan(0.3 * way(full));
    expect(way(half)).toBeLessThan(0.8 * way(full));
  });

  it('setChain takes a chain out of it', () => {
    const scene = makeScene(makeTail(), free);
    ticks(scene, 1);
    const rest = tipsOf(scene);
    setWind(scene.world, { velocity: wind });
    ticks(scene, 120);
    setChain(scene.world, scene.chain, { wind: 0 });
    ticks(scene, 2400);
    expect(worst([tipsOf(scene)], [rest])).toBeLessThan(1e-9);
  });
});

describe('gusts', () => {
  const gusty = (seed: number, position: V3 = [0, 0, 0], count = 600, tickRate = 120): V3[][] => {
    const scene = makeScene(makeTail({ links: 2 }), { ...free, tickRate, position });
    setWind(scene.world, { velocity: [0, 0, -1.5], gusts: 0.8, sway: 0.5, gustSeconds: 1, seed });
    return Array.from({ length: count }, () => {
      step(scene.world);
      return tipsOf(scene).map((tip) => sub(tip, position));
    });
  };

  it('come again with the same seed, and others with another', () => {
    expect(gusty(7)).toEqual(gusty(7));
    expect(worst(gusty(7), gusty(8))).toBeGreaterThan(0.02);
  });

  it('come and go, to all sides, and keep the chain awake', () => {
    const tips = gusty(3, [0, 0, 0], 6000).map((all) => all[1]!);
    const spread = (axis: 0 | 1 | 2): number => {
      const values = tips.slice(600).map((tip) => tip[axis]);
      return Math.max(...values) - Math.min(...values);
    };
    expect(spread(0)).toBeGreaterThan(0.03);
    expect(spread(2)).toBeGreaterThan(0.03);
    // Downwind on the whole.
    expect(tips.reduce((sum, tip) => sum + tip[2], 0) / tips.length).toBeLessThan(-0.02);
  });

  it('travel with the wind: downwind comes later by the way over the speed', () => {
    const upwind = gusty(5, [0, 0, 0], 1200);
    const downwind = gusty(5, [0, 0, -1.5], 1200);
    // One second, 120 ticks, later; both began at rest, which is forgotten after a few seconds.
    expect(worst(upwind.slice(800, 1080), downwind.slice(920))).toBeLessThan(1e-6);
    expect(worst(upwind.slice(800, 1080), downwind.slice(800, 1080))).toBeGreaterThan(0.01);
  });

  it('are the same air at another tick rate', () => {
    const fine = gusty(4, [0, 0, 0], 960, 240).filter((_, k) => k % 2 === 1);
    const coarse = gusty(4, [0, 0, 0], 480, 120);
    expect(worst(coarse, fine)).toBeLessThan(0.01);
  });

  it('go straight up too', () => {
    const scene = makeScene(makeTail({ direction: [0, 0, -1] }), free);
    setWind(scene.world, { velocity: [0, 1.5, 0], gusts: 0.5, sway: 1 });
    ticks(scene, 240);
    for (const tip of tipsOf(scene)) expect(tip.every(Number.isFinite)).toBe(true);
    expect(tipsOf(scene).at(-1)![1]).toBeGreaterThan(1.02);
  });
});

describe('bad wind', () => {
  it.each([
    [{ velocity: [0, Number.NaN, 0] }, 'velocity[1] is NaN, expected a finite number'],
    [{ velocity: [1, 2] }, 'velocity has 2 numbers, expected 3'],
    [{ gusts: 1.5 }, 'gusts is 1.5, expected a number from 0 to 1'],
    [{ sway: -1 }, 'sway is -1, expected a number from 0 to 1'],
    [{ gustSeconds: 0 }, 'gustSeconds is 0, expected a finite number above 0'],
    [{ seed: 0.5 }, 'seed is 0.5, expected a whole number from 0 to 4294967295'],
    [{ groups: -1 }, 'groups is -1, expected a whole number from 0 to 4294967295'],
  ])('%j is told', (options, message) => {
    const { world } = makeScene(makeTail(), {});
    expect(() => setWind(world, options as never)).toThrow(message);
    expect(world.views.global.windSpeed[0]).toBe(0);
  });
});
