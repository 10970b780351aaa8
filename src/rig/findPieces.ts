/**
 * The pieces of a character: protrusions without bones and what becomes of them, and tails that have bones already,
 * which are named and left.
 */
import type { Asset } from '../asset/asset.js';
import { bonedChains } from './bonedChains.js';
import { ownNodes } from './collarZone.js';
import { borderOf, type Draft } from './draft.js';
import type { DrivingBones } from './drivingBones.js';
import { findProtrusions } from './protrusions.js';
import type { Roles } from './roles.js';
import type { SkinGraph } from './skinGraph.js';
import type { Surface } from './surface.js';
import { decide, isPiece, placePiece, type Body, type PlacedPiece } from './verdict.js';

/** What the search runs on. */
export interface FindInput {
  asset: Asset;
  surface: Surface;
  graph: SkinGraph;
  bones: DrivingBones;
  roles: Roles | undefined;
  body: Body;
  /** Diagonal of the skin. */
  diagonal: number;
  onProgress: (share: number, what: string) => void;
}

/** Share of the smaller piece's box that makes two chains of one joint one. */
const SAME_TAIL = 0.5;

/** Finds pieces: chains first, then rigid ones, then what is left, longest first each. */
export function findPieces(input: FindInput): Draft[] {
  const { asset, graph, bones, roles, body } = input;
  const found = findProtrusions(graph, bones, sources(input), (i, count) =>
    input.onProgress(0.3 + (0.6 * i) / count, `protrusion ${i + 1} of ${count}`),
  );
  const pieces = found.filter((piece) => isPiece(piece, input.diagonal));
  const placed = pieces.map((piece) => placePiece(bones, roles, asset.skeleton.parents, piece));
  const drafts = placed.map((one) => draftOf(input, body, one, placed));
  const order = { chain: 0, rigid: 1, left: 2 };
  return [...mergeShells(graph, drafts), ...bonedChains(input)].toSorted(
    (a, b) => order[a.verdict] - order[b.verdict] || b.length - a.length || a.nodes[0]! - b.nodes[0]!,
  );
}

/** Points whose distance shows the tips: between the rear legs, and the head; without roles the highest driving joint. */
function sources({ bones, roles }: FindInput): Float64Array[] {
  const head = (bone: number): Float64Array => bones.heads.slice(3 * bone, 3 * bone + 3);
  if (roles !== undefined)
    return roles.head >= 0 ? [roles.rearLegs.middle, head(roles.head)] : [roles.rearLegs.middle];
  const first = bones.drives.indexOf(1);
  return first < 0 ? [] : [head(first)];
}

function draftOf(
  { graph }: FindInput,
  body: Body,
  placed: PlacedPiece,
  others: readonly PlacedPiece[],
): Draft {
  const { piece, attachment, confidence, lateral } = placed;
  const decision = decide(body, placed, others);
  const isChain = decision.verdict === 'chain';
  const nodes = ownNodes(graph, isChain ? piece.withRoot : piece.nodes);
  const distances = new Map([...piece.withRoot].map((node, i) => [node, piece.fromTip[i]!]));
  const fromTip = Float64Array.from(nodes, (node) => distances.get(node)!);
  return {
    graph,
    nodes,
    collar: borderOf(graph, nodes, fromTip, piece.base - piece.collarRadius),
    collarCentre: isChain ? piece.rootCentre : piece.collarCentre,
    collarRadius: piece.collarRadius,
    radius: piece.radius,
    attachment,
    ...decision,
    confidence,
    length: piece.base,
    aspect: piece.aspect,
    boneRatio: piece.boneRatio,
    flatness: piece.flatness,
    lateral,
  };
}

/** Two shells of one tail that no bridge joined: chains at one joint whose boxes overlap by more than half. */
function mergeShells(graph: SkinGraph, drafts: readonly Draft[]): Draft[] {
  const result: Draft[] = [];
  for (const draft of drafts) {
    const same = result.find(
      (other) =>
        draft.verdict === 'chain' &&
        other.verdict === 'chain' &&
        other.attachment === draft.attachment &&
        overlap(graph, other.nodes, draft.nodes) > SAME_TAIL,
    );
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
