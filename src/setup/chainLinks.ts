/**
 * The links of a chain as they stand in the neutral pose: which bones move, how long each link is, where it points
 * and where the last one ends. Links without length are left out here; they ride rigidly with the link before.
 */
import type { Asset, ChainDefinition } from '../asset/asset.js';
import { FollowthroughError } from '../asset/errors.js';
import type { Warning } from '../asset/errors.js';
import { decomposeMat4, determinant3 } from '../math/mat4.js';
import { conjugateQuat, multiplyQuat, normalizeQuat, rotateVec3 } from '../math/quat.js';
import { length3, normalize3 } from '../math/vec3.js';
import type { AnatomicalFrame } from './anatomicalFrame.js';
import type { Neutral } from './neutralPose.js';
import { chainTip } from './chainTip.js';
import type { TipSource } from './chainTip.js';

export type { TipSource } from './chainTip.js';

/** Links of a chain in the neutral pose, in the anatomical frame (mirrored with the chain). */
export interface ChainLinks {
  /** Number of links. */
  count: number;
  /** The bone from which the chain hangs, -1 for the world. */
  attachment: number;
  /** Bone per link. */
  bones: Int32Array;
  /** World length per link. */
  lengths: Float64Array;
  /** Unit direction in F per link. */
  authored: Float64Array;
  /** Rotation in F of the node that carries the bone, per link, as authored. */
  authoredFrames: Float64Array;
  /** A_0: rotation of the attachment in F. */
  attachmentFrame: Float64Array;
  /** Where the end of the last link comes from. */
  tipSource: TipSource;
  /** Bones without length. */
  skipped: number[];
  /** What was guessed. */
  warnings: Warning[];
}

/** Length, relative to the chain, below which a link counts as having none. */
const NO_LENGTH = 1e-6;

/**
 * Measures the links of a chain.
 *
 * @param definition - bones from root to tip; each an ancestor of the next
 * @throws FollowthroughError `invalid-argument` when the bones of the definition do not stand in one line
 */
export function chainLinks(
  asset: Asset,
  neutral: Neutral,
  frame: AnatomicalFrame,
  definition: ChainDefinition,
): ChainLinks {
  const { bones: all, attachment } = definition;
  checkDefinition(asset, definition);
  const warnings: Warning[] = [];
  const mirrored = attachment >= 0 && determinant3(neutral.worlds, 16 * attachment) < 0;
  // Heads of all bones and the tip, in F.
  const points = new Float64Array(3 * (all.length + 1));
  for (const [i, bone] of all.entries())
    pointInFrame(points, 3 * i, neutral.worlds, 16 * bone + 12, frame, mirrored);
  const tip = chainTip(asset, neutral, definition, warnings);
  pointInFrame(points, 3 * all.length, tip.position, 0, frame, mirrored);

  const kept = withLength(points, all.length);
  const skipped = all.filter((_, i) => !kept.includes(i));
  for (const bone of skipped) {
    const at = asset.skeleton.names[bone]!;
    const message = `bone ${at} of chain ${definition.name} has no length; it rides rigidly with the bone before`;
    warnings.push({ code: 'zero-length-link', message, at });
  }
  const count = kept.length;
  const links: ChainLinks = {
    count,
    attachment,
    bones: Int32Array.from(kept, (i) => all[i]!),
    lengths: new Float64Array(count),
    authored: new Float64Array(3 * count),
    authoredFrames: new Float64Array(4 * count),
    attachmentFrame: frameOf(neutral, attachment, frame, mirrored),
    tipSource: tip.source,
    skipped,
    warnings,
  };
  for (const [link, i] of kept.entries()) {
    // A skipped link's end lies where its head lies: the next kept head, or the tip, closes this link.
    const end = link + 1 < count ? kept[link + 1]! : all.length;
    for (let k = 0; k < 3; k++) links.authored[3 * link + k] = points[3 * end + k]! - points[3 * i + k]!;
    links.lengths[link] = normalize3(links.authored, 3 * link, links.authored, 3 * link);
  }
  authoredFrames(asset, neutral, links);
  return links;
}

