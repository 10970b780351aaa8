/**
 * What a chain feels of its attachment's motion: velocity and air, how much of a motion is taken along rigidly
 * (inertia, caps), and what is a teleport (docs/solver.md, "Inertia", "Teleport").
 */
import type { World } from '../setup/world.js';
import { chainModel, startRule, teleportRule, teleportState } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { rotateVec3, slerpQuatBy } from '../math/index.js';
import { begin } from './begin.js';
import { carry, rotationBetween, target, turn } from './carry.js';
import { followCenter, rememberCenter } from './center.js';
import {
  baseFrame,
  feltVelocity,
  frameBefore,
  mirrorSign,
  referenceVelocity,
  rootPoint,
  scaleNow,
  tickSeconds,
} from './registers.js';

/** Sets `referenceVelocity` and `feltVelocity` for this tick, after moving along what is not to be felt. */
export function feelAttachment(world: World, row: number, jumped: boolean): void {
  const { chain } = world.views;
  const h = tickSeconds[0]!;
  const p = row * 3;
  const side = mirrorSign[0]!;
  if (chain.start[row] === startRule.running && chain.mirrored[row] !== (side < 0 ? 1 : 0))
    chain.start[row] = startRule.rest;
  if (chain.start[row] !== startRule.running) {
    begin(world.views, row);
    refer(world.views, row);
    rememberAttachment(world.views, row);
    return;
  }
  if (chain.center[row]! >= 0) followCenter(world.views, row);
  const growth = Math.abs(scaleNow[0]! - chain.lastScale[row]!);
  if (growth > sameScale * scaleNow[0]!) resize(world.views, row);
  const rule = chain.teleportRule[row];
  const leaps = growth > leapScale * scaleNow[0]! || isTeleport(world.views, row);
  if (rule !== teleportRule.none && (jumped || leaps)) {
    world.report.teleports++;
    if (!jumped) world.views.character.teleported[chain.character[row]!] = teleportState.found;
    if (rule === teleportRule.reset) {
      chain.start[row] = startRule.rest;
      feelAttachment(world, row, false);
      return;
    }
    keepThroughTeleport(world.views, row);
  } else if (chain.feelsAll[row] === 0) carryUnfelt(world.views, row);
  if (world.vrmSteps > 1) for (let i = 0; i < 9; i++) frameBefore[i] = chain.lastFrame[row * 9 + i]!;
  for (let i = 0; i < 3; i++) feltVelocity[i] = (rootPoint[i]! - chain.lastPoint[p + i]!) / h;
  refer(world.views, row);
  rememberAttachment(world.views, row);
}

/** Sets `referenceVelocity`: what is not air; in the VRM model all of it is. */
function refer({ chain }: Views, row: number): void {
  const keep = chain.model[row] === chainModel.vrm ? 0 : 1 - chain.air[row]!;
  for (let i = 0; i < 3; i++) referenceVelocity[i] = keep * feltVelocity[i]!;
}

/** Keeps the attachment of this tick, as read and felt, for the next one. */
export function rememberAttachment(views: Views, row: number): void {
  const { chain } = views;
  const { lastPoint, lastVelocity, lastFrame } = chain;
  const p = row * 3;
  lastPoint[p] = rootPoint[0]!;
  lastPoint[p + 1] = rootPoint[1]!;
  lastPoint[p + 2] = rootPoint[2]!;
  lastVelocity[p] = feltVelocity[0]!;
  lastVelocity[p + 1] = feltVelocity[1]!;
  lastVelocity[p + 2] = feltVelocity[2]!;
  const f = row * 9;
  for (let c = 0; c < 9; c += 3) {
    lastFrame[f + c] = baseFrame[c]!;
    lastFrame[f + c + 1] = baseFrame[c + 1]!;
    lastFrame[f + c + 2] = baseFrame[c + 2]!;
  }
  if (chain.center[row]! >= 0) rememberCenter(views, row);
  chain.lastScale[row] = scaleNow[0]!;
  chain.mirrored[row] = mirrorSign[0]! < 0 ? 1 : 0;
}

/** A jump beyond one chain length (at least half a metre) or 60 degrees in one tick. */
export function isTeleport(views: Views, row: number): boolean {
  const { chain, character } = views;
  const length = chain.restLength[row]! * scaleNow[0]!;
  const least = 0.5 * scaleNow[0]! * character.unit[chain.character[row]!]!;
  const reach = length > least ? length : least;
  const p = row * 3;
  const dx = rootPoint[0]! - chain.lastPoint[p]!;
  const dy = rootPoint[1]! - chain.lastPoint[p + 1]!;
  const dz = rootPoint[2]! - chain.lastPoint[p + 2]!;
  const square = dx * dx + dy * dy + dz * dz;
  const { lastFrame } = chain;
  const f = row * 9;
  let trace = 0; // of the rotation since the last tick: 1 + 2 cos(angle)
  for (let c = 0; c < 9; c += 3)
    trace +=
      baseFrame[c]! * lastFrame[f + c]! +
      baseFrame[c + 1]! * lastFrame[f + c + 1]! +
      baseFrame[c + 2]! * lastFrame[f + c + 2]!;
  return square > reach * reach || trace < 2;
}

