/**
 * A piece between finding and planning: which nodes it holds, where it hangs, what was decided. Tails and hair come in
 * this form, so both are built by the same steps.
 */
import type { PieceKind, Verdict } from './plan.js';
import type { SkinGraph } from './skinGraph.js';

/** A piece with a verdict, not yet built. */
export interface Draft {
  /** Id where it is not the number of the piece. */
  id?: string;
  /** Graph that the nodes belong to. */
  graph: SkinGraph;
  /** Nodes of the graph. */
  nodes: Uint32Array;
  /** Those at the border, where a chain begins. */
  collar: Uint32Array;
  /** Centre of the border ring, world. */
  collarCentre: Float64Array;
  /** Its radius. */
  collarRadius: number;
  /** Median radius of the piece. */
  radius: number;
  /** Bone from which it hangs, -1 for none. */
  attachment: number;
  verdict: Verdict;
  kind: PieceKind;
  reason: string;
  /** Figures for the report. */
  confidence: number;
  length: number;
  aspect: number;
  boneRatio: number;
  flatness: number;
  lateral: number;
  /** Bones of the chain; undefined: by its length. */
  joints?: number;
  /** Share of the length at the root that stays with the attachment alone (hair). */
  pinned?: number;
  /** Meshes that may change, default all. */
  meshes?: ReadonlySet<number>;
  /** Why the verdict may not be forced, undefined when it may. */
  fixed?: string;
}

/**
 * The border ring of a piece: nodes with a neighbour of the same shell outside of it. Where whole shells make up the
 * piece, those near its base that a bridge connects to the body, else those farthest from the tip.
 *
 * @param fromTip - distance from the tip per entry of `nodes`
 * @param near - distance from the tip from which a node may count as near the base
 */
export function borderOf(
  graph: SkinGraph,
  nodes: Uint32Array,
  fromTip: ArrayLike<number>,
  near: number,
): Uint32Array {
  const inside = new Uint8Array(graph.count);
  for (const node of nodes) inside[node] = 1;
  const hasNeighbour = (node: number, sameShell: boolean): boolean => {
    for (let e = graph.first[node]!; e < graph.first[node + 1]!; e++) {
      const other = graph.neighbours[e]!;
      if (inside[other] === 0 && (!sameShell || graph.shellOf[other] === graph.shellOf[node])) return true;
    }
    return false;
  };
  const ring = nodes.filter((node) => hasNeighbour(node, true));
  if (ring.length > 0) return ring;
  const bridged = nodes.filter((node, i) => fromTip[i]! >= near && hasNeighbour(node, false));
  if (bridged.length > 0) return bridged;
  let farthest = 0;
  for (let i = 0; i < nodes.length; i++) farthest = Math.max(farthest, fromTip[i]!);
  return nodes.filter((_, i) => fromTip[i]! >= 0.95 * farthest);
}

/** Id of the piece at an index. */
export function idOf(draft: Draft, index: number): string {
  return draft.id ?? `piece${index + 1}`;
}
