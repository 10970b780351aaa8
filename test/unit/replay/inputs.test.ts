import { describe, expect, it } from 'vitest';
import { createWorld, entitiesOf, setRoot, step, type World } from '../../../src/index.js';
import {
  applyInputs,
  columnHashes,
  createInputLog,
  hash,
  restore,
  snapshot,
  tickOf,
} from '../../../src/replay/index.js';
import { livelyAssets, livelyWorld } from '../../support/lively.js';

function differing(a: World, b: World): string {
  const other = columnHashes(b);
  return [...columnHashes(a)]
    .filter(([name, value]) => other.get(name) !== value)
    .map(([name]) => name)
    .join(', ');
}

describe('logged inputs', () => {
  it.each([1, 2, 3, 4])(
    'do to another world what was done to this one, over all that happens (%i)',
    (seed) => {
      const { world, input } = livelyWorld(seed, { capacity: { bone: 8, chain: 1, particle: 4 } });
      const assets = livelyAssets();
      const other = createWorld();
      restore(other, snapshot(world), assets);
      const log = createInputLog(world);
      for (let i = 0; i < 1500; i++) {
        input(world);
        const inputs = log.step();
        expect(tickOf(inputs)).toBe(i);
        applyInputs(other, inputs, assets);
        step(other);
        if (hash(world) !== hash(other)) expect.fail(`tick ${world.tick}: ${differing(world, other)}`);
      }
      expect(Buffer.compare(snapshot(world), snapshot(other))).toBe(0);
    },
  );

  it('are 3 bytes for nothing and few for a step', () => {
    const { world } = livelyWorld(1);
    const log = createInputLog(world);
    expect(log.step().length).toBeLessThan(8);
    expect(log.step().length).toBe(3);
    setRoot(world, entitiesOf(world, 'character')[0]!, { position: [1.25, 0.5, 2.125] });
    expect(log.step().length).toBeLessThan(24);
  });

  it('are refused at another tick, and when they are broken, and nothing changes', () => {
    const { world, input } = livelyWorld(5);
    const other = createWorld();
    restore(other, snapshot(world), livelyAssets());
    const log = createInputLog(world);
    for (let i = 0; i < 200; i++) {
      input(world);
      const inputs = log.step();
      const here = snapshot(other);
      for (let cut = 0; cut < inputs.length; cut += 1 + (inputs.length >> 5))
        expect(() => applyInputs(other, inputs.subarray(0, cut))).toThrow(/inputs: .* at byte/);
      expect(Buffer.compare(snapshot(other), here)).toBe(0);
      applyInputs(other, inputs);
      step(other);
      expect(() => applyInputs(other, inputs)).toThrow(/they are for tick \d+, the world is at/);
    }
  });
});
