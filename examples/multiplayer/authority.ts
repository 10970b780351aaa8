/**
 * The server's side of the game without a network: it owns the world, asks players and bots what they want at each tick,
 * and keeps for a while what it did, so that it can be sent again, and how it stood, so that clients can compare.
 */
import {
  createWorld,
  entitiesOf,
  entityOf,
  removeCharacter,
  stableIdOf,
  type Asset,
  type World,
} from 'followthrough';
import { columnHashes, createInputLog, hash } from 'followthrough/replay';
import { createBot, type Bot } from './bot.js';
import { hashTicks, tickRate } from './messages.js';
import { addWalker, readWalker, walk, type Command } from './walking.js';

/** What was sent to keep a room alike. */
export interface Traffic {
  /** Characters times ticks, and how many of them walked. */
  characterTicks: number;
  walkingTicks: number;
  /** Bytes of inputs of ticks in which nobody came or went. */
  bytes: number;
  /** Characters that came or went, and bytes of inputs of the ticks in which they did. */
  changes: number;
  changeBytes: number;
}

/** The owner of a world. */
export interface Authority {
  /** The world. */
  readonly world: World;
  /** What the inputs took. */
  readonly traffic: Traffic;
  /** Commands that came after their tick. */
  readonly late: number;
  /** Adds a player's character; returns its stable id. */
  join(): number;
  /** Removes it. */
  leave(id: number): void;
  /** Takes what a player wants at the ticks from `tick` on. Ticks that are over only count as its newest wish. */
  command(id: number, tick: number, commands: readonly Command[]): void;
  /** Runs a tick; returns its inputs. */
  step(): Uint8Array;
  /** Inputs of the ticks from one on; undefined when they are not kept any more. */
  inputsFrom(tick: number): Uint8Array[] | undefined;
  /** Hashes at the multiples of `hashTicks` from a tick on, as far as they are kept. */
  hashesFrom(tick: number): { tick: number; hash: bigint }[];
  /** Indices of the columns that differ from a client's at such a multiple. */
  differing(tick: number, columns: readonly bigint[]): number[];
}

/** Ticks that are kept to be sent again. */
const keptTicks = 600;
/** Largest lead of a command over the world, ticks: nobody may fill the memory. */
const longestLead = 120;

interface Player {
  commands: Map<number, Command>;
  /** What is done while nothing else is known, and of which tick it is. */
  last: Command;
  lastTick: number;
}

/**
 * Makes a world with some bots in it.
 *
 * @param bots - characters that the server moves itself
 */
export function createAuthority(asset: Asset, bots: number, seed: number): Authority {
  const world = createWorld({ tickRate });
  const players = new Map<number, Player>();
  const botOf = new Map<number, Bot>();
  const kept: Uint8Array[] = [];
  const states = new Map<number, { hash: bigint; columns: bigint[] }>();
  const traffic: Traffic = {
    characterTicks: 0,
    walkingTicks: 0,
    bytes: 0,
    changes: 0,
    changeBytes: 0,
  };
  let late = 0;
  let added = 0;
  let changes = 0;
  const add = (): number => {
    const place = added++;
    changes++;
    return addWalker(world, asset, {
      x: 1024 * (((place * 3) % 7) - 3),
      z: 1024 * (((place * 2) % 5) - 2),
      heading: (place * 24) % 64,
    });
  };
  for (let i = 0; i < bots; i++) botOf.set(add(), createBot(seed + i));
  // The bots are in it from the start: only what comes after is an input.
  const log = createInputLog(world);
  changes = 0;

  const moveAll = (): void => {
    for (const character of entitiesOf(world, 'character')) {
      const id = stableIdOf(world, 'character', character);
      const at = readWalker(world, character);
      const command = botOf.get(id)?.(world.tick, at) ?? wishOf(players.get(id)!, world.tick);
      walk(world, character, command);
      traffic.characterTicks++;
      if (at.pace > 0) traffic.walkingTicks++;
    }
  };
  const count = (bytes: number): void => {
    traffic[changes > 0 ? 'changeBytes' : 'bytes'] += bytes;
    traffic.changes += changes;
    changes = 0;
  };
  return {
    world,
    traffic,
    get late() {
      return late;
    },
    join() {
      const id = add();
      const { heading } = readWalker(world, entityOf(world, 'character', id));
      players.set(id, { commands: new Map(), last: { heading, walking: false }, lastTick: -1 });
      return id;
    },
    leave(id) {
      players.delete(id);
      removeCharacter(world, entityOf(world, 'character', id));
      changes++;
    },
    command(id, tick, commands) {
      const player = players.get(id);
      for (const [i, command] of commands.entries()) {
        const at = tick + i;
        if (!player || at > world.tick + longestLead) return;
        if (at >= world.tick) player.commands.set(at, command);
        else {
          late++;
          if (at > player.lastTick) Object.assign(player, { last: command, lastTick: at });
        }
      }
    },
    step() {
      moveAll();
      const inputs = log.step();
      kept[(world.tick - 1) % keptTicks] = inputs;
      count(inputs.length);
      if (world.tick % hashTicks === 0) {
        states.set(world.tick, { hash: hash(world), columns: [...columnHashes(world).values()] });
        states.delete(world.tick - keptTicks);
      }
      return inputs;
    },
    inputsFrom(tick) {
      if (tick < world.tick - keptTicks || tick < 0) return undefined;
      return Array.from({ length: Math.max(0, world.tick - tick) }, (_, i) => kept[(tick + i) % keptTicks]!);
    },
    hashesFrom: (from) =>
      [...states].filter(([tick]) => tick >= from).map(([tick, state]) => ({ tick, hash: state.hash })),
    differing(tick, columns) {
      const own = states.get(tick)?.columns ?? [];
      return [...own.keys()].filter((i) => own[i] !== columns[i]);
    },
  };
}

/** What a player wants at a tick: what it said, else what it wanted last. */
function wishOf(player: Player, tick: number): Command {
  const command = player.commands.get(tick);
  if (command) {
    player.commands.delete(tick);
    Object.assign(player, { last: command, lastTick: tick });
  }
  return player.last;
}
