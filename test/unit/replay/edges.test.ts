/** Worlds and bytes at the edges of what there can be: taken as they are or refused, never half. */
import { addEntity, createWorld as createEcs, removeEntity } from 'bitecs';
import { describe, expect, it } from 'vitest';
import {
  addCharacter,
  addChains,
  addFloor,
  createPose,
  createWorld,
  enableChain,
  entitiesOf,
  play,
  readPose,
  removeCharacter,
  removeFloor,
  rowOf,
  setPose,
  setRoot,
  step,
  type World,
} from '../../../src/index.js';
import { seal } from '../../../src/replay/format.js';
import {
  applyInputs,
  createHistory,
  createInputLog,
  createRecorder,
  hash,
  readSnapshot,
  restore,
  snapshot,
  syncTest,
  verifyReplay,
} from '../../../src/replay/index.js';
import { makeScene, makeTail, plain } from '../../support/chains.js';
import { livelyWorld } from '../../support/lively.js';
import { swayClip } from '../../support/poses.js';
import { strands } from '../../support/strands.js';

/** Bytes changed in place, with a checksum that fits. */
function changed(bytes: Uint8Array, work: (view: DataView, bytes: Uint8Array) => void): Uint8Array {
  const out = bytes.slice();
  work(new DataView(out.buffer), out);
  seal(out);
  return out;
}

function refuses(world: World, bytes: Uint8Array, message: RegExp, from: World): void {
  const before = hash(world);
  expect(() =>
    restore(
      world,
      bytes,
      from.rigs.map(({ asset }) => asset),
    ),
  ).toThrow(message);
  expect(hash(world)).toBe(before);
  step(world);
}

describe('snapshots', () => {
  it('in which two chains hold the same bones are refused', () => {
    const world = createWorld();
    const { asset, chains } = strands([
      [-0.1, 0, 0],
      [0.1, 0, 0],
    ]);
    addChains(world, addCharacter(world, asset), { chains });
    step(world);
    const { chain, particle } = world.views;
    for (let k = 0; k < chain.count[0]!; k++)
      particle.bone[chain.first[1]! + k] = particle.bone[chain.first[0]! + k]!;
    world.definitions.set(chain.id[1]!, world.definitions.get(chain.id[0]!)!);
    refuses(createWorld(), snapshot(world), /bones of chain/, world);
  });

  it.each([
    [
      'a tick past all counting',
      (world: World) => (world.views.global.tick[0] = 2 ** 53 - 1),
      /tick 9007199254740991/,
    ],
    [
      'no stable ids left',
      (world: World) => (world.views.global.nextId[0] = 0xffffffff),
      /next id 4294967295/,
    ],
    ['a stable id 0 to come', (world: World) => (world.views.global.nextId[0] = 0), /next id 0/],
    [
      'a code that nobody knows',
      (world: World) => (world.views.chain.status[0] = 200),
      /chain\.status is 200/,
    ],
  ])('with %s are refused', (_, break_, message) => {
    const { world } = makeScene(makeTail(), plain);
    break_(world);
    refuses(createWorld(), snapshot(world), message, world);
  });

  it('whose header is not that of their content, or whose assets have no hash, are refused', () => {
    const { world } = makeScene(makeTail(), plain);
    const bytes = snapshot(world);
    refuses(
      createWorld(),
      changed(bytes, (view) => view.setFloat64(40, 7, true)),
      /header is of another tick/,
      world,
    );
    const text = Buffer.from(bytes).indexOf('"asset":"') + 9;
    const bad = changed(bytes, (_, all) => all.set([0x7a, 0x0a, 0x22], text));
    expect(() => readSnapshot(bad)).toThrow(/snapshot: /);
    expect(() => readSnapshot(changed(bytes, (_, all) => all.fill(0x7a, text, text + 4)))).toThrow(
      /a rig entry is broken/,
    );
  });

  it('do not ask for the asset of a character that is gone', () => {
    const { world, input } = livelyWorld(4);
    for (let i = 0; i < 30; i++) {
      input(world);
      step(world);
    }
    const [, second] = entitiesOf(world, 'character');
    const kept = world.rigs[world.views.character.rig[rowOf(world, 'character', second!)]!]!.asset;
    const other = createWorld();
    expect(() => restore(other, snapshot(world), [kept])).toThrow(/is not among the 1 given/);
    for (const character of entitiesOf(world, 'character'))
      if (character !== second) removeCharacter(world, character);
    restore(other, snapshot(world), [kept]);
    expect(hash(other)).toBe(hash(world));
  });

  it('show what was shown when the game takes a twisted chain over from its clip', () => {
    const tail = makeTail({ clips: ({ links }) => [swayClip(links[1]!, [0, 1, 0], 1, 1)] });
    const { world, character, chain } = makeScene(tail, { ...plain, owner: 'auto' });
    play(world, character, 0);
    for (let i = 0; i < 30; i++) step(world);
    const history = createHistory(world, 4);
    setPose(world, character, {});
    history.save();
    const bytes = snapshot(world);
    const other = createWorld();
    restore(other, bytes, [tail.asset]);
    const poseOf = (of: World): Float64Array => {
      const [it_] = entitiesOf(of, 'character');
      return readPose(of, it_!, createPose(of, it_!)).worlds;
    };
    expect(poseOf(other)).toEqual(poseOf(world));
    const goOn = (of: World, it_: number): bigint => {
      enableChain(of, it_, false);
      enableChain(of, it_, true);
      for (let i = 0; i < 5; i++) step(of);
      return hash(of);
    };
    const there = goOn(other, entitiesOf(other, 'chain')[0]!);
    expect(goOn(world, chain)).toBe(there);
    history.rewind(30);
    expect(goOn(world, chain)).toBe(there);
  });

  it('do not take an entity of the game for a handle of ours', () => {
    const ecs = createEcs();
    const world = createWorld({ ecs });
    const tail = makeTail();
    const character = addCharacter(world, tail.asset);
    const [chain] = addChains(world, character, { chains: [tail.definition] });
    const bytes = snapshot(world);
    removeEntity(ecs, chain!);
    const games = addEntity(ecs);
    expect(games).toBe(chain);
    restore(world, bytes);
    expect(entitiesOf(world, 'chain')).toHaveLength(1);
    expect(entitiesOf(world, 'chain')).not.toContain(games);
  });

  it('of a frame given the other way round need no second rig', () => {
    const world = createWorld();
    addCharacter(world, makeTail().asset, { frame: { forward: [0, 0, 1], up: [0, 1, 0] } });
    restore(world, snapshot(world));
    expect(world.rigs).toHaveLength(1);
  });
});

