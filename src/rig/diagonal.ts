/** How large a character is, by its skin: what lengths of the pass are shares of. */
import type { Asset } from '../asset/asset.js';

/**
 * Diagonal of the box around all vertices in triangles: others may lie anywhere.
 *
 * @param placed - positions of each mesh; a mesh without is left out
 * @returns 1 when there is none
 */
export function diagonalOf(asset: Asset, placed: readonly (Float64Array | undefined)[]): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const [m, { indices }] of asset.meshes.entries()) {
    const positions = placed[m];
    if (positions === undefined || positions.length === 0) continue;
    for (const vertex of indices)
      for (let k = 0; k < 3; k++) {
        const value = positions[3 * vertex + k]!;
        if (!Number.isFinite(value)) continue;
        low[k] = Math.min(low[k]!, value);
        high[k] = Math.max(high[k]!, value);
      }
  }
  let squared = 0;
  for (let k = 0; k < 3; k++) squared += (high[k]! - low[k]!) * (high[k]! - low[k]!);
  return squared > 0 && squared < Infinity ? Math.sqrt(squared) : 1;
}
