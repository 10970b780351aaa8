/** What is written is what was simulated: bones end where the particles stand, whatever poses, options and levels do. */
import { describe, expect, it } from 'vitest';
import type { ChainDefinition } from '../../../src/index.js';
import {
  addCharacter,
  addChains,
  addFloor,
  createPose,
  createWorld,
  readPose,
  rowOf,
  setChain,
  setFloor,
  setPose,
  setRoot,
  step,
} from '../../../src/index.js';
import { chainState } from '../../../src/components/codes.js';
import type { Scene } from '../../support/chains.js';
import {
  assetOf,
  back,
  directionsOf,
  down,
  jointsOf,
  makeScene,
  makeTail,
  plain,
  run,
  runAlong,
  tipOf,
  tipsOf,
} from '../../support/chains.js';
import { poseHips } from '../../support/poses.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleBetween, axisAngle, len, sub } from '../../support/referenceMath.js';

const frame: { up: V3; forward: V3 } = { up: [0, 1, 0], forward: [0, 0, 1] };

function tipsAtJoints(scene: Scene, digits = 11): void {
  const joints = jointsOf(scene);
  tipsOf(scene).forEach((tip, i) => tip.forEach((x, c) => expect(x).toBeCloseTo(joints[i + 1]![c]!, digits)));
}

describe('the written bones', () => {
  it('end at the particles of every level', () => {
    const positions: V3[] = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 0.8, 0],
      [0, 0.6, 0.05],
      [0.1, 0.5, 0],
      [0.2, 0.3, 0],
      [0.3, 0.1, 0],
    ];
    const names = [
      'Root',
      'Armature',
      'Hips',
      'Stem_1',
      'Stem_2',
      'Stem_End',
      'Leaf_1',
      'Leaf_2',
      'Leaf_End',
    ];
    const asset = assetOf(
      names,
      [-1, 0, 1, 2, 3, 4, 5, 6, 7],
      positions,
      positions.map((_, i): Q4 => axisAngle([1, i, 2], 0.3 * i)),
    );
    const world = createWorld();
    const character = addCharacter(world, asset, { frame });
    const define = (name: string, attachment: number, bones: number[], end: number): ChainDefinition => ({
      name,
      attachment,
      bones,
      end,
      origin: 'artist',
    });
    // The leaf hangs from a bone that the stem only carries.
    const [leaf] = addChains(world, character, { ...plain, air: 1, chains: [define('Leaf', 5, [6, 7], 8)] });
    const [stem] = addChains(world, character, { ...plain, air: 1, chains: [define('Stem', 2, [3, 4], 5)] });
    const pose = createPose(world, character);
    const { particle, chain } = world.views;
    for (let k = 0; k < 400; k++) {
      // After 200 ticks the character stands still while the stem still swings.
      if (k < 200) setRoot(world, character, { position: [0.4 * Math.sin(k / 10), 0, 0] });
      step(world);
      const { worlds } = readPose(world, character, pose);
      for (const [handle, bones] of [
        [stem!, [4, 5]],
        [leaf!, [7, 8]],
      ] as const)
        bones.forEach((bone, i) => {
          const p = 3 * (chain.first[rowOf(world, 'chain', handle)]! + i);
          for (let c = 0; c < 3; c++)
            expect(particle.position[p + c]).toBeCloseTo(worlds[16 * bone + 12 + c]!, 9);
        });
    }
  });

  it('keep their length and follow the pose with their head when a pose stretches the tail', () => {
    const scene = makeScene(makeTail({ links: 3, axes: 4 }), { ...plain, air: 1 });
    const { links } = scene.tail.bones;
    const translations = scene.tail.asset.skeleton.translations.slice();
    for (const bone of links) for (let c = 0; c < 3; c++) translations[3 * bone + c]! += 0.05 * (c + 1);
    setPose(scene.world, scene.character, { translations });
    run(
      scene,
      120,
      (k) => {
        setRoot(scene.world, scene.character, { position: [0.2 * Math.sin(k / 9), 0, 0] });
      },
      () => {
        tipsAtJoints(scene);
        readPose(scene.world, scene.character, scene.pose);
        const at = 3 * links[0]!;
        expect([...scene.pose.translations.subarray(at, at + 3)]).toEqual([
          ...translations.subarray(at, at + 3),
        ]);
      },
    );
  });

  it('stand half way at weight 1/2, tick after tick, also when only the root moves', () => {
    const scene = makeScene(makeTail({ links: 3 }), { ...plain, weight: 0.5 });
    const bone = scene.tail.bones.links[1]!;
    const translations = scene.tail.asset.skeleton.translations.slice();
    const neutral = [...translations.subarray(3 * bone, 3 * bone + 3)];
    translations[3 * bone]! += 0.1;
    setPose(scene.world, scene.character, { translations });
    run(scene, 5);
    for (let k = 0; k < 5; k++) {
      step(scene.world);
      readPose(scene.world, scene.character, scene.pose);
      expect(scene.pose.translations[3 * bone]).toBeCloseTo(neutral[0]! + 0.05, 12);
    }
  });

  it('of a faulted chain stand at rest under its attachment, and so do its particles', () => {
    const scene = makeScene(makeTail({ links: 3, direction: back }), plain);
    run(scene, 5);
    const row = rowOf(scene.world, 'chain', scene.chain);
    scene.world.views.particle.velocity[3 * scene.world.views.chain.first[row]!] = NaN;
    step(scene.world);
    expect(scene.world.views.chain.status[row]).toBe(chainState.faulted);
    tipsAtJoints(scene);
    tipsOf(scene).forEach((tip, i) =>
      tip.forEach((x, c) => expect(x).toBeCloseTo(scene.tail.bindTips[i]![c]!, 12)),
    );
  });
});

