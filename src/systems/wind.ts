/**
 * Wind: air that moves. What of a chain is drawn along by the air (`air`; all of a VRM chain) is drawn along with it, so
 * standing in a wind is walking through still air the other way. Gusts are seeded noise that travels with the wind, a
 * function of place, time and seed alone (docs/solver.md, "Wind").
 */
import type { Views } from '../components/stores.js';
import type { World } from '../setup/world.js';
import { mirrorSign, rootPoint, scaleNow } from './registers.js';

/** Velocity of the air where the chain hangs, solver space, as {@link windAt} found it. */
export const windVelocity: Float64Array = new Float64Array(3);

/** Seconds of the world at the end of this tick. */
const now = new Float64Array(1);

/** Begins the tick: when it ends, and whether the wind is not what it was in the last. */
export function measureWind(world: World): void {
  const { global } = world.views;
  now[0] = (world.tick + 1) / world.tickRate;
  const changes = global.windSpeed[0]! > 0 && (global.windGusts[0]! > 0 || global.windSway[0]! > 0);
  if (changes) global.windMoved[0] = 1;
}

/** Ends the tick: the change of the wind has been felt. */
export function settleWind({ views: { global } }: World): void {
  global.windMoved[0] = 0;
}

/** Whether the wind blows on the chain in this row. */
export function feelsWind({ global, chain }: Views, row: number): boolean {
  return (
    global.windSpeed[0]! > 0 && chain.wind[row]! > 0 && (global.windGroups[0]! & chain.groups[row]!) !== 0
  );
}

/** Writes `windVelocity` for the chain in this row. */
export function windAt(views: Views, row: number): void {
  const { global, character } = views;
  const { windAxes } = global;
  const unit = character.unit[views.chain.character[row]!]!;
  const speed = global.windSpeed[0]!;
  const side = mirrorSign[0]!;
  let forward = 1;
  let lateral = 0;
  let lift = 0;
  if (global.windGusts[0]! > 0 || global.windSway[0]! > 0) {
    const along =
      side * rootPoint[0]! * windAxes[0]! + rootPoint[1]! * windAxes[1]! + rootPoint[2]! * windAxes[2]!;
    noiseAt[0] = (now[0]! - along / (unit * speed)) / global.windGustSeconds[0]!;
    const seed = global.windSeed[0]!;
    findNoise(seed, 0);
    forward = 1 + global.windGusts[0]! * noiseSum[0]!;
    findNoise(seed, 1);
    lateral = global.windSway[0]! * noiseSum[0]!;
    findNoise(seed, 2);
    lift = 0.5 * global.windSway[0]! * noiseSum[0]!;
  }
  const size = speed * views.chain.wind[row]! * scaleNow[0]! * unit;
  for (let k = 0; k < 3; k++)
    windVelocity[k] = size * (forward * windAxes[k]! + lateral * windAxes[3 + k]! + lift * windAxes[6 + k]!);
  windVelocity[0] = side * windVelocity[0]!;
}

/** Where {@link addNoise} looks, how much of it counts, and what it has added up. Numbers in registers are not boxed. */
const noiseAt = new Float64Array(1);
const noiseShare = new Float64Array(1);
const noiseSum = new Float64Array(1);

/** Writes `noiseSum`: smooth noise from -1 to 1 at `noiseAt`, on a lattice of 1 and a finer one of half the height. */
function findNoise(seed: number, stream: number): void {
  const at = noiseAt[0]!;
  noiseSum[0] = 0;
  noiseShare[0] = 2 / 3;
  addNoise(seed, stream);
  noiseAt[0] = 2.7 * at;
  noiseShare[0] = 1 / 3;
  addNoise(seed, stream + 3);
  noiseAt[0] = at;
}

/** Between seeded values at whole numbers, with two continuous derivatives. */
function addNoise(seed: number, stream: number): void {
  const cell = Math.floor(noiseAt[0]!);
  const f = noiseAt[0]! - cell;
  const blend = f * f * f * (f * (6 * f - 15) + 10);
  const a = latticeBits(cell, seed, stream) / 0x40000000;
  const b = latticeBits(cell + 1, seed, stream) / 0x40000000;
  noiseSum[0] = noiseSum[0]! + noiseShare[0]! * (a + blend * (b - a));
}

/** A whole number from -2^30 to 2^30 that looks random: rounds of multiply and shift over cell, seed and stream. */
function latticeBits(cell: number, seed: number, stream: number): number {
  let bits = Math.imul(cell ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >> 1;
}
