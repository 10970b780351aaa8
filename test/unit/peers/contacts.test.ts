/**
 * Faults that users of other spring-bone systems report, by their K numbers: contact in motion, at rest and at its end.
 * Small inputs and right values are those of the survey of peers; each test names the fault and what is right here.
 */
import { describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  addCollider,
  createPose,
  createWorld,
  readPose,
  removeCharacter,
  removeCollider,
  rowOf,
  setCollider,
  setRoot,
  step,
  type ChainDefinition,
  type ChainOptions,
  type ColliderShape,
} from '../../../src/index.js';
import {
  assetOf,
  back,
  lengthFault,
  makeScene,
  makeTail,
  radians,
  run,
  stateBytes,
  tipOf,
  tipsOf,
  type Scene,
} from '../../support/chains.js';
import { add, dot, identity, len, mul, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import { distance, free, sphere } from './support.js';

/** Least distance of a chain that hangs from a point to another point. */
function gapOf(scene: Scene, head: V3, centre: V3): number {
  const points = [head, ...tipsOf(scene)];
  return Math.min(...points.slice(1).map((p, i) => distance(centre, points[i]!, p)));
}

describe('users have seen', () => {
  it.each([
    ['in the middle', 0.1, 0.1],
    ['near the head', 0.06, 0.06],
    ['near the tip', 0.17, 0.17],
    ['rising along it', 0.18, 0.06],
  ])(
    'K12: a sphere between two joints that passes through a long bone; here one %s turns it aside',
    (_, from, to) => {
      const scene = makeScene(makeTail({ links: 1, length: 0.2 }), { ...free, radius: 0.01 });
      // 5 cm/s, from where it does not touch to just before the link lies along its way.
      const at = (t: number): V3 => [-0.06 + 0.05 * t, 1 - from - ((to - from) * t) / 1.2, 0];
      const collider = addCollider(scene.world, { shape: sphere(at(0), 0.03) });
      for (let k = 1; k <= 144; k++) {
        const [x, y] = at(k / 120);
        setCollider(scene.world, collider, sphere([x, y, 0], 0.03));
        step(scene.world);
        // Before it and against it: the tangent from the head to the circle of 3 cm and the link's own 1 cm.
        const d = Math.hypot(x, 1 - y);
        const angle = Math.max(0, Math.asin(0.04 / d) - Math.atan2(-x, 1 - y));
        const foot = Math.sqrt(d * d - 0.04 * 0.04);
        if (foot > 0.2) continue;
        const [tipX, tipY] = tipOf(scene);
        expect(Math.atan2(tipX, 1 - tipY)).toBeCloseTo(angle, 6);
      }
      expect(tipOf(scene)[0]).toBeGreaterThan(0.03);
    },
  );

  it.each([
    [30, 1],
    [30, 6],
    [30, 12],
    [60, 1],
    [60, 6],
    [60, 12],
    [60, 24],
  ])(
    'K13: a fast collider that is missed or leaves the link on the wrong side; here not at %i ticks and %i m/s',
    (tickRate, speed) => {
      const cross = (rate: number): { reach: number; least: number } => {
        const scene = makeScene(makeTail({ links: 1, length: 0.2 }), {
          ...free,
          radius: 0.01,
          tickRate: rate,
        });
        const at = (k: number): V3 => [-0.35 + (speed * k) / rate, 0.87, 0.01];
        const collider = addCollider(scene.world, { shape: sphere(at(0), 0.05) });
        run(scene, 2);
        let [reach, least] = [0, 0];
        for (let k = 1; k <= Math.ceil((0.7 / speed) * rate); k++) {
          setCollider(scene.world, collider, sphere(at(k), 0.05));
          step(scene.world);
          reach = Math.max(reach, len(sub(tipOf(scene), [0, 0.8, 0])));
          least = Math.min(least, tipOf(scene)[0]);
          expect(gapOf(scene, [0, 1, 0], at(k))).toBeGreaterThan(0.06 - 1e-9);
        }
        return { reach, least };
      };
      const fine = cross(2000);
      const coarse = cross(tickRate);
      expect(fine.reach).toBeGreaterThan(0.1);
      expect(Math.abs(coarse.reach / fine.reach - 1)).toBeLessThan(0.1);
      // Ahead of the collider all the way: never turned against its motion.
      expect(coarse.least).toBeGreaterThan(-1e-9);
    },
  );

  it('K13: a graze of the shell that snaps the link around; here 1 mm off moves nothing, 1 mm in a little', () => {
    const pass = (beside: number): number => {
      const scene = makeScene(makeTail({ links: 1, length: 0.2 }), { ...free, radius: 0.01 });
      const at = (k: number): V3 => [-0.35 + (6 * k) / 120, 0.9, beside];
      const collider = addCollider(scene.world, { shape: sphere(at(0), 0.05) });
      let moved = 0;
      for (let k = 1; k <= 20; k++) {
        setCollider(scene.world, collider, sphere(at(k), 0.05));
        step(scene.world);
        moved = Math.max(moved, len(sub(tipOf(scene), [0, 0.8, 0])));
      }
      return moved;
    };
    expect(pass(0.061)).toBeLessThan(1e-12);
    const graze = pass(0.059);
    expect(graze).toBeGreaterThan(1e-4);
    expect(graze).toBeLessThan(0.03);
  });

  describe('K14: tails that twitch for ever on what they lie on; here within 3 s one is at rest', () => {
    const lying: [string, ColliderShape[], ChainOptions][] = [
      ['on a plane', [{ kind: 'plane', offset: [0, 0.8, 0], normal: [0, 1, 0] }], {}],
      [
        'on a plane aslant',
        [{ kind: 'plane', offset: [0, 0.7, 0], normal: [0, Math.cos(0.35), -Math.sin(0.35)] }],
        {},
      ],
      [
        'on two spheres it does not fit between',
        [sphere([-0.115, 0.8, -0.3], 0.105), sphere([0.115, 0.8, -0.3], 0.105)],
        {},
      ],
      ['on a sphere beyond its limit', [sphere([0, 0.85, -0.4], 0.2)], { limit: radians(12) }],
    ];
    it.each(lying)('%s', (_, list, options) => {
      const [scene, bare] = [0, 1].map(() =>
        makeScene(makeTail({ links: 6, length: 0.6, direction: back }), {
          ...free,
          frequency: 2.5,
          damping: 0.8,
          gravity: 9.8,
          radius: 0.02,
          ...options,
        }),
      ) as [Scene, Scene];
      for (const shape of list) addCollider(scene.world, { shape });
      for (const s of [scene, bare]) run(s, 360);
      // It does lie on them.
      expect(len(sub(tipOf(scene), tipOf(bare)))).toBeGreaterThan(0.01);
      let last = tipsOf(scene);
      let before: V3[] | undefined;
      let ripple = 0;
      run(scene, 120, undefined, () => {
        const now = tipsOf(scene);
        const moved = now.map((p, i) => sub(p, last[i]!));
        // What changes from tick to tick in the way of a tick: creep is smooth, a twitch is not.
        ripple = Math.max(ripple, ...moved.map((m, i) => (before ? len(sub(m, before[i]!)) : 0)));
        [last, before] = [now, moved];
        expect(lengthFault(scene, [0, 1, 0])).toBeLessThanOrEqual(1);
      });
      expect(ripple).toBeLessThan(1e-6);
    });
  });

  it('K14: an angle limit that fights a collider; here the collider decides and the limit comes back after it', () => {
    const scene = makeScene(makeTail({ links: 1, length: 0.2 }), {
      ...free,
      limit: radians(10),
      radius: 0.01,
    });
    const one = addCollider(scene.world, { shape: sphere([-0.02, 0.9, 0], 0.05) });
    run(scene, 240);
    const pushed = Math.asin(0.06 / Math.hypot(0.02, 0.1)) - Math.atan2(0.02, 0.1);
    const bend = (): number => Math.atan2(tipOf(scene)[0], 1 - tipOf(scene)[1]);
    expect(pushed).toBeGreaterThan(radians(20));
    expect(bend()).toBeCloseTo(pushed, 9);
    removeCollider(scene.world, one);
    run(scene, 1);
    expect(bend()).toBeLessThan(radians(10) + 1e-9);
    run(scene, 1200);
    expect(bend()).toBeCloseTo(0, 6);
  });

  it.each<[string, number, (tick: number) => number]>([
    ['level', 0, () => 0],
    ['aslant', radians(20), () => 0],
    ['that rises and sinks', 0, (tick) => 0.02 * Math.sin(tick / 25)],
  ])('K15: a tail that sinks into the ground; here it lies on a plane collider %s', (_, tilt, height) => {
    const normal: V3 = [0, Math.cos(tilt), -Math.sin(tilt)];
    const ground = (tick: number): ColliderShape => ({ kind: 'plane', offset: [0, height(tick), 0], normal });
    const head: V3 = [0, 0.12, 0];
    const scene = makeScene(makeTail({ links: 6, length: 0.6, direction: back, hips: head }), {
      ...free,
      gravity: 9.8,
      radius: 0.02,
    });
    const collider = addCollider(scene.world, { shape: ground(0) });
    let touched = 0;
    for (let tick = 1; tick <= 900; tick++) {
      setCollider(scene.world, collider, ground(tick));
      step(scene.world);
      expect(lengthFault(scene, head)).toBeLessThanOrEqual(1);
      for (const tip of tipsOf(scene)) {
        // Both ends of every segment are clear, so the segment is.
        const clear = dot(sub(tip, [0, height(tick), 0]), normal) - 0.02;
        expect(clear).toBeGreaterThan(-1e-6);
        if (clear < 1e-6) touched++;
        expect(Math.abs(tip[0])).toBeLessThan(1e-9);
      }
    }
    expect(touched).toBeGreaterThan(500);
  });

  it('K19: a collider on a bone of another chain whose effect hangs on the order of set-up; here on nothing', () => {
    const names = ['Root', 'Armature', 'Hips', 'A_1', 'A_2', 'A_End', 'B_1', 'B_2', 'B_End'];
    const positions: V3[] = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 0.8, 0],
      [0, 0.6, 0],
      [0.12, 1, 0],
      [0.12, 0.8, 0],
      [0.12, 0.6, 0],
    ];
    const asset = assetOf(
      names,
      [-1, 0, 1, 2, 3, 4, 2, 6, 7],
      positions,
      positions.map((): Q4 => identity),
    );
    const chains: ChainDefinition[] = [
      { name: 'A_1', attachment: 2, bones: [3, 4], end: 5, origin: 'artist' },
      { name: 'B_1', attachment: 2, bones: [6, 7], end: 8, origin: 'artist' },
    ];
    const ways = ['AB.', 'BA.', '.AB', 'B.A'].map((order) => {
      const world = createWorld();
      const character = addCharacter(world, asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
      for (const what of order) {
        if (what === '.') addCollider(world, { character, bone: 4, shape: sphere([0, -0.1, 0], 0.08) });
        // A is the supple one and does not feel what it carries.
        else if (what === 'A')
          addChains(world, character, { ...free, air: 1, colliderMask: 0, chains: [chains[0]!] });
        else addChains(world, character, { ...free, frequency: 3, radius: 0.01, chains: [chains[1]!] });
      }
      const pose = createPose(world, character);
      const path: number[][] = [];
      for (let k = 0; k < 360; k++) {
        setRoot(world, character, { position: [0.2 * Math.sin(k / 15), 0, 0] });
        step(world);
        path.push([...readPose(world, character, pose).worlds]);
      }
      return path;
    });
    for (const way of ways.slice(1)) expect(way).toEqual(ways[0]);
    const at = (worlds: number[], bone: number): V3 => worlds.slice(16 * bone + 12, 16 * bone + 15) as V3;
    const gaps = ways[0]!.slice(1).map((worlds, k) => {
      // It stands where A was left in the tick before.
      const before = ways[0]![k]!;
      const centre = mul(add(at(before, 4), at(before, 5)), 0.5);
      return Math.min(
        distance(centre, at(worlds, 6), at(worlds, 7)),
        distance(centre, at(worlds, 7), at(worlds, 8)),
      );
    });
    expect(Math.min(...gaps)).toBeGreaterThan(0.09 - 1e-9);
    expect(Math.min(...gaps)).toBeLessThan(0.09 + 1e-9);
  });

  describe('K25: colliders that outlive themselves; here', () => {
    it('one that is removed under a tail that sleeps on it lets it fall, and a new one is where it is put', () => {
      const make = (): Scene =>
        makeScene(makeTail({ links: 4, direction: back }), {
          ...free,
          gravity: 5,
          radius: 0.01,
          frequency: 2,
        });
      const [scene, never] = [make(), make()];
      const under = addCollider(scene.world, { shape: sphere([0, 0.7, -0.4], 0.25) });
      run(scene, 1200);
      run(never, 1200);
      expect(len(sub(tipOf(scene), tipOf(never)))).toBeGreaterThan(0.05);
      const row = rowOf(scene.world, 'chain', scene.chain);
      expect(scene.world.views.chain.status[row]).toBe(1);
      removeCollider(scene.world, under);
      expect(() => removeCollider(scene.world, under)).toThrow(
        expect.objectContaining({ code: 'unknown-entity' }),
      );
      // The same row, far away.
      addCollider(scene.world, { shape: sphere([30, 0, 0], 0.25) });
      run(scene, 2400);
      tipsOf(scene).forEach((tip, i) => expect(len(sub(tip, tipsOf(never)[i]!))).toBeLessThan(1e-6));
    });

    it('those of a character go with it', () => {
      const scene = makeScene(makeTail(), free);
      const { tail, world } = scene;
      const guest = addCharacter(world, tail.asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
      const carried = addCollider(world, {
        character: guest,
        bone: tail.bones.hips,
        shape: sphere([0, 0, 0], 0.1),
      });
      run(scene, 3);
      removeCharacter(world, guest);
      run(scene, 3);
      expect(() => removeCollider(world, carried)).toThrow(
        expect.objectContaining({ code: 'unknown-entity' }),
      );
      expect(world.views.collider.id.every((id) => id === 0)).toBe(true);
    });

    it('a thousand that come and go leave the arena as large as it was', () => {
      const scene = makeScene(makeTail(), free);
      const size = (): number => scene.world.arena.buffer.byteLength;
      for (let k = 0; k < 3; k++)
        removeCollider(scene.world, addCollider(scene.world, { shape: sphere([0, 1, 0], 0.1) }));
      const [before, bytes] = [size(), stateBytes(scene.world).length];
      for (let k = 0; k < 1000; k++) {
        const collider = addCollider(scene.world, { shape: sphere([0.05, 0.5, 0], 0.1) });
        if (k % 50 === 0) run(scene, 1);
        removeCollider(scene.world, collider);
      }
      expect([size(), stateBytes(scene.world).length]).toEqual([before, bytes]);
      run(scene, 2400);
      scene.tail.bindTips.forEach((p, i) => expect(len(sub(tipsOf(scene)[i]!, p))).toBeLessThan(1e-6));
    });
  });
});
