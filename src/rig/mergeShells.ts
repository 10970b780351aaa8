/**
 * Two shells of one tail that no bridge joined (skin and fur) become one chain: pieces at the same joint whose boxes
 * overlap by more than half of the smaller and whose middles lie in each other. Two tails side by side stay two.
 */
import type { Draft } from './draft.js';
import { meanPlace } from './places.js';
import type { SkinGraph } from './skinGraph.js';

/** Share of the smaller box. */
const OVERLAP = 0.5;
/** Distance of the middles, as a share of the larger radius. */
const INSIDE = 0.5;

/** Merges chains. */
export function mergeShells(drafts: readonly Draft[]): Draft[] {
  const result: Draft[] = [];
  for (const draft of drafts) {
    const same = result.find((other) => isSameTail(other, draft));
    if (same === undefined) {
      result.push(draft);
      continue;
    }
    same.nodes = Uint32Array.from(new Set([...same.nodes, ...draft.nodes]));
    same.collar = Uint32Array.from(new Set([...same.collar, ...draft.collar]));
    same.reason += '; two shells';
  }
  return result;
}

function isSameTail(a: Draft, b: Draft): boolean {
  if (a.verdict !== 'chain' || b.verdict !== 'chain' || a.attachment !== b.attachment) return false;
  return overlap(a.graph, a.nodes, b.nodes) > OVERLAP && lieInEachOther(a, b);
}

/** Whether the other's skin around the middle of one has its centre there, too. */
function lieInEachOther(a: Draft, b: Draft): boolean {
  const { graph } = a;
  // Nodes stand by distance from the tip: a slice is a stretch of the tail.
  const count = a.nodes.length;
  const middle = meanPlace(graph, a.nodes.subarray(Math.floor(0.4 * count), Math.ceil(0.6 * count)));
  const reach = a.radius + b.radius;
  const around = b.nodes.filter((node) => {
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const off = graph.positions[3 * node + k]! - middle[k]!;
      squared += off * off;
    }
    return squared <= reach * reach;
  });
  if (around.length === 0) return false;
  const other = meanPlace(graph, around);
  let squared = 0;
  for (let k = 0; k < 3; k++) squared += (other[k]! - middle[k]!) * (other[k]! - middle[k]!);
  return Math.sqrt(squared) < INSIDE * Math.max(a.radius, b.radius);
}

/** Volume that two boxes share over that of the smaller. */
function overlap(graph: SkinGraph, a: Uint32Array, b: Uint32Array): number {
  const [p, q] = [boxOf(graph, a), boxOf(graph, b)];
  let shared = 1;
  let [own, other] = [1, 1];
  for (let k = 0; k < 3; k++) {
    shared *= Math.max(0, Math.min(p[k + 3]!, q[k + 3]!) - Math.max(p[k]!, q[k]!));
    own *= p[k + 3]! - p[k]!;
    other *= q[k + 3]! - q[k]!;
  }
  return shared / Math.min(own, other);
}

function boxOf({ positions }: SkinGraph, nodes: Uint32Array): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const node of nodes)
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k]!, positions[3 * node + k]!);
      box[k + 3] = Math.max(box[k + 3]!, positions[3 * node + k]!);
    }
  return box;
}
