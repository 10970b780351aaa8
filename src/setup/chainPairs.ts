/**
 * Pairs of chains that stay out of each other: of one character and level, and asked for by the mask of at least one
 * (docs/solver.md, "Chains against chains"). Links that touch each other at rest may stand as near as they do there.
 */
import type { Views } from '../components/stores.js';
import { neutralColumns, orthonormalise } from './columns3.js';
import { segmentDistance } from './segments.js';
import { planesPerLink, planeSize, type Meeting } from './meeting.js';
import type { World } from './world.js';

/** The pairs of a world's chains, undefined where no chain asks for any. */
export function meetingOf(world: World, chains: readonly number[]): Meeting | undefined {
  const { chain, particle } = world.views;
  if (!chains.some((row) => chain.chainMask[row]! !== 0)) return undefined;
  const meeting: Meeting = {
    pairs: [],
    members: [],
    tips: new Float64Array(particle.id.length * 3),
    roots: new Float64Array(chain.id.length * 3),
    balls: new Float64Array(chain.id.length * 4),
    counts: new Uint8Array(particle.id.length),
    planes: new Float64Array(particle.id.length * planesPerLink * planeSize),
  };
  chains.forEach((a, i) => {
    for (const b of chains.slice(i + 1)) {
      const aYields = (chain.chainMask[a]! & chain.groups[b]!) !== 0;
      const bYields = (chain.chainMask[b]! & chain.groups[a]!) !== 0;
      const level = chain.level[a]!;
      if (chain.character[a] !== chain.character[b] || chain.level[b] !== level || !(aYields || bYields))
        continue;
      const yields = aYields && bYields ? 1 : aYields ? 2 : 0;
      (meeting.pairs[level] ??= []).push({ a, b, yields, apart: restDistances(world, a, b) });
      const members = (meeting.members[level] ??= []);
      for (const row of [a, b]) if (!members.includes(row)) members.push(row);
    }
  });
  return meeting;
}

/** Sum of the radii of each two links, or how far apart they are at rest if that is less. */
function restDistances(world: World, a: number, b: number): Float64Array {
  const { chain, particle } = world.views;
  const pointsA = restPoints(world, a);
  const pointsB = restPoints(world, b);
  const n = chain.count[a]!;
  const m = chain.count[b]!;
  const apart = new Float64Array(n * m);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++) {
      const p = chain.first[a]! + i * chain.stride[a]!;
      const q = chain.first[b]! + j * chain.stride[b]!;
      const sum = particle.radius[p]! + particle.radius[q]!;
      const rest = segmentDistance(pointsA, i * 3, pointsA, i * 3 + 3, pointsB, j * 3, pointsB, j * 3 + 3);
      apart[i * m + j] = rest < sum ? rest : sum;
    }
  return apart;
}

const columns = new Float64Array(9);
const rotation = new Float64Array(9);

/** Root and tips of the chain at rest under the neutral pose. */
function restPoints(world: World, row: number): Float64Array {
  const { chain, character, particle } = world.views;
  const owner = chain.character[row]!;
  const { worlds } = world.rigs[character.rig[owner]!]!.neutral;
  const firstBone = character.firstBone[owner]!;
  const attachment = chain.attachment[row]! - firstBone;
  const side = neutralColumns(columns, worlds, attachment);
  orthonormalise(rotation, columns);
  const root = (particle.bone[chain.first[row]!]! - firstBone) * 16;
  const out = new Float64Array(3 * (chain.count[row]! + 1));
  for (let r = 0; r < 3; r++) out[r] = (r === 0 ? side : 1) * worlds[root + 12 + r]!;
  for (let k = 0; k < chain.count[row]!; k++) {
    const p = chain.first[row]! + k * chain.stride[row]!;
    turnToBase(world.views, row, p);
    for (let r = 0; r < 3; r++) out[3 * k + 3 + r] = out[3 * k + r]! + particle.length[p]! * direction[r]!;
  }
  for (let i = 0; i < out.length; i += 3) out[i] = side * out[i]!;
  return out;
}

const direction = new Float64Array(3);

/** Writes `direction`: the rest direction of the link in row p, turned by `rotation`. */
function turnToBase({ chain, particle }: Views, row: number, p: number): void {
  const f = row * 9;
  const own = [0, 0, 0];
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++)
      own[r] = own[r]! + chain.anatomical[f + 3 * c + r]! * particle.direction[p * 3 + c]!;
  for (let r = 0; r < 3; r++)
    direction[r] = rotation[r]! * own[0]! + rotation[3 + r]! * own[1]! + rotation[6 + r]! * own[2]!;
}