/** True when a jump from where the chain stands to the attachment just read would be a teleport. */
export function wouldTeleport(views: Views, row: number): boolean {
  const { chain } = views;
  const running = chain.start[row] === startRule.running;
  return running && chain.teleportRule[row] !== teleportRule.none && isTeleport(views, row);
}

/** Moves the chain along with the part of the attachment's motion that is not to be felt. */
function carryUnfelt(views: Views, row: number): void {
  const { chain, character } = views;
  const p = row * 3;
  const dx = rootPoint[0]! - chain.lastPoint[p]!;
  const dy = rootPoint[1]! - chain.lastPoint[p + 1]!;
  const dz = rootPoint[2]! - chain.lastPoint[p + 2]!;
  const way = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const unit = scaleNow[0]! * character.unit[chain.character[row]!]!;
  const cap = chain.maxSpeed[row]! * unit * tickSeconds[0]!;
  let felt = chain.inertia[row]!;
  if (felt * way > cap) felt = cap / way;
  rotationBetween(baseFrame, chain.lastFrame, row * 9);
  unfeltTurn(views, row);
  target[0] = chain.lastPoint[p]! + (1 - felt) * dx;
  target[1] = chain.lastPoint[p + 1]! + (1 - felt) * dy;
  target[2] = chain.lastPoint[p + 2]! + (1 - felt) * dz;
  carry(views, row);
}

/** Leaves in `turn` what of the attachment's turn is not felt. */
function unfeltTurn({ chain }: Views, row: number): void {
  if (turn[3]! >= chain.maxTurnCosine[row]!) {
    unfelt[0] = 1 - chain.inertiaRotation[row]!;
    slerpQuatBy(turn, 0, noTurn, 0, turn, 0, unfelt, 0);
    return;
  }
  // Beyond the cap: the turn less the largest felt turn about the same axis. Half angles subtract, without an angle.
  const sine = Math.sqrt(turn[0]! * turn[0]! + turn[1]! * turn[1]! + turn[2]! * turn[2]!);
  const feltCosine = chain.feltTurn[row * 2]!;
  const feltSine = chain.feltTurn[row * 2 + 1]!;
  const cosine = turn[3]!;
  const share = (sine * feltCosine - cosine * feltSine) / sine;
  for (let i = 0; i < 3; i++) turn[i] = turn[i]! * share;
  turn[3] = cosine * feltCosine + sine * feltSine;
}

const noTurn = new Float64Array([0, 0, 0, 1]);
const unfelt = new Float64Array(1);
const moved = new Float64Array(3);

/** Change of scale in one tick, as a share, that is no more than rounding. */
const sameScale = 1e-9;
/** Change of scale in one tick, as a share, that moves an attachment no body could follow: a teleport. */
const leapScale = 0.05;

/** Grows or shrinks the chain about its last attachment point: a change of size is nothing that swings. */
function resize({ chain, particle }: Views, row: number): void {
  const factor = scaleNow[0]! / chain.lastScale[row]!;
  const side = mirrorSign[0]!;
  for (let k = 0; k < chain.count[row]!; k++) {
    const at = (chain.first[row]! + k * chain.stride[row]!) * 3;
    for (let i = 0; i < 3; i++) {
      const mirror = i === 0 ? side : 1;
      const centre = mirror * chain.lastPoint[row * 3 + i]!;
      const drift = mirror * chain.lastVelocity[row * 3 + i]!;
      particle.position[at + i] = centre + factor * (particle.position[at + i]! - centre);
      particle.couplingTarget[at + i] = centre + factor * (particle.couplingTarget[at + i]! - centre);
      particle.velocity[at + i] = drift + factor * (particle.velocity[at + i]! - drift);
    }
  }
}

/**
 * Takes the chain along through a teleport, so that it arrives in the motion it left with: as if the attachment had
 * gone on at its last velocity, turned with the jump.
 */
function keepThroughTeleport(views: Views, row: number): void {
  const { chain } = views;
  const h = tickSeconds[0]!;
  rotationBetween(baseFrame, chain.lastFrame, row * 9);
  rotateVec3(moved, 0, turn, 0, chain.lastVelocity, row * 3);
  for (let i = 0; i < 3; i++) target[i] = rootPoint[i]! - h * moved[i]!;
  carry(views, row);
}
