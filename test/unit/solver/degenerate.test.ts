/** K16: inputs that divide by zero elsewhere. Every number stays finite, the fault is told, no neighbour notices. */
import { describe, expect, it } from 'vitest';
import {
  addCharacter,
  addChains,
  addFloor,
  advance,
  createPose,
  createWorld,
  readPose,
  resetChain,
  rowOf,
  setChain,
  setPose,
  setRoot,
  step,
} from '../../../src/index.js';
import type { Scene, Tail } from '../../support/chains.js';
import { makeScene, makeTail, motionBits, plain, run, tipsOf } from '../../support/chains.js';
import type { Q4, V3 } from '../../support/referenceMath.js';

const options = { ...plain, gravity: 1, air: 1, floor: true, keepOut: true };
const refused = expect.objectContaining({ code: 'invalid-argument' });

/** A healthy character and its path alone in a world: what a neighbour's fault must not change. */
function neighbourPath(beside: (scene: Scene) => void, ticks = 240): V3[][] {
  const scene = makeScene(makeTail({ links: 4 }), options);
  addFloor(scene.world, { point: [0, 0.3, 0] });
  beside(scene);
  const path: V3[][] = [];
  const move = (k: number): void => {
    setRoot(scene.world, scene.character, { position: [0.2 * Math.sin(k / 9), 0, 0] });
    for (const mover of movers) mover(k);
  };
  run(scene, ticks, move, () => path.push(tipsOf(scene)));
  movers.length = 0;
  return path;
}

/** What moves beside the neighbour, and what is checked at the end. */
const movers: ((tick: number) => void)[] = [];
const finishers: (() => void)[] = [];
const healthy = neighbourPath(() => {});

/** Adds this tail to the neighbour's world, moves it, and demands finite numbers everywhere. */
function besides(tail: Tail, root: { scale?: V3; rotation?: Q4 } = {}): { codes: string[]; at: string[] } {
  let codes: string[] = [];
  let at: string[] = [];
  const path = neighbourPath((scene) => {
    const { world } = scene;
    const character = addCharacter(world, tail.asset, {
      frame: { up: [0, 1, 0], forward: [0, 0, 1] },
      ...root,
    });
    addChains(world, character, { ...options, chains: [tail.definition] });
    const pose = createPose(world, character);
    movers.push((k) => setRoot(world, character, { position: [0, 0, 0.1 * Math.sin(k / 7)] }));
    finishers.push(() => {
      readPose(world, character, pose);
      for (const numbers of [pose.translations, pose.rotations, pose.scales, pose.worlds]) {
        expect(numbers.every(Number.isFinite)).toBe(true);
      }
      codes = world.report.warnings.map((w) => w.code);
      at = world.report.warnings.filter((w) => w.code === 'zero-length-link').map((w) => w.at);
    });
  });
  for (const finish of finishers.splice(0)) finish();
  expect(path).toEqual(healthy);
  return { codes, at };
}

/** Sets the bind offset of a bone of the tail to this local translation, in the saved pose and in the skin. */
function offsetBone(tail: Tail, bone: number, offset: V3): void {
  const { skeleton, skins } = tail.asset;
  const parent = skeleton.parents[bone]!;
  skeleton.translations.set(offset, 3 * bone);
  const binds = skins[0]!.inverseBinds;
  // All axes are those of the world: the inverse bind is a translation, the parent's minus the offset.
  for (let c = 0; c < 3; c++) binds[16 * bone + 12 + c] = binds[16 * parent + 12 + c]! - offset[c]!;
}

