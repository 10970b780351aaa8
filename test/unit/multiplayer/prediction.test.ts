import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../../../examples/multiplayer/authority.js';
import { createRandom } from '../../../examples/multiplayer/bot.js';
import { createPrediction } from '../../../examples/multiplayer/prediction.js';
import { walk } from '../../../examples/multiplayer/walking.js';
import { createWorld, entitiesOf } from '../../../src/index.js';
import { hash, restore, snapshot } from '../../../src/replay/index.js';
import { character } from './support/network.js';

describe('a prediction', () => {
  it('passes through the states of the server, whatever is guessed, late or lost', () => {
    const arrivals = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 12 }), fc.double({ min: 0, max: 1, noNaN: true })),
      {
        minLength: 240,
        maxLength: 240,
      },
    );
    fc.assert(
      fc.property(arrivals, fc.nat(1000), fc.integer({ min: 0, max: 30 }), (delays, seed, lead) => {
        const authority = createAuthority(character, 2, seed);
        const world = createWorld({ tickRate: 60 });
        restore(world, snapshot(authority.world), [character]);
        const random = createRandom(seed);
        const prediction = createPrediction(world, {
          assets: [character],
          // Nonsense: only what is confirmed may count.
          guess: () => {
            for (const each of entitiesOf(world, 'character'))
              walk(world, each, { heading: Math.floor(64 * random()), walking: random() < 0.5 });
          },
          window: 40,
          kept: 10,
        });
        const hashes = new Map<number, bigint>();
        /** Inputs, and when they are there: a lost message is sent again 20 ticks later. */
        const sent: { inputs: Uint8Array; at: number }[] = [];
        let guest = 0;
        const confirm = (now: number): void => {
          const next = sent.slice(prediction.confirmed);
          const gap = next.findIndex(({ at }) => at > now);
          const inputs = (gap < 0 ? next : next.slice(0, gap)).map((message) => message.inputs);
          prediction.confirm(inputs, () => expect(hash(world)).toBe(hashes.get(world.tick)));
          if (inputs.length > 0) expect(world.tick).toBe(prediction.confirmed);
        };
        for (const [tick, [delay, luck]] of delays.entries()) {
          // Somebody comes and goes: rollbacks lead over changes of structure.
          if (tick === 60) guest = authority.join();
          if (tick === 180) authority.leave(guest);
          sent.push({ inputs: authority.step(), at: tick + delay + (luck < 0.05 ? 20 : 0) });
          hashes.set(authority.world.tick, hash(authority.world));
          confirm(tick);
          prediction.predictTo(tick + lead);
          expect(world.tick - prediction.confirmed).toBeLessThanOrEqual(40);
        }
        expect(prediction.confirmed).toBeGreaterThan(180);
        confirm(Infinity);
        expect(prediction.confirmed).toBe(240);
        expect(hash(world)).toBe(hash(authority.world));
      }),
      { numRuns: 8, interruptAfterTimeLimit: 30_000 },
    );
  });

  it('runs ahead by as much as it may, and is another world there', () => {
    const authority = createAuthority(character, 1, 1);
    const world = createWorld({ tickRate: 60 });
    restore(world, snapshot(authority.world), [character]);
    const options = { assets: [character], guess: () => {}, window: 20, kept: 10 };
    const prediction = createPrediction(world, options);
    prediction.predictTo(100);
    expect(world.tick).toBe(20);
    expect(prediction.confirmed).toBe(0);
    const inputs = Array.from({ length: 20 }, () => authority.step());
    expect(hash(world)).not.toBe(hash(authority.world));
    prediction.confirm(inputs);
    expect(hash(world)).toBe(hash(authority.world));
    prediction.confirm([]);
    expect(world.tick).toBe(20);
  });
});
