/** Fingers of a hand: rows of bones below it, told apart by name, counted from the hand outwards. */
import { isBelow, type NamedSkeleton } from './namedSkeleton.js';
import type { Finger } from './parts.js';

const PARTS = ['Proximal', 'Intermediate', 'Distal'];
const THUMB_PARTS = ['Metacarpal', 'Proximal', 'Distal'];

/**
 * Finger bones by the ends of their VRM names (`IndexProximal`). Of four bones the first lies within the palm and the
 * last is an end, unless names say otherwise; a thumb of two has no metacarpal.
 */
export function findFingers(skeleton: NamedSkeleton, hand: number): Record<string, number> {
  const rows = new Map<Finger, number[]>();
  const open = [...skeleton.children[hand]!];
  while (open.length > 0) {
    const bone = open.shift()!;
    const part = skeleton.parts[bone];
    if (part?.part === 'finger' && part.finger !== undefined) {
      const row = rows.get(part.finger) ?? [];
      if (row.length === 0 || isBelow(skeleton.parents, bone, row.at(-1)!)) row.push(bone);
      rows.set(part.finger, row);
    }
    open.push(...skeleton.children[bone]!);
  }
  const found: Record<string, number> = {};
  for (const [finger, row] of rows) {
    const palm = row.filter(
      (bone, i) => skeleton.parts[bone]!.metacarpal || (i === 0 && isUncounted(skeleton, row)),
    );
    const free = row.filter((bone) => !palm.includes(bone));
    const bones = finger === 'Thumb' ? [...palm, ...free] : free;
    const names = finger !== 'Thumb' ? PARTS : bones.length === 2 ? THUMB_PARTS.slice(1) : THUMB_PARTS;
    for (const [i, part] of names.entries()) if (bones[i] !== undefined) found[finger + part] = bones[i];
  }
  return found;
}

/** `Index`, `Index1`, `Index2`, `Index3`: the bone without a number lies within the palm. */
function isUncounted({ parts }: NamedSkeleton, row: readonly number[]): boolean {
  return row.length > 3 && !parts[row[0]!]!.numbered && parts[row[1]!]!.numbered;
}
