/** Chains that stay out of each other (docs/solver.md, "Chains against chains"): twin tails, hair over hair, braids. */
import { describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  driverTransforms,
  meetChains,
  orderOf,
  rowOf,
  setRoot,
  setWind,
  step,
  teleport,
  walkChains,
  type ChainOptions,
} from '../../../src/index.js';
import { segmentDistance } from '../../../src/setup/segments.js';
import {
  freeStrand,
  radius,
  strands,
  strandScene,
  strandTips,
  type StrandScene,
} from '../../support/strands.js';
import {
  add,
  angleBetween,
  axisAngle,
  identity,
  len,
  mul,
  qrot,
  seeded,
  sub,
  type Q4,
  type V3,
} from '../../support/referenceMath.js';

/** Points of a strand: root and tips. */
function points(scene: StrandScene, c: number, place: V3 = [0, 0, 0], rotation: Q4 = identity): V3[] {
  return [add(place, qrot(rotation, add([0, 1, 0], scene.roots[c]!))), ...strandTips(scene, c)];
}

/** Least distance of two polylines. */
function apart(a: V3[], b: V3[]): number {
  let least = Infinity;
  const [x, y] = [a, b].map((line) => Float64Array.from(line.flat()));
  for (let i = 0; i + 1 < a.length; i++)
    for (let j = 0; j + 1 < b.length; j++)
      least = Math.min(least, segmentDistance(x!, i * 3, x!, i * 3 + 3, y!, j * 3, y!, j * 3 + 3));
  return least;
}

/** Two strands of different stiffness on a head that sways sideways and turns; the least distance of each tick. */
function sway(options: ChainOptions[], seconds = 4): number[] {
  const two = strandScene(
    [
      [-0.04, 0, 0],
      [0.04, 0, 0],
    ],
    options,
  );
  step(two.world);
  return Array.from({ length: seconds * 120 }, (_, k) => {
    const t = (k + 1) / 120;
    const place: V3 = [0.06 * Math.sin(2 * Math.PI * 1.1 * t), 0, 0.05 * Math.sin(2 * Math.PI * 0.7 * t)];
    const half = 0.4 * Math.sin(2 * Math.PI * 0.5 * t);
    const rotation: Q4 = [0, Math.sin(half), 0, Math.cos(half)];
    setRoot(two.world, two.character, { position: place, rotation });
    step(two.world);
    return apart(points(two, 0, place, rotation), points(two, 1, place, rotation));
  });
}

const loose: ChainOptions = { frequency: 0.9, damping: 0.3 };
const firm: ChainOptions = { frequency: 2.2, damping: 0.5 };

describe('distance of two segments', () => {
  it('is the least over both, also where they are parallel, meet or are points', () => {
    const random = seeded(5);
    const point = (): V3 => [random() - 0.5, random() - 0.5, random() - 0.5];
    const cases = Array.from({ length: 300 }, () => [point(), point(), point(), point()]);
    cases.push(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0.3, 1, 0],
        [2, 1, 0],
      ],
      [
        [0, 0, 0],
        [0, 0, 0],
        [1, 1, 0],
        [1, -1, 0],
      ],
    );
    cases.push(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0.5, -1, 0],
        [0.5, 1, 0],
      ],
      [
        [0, 0, 0],
        [1, 0, 0],
        [3, 0, 0],
        [2, 0, 0],
      ],
    );
    for (const [a, b, c, d] of cases) {
      const flat = Float64Array.from([...a!, ...b!, ...c!, ...d!]);
      const found = segmentDistance(flat, 0, flat, 3, flat, 6, flat, 9);
      let least = Infinity;
      for (let i = 0; i <= 100; i++)
        for (let j = 0; j <= 100; j++) {
          const p = add(a!, mul(sub(b!, a!), i / 100));
          const q = add(c!, mul(sub(d!, c!), j / 100));
          least = Math.min(least, len(sub(p, q)));
        }
      expect(found).toBeLessThanOrEqual(least + 1e-12);
      expect(found).toBeGreaterThan(least - 0.02);
    }
  });
});

