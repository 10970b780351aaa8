import { describe, expect, it } from 'vitest';
import { addFloor, setRoot, step } from '../../../src/index.js';
import { createRecorder, hash, openReplay, snapshot, verifyReplay } from '../../../src/replay/index.js';
import { makeScene, makeTail } from '../../support/chains.js';
import { livelyWorld } from '../../support/lively.js';

/** A recording of the lively world, and its snapshots by tick. */
function recorded(
  seed: number,
  ticks: number,
): { replay: Uint8Array; states: Map<number, Uint8Array>; last: bigint } {
  const { world, input } = livelyWorld(seed, { capacity: { bone: 8, chain: 1, particle: 4 } });
  const recorder = createRecorder(world, { keyframeInterval: 100 });
  const states = new Map([[0, snapshot(world)]]);
  for (let i = 0; i < ticks; i++) {
    input(world);
    recorder.step();
    states.set(world.tick, snapshot(world));
  }
  return { replay: recorder.finish(), states, last: hash(world) };
}

describe('a replay', () => {
  it('runs again without a difference, over all that happens', () => {
    for (const seed of [1, 2, 3]) {
      const { replay, last } = recorded(seed, 1200);
      const report = verifyReplay(replay);
      expect(report.firstMismatch).toBeNull();
      expect(report).toMatchObject({ ticks: 1200, mismatches: 0, hash: last });
    }
  });

  it('begins at any tick, as it was there', () => {
    const { replay, states } = recorded(7, 450);
    const player = openReplay(replay);
    expect([player.firstTick, player.lastTick, player.world.tick]).toEqual([0, 450, 0]);
    for (const tick of [0, 1, 99, 100, 101, 333, 450, 12, 399]) {
      player.seek(tick);
      expect(Buffer.compare(snapshot(player.world), states.get(tick)!)).toBe(0);
    }
    player.seek(449);
    expect([player.step(), player.step()]).toEqual([true, false]);
    expect(verifyReplay(replay, { seek: 250 })).toMatchObject({ ticks: 250, mismatches: 0 });
    for (const tick of [-1, 451, 1.5]) {
      expect(() => player.seek(tick)).toThrow(/is not in the replay, which runs from 0 to 450/);
      expect(() => verifyReplay(replay, { seek: tick })).toThrow(/is not in the replay/);
    }
  });

  it('names the first tick, column and chain that come out otherwise', () => {
    // Two tails, one above a floor that drags otherwise on the machine that records.
    const high = makeScene(makeTail({ links: 3 }), { gravity: 9 });
    const low = makeScene(makeTail({ links: 3 }), { gravity: 9 }, high.world);
    const { world } = low;
    addFloor(world);
    Object.assign(world, { floorDecay: 0.5 });
    setRoot(world, high.character, { position: [0, 50, 0] });
    let touched = 0;
    const recorder = createRecorder(world);
    for (let i = 0; i < 240; i++) {
      setRoot(world, low.character, {
        position: [i / 128, i < 100 ? 2 : -0.6, 0],
        rotation: [0.6, 0, 0, 0.8],
      });
      recorder.step();
      if (touched === 0 && world.views.particle.contact.some((contact) => contact === 1))
        touched = world.tick;
    }
    const report = verifyReplay(recorder.finish());
    expect(touched).toBeGreaterThan(100);
    expect(report.mismatches).toBeGreaterThan(0);
    expect(report.firstMismatch).toMatchObject({
      tick: touched,
      chainId: world.views.chain.id[1],
      chain: 'Tail_1',
    });
    expect(report.firstMismatch!.columns).toContain('particle.velocity');
    expect(report.hash).not.toBe(hash(world));
  });

  it('is small: a few hundred bytes a tick with its sums, three for what nobody does', () => {
    const scene = makeScene(makeTail());
    const recorder = createRecorder(scene.world, { keyframeInterval: 10_000 });
    const empty = createRecorder(scene.world, { keyframeInterval: 10_000 }).finish().length;
    for (let i = 0; i < 1000; i++) recorder.step();
    expect((recorder.finish().length - empty) / 1000).toBeLessThan(120);
  });

  it('refuses to go on after its end', () => {
    const { world } = makeScene(makeTail());
    const recorder = createRecorder(world);
    recorder.finish();
    expect(() => recorder.step()).toThrow(/has been finished/);
    expect(() => recorder.finish()).toThrow(/has been finished/);
    expect(() => createRecorder(world, { keyframeInterval: 0 })).toThrow(/keyframeInterval is 0/);
    step(world);
  });
});
