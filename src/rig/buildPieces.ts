/**
 * From drafts to the plan: joints, bones, weights and figures of every piece.
 */
import type { Asset } from '../asset/asset.js';
import { degrees, radians } from '../math/angle.js';
import type { AnatomicalFrame } from '../setup/anatomicalFrame.js';
import { chainDefaults } from '../setup/chainOptions.js';
import type { Neutral } from '../setup/neutralPose.js';
import { hangs } from '../setup/riggedForm.js';
import { chainLine, bonesFor, type ChainLine } from './chainLine.js';
import { chainWeights, collarFade, pinnedWeights, type Influence } from './chainWeights.js';
import { collarZone } from './collarZone.js';
import { idOf, type Draft } from './draft.js';
import type { DrivingBones } from './drivingBones.js';
import { freeBase, newBones } from './newBones.js';
import { newInfluences, type PointChanges } from './newInfluences.js';
import type { NewBone, PlannedPiece, RigPlan } from './plan.js';
import type { SkinGraph } from './skinGraph.js';
import { suppleness, type Suppleness } from './suppleness.js';
import type { Surface } from './surface.js';
import { boneDistances, storedInfluences, weightDistance, type BoneDistances } from './weightDistance.js';

/** What building needs to know. */
export interface BuildInput {
  asset: Asset;
  neutral: Neutral;
  surface: Surface;
  bones: DrivingBones;
  /** Height of the character. */
  height: number;
  /** Anatomical frame. */
  frame: AnatomicalFrame;
  /** 1 per trunk bone; undefined when the body was not understood. */
  trunk: Uint8Array | undefined;
}

/** Builds all pieces. */
export function buildPieces(
  input: BuildInput,
  drafts: readonly Draft[],
): Omit<RigPlan, 'surface' | 'warnings'> {
  const { asset, surface } = input;
  const taken = new Set(asset.skeleton.names);
  const bones: NewBone[] = [];
  const changes: PointChanges[] = [];
  const distances = boneDistances(input.bones);
  const pieces = drafts.map((draft, i) => {
    const built =
      draft.verdict === 'chain'
        ? buildChain(input, draft, taken, asset.skeleton.count + bones.length)
        : undefined;
    if (built !== undefined) bones.push(...built.bones);
    const change = built?.change ?? rigidChange(draft);
    if (change !== undefined) changes.push(change);
    addSegments(distances, built, asset.skeleton.count + bones.length);
    return report(input, draft, idOf(draft, i), built, change, distances);
  });
  return { pieces, bones, influences: newInfluences(asset, surface, changes) };
}

/** A chain that was built. */
interface BuiltChain {
  bones: NewBone[];
  line: ChainLine;
  change: PointChanges;
}

function buildChain(
  input: BuildInput,
  draft: Draft,
  taken: Set<string>,
  firstNumber: number,
): BuiltChain | undefined {
  const { asset, neutral, height } = input;
  const { graph } = draft;
  const line = chainLine(graph, draft, (length) => draft.joints ?? bonesFor(length, height));
  const base = freeBase(draft.kind === 'hair' || draft.kind === 'head' ? 'Hair' : 'Tail', taken);
  const bones = newBones(asset, neutral, base, draft.attachment, firstNumber, line.heads);
  if (bones === undefined) return undefined;
  for (const { name } of bones) taken.add(name);
  const numbers = Array.from({ length: line.bones }, (_, i) => firstNumber + i);
  const replaced = new Map<number, Influence[]>();
  const least = new Map<number, number>();
  for (const [i, node] of draft.nodes.entries()) {
    const point = graph.point[node]!;
    const g = line.coordinate[i]!;
    // Where two shells of the piece meet in a point, the nearer to the root counts.
    if (g >= (least.get(point) ?? Infinity)) continue;
    least.set(point, g);
    replaced.set(
      point,
      draft.pinned === undefined
        ? chainWeights(g, line.length, draft.attachment, numbers)
        : pinnedWeights(g, line.length, draft.attachment, numbers, draft.pinned),
    );
  }
  const change: PointChanges = { replaced };
  if (draft.meshes) change.meshes = draft.meshes;
  // Hair sits on the head by its pinned band.
  if (draft.pinned === undefined) {
    const points = collarZone(draft, (point) => replaced.has(point));
    const { attachment } = draft;
    const keeps = (bone: number): boolean => bone === attachment || input.trunk?.[bone] === 1;
    change.zone = { points, first: firstNumber, attachment, keeps };
    const suggested = suggestion(input, line, firstNumber, change);
    if (suggested !== undefined) bones[0]!.suggested = suggested;
  }
  return { bones, line, change };
}