describe('a teleport that is kept', () => {
  it('turns the motion with the jump: same swing in the turned frame', () => {
    const make = (): Scene => makeScene(makeTail({ links: 3 }), { ...plain, air: 0.5, inertia: 1 });
    const [a, b] = [make(), make()];
    const turn = axisAngle([0, 1, 0], 2);
    for (const scene of [a, b]) {
      run(scene, 1);
      runAlong(scene, 0.5, (t) => [t, 0, 0]);
    }
    const cos = Math.cos(2);
    const sin = Math.sin(2);
    const turned = ([x, y, z]: V3): V3 => [cos * x + sin * z, y, cos * z - sin * x];
    for (let k = 1; k <= 120; k++) {
      const x = 0.5 + k / 120;
      setRoot(a.world, a.character, { position: [x, 0, 0] });
      setRoot(b.world, b.character, { position: turned([x, 0, 0]), rotation: turn });
      step(a.world);
      step(b.world);
      if (k === 1) expect(b.world.report.teleports).toBe(1);
      directionsOf(b).forEach((d, i) =>
        expect(angleBetween(d, turned(directionsOf(a)[i]!))).toBeLessThan(1e-6),
      );
    }
  });

  it('of a half turn about any axis does too', () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 0.2, 0.1],
      [0.1, 1, -0.3],
      [0.2, -0.3, 1],
    ] as V3[]) {
      const scene = makeScene(makeTail({ links: 3, direction: [0.3, -1, -0.5] }), { ...plain, gravity: 0 });
      run(scene, 3);
      poseHips(scene, axisAngle(axis, 3.1));
      step(scene.world);
      tipsAtJoints(scene);
      run(scene, 60);
      const row = rowOf(scene.world, 'chain', scene.chain);
      const first = scene.world.views.chain.first[row]!;
      for (let p = first; p < first + 3; p++)
        expect(scene.world.views.particle.bend[4 * p + 3]).toBeCloseTo(1, 12);
    }
  });
});

describe('options', () => {
  it('that are set do not touch others, and a rest shape goes back to the bind pose', () => {
    const s = makeScene(makeTail({ links: 3 }), { ...plain, restPose: 'animated' });
    const rotations = s.tail.asset.skeleton.rotations.slice();
    rotations.set(axisAngle([0, 0, 1], 0.5), 4 * s.tail.bones.links[1]!);
    setPose(s.world, s.character, { rotations });
    run(s, 20 * 120);
    expect(angleBetween(directionsOf(s)[2]!, down)).toBeGreaterThan(0.4);
    setChain(s.world, s.chain, { restPose: 'bind' });
    run(s, 20 * 120);
    for (const d of directionsOf(s)) expect(angleBetween(d, down)).toBeLessThan(1e-6);
    expect(len(sub(tipOf(s), [0, 0.2, 0]))).toBeLessThan(1e-6);
  });
});

describe('a sleeping chain', () => {
  const asleep = ({ world, chain }: Scene): boolean =>
    world.views.chain.status[rowOf(world, 'chain', chain)] === chainState.asleep;

  it('wakes when nothing but the scale of its attachment changes', () => {
    const s = makeScene(makeTail({ links: 3, hips: [0, 0, 0] }), plain);
    run(s, 120);
    expect(asleep(s)).toBe(true);
    setRoot(s.world, s.character, { scale: [1.5, 1.5, 1.5] });
    run(s, 2);
    expect(asleep(s)).toBe(false);
    tipsAtJoints(s);
  });

  it('wakes when the chain it hangs from is pushed, although its character stands still', () => {
    const tail = makeTail({ links: 4, direction: back });
    const [a, b, c, d] = tail.bones.links;
    const world = createWorld();
    const character = addCharacter(world, tail.asset, { frame });
    const define = (name: string, attachment: number, bones: number[], end: number): ChainDefinition => ({
      name,
      attachment,
      bones,
      end,
      origin: 'artist',
    });
    addChains(world, character, { ...plain, floor: true, chains: [define('Stem', 2, [a!, b!], c!)] });
    const [leaf] = addChains(world, character, {
      ...plain,
      chains: [define('Leaf', b!, [c!, d!], tail.bones.end)],
    });
    const s: Scene = { world, character, chain: leaf!, tail, pose: createPose(world, character) };
    run(s, 240);
    expect(asleep(s)).toBe(true);
    const floor = addFloor(world, { point: [0, 0.5, 0] });
    run(s, 240);
    expect(asleep(s)).toBe(true);
    let y = 0.9;
    run(s, 30, () => setFloor(world, floor, { point: [0, (y += 0.005), 0] }));
    const [tip] = tipsOf(s);
    const at = jointsOf(s)[3]!;
    tip!.forEach((x, i) => expect(x).toBeCloseTo(at[i]!, 11));
    expect(tip![1]).toBeGreaterThan(1.01);
  });
});
