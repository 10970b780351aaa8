/**
 * Time: single ticks for servers and replays, whole ticks out of real time for a renderer (docs/solver.md, "Time").
 * State depends on the number of ticks alone, never on the frame's dt.
 */
import { givenState, teleportState } from '../components/codes.js';
import { FollowthroughError } from '../asset/index.js';
import { orderOf } from '../setup/buildOrder.js';
import type { World } from '../setup/world.js';
import type { Views } from '../components/stores.js';
import { animate } from './animate.js';
import { forgetAttachment, readAttachment } from './attachment.js';
import { constrainPoses } from './constraints.js';
import { driveBones } from './driverTransforms.js';
import { wouldTeleport } from './inertia.js';
import { rememberShownPose, tick } from './pipeline.js';

/** Runs one tick. Poses and roots given since the last one hold at its end. */
export function step(world: World): void {
  tick(world, 1);
  arrive(world, true, true);
  world.views.global.betweenTicks[0] = 0;
}

/** Runs ticks as `step` does, for instance before a character is first shown. */
export function warmUp(world: World, ticks: number): void {
  for (let i = 0; i < ticks; i++) step(world);
}

/** Rounding of real time in ticks that still counts as a whole tick: a frame of 1/60 s is two ticks of 1/120 s. */
const slack = 1e-9;

/**
 * Lets real time pass: runs the whole ticks in it and keeps the rest for the next call. A frame longer than
 * `maxTicksPerAdvance` ticks runs that many; the others are dropped and counted in `world.report.droppedTicks`.
 *
 * @param dt - seconds, 0 or more; 0 changes nothing
 * @returns how many ticks ran
 * @throws FollowthroughError `invalid-argument` when dt is negative or not finite (nothing changes)
 */
export function advance(world: World, dt: number): number {
  if (!(dt >= 0 && dt < Infinity))
    throw new FollowthroughError('invalid-argument', `dt is ${dt}, expected seconds, 0 or more`);
  if (dt === 0) return 0;
  const { global } = world.views;
  const before = global.pending[0]!;
  const passed = dt * world.tickRate;
  const whole = Math.floor(before + passed + slack);
  const ran = whole < world.maxTicksPerAdvance ? whole : world.maxTicksPerAdvance;
  world.report.droppedTicks += whole - ran;
  // What was shown last was that of a single tick: a frame without a tick goes on showing it.
  if (global.betweenTicks[0] === 0) rememberShownPose(world);
  let blend = 0;
  for (let i = 1; i <= ran; i++) {
    rememberShownPose(world);
    if (i === 1) snapTeleports(world);
    blend = whole === ran ? (i - before) / passed : i / ran;
    if (blend > 1 - slack) blend = 1;
    tick(world, blend);
  }
  const rest = before + passed - whole;
  world.views.global.pending[0] = rest > 0 ? rest : 0;
  world.views.global.betweenTicks[0] = 1;
  arrive(world, ran > 0, blend === 1);
  return ran;
}

/**
 * The poses given last become the ones given before.
 *
 * @param ticked - a tick ran, which showed what had been waiting
 * @param shown - the last tick stood at the end of the frame; else the poses wait for the next one
 */
function arrive(world: World, ticked: boolean, shown: boolean): void {
  const { views } = world;
  const { fresh } = views.character;
  for (const row of orderOf(world).characters) {
    if (fresh[row] === givenState.arrived && ticked) fresh[row] = givenState.none;
    if (fresh[row] !== givenState.onTheWay) continue;
    fresh[row] = shown ? givenState.none : givenState.arrived;
    settle(views, row);
  }
}

/**
 * A jump between two given poses is a teleport too: it must not be spread over the frame's ticks, where none of them
 * would look like one. The pose of now is taken at once, and the first tick sees the jump.
 */
function snapTeleports(world: World): void {
  const order = orderOf(world);
  const { character } = world.views;
  if (!order.characters.some((row) => character.fresh[row] === givenState.onTheWay)) return;
  animate(world, 1);
  constrainPoses(world);
  for (const row of order.characters)
    if (
      character.fresh[row] === givenState.onTheWay &&
      (character.teleported[row] === teleportState.told || jumps(world, row))
    )
      settle(world.views, row);
}

/** True when a chain of the character would see a teleport from where it stands to the pose given last. */
function jumps({ views, order }: World, row: number): boolean {
  driveBones(views, row, order!.drivers[row]!);
  forgetAttachment();
  for (const chain of order!.chainsOf[row]!)
    if (views.chain.level[chain] === 0 && readAttachment(views, chain) && wouldTeleport(views, chain))
      return true;
  return false;
}

/** Root and pose given before become those given last. */
function settle({ character, input }: Views, row: number): void {
  for (let i = row * 10; i < row * 10 + 10; i++) character.rootFrom[i] = character.rootTo[i]!;
  const first = character.firstInput[row]!;
  if (first < 0) return;
  for (let i = first * 10; i < (first + character.boneCount[row]!) * 10; i++) input.from[i] = input.to[i]!;
}
