/**
 * Weights along a chain (docs/rigging.md, "Weights"): with s = K g / L, k = floor(s), f = s - k, skin of segment k belongs
 * to bone k + 1 and shares itself with its neighbours near both ends, half and half at the joint; before the first bone
 * stands the attachment. Around the collar a fade runs on into the body.
 */

/** Influences of one vertex: bone numbers and weights. */
export interface Influence {
  bone: number;
  weight: number;
}

/**
 * Weights at a coordinate.
 *
 * @param g - distance from the collar along the skin
 * @param length - L
 * @param attachment - bone before the first
 * @param bones - bone numbers of the chain, K of them
 * @returns one or two influences, sum 1, larger first
 */
export function chainWeights(
  g: number,
  length: number,
  attachment: number,
  bones: readonly number[],
): Influence[] {
  const count = bones.length;
  const s = length > 0 ? Math.min(Math.max((count * g) / length, 0), count) : 0;
  const k = Math.min(Math.floor(s), count - 1);
  const f = s - k;
  const before = clamp(0.5 - 2 * f, 0, 0.5);
  const after = k === count - 1 ? 0 : clamp(2 * f - 1.5, 0, 0.5);
  const influences: Influence[] = [{ bone: bones[k]!, weight: 1 - before - after }];
  if (before > 0) influences.push({ bone: k > 0 ? bones[k - 1]! : attachment, weight: before });
  if (after > 0) influences.push({ bone: bones[k + 1]!, weight: after });
  return influences;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/**
 * Weight of the first bone in the body around the collar: half at the ring, none at the edge of the zone.
 *
 * @param away - distance from the ring over the width of the zone, 0..1
 */
export function collarFade(away: number): number {
  return 0.5 * clamp(1 - away, 0, 1);
}

/**
 * The same with a band at the root that stays with the attachment, from which the first bone takes over by a quarter
 * of its segment (hair: the band sits on the head).
 *
 * @param pinned - length of the band as a share of L
 */
export function pinnedWeights(
  g: number,
  length: number,
  attachment: number,
  bones: readonly number[],
  pinned: number,
): Influence[] {
  const band = pinned * length;
  const end = Math.max(length / (4 * bones.length), 2 * band);
  if (g <= band) return [{ bone: attachment, weight: 1 }];
  if (g >= end) {
    const influences = chainWeights(g, length, attachment, bones);
    // Behind the take-over nothing is left of the attachment.
    if (!influences.some(({ bone }) => bone === attachment)) return influences;
    return [{ bone: bones[0]!, weight: 1 }];
  }
  const share = (end - g) / (end - band);
  return [
    { bone: bones[0]!, weight: 1 - share },
    { bone: attachment, weight: share },
  ];
}
