/** A player that nobody has to be: it walks somewhere for a while, stands sometimes, and turns back before it is far away. */
import { headings, type Command, type Walker } from './walking.js';

/** Decides what to do at a tick; to be asked once for each, in order. */
export type Bot = (tick: number, at: Walker) => Command;

/** How far it goes, units of 1/1024 m: places near the origin take fewer bytes. */
const far = 4 * 1024;

/** Numbers from 0 up to 1, always the same ones for a seed. */
export function createRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // The low bits of such a sequence are poor.
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 0x1_0000_0000;
  };
}

/** Makes a bot that does the same for the same seed. */
export function createBot(seed: number): Bot {
  const random = createRandom(seed);
  let until = 0;
  let command: Command = { heading: 0, walking: false };
  return (tick, { x, z, heading }) => {
    if (tick >= until) {
      until = tick + 30 + Math.floor(90 * random());
      const turn = Math.floor(24 * random()) - 12;
      command = { heading: (heading + turn + headings) % headings, walking: random() < 0.8 };
    }
    if (Math.max(Math.abs(x), Math.abs(z)) > far) {
      const home = Math.round((Math.atan2(-x, -z) / (2 * Math.PI)) * headings);
      command = { heading: (home + headings) % headings, walking: true };
    }
    return command;
  };
}
