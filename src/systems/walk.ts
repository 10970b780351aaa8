/**
 * Stage 3: the walk down a chain. Per link, from root to tip and in the final frame of the parent link of this tick:
 * spring, bend, contact, then the length. One pass, nothing allocated; any split of the list of chains gives the
 * same bits.
 */
import { warn, type World } from '../setup/world.js';
import {
  chainModel,
  chainState,
  movedPart,
  restPose,
  startRule,
  teleportState,
  windChange,
} from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { animatedRest } from './animatedRest.js';
import { attachmentStill, forgetAttachment, readAttachment } from './attachment.js';
import { begin } from './begin.js';
import { walkInSteps } from './vrmSteps.js';
import { centerStill } from './center.js';
import {
  addColliderSurface,
  clearColliders,
  isListedFor,
  limitWays,
  noColliders,
  setTested,
} from './colliderList.js';
import { addSurface, clearSurfaces } from './contact.js';
import { feelAttachment, isTeleport, rememberAttachment } from './inertia.js';
import {
  checkSum,
  fastestFloor,
  feltVelocity,
  floorClearance,
  floorDecay,
  headBefore,
  calmLinks,
  rootPoint,
  scaleNow,
  tickSeconds,
} from './registers.js';
import { walkLinks } from './links.js';

/** Seconds without motion after which a chain falls asleep. */
const sleepAfter = 0.5;

/** A floor whose point goes farther in one tick, metres, was set down elsewhere: nothing is dragged along. */
const farthestPerTick = 0.5;

/** Walks the chains `rows[from..to)`. */
export function walkChains(world: World, rows: Int32Array, from: number, to: number): void {
  tickSeconds[0] = 1 / world.tickRate;
  tickSeconds[1] = world.tickRate;
  floorDecay[0] = world.floorDecay;
  forgetAttachment();
  noColliders();
  for (let i = from; i < to; i++) walkChain(world, rows[i]!);
}

function walkChain(world: World, row: number): void {
  const { views } = world;
  const { chain, character } = views;
  const owner = chain.character[row]!;
  const moved = character.moved[owner] !== movedPart.nothing || chain.level[row]! > 0;
  const surroundingsMoved =
    isBlownAnew(views, row) ||
    (chain.floor[row] === 1 && views.global.floorsMoved[0] === 1) ||
    (chain.colliderMask[row] !== 0 &&
      (views.global.collidersMoved[0] === 1 || character.collidersMoved[owner] === 1));
  const status = chain.status[row]!;
  if (status === chainState.asleep && !moved && !surroundingsMoved) return;
  // Whoever moves the chain: what comes after the tick follows from its poses alone.
  animatedRest(views, row);
  if (status === chainState.faulted) return;
  if (!readAttachment(views, row)) {
    hangFromNothing(world, row);
    return;
  }
  if (status === chainState.disabled || chain.clipOwned[row] === 1) {
    follow(views, row, character.teleported[owner] === teleportState.told);
    return;
  }
  const jumped = character.teleported[owner] === teleportState.told;
  const running = chain.start[row] === startRule.running;
  // A rest shape that a clip moves is an input like any other.
  const posed = chain.restPose[row] === restPose.animated && character.moved[owner] === movedPart.bones;
  const still =
    running &&
    !jumped &&
    !posed &&
    !surroundingsMoved &&
    attachmentStill(views, row) &&
    centerStill(views, row);
  if (status === chainState.asleep) {
    if (still) return;
    chain.status[row] = chainState.awake;
  } else if (still && chain.stillTicks[row]! >= sleepAfter * world.tickRate) {
    // Not at the end of the last tick: what its bones show then would be that of the tick before.
    chain.status[row] = chainState.asleep;
    return;
  }
  feelAttachment(world, row, jumped);
  const fresh = chain.start[row] !== startRule.running;
  chain.start[row] = startRule.running;
  gatherSurfaces(world, row, fresh);
  if (chain.model[row] === chainModel.vrm && world.vrmSteps > 1) walkInSteps(world, row, fresh);
  else walkLinks(views, row, fresh, world.order!.meeting);
  if (!(Math.abs(checkSum[0]!) < Infinity)) {
    fault(world, row, 'its motion is not finite');
    return;
  }
  const calm = still && calmLinks[0] === 1;
  chain.stillTicks[row] = calm ? chain.stillTicks[row]! + 1 : 0;
}

/** Whether the wind is another than in the last tick for this chain: gusts are so for those that feel them. */
function isBlownAnew({ global, chain }: Views, row: number): boolean {
  const change = global.windMoved[0]!;
  if (change === windChange.none || chain.wind[row] === 0) return false;
  return change === windChange.set || (global.windGroups[0]! & chain.groups[row]!) !== 0;
}

