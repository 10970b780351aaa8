/**
 * Wind: a pull on every chain of the groups that feel it, so shared among its links that a strand leans alike whatever
 * number of bones it has. Gusts are seeded noise that travels with the wind, a function of place, time and seed alone
 * (docs/solver.md, "Wind").
 */
import { chainModel, restFrame, windChange } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import type { World } from '../setup/world.js';
import { mirrorSign, rootPoint, scaleNow } from './registers.js';

/** Acceleration per speed of the wind, 1/s: at 6 m/s it leans hair of 0.3 m, at 1.5 Hz, by 45 degrees. */
const pull = 4.4;
/** Speed at which the VRM model leans a link of stiffness 1 by 45 degrees, m/s. */
const halfLean = 6;

/** Seconds of the world at the end of this tick. */
const now = new Float64Array(1);

/** Begins the tick: when it ends, and whether the wind is not what it was in the last. */
export function measureWind(world: World): void {
  const { global } = world.views;
  now[0] = (world.tick + 1) / world.tickRate;
  const changes = global.windSpeed[0]! > 0 && (global.windGusts[0]! > 0 || global.windSway[0]! > 0);
  if (changes && global.windMoved[0] === windChange.none) global.windMoved[0] = windChange.gusts;
}

/** Ends the tick: the change of the wind has been felt. */
export function settleWind({ views: { global } }: World): void {
  global.windMoved[0] = windChange.none;
}

/**
 * Adds what the wind does to the chain in this row to `out`, its acceleration in solver space at the chain's size. In the
 * VRM model it stands for the lean of the rest direction, in the lengths that the links' weights say.
 */
export function addWind({ global, chain, character }: Views, row: number, out: Float64Array): void {
  const speed = global.windSpeed[0]! * chain.wind[row]!;
  if (speed === 0 || (global.windGroups[0]! & chain.groups[row]!) === 0) return;
  const { windAxes } = global;
  const unit = character.unit[chain.character[row]!]!;
  const side = mirrorSign[0]!;
  let forward = 1;
  let lateral = 0;
  let lift = 0;
  if (global.windGusts[0]! > 0 || global.windSway[0]! > 0) {
    const along =
      side * rootPoint[0]! * windAxes[0]! + rootPoint[1]! * windAxes[1]! + rootPoint[2]! * windAxes[2]!;
    const seconds = now[0]! - along / (unit * global.windSpeed[0]!);
    noiseAt[0] = (cellsPerGust * seconds) / global.windGustSeconds[0]!;
    const seed = global.windSeed[0]!;
    findNoise(seed, 0);
    forward = 1 + global.windGusts[0]! * noiseSum[0]!;
    findNoise(seed, 1);
    lateral = global.windSway[0]! * noiseSum[0]!;
    findNoise(seed, 2);
    lift = 0.5 * global.windSway[0]! * noiseSum[0]!;
  }
  const size = speed * scaleNow[0]! * unit * sharePerLink(chain, row);
  for (let k = 0; k < 3; k++) {
    const air = forward * windAxes[k]! + lateral * windAxes[3 + k]! + lift * windAxes[6 + k]!;
    out[k] = out[k]! + (k === 0 ? side : 1) * size * air;
  }
}

/** What a speed of the wind does to one link: leans add up where each is measured from the link above. */
function sharePerLink(chain: Views['chain'], row: number): number {
  if (chain.model[row] === chainModel.vrm) return 1 / halfLean;
  const links = chain.count[row]!;
  return pull / (chain.restFrame[row] === restFrame.attachment ? links : links * links);
}

/** Cells of the noise from gust to gust: so many go by, counted over 6,400 of them, between two risings above the mean. */
const cellsPerGust = 2.5;
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
