/** A 3x3 matrix in columns: their lengths, the rotation in them, and those of a bone in the neutral pose. */
import { determinant3 } from '../math/index.js';

/**
 * Writes the columns of a bone's neutral world transform, x mirrored where it mirrors; bone -1: none.
 *
 * @param worlds - 4x4 per bone
 * @returns -1 where it mirrors, else 1
 */
export function neutralColumns(out: Float64Array, worlds: Float64Array, bone: number): number {
  out.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  if (bone < 0) return 1;
  const side = determinant3(worlds, bone * 16) < 0 ? -1 : 1;
  for (let c = 0; c < 3; c++)
    for (let r = 0; r < 3; r++) out[3 * c + r] = (r === 0 ? side : 1) * worlds[bone * 16 + 4 * c + r]!;
  return side;
}

/** Length of the column that starts at `c`: 0, 3 or 6. */
export function columnLength(m: Float64Array, c: number): number {
  return Math.sqrt(m[c]! * m[c]! + m[c + 1]! * m[c + 1]! + m[c + 2]! * m[c + 2]!);
}

/** Mean length of the columns: the scale of a transform. */
export function meanColumnLength(m: Float64Array): number {
  return (columnLength(m, 0) + columnLength(m, 3) + columnLength(m, 6)) / 3;
}

/** Writes the rotation in `m`: Gram-Schmidt in the order x, y; the third column is their cross product. */
export function orthonormalise(out: Float64Array, m: Float64Array): void {
  const size0 = columnLength(m, 0);
  const x0 = m[0]! / size0;
  const x1 = m[1]! / size0;
  const x2 = m[2]! / size0;
  const along = m[3]! * x0 + m[4]! * x1 + m[5]! * x2;
  let y0 = m[3]! - along * x0;
  let y1 = m[4]! - along * x1;
  let y2 = m[5]! - along * x2;
  const size1 = Math.sqrt(y0 * y0 + y1 * y1 + y2 * y2);
  y0 /= size1;
  y1 /= size1;
  y2 /= size1;
  out[0] = x0;
  out[1] = x1;
  out[2] = x2;
  out[3] = y0;
  out[4] = y1;
  out[5] = y2;
  out[6] = x1 * y2 - x2 * y1;
  out[7] = x2 * y0 - x0 * y2;
  out[8] = x0 * y1 - x1 * y0;
}
