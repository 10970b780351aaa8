/**
 * Chains against chains: before the walk of a level, each two links that come near get the plane between them, and each
 * stays on its side of it in this tick (docs/solver.md, "Chains against chains"). Both look at where the other would
 * come by its own motion, so neither the order of chains nor a split of them into blocks can change a bit.
 */
import { chainState, startRule, teleportRule, teleportState } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { rotateVec3 } from '../math/index.js';
import { planesPerLink, planeSize, type ChainPair, type Meeting } from '../setup/meeting.js';
import { findNearest, nearestShares } from '../setup/segments.js';
import { orderOf } from '../setup/buildOrder.js';
import { wake } from '../setup/owner.js';
import type { World } from '../setup/world.js';
import { forgetAttachment, readAttachment } from './attachment.js';
import { rotationBetween, turn } from './carry.js';
import { isTeleport } from './inertia.js';
import { baseFrame, mirrorSign, rootPoint, scaleNow, tickSeconds } from './registers.js';

/** Puts planes between the links of the chains of a level; run before its walk. */
export function meetChains(world: World, level: number): void {
  const { meeting } = orderOf(world);
  const pairs = meeting?.pairs[level];
  if (!meeting || !pairs) return;
  tickSeconds[0] = 1 / world.tickRate;
  tickSeconds[1] = world.tickRate;
  forgetAttachment();
  for (const row of meeting.members[level]!) foresee(world.views, meeting, row);
  for (const pair of pairs) meet(world.views, meeting, pair);
  for (const row of meeting.members[level]!) wakeReleased(world.views, meeting, row);
}

/** Wakes a chain that slept pressed on another which is not there any more. */
function wakeReleased(views: Views, { counts }: Meeting, row: number): void {
  const { chain, particle } = views;
  if (chain.status[row] !== chainState.asleep) return;
  const stride = chain.stride[row]!;
  let below = 0;
  for (let k = chain.count[row]! - 1, p = chain.first[row]! + k * stride; k >= 0; k--, p -= stride) {
    if (particle.pressed[p] === 1 && counts[p]! + below === 0) wake(views, row);
    below = counts[p]!;
  }
}

const rel = new Float64Array(3);
/** Velocity that a tip wants: one that another chain holds shows less of it. */
const own = new Float64Array(3);

/** Writes where the chain comes in this tick by its own motion: carried with its attachment, on at its own velocity. */
function foresee(views: Views, meeting: Meeting, row: number): void {
  const { tips, roots, tipSpeeds, rootSpeeds, balls, counts } = meeting;
  const { chain, particle } = views;
  const first = chain.first[row]!;
  const stride = chain.stride[row]!;
  const count = chain.count[row]!;
  for (let k = 0, p = first; k < count; k++, p += stride) counts[p] = 0;
  balls[row * 4 + 3] = -1;
  const status = chain.status[row]!;
  if (status === chainState.disabled || status === chainState.faulted || chain.clipOwned[row] === 1) return;
  if (chain.start[row] !== startRule.running || !readAttachment(views, row)) return;
  const side = mirrorSign[0]!;
  if (chain.mirrored[row] !== (side < 0 ? 1 : 0) || restsOrIsThrown(views, row)) return;
  const h = tickSeconds[0]!;
  rotationBetween(baseFrame, chain.lastFrame, row * 9);
  const middle = (first + (count >> 1) * stride) * 3;
  rotateVec3(rel, 0, turn, 0, chain.lastVelocity, row * 3);
  for (let r = 0; r < 3; r++) {
    roots[row * 3 + r] = (r === 0 ? side : 1) * rootPoint[r]!;
    rootSpeeds[row * 3 + r] = (r === 0 ? side : 1) * rel[r]!;
  }
  for (let k = 0, p = first; k < count; k++, p += stride) {
    const wanted = particle.pressed[p] === 1 ? particle.freeVelocity : particle.velocity;
    for (let r = 0; r < 3; r++) {
      const mirror = r === 0 ? side : 1;
      own[r] = mirror * wanted[p * 3 + r]!;
      const beside = own[r]! - chain.lastVelocity[row * 3 + r]!;
      rel[r] = mirror * particle.position[p * 3 + r]! - chain.lastPoint[row * 3 + r]! + h * beside;
    }
    rotateVec3(rel, 0, turn, 0, rel, 0);
    rotateVec3(own, 0, turn, 0, own, 0);
    for (let r = 0; r < 3; r++) {
      const mirror = r === 0 ? side : 1;
      tips[p * 3 + r] = mirror * (rootPoint[r]! + rel[r]!);
      tipSpeeds[p * 3 + r] = mirror * own[r]!;
    }
  }
  let far = squareBetween(roots, row * 3, tips, middle);
  let thick = 0;
  for (let k = 0, p = first; k < count; k++, p += stride) {
    const square = squareBetween(tips, p * 3, tips, middle);
    if (square > far) far = square;
    if (particle.radius[p]! > thick) thick = particle.radius[p]!;
  }
  for (let r = 0; r < 3; r++) balls[row * 4 + r] = tips[middle + r]!;
  // Twice, for what a link may go beyond what was foreseen.
  balls[row * 4 + 3] = Math.sqrt(far) + 2 * scaleNow[0]! * thick;
}

