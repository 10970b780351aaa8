/**
 * Which bones a spring turns or passes over: no bone may belong to two springs (VRMC_springBone 1.0, "Exception"), the
 * first in the file has it. A tree of sums over depth-first order (Fenwick, A new data structure for cumulative
 * frequency tables, 1994) counts the claimed bones above a bone in logarithmic time, however a file is made.
 */
import type { BoneTree } from './boneTree.js';

/** The claimed bones. */
export interface Claims {
  /** 1 for a bone of a spring. */
  taken: Uint8Array;
  /** Sums of changes over depth-first order. */
  sums: Int32Array;
}

/** No bone is claimed. */
export function createClaims(boneCount: number): Claims {
  return { taken: new Uint8Array(boneCount), sums: new Int32Array(boneCount + 2) };
}

/** Claims a bone that is free. */
export function claim({ taken, sums }: Claims, { enter, leave }: BoneTree, bone: number): void {
  taken[bone] = 1;
  const last = sums.length - 1;
  for (let i = enter[bone]! + 1; i <= last; i += i & -i) sums[i]!++;
  for (let i = leave[bone]! + 2; i <= last; i += i & -i) sums[i]!--;
}

/** How many claimed bones lie on the way from the top of the tree down to a bone, itself included; 0 for -1. */
export function claimedDownTo({ sums }: Claims, { enter }: BoneTree, bone: number): number {
  if (bone < 0) return 0;
  let count = 0;
  for (let i = enter[bone]! + 1; i > 0; i -= i & -i) count += sums[i]!;
  return count;
}
