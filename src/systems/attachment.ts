/**
 * Reads a chain's attachment: its rotation as an anatomical frame, its scale, whether it is mirrored, and the point
 * from which the root link hangs (docs/solver.md, "Frames", "Scale").
 */
import type { Views } from '../components/stores.js';
import { columnLength, orthonormalise } from '../setup/columns3.js';
import { baseFrame, linkLength, mirrorSign, rootPoint, scaleNow, uniformScale } from './registers.js';

/** Columns of the attachment's world transform in solver space, and the rotation in them. */
const columns = new Float64Array(9);
const rotation = new Float64Array(9);
/** Mean length of the columns; 0 where there is nothing to hang from. */
const size = new Float64Array(1);
/** Bone that these and `baseFrame` were read from: chains of one attachment follow each other and share them. */
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
  if (attachment !== readFrom) {
    readBone(bone.world, attachment * 12);
    turnBase(chain.anatomical, row * 9);
    readFrom = attachment;
  }
  const scale = size[0]! / chain.neutralScale[row]!;
  if (!(scale > 1e-9)) return false;
  scaleNow[0] = scale;
  // The head of the root link: its bone's origin, under the node that really carries it.
  const first = particle.bone[chain.first[row]!]!;
  const w = bone.world;
  const at = bone.parent[first]! * 12;
  const x = bone.poseTranslation[first * 3]!;
  const y = bone.poseTranslation[first * 3 + 1]!;
  const z = bone.poseTranslation[first * 3 + 2]!;
  rootPoint[0] = mirrorSign[0]! * (w[at + 9]! + w[at]! * x + w[at + 3]! * y + w[at + 6]! * z);
  rootPoint[1] = w[at + 10]! + w[at + 1]! * x + w[at + 4]! * y + w[at + 7]! * z;
  rootPoint[2] = w[at + 11]! + w[at + 2]! * x + w[at + 5]! * y + w[at + 8]! * z;
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
  const size0 = columnLength(columns, 0);
  const size1 = columnLength(columns, 3);
  const size2 = columnLength(columns, 6);
  const mean = (size0 + size1 + size2) / 3;
  const slack = 1e-6 * size0;
  uniformScale[0] = Math.abs(size1 - size0) < slack && Math.abs(size2 - size0) < slack ? 1 : 0;
  mirrorSign[0] = side;
  size[0] = det * det > 0 && mean < Infinity ? mean : 0;
  orthonormalise(rotation, columns);
}

/** Writes `baseFrame`: the attachment's rotation times its constant way to the anatomical frame, `f[a...]`. */
function turnBase(f: Float64Array, a: number): void {
  for (let c = 0; c < 9; c += 3) {
    const x = f[a + c]!;
    const y = f[a + c + 1]!;
    const z = f[a + c + 2]!;
    baseFrame[c] = rotation[0]! * x + rotation[3]! * y + rotation[6]! * z;
    baseFrame[c + 1] = rotation[1]! * x + rotation[4]! * y + rotation[7]! * z;
    baseFrame[c + 2] = rotation[2]! * x + rotation[5]! * y + rotation[8]! * z;
  }
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
export function measureLink({ particle }: Views, p: number): void {
  const length = particle.length[p]!;
  if (uniformScale[0] === 1) {
    linkLength[0] = length * scaleNow[0]!;
    return;
  }
  // Non-uniform scale: the world distance that the rest link spans, as the attachment's transform stretches it.
  const e = particle.localSpan;
  const x = columns[0]! * e[p * 3]! + columns[3]! * e[p * 3 + 1]! + columns[6]! * e[p * 3 + 2]!;
  const y = columns[1]! * e[p * 3]! + columns[4]! * e[p * 3 + 1]! + columns[7]! * e[p * 3 + 2]!;
  const z = columns[2]! * e[p * 3]! + columns[5]! * e[p * 3 + 1]! + columns[8]! * e[p * 3 + 2]!;
  linkLength[0] = Math.sqrt(x * x + y * y + z * z);
}