/** Whether a jump of its attachment takes the chain elsewhere than along: to rest, or through the air. */
function restsOrIsThrown(views: Views, row: number): boolean {
  const { chain, character } = views;
  if (chain.teleportRule[row] === teleportRule.keep) return false;
  return character.teleported[chain.character[row]!] === teleportState.told || isTeleport(views, row);
}

function squareBetween(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i]! - b[j]!;
  const y = a[i + 1]! - b[j + 1]!;
  const z = a[i + 2]! - b[j + 2]!;
  return x * x + y * y + z * z;
}

/** Puts planes between the links of two chains; one that moves wakes the other. */
function meet(views: Views, meeting: Meeting, { a, b, yields, share }: ChainPair): void {
  const { chain } = views;
  const { balls } = meeting;
  const reach = balls[a * 4 + 3]! + balls[b * 4 + 3]!;
  if (balls[a * 4 + 3]! < 0 || balls[b * 4 + 3]! < 0) return;
  if (squareBetween(balls, a * 4, balls, b * 4) > reach * reach) return;
  if (yields > 0 && chain.stillTicks[b] === 0) wake(views, a);
  if (yields < 2 && chain.stillTicks[a] === 0) wake(views, b);
  const m = chain.count[b]!;
  for (let i = 0; i < chain.count[a]!; i++)
    for (let j = 0; j < m; j++) {
      least[0] = share[i * m + j]!;
      meetLinks(views, meeting, a, i, b, j, yields);
    }
}

/** Share of both radii that the two links at hand keep; their least distance. */
const least = new Float64Array(1);

/** The plane between two links as that of a feels it: normal from b to a, offset, speed, gap. */
const plane = new Float64Array(planeSize);
/** Nearest points of both. */
const onA = new Float64Array(3);
const onB = new Float64Array(3);

