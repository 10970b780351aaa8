/**
 * Contact of a link of fixed length, solved on the sphere of directions. An obstacle forbids a cap: all unit vectors
 * d with d.u > k. The answer is the nearest unit vector outside every cap, so the length is exact by construction
 * (docs/solver.md, "Contact").
 *
 * The nearest free direction is the candidate itself, or the exit of one cap, or an intersection of two cap
 * circles, all in closed form. The first exit of a violated cap that satisfies every other cap is the optimum, since
 * nothing outside that cap is nearer; otherwise all pairs are compared.
 */
import { baseFrame, restDirection, tipDirection } from './registers.js';

/** Most caps of one link. */
const slots = 160;
const axis = new Float64Array(slots * 3);
const cosine = new Float64Array(slots);
const rank = new Uint8Array(slots);
const tag = new Int32Array(slots);
let count = 0;

/** Rank of a cap. */
export type CapRank = 0 | 1 | 2;

/** Ranks: where there is no common free direction the caps of the largest rank are given up first. */
export const capRank = { floor: 0, collider: 1, keepOut: 2 } as const;

/** Tags of the caps that define the last result, -1 for none. */
export const active: Int32Array = new Int32Array([-1, -1]);

/** Axes of those caps, 3 each. */
export const activeAxis: Float64Array = new Float64Array(6);

/** How deep in a cap, as a cosine, still counts as outside. */
const tolerance = 1e-13;

/** Forgets all caps. */
export function clearCaps(): void {
  count = 0;
}

/** The cap to add next: unit axis u and k. Forbidden are all unit vectors d with d.u > k. */
export const cap: Float64Array = new Float64Array(4);

/**
 * Adds `cap`. A k of 1 or more forbids nothing and is left out; below -1 no direction is free of it, and -1 stands
 * for the way straight out.
 *
 * @param label - a number of the caller's, 0 or more, by which `active` names the cap
 * @returns false when it forbids nothing, or there is no room for it
 */
export function addCap(of: CapRank, label: number): boolean {
  const k = cap[3]!;
  if (k >= 1 || count === slots) return false;
  axis[count * 3] = cap[0]!;
  axis[count * 3 + 1] = cap[1]!;
  axis[count * 3 + 2] = cap[2]!;
  cosine[count] = k < -1 ? -1 : k;
  rank[count] = of;
  tag[count] = label;
  count++;
  return true;
}

const keptAxis = new Float64Array(slots * 3);
const keptCosine = new Float64Array(slots);
const keptRank = new Uint8Array(slots);
const keptTag = new Int32Array(slots);
let keptCount = 0;

/** Keeps the caps so far for {@link restoreCaps}. */
export function keepCaps(): void {
  keptCount = count;
  for (let i = 0; i < count; i++) {
    for (let k = i * 3; k < i * 3 + 3; k++) keptAxis[k] = axis[k]!;
    keptCosine[i] = cosine[i]!;
    keptRank[i] = rank[i]!;
    keptTag[i] = tag[i]!;
  }
}

/**
 * Puts back what was kept.
 *
 * @param below - only caps of smaller ranks
 */
export function restoreCaps(below: number): void {
  count = 0;
  for (let i = 0; i < keptCount; i++) {
    if (keptRank[i]! >= below) continue;
    for (let k = 0; k < 3; k++) axis[count * 3 + k] = keptAxis[i * 3 + k]!;
    cosine[count] = keptCosine[i]!;
    rank[count] = keptRank[i]!;
    tag[count] = keptTag[i]!;
    count++;
  }
}

/** Least rank of the caps that the last result does not obey, 255 when it obeys all. */
export const givenUp: Uint8Array = new Uint8Array(1);

/** Removes all caps with a label. */
export function dropCaps(label: number): void {
  let left = 0;
  for (let i = 0; i < count; i++) if (tag[i] !== label) keepCap(left++, i);
  count = left;
}

function keepCap(to: number, from: number): void {
  axis.copyWithin(to * 3, from * 3, from * 3 + 3);
  cosine[to] = cosine[from]!;
  rank[to] = rank[from]!;
  tag[to] = tag[from]!;
}

