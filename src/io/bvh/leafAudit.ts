/**
 * Finds leaf joints whose rotations count from a bent pose that is missing at the tip. An exporter writes rotations
 * relative to a reference pose; what a joint is bent by there stands in its child's OFFSET. A leaf has no child: extended
 * straight on, its tip is wrong by that bend in every frame, and no position in the file shows it. The distribution of
 * the channels alone gives false alarms (a healthy hand whose reference is open looks alike), so a verdict needs a tip
 * that is missing and a bend that no finger can do (docs/bvh.md, "Leaf joints").
 */
import { angleBetween3, degrees, length3 } from '../../math/index.js';
import { boneWords } from '../../setup/boneNames.js';
import type { Bvh } from './bvh.js';
import { groupBySkeleton } from './bvhGroups.js';
import { leafEnd, leafIndices } from './leafEnd.js';
import { measureLeaf, type LeafFrames } from './leafFrames.js';
import { findTip } from './leafTip.js';
import type { LeafAudit, LeafFinding, LeafVerdict } from './leafTypes.js';

/** A turn below which a leaf stands as in the reference, degrees. */
const STILL_DEG = 1;
/** Bend of the reference from which a missing tip matters, degrees. */
const BENT_DEG = 20;
/** Backward bend beyond which no finger goes, degrees; thumbs really bend back. */
const BACKWARD_DEG = -20;
const THUMB_BACKWARD_DEG = -45;

/**
 * Audits the leaves of files, each set of one rest skeleton together.
 *
 * @param files - any files; not changed
 *
 * @example
 * for (const { leaves } of auditLeaves(files).groups)
 *   for (const leaf of leaves) console.log(leaf.name, leaf.verdict, leaf.apparentBendDeg);
 */
export function auditLeaves(files: readonly Bvh[]): LeafAudit {
  const groups = groupBySkeleton(files).map((indices) => {
    const members = indices.map((i) => files[i]!);
    const frames = members.reduce((sum, { frameCount }) => sum + frameCount, 0);
    return { files: indices, frames, leaves: auditGroup(members) };
  });
  return { groups };
}

/** Findings of files that share one rest skeleton. */
function auditGroup(files: readonly Bvh[]): LeafFinding[] {
  const { joints } = files[0]!;
  return leafIndices(joints).flatMap((joint) => {
    const end = leafEnd(joints, joint);
    if (end === undefined) return [];
    const frames = measureLeaf(files, joint);
    return frames.turns ? [finding(files, joint, end, frames)] : [];
  });
}

function finding(
  files: readonly Bvh[],
  joint: number,
  end: LeafFinding['end'],
  frames: LeafFrames,
): LeafFinding {
  const { joints } = files[0]!;
  const { name, offset, parent } = joints[joint]!;
  const { tip, support, repairedBendDeg } = findTip(joints, joint, frames);
  const shown = {
    name,
    joint,
    end,
    restBendDeg: parent < 0 ? 0 : degrees(bendBetween(joints[parent]!.offset, offset)),
    ...turnFigures(frames.turn),
    innerBendDeg: range(frames.innerBend),
    apparentBendDeg: range(frames.apparentBend),
    repairedBendDeg,
    tip,
    support,
  };
  return { ...shown, verdict: verdictOf(shown, frames) };
}

function verdictOf(
  leaf: Pick<LeafFinding, 'name' | 'restBendDeg' | 'apparentBendDeg'> & TurnFigures,
  frames: LeafFrames,
): LeafVerdict {
  if (frames.turn.length < 2) return 'unknown';
  const { length } = frames.turn;
  const pattern =
    leaf.stillFrames <= Math.max(1, 0.1 * length) && leaf.medianTurnDeg > BENT_DEG && leaf.oneSided > 0.8;
  if (frames.hinge === undefined) return pattern ? 'suspicious' : 'unknown';
  const limit = isThumb(leaf.name) ? THUMB_BACKWARD_DEG : BACKWARD_DEG;
  if (!(leaf.apparentBendDeg[0] < limit)) return 'ok';
  if (leaf.restBendDeg <= BENT_DEG) return 'suspicious';
  // Only of fingers is it known that they do not bend back: wrists, heads, toes, tails, ears do.
  if (isFinger(leaf.name)) return 'defect';
  return pattern ? 'suspicious' : 'ok';
}

interface TurnFigures {
  stillFrames: number;
  medianTurnDeg: number;
  oneSided: number;
}

/** How far, how often and how much to one side a leaf turns. */
function turnFigures(turns: LeafFrames['turn']): TurnFigures {
  const moved = turns.filter((turn) => degrees(length3(turn, 0)) >= STILL_DEG);
  const sizes = moved.map((turn) => degrees(length3(turn, 0))).toSorted((a, b) => a - b);
  const mean = new Float64Array(3);
  for (const turn of moved)
    for (let k = 0; k < 3; k++) mean[k] = mean[k]! + turn[k]! / (length3(turn, 0) * moved.length);
  return {
    stillFrames: turns.length - moved.length,
    medianTurnDeg: sizes[sizes.length >> 1] ?? 0,
    oneSided: length3(mean, 0),
  };
}

function bendBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const both = Float64Array.of(a[0]!, a[1]!, a[2]!, b[0]!, b[1]!, b[2]!);
  return length3(both, 0) > 0 && length3(both, 3) > 0 ? angleBetween3(both, 0, both, 3) : 0;
}

function range(values: Float64Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return values.length === 0 ? [0, 0] : [low, high];
}

/** Also 3ds Max Biped's `Finger0`, `Finger01`. */
function isThumb(name: string): boolean {
  const words = boneWords(name);
  return words.some(
    (word, i) => word.includes('thumb') || (word === 'finger' && words[i + 1]?.startsWith('0')),
  );
}

function isFinger(name: string): boolean {
  return boneWords(name).some((word) => /finger|thumb|index|middle|ring|pinky|pinkie|little/.test(word));
}
