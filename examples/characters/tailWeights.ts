/**
 * The weights of a rigger's tail pass: with s = K g/L for the length g along a tail of K bones, a vertex of segment
 * k = floor(s) belongs to bone k + 1 and shares itself with the neighbours near both joints; "before" bone 1 is the
 * bone the tail hangs from.
 */
import { clamp } from './linear.js';
import type { Influence } from './skin.js';

/**
 * Weights at a length along a tail of length `total` with the given bones; `attachment` is the bone before the
 * first. Inside the body (negative lengths) the attachment's share goes on growing up to all.
 */
export function tailWeights(
  along: number,
  total: number,
  attachment: number,
  bones: readonly number[],
): Influence[] {
  const last = bones.length - 1;
  const s = Math.min((bones.length * along) / total, bones.length - 1e-9);
  const k = clamp(Math.floor(s), 0, last);
  const f = s - k;
  const before = clamp(0.5 - 2 * f, 0, s < 0 ? 1 : 0.5);
  const after = k === last ? 0 : clamp(2 * f - 1.5, 0, 0.5);
  return [
    { bone: bones[k - 1] ?? attachment, weight: before },
    { bone: bones[k]!, weight: 1 - before - after },
    { bone: bones[k + 1] ?? bones[k]!, weight: after },
  ];
}