/** Collects the surfaces the chain must stay out of, in solver space. */
function gatherSurfaces(world: World, row: number, fresh: boolean): void {
  const { chain, character, floor } = world.views;
  clearSurfaces(chain.keepOut[row] === 1 && chain.model[row] === chainModel.spring);
  gatherColliders(world, row, fresh);
  if (chain.floor[row] === 0) return;
  const metre = scaleNow[0]! * character.unit[chain.character[row]!]!;
  floorClearance[0] = chain.clearance[row]! * metre;
  fastestFloor[0] = farthestPerTick * metre * world.tickRate;
  for (const f of world.order!.floors)
    if (!addSurface(floor, f))
      warn(world, {
        code: 'too-many-floors',
        message: 'a chain feels the first 16 floors only',
        at: 'world',
      });
}

/** Collects the colliders that the chain feels. */
function gatherColliders(world: World, row: number, fresh: boolean): void {
  const { views } = world;
  const { chain, collider } = views;
  const owner = chain.character[row]!;
  const mask = chain.colliderMask[row]!;
  const rows = world.order!.collidersOf[owner]!;
  if (rows.length === 0 || mask === 0) {
    noColliders();
    return;
  }
  // What was carried along stands where the colliders have not been in the last tick.
  const carried = chain.center[row]! >= 0 || chain.feelsAll[row] === 0;
  const leapt = views.character.teleported[owner] !== teleportState.none;
  const inSteps = chain.model[row] === chainModel.vrm && world.vrmSteps > 1;
  const sweeps = !carried && !leapt && !fresh && !inSteps;
  setTested(chain.contactPart[row]!);
  for (let i = 0; i < 3; i++) headBefore[i] = rootPoint[i]! - tickSeconds[0]! * feltVelocity[i]!;
  if (isListedFor(owner, mask, sweeps)) return;
  clearColliders(sweeps);
  limitWays(farthestPerTick * scaleNow[0]! * views.character.unit[owner]!);
  for (let i = 0; i < rows.length; i++) {
    if ((collider.groups[rows[i]!]! & mask) === 0) continue;
    if (!addColliderSurface(views, rows[i]!, world.tickRate))
      warn(world, {
        code: 'too-many-colliders',
        message: 'a chain feels the first 64 colliders only',
        at: 'world',
      });
  }
}

/** A chain that a clip or the game has: only its attachment is followed, so that it can begin from what is shown. */
function follow(views: Views, row: number, jumped: boolean): void {
  const { chain } = views;
  const p = row * 3;
  const first = chain.start[row] === startRule.rest;
  const keeps = !first && (jumped || isTeleport(views, row));
  for (let i = 0; i < 3; i++) {
    const way = rootPoint[i]! - chain.lastPoint[p + i]!;
    feltVelocity[i] = keeps ? chain.lastVelocity[p + i]! : first ? 0 : way / tickSeconds[0]!;
  }
  chain.start[row] = startRule.shown;
  rememberAttachment(views, row);
}

/** The attachment is scaled to nothing (a hidden character) or not finite: wait, and begin at rest afterwards. */
function hangFromNothing(world: World, row: number): void {
  const { bone, chain } = world.views;
  const at = chain.attachment[row]! * 12;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += bone.world[at + i]!;
  if (sum - sum === 0) chain.start[row] = startRule.rest;
  else fault(world, row, 'its attachment is not finite');
}

/** Puts a chain to rest and marks it, so that nothing that is not finite spreads. */
function fault(world: World, row: number, why: string): void {
  const { views } = world;
  const { chain, particle } = views;
  chain.status[row] = chainState.faulted;
  chain.start[row] = startRule.rest;
  for (let k = 0; k < chain.count[row]!; k++) {
    const p = chain.first[row]! + k * chain.stride[row]!;
    particle.bend.fill(0, p * 4, p * 4 + 3);
    particle.bend[p * 4 + 3] = 1;
    particle.velocity.fill(0, p * 3, p * 3 + 3);
    particle.position.fill(0, p * 3, p * 3 + 3);
    particle.couplingTarget.fill(0, p * 3, p * 3 + 3);
    particle.contact[p] = 0;
  }
  if (readAttachment(views, row)) begin(views, row);
  const name = world.definitions.get(chain.id[row]!)?.name ?? 'chain';
  const message = `${why}; it rests until resetChain (tick ${world.tick})`;
  warn(world, { code: 'chain-faulted', message, at: `${name} (entity ${chain.eid[row]})` });
}
