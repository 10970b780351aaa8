/**
 * World matrices of a skeleton as it is saved, by plain products: what a reader's figures mean in the world.
 */
import { mat4 } from 'gl-matrix';
import type { Asset } from '../../../src/asset/asset.js';

/** Column-major world matrix per bone. */
export function worldMatrices({ skeleton }: Asset): number[][] {
  const { count, parents, translations, rotations, scales } = skeleton;
  const worlds: mat4[] = [];
  for (let bone = 0; bone < count; bone++) {
    const local = new Float64Array(16) as unknown as mat4;
    const part = (list: Float64Array, width: number): number[] => [
      ...list.subarray(width * bone, width * (bone + 1)),
    ];
    const [r, t, s] = [part(rotations, 4), part(translations, 3), part(scales, 3)];
    mat4.fromRotationTranslationScale(
      local,
      r as [number, number, number, number],
      t as [number, number, number],
      s as [number, number, number],
    );
    worlds.push(parents[bone]! < 0 ? local : mat4.multiply(local, worlds[parents[bone]!]!, local));
  }
  return worlds.map((world) => [...world]);
}
