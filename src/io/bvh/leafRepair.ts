/**
 * Writes the tips that an audit found into the files of a set, the same in all of them, so that every program that reads
 * them sees which way a last phalanx points (docs/bvh.md, "Leaf joints"). The right cure is to export again with the
 * end bones (Biped's Nubs); this is for files that cannot be.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { normalize3 } from '../../math/index.js';
import type { Bvh } from './bvh.js';
import { createPose, poseOfFrame, positionMeanings } from './bvhPose.js';
import { insertEnds, type NewEnd } from './insertEnd.js';
import { hasLength, leafIndices } from './leafEnd.js';
import { auditLeaves } from './leafAudit.js';
import { straightTip, tipAlong, tipShare } from './leafTip.js';
import type { LeafAudit, LeafFinding, LeafGroup } from './leafTypes.js';

/** How to repair. */
export interface RepairLeavesOptions {
  /** Also repairs what is only suspicious, and what few straight poses speak for. Default false. */
  force?: boolean;
  /** Tips that are known, by name of the leaf: in its frame, file units. They need no verdict. */
  tips?: Readonly<Record<string, readonly [number, number, number]>>;
  /** A pose in which all faulty fingers are straight, where the set has hardly one or it is known. */
  straightPose?: {
    /** Index of the file. */
    file: number;
    /** Index of its frame. */
    frame: number;
  };
  /** Length of a tip that no End Site gives, as a share of the bone before. Default 0.8. */
  endLength?: number;
}

/** What {@link repairLeaves} did. */
export interface LeafRepair {
  /** The files; those with nothing to repair are the very objects that came in. */
  files: Bvh[];
  /** What was found. */
  audit: LeafAudit;
  /** Names of the leaves that have a tip now, per group of the audit, each once. */
  repaired: string[];
}

/** Straight poses that a tip needs, counted as in {@link LeafFinding.support}. */
const ENOUGH = 1;

/**
 * Gives leaves that are proved faulty a joint `<leaf>_End` at their tip, in every file of their set.
 *
 * @param files - all files of a set (several sets may be mixed); not changed
 * @returns new files, and the audit that decided
 * @throws FollowthroughError `invalid-argument` for options that fit no file
 *
 * @example
 * const { files: mended, repaired } = repairLeaves(files);
 * for (const file of mended) await writeFile(file.name, writeBvh(file));
 */
export function repairLeaves(files: readonly Bvh[], options: RepairLeavesOptions = {}): LeafRepair {
  const { endLength = tipShare, straightPose, tips = {} } = options;
  if (!(endLength > 0 && endLength < Infinity))
    throw new FollowthroughError('invalid-argument', 'endLength: expected a number above 0');
  if (straightPose) checkPose(files, straightPose);
  checkTips(files, tips);
  const audit = auditLeaves(files);
  const repaired = new Set<string>();
  const mended = [...files];
  for (const group of audit.groups) {
    const rotations = straightRotations(files, group, straightPose);
    for (const i of group.files) {
      const file = files[i]!;
      const ends = endsFor(file, group, { ...options, endLength, tips }, rotations);
      if (ends.length > 0) mended[i] = insertEnds(file, ends);
      for (const { joint } of ends) repaired.add(file.joints[joint]!.name);
    }
  }
  return { files: mended, audit, repaired: [...repaired] };
}

/** Rotations of all joints in the pose that the caller calls straight, if it belongs to the group. */
function straightRotations(
  files: readonly Bvh[],
  group: LeafGroup,
  pose: RepairLeavesOptions['straightPose'],
): Float64Array | undefined {
  if (pose === undefined || !group.files.includes(pose.file)) return undefined;
  const file = files[pose.file]!;
  const out = createPose(file);
  poseOfFrame(file, positionMeanings(file), pose.frame, out);
  return out.rotations;
}

function endsFor(
  file: Bvh,
  { leaves }: LeafGroup,
  options: RepairLeavesOptions & { endLength: number; tips: NonNullable<RepairLeavesOptions['tips']> },
  rotations: Float64Array | undefined,
): NewEnd[] {
  const given = new Set<number>();
  const known = leafIndices(file.joints).flatMap((joint): NewEnd[] => {
    const { name } = file.joints[joint]!;
    const tip = Object.hasOwn(options.tips, name) ? options.tips[name] : undefined;
    if (tip === undefined) return [];
    given.add(joint);
    return [{ joint, tip: [tip[0], tip[1], tip[2]] }];
  });
  const found = leaves
    .filter((leaf) => !given.has(leaf.joint))
    .flatMap((leaf): NewEnd[] => {
      const { joint } = leaf;
      if (!isWanted(leaf, options.force ?? false, rotations !== undefined)) return [];
      // Without a bone before it there is nothing to go on from.
      if (!hasLength(file.joints, file.joints[joint]!.offset)) return [];
      const direction =
        rotations === undefined
          ? Float64Array.from(leaf.tip)
          : straightTip(file.joints[joint]!, rotations.slice(4 * joint, 4 * joint + 4));
      normalize3(direction, 0, direction, 0);
      return [{ joint, tip: tipAlong(file.joints, joint, direction, options.endLength) }];
    });
  return [...known, ...found];
}

function isWanted({ verdict, support }: LeafFinding, force: boolean, hasPose: boolean): boolean {
  if (force) return verdict === 'defect' || verdict === 'suspicious';
  return verdict === 'defect' && (hasPose || support >= ENOUGH);
}

function checkPose(files: readonly Bvh[], { file, frame }: { file: number; frame: number }): void {
  const count = files[file]?.frameCount;
  if (count === undefined)
    throw new FollowthroughError(
      'invalid-argument',
      `straightPose.file: there is no file ${file} of ${files.length}`,
    );
  if (!(Number.isInteger(frame) && frame >= 0 && frame < count))
    throw new FollowthroughError(
      'invalid-argument',
      `straightPose.frame: expected 0 to ${count - 1} for ${files[file]!.name}, found ${frame}`,
    );
}

function checkTips(files: readonly Bvh[], tips: NonNullable<RepairLeavesOptions['tips']>): void {
  for (const [name, tip] of Object.entries(tips)) {
    if (!(tip.length === 3 && tip.every((value) => Number.isFinite(value))))
      throw new FollowthroughError('invalid-argument', `tips.${name}: expected three finite numbers`);
    if (!files.some(({ joints }) => leafIndices(joints).some((leaf) => joints[leaf]!.name === name)))
      throw new FollowthroughError('unknown-name', `tips.${name}: no file has a leaf of that name`);
  }
}
