/**
 * The bones of a chain: names that are free, and local translations. All share the bind rotation and scale of what they
 * hang from, so each is a pure translation in its parent's frame and no clip of the file knows them (docs/rigging.md,
 * "Bones").
 */
import type { Asset } from '../asset/asset.js';
import { invertMat4, transformDirection } from '../math/mat4.js';
import type { Neutral } from '../setup/neutralPose.js';
import type { NewBone } from './plan.js';

/** First free base name of a chain: `Tail`, then `Tail2`, `Tail3` ... */
export function freeBase(base: string, taken: ReadonlySet<string>): string {
  const isFree = (name: string): boolean =>
    !taken.has(`${name}_End`) &&
    ![...taken].some((other) => other.startsWith(`${name}_`) && /^\d+$/.test(other.slice(name.length + 1)));
  if (isFree(base)) return base;
  for (let number = 2; ; number++) if (isFree(base + number)) return base + number;
}

/**
 * Bones `<base>_1` to `<base>_K` and `<base>_End`.
 *
 * @param firstNumber - bone number of the first
 * @param heads - K + 1 points, world
 * @returns undefined when the attachment's bind matrix cannot be inverted
 */
export function newBones(
  asset: Asset,
  neutral: Neutral,
  base: string,
  attachment: number,
  firstNumber: number,
  heads: Float64Array,
): NewBone[] | undefined {
  if (asset.skeleton.names[attachment] === undefined) return undefined;
  const inverse = new Float64Array(16);
  if (!invertMat4(inverse, 0, neutral.worlds, 16 * attachment)) return undefined;
  const count = heads.length / 3;
  const bones: NewBone[] = [];
  const offset = new Float64Array(3);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++)
      offset[k] =
        heads[3 * i + k]! - (i > 0 ? heads[3 * i - 3 + k]! : neutral.worlds[16 * attachment + 12 + k]!);
    transformDirection(offset, 0, inverse, 0, offset, 0);
    bones.push({
      name: i < count - 1 ? `${base}_${i + 1}` : `${base}_End`,
      parent: i > 0 ? firstNumber + i - 1 : attachment,
      translation: [offset[0]!, offset[1]!, offset[2]!],
      attachment,
      head: [heads[3 * i]!, heads[3 * i + 1]!, heads[3 * i + 2]!],
    });
  }
  return bones;
}
