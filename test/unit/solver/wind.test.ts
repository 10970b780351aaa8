/** Wind (docs/solver.md, "Wind"): leans in closed form, whatever number of bones; gusts that travel; who feels it. */
import { describe, expect, it } from 'vitest';
import { setChain, setRoot, setWind, step, type ChainOptions } from '../../../src/index.js';
import { makeScene, makeTail, tipsOf, type Scene, type Tail } from '../../support/chains.js';
import { len, sub, type V3 } from '../../support/referenceMath.js';
import { plain, vrmTail } from '../vrmModel/support.js';

const free: ChainOptions = { floor: false, keepOut: false, limit: Infinity, teleport: 'none' };
const wind: V3 = [1.2, 0.3, -3.3];

function ticks(scene: Scene, count: number): void {
  for (let i = 0; i < count; i++) step(scene.world);
}

function worst(a: V3[][], b: V3[][]): number {
  return Math.max(...a.flatMap((tips, k) => tips.map((tip, i) => len(sub(tip, b[k]![i]!)))));
}

/** Degrees from the rest direction, straight down, to the line from root to tip after a minute. */
function lean(tail: Tail, options: ChainOptions, velocity: V3, tickRate = 120): number {
  const scene = makeScene(tail, { ...free, ...options, tickRate });
  setWind(scene.world, { velocity });
  ticks(scene, 60 * tickRate);
  const [x, y, z] = sub(tipsOf(scene).at(-1)!, [0, 1, 0]);
  // It leans where the wind goes, in its plane.
  const along = (x * velocity[0] + z * velocity[2]) / Math.hypot(velocity[0], velocity[2]);
  expect(Math.hypot(x, z)).toBeCloseTo(along, 9);
  return (Math.atan2(along, -y) * 180) / Math.PI;
}

const hair: ChainOptions = {
  restFrame: 'attachment',
  coupling: 0,
  frequency: 1.5,
  tipRatio: 1,
  damping: 0.8,
};

