/** What a client tells of its run: what it compared, how often it went back, and by how much that moved what was shown. */
import { entitiesOf, stableIdOf, type World } from 'followthrough';
import type { Difference } from './desync.js';
import { readWalker, unitsPerMetre } from './walking.js';

/** A hash that was not the server's. */
export interface Desync {
  /** Tick of the hash. */
  tick: number;
  /** Where it began, as running the ticks again tells. */
  first: Difference | undefined;
  /** Whether the ticks run again gave the server's hash: then something wrote into the world. */
  rerunAgrees: boolean;
  /** Columns that differ from the server's at the tick of the hash, as the server tells. */
  columns: string[];
}

/** What happened to a client. */
export interface SessionReport {
  /** Snapshots: tick, bytes, and bytes on the way. */
  snapshots: { tick: number; bytes: number; sent: number }[];
  /** Hashes compared with the server's, and how many were equal. */
  compared: number;
  agreed: number;
  /** Ticks gone back, and time to run them again, for each rollback. */
  rollbacks: { ticks: number; ms: number }[];
  /** By how much rollbacks moved characters. */
  corrections: Corrections;
  /** Questions for what was missing. */
  questions: number;
  /** Tick at which a bit was flipped. */
  flipped: number | undefined;
  /** What went wrong. */
  desyncs: Desync[];
  /** The world at the end. */
  final: { tick: number; hash: bigint } | undefined;
}

/** Where characters stand by stable id, units. */
type Places = Map<number, { x: number; z: number }>;

/** Watches what rollbacks do to what is shown. */
interface Corrections {
  /** Largest jumps, metres. */
  own: number;
  others: number;
  /** Where characters are shown before a rollback. */
  shown(world: World): Places;
  /** Compares after it, at the same tick. */
  compare(world: World, me: number, before: Places): void;
}

/** Makes an empty report. */
export function createReport(): SessionReport {
  return {
    snapshots: [],
    compared: 0,
    agreed: 0,
    rollbacks: [],
    corrections: createCorrections(),
    questions: 0,
    flipped: undefined,
    desyncs: [],
    final: undefined,
  };
}

function createCorrections(): Corrections {
  const shown = (world: World): Places =>
    new Map(
      entitiesOf(world, 'character').map((character) => [
        stableIdOf(world, 'character', character),
        readWalker(world, character),
      ]),
    );
  return {
    own: 0,
    others: 0,
    shown,
    compare(world, me, before) {
      for (const [id, { x, z }] of shown(world)) {
        const was = before.get(id);
        if (!was) continue;
        const jump = Math.hypot(x - was.x, z - was.z) / unitsPerMetre;
        const whose = id === me ? 'own' : 'others';
        this[whose] = Math.max(this[whose], jump);
      }
    },
  };
}
