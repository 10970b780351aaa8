/**
 * Inputs that came from the server, by tick: they may be late, double, or missing. Those that were used are kept for a while,
 * so that ticks can be run again.
 */
import { tickOf } from 'followthrough/replay';
import { inputsIn } from './messages.js';

/** Received inputs. */
export interface Inbox {
  /** Inputs that were used, of the last ticks. */
  readonly past: ReadonlyMap<number, Uint8Array>;
  /** Inputs that wait for others before them. */
  readonly waiting: number;
  /** Takes a message apart; returns the tick after its last one. */
  take(bytes: Uint8Array): number;
  /** What came for the ticks from one on, without a gap; it counts as used. */
  next(from: number): Uint8Array[];
  /** Forgets what came for ticks before one. */
  drop(before: number): void;
}

/**
 * Makes an empty one.
 *
 * @param kept - used inputs to keep, ticks
 */
export function createInbox(kept: number): Inbox {
  const inbox = new Map<number, Uint8Array>();
  const past = new Map<number, Uint8Array>();
  return {
    past,
    get waiting() {
      return inbox.size;
    },
    take(bytes) {
      let end = 0;
      for (const inputs of inputsIn(bytes)) {
        const tick = tickOf(inputs);
        inbox.set(tick, inputs);
        end = tick + 1;
      }
      return end;
    },
    next(from) {
      const list: Uint8Array[] = [];
      for (let tick = from, inputs; (inputs = inbox.get(tick)); tick++) {
        list.push(inputs);
        inbox.delete(tick);
        past.set(tick, inputs);
        past.delete(tick - kept);
      }
      return list;
    },
    drop(before) {
      for (const tick of inbox.keys()) if (tick < before) inbox.delete(tick);
    },
  };
}
