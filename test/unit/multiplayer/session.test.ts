import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { character, play, type Line } from './support/network.js';
import { createHost, type Send } from '../../../examples/multiplayer/host.js';
import { kind } from '../../../examples/multiplayer/messages.js';

const direct: Line = { predicts: false, delay: 1, jitter: 2, loss: 0 };
const far: Line = { predicts: true, delay: 150, jitter: 40, loss: 0 };

describe('clients of the example', () => {
  it('end on the hash of the server, whatever the line does', () => {
    const line = fc.record({
      predicts: fc.boolean(),
      delay: fc.integer({ min: 0, max: 250 }),
      jitter: fc.integer({ min: 0, max: 200 }),
      loss: fc.constantFrom(0, 0.05, 0.25),
      joinsAt: fc.integer({ min: 0, max: 200 }),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 2 }), fc.nat(1000), (lines, seed) => {
        const { hash, clients, desyncs } = play(lines, 180, seed);
        expect(hash).toBeDefined();
        for (const { report } of clients) {
          expect(report.final).toEqual({ tick: 180, hash });
          expect(report.compared).toBe(report.agreed);
        }
        expect(desyncs).toEqual([]);
      }),
      { numRuns: 12, interruptAfterTimeLimit: 30_000 },
    );
  });

  it('roll back as far as the line makes them, and followers never', () => {
    const { clients } = play([far, direct], 240, 1);
    const ticks = clients[0]!.report.rollbacks.map((rollback) => rollback.ticks);
    // 150 ms there and 150 ms back are 18 ticks.
    expect(Math.max(...ticks)).toBeGreaterThanOrEqual(18);
    expect(Math.max(...ticks)).toBeLessThan(40);
    expect(ticks.length).toBeGreaterThan(40);
    expect(clients[1]!.report.rollbacks).toEqual([]);
  });

  it('are shown where the server has them, when nothing was lost and the way is short', () => {
    const near: Line = { predicts: true, delay: 5, jitter: 0, loss: 0 };
    const { clients, late } = play([near, near], 240, 2);
    expect(late).toBe(0);
    const { own, others } = clients[0]!.report.corrections;
    expect(own).toBe(0);
    expect(others).toBeGreaterThan(0);
    expect(others).toBeLessThan(0.5);
  });

  it('send their commands in time over a long way', () => {
    expect(play([{ ...far, jitter: 0 }], 180, 5).late).toBe(0);
  });

  it('ask for what was lost', () => {
    const { hash, clients, lost } = play([{ ...direct, loss: 0.1 }], 240, 3);
    expect(lost).toBeGreaterThan(0);
    expect(clients[0]!.report.questions).toBeGreaterThan(0);
    expect(clients[0]!.report.final!.hash).toBe(hash);
  });

  it('may come when all is over, and change nothing', () => {
    const { hash, clients } = play([direct, { ...direct, joinsAt: 130 }], 120, 6);
    expect(hash).toBeDefined();
    for (const { report } of clients) expect(report.final).toEqual({ tick: 120, hash });
    expect(clients[1]!.report.snapshots).toMatchObject([{ tick: 120 }]);
  });

  it.each([
    ['a follower', direct, 77, 120],
    ['one that predicts', far, 121, 180],
    ['one at its last tick', direct, 239, 240],
  ])('notice a flipped bit, name tick and column, and are healed: %s', (_, line, flipAt, noticed) => {
    const { hash, clients, desyncs } = play([{ ...line, flipAt }, direct], 240, 4);
    const { desyncs: found, snapshots, compared, agreed, final } = clients[0]!.report;
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      tick: noticed,
      first: { tick: flipAt, columns: ['particle.position'] },
      rerunAgrees: true,
    });
    expect(found[0]!.columns[0]).toBe('particle.position');
    expect(desyncs).toEqual([noticed]);
    expect(snapshots).toHaveLength(2);
    expect(compared - agreed).toBe(1);
    expect(final!.hash).toBe(hash);
    expect(clients[1]!.report.desyncs).toEqual([]);
  });

  it('cannot end the server by what they send', () => {
    const types = [kind.commands, kind.missing, kind.resync];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...types), fc.uint8Array({ maxLength: 40 })), { maxLength: 20 }),
        (messages) => {
          const send: Send = () => {};
          const host = createHost({ asset: character, bots: 0, seed: 1, lastTick: 60, broadcast: send });
          const member = host.join(send);
          for (const message of messages) {
            member.receive(...message);
            host.tick();
          }
          member.leave();
          host.tick();
        },
      ),
      { numRuns: 30 },
    );
  });
});
