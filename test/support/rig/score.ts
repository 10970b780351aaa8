/**
 * How good a plan is, by definitions of the task and not by the pass' own code: which vertices it takes for the tail,
 * how far the true joints lie from the new line, how far skin lies from the bones that move it.
 */
import type { Asset } from '../../../src/index.js';
import type { PlannedPiece, RigPlan } from '../../../src/rig/plan.js';
import { add, len, sub, type V3 } from '../referenceMath.js';
import type { TailTruth } from './ablate.js';
import { bindPose, transformed, worldVertices } from './bind.js';
import { plannedWeights } from './naive.js';
import {
  areaOf,
  inTriangle,
  lineLength,
  placeOn,
  pointIn,
  sectionsAlong,
  type Sections,
} from './sections.js';
import { boneSegments, segmentDistance, type Segment } from './segments.js';

/** Weight of every vertex on new bones, per mesh. */
export function newWeights(asset: Asset, plan: RigPlan): number[][] {
  const weights = asset.meshes.map(({ positions }) => Array.from({ length: positions.length / 3 }, () => 0));
  for (const { mesh, vertices, influences, bones, weights: w } of plan.influences)
    vertices.forEach((v, i) => {
      for (let k = i * influences; k < (i + 1) * influences; k++)
        if (bones[k]! >= asset.skeleton.count) weights[mesh]![v]! += w[k]!;
    });
  return weights;
}

/** The vertices that the plan gives to new bones by more than half, per mesh. */
export function foundVertices(asset: Asset, plan: RigPlan): boolean[][] {
  return newWeights(asset, plan).map((list) => list.map((w) => w > 0.5));
}

export interface Hit {
  /** Share of the vertices with an old tail weight of 0.5 and more that were found. */
  recall: number;
  /** Share of the found vertices that had any tail weight. */
  precision: number;
  /** Number of vertices found. */
  found: number;
}

/** Compares found vertices with the tail weight that each vertex has in truth, per mesh. */
export function hitOf(found: readonly boolean[][], tail: readonly (readonly number[])[]): Hit {
  let [number, right, tailSkin, hit] = [0, 0, 0, 0];
  found.forEach((list, m) =>
    list.forEach((is, v) => {
      const weight = tail[m]![v]!;
      if (is) number++;
      if (is && weight > 0) right++;
      if (weight >= 0.5) tailSkin++;
      if (is && weight >= 0.5) hit++;
    }),
  );
  return { recall: hit / tailSkin, precision: number === 0 ? 0 : right / number, found: number };
}

/** Old tail weight per mesh and vertex; unskinned meshes have none. */
export function tailWeights(asset: Asset, truth: TailTruth): number[][] {
  let next = 0;
  return asset.meshes.map(({ skin, positions }) => {
    const weights = Array.from({ length: positions.length / 3 }, () => 0);
    if (skin >= 0) for (const [v, w] of truth.primitives[next++]!.tail) weights[v] = w;
    return weights;
  });
}

/** Places of the removed joints in the world. */
function truthLine(asset: Asset, truth: TailTruth): V3[] {
  const { skinToWorld } = bindPose(asset);
  return truth.tailJoints.map(({ bindPosition }) => transformed(skinToWorld[0]!, bindPosition));
}

/** Heads of a chain, root to end. */
export function headsOf(piece: PlannedPiece): V3[] {
  return Array.from({ length: piece.heads.length / 3 }, (_, i): V3 => [
    piece.heads[3 * i]!,
    piece.heads[3 * i + 1]!,
    piece.heads[3 * i + 2]!,
  ]);
}

/** Pieces that became chains. */
export const chainsOf = (plan: RigPlan): PlannedPiece[] =>
  plan.pieces.filter(({ report }) => report.verdict === 'chain');

/** Corners in the world of all triangles whose three vertices are chosen. */
function chosenCorners(asset: Asset, chosen: readonly (readonly boolean[])[]): V3[] {
  const pose = bindPose(asset);
  return asset.meshes.flatMap(({ skin, indices }, m) => {
    if (skin < 0) return [];
    const places = worldVertices(asset, pose, m);
    const corners: V3[] = [];
    for (let t = 0; t + 2 < indices.length; t += 3) {
      const three = [indices[t]!, indices[t + 1]!, indices[t + 2]!];
      if (three.every((v) => chosen[m]![v])) corners.push(...three.map((v) => places[v]!));
    }
    return corners;
  });
}

/** Sections of the chosen skin along a line. */
export function sectionsOf(
  asset: Asset,
  chosen: readonly (readonly boolean[])[],
  line: readonly V3[],
): Sections {
  return sectionsAlong(line, chosenCorners(asset, chosen), lineLength(line) / 40);
}

