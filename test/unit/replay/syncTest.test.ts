import { describe, expect, it } from 'vitest';
import { entitiesOf, setRoot, step, type World } from '../../../src/index.js';
import { createHistory, hash, snapshot, syncTest } from '../../../src/replay/index.js';
import { livelyWorld } from '../../support/lively.js';

describe('rolling back', () => {
  it('runs every tick again with the same result, over all that happens', () => {
    const { world, input } = livelyWorld(23, { capacity: { bone: 8, chain: 1, particle: 4 } });
    const report = syncTest(
      world,
      Array.from({ length: 1500 }, () => input),
      8,
    );
    expect(report.firstMismatch).toBeUndefined();
    expect(report).toMatchObject({ ticks: 1500, mismatches: 0, checks: 8 * (1500 - 7) });
  });

  it('finds what the inputs know and the world does not', () => {
    const { world } = livelyWorld(2);
    let hidden = 0;
    const input = (of: World): void => {
      hidden += 0.125;
      setRoot(of, entitiesOf(of, 'character')[0]!, { position: [hidden, 1, 0] });
    };
    const report = syncTest(
      world,
      Array.from({ length: 20 }, () => input),
      4,
    );
    expect(report.mismatches).toBeGreaterThan(0);
    expect(report.firstMismatch!.tick).toBe(1);
    expect(report.firstMismatch!.columns).toContain('character.rootTo');
  });

  it('goes back over changes of structure, to the byte', () => {
    const { world, input } = livelyWorld(9, { capacity: { bone: 8, chain: 1, particle: 4 } });
    const history = createHistory(world, 40);
    const bytes = new Map<number, Uint8Array>();
    const run = (): void => {
      input(world);
      step(world);
      history.save();
      bytes.set(world.tick, snapshot(world));
    };
    for (let i = 0; i < 2400; i++) {
      run();
      if (i % 23 !== 22 || i < 40) continue;
      const back = world.tick - (i % 19) - 1;
      history.rewind(back);
      expect(Buffer.compare(snapshot(world), bytes.get(back)!)).toBe(0);
    }
  });

  it('goes back to a tick that was kept after its inputs', () => {
    const { world, input } = livelyWorld(31);
    const history = createHistory(world, 4);
    for (let i = 0; i < 600; i++) {
      input(world);
      history.save();
      const here = snapshot(world);
      step(world);
      const next = hash(world);
      input(world);
      step(world);
      history.rewind(world.tick - 2);
      expect(Buffer.compare(snapshot(world), here)).toBe(0);
      step(world);
      expect(hash(world)).toBe(next);
    }
  });

  it('says what is kept, and changes nothing when a tick is not', () => {
    const { world, input } = livelyWorld(4);
    const history = createHistory(world, 3);
    expect(() => history.rewind(0)).toThrow(/tick 0 is not kept, there are none/);
    for (let i = 0; i < 5; i++) {
      input(world);
      step(world);
      history.save();
    }
    expect([history.oldest, history.newest]).toEqual([3, 5]);
    const here = hash(world);
    expect(() => history.rewind(2)).toThrow(/tick 2 is not kept, there are 3 to 5/);
    expect(() => history.rewind(6)).toThrow(/not kept/);
    expect(() => createHistory(world, 0)).toThrow(/ticks is 0/);
    expect(hash(world)).toBe(here);
    history.rewind(3);
    expect([history.oldest, history.newest, world.tick]).toEqual([3, 3, 3]);
  });
});