describe('chains against chains', () => {
  it('pass through each other unless asked, and stay apart by both radii where asked', () => {
    expect(Math.min(...sway([loose, firm]))).toBeLessThan(0.01);
    const both = Math.min(
      ...sway([
        { ...loose, chainMask: 1 },
        { ...firm, chainMask: 1 },
      ]),
    );
    console.log(`twin strands, both give way: least distance ${both} of ${2 * radius} m`);
    expect(both).toBeGreaterThan(2 * radius - 1e-6);
    // Both touch at all.
    expect(both).toBeLessThan(2 * radius + 1e-3);
  });

  it('give way by group: who does not ask moves as if alone', () => {
    const run = (options: ChainOptions[]): [V3[], V3[]] => {
      const two = strandScene(
        [
          [-0.03, 0, 0],
          [0.03, 0, 0],
        ],
        options,
      );
      setWind(two.world, { velocity: [-4, 0, 0] });
      for (let k = 0; k < 480; k++) step(two.world);
      return [points(two, 0), points(two, 1)];
    };
    // The wind presses the second on the first, which feels none.
    const first = { wind: 0, groups: 2 };
    const second = { groups: 4 };
    const alone = run([first, second]);
    expect(apart(...alone)).toBeLessThan(0.5 * radius);
    const one = run([first, { ...second, chainMask: 2 }]);
    expect(one[0]).toEqual(alone[0]);
    expect(apart(...one)).toBeGreaterThan(2 * radius - 1e-6);
    const other = run([{ ...first, chainMask: 4 }, second]);
    expect(other[1]).toEqual(alone[1]);
    expect(apart(...other)).toBeGreaterThan(2 * radius - 1e-6);
    // Another group is none of its business.
    expect(run([first, { ...second, chainMask: 8 }])).toEqual(alone);
  });

  it('bend away in a curve, and do not fold, where one alone gives way to another that is blown on it', () => {
    const two = strandScene(
      [
        [-0.04, 0, -0.05],
        [0.04, 0, -0.05],
      ],
      [
        { wind: 0, groups: 2, chainMask: 4, radius: 0.02 },
        { groups: 4, radius: 0.02 },
      ],
    );
    setWind(two.world, { velocity: [-6, 0, -0.8], gusts: 0.8, gustSeconds: 2 });
    let sharpest = 0;
    let least = Infinity;
    for (let k = 0; k < 2400; k++) {
      const half = 0.25 * Math.sin((2 * Math.PI * k) / 140);
      const rotation: Q4 = [0, Math.sin(half), 0, Math.cos(half)];
      setRoot(two.world, two.character, { rotation });
      step(two.world);
      const line = points(two, 0, [0, 0, 0], rotation);
      least = Math.min(least, apart(line, points(two, 1, [0, 0, 0], rotation)));
      for (let i = 2; i < line.length; i++)
        sharpest = Math.max(
          sharpest,
          angleBetween(sub(line[i - 1]!, line[i - 2]!), sub(line[i]!, line[i - 1]!)),
        );
    }
    console.log(
      `one alone gives way: sharpest bend ${((180 / Math.PI) * sharpest).toFixed(0)} degrees, nearest ${least} m`,
    );
    expect(sharpest).toBeLessThan(Math.PI / 2);
    expect(least).toBeGreaterThan(0.75 * 0.04);
  });

  it('press on each other without trembling, and fall asleep', () => {
    const two = strandScene(
      [
        [-0.03, 0, 0],
        [0.03, 0, 0.005],
      ],
      [{ wind: 0, chainMask: 1 }, { chainMask: 1 }],
    );
    setWind(two.world, { velocity: [-5, 0, 0] });
    const moves: number[] = [];
    let before = [...points(two, 0), ...points(two, 1)];
    for (let k = 0; k < 120 * 60; k++) {
      step(two.world);
      const now = [...points(two, 0), ...points(two, 1)];
      moves.push(Math.max(...now.map((p, i) => len(sub(p, before[i]!)))));
      before = now;
    }
    const second = (s: number): number => Math.max(...moves.slice(s * 120, s * 120 + 120));
    console.log(`pressed strands: movement per tick in second 2, 8, 20, 59: ${[2, 8, 20, 59].map(second)} m`);
    expect(second(8)).toBeLessThan(1e-5);
    expect(second(59)).toBe(0);
    expect([...two.world.views.chain.status.subarray(0, 2)]).toEqual([1, 1]);
    expect(apart(points(two, 0), points(two, 1))).toBeGreaterThan(2 * radius - 1e-6);
  });

  it('stay as they were made where they overlap at rest', () => {
    const two = strandScene(
      [
        [-0.006, 0, 0],
        [0.006, 0, 0],
      ],
      [{ chainMask: 1 }],
    );
    step(two.world);
    const rest = [points(two, 0), points(two, 1)];
    for (let k = 0; k < 240; k++) step(two.world);
    expect([points(two, 0), points(two, 1)]).toEqual(rest);
  });

  it('never change sides, however fast the head snaps', () => {
    const two = strandScene(
      [
        [-0.04, 0, 0],
        [0.04, 0, 0],
      ],
      [
        { ...loose, chainMask: 1 },
        { ...firm, chainMask: 1 },
      ],
    );
    step(two.world);
    let nearest = Infinity;
    let tilt = 0;
    for (let k = 0; k < 960; k++) {
      // From -50 to 50 degrees and back about the head, in 3 ticks each.
      const wanted = Math.floor(k / 60) % 2 === 0 ? 0.87 : -0.87;
      tilt += Math.max(-0.58, Math.min(0.58, wanted - tilt));
      const rotation = axisAngle([0, 0, 1], tilt);
      const place = sub([0, 1, 0], qrot(rotation, [0, 1, 0]));
      setRoot(two.world, two.character, { position: place, rotation });
      step(two.world);
      nearest = Math.min(nearest, apart(points(two, 0, place, rotation), points(two, 1, place, rotation)));
    }
    expect(two.world.report.teleports).toBe(0);
    console.log(`head that snaps by 100 degrees: nearest ${nearest} m of ${2 * radius}`);
    expect(nearest).toBeGreaterThan(2 * radius - 1e-5);
    // They meet at all.
    expect(nearest).toBeLessThan(2 * radius + 1e-3);
  });

  it('are taken along by a teleport as if nothing had happened', () => {
    const two = strandScene(
      [
        [-0.03, 0, 0],
        [0.03, 0, 0],
      ],
      [{ wind: 0, chainMask: 1 }, { chainMask: 1 }],
    );
    setWind(two.world, { velocity: [-5, 0, 0] });
    for (let k = 0; k < 3600; k++) step(two.world);
    const before = [...points(two, 0), ...points(two, 1)];
    const position: V3 = [5, 1, -3];
    teleport(two.world, two.character);
    setRoot(two.world, two.character, { position });
    step(two.world);
    [...points(two, 0, position), ...points(two, 1, position)].forEach((p, i) =>
      expect(len(sub(sub(p, position), before[i]!))).toBeLessThan(1e-5),
    );
  });

  it('wake a neighbour that sleeps', () => {
    const two = strandScene(
      [
        [-0.025, 0, 0],
        [0.025, 0, 0],
      ],
      [{ wind: 0, chainMask: 1 }, { chainMask: 1 }],
    );
    const { chain } = two.world.views;
    for (let k = 0; k < 120; k++) step(two.world);
    expect([...chain.status.subarray(0, 2)]).toEqual([1, 1]);
    const rest = points(two, 0).at(-1)!;
    setWind(two.world, { velocity: [-9, 0, 0] });
    for (let k = 0; k < 240; k++) step(two.world);
    expect(len(sub(points(two, 0).at(-1)!, rest))).toBeGreaterThan(0.001);
  });

  it('give the same bits however a level is split into blocks', () => {
    const run = (blocks: boolean): number[] => {
      const many = strandScene(
        [
          [-0.05, 0, 0],
          [0, 0, 0.01],
          [0.05, 0, 0],
        ],
        [
          { ...loose, chainMask: 1 },
          { ...firm, chainMask: 1 },
        ],
      );
      const { world } = many;
      for (let k = 0; k < 200; k++) {
        const rotation = axisAngle([0, 0, 1], 0.9 * Math.sin(k / 9));
        const position = sub([0, 1, 0], qrot(rotation, [0, 1, 0]));
        setRoot(world, many.character, { position, rotation });
        step(world);
        if (!blocks) continue;
        // The tick again, from the same state, chain by chain from the last to the first.
        const state = world.arena.buffer.slice(0);
        driverTransforms(world);
        meetChains(world, 0);
        walkChains(world, orderOf(world).chains, 0, 3);
        const whole = world.views.particle.position.slice(0, 36);
        new Uint8Array(world.arena.buffer).set(new Uint8Array(state));
        driverTransforms(world);
        meetChains(world, 0);
        for (const c of [2, 0, 1]) walkChains(world, orderOf(world).chains, c, c + 1);
        expect(world.views.particle.position.slice(0, 36)).toEqual(whole);
        new Uint8Array(world.arena.buffer).set(new Uint8Array(state));
      }
      return [...world.views.particle.position.subarray(0, 36)];
    };
    expect(run(true)).toEqual(run(false));
  });

  it('does the same for a mirrored character', () => {
    const run = (scale: V3): V3[] => {
      const two = strandScene(
        [
          [-0.03, 0, 0.01],
          [0.03, 0, 0],
        ],
        [{ wind: 0, chainMask: 1 }, { chainMask: 1 }],
      );
      setRoot(two.world, two.character, { scale });
      setWind(two.world, { velocity: [-5 * scale[0], 0, 0] });
      for (let k = 0; k < 240; k++) step(two.world);
      return [...points(two, 0).slice(1), ...points(two, 1).slice(1)];
    };
    const mirrored = run([-1, 1, 1]).map(([x, y, z]): V3 => [-x, y, z]);
    run([1, 1, 1]).forEach((p, i) => expect(len(sub(p, mirrored[i]!))).toBeLessThan(1e-12));
  });

  it('keeps a ring of strands apart on a head that turns', () => {
    const ring = Array.from({ length: 10 }, (_, i): V3 => {
      const angle = (2 * Math.PI * i) / 10;
      return [0.1 * Math.cos(angle), 0, 0.1 * Math.sin(angle)];
    });
    const run = (chainMask: number): { deep: number[]; least: number } => {
      const many = strandScene(ring, [
        { ...loose, chainMask },
        { ...firm, chainMask },
      ]);
      step(many.world);
      const deep: number[] = [];
      let least = Infinity;
      for (let k = 1; k <= 720; k++) {
        const half = 0.5 * Math.sin((Math.PI * k) / 120);
        const rotation: Q4 = [0, Math.sin(half), 0, Math.cos(half)];
        setRoot(many.world, many.character, { rotation });
        step(many.world);
        const all = ring.map((__, i) => points(many, i, [0, 0, 0], rotation));
        for (let i = 0; i < 10; i++) {
          const d = apart(all[i]!, all[(i + 1) % 10]!);
          if (d < 2 * radius - 1e-6) deep.push(2 * radius - d);
          if (d < least) least = d;
        }
      }
      return { deep, least };
    };
    const [off, on] = [run(0), run(1)];
    console.log(
      `ring of strands: nearest ${off.least} m without, ${on.least} m with chainMask, of ${2 * radius}`,
    );
    expect(off.least).toBeLessThan(0.7 * 2 * radius);
    expect(on.deep).toEqual([]);
  });

  it('pairs only chains of one character', () => {
    const two = strandScene(
      [
        [-0.03, 0, 0],
        [0.03, 0, 0],
      ],
      [{ chainMask: 1 }],
    );
    expect(orderOf(two.world).meeting!.pairs[0]).toHaveLength(1);
    const { asset, chains } = strands([[0, 0, 0]]);
    const other = addCharacter(two.world, asset);
    addChains(two.world, other, { ...freeStrand, chainMask: 1, chains });
    expect(orderOf(two.world).meeting!.pairs[0]).toHaveLength(1);
    expect(rowOf(two.world, 'chain', two.chains[1]!)).toBe(1);
  });
});
