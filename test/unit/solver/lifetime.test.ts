/** K25: what is removed is gone: the state region returns to its start, and nothing comes back to life. */
import { addEntity, createWorld as createEcs, entityExists, getAllEntities } from 'bitecs';
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/index.js';
import {
  addCharacter,
  addChains,
  addFloor,
  chainsOf,
  createWorld,
  play,
  readPose,
  removeCharacter,
  removeChain,
  removeFloor,
  rowOf,
  setChain,
  setPose,
  setRoot,
  step,
} from '../../../src/index.js';
import {
  contactsOf,
  jointsOf,
  makeScene,
  makeTail,
  motionBits,
  plain,
  run,
  stateBytes,
  tipsOf,
} from '../../support/chains.js';
import { swayClip } from '../../support/poses.js';

const frame = { up: [0, 1, 0], forward: [0, 0, 1] } as {
  up: [number, number, number];
  forward: [number, number, number];
};
const options = { ...plain, air: 1, gravity: 1, floor: true };
const gone = expect.objectContaining({ code: 'unknown-entity' });

/** The state region without the counters that only ever rise: the next stable id, the tick and the floors' flag. */
function stateOf(world: World): Uint8Array {
  const { global } = world.views;
  const [id, tick, moved] = [global.nextId[0]!, global.tick[0]!, global.floorsMoved[0]!];
  global.nextId[0] = 0;
  global.tick[0] = 0;
  global.floorsMoved[0] = 0;
  const bytes = stateBytes(world);
  global.nextId[0] = id;
  global.tick[0] = tick;
  global.floorsMoved[0] = moved;
  return bytes;
}

