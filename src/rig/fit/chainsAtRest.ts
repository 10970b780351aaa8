/**
 * Chains as they rest (docs/solver.md, "Rest"): the links that colliders must leave where they are, how far each chain
 * reaches, and what it means for it to be pushed.
 */
import type { Asset, ChainDefinition } from '../../asset/asset.js';
import { rotateVec3 } from '../../math/quat.js';
import type { AnatomicalFrame } from '../../setup/anatomicalFrame.js';
import { chainDefaults } from '../../setup/chainOptions.js';
import { chainRest } from '../../setup/chainRest.js';
import { meanColumnLength, neutralColumns } from '../../setup/columns3.js';
import type { Neutral } from '../../setup/neutralPose.js';
import { linkGap, pointGap, type Proxy } from './proxy.js';

/** A chain at rest. */
export interface RestingChain {
  definition: ChainDefinition;
  /** Index among the springs, -1 for none. */
  spring: number;
  /** Head of link 0, tip of link 0, tip of link 1, ... World, bind pose. */
  points: Float64Array[];
  /** Radius of each link. */
  radii: number[];
  /** Length of each link. */
  lengths: number[];
  /** Sum of the lengths. */
  length: number;
  /** Whether each link's bone moves skin; all true in a file without skin. */
  hasSkin: boolean[];
}

/**
 * Puts chains to rest.
 *
 * @param springs - how many of the chains are springs; they come first
 * @param weights - skin weight per bone
 * @param unit - file units per metre
 */
export function chainsAtRest(
  asset: Asset,
  neutral: Neutral,
  frame: AnatomicalFrame,
  chains: readonly ChainDefinition[],
  springs: number,
  weights: Float64Array,
  unit: number,
): RestingChain[] {
  const bare = asset.skins.length === 0;
  return chains.map((definition, i) => {
    const { carry, restCurve, radius } = chainDefaults(definition);
    const rest = chainRest(asset, neutral, frame, definition, { carry, restCurve });
    const first = definition.bones[0]!;
    const points = [neutral.worlds.slice(16 * first + 12, 16 * first + 15)];
    const way = new Float64Array(3);
    for (let link = 0; link < rest.count; link++) {
      rotateVec3(way, 0, frame.rotation, 0, rest.directions, 3 * link);
      points.push(points[link]!.map((value, k) => value + rest.lengths[link]! * way[k]!));
    }
    const bones = [...rest.bones];
    return {
      definition,
      spring: i < springs ? i : -1,
      points,
      radii: bones.map((bone) => {
        const joint = definition.joints?.[definition.bones.indexOf(bone)];
        return joint ? joint.hitRadius * scaleOf(neutral, definition.attachment) : radius * unit;
      }),
      lengths: [...rest.lengths],
      length: rest.lengths.reduce((sum, value) => sum + value, 0),
      hasSkin: bones.map(
        (bone) => bare || weights[bone]! > 0 || asset.meshes.some((mesh) => mesh.bone === bone),
      ),
    };
  });
}

const columns = new Float64Array(9);

/** Scale of what a chain hangs from, by which its hit radii grow, as in the solver. */
function scaleOf({ worlds }: Neutral, attachment: number): number {
  neutralColumns(columns, worlds, attachment);
  return meanColumnLength(columns);
}

/** Whether a chain can come to a proxy at all: the ball of its length around its root. */
export function reaches(chain: RestingChain, proxy: Proxy): boolean {
  return (
    chain.lengths.length > 0 &&
    pointGap(proxy, chain.points[0]!, 0) <= chain.length + Math.max(...chain.radii)
  );
}

/**
 * How deep a chain at rest lies in a proxy: what contact would push it by. Below 0: the least distance.
 *
 * @param tipOnly - only the ends of links are tested
 */
export function depthAtRest({ points, radii }: RestingChain, proxy: Proxy, tipOnly: boolean): number {
  let deepest = -Infinity;
  for (const [link, radius] of radii.entries()) {
    const head = points[link]!;
    const tip = points[link + 1]!;
    // A head inside is not this link's to turn out: the solver looks at the tip alone on the first link, and no deeper
    // than the surface allows on others.
    const isHeadIn = pointGap(proxy, head, 0) - radius < 0;
    const gap = tipOnly || isHeadIn ? pointGap(proxy, tip, 0) : linkGap(proxy, head, tip);
    deepest = Math.max(deepest, radius - gap);
  }
  return deepest;
}

/** Distance of the root of a chain to the surface of a proxy. */
export function rootGap({ points }: RestingChain, proxy: Proxy): number {
  return pointGap(proxy, points[0]!, 0);
}

/** Longest link whose bone moves skin; 0 when none does. */
export function longestSeen({ lengths, hasSkin }: RestingChain): number {
  return lengths.reduce((most, length, link) => (hasSkin[link]! ? Math.max(most, length) : most), 0);
}

/**
 * How deep the middle of a link can lie in a proxy while both its ends are outside: its sagitta over the ball, the whole
 * radius when the link is longer than the ball is thick.
 */
export function sagitta(proxy: Proxy, link: number): number {
  // Of all balls of the capsule the one as thick as the link is long lets it in deepest.
  const [thin, thick] = proxy.ra < proxy.rb ? [proxy.ra, proxy.rb] : [proxy.rb, proxy.ra];
  const half = link / 2;
  const radius = half < thin ? thin : half > thick ? thick : half;
  return link >= 2 * radius ? radius : radius - Math.sqrt(radius * radius - (link * link) / 4);
}