describe('wind', () => {
  it('leans one link where pull and spring are in balance, at every tick rate', () => {
    const [length, frequency, speed] = [0.5, 1.2, 3];
    const w = 2 * Math.PI * frequency;
    const expected = (Math.atan2((4.4 * speed) / (w * w), length) * 180) / Math.PI;
    for (const tickRate of [60, 120, 240])
      expect(
        lean(makeTail({ links: 1, length }), { frequency, coupling: 0 }, [0, 0, -speed], tickRate),
      ).toBeCloseTo(expected, 6);
  });

  it('leans one VRM joint by tan = speed / 6 / stiffness, at every tick rate', () => {
    for (const [stiffness, least] of [
      [1.5, 1.5],
      [0.1, 0.25],
    ] as const)
      for (const tickRate of [30, 60, 120]) {
        const tail = vrmTail({ links: 1, length: 0.1 }, [{ ...plain, stiffness, dragForce: 0.6 }]);
        const expected = (Math.atan(2 / 6 / least) * 180) / Math.PI;
        expect(lean(tail, {}, [0, 0, -2], tickRate)).toBeCloseTo(expected, 6);
      }
  });

  it.each([
    ['hair', (links: number) => makeTail({ links, length: 0.3 }), hair, 1e-6],
    ['a coupled tail', (links: number) => makeTail({ links, length: 0.8 }), { tipRatio: 1 }, 6],
    ['VRM joints', (links: number) => vrmTail({ links, length: 0.3 }, [plain]), {}, 10],
  ])('leans %s alike whatever number of bones it has', (name, tail, options, within) => {
    for (const speed of [1, 2, 5, 10]) {
      const leans = [2, 4, 8, 16].map((links) => lean(tail(links), options, [0, 0, -speed]));
      console.log(
        `${name}, ${speed} m/s, 2, 4, 8, 16 links: ${leans.map((x) => x.toFixed(1)).join(', ')} degrees`,
      );
      expect(Math.max(...leans) - Math.min(...leans)).toBeLessThan(within);
      // A light breeze stirs, a gale does not lay it flat.
      if (speed === 2) expect(leans[1]).toBeLessThan(20);
      if (speed === 10) expect(leans[1]).toBeGreaterThan(35);
      if (speed === 10) expect(leans[1]).toBeLessThan(65);
    }
  });

  it.each([
    [0.3, 1],
    [0.3, 6],
    [0.05, 2],
    [0.6, 12],
  ])('leans hair of %d m and %d links as a walk of that speed does', (length, links) => {
    const tail = makeTail({ links, length });
    const lock = { ...tail, definition: { ...tail.definition, origin: 'hair' as const } };
    for (const speed of [1.4, 4]) {
      const scene = makeScene(lock, { floor: false });
      ticks(scene, 1);
      for (let k = 1; k <= 1200; k++) {
        setRoot(scene.world, scene.character, { position: [0, 0, (k * speed) / 120] });
        step(scene.world);
      }
      const [, y, z] = sub(tipsOf(scene).at(-1)!, [0, 1, 10 * speed]);
      const expected = (Math.atan(speed / 6) * 180) / Math.PI;
      // The length is restored tick by tick, which short locks feel most.
      expect(Math.abs((Math.atan2(-z, -y) * 180) / Math.PI - expected)).toBeLessThan(2);
      // Long hair keeps 1.5 Hz, so the wind leans it less than its length would say.
      if (length <= 0.3) expect(Math.abs(lean(lock, {}, [0, 0, -speed]) - expected)).toBeLessThan(1);
    }
  });

  it('leans a small and a large character alike', () => {
    const at = (size: number): number => {
      const scene = makeScene(makeTail({ links: 3 }), { ...free, scale: [size, size, size] });
      setWind(scene.world, { velocity: wind });
      ticks(scene, 600);
      return tipsOf(scene).at(-1)![0] / size;
    };
    expect(at(0.01)).toBeCloseTo(at(1), 9);
    expect(at(100)).toBeCloseTo(at(1), 9);
  });

  it('leans a character in centimetres as one in metres, in the same gusts', () => {
    const run = (unit: number): V3[] => {
      const tail = makeTail({ links: 3, length: 0.8 * unit, hips: [0, unit, 0] });
      const scene = makeScene(tail, { ...free, unit, position: [5 * unit, 0, -7 * unit] });
      setWind(scene.world, { velocity: wind, gusts: 0.9, sway: 0.5, gustSeconds: 1 });
      ticks(scene, 300);
      return tipsOf(scene).map(([x, y, z]): V3 => [x / unit, y / unit, z / unit]);
    };
    expect(worst([run(100)], [run(1)])).toBeLessThan(1e-9);
  });

  it('leans a mirrored character the way it blows', () => {
    const run = (scale: V3, velocity: V3): V3 => {
      // Beside the origin, where a mirrored place would be another one.
      const scene = makeScene(makeTail({ links: 3 }), { ...free, scale, position: [3, 0, 0] });
      setWind(scene.world, { velocity, gusts: 0.5, sway: 0.3 });
      ticks(scene, 240);
      return tipsOf(scene).at(-1)!;
    };
    const [x, y, z] = run([-1, 1, 1], [2, 0, 0]);
    const plainTip = run([1, 1, 1], [2, 0, 0]);
    // The tail is straight: its mirror image in the same wind is the same tail.
    expect(len(sub([x, y, z], plainTip))).toBeLessThan(1e-9);
    expect(x).toBeGreaterThan(3.02);
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
    expect(way(half)).toBeGreaterThan(0.4 * way(full));
    expect(way(half)).toBeLessThan(0.6 * way(full));
  });

  it('lets those sleep that its gusts do not reach', () => {
    for (const options of [{ wind: 0 }, { groups: 2 }]) {
      const scene = makeScene(makeTail(), { ...free, ...options });
      setWind(scene.world, { velocity: wind, gusts: 1, groups: 1 });
      ticks(scene, 240);
      expect(scene.world.views.chain.status[0]).toBe(1);
      // One that it reaches wakes, sway alone is enough, and setting it wakes all.
      setWind(scene.world, { velocity: wind, sway: 1, groups: 3 });
      ticks(scene, 1);
      expect(scene.world.views.chain.status[0]).toBe('wind' in options ? 1 : 0);
      ticks(scene, 600);
      expect(scene.world.views.chain.status[0]).toBe('wind' in options ? 1 : 0);
    }
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
    setWind(scene.world, { velocity: [0, 0, -6], gusts: 0.8, sway: 0.5, gustSeconds: 3, seed });
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
    const downwind = gusty(5, [0, 0, -6], 1200);
    // One second, 120 ticks, later; both began at rest, which is forgotten after a few seconds.
    expect(worst(upwind.slice(800, 1080), downwind.slice(920))).toBeLessThan(1e-6);
    expect(worst(upwind.slice(800, 1080), downwind.slice(800, 1080))).toBeGreaterThan(0.01);
  });

  it('are the same air at another tick rate', () => {
    const fine = gusty(4, [0, 0, 0], 960, 240).filter((_, k) => k % 2 === 1);
    const coarse = gusty(4, [0, 0, 0], 480, 120);
    expect(worst(coarse, fine)).toBeLessThan(0.01);
  });

  it('come every gustSeconds', () => {
    const tail = makeTail({ links: 1 });
    for (const gustSeconds of [1, 3]) {
      const scene = makeScene(tail, { ...free, frequency: 8, tickRate: 60 });
      setWind(scene.world, { velocity: [0, 0, -3], gusts: 1, gustSeconds, seed: 5 });
      let risings = 0;
      let before = 0;
      const seconds = 200 * gustSeconds;
      for (let k = 0; k < 60 * seconds; k++) {
        step(scene.world);
        const off = -tipsOf(scene)[0]![2] - (4.4 * 3) / (16 * Math.PI) ** 2;
        if (before < 0 && off >= 0) risings++;
        before = off;
      }
      console.log(`a gust every ${(seconds / risings).toFixed(2)} s, asked for ${gustSeconds}`);
      expect(seconds / risings / gustSeconds).toBeGreaterThan(0.85);
      expect(seconds / risings / gustSeconds).toBeLessThan(1.2);
    }
  });

  it('go straight up too', () => {
    const scene = makeScene(makeTail({ direction: [0, 0, -1] }), free);
    setWind(scene.world, { velocity: [0, 6, 0], gusts: 0.5, sway: 1 });
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
    [{ gustSeconds: 0 }, 'gustSeconds is 0, expected a finite number from 0.001'],
    [{ seed: 0.5 }, 'seed is 0.5, expected a whole number from 0 to 4294967295'],
    [{ velocity: [1e200, 0, 0] }, 'expected at most 1000000'],
    [{ velocty: [1, 0, 0] }, 'there is no wind option velocty'],
    [{ groups: -1 }, 'groups is -1, expected a whole number from 0 to 4294967295'],
  ])('%j is told', (options, message) => {
    const { world } = makeScene(makeTail(), {});
    expect(() => setWind(world, options as never)).toThrow(message);
    expect(world.views.global.windSpeed[0]).toBe(0);
  });
});