/** Replaces `tipDirection` by the nearest direction outside all caps and names the caps that define it in `active`. */
export function projectDirection(): void {
  active[0] = -1;
  active[1] = -1;
  givenUp[0] = 255;
  if (count === 1) {
    // The common case needs no search.
    measureDepths(tipDirection);
    if (depth[0]! <= 0) return;
    exitOf(0);
    take(exit, 0, -1);
    return;
  }
  while (count > 0 && !projectOutOfAll()) {
    // No common free direction: give up the lowest rank, unless only one is left.
    let lowest = 0;
    let highest = 255;
    for (let i = 0; i < count; i++) {
      if (rank[i]! > lowest) lowest = rank[i]!;
      if (rank[i]! < highest) highest = rank[i]!;
    }
    givenUp[0] = lowest;
    if (lowest === highest) {
      leastViolation();
      return;
    }
    let left = 0;
    for (let i = 0; i < count; i++) {
      if (rank[i] === lowest) continue;
      keepCap(left++, i);
    }
    count = left;
  }
}

/** Depth of a direction in each cap beyond the tolerance; above 0 is inside. */
const depth = new Float64Array(slots);

/** Writes `depth` for the direction d. */
function measureDepths(d: Float64Array): void {
  const x = d[0]!;
  const y = d[1]!;
  const z = d[2]!;
  for (let i = 0; i < count; i++)
    depth[i] = x * axis[i * 3]! + y * axis[i * 3 + 1]! + z * axis[i * 3 + 2]! - cosine[i]! - tolerance;
}

/** The exit that was computed last. */
const exit = new Float64Array(3);

/** How deep in the caps it was made from, as a cosine, an exit may lie by rounding; deeper, they were too parallel. */
const roundingDepth = 1e-10;

/** True when `exit` is outside every cap; it was made from a and b, on whose rims it lies. */
function exitIsFree(a: number, b: number): boolean {
  const x = exit[0]!;
  const y = exit[1]!;
  const z = exit[2]!;
  for (let i = 0; i < count; i++) {
    const deep = x * axis[i * 3]! + y * axis[i * 3 + 1]! + z * axis[i * 3 + 2]! - cosine[i]! - tolerance;
    if (deep > (i === a || i === b ? roundingDepth : 0)) return false;
  }
  return true;
}

/** 1: the exit of the cap has been tried. */
const tried = new Uint8Array(slots);

/** @returns false when no direction is outside every cap */
function projectOutOfAll(): boolean {
  tried.fill(0, 0, count);
  let violated = false;
  for (;;) {
    measureDepths(tipDirection);
    let most = 0;
    let slot = -1;
    for (let i = 0; i < count; i++) {
      if (tried[i] === 0 && depth[i]! > most) {
        most = depth[i]!;
        slot = i;
      }
    }
    if (slot < 0) break;
    violated = true;
    tried[slot] = 1;
    exitOf(slot);
    if (exitIsFree(slot, slot)) {
      take(exit, slot, -1);
      return true;
    }
  }
  return !violated || projectOntoPair();
}

function take(d: Float64Array, a: number, b: number): void {
  tipDirection[0] = d[0]!;
  tipDirection[1] = d[1]!;
  tipDirection[2] = d[2]!;
  active[0] = tag[a]!;
  active[1] = b < 0 ? -1 : tag[b]!;
  for (let k = 0; k < 3; k++) {
    activeAxis[k] = axis[a * 3 + k]!;
    if (b >= 0) activeAxis[3 + k] = axis[b * 3 + k]!;
  }
}

/**
 * Writes `exit`: the nearest direction on the circle of cap i. The way out leads along the candidate; where that is
 * parallel to the axis: along the rest direction, backward, sideways.
 */
function exitOf(i: number): void {
  if (exitAlong(i, tipDirection, 0, 1) || exitAlong(i, restDirection, 0, 1)) return;
  if (!exitAlong(i, baseFrame, 6, -1)) exitAlong(i, baseFrame, 0, 1);
}

/** The exit of cap i on the side of sign x v[at...]; false when that is parallel to the axis. */
function exitAlong(i: number, v: Float64Array, at: number, sign: number): boolean {
  const ux = axis[i * 3]!;
  const uy = axis[i * 3 + 1]!;
  const uz = axis[i * 3 + 2]!;
  const dx = sign * v[at]!;
  const dy = sign * v[at + 1]!;
  const dz = sign * v[at + 2]!;
  const along = dx * ux + dy * uy + dz * uz;
  const tx = dx - along * ux;
  const ty = dy - along * uy;
  const tz = dz - along * uz;
  const square = tx * tx + ty * ty + tz * tz;
  if (square < 1e-12) return false;
  const k = cosine[i]!;
  const f = Math.sqrt((1 - k * k) / square);
  exit[0] = k * ux + f * tx;
  exit[1] = k * uy + f * ty;
  exit[2] = k * uz + f * tz;
  normaliseExit();
  return true;
}

