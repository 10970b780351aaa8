/** What a chain stands on: bones without length, handles, the game's own bitECS world, reports, a copy of the state. */
import { addEntity, createWorld as createEcs, entityExists, removeEntity } from 'bitecs';
import { describe, expect, it } from 'vitest';
import type { Asset, ChainDefinition, World } from '../../../src/index.js';
import {
  addCharacter,
  addChains,
  addFloor,
  createWorld,
  play,
  removeCharacter,
  rowOf,
  setRoot,
  step,
} from '../../../src/index.js';
import { animate } from '../../../src/systems/animate.js';
import { assetOf, makeScene, makeTail, motionBits, plain, run, stateBytes } from '../../support/chains.js';
import { wagAndSway } from '../../support/poses.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { axisAngle, identity } from '../../support/referenceMath.js';

const frame: { up: V3; forward: V3 } = { up: [0, 1, 0], forward: [0, 0, 1] };

describe('bones without length', () => {
  /** Hips at (0, 1, 0), a tail that begins 0.2 m behind them with a bone of no length. */
  function zeroFirst(): { asset: Asset; definition: ChainDefinition; tip: V3 } {
    const root: V3 = [0, 1, -0.2];
    const asset = assetOf(
      ['Root', 'Armature', 'Hips', 'Tail_1', 'Tail_2', 'Tail_3', 'Tail_End'],
      [-1, 0, 1, 2, 3, 4, 5],
      [[0, 0, 0], [0, 0, 0], [0, 1, 0], root, root, [0, 0.8, -0.2], [0, 0.6, -0.2]],
      Array.from({ length: 7 }, (): Q4 => identity),
    );
    return {
      asset,
      definition: { name: 'Tail_1', attachment: 2, bones: [3, 4, 5], end: 6, origin: 'artist' },
      tip: [0, 0.6, -0.2],
    };
  }

  it('at the root leave the tail where it was modelled', () => {
    const { asset, definition, tip } = zeroFirst();
    const world = createWorld();
    const character = addCharacter(world, asset, { frame });
    const [chain] = addChains(world, character, { ...plain, chains: [definition] });
    step(world);
    const row = rowOf(world, 'chain', chain!);
    const p = world.views.chain.first[row]! + world.views.chain.count[row]! - 1;
    const found = [...world.views.particle.position.subarray(3 * p, 3 * p + 3)];
    found.forEach((x, c) => expect(x).toBeCloseTo(tip[c]!, 12));
  });

  it('nor does an attachment farther up than the parent', () => {
    const { asset, definition, tip } = zeroFirst();
    const world = createWorld();
    const character = addCharacter(world, asset, { frame });
    const [chain] = addChains(world, character, {
      ...plain,
      chains: [{ ...definition, attachment: 2, bones: [4, 5] }],
    });
    step(world);
    const row = rowOf(world, 'chain', chain!);
    const p = world.views.chain.first[row]! + world.views.chain.count[row]! - 1;
    const found = [...world.views.particle.position.subarray(3 * p, 3 * p + 3)];
    found.forEach((x, c) => expect(x).toBeCloseTo(tip[c]!, 12));
  });
});

describe("the game's own bitECS world", () => {
  it('keeps an entity of the game that took the number of one it removed itself', () => {
    const ecs = createEcs();
    const world = createWorld({ ecs });
    const scene = makeScene(makeTail({ links: 2 }), plain, world);
    removeEntity(ecs, scene.chain);
    const own = addEntity(ecs);
    expect(own).toBe(scene.chain); // bitECS gives numbers again
    removeCharacter(world, scene.character);
    expect(entityExists(ecs, own)).toBe(true);
  });

  it('answers a new handle with the new thing although the game removed an old one', () => {
    const ecs = createEcs();
    const world = createWorld({ ecs });
    const scene = makeScene(makeTail({ links: 2 }), plain, world);
    const gone = addFloor(world, { point: [0, -5, 0] });
    removeEntity(ecs, gone);
    const floor = addFloor(world, { point: [0, -6, 0] });
    expect(floor).toBe(gone);
    step(scene.world);
    // The one the game removed is gone, or has a handle still; it must not live on out of reach.
    const taken = [...world.views.floor.id].filter((id) => id !== 0).length;
    expect(taken).toBe(world.rows.floor.size);
  });
});

describe('reports', () => {
  it('name every chain that faulted, of every character', () => {
    const world = createWorld();
    const scenes = [0, 1].map(() => makeScene(makeTail({ links: 2 }), plain, world));
    step(world);
    for (const scene of scenes) {
      const row = rowOf(world, 'chain', scene.chain);
      world.views.particle.velocity[3 * world.views.chain.first[row]!] = NaN;
    }
    step(world);
    expect(world.report.warnings.filter(({ code }) => code === 'chain-faulted')).toHaveLength(2);
  });
});

describe('arguments', () => {
  it('maxTicksPerAdvance is a whole number', () => {
    expect(() => createWorld({ maxTicksPerAdvance: 2.5 })).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    );
  });

  it('the stages can be called first thing after a change of structure', () => {
    const world = createWorld();
    addFloor(world);
    expect(() => animate(world, 1)).not.toThrow();
  });
});

describe('snapshots', () => {
  /** Puts the state region back as a rollback would, everything else stays. */
  function restore(world: World, bytes: Uint8Array): void {
    const { start, end } = world.arena.regions.state;
    new Uint8Array(world.arena.buffer, start, end - start).set(bytes);
  }

  it.each(['bind', 'animated'] as const)(
    'one copy of the state region brings back the motion (%s)',
    (restPose) => {
      const scene = makeScene(makeTail({ links: 3, clips: wagAndSway }), { ...plain, air: 1, restPose });
      addFloor(scene.world, { point: [0, 0.35, 0] });
      play(scene.world, scene.character, 'Wag');
      const go = (): string => {
        const bits: string[] = [];
        run(
          scene,
          100,
          (k) => setRoot(scene.world, scene.character, { position: [Math.sin(k / 20), 0, 0] }),
          () => bits.push(motionBits(scene.world)),
        );
        return bits.join();
      };
      run(scene, 50);
      const saved = stateBytes(scene.world);
      const first = go();
      restore(scene.world, saved);
      expect(go() === first).toBe(true);
    },
  );
});

describe('a node between two links', () => {
  it.each(['bind', 'animated'] as const)('turns what hangs below it (%s)', (restPose) => {
    const asset = assetOf(
      ['Root', 'Armature', 'Hips', 'Tail_1', 'Between', 'Tail_2', 'Tail_End'],
      [-1, 0, 1, 2, 3, 4, 5],
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 1, 0],
        [0, 1, 0],
        [0.1, 0.9, 0],
        [0, 0.7, -0.1],
        [0, 0.5, -0.3],
      ],
      Array.from({ length: 7 }, (_, i): Q4 => axisAngle([1, i, 2], 0.4 * i)),
    );
    const world = createWorld();
    const character = addCharacter(world, asset, { frame });
    const definition: ChainDefinition = {
      name: 'Tail_1',
      attachment: 2,
      bones: [3, 5],
      end: 6,
      origin: 'artist',
    };
    const [chain] = addChains(world, character, { ...plain, restPose, chains: [definition] });
    step(world);
    const p = 3 * world.views.chain.first[rowOf(world, 'chain', chain!)]!;
    const found = [...world.views.particle.position.subarray(p, p + 6)];
    [0, 0.7, -0.1, 0, 0.5, -0.3].forEach((x, c) => expect(found[c]).toBeCloseTo(x, 9));
  });
});
