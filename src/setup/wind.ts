/** Wind of the world: one direction, gusts that travel with it, and who feels it. */
import { FollowthroughError } from '../asset/index.js';
import { windChange } from '../components/codes.js';
import { cross3, length3, normalize3 } from '../math/index.js';
import { requireBits, requireKnown, requireList, type World } from './world.js';

/** The wind of a world. */
export interface WindOptions {
  /** Velocity of the air in world space, m/s, at most 1e6; none or 0 is still air. */
  velocity?: readonly [number, number, number];
  /** How much the speed comes and goes, as a share of it, 0..1; default 0. */
  gusts?: number;
  /** Seconds from gust to gust, in the mean, >= 0.001; default 4. A gust is as long as the wind goes in that time. */
  gustSeconds?: number;
  /** How much the air goes sideways, and half of it up and down, as a share of the speed, 0..1; default 0. */
  sway?: number;
  /** Which gusts, a whole number from 0 to 4294967295; default 1. The same seed blows the same in every engine. */
  seed?: number;
  /** Groups of chains that feel it, one bit each, matched against a chain's `groups`; default all. */
  groups?: number;
}

/** Fastest wind, m/s, and shortest gust, s: beyond them numbers overflow before anybody sees a wind. */
const fastest = 1e6;
const shortest = 1e-3;

/**
 * Sets the wind, all of it: what is left out gets its default. Without options the air is still.
 *
 * Hair of the preset leans by 9 degrees at 1 m/s, 18 at 2, 40 at 5, 59 at 10, whatever number of bones it has; stiffer
 * chains less. A chain feels it by its own `wind`.
 *
 * @throws FollowthroughError `invalid-argument` for numbers that are not finite or out of range, `unknown-name`
 * @example
 * setWind(world, { velocity: [0, 0, -3], gusts: 0.5 });
 */
export function setWind(world: World, options: WindOptions = {}): void {
  requireKnown(options, ['velocity', 'gusts', 'gustSeconds', 'sway', 'seed', 'groups'], 'wind');
  const {
    velocity = [0, 0, 0],
    gusts = 0,
    gustSeconds = 4,
    sway = 0,
    seed = 1,
    groups = 0xffffffff,
  } = options;
  requireList(velocity, 'velocity', 3);
  requireShare(gusts, 'gusts');
  requireShare(sway, 'sway');
  const speed = length3([...velocity], 0);
  if (!(speed <= fastest))
    throw new FollowthroughError('invalid-argument', `velocity is ${speed} m/s, expected at most ${fastest}`);
  if (!(gustSeconds >= shortest && gustSeconds < Infinity))
    throw new FollowthroughError(
      'invalid-argument',
      `gustSeconds is ${gustSeconds}, expected a finite number from ${shortest}`,
    );
  requireBits(seed, 'seed');
  requireBits(groups, 'groups');
  const { global } = world.views;
  global.windSpeed[0] = speed;
  writeAxes(global.windAxes, velocity);
  global.windGusts[0] = gusts;
  global.windGustSeconds[0] = gustSeconds;
  global.windSway[0] = sway;
  global.windSeed[0] = seed;
  global.windGroups[0] = groups;
  global.windMoved[0] = windChange.set;
}

/** Writes the wind's direction, the level one square to it, and the one square to both. */
function writeAxes(axes: Float64Array, velocity: readonly number[]): void {
  axes.fill(0);
  if (normalize3(axes, 0, [...velocity], 0) === 0) return;
  cross3(axes, 3, axes, 0, [0, 1, 0], 0);
  // Straight up or down there is no level direction square to it but any.
  if (normalize3(axes, 3, axes, 3) < 1e-6) axes.set([1, 0, 0], 3);
  cross3(axes, 6, axes, 3, axes, 0);
  normalize3(axes, 6, axes, 6);
}

function requireShare(value: number, name: string): void {
  if (!(value >= 0 && value <= 1))
    throw new FollowthroughError('invalid-argument', `${name} is ${value}, expected a number from 0 to 1`);
}