function normaliseExit(): void {
  const n = 1 / Math.sqrt(exit[0]! * exit[0]! + exit[1]! * exit[1]! + exit[2]! * exit[2]!);
  exit[0] = exit[0]! * n;
  exit[1] = exit[1]! * n;
  exit[2] = exit[2]! * n;
}

const best = new Float64Array(3);

/** Of two directions equally near: whether the exit is farther back than the best so far, or as far and farther to a side. */
function isFartherBack(): boolean {
  let back = 0;
  let side = 0;
  for (let k = 0; k < 3; k++) {
    back += (best[k]! - exit[k]!) * baseFrame[6 + k]!;
    side += (exit[k]! - best[k]!) * baseFrame[k]!;
  }
  return back > 0 || (back === 0 && side > 0);
}

/** Takes the best free intersection of two cap circles: nearest to the candidate. */
function projectOntoPair(): boolean {
  let score = -2;
  let first = -1;
  let second = -1;
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++)
      for (let sign = 1; sign >= -1; sign -= 2) {
        if (!intersect(a, b, sign)) break;
        const s = exit[0]! * tipDirection[0]! + exit[1]! * tipDirection[1]! + exit[2]! * tipDirection[2]!;
        if ((s > score || (s === score && isFartherBack())) && exitIsFree(a, b)) {
          score = s;
          first = a;
          second = b;
          best.set(exit);
        }
      }
  if (first < 0) return false;
  take(best, first, second);
  return true;
}

/** Writes `exit`: one of the two directions where the circles of caps a and b meet. */
function intersect(a: number, b: number, sign: number): boolean {
  const ax = axis[a * 3]!;
  const ay = axis[a * 3 + 1]!;
  const az = axis[a * 3 + 2]!;
  const bx = axis[b * 3]!;
  const by = axis[b * 3 + 1]!;
  const bz = axis[b * 3 + 2]!;
  const nx = ay * bz - az * by;
  const ny = az * bx - ax * bz;
  const nz = ax * by - ay * bx;
  const det = nx * nx + ny * ny + nz * nz;
  if (det < 1e-20) return false;
  const c = ax * bx + ay * by + az * bz;
  const ka = cosine[a]!;
  const kb = cosine[b]!;
  const alpha = (ka - c * kb) / det;
  const beta = (kb - c * ka) / det;
  // The point of both planes that is nearest to the centre. Nearly one circle, alpha and beta lose digits: what the
  // point misses both planes by is taken out once more. In brackets, so that the order of the two caps changes no bit.
  let px = alpha * ax + beta * bx;
  let py = alpha * ay + beta * by;
  let pz = alpha * az + beta * bz;
  const missA = ka - (px * ax + py * ay + pz * az);
  const missB = kb - (px * bx + py * by + pz * bz);
  const moreA = (missA - c * missB) / det;
  const moreB = (missB - c * missA) / det;
  px += moreA * ax + moreB * bx;
  py += moreA * ay + moreB * by;
  pz += moreA * az + moreB * bz;
  const rest = 1 - (px * px + py * py + pz * pz);
  if (rest < 0) return false;
  const f = sign * Math.sqrt(rest / det);
  exit[0] = px + f * nx;
  exit[1] = py + f * ny;
  exit[2] = pz + f * nz;
  normaliseExit();
  return true;
}

/** No direction is free: takes the one-cap exit whose worst violation is least. */
function leastViolation(): void {
  let least = Infinity;
  let slot = -1;
  for (let i = 0; i < count; i++) {
    exitOf(i);
    measureDepths(exit);
    let worst = 0;
    for (let j = 0; j < count; j++) if (depth[j]! > worst) worst = depth[j]!;
    // Equally deep exits (a floor and a ceiling): the first, whatever rounding says.
    if (worst < least - 1e-9) {
      least = worst;
      slot = i;
      best.set(exit);
    }
  }
  take(best, slot, -1);
}
