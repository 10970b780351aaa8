/**
 * A tuft or ponytail that the caller names (docs/rigging.md, "Hair"). A strand that is an island of its
 * own is traced from the band where it sits on the head; in a head of hair the strand that stands out farthest is cut
 * off where it flares into the rest.
 */
import type { Asset } from '../asset/asset.js';
import { FollowthroughError, type Warning } from '../asset/errors.js';
import { isHeadName } from '../setup/boneNames.js';
import { nearestNames } from '../setup/nearestNames.js';
import { borderOf, type Draft } from './draft.js';
import type { DrivingBones } from './drivingBones.js';
import { createGeodesic, settleTo, startAt, type Geodesic } from './geodesic.js';
import { hairHead, type HairHead } from './hairHead.js';
import { findIslands, graphOfMeshes, namedMeshes, type Island } from './hairIslands.js';
import type { HairOption } from './options.js';
import { meanPlace } from './places.js';
import { protrusionOf, type Protrusion } from './protrusions.js';
import type { Roles } from './roles.js';
import type { SkinGraph } from './skinGraph.js';
import type { Surface } from './surface.js';
import { sweepFrom } from './sweep.js';
import { findBranches, PERSISTENCE } from './tips.js';

/** What the search for hair runs on. */
export interface HairInput {
  asset: Asset;
  surface: Surface;
  bones: DrivingBones;
  roles: Roles | undefined;
  hair: HairOption;
  /** Height of the character. */
  height: number;
  warnings: Warning[];
}

/** Share of the length around the seed that may belong to the root band ... */
const ROOT_LENGTH = 0.1;
/** ... if it is as close to the head's skin as the seed, within this share. */
const ROOT_GAP = 0.05;
/** Share of the length that stays with the head alone. */
const PINNED = 0.05;
/** A sweep that takes in this share of the island has found it to be one strand. */
const WHOLE = 0.9;
/** Distance from the head, as a share of the length, beyond which an island does not sit on it. */
const FAR = 0.5;
/** Fewest points of a strand. */
const POINTS = 8;
/** Least length over radius of a strand. */
const STRAND = 2;
/** Width of the bins of a sweep, as a share of the height: finer ones trip over the points at the end of a strand. */
const STEP = 0.006;
/** Least distance of a tip from where the hair sits, as a share of its strand: strands run away from the head. */
const AWAY = 0.5;

/** Finds the strand of one hair option; the other islands of its name are listed and left. */
export function findHair(input: HairInput): Draft[] {
  const { asset, surface, hair } = input;
  const attach = attachBone(input);
  const meshes = namedMeshes(asset, hair.name);
  const graph = graphOfMeshes(asset, surface, meshes);
  const islands = findIslands(graph);
  if (hair.island !== undefined && islands[hair.island] === undefined)
    throw new FollowthroughError(
      'unknown-name',
      `hair ${hair.name}: there is no island ${hair.island}; it has ${islands.length}, from 0`,
    );
  const hairPoints = new Set([...meshes].flatMap((m) => [...surface.pointOf[m]!]));
  const isHair = (point: number): boolean => hairPoints.has(point);
  const head = hairHead(surface, input.bones, asset.skeleton.parents, graph, isHair, attach);
  const drafts = islands.map((island) => strandOf(input, graph, island, head, attach, meshes));
  const chosen = hair.island ?? longest(drafts);
  if (hair.island === undefined && islands.length > 1)
    input.warnings.push({
      code: 'hair-islands',
      message: `${hair.name} has ${islands.length} islands; the longest strand is taken: ${hair.name}#${chosen}`,
      at: hair.name,
    });
  for (const [i, draft] of drafts.entries()) {
    if (i === chosen || draft.verdict === 'left') continue;
    draft.verdict = 'left';
    draft.reason = `not asked for; --hair ${draft.id!} takes it`;
  }
  // The one that was asked for first.
  return drafts.toSorted((a, b) => Number(b === drafts[chosen]) - Number(a === drafts[chosen]));
}

function longest(drafts: readonly Draft[]): number {
  let best = 0;
  for (const [i, { length, verdict }] of drafts.entries()) {
    const better = drafts[best]!.verdict === 'left' || length > drafts[best]!.length;
    if (verdict !== 'left' && better) best = i;
  }
  return best;
}

function attachBone({ asset, roles, hair }: HairInput): number {
  const { names } = asset.skeleton;
  if (hair.attach !== undefined) {
    const bone = names.indexOf(hair.attach);
    if (bone >= 0) return bone;
    const near = nearestNames(hair.attach, names);
    const hint = near.length > 0 ? `; nearest: ${near.join(', ')}` : '';
    throw new FollowthroughError(
      'unknown-name',
      `hair ${hair.name}: no bone is called '${hair.attach}'${hint}`,
    );
  }
  const head = roles !== undefined && roles.head >= 0 ? roles.head : names.findIndex(isHeadName);
  if (head >= 0) return head;
  throw new FollowthroughError(
    'unknown-name',
    `hair ${hair.name}: no head was found among the bones: name the bone from which it hangs (attach)`,
  );
}

