/**
 * Tails and hair that have bones already: named in the report and left alone. By name and form, and in skeletons without
 * names by their place: a middle chain behind the rear legs that leads to nothing else.
 */
import type { Asset } from '../asset/asset.js';
import { distance3 } from '../math/vec3.js';
import { findChains } from '../setup/findChains.js';
import { borderOf, type Draft } from './draft.js';
import type { DrivingBones } from './drivingBones.js';
import type { PieceKind } from './plan.js';
import type { Roles } from './roles.js';
import type { SkinGraph } from './skinGraph.js';
import type { Surface } from './surface.js';

/** What the survey runs on. */
interface BonedInput {
  asset: Asset;
  surface: Surface;
  graph: SkinGraph;
  bones: DrivingBones;
  roles: Roles | undefined;
}

/** Bones of an existing chain. */
interface BonedChain {
  kind: PieceKind;
  attachment: number;
  links: number[];
}

/** Lists the chains that exist. */
export function bonedChains(input: BonedInput): Draft[] {
  const { asset, surface, graph, bones } = input;
  const { names } = asset.skeleton;
  const named = findChains(asset).map(({ attachment, bones: links, origin }): BonedChain => {
    return { kind: origin === 'hair' ? 'hair' : 'boned-tail', attachment, links };
  });
  return [...named, ...unnamedTails(input, named)].map(({ kind, attachment, links }) => {
    const own = new Set(links);
    const nodes = Uint32Array.from({ length: graph.count }, (_, n) => n).filter(
      (node) => shareOf(surface, graph.point[node]!, own) > 0.5,
    );
    let length = 0;
    for (let i = 1; i < links.length; i++)
      length += distance3(bones.heads, 3 * links[i - 1]!, bones.heads, 3 * links[i]!);
    const root = 3 * links[0]!;
    return {
      graph,
      nodes,
      collar: borderOf(graph, nodes, new Float64Array(nodes.length), 0),
      collarCentre: bones.heads.slice(root, root + 3),
      collarRadius: 0,
      radius: 0,
      attachment,
      verdict: 'left',
      kind,
      reason: `has bones already: ${links.map((bone) => names[bone]!).join(' > ')}`,
      confidence: 0,
      length,
      aspect: 0,
      boneRatio: 0,
      flatness: 0,
      lateral: 0,
      fixed: 'it has bones already',
    };
  });
}

/** Middle chains that lead to no limb and no head, and end behind the rear legs. */
function unnamedTails({ asset, bones, roles }: BonedInput, named: readonly BonedChain[]): BonedChain[] {
  if (roles === undefined || roles.head < 0) return [];
  const { parents, count } = asset.skeleton;
  const known = new Set(named.flatMap(({ links }) => links));
  const head = bones.heads.subarray(3 * roles.head, 3 * roles.head + 3);
  const legs = distance3(roles.rearLegs.middle, 0, head, 0);
  const chains: BonedChain[] = [];
  for (let bone = 0; bone < count; bone++) {
    const parent = parents[bone]!;
    if (roles.bonedTail[bone] === 0 || (parent >= 0 && roles.bonedTail[parent] === 1)) continue;
    const links = [bone];
    for (let next = bone + 1; next < count; next++)
      if (roles.bonedTail[next] === 1 && links.includes(parents[next]!)) links.push(next);
    const isBehind = distance3(bones.heads, 3 * links.at(-1)!, head, 0) > legs;
    if (isBehind && !links.some((link) => known.has(link)))
      chains.push({ kind: 'boned-tail', attachment: parent, links });
  }
  return chains;
}

/** Weight of a point on some bones. */
function shareOf({ first, bones, weights }: Surface, point: number, own: ReadonlySet<number>): number {
  let sum = 0;
  for (let i = first[point]!; i < first[point + 1]!; i++) if (own.has(bones[i]!)) sum += weights[i]!;
  return sum;
}
