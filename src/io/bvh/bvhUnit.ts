/** The unit of a BVH file, which nothing in it tells: guessed from how far it is from the hips to the feet. */

/** From the hips of a grown person to feet or hands, metres: the middle of what files show. */
const REACH = 0.95;
/** The unit of the Carnegie Mellon captures: an inch over 0.45. */
const CMU = 0.0254 / 0.45;

/**
 * Metres per unit: a power of ten, an inch times one, or Carnegie Mellon's unit, whichever comes nearest to
 * a grown person.
 *
 * @param length - from the hips to what is farthest, in file units
 * @returns 1 where there is nothing to judge by
 */
export function guessUnit(length: number): number {
  if (!(length > 0 && length < Infinity)) return 1;
  let best = 1;
  for (const unit of [
    ...[-4, -3, -2, -1, 0, 1, 2].flatMap((power) => [decimal(power), 2.54 * decimal(power)]),
    CMU,
  ])
    if (farFrom(length * unit) < farFrom(length * best)) best = unit;
  return best;
}

/** By which factor a height is off, from 1. */
function farFrom(metres: number): number {
  return metres > REACH ? metres / REACH : REACH / metres;
}

function decimal(power: number): number {
  return Number(`1e${power}`);
}
