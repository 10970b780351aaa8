/**
 * Eigenvalues of a symmetric 3 x 3 matrix by Jacobi rotations (Golub and Van Loan, Matrix Computations, 8.5): only
 * square roots, and stable where the closed form is not.
 */

/**
 * Eigenvalues, largest first.
 *
 * @param m - xx, xy, xz, yy, yz, zz
 * @param out - receives three numbers
 */
export function eigenvalues3(out: Float64Array, m: ArrayLike<number>): void {
  const a = [
    [m[0]!, m[1]!, m[2]!],
    [m[1]!, m[3]!, m[4]!],
    [m[2]!, m[4]!, m[5]!],
  ];
  const size = Math.abs(m[0]!) + Math.abs(m[3]!) + Math.abs(m[5]!);
  for (let sweep = 0; sweep < 12; sweep++) {
    const off = Math.abs(a[0]![1]!) + Math.abs(a[0]![2]!) + Math.abs(a[1]![2]!);
    if (!(off > 1e-16 * size)) break;
    rotate(a, 0, 1);
    rotate(a, 0, 2);
    rotate(a, 1, 2);
  }
  const [x, y, z] = [a[0]![0]!, a[1]![1]!, a[2]![2]!];
  out[0] = Math.max(x, y, z);
  out[2] = Math.min(x, y, z);
  out[1] = x + y + z - out[0] - out[2];
}

/** Zeroes the element p, q. */
function rotate(a: number[][], p: number, q: number): void {
  const apq = a[p]![q]!;
  if (apq === 0) return;
  const theta = (a[q]![q]! - a[p]![p]!) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const r = 3 - p - q;
  const apr = a[p]![r]!;
  const aqr = a[q]![r]!;
  a[p]![p]! -= t * apq;
  a[q]![q]! += t * apq;
  a[p]![q] = a[q]![p] = 0;
  a[p]![r] = a[r]![p] = c * apr - s * aqr;
  a[q]![r] = a[r]![q] = s * apr + c * aqr;
}
