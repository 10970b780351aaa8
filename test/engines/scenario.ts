/**
 * One run that every engine must repeat bit by bit: three characters of different rigs, colliders, floors, wind, teleports,
 * sleep, chains and characters that come and go, over 2,000 ticks. It builds everything itself, for what is computed when
 * things are added must be equal too.
 */
import { components, createPose, readPose, step, type ArrayOf, type FieldType } from '../../src/index.js';
import { chainState } from '../../src/components/codes.js';
import { createHash, finishHash, hashValue, hashWords, startHash } from '../../src/math/index.js';
import { hash } from '../../src/replay/index.js';
import { direct } from './events.js';
import { setStage, type Stage } from './stage.js';

const ticks = 2000;
const every = 100;

/** How often what the scenario is about happened, so that it cannot lose its point unnoticed. */
interface Counts {
  /** Ticks of chains that slept. */
  asleep: number;
  /** Times a chain woke up. */
  woke: number;
  /** Ticks of links that touched a floor or collider. */
  contact: number;
  /** Ticks of links that pressed on another chain. */
  pressed: number;
  /** Jumps that a chain answered. */
  teleports: number;
  /** Chains whose motion was not finite. */
  faulted: number;
}

/** Ticks of which the hash of every column is told too, to find where two engines part. */
export interface Watch {
  from: number;
  to: number;
}

/**
 * Runs the scenario.
 *
 * @param watch - ticks to be told in full; default none
 * @returns a line per 100 ticks, its number with the hash of the world and of what is shown, and a last line of counts
 */
export function runScenario(watch: Watch = { from: Infinity, to: 0 }): string[] {
  const stage = setStage();
  const counts: Counts = { asleep: 0, woke: 0, contact: 0, pressed: 0, teleports: 0, faulted: 0 };
  const slept = new Set<number>();
  const lines = [lineOf(stage, 0)];
  if (watch.from === 0) lines.push(...columnLines(stage, 0));
  for (let tick = 0; tick < ticks; tick++) {
    direct(stage, tick);
    step(stage.world);
    count(stage, counts, slept);
    if (tick + 1 >= watch.from && tick < watch.to) lines.push(...columnLines(stage, tick + 1));
    if ((tick + 1) % every === 0) lines.push(lineOf(stage, tick + 1));
  }
  counts.teleports = stage.world.report.teleports;
  const told = Object.entries(counts).map(([name, n]) => `${name} ${n}`);
  return [...lines, `counts ${told.join(' ')} warnings ${stage.world.report.warnings.length}`];
}

/** The state, and separately what was built and what is shown, which the state alone does not say. */
function lineOf({ world, actors }: Stage, tick: number): string {
  const { fixed } = world.arena.regions;
  const lanes = startHash(createHash());
  const add = (buffer: ArrayBufferLike, start: number, bytes: number): void => {
    hashWords(lanes, new Int32Array(buffer, start, bytes / 4), 0, bytes / 4);
  };
  add(world.arena.buffer, fixed.start, fixed.end - fixed.start);
  for (const { character } of actors.values()) {
    const { rotations, worlds } = readPose(world, character, createPose(world, character));
    for (const { buffer, byteLength } of [rotations, worlds]) add(buffer, 0, byteLength);
  }
  finishHash(lanes);
  return `${tick} ${hex(hash(world))} ${hex(hashValue(lanes))}`;
}

/** All columns, those too that are built once or can be rebuilt, bit by bit. */
function columnLines({ world: { views } }: Stage, tick: number): string[] {
  return Object.entries(components).flatMap(([store, { fields }]) =>
    Object.keys(fields).map((name) => {
      const columns = views[store as keyof typeof components] as unknown as Record<
        string,
        ArrayOf[FieldType]
      >;
      const { buffer, byteOffset, byteLength } = columns[name]!;
      const words = new Int32Array(Math.ceil(byteLength / 4));
      new Uint8Array(words.buffer).set(new Uint8Array(buffer, byteOffset, byteLength));
      const lanes = startHash(createHash());
      hashWords(lanes, words, 0, words.length);
      finishHash(lanes);
      return `${tick} ${store}.${name} ${hex(hashValue(lanes))}`;
    }),
  );
}

function hex(value: bigint): string {
  return value.toString(16).padStart(16, '0');
}

function count({ world: { views } }: Stage, counts: Counts, slept: Set<number>): void {
  const { chain, particle } = views;
  for (let row = 0; row < chain.id.length; row++) {
    const id = chain.id[row]!;
    if (id === 0) continue;
    if (chain.status[row] === chainState.asleep) {
      counts.asleep++;
      slept.add(id);
    } else if (slept.delete(id)) counts.woke++;
    if (chain.status[row] === chainState.faulted) counts.faulted++;
  }
  for (let p = 0; p < particle.id.length; p++) {
    if (particle.id[p] === 0) continue;
    counts.contact += particle.contact[p]!;
    counts.pressed += particle.pressed[p]!;
  }
}
