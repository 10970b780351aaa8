/** The processing order of a world's rows: what it holds. How it is built: buildOrder.ts. */
import type { Meeting } from './meeting.js';

/** Rows in processing order. */
export interface Order {
  /** Characters by stable id. */
  characters: number[];
  /** Floors by stable id. */
  floors: number[];
  /** Colliders by stable id. */
  colliders: number[];
  /** Per character row: the colliders its chains may feel, its own and those of the world, by stable id. */
  collidersOf: (Int32Array | undefined)[];
  /** Node constraints by character, then each after those that it depends on. */
  constraints: Int32Array;
  /** Clip players by character, then stable id. */
  players: number[];
  /** Chains by level, then stable id. */
  chains: Int32Array;
  /** Where each level starts in `chains`; the last entry is the end. */
  levels: Int32Array;
  /** Per character row: bones above and at the attachments of its chains that no chain carries, parents first. */
  drivers: (Int32Array | undefined)[];
  /** Per chain row: bones that it carries and that other chains hang from, with those above, parents first. */
  carried: (Int32Array | undefined)[];
  /** Per character row: its chains by stable id. */
  chainsOf: (number[] | undefined)[];
  /** True until the world transforms of all bones in these lists have been made once: some may not have been wanted before. */
  isNew: boolean;
  /** Chains that stay out of each other; undefined where none do. */
  meeting: Meeting | undefined;
}
