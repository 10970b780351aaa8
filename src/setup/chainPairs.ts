/**
 * Pairs of chains that stay out of each other: of one character and level, and asked for by the mask of at least one
 * (docs/solver.md, "Chains against chains"). Links that touch each other at rest may stand as near as they do there.
 */
import type { Views } from '../components/stores.js';
import { chainRest } from './chainRest.js';
import { neutralColumns, orthonormalise } from './columns3.js';
import { segmentDistance } from './segments.js';
import { planesPerLink, planeSize, type Meeting } from './meeting.js';
import type { World } from './world.js';

/**
 * The pairs of a world's chains, undefined where no chain asks for any.
 *
 * @param chainsOf - per character row: its chains by stable id
 */
export function meetingOf(world: World, chainsOf: readonly (number[] | undefined)[]): Meeting | undefined {
  const { chain, particle } = world.views;
  if (!chainsOf.some((rows) => rows?.some((row) => chain.chainMask[row]! !== 0))) return undefined;
  const meeting: Meeting = {
    pairs: [],
    members: [],
    tips: new Float64Array(particle.id.length * 3),
    roots: new Float64Array(chain.id.length * 3),
    tipSpeeds: new Float64Array(particle.id.length * 3),
    rootSpeeds: new Float64Array(chain.id.length * 3),
    balls: new Float64Array(chain.id.length * 4),
    counts: new Uint8Array(particle.id.length),
    planes: new Float64Array(particle.id.length * planesPerLink * planeSize),
  };
  const rest = new Map<number, Float64Array>();
  for (const rows of chainsOf)
    rows?.forEach((a, i) => {
      for (let j = i + 1; j < rows.length; j++) addPair(world, meeting, rest, a, rows[j]!);
    });
  return meeting;
}

/** Adds a pair where one of both asks for it. */
function addPair(
  world: World,
  { pairs, members }: Meeting,
  rest: Map<number, Float64Array>,
  a: number,
  b: number,
): void {
  const { chain } = world.views;
  const aYields = (chain.chainMask[a]! & chain.groups[b]!) !== 0;
  const bYields = (chain.chainMask[b]! & chain.groups[a]!) !== 0;
  const level = chain.level[a]!;
  if (chain.level[b] !== level || !(aYields || bYields)) return;
  for (const row of [a, b]) if (!rest.has(row)) rest.set(row, restPoints(world, row));
  const share = restShares(world.views, a, rest.get(a)!, b, rest.get(b)!);
  (pairs[level] ??= []).push({ a, b, yields: aYields && bYields ? 1 : aYields ? 2 : 0, share });
  const inLevel = (members[level] ??= []);
  for (const row of [a, b]) if (!inLevel.includes(row)) inLevel.push(row);
}

/** Share of the sum of the radii of each two links by which they are apart at rest, at most 1. */
function restShares(
  { chain, particle }: Views,
  a: number,
  pointsA: Float64Array,
  b: number,
  pointsB: Float64Array,
): Float64Array {
  const n = chain.count[a]!;
  const m = chain.count[b]!;
  const shares = new Float64Array(n * m);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++) {
      const p = chain.first[a]! + i * chain.stride[a]!;
      const q = chain.first[b]! + j * chain.stride[b]!;
      const sum = particle.radius[p]! + particle.radius[q]!;
      const rest = segmentDistance(pointsA, i * 3, pointsA, i * 3 + 3, pointsB, j * 3, pointsB, j * 3 + 3);
      shares[i * m + j] = rest < sum ? rest / sum : 1;
    }
  return shares;
}

const columns = new Float64Array(9);
const rotation = new Float64Array(9);

/**
 * Root and tips of the chain at rest under the neutral pose: from its definition, for a clip may move what the particles
 * hold (`restPose: 'animated'`).
 */
function restPoints(world: World, row: number): Float64Array {
  const { chain, character } = world.views;
  const owner = chain.character[row]!;
  const rig = world.rigs[character.rig[owner]!]!;
  const { worlds } = rig.neutral;
  const definition = world.definitions.get(chain.id[row]!)!;
  const shape = { carry: chain.carry[row]!, restCurve: chain.restCurve[row]! };
  const rest = chainRest(rig.asset, rig.neutral, rig.frame, definition, shape);
  const side = neutralColumns(columns, worlds, definition.attachment);
  orthonormalise(rotation, columns);
  const root = rest.bones[0]! * 16;
  const out = new Float64Array(3 * (rest.count + 1));
  for (let r = 0; r < 3; r++) out[r] = (r === 0 ? side : 1) * worlds[root + 12 + r]!;
  for (let k = 0; k < rest.count; k++) {
    turnToBase(world.views, row, rest.directions, k * 3);
    for (let r = 0; r < 3; r++) out[3 * k + 3 + r] = out[3 * k + r]! + rest.lengths[k]! * direction[r]!;
  }
  for (let i = 0; i < out.length; i += 3) out[i] = side * out[i]!;
  return out;
}

const direction = new Float64Array(3);

/** Writes `direction`: a rest direction in the anatomical frame, u[i...], turned by `rotation`. */
function turnToBase({ chain }: Views, row: number, u: Float64Array, i: number): void {
  const f = row * 9;
  const own = [0, 0, 0];
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) own[r] = own[r]! + chain.anatomical[f + 3 * c + r]! * u[i + c]!;
  for (let r = 0; r < 3; r++)
    direction[r] = rotation[r]! * own[0]! + rotation[3 + r]! * own[1]! + rotation[6 + r]! * own[2]!;
}