/** What keeps the skin whole, as far as it differs from the usual defaults. */
function suggestion(
  { surface, frame }: BuildInput,
  { heads }: ChainLine,
  first: number,
  { replaced, zone }: PointChanges,
): NewBone['suggested'] {
  const influences = new Map<number, readonly Influence[]>(replaced);
  for (const [point, away] of zone?.points ?? []) {
    const share = collarFade(away);
    influences.set(point, [
      { bone: first, weight: share },
      { bone: -1, weight: 1 - share },
    ]);
  }
  const isHanging = hangs(frame, heads);
  const supple = inTenths(suppleness({ surface, heads, first, influences, frame }, isHanging));
  const usual = chainDefaults({
    name: '',
    attachment: -1,
    bones: [],
    end: -1,
    origin: isHanging ? 'rigged' : 'artist',
  });
  const suggested: NewBone['suggested'] = {};
  for (const option of ['limit', 'carry', 'restCurve'] as const)
    if (option === 'limit' ? supple.limit < usual.limit : supple[option] !== usual[option])
      suggested[option] = supple[option];
  return Object.keys(suggested).length > 0 ? suggested : undefined;
}

/** Angles of whole tenths of a degree, as a file holds them. */
function inTenths({ limit, carry, restCurve }: Suppleness): Suppleness {
  return { limit: radians(Math.floor(10 * degrees(limit)) / 10), carry, restCurve };
}

/** Everything to the attachment. */
function rigidChange(draft: Draft): PointChanges | undefined {
  if (draft.verdict !== 'rigid' || draft.attachment < 0) return undefined;
  const replaced = new Map<number, Influence[]>();
  for (const node of draft.nodes)
    replaced.set(draft.graph.point[node]!, [{ bone: draft.attachment, weight: 1 }]);
  return { replaced, ...(draft.meshes ? { meshes: draft.meshes } : {}) };
}

function addSegments({ added }: BoneDistances, built: BuiltChain | undefined, end: number): void {
  if (built === undefined) return;
  const first = end - built.bones.length;
  for (let i = 0; i < built.line.bones; i++) added.set(first + i, built.line.heads.slice(3 * i, 3 * i + 6));
}

function report(
  { asset, surface }: BuildInput,
  draft: Draft,
  id: string,
  built: BuiltChain | undefined,
  change: PointChanges | undefined,
  distances: BoneDistances,
): PlannedPiece {
  const points = pointsOf(draft.graph, draft.nodes);
  const before = weightDistance(distances, surface, points, (point) => storedInfluences(surface, point));
  const after =
    change === undefined
      ? before
      : weightDistance(distances, surface, points, (point) => change.replaced.get(point) ?? []);
  const failed = draft.verdict === 'chain' && built === undefined;
  const { confidence, aspect, boneRatio, flatness, lateral, kind } = draft;
  return {
    report: {
      id,
      verdict: failed ? 'left' : draft.verdict,
      kind,
      reason: failed ? 'the bind matrix of its attachment cannot be inverted' : draft.reason,
      confidence,
      vertices: points.length,
      attachment: asset.skeleton.names[draft.attachment] ?? '',
      length: built?.line.length ?? draft.length,
      joints: (built?.bones ?? []).map(({ name, head }) => ({ name, position: head })),
      aspect,
      boneRatio,
      flatness,
      lateral,
      weightDistanceBefore: before,
      weightDistanceAfter: after,
    },
    points,
    collar: pointsOf(draft.graph, draft.collar),
    heads: built?.line.heads ?? new Float64Array(0),
  };
}

function pointsOf(graph: SkinGraph, nodes: Uint32Array): Uint32Array {
  return Uint32Array.from(new Set([...nodes].map((node) => graph.point[node]!))).toSorted((a, b) => a - b);
}