describe('K25: a lifetime', () => {
  it('of 1,000 characters leaves the state region as it was at the start', () => {
    const world = createWorld({
      capacity: {
        character: 1024,
        bone: 16384,
        chain: 1024,
        particle: 8192,
        input: 16384,
        player: 1024,
        floor: 16,
      },
    });
    const size = world.arena.buffer.byteLength;
    const start = stateOf(world);
    const tail = makeTail({ links: 4, clips: ({ hips }) => [swayClip(hips, [0, 1, 0], 0.4, 1)] });
    const characters: number[] = [];
    const floor = addFloor(world, { point: [0, 0.3, 0] });
    for (let i = 0; i < 1000; i++) {
      const character = addCharacter(world, tail.asset, { frame, position: [i, 0, 0] });
      addChains(world, character, { ...options, chains: [tail.definition] });
      if (i % 3 === 0) play(world, character, 'Sway');
      if (i % 3 === 1) setPose(world, character, { rotations: tail.asset.skeleton.rotations });
      characters.push(character);
    }
    for (let k = 0; k < 5; k++) step(world);
    // Out of order: every third first, the rest backwards.
    const order = [
      ...characters.filter((_, i) => i % 3 === 0),
      ...characters.filter((_, i) => i % 3 !== 0).toReversed(),
    ];
    for (const character of order) removeCharacter(world, character);
    removeFloor(world, floor);
    expect(Buffer.compare(stateOf(world), start)).toBe(0);
    expect(world.arena.buffer.byteLength).toBe(size);
  });

  it('over and over does not grow the arena', () => {
    const world = createWorld();
    const tail = makeTail({ links: 4 });
    const round = (): void => {
      const characters = Array.from({ length: 10 }, () => addCharacter(world, tail.asset, { frame }));
      for (const c of characters) addChains(world, c, { ...options, chains: [tail.definition] });
      step(world);
      for (const c of characters) removeCharacter(world, c);
    };
    round();
    const size = world.arena.buffer.byteLength;
    const start = stateOf(world);
    for (let k = 0; k < 100; k++) round();
    expect(world.arena.buffer.byteLength).toBe(size);
    expect(Buffer.compare(stateOf(world), start)).toBe(0);
  });

  it('that ended gives a new one in the same rows no contact, no speed, no bend', () => {
    const floorHeight = 0.5;
    const world = createWorld();
    const first = makeScene(makeTail({ links: 4 }), options, world);
    const floor = addFloor(world, { point: [0, floorHeight, 0] });
    run(first, 1);
    let touched = 0;
    run(
      first,
      120,
      (k) => setRoot(world, first.character, { position: [0.2 * Math.sin(k / 5), 0, 0] }),
      () => {
        touched += contactsOf(first).filter(Boolean).length;
      },
    );
    expect(touched).toBeGreaterThan(0);
    const row = rowOf(world, 'chain', first.chain);
    removeCharacter(world, first.character);
    removeFloor(world, floor);
    const second = makeScene(makeTail({ links: 4 }), options, world);
    expect(rowOf(world, 'chain', second.chain)).toBe(row);
    const fresh = makeScene(makeTail({ links: 4 }), options);
    for (let k = 0; k < 240; k++) {
      step(world);
      step(fresh.world);
      expect(tipsOf(second)).toEqual(tipsOf(fresh));
      expect(contactsOf(second)).toEqual(contactsOf(fresh));
    }
  });

  it('that ended answers to no handle', () => {
    const scene = makeScene(makeTail(), options);
    const { world, character, chain } = scene;
    const floor = addFloor(world);
    step(world);
    removeFloor(world, floor);
    expect(() => removeFloor(world, floor)).toThrow(gone);
    removeChain(world, chain);
    expect(() => removeChain(world, chain)).toThrow(gone);
    expect(() => setChain(world, chain, {})).toThrow(gone);
    expect(() => rowOf(world, 'chain', chain)).toThrow(gone);
    expect(chainsOf(world, character)).toEqual([]);
    removeCharacter(world, character);
    expect(() => removeCharacter(world, character)).toThrow(gone);
    expect(() => setRoot(world, character, {})).toThrow(gone);
    expect(() => readPose(world, character, scene.pose)).toThrow(gone);
    step(world);
  });

  it('of a chain in the middle ends without a jolt for the others', () => {
    const world = createWorld();
    const scenes = [0, 1, 2].map((x) =>
      makeScene(makeTail({ links: 3 }), { ...options, position: [x, 0, 0] }, world),
    );
    const alone = [0, 2].map((x) => makeScene(makeTail({ links: 3 }), { ...options, position: [x, 0, 0] }));
    addFloor(world, { point: [0, 0.4, 0] });
    for (const scene of alone) addFloor(scene.world, { point: [0, 0.4, 0] });
    for (let k = 0; k < 240; k++) {
      if (k === 100) removeChain(world, scenes[1]!.chain);
      if (k === 150) removeCharacter(world, scenes[1]!.character);
      for (const [i, x] of [0, 2].entries()) {
        const position: [number, number, number] = [x + 0.1 * Math.sin(k / 9), 0, 0];
        setRoot(world, scenes[x]!.character, { position });
        setRoot(alone[i]!.world, alone[i]!.character, { position });
      }
      step(world);
      for (const scene of alone) step(scene.world);
      expect(tipsOf(scenes[0]!)).toEqual(tipsOf(alone[0]!));
      expect(tipsOf(scenes[2]!)).toEqual(tipsOf(alone[1]!));
    }
  });

  it('of a chain ends with its bones back in the animated pose', () => {
    const scene = makeScene(makeTail({ links: 3 }), options);
    run(scene, 60);
    removeChain(scene.world, scene.chain);
    step(scene.world);
    const joints = jointsOf(scene);
    scene.tail.bindTips.forEach((tip, i) =>
      joints[i + 1]!.forEach((x, c) => expect(x).toBeCloseTo(tip[c]!, 12)),
    );
  });

  it('across the growth of every store leaves the motion as it is', () => {
    const small = createWorld({
      capacity: { character: 1, bone: 1, chain: 1, particle: 1, floor: 1, player: 1 },
    });
    const large = createWorld({ capacity: { character: 64, bone: 4096, chain: 64, particle: 512 } });
    const scenes = [small, large].map((world) => makeScene(makeTail({ links: 4 }), options, world));
    for (let k = 0; k < 20; k++) {
      for (const world of [small, large])
        makeScene(makeTail({ links: 1 + (k % 5) }), { ...options, position: [k, 0, 1] }, world);
      for (const scene of scenes) run(scene, 10);
      expect(tipsOf(scenes[0]!)).toEqual(tipsOf(scenes[1]!));
      expect(jointsOf(scenes[0]!)).toEqual(jointsOf(scenes[1]!));
    }
    expect(small.views.generation).toBeGreaterThan(0);
    expect(motionBits(small).length).toBeGreaterThan(0);
  });

  it("in the game's own bitECS world takes and gives back its entities and no others", () => {
    const ecs = createEcs();
    const own = [addEntity(ecs), addEntity(ecs)];
    const world = createWorld({ ecs });
    const scene = makeScene(makeTail({ links: 2 }), options, world);
    const floor = addFloor(world);
    for (const entity of [scene.character, scene.chain, floor]) {
      expect(entityExists(ecs, entity)).toBe(true);
      expect(own).not.toContain(entity);
    }
    step(world);
    removeCharacter(world, scene.character);
    removeFloor(world, floor);
    for (const entity of [scene.character, scene.chain, floor]) expect(entityExists(ecs, entity)).toBe(false);
    expect([...getAllEntities(ecs)].toSorted((a, b) => a - b)).toEqual(own);
  });
});
