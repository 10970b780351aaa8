/** Faults that users report, by their K numbers: leaves, branches, order of set-up. */
import { describe, expect, it } from 'vitest';
import type { ChainDefinition } from '../../../src/index.js';
import {
  addChains,
  addCharacter,
  chainsOf,
  createPose,
  createWorld,
  readPose,
  setRoot,
  step,
} from '../../../src/index.js';
import type { Tail } from '../../support/chains.js';
import {
  assetOf,
  down,
  jointsOf,
  makeScene,
  makeTail,
  originsOf,
  plain,
  run,
  runAlong,
  tipsOf,
} from '../../support/chains.js';
import { poseHips } from '../../support/poses.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import {
  angleBetween,
  axisAngle,
  identity,
  len,
  rotationOf,
  seeded,
  sub,
} from '../../support/referenceMath.js';

describe('users have seen', () => {
  it.each([1, 2])(
    'K17: a last bone that stays stiff; here it swings without an end helper too (%i links)',
    (links) => {
      const tail = makeTail({ links, axes: 2, end: false });
      const scene = makeScene(tail, { ...plain, air: 1 });
      run(scene, 1);
      if (links > 1) expect(len(sub(tipsOf(scene)[1]!, [0, 0.2, 0]))).toBeLessThan(1e-9);
      runAlong(scene, 1, (t) => [t, 0, 0]);
      const tips = tipsOf(scene);
      const head: V3 = links === 1 ? [1, 1, 0] : tips[links - 2]!;
      expect(angleBetween(sub(tips[links - 1]!, head), down)).toBeGreaterThan(0.05);
      const { rotations } = readPose(scene.world, scene.character, scene.pose);
      const leaf = tail.bones.links.at(-1)!;
      const saved = tail.asset.skeleton.rotations.subarray(4 * leaf, 4 * leaf + 4);
      expect([...rotations.subarray(4 * leaf, 4 * leaf + 4)]).not.toEqual([...saved]);
    },
  );

  it('K17: an end helper on top of the last bone; here the chain still swings and stays finite', () => {
    const tail = makeTail({ links: 3 });
    tail.asset.skeleton.translations.fill(0, 3 * tail.bones.end, 3 * tail.bones.end + 3);
    const last = tail.bones.links.at(-1)!;
    tail.asset.skins[0]!.inverseBinds.copyWithin(16 * tail.bones.end, 16 * last, 16 * last + 16);
    const scene = makeScene(tail, { ...plain, air: 1 });
    run(scene, 1);
    runAlong(scene, 1, (t) => [t, 0, 0]);
    for (const p of originsOf(scene, [...tail.bones.links, tail.bones.end]))
      expect(p.every(Number.isFinite)).toBe(true);
    expect(angleBetween(sub(tipsOf(scene)[1]!, tipsOf(scene)[0]!), down)).toBeGreaterThan(0.05);
    const told = scene.world.report.warnings.filter((w) => w.code === 'zero-length-link').map((w) => w.at);
    expect(told.some((at) => at === 'Tail_3' || at === 'Tail_End')).toBe(true);
  });

  /** Hips with a tail of two bones that splits into two branches of two bones each. */
  function branched(axes?: number): {
    tail: Tail;
    stem: ChainDefinition;
    left: ChainDefinition;
    right: ChainDefinition;
  } {
    const random = seeded(axes ?? 0);
    const turn = (): Q4 => (axes === undefined ? identity : rotationOf(random(), random(), random()));
    const names = [
      'Root',
      'Armature',
      'Hips',
      'Stem_1',
      'Stem_2',
      'Left_1',
      'Left_2',
      'Left_End',
      'Right_1',
      'Right_2',
      'Right_End',
    ];
    const parents = [-1, 0, 1, 2, 3, 4, 5, 6, 4, 8, 9];
    const positions: V3[] = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 0.8, 0],
      [0.1, 0.6, 0],
      [0.2, 0.4, 0],
      [0.3, 0.2, 0],
      [-0.1, 0.6, 0],
      [-0.2, 0.4, 0],
      [-0.3, 0.2, 0],
    ];
    const asset = assetOf(
      names,
      parents,
      positions,
      positions.map((_, i) => (i < 2 ? identity : turn())),
    );
    const base = makeTail();
    const tail: Tail = { ...base, asset, bones: { root: 0, hips: 2, links: [3, 4], end: -1, legs: [] } };
    const branch = (name: string, bones: number[], end: number): ChainDefinition => ({
      name,
      attachment: 4,
      bones,
      end,
      origin: 'artist',
    });
    const stem: ChainDefinition = { name: 'Stem_1', attachment: 2, bones: [3, 4], end: -1, origin: 'artist' };
    return { tail, stem, left: branch('Left_1', [5, 6], 7), right: branch('Right_1', [8, 9], 10) };
  }

  it('K18, K19: branches that depend on the order they are named in; here both swing and the order is nothing', () => {
    const runs = [
      ['stem', 'left', 'right'],
      ['right', 'left', 'stem'],
      ['left', 'stem', 'right'],
    ].map((order) => {
      const made = branched(3);
      const world = createWorld();
      const character = addCharacter(world, made.tail.asset, {
        frame: { up: [0, 1, 0], forward: [0, 0, 1] },
      });
      for (const name of order as ('stem' | 'left' | 'right')[]) {
        addChains(world, character, { ...plain, air: 1, gravity: 1, chains: [made[name]] });
      }
      expect(chainsOf(world, character)).toHaveLength(3);
      const pose = createPose(world, character);
      const path: number[][] = [];
      for (let k = 0; k < 600; k++) {
        setRoot(world, character, { position: [0.3 * Math.sin(k / 15), 0, 0.2 * Math.sin(k / 11)] });
        step(world);
        path.push([...readPose(world, character, pose).worlds]);
      }
      return path;
    });
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).toEqual(runs[0]);
    const [first] = runs;
    for (const bone of [5, 8]) {
      const ways = first!.map((worlds) => worlds[16 * bone + 12]! - worlds[16 * 2 + 12]!);
      expect(Math.max(...ways) - Math.min(...ways)).toBeGreaterThan(0.05);
    }
  });

  it('K18: a bone named twice; here the first chain keeps it and the report says so', () => {
    const scene = makeScene(makeTail(), plain);
    const again = addChains(scene.world, scene.character, { ...plain, chains: [scene.tail.definition] });
    expect(again).toEqual([]);
    expect(chainsOf(scene.world, scene.character)).toEqual([scene.chain]);
    expect(scene.world.report.warnings.length).toBeGreaterThan(0);
    const alone = makeScene(makeTail(), plain);
    for (const s of [scene, alone]) {
      run(s, 1);
      runAlong(s, 1, (t) => [t * t, 0, 0]);
    }
    expect(jointsOf(scene)).toEqual(jointsOf(alone));
  });

  it('K19: a branch that follows its stem a frame late; here it sits on the stem of the same tick', () => {
    const { tail, stem, left } = branched();
    const world = createWorld();
    const character = addCharacter(world, tail.asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
    addChains(world, character, { ...plain, air: 1, chains: [left] });
    addChains(world, character, { ...plain, air: 1, chains: [stem] });
    const pose = createPose(world, character);
    for (let k = 0; k < 300; k++) {
      setRoot(world, character, { position: [0.4 * Math.sin(k / 10), 0, 0] });
      step(world);
      const { worlds } = readPose(world, character, pose);
      const at = (bone: number): V3 => [
        worlds[16 * bone + 12]!,
        worlds[16 * bone + 13]!,
        worlds[16 * bone + 14]!,
      ];
      // Rigid within the stem's last bone, and every link as long as at bind.
      expect(len(sub(at(5), at(4)))).toBeCloseTo(len([0.1, 0.2, 0]), 9);
      expect(len(sub(at(6), at(5)))).toBeCloseTo(len([0.1, 0.2, 0]), 9);
      expect(len(sub(at(7), at(6)))).toBeCloseTo(len([0.1, 0.2, 0]), 9);
    }
  });

  it('K20: a bone that is no part of a chain and turns by itself; here it keeps its animated rotation exactly', () => {
    const tail = makeTail({ links: 3, legs: 1 });
    const scene = makeScene(tail, { ...plain, air: 1 });
    for (let k = 0; k < 120; k++) {
      const turn = axisAngle([0, 1, 0], 0.3 * Math.sin(k / 10));
      poseHips(scene, turn);
      step(scene.world);
      const { rotations } = readPose(scene.world, scene.character, scene.pose);
      const leg = tail.bones.legs[0]!;
      expect([...rotations.subarray(8, 12)].every((x, c) => x === turn[c])).toBe(true);
      expect([...rotations.subarray(4 * leg, 4 * leg + 4)].every((x, c) => x === identity[c])).toBe(true);
    }
  });
});