/** Puts a plane between link i of chain a and link j of chain b, if they are near enough for one. */
function meetLinks(
  views: Views,
  meeting: Meeting,
  a: number,
  i: number,
  b: number,
  j: number,
  yields: number,
): void {
  const { chain, particle } = views;
  const { tips, roots, tipSpeeds, rootSpeeds } = meeting;
  const strideA = chain.stride[a]!;
  const strideB = chain.stride[b]!;
  const p = chain.first[a]! + i * strideA;
  const q = chain.first[b]! + j * strideB;
  const headsA = i === 0 ? roots : tips;
  const headsB = j === 0 ? roots : tips;
  const headA = i === 0 ? a * 3 : (p - strideA) * 3;
  const headB = j === 0 ? b * 3 : (q - strideB) * 3;
  least[0] =
    least[0]! * (chain.lastScale[a]! * particle.radius[p]! + chain.lastScale[b]! * particle.radius[q]!);
  findNearest(headsA, headA, tips, p * 3, headsB, headB, tips, q * 3);
  const s = nearestShares[0]!;
  const t = nearestShares[1]!;
  for (let r = 0; r < 3; r++) {
    onA[r] = headsA[headA + r]! + s * (tips[p * 3 + r]! - headsA[headA + r]!);
    onB[r] = headsB[headB + r]! + t * (tips[q * 3 + r]! - headsB[headB + r]!);
  }
  // A root does not give way, and of its link the less the nearer to it.
  const easeA = i === 0 ? s : 1;
  const easeB = j === 0 ? t : 1;
  let share = yields / 2;
  if (yields === 1 && easeA + easeB > 0) share = easeA / (easeA + easeB);
  const distance = Math.sqrt(squareBetween(onA, 0, onB, 0));
  const size = chain.lastScale[a]! * particle.length[p]! + chain.lastScale[b]! * particle.length[q]!;
  plane[5] = distance - least[0]!;
  // Where two lines meet there is no side to be on.
  if (plane[5] > size || distance < 1e-9 * size) return;
  let middle = 0;
  let speed = 0;
  for (let r = 0; r < 3; r++) {
    const n = (onA[r]! - onB[r]!) / distance;
    plane[r] = n;
    middle += n * ((1 - share) * onA[r]! + share * onB[r]!);
    const aboveA = (i === 0 ? rootSpeeds : tipSpeeds)[headA + r]!;
    const aboveB = (j === 0 ? rootSpeeds : tipSpeeds)[headB + r]!;
    const ofA = aboveA + s * (tipSpeeds[p * 3 + r]! - aboveA);
    const ofB = aboveB + t * (tipSpeeds[q * 3 + r]! - aboveB);
    speed += n * ((1 - share) * ofA + share * ofB);
  }
  if (yields > 0) {
    plane[3] = middle + share * least[0]!;
    plane[4] = speed;
    if (i === 0) leverOut(roots, headA, 0);
    addPlane(meeting, p);
  }
  if (yields === 2) return;
  for (let r = 0; r < 3; r++) plane[r] = -plane[r]!;
  plane[3] = -middle + (1 - share) * least[0]!;
  plane[4] = -speed;
  if (j === 0) leverOut(roots, headB, 1);
  addPlane(meeting, q);
}

/** Nearer to its root than this a link cannot make up for where its root stands. */
const shortestLever = 0.25;

/**
 * A root that stands beyond the plane stays there: its tip makes up for it, as far as the lever from the root to the
 * nearest place reaches.
 */
function leverOut(roots: Float64Array, head: number, which: number): void {
  let height = -plane[3]!;
  for (let r = 0; r < 3; r++) height += plane[r]! * roots[head + r]!;
  if (height >= 0) return;
  const share = nearestShares[which]!;
  const lever = share > shortestLever ? share : shortestLever;
  plane[3] = plane[3]! - ((1 - lever) / lever) * height;
}

/** Adds the plane to those of the link in row p, in the place of the one with the widest gap where there is no room. */
function addPlane({ counts, planes }: Meeting, p: number): void {
  const first = p * planesPerLink * planeSize;
  let at = first + counts[p]! * planeSize;
  if (counts[p]! < planesPerLink) counts[p] = counts[p]! + 1;
  else {
    at = first;
    for (let k = first; k < first + planesPerLink * planeSize; k += planeSize)
      if (planes[k + 5]! > planes[at + 5]!) at = k;
    if (planes[at + 5]! <= plane[5]!) return;
  }
  for (let r = 0; r < planeSize; r++) planes[at + r] = plane[r]!;
}
