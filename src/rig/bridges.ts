/**
 * Bridges between shells of the skin, so that a geodesic can pass from one to the other where they touch (a limb
 * stuck into a trunk) or lie on each other (fur over skin), and nowhere else (docs/rigging.md, "Shells and bridges").
 */
import { joinLoose } from './joinLoose.js';
import { nearestInTree, visitReaching, type Nearest } from './kdTree.js';
import { boxDistance, surveyShells, type Shells } from './shellSurvey.js';
import type { Bridge, SkinGraph } from './skinGraph.js';

/** A contact bridge may be this many times as long as the shortest gap between its two shells ... */
const CONTACT_GAP = 1.5;
/** ... plus this share of the local edge length. */
const CONTACT_EDGE = 0.5;
/** Contacts are looked for within this many local edge lengths. */
const CONTACT_REACH = 2;
/** Longest layer bridge, as a share of the thickness of the thinner shell. */
const LAYER_GAP = 0.4;
/** Least cosine between the normals at the ends of a layer bridge. */
const LAYER_NORMALS = 0.5;
/** Least cosine between a layer bridge and the normal: without it an upright tail gets short-cuts to the back. */
const LAYER_ALONG = 0.7;

/**
 * Finds the bridges of a graph that has none yet.
 *
 * @param join - whether loose shells are joined as well
 */
export function bridgeShells(graph: SkinGraph, join: boolean): Bridge[] {
  if (graph.shells < 2) return [];
  const shells = surveyShells(graph);
  const bridges = nearbyPairs(shells);
  if (join) for (const bridge of joinLoose(shells, bridges)) bridges.push(bridge);
  return bridges;
}

/** Bridges of every pair of shells that come near each other: from every node to the nearest of the other within reach. */
function nearbyPairs(shells: Shells): Bridge[] {
  const bridges: Bridge[] = [];
  const { edge } = shells;
  for (const [a, b] of overlapping(shells)) {
    const candidates: Bridge[] = [];
    addCandidates(shells, a, b, candidates);
    addCandidates(shells, b, a, candidates);
    let least = Infinity;
    for (const { length } of candidates) least = Math.min(least, length);
    for (const bridge of candidates) {
      const isContact = bridge.length <= CONTACT_GAP * least + CONTACT_EDGE * edge[bridge.from]!;
      bridge.layer = isLayer(shells, bridge.from, bridge.to, bridge.length);
      if (isContact || bridge.layer) bridges.push(bridge);
    }
  }
  return bridges;
}

const found: Nearest = { point: -1, squared: 0 };

/** For every node of a shell the nearest node of another within reach. */
function addCandidates(shells: Shells, from: number, to: number, candidates: Bridge[]): void {
  const { graph, forest, first, boxes, edge, thickness, widest } = shells;
  // Layers are looked for from the thinner shell only.
  const layer = thickness[from]! <= thickness[to]! ? LAYER_GAP * thickness[from]! : 0;
  const reaches = { of: edge, largest: widest, scale: CONTACT_REACH, least: layer };
  visitReaching(forest, first[from]!, first[from + 1]!, boxes, 6 * to, reaches, (node, reach) => {
    const x = graph.positions[3 * node]!;
    const y = graph.positions[3 * node + 1]!;
    const z = graph.positions[3 * node + 2]!;
    if (boxDistance(boxes, to, x, y, z) > reach) return;
    found.point = -1;
    found.squared = reach * reach * (1 + 1e-12);
    nearestInTree(forest, first[to]!, first[to + 1]!, x, y, z, found);
    if (found.point >= 0)
      candidates.push({ from: node, to: found.point, length: Math.sqrt(found.squared), layer: false });
  });
}

/** Pairs of shells whose boxes come within reach of each other, by the lower, then the higher number. */
function overlapping({ graph, boxes, thickness, longest }: Shells): [number, number][] {
  const grown = new Float64Array(boxes.length);
  for (let s = 0; s < graph.shells; s++) {
    const margin = Math.max(CONTACT_REACH * longest[s]!, LAYER_GAP * thickness[s]!);
    for (let k = 0; k < 3; k++) {
      grown[6 * s + k] = boxes[6 * s + k]! - margin;
      grown[6 * s + 3 + k] = boxes[6 * s + 3 + k]! + margin;
    }
  }
  const order = Array.from({ length: graph.shells }, (_, s) => s).toSorted(
    (a, b) => grown[6 * a]! - grown[6 * b]! || a - b,
  );
  const pairs: [number, number][] = [];
  for (const [i, a] of order.entries())
    for (let j = i + 1; j < order.length; j++) {
      const b = order[j]!;
      if (grown[6 * b]! > grown[6 * a + 3]!) break;
      if (
        grown[6 * b + 1]! <= grown[6 * a + 4]! &&
        grown[6 * a + 1]! <= grown[6 * b + 4]! &&
        grown[6 * b + 2]! <= grown[6 * a + 5]! &&
        grown[6 * a + 2]! <= grown[6 * b + 5]!
      )
        pairs.push([Math.min(a, b), Math.max(a, b)]);
    }
  return pairs.toSorted((p, q) => p[0] - q[0] || p[1] - q[1]);
}

/** Whether two nodes lie on each other: close, normals alike, the gap along the normal. */
function isLayer({ graph, thickness, normals }: Shells, from: number, to: number, gap: number): boolean {
  const thin = Math.min(thickness[graph.shellOf[from]!]!, thickness[graph.shellOf[to]!]!);
  if (gap > LAYER_GAP * thin) return false;
  const [a, b] = [3 * from, 3 * to];
  let alike = 0;
  let along = 0;
  for (let k = 0; k < 3; k++) {
    alike += normals[a + k]! * normals[b + k]!;
    along += normals[a + k]! * (graph.positions[b + k]! - graph.positions[a + k]!);
  }
  return alike > LAYER_NORMALS && (gap === 0 || Math.abs(along) > LAYER_ALONG * gap);
}