/** Distances of the removed joints, the first left out, from the new line, in radii of the true skin around them. */
export function jointErrors(asset: Asset, truth: TailTruth, heads: readonly V3[]): number[] {
  const line = truthLine(asset, truth);
  const before = line.at(-2) ?? line[0]!;
  // The last bone ends somewhere beyond its head: half the bone before it, so that its skin has a place to go.
  const longer = [...line, add(line.at(-1)!, sub(line.at(-1)!, before))];
  const tail = tailWeights(asset, truth).map((list) => list.map((w) => w >= 0.5));
  const sections = sectionsOf(asset, tail, longer);
  return line
    .slice(1)
    .map((joint) => placeOn(heads, joint).distance / sections.radiusAt(placeOn(longer, joint).along));
}

/** Weighted distance of skin from the bones that move it. */
export interface DriveDistance {
  /** In section radii, before and after the plan. */
  before: number;
  after: number;
  /** In world units. */
  beforeWorld: number;
  afterWorld: number;
}

/** Mean by area over the skin that new bones own, weights between vertices as the surface has them. */
export function driveDistance(asset: Asset, plan: RigPlan, piece: PlannedPiece): DriveDistance {
  const pose = bindPose(asset);
  const heads = headsOf(piece);
  const found = foundVertices(asset, plan);
  const sections = sectionsOf(asset, found, heads);
  const old = segmentsByBone(boneSegments(asset, pose));
  const all = new Map([...old, ...newSegments(asset, plan)]);
  let [before, after, radius, area] = [0, 0, 0, 0];
  asset.meshes.forEach((mesh, m) => {
    const planned = plannedWeights(plan, m);
    if (planned.size === 0) return;
    const places = worldVertices(asset, pose, m);
    for (let t = 0; t < mesh.indices.length; t += 3) {
      const three = [...mesh.indices.subarray(t, t + 3)];
      if (!three.every((v) => found[m]![v])) continue;
      const [a, b, c] = three.map((v) => places[v]!) as [V3, V3, V3];
      const size = areaOf(a, b, c);
      const oldWeights = three.map((v) => storedWeights(asset, m, v));
      for (const place of inTriangle) {
        const p = pointIn(a, b, c, place);
        const shares = [1 - place[0] - place[1], ...place];
        radius += size * sections.radiusAt(placeOn(heads, p).along);
        area += size;
        three.forEach((v, k) => {
          const share = size * shares[k]!;
          for (const [bone, w] of oldWeights[k]!) before += share * w * boneDistance(old, bone, p);
          for (const [bone, w] of planned.get(v)!) after += share * w * boneDistance(all, bone, p);
        });
      }
    }
  });
  return {
    before: before / radius,
    after: after / radius,
    beforeWorld: before / area,
    afterWorld: after / area,
  };
}

/** Normalised weights of a vertex by bone, as the asset has them. */
function storedWeights(asset: Asset, m: number, v: number): [number, number][] {
  const mesh = asset.meshes[m]!;
  const list: [number, number][] = [];
  for (let k = v * mesh.influences; k < (v + 1) * mesh.influences; k++)
    if (mesh.weights[k]! > 0) list.push([asset.skins[mesh.skin]!.joints[mesh.joints[k]!]!, mesh.weights[k]!]);
  const total = list.reduce((sum, [, w]) => sum + w, 0);
  return list.map(([bone, w]) => [bone, w / total]);
}

function segmentsByBone(segments: readonly Segment[]): Map<number, Segment[]> {
  const map = new Map<number, Segment[]>();
  for (const segment of segments) map.set(segment.bone, [...(map.get(segment.bone) ?? []), segment]);
  return map;
}

/** Segments of the new bones: each to the next; the end has none. */
function newSegments(asset: Asset, plan: RigPlan): Map<number, Segment[]> {
  const first = asset.skeleton.count;
  const map = new Map<number, Segment[]>();
  for (const bone of plan.bones) {
    const parent = plan.bones[bone.parent - first];
    if (parent) map.set(bone.parent, [{ bone: bone.parent, from: parent.head, to: bone.head }]);
  }
  return map;
}

function boneDistance(segments: ReadonlyMap<number, Segment[]>, bone: number, p: V3): number {
  const list = segments.get(bone);
  if (!list) throw new Error(`bone ${bone} has weight but no segment`);
  return Math.min(...list.map((segment) => segmentDistance(p, segment)));
}

/** Middle value of a list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Distance between two points. */
export const apart = (a: V3, b: V3): number => len(sub(a, b));
