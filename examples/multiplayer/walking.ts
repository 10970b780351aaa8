/**
 * The rules of the example's game: a character turns and walks as it is told. All that they remember (place, heading, pace)
 * is read from the world and written into it, so that a rollback of the world takes the game along. Numbers are rounded
 * before they are used: places to 1/1024 m, rotations to 2^-22, weights to eighths; that is what makes inputs short.
 */
import {
  addChains,
  addCharacter,
  play,
  rowOf,
  setPlayerWeight,
  setRoot,
  stableIdOf,
  type Asset,
  type World,
} from 'followthrough';
import { axisAngle, rotate, Y, Z, type Quat } from '../characters/linear.js';
import { clipIndex } from './characters.js';

/** Directions that a character can look in. */
export const headings = 64;
/** Steps from standing to walking. */
const fullPace = 8;
/** Places are whole multiples of 1 / this, metres. */
export const unitsPerMetre = 1024;
/** Units per tick at full pace: 1.5 m/s at 60 ticks per second. */
const stride = (1.5 * unitsPerMetre) / 60;
/** Rotations are multiples of 1 / this: near enough to length 1 that the library takes them as they are. */
const turnGrid = 2 ** 22;

/** What a player wants of its character. */
export interface Command {
  /** Where to go, 0 to 63, counted from +Z over +X. */
  heading: number;
  /** Whether to walk or to stand. */
  walking: boolean;
}

/** How a character stands. */
export interface Walker {
  /** Place, units of 1/1024 m. */
  x: number;
  z: number;
  /** Where it looks, 0 to 63. */
  heading: number;
  /** 0 stands, 8 walks. */
  pace: number;
}

const rotations = Array.from({ length: headings }, (_, heading): Quat => {
  const [, y, , w] = axisAngle(Y, (360 * heading) / headings);
  return [0, Math.round(y * turnGrid) / turnGrid, 0, Math.round(w * turnGrid) / turnGrid];
});
const headingOf = new Map(rotations.map(([, y, , w], heading) => [`${y} ${w}`, heading]));

/** Adds a character that stands; returns its stable id. */
export function addWalker(world: World, asset: Asset, { x, z, heading }: Omit<Walker, 'pace'>): number {
  const character = addCharacter(world, asset, {
    position: [x / unitsPerMetre, 0, z / unitsPerMetre],
    rotation: rotations[heading]!,
    frame: { up: [0, 1, 0], forward: [0, 0, 1] },
  });
  addChains(world, character);
  // Both clips play all the time, and only their weights change: to start one anew would be a change of structure.
  play(world, character, clipIndex.idle);
  play(world, character, clipIndex.walk, { add: true, weight: 0 });
  return stableIdOf(world, 'character', character);
}

/** How a character stands. */
export function readWalker(world: World, character: number): Walker {
  const { rootTo } = world.views.character;
  const root = 10 * rowOf(world, 'character', character);
  return {
    x: Math.round(rootTo[root]! * unitsPerMetre),
    z: Math.round(rootTo[root + 2]! * unitsPerMetre),
    heading: headingOf.get(`${rootTo[root + 4]} ${rootTo[root + 6]}`)!,
    pace: Math.round(world.views.player.weight[playerRow(world, character, clipIndex.walk)]! * fullPace),
  };
}

/** The character with a stable id; undefined when there is none (any more, or yet). */
export function findWalker(world: World, id: number): number | undefined {
  const row = world.views.character.id.indexOf(id);
  return id === 0 || row < 0 ? undefined : world.views.character.eid[row];
}

/** Moves a character for one tick as its player wants. */
export function walk(world: World, character: number, { heading, walking }: Command): void {
  const now = readWalker(world, character);
  const turn = ((heading - now.heading + headings * 1.5) % headings) - headings / 2;
  move(world, character, now, {
    heading: (now.heading + Math.sign(turn) + headings) % headings,
    pace: now.pace + Math.sign((walking ? fullPace : 0) - now.pace),
  });
}

/** Moves a character for one tick as it moved before: the guess for players whose wishes are not known. */
export function carryOn(world: World, character: number): void {
  const now = readWalker(world, character);
  move(world, character, now, now);
}

/** What does not change is not set, and costs nothing to send. */
function move(
  world: World,
  character: number,
  now: Walker,
  { heading, pace }: Pick<Walker, 'heading' | 'pace'>,
): void {
  const [dx, , dz] = rotate(rotations[heading]!, Z);
  const x = now.x + Math.round((dx * stride * pace) / fullPace);
  const z = now.z + Math.round((dz * stride * pace) / fullPace);
  if (x !== now.x || z !== now.z)
    setRoot(world, character, { position: [x / unitsPerMetre, 0, z / unitsPerMetre] });
  if (heading !== now.heading) setRoot(world, character, { rotation: rotations[heading]! });
  if (pace !== now.pace)
    for (const [clip, weight] of [
      [clipIndex.idle, 1 - pace / fullPace],
      [clipIndex.walk, pace / fullPace],
    ] as const)
      setPlayerWeight(world, world.views.player.eid[playerRow(world, character, clip)]!, weight);
}

/** Row of the player of a clip on a character. */
function playerRow(world: World, character: number, clip: number): number {
  const { player } = world.views;
  const row = rowOf(world, 'character', character);
  for (let i = 0; i < player.id.length; i++)
    if (player.id[i] !== 0 && player.character[i] === row && player.clip[i] === clip) return i;
  throw new Error(`character ${character} plays no clip ${clip}`);
}
