/**
 * At which tick a client should stand so that its commands reach the server just before they are needed. The server's time
 * is read off the newest inputs that came; the way there and back off the answers to commands.
 */

/** The time of a server as a client sees it. Times are milliseconds of the client's clock. */
export interface ServerClock {
  /** Way to the server and back, milliseconds; NaN before it was measured. */
  readonly roundTrip: number;
  /** The server had run `tick` ticks when it sent what came just now. */
  sawTick(tick: number, now: number): void;
  /** What was sent at a time was answered just now. */
  sawAnswer(sent: number, now: number): void;
  /** The tick to stand at. */
  target(now: number): number;
}

/** Ticks that commands shall be early: what travel times vary by. */
const margin = 4;
/** Lead before anything was measured, ticks. */
const firstLead = 12;
/** By how much a measurement fades from one to the next, ticks: clocks drift and routes change. */
const fading = 0.02;

/** Makes a clock. */
export function createServerClock(ticksPerSecond: number): ServerClock {
  const perMs = ticksPerSecond / 1000;
  /** Server tick at the client's time 0, as far as news tells: the fastest news counts. */
  let offset = -Infinity;
  let roundTrip = NaN;
  return {
    get roundTrip() {
      return roundTrip;
    },
    sawTick(tick, now) {
      offset = Math.max(offset - fading, tick - now * perMs);
    },
    sawAnswer(sent, now) {
      const took = now - sent;
      roundTrip = roundTrip <= took ? roundTrip + fading / perMs : took;
    },
    target(now) {
      const lead = Number.isNaN(roundTrip) ? firstLead : roundTrip * perMs + margin;
      return Math.floor(offset + now * perMs + lead);
    },
  };
}