describe('K16: a degenerate input', () => {
  it.each([0, 1e-20, 1.7371e-7])('in the length of a bone in the middle: %d m', (length) => {
    const tail = makeTail({ links: 4 });
    offsetBone(tail, tail.bones.links[2]!, [0, -length, 0]);
    const { at } = besides(tail);
    expect(at.some((name) => name === 'Tail_2' || name === 'Tail_3')).toBe(true);
  });

  it.each([0, 1e-20, 1.7371e-7])('in the length of the last bone: %d m', (length) => {
    const tail = makeTail({ links: 4 });
    offsetBone(tail, tail.bones.end, [0, -length, 0]);
    const { at } = besides(tail);
    expect(
      at.some((name) => name === tail.asset.skeleton.names[tail.bones.end - 1] || name === 'Tail_End'),
    ).toBe(true);
  });

  it.each([0, 1e-20, 1.7371e-7])('in the length of the only bone: %d m', (length) => {
    const tail = makeTail({ links: 1 });
    offsetBone(tail, tail.bones.end, [0, -length, 0]);
    const { at } = besides(tail);
    expect(
      at.some((name) => name === tail.asset.skeleton.names[tail.bones.end - 1] || name === 'Tail_End'),
    ).toBe(true);
  });

  it('in all lengths at once', () => {
    const tail = makeTail({ links: 3 });
    for (const bone of [...tail.bones.links, tail.bones.end]) offsetBone(tail, bone, [0, 0, 0]);
    const { at } = besides(tail);
    expect(at).toContain('Tail_2');
  });

  it('in a first bone that sits on the attachment with a turned rest: harmless', () => {
    const { codes } = besides(makeTail({ links: 2, direction: [1, 0, 0], axes: 8 }));
    expect(codes).toEqual([]);
  });

  it('in inverse bind matrices that are all zero', () => {
    const tail = makeTail({ links: 3 });
    tail.asset.skins[0]!.inverseBinds.fill(0);
    besides(tail);
  });

  it.each([[[0, 0, 0, 0]], [[0, 0, 0, 1e-200]], [[3, 0, 0, 4]], [[0, 0, 0, -5]]])(
    'in a saved rotation that is no unit quaternion: %j',
    (rotation) => {
      const tail = makeTail({ links: 3 });
      tail.asset.skeleton.rotations.set(rotation, 4 * tail.bones.links[1]!);
      tail.asset.skins = [];
      besides(tail);
    },
  );

  it.each([0, 1e-30, -0])('in the scale of the root: %d', (s) => {
    besides(makeTail({ links: 3 }), { scale: [s, s, s] });
  });

  it('in a flat scale', () => {
    besides(makeTail({ links: 3 }), { scale: [1, 0, 1] });
  });

  it('in a root rotation that is not normalised; a zero one is refused at the door', () => {
    besides(makeTail({ links: 3 }), { rotation: [0, 0, 0, 2] });
    expect(() => makeScene(makeTail({ links: 3 }), { rotation: [0, 0, 0, 0] })).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    );
  });

  it('in a given pose whose rotations are zero or not normalised', () => {
    const tail = makeTail({ links: 3 });
    const scene = makeScene(tail, options);
    const rotations = tail.asset.skeleton.rotations.map((x) => 7 * x);
    rotations.fill(0, 8, 12);
    setPose(scene.world, scene.character, { rotations });
    run(scene, 60);
    const { worlds } = readPose(scene.world, scene.character, scene.pose);
    expect(worlds.every(Number.isFinite)).toBe(true);
    for (const tip of tipsOf(scene)) expect(tip.every(Number.isFinite)).toBe(true);
  });

  it.each([Number.NaN, Infinity, -Infinity])('%d in a root or pose is refused at the door', (bad) => {
    const scene = makeScene(makeTail(), options);
    run(scene, 3);
    const bits = motionBits(scene.world);
    expect(() => setRoot(scene.world, scene.character, { position: [bad, 0, 0] })).toThrow(refused);
    expect(() => setRoot(scene.world, scene.character, { rotation: [0, bad, 0, 1] })).toThrow(refused);
    expect(() => setRoot(scene.world, scene.character, { scale: [1, 1, bad] })).toThrow(refused);
    const rotations = scene.tail.asset.skeleton.rotations.slice();
    rotations[5] = bad;
    expect(() => setPose(scene.world, scene.character, { rotations })).toThrow(refused);
    expect(() => addFloor(scene.world, { point: [0, bad, 0] })).toThrow(refused);
    expect(motionBits(scene.world)).toBe(bits);
  });

  it.each([-1, Number.NaN])('%d as an option is refused and changes nothing', (bad) => {
    const scene = makeScene(makeTail(), options);
    for (const name of [
      'frequency',
      'tipRatio',
      'damping',
      'coupling',
      'limit',
      'air',
      'inertia',
      'maxSpeed',
    ] as const) {
      expect(() => setChain(scene.world, scene.chain, { [name]: bad }), name).toThrow(refused);
    }
    expect(() => setChain(scene.world, scene.chain, { gravity: Number.NaN })).toThrow(refused);
    expect(() => setChain(scene.world, scene.chain, { frequency: 0 })).toThrow(refused);
    expect(() => setChain(scene.world, scene.chain, { weight: 1.5 })).toThrow(refused);
  });

  it('a floor without a direction is refused', () => {
    const { world } = makeScene(makeTail(), options);
    expect(() => addFloor(world, { normal: [0, 0, 0] })).toThrow(refused);
  });

  it('a frame of 0 s is no fault, a negative or infinite one is refused', () => {
    const { world } = makeScene(makeTail(), options);
    expect(advance(world, 0)).toBe(0);
    for (const dt of [-1, Number.NaN, Infinity]) expect(() => advance(world, dt)).toThrow(refused);
  });

  it('gravity 0, air 0, coupling 0, inertia 0 and an infinite limit are plain settings', () => {
    const scene = makeScene(makeTail(), {
      ...plain,
      air: 0,
      coupling: 0,
      inertia: 0,
      inertiaRotation: 0,
      limit: Infinity,
      damping: 0.2,
    });
    run(scene, 120, (k) => setRoot(scene.world, scene.character, { position: [k / 100, 0, 0] }));
    for (const tip of tipsOf(scene)) expect(tip.every(Number.isFinite)).toBe(true);
  });

  it.each([Number.NaN, Infinity])(
    '%d written into a tip falls back to rest within its tick, told once',
    (bad) => {
      const broken = makeTail({ links: 3 });
      let chain = -1;
      const path = neighbourPath((scene) => {
        const { world } = scene;
        const character = addCharacter(world, broken.asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
        chain = addChains(world, character, { ...options, chains: [broken.definition] })[0]!;
        const pose = createPose(world, character);
        movers.push((k) => {
          const first = world.views.chain.first[rowOf(world, 'chain', chain)]!;
          if (k === 50) world.views.particle.velocity[3 * (first + 1)] = bad;
        });
        finishers.push(() => {
          readPose(world, character, pose);
          expect(pose.worlds.every(Number.isFinite)).toBe(true);
          const row = rowOf(world, 'chain', chain);
          const first = world.views.chain.first[row]!;
          for (const column of [world.views.particle.position, world.views.particle.velocity]) {
            expect(column.subarray(3 * first, 3 * first + 9).every(Number.isFinite)).toBe(true);
          }
          const faults = world.report.warnings.filter((w) => w.code.includes('fault'));
          expect(faults).toHaveLength(1);
          resetChain(world, chain);
          step(world);
        });
      });
      for (const finish of finishers.splice(0)) finish();
      expect(path).toEqual(healthy);
    },
  );

  it('positions of 1e300 m overflow without a trace of NaN', () => {
    const scene = makeScene(makeTail({ links: 3 }), { ...options, teleport: 'none' });
    run(scene, 3);
    setRoot(scene.world, scene.character, { position: [1e300, 0, -1e300] });
    run(scene, 3);
    setRoot(scene.world, scene.character, { position: [0, 0, 0] });
    run(scene, 3);
    for (const tip of tipsOf(scene)) expect(tip.every(Number.isFinite)).toBe(true);
    expect(readPose(scene.world, scene.character, scene.pose).worlds.every(Number.isFinite)).toBe(true);
  });

  it('a world of nothing runs', () => {
    const world = createWorld();
    step(world);
    expect(advance(world, 0.1)).toBeGreaterThan(0);
  });
});
