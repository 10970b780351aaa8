/**
 * Reads a chain's attachment: its rotation as an anatomical frame, its scale, whether it is mirrored, and the point
 * from which the root link hangs (docs/solver.md, "Frames", "Scale").
 */
import type { Views } from '../components/stores.js';
import { baseFrame, linkLength, mirrorSign, rootPoint, scaleNow, uniformScale } from './link.js';

/** Columns of the attachment's world transform in solver space, and the rotation in them. */
const columns = new Float64Array(9);
const rotation = new Float64Array(9);
/** Mean length of the columns; 0 where there is nothing to hang from. */
const size = new Float64Array(1);
/** Bone that the above was read from: chains of one attachment follow each other. */
let readFrom = -1;

/** Forgets which bone was read last; transforms have changed. */
export function forgetAttachment(): void {
  readFrom = -1;
}

/**
 * Writes `baseFrame`, `rootPoint`, `scaleNow`, `uniformScale` and `mirrorSign` for the chain in `row`.
 *
 * @returns false when the attachment is scaled away or not finite: there is nothing to hang from
 */
export function readAttachment(views: Views, row: number): boolean {
  const { bone, chain, particle } = views;
  const attachment = chain.attachment[row]!;
  if (attachment !== readFrom) readBone(bone.world, attachment * 12);
  readFrom = attachment;
  const scale = size[0]! / chain.neutralScale[row]!;
  if (!(scale > 1e-9)) return false;
  scaleNow[0] = scale;
  // baseFrame = rotation x anatomical
  const a = row * 9;
  const f = chain.anatomical;
  for (let c = 0; c < 9; c += 3) {
    const x = f[a + c]!;
    const y = f[a + c + 1]!;
    const z = f[a + c + 2]!;
    baseFrame[c] = rotation[0]! * x + rotation[3]! * y + rotation[6]! * z;
    baseFrame[c + 1] = rotation[1]! * x + rotation[4]! * y + rotation[7]! * z;
    baseFrame[c + 2] = rotation[2]! * x + rotation[5]! * y + rotation[8]! * z;
  }
  // The root link's head: the origin of its bone, where the animated pose puts it under the attachment.
  const b = particle.bone[chain.first[row]!]! * 3;
  const x = bone.poseTranslation[b]!;
  const y = bone.poseTranslation[b + 1]!;
  const z = bone.poseTranslation[b + 2]!;
  const w = bone.world;
  const at = attachment * 12;
  rootPoint[0] = mirrorSign[0]! * w[at + 9]! + columns[0]! * x + columns[3]! * y + columns[6]! * z;
  rootPoint[1] = w[at + 10]! + columns[1]! * x + columns[4]! * y + columns[7]! * z;
  rootPoint[2] = w[at + 11]! + columns[2]! * x + columns[5]! * y + columns[8]! * z;
  return true;
}

/** Reads the world transform at `w[at...]`: columns, rotation, size, mirror. */
function readBone(w: Float64Array, at: number): void {
  const det =
    w[at]! * (w[at + 4]! * w[at + 8]! - w[at + 5]! * w[at + 7]!) -
    w[at + 3]! * (w[at + 1]! * w[at + 8]! - w[at + 2]! * w[at + 7]!) +
    w[at + 6]! * (w[at + 1]! * w[at + 5]! - w[at + 2]! * w[at + 4]!);
  const side = det < 0 ? -1 : 1;
  for (let c = 0; c < 9; c += 3) {
    columns[c] = side * w[at + c]!;
    columns[c + 1] = w[at + c + 1]!;
    columns[c + 2] = w[at + c + 2]!;
  }
  const size0 = columnLength(0);
  const size1 = columnLength(3);
  const size2 = columnLength(6);
  const mean = (size0 + size1 + size2) / 3;
  const slack = 1e-6 * size0;
  uniformScale[0] = Math.abs(size1 - size0) < slack && Math.abs(size2 - size0) < slack ? 1 : 0;
  mirrorSign[0] = side;
  size[0] = det * det > 0 && mean < Infinity ? mean : 0;
  orthonormalise(size0);
}

function columnLength(c: number): number {
  return Math.sqrt(
    columns[c]! * columns[c]! + columns[c + 1]! * columns[c + 1]! + columns[c + 2]! * columns[c + 2]!,
  );
}

/** Gram-Schmidt in the order x, y; the third column is their cross product. */
function orthonormalise(size0: number): void {
  const x0 = columns[0]! / size0;
  const x1 = columns[1]! / size0;
  const x2 = columns[2]! / size0;
  const along = columns[3]! * x0 + columns[4]! * x1 + columns[5]! * x2;
  let y0 = columns[3]! - along * x0;
  let y1 = columns[4]! - along * x1;
  let y2 = columns[5]! - along * x2;
  const size1 = Math.sqrt(y0 * y0 + y1 * y1 + y2 * y2);
  y0 /= size1;
  y1 /= size1;
  y2 /= size1;
  rotation[0] = x0;
  rotation[1] = x1;
  rotation[2] = x2;
  rotation[3] = y0;
  rotation[4] = y1;
  rotation[5] = y2;
  rotation[6] = x1 * y2 - x2 * y1;
  rotation[7] = x2 * y0 - x0 * y2;
  rotation[8] = x0 * y1 - x1 * y0;
}

/** True when the attachment stands, bit for bit, where it stood in the last tick. */
export function attachmentStill(views: Views, row: number): boolean {
  const { chain } = views;
  if (scaleNow[0] !== chain.lastScale[row] || mirrorSign[0] !== (chain.mirrored[row] === 1 ? -1 : 1))
    return false;
  for (let i = 0; i < 3; i++) if (rootPoint[i] !== chain.lastPoint[row * 3 + i]) return false;
  for (let i = 0; i < 9; i++) if (baseFrame[i] !== chain.lastFrame[row * 9 + i]) return false;
  return true;
}

/** Writes `linkLength`: the length of the link in row `p` at the scale of now. */
export function measureLink(views: Views, row: number, p: number): void {
  const { chain, particle } = views;
  const length = particle.length[p]!;
  if (uniformScale[0] === 1) {
    linkLength[0] = length * scaleNow[0]!;
    return;
  }
  // Non-uniform scale: the world distance that the rest direction spans, direction in the attachment bone's frame.
  const a = row * 9;
  const f = chain.anatomical;
  const u = particle.direction;
  const x = f[a]! * u[p * 3]! + f[a + 3]! * u[p * 3 + 1]! + f[a + 6]! * u[p * 3 + 2]!;
  const y = f[a + 1]! * u[p * 3]! + f[a + 4]! * u[p * 3 + 1]! + f[a + 7]! * u[p * 3 + 2]!;
  const z = f[a + 2]! * u[p * 3]! + f[a + 5]! * u[p * 3 + 1]! + f[a + 8]! * u[p * 3 + 2]!;
  const dx = columns[0]! * x + columns[3]! * y + columns[6]! * z;
  const dy = columns[1]! * x + columns[4]! * y + columns[7]! * z;
  const dz = columns[2]! * x + columns[5]! * y + columns[8]! * z;
  linkLength[0] = (length * Math.sqrt(dx * dx + dy * dy + dz * dz)) / chain.neutralScale[row]!;
}