describe('inputs', () => {
  it('have room for what stays behind rows that were freed again', () => {
    const world = createWorld();
    const recorder = createRecorder(world);
    const floors = Array.from({ length: 100 }, () => addFloor(world));
    for (const floor of floors.slice(0, 99)) removeFloor(world, floor);
    recorder.step();
    expect(verifyReplay(recorder.finish())).toMatchObject({ ticks: 1, mismatches: 0, hash: hash(world) });
  });

  it('with a code that nobody knows are refused', () => {
    const { world, tail } = makeScene(makeTail(), plain);
    const other = createWorld();
    restore(other, snapshot(world), [tail.asset]);
    const log = createInputLog(world);
    world.views.chain.status[0] = 200;
    const before = hash(other);
    expect(() => applyInputs(other, log.step())).toThrow(/chain\.status is 200/);
    expect(hash(other)).toBe(before);
  });

  it('are not logged over ticks that somebody else ran', () => {
    const { world } = makeScene(makeTail(), plain);
    const log = createInputLog(world);
    log.step();
    step(world);
    expect(() => log.step()).toThrow(/ran its last tick at 1, the world is at 2: only the log may run ticks/);
    const recorder = createRecorder(world);
    step(world);
    expect(() => recorder.step()).toThrow(/only the log may run ticks/);
  });
});

describe('replays', () => {
  it('are held against every snapshot in them and the hash at their end', () => {
    const { world, character } = makeScene(makeTail(), plain);
    const recorder = createRecorder(world, { keyframeInterval: 10 });
    const states: Uint8Array[] = [];
    for (let i = 0; i < 25; i++) {
      setRoot(world, character, { position: [i / 64, 0, 0] });
      recorder.step();
      states.push(snapshot(world));
    }
    const replay = recorder.finish();
    expect(verifyReplay(replay).mismatches).toBe(0);
    const at = Buffer.from(replay).indexOf(states[9]!);
    expect(at).toBeGreaterThan(0);
    // Another state of the same length, said to be that of tick 10.
    const forged = changed(states[10]!, (view) => {
      view.setFloat64(40, 10, true);
      const tick = Buffer.from(states[9]!).indexOf(Buffer.from(Float64Array.of(10).buffer), 104);
      view.setFloat64(tick, 10, true);
    });
    const report = verifyReplay(changed(replay, (_, bytes) => bytes.set(forged, at)));
    expect(report).toMatchObject({ mismatches: 1, firstMismatch: { tick: 10, chain: 'Tail_1' } });
    const end = verifyReplay(changed(replay, (view) => view.setBigUint64(48, 5n, true)));
    expect(end).toMatchObject({ mismatches: 1, firstMismatch: { tick: 25, column: 'hash', chain: null } });
  });

  it('of worlds whose ticks take for ever are refused', () => {
    const world = createWorld({ tickRate: 1e-9 });
    const recorder = createRecorder(world);
    recorder.step();
    expect(() => verifyReplay(recorder.finish())).toThrow(/tick rate 1e-9, expected 0.1 to 10000000/);
  });
});

it('syncTest wants as many inputs as it goes back', () => {
  const { world, input } = livelyWorld(1);
  expect(() => syncTest(world, [input], 2)).toThrow(
    /distance is 2, expected a whole number from 1 to the 1 inputs/,
  );
});