/** @throws FollowthroughError `invalid-argument` when the bones of the definition do not stand in one line */
export function checkDefinition(asset: Asset, { name, attachment, bones, end }: ChainDefinition): void {
  const { parents, names } = asset.skeleton;
  const line = [attachment, ...bones, ...(end < 0 ? [] : [end])];
  if (bones.length === 0) throw new FollowthroughError('invalid-argument', `chain ${name} has no bones`);
  for (let i = 1; i < line.length; i++) {
    const bone = line[i]!;
    if (names[bone] === undefined)
      throw new FollowthroughError('invalid-argument', `chain ${name}: the skeleton has no bone ${bone}`);
    let above = parents[bone]!;
    while (above >= 0 && above !== line[i - 1]) above = parents[above]!;
    if (above !== line[i - 1]) {
      const missing = names[line[i - 1]!] ?? String(line[i - 1]);
      throw new FollowthroughError(
        'invalid-argument',
        `chain ${name}: ${names[bone]!} does not hang below ${missing}`,
      );
    }
  }
}

/** Indices of the links that are longer than a millionth of the chain. */
function withLength(points: Float64Array, count: number): number[] {
  const lengths: number[] = [];
  let total = 0;
  const offset = new Float64Array(3);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) offset[k] = points[3 * i + 3 + k]! - points[3 * i + k]!;
    lengths.push(length3(offset, 0));
    total += lengths[i]!;
  }
  return lengths.flatMap((length, i) => (length > NO_LENGTH * total ? [i] : []));
}

/** Frames of the carrying nodes: from A_0 down by the neutral local rotations. */
function authoredFrames(asset: Asset, neutral: Neutral, links: ChainLinks): void {
  const { parents } = asset.skeleton;
  const rotation = new Float64Array(4);
  for (let link = 0; link < links.count; link++) {
    const path: number[] = [];
    for (
      let node = parents[links.bones[link]!]!;
      node >= 0 && node !== links.attachment;
      node = parents[node]!
    )
      path.push(node);
    rotation.set(links.attachmentFrame);
    for (let k = path.length - 1; k >= 0; k--)
      multiplyQuat(rotation, 0, rotation, 0, neutral.rotations, 4 * path[k]!);
    normalizeQuat(links.authoredFrames, 4 * link, rotation, 0);
  }
}

/** Rotation part of a bone's world matrix in F, mirrored at the middle plane when asked. */
function frameOf(neutral: Neutral, bone: number, frame: AnatomicalFrame, mirrored: boolean): Float64Array {
  const inverse = new Float64Array(4);
  conjugateQuat(inverse, 0, frame.rotation, 0);
  if (bone < 0) return inverse;
  const t = new Float64Array(3);
  const s = new Float64Array(3);
  const rotation = new Float64Array(4);
  if (!mirrored) {
    decomposeMat4(t, 0, rotation, 0, s, 0, neutral.worlds, 16 * bone);
    multiplyQuat(rotation, 0, inverse, 0, rotation, 0);
  } else {
    const matrix = new Float64Array(16);
    const column = new Float64Array(3);
    for (let c = 0; c < 3; c++) {
      rotateVec3(column, 0, inverse, 0, neutral.worlds, 16 * bone + 4 * c);
      matrix.set([-column[0]!, column[1]!, column[2]!], 4 * c);
    }
    matrix[15] = 1;
    decomposeMat4(t, 0, rotation, 0, s, 0, matrix, 0);
  }
  return rotation;
}

function pointInFrame(
  out: Float64Array,
  o: number,
  point: Float64Array,
  i: number,
  frame: AnatomicalFrame,
  mirrored: boolean,
): void {
  const inverse = new Float64Array(4);
  conjugateQuat(inverse, 0, frame.rotation, 0);
  rotateVec3(out, o, inverse, 0, point, i);
  if (mirrored) out[o] = -out[o]!;
}
