/**
 * The player of a client: what it wants at each tick is asked once, kept for predictions, and sent some ticks at a time, so
 * early that it is there when the server needs it.
 */
import type { World } from 'followthrough';
import { createBot } from './bot.js';
import type { ServerClock } from './clock.js';
import { bundleTicks, kind, packCommands } from './messages.js';
import type { Send } from './host.js';
import { readWalker, type Command } from './walking.js';

/** A player. */
export interface Player {
  /** What it wants at a tick, once that was asked and until the tick is certain. */
  commandAt(tick: number): Command | undefined;
  /** Asks it about the ticks up to one, and sends what it wants. */
  decide(world: World, character: number, until: number, now: number): void;
  /** The server has answered commands up to a tick. */
  heard(tick: number, now: number): void;
  /** A tick is certain. */
  forget(tick: number): void;
}

/** Time between two measurements of the way, while there is none, milliseconds. */
const patience = 200;

/** Makes a player that does the same for the same seed. */
export function createPlayer(seed: number, clock: ServerClock, send: Send): Player {
  const bot = createBot(seed);
  const commands = new Map<number, Command>();
  /** When commands up to a tick were sent. */
  const sentAt = new Map<number, number>();
  let unsent: Command[] = [];
  let next = NaN;
  let measuredAt = -Infinity;

  const sendCommands = (first: number, list: readonly Command[], now: number): void => {
    send(kind.commands, packCommands(first, list));
    sentAt.set(first + list.length - 1, now);
  };
  return {
    commandAt: (tick) => commands.get(tick),
    decide(world, character, until, now) {
      if (Number.isNaN(clock.roundTrip)) {
        // Before the way is known, commands would come too late; a message without any is answered like the others.
        if (now - measuredAt < patience) return;
        measuredAt = now;
        sendCommands(until, [], now);
        return;
      }
      // What was predicted before without a command shall stay so.
      for (next = Number.isNaN(next) ? Math.max(until, world.tick) : next; next <= until; next++) {
        const command = bot(next, readWalker(world, character));
        commands.set(next, command);
        unsent.push(command);
      }
      if (unsent.length < bundleTicks) return;
      sendCommands(next - unsent.length, unsent, now);
      unsent = [];
    },
    heard(tick, now) {
      const sent = sentAt.get(tick);
      if (sent !== undefined) clock.sawAnswer(sent, now);
      sentAt.delete(tick);
    },
    forget: (tick) => void commands.delete(tick),
  };
}