/** The strand of an island. */
function strandOf(
  input: HairInput,
  graph: SkinGraph,
  island: Island,
  head: HairHead,
  attach: number,
  meshes: ReadonlySet<number>,
): Draft {
  const { asset, surface, hair } = input;
  const seed = island.nodes.reduce((best, node) =>
    head.distance[node]! < head.distance[best]! ? node : best,
  );
  const geodesic = createGeodesic(graph);
  startAt(geodesic, seed);
  settleTo(geodesic, Infinity);
  const length = geodesic.distance[geodesic.order[geodesic.count - 1]!]!;
  const root = rootBand(geodesic, island, head.distance, seed, length);
  const strand = longestStrand(geodesic, head.segments, length, STEP * input.height);
  const isWhole = strand.nodes.length >= WHOLE * island.nodes.length;
  const nodes = isWhole ? island.nodes : strand.nodes;
  const collar = isWhole ? root : borderOf(graph, nodes, strand.fromTip, strand.base - strand.collarRadius);
  const draft: Draft = {
    id: `${hair.name}#${island.index}`,
    graph,
    nodes,
    collar,
    collarCentre: isWhole ? meanPlace(graph, collar) : strand.collarCentre,
    collarRadius: strand.collarRadius,
    radius: strand.radius,
    attachment: attach,
    verdict: 'chain',
    kind: 'hair',
    reason: isWhole
      ? `a strand of its own, traced from its band on ${asset.skeleton.names[attach]!}`
      : `the strand that stands out of ${hair.name}, cut off where it runs into the rest`,
    confidence: 1,
    length: isWhole ? length : strand.base,
    aspect: strand.aspect,
    boneRatio: strand.boneRatio,
    flatness: strand.flatness,
    lateral: 0,
    pinned: PINNED,
    meshes,
    ...(hair.joints === undefined ? {} : { joints: hair.joints }),
  };
  const share = weightOnOwnBones(surface, graph, nodes, asset.skeleton.parents, attach);
  if (head.distance[seed]! > FAR * length)
    leave(
      draft,
      `not on ${asset.skeleton.names[attach]!}: its nearest point is ${(head.distance[seed]! / length).toFixed(1)} lengths away`,
    );
  else if (strand.aspect < STRAND || nodes.length < POINTS)
    leave(draft, `no strand: ${strand.aspect.toFixed(1)} times as long as its radius`);
  else if (share > 0.5)
    leave(draft, `has bones already: ${(100 * share).toFixed(0)}% of its weight lies on bones of its own`);
  return draft;
}

function leave(draft: Draft, reason: string): void {
  draft.verdict = 'left';
  draft.reason = reason;
  draft.confidence = 0;
}

/** Nodes near the seed that sit as close to the head as it does. */
function rootBand(
  { distance }: Geodesic,
  { nodes }: Island,
  head: Float64Array,
  seed: number,
  length: number,
): Uint32Array {
  return nodes.filter(
    (node) => distance[node]! <= ROOT_LENGTH * length && head[node]! <= head[seed]! + ROOT_GAP * length,
  );
}

/**
 * Sweeps from every tip of an island against the head and keeps the longest strand.
 *
 * @param field - distances from where the hair sits
 */
function longestStrand(field: Geodesic, segments: Float64Array, length: number, step: number): Protrusion {
  const { tips } = findBranches(field, PERSISTENCE * length);
  const geodesic = createGeodesic(field.graph);
  let best: Protrusion | undefined;
  let bestIsStrand = false;
  for (const { node, persistence } of tips) {
    const sweep = sweepFrom({ geodesic, tip: node, step, reach: persistence, segments });
    const strand = protrusionOf(geodesic, sweep);
    const isStrand = strand.aspect >= STRAND && field.distance[node]! >= AWAY * strand.base;
    if (best !== undefined && (isStrand === bestIsStrand ? strand.base <= best.base : bestIsStrand)) continue;
    best = strand;
    bestIsStrand = isStrand;
  }
  return best!;
}

/** Mean weight of a strand on bones below its attachment that move little else: bones of its own. */
function weightOnOwnBones(
  { count, first, bones, weights }: Surface,
  graph: SkinGraph,
  nodes: Uint32Array,
  parents: Int32Array,
  top: number,
): number {
  const isBelow = new Uint8Array(parents.length);
  for (let bone = 0; bone < parents.length; bone++)
    if (parents[bone] === top || (parents[bone]! >= 0 && isBelow[parents[bone]!] === 1)) isBelow[bone] = 1;
  const inStrand = new Uint8Array(count);
  for (const node of nodes) inStrand[graph.point[node]!] = 1;
  const here = new Float64Array(parents.length);
  const everywhere = new Float64Array(parents.length);
  let points = 0;
  for (let point = 0; point < count; point++) {
    points += inStrand[point]!;
    for (let i = first[point]!; i < first[point + 1]!; i++) {
      everywhere[bones[i]!]! += weights[i]!;
      if (inStrand[point] === 1) here[bones[i]!]! += weights[i]!;
    }
  }
  let sum = 0;
  for (let bone = 0; bone < parents.length; bone++)
    if (isBelow[bone] === 1 && here[bone]! > 0.5 * everywhere[bone]!) sum += here[bone]!;
  return points > 0 ? sum / points : 0;
}
