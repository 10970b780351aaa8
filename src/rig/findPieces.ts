/**
 * The pieces of a character: protrusions without bones and what becomes of them, and tails that have bones already,
 * which are named and left.
 */
import type { Asset } from '../asset/asset.js';
import type { Warning } from '../asset/errors.js';
import { bonedChains } from './bonedChains.js';
import { borderOf, type Draft } from './draft.js';
import type { DrivingBones } from './drivingBones.js';
import { mergeShells } from './mergeShells.js';
import { wholeShells } from './ownShells.js';
import { isBefore } from './places.js';
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
  /** Receives `too-many-tips`. */
  warnings: Warning[];
}

/** Finds pieces: chains first, then rigid ones, then what is left, longest first each. */
export function findPieces(input: FindInput): Draft[] {
  const { asset, graph, bones, roles, body } = input;
  const found = findProtrusions(
    graph,
    bones,
    sources(input),
    (i, count) => input.onProgress(0.3 + (0.6 * i) / count, `protrusion ${i + 1} of ${count}`),
    (left, count) =>
      input.warnings.push({
        code: 'too-many-tips',
        message: `${left} of ${count} places that stand out, the least of them, were not looked at`,
        at: asset.name,
      }),
  );
  const pieces = found.filter((piece) => isPiece(piece, input.diagonal));
  const placed = pieces.map((piece) => placePiece(bones, roles, asset.skeleton.parents, piece));
  const drafts = placed.map((one) => draftOf(input, body, one, placed));
  const order = { chain: 0, rigid: 1, left: 2 };
  return [...mergeShells(drafts), ...bonedChains(input)].toSorted(
    (a, b) =>
      order[a.verdict] - order[b.verdict] ||
      b.length - a.length ||
      (isBefore(graph.positions, a.nodes[0]!, b.nodes[0]!) ? -1 : 1),
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
  const nodes = decision.verdict === 'chain' ? piece.withRoot : piece.nodes;
  const whole = decision.verdict === 'left' ? undefined : wholeShells(graph, nodes, piece.base, piece.radius);
  return {
    graph,
    ...(whole ?? {
      nodes,
      collar: borderOf(graph, nodes, piece.fromTip, piece.base - piece.collarRadius),
      collarCentre: piece.collarCentre,
    }),
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
