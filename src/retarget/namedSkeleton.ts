/** A skeleton with what each name says of the body, for the parts to be found in. */
import type { Asset } from '../asset/asset.js';
import { isControlName, isEndName } from '../setup/boneNames.js';
import { partOf, type BodyPart, type NamedPart } from './parts.js';

/** A skeleton as names tell it, for the parts to be found in. */
export interface NamedSkeleton {
  /** Parent per bone. */
  parents: Int32Array;
  /** Children per bone. */
  children: readonly (readonly number[])[];
  /** What each name says; undefined for controls, end helpers and what carries no skin. */
  parts: readonly (NamedPart | undefined)[];
}

/**
 * Reads the names of a skeleton.
 *
 * @param counts - whether a bone can be one of the body
 */
export function namedSkeleton({ skeleton }: Asset, counts: (bone: number) => boolean): NamedSkeleton {
  const { names, parents } = skeleton;
  const children: number[][] = names.map(() => []);
  for (const [bone, parent] of parents.entries()) if (parent >= 0) children[parent]!.push(bone);
  const parts = names.map((name, bone) =>
    counts(bone) && !isControlName(name) && !isEndName(name) ? partOf(name) : undefined,
  );
  return { parents, children, parts };
}

/** Ancestors of a bone from the top down, itself last. */
export function pathTo({ parents }: NamedSkeleton, bone: number): number[] {
  const path: number[] = [];
  for (let b = bone; b >= 0; b = parents[b]!) path.push(b);
  return path.toReversed();
}

/** True for a bone that hangs from another, at any depth. */
export function isBelow(parents: Int32Array, bone: number, above: number): boolean {
  for (let b = parents[bone]!; b >= 0; b = parents[b]!) if (b === above) return true;
  return false;
}

/** True for a bone whose name tells one of these parts. */
export function isPart({ parts }: NamedSkeleton, bone: number, wanted: readonly BodyPart[]): boolean {
  const part = parts[bone]?.part;
  return part !== undefined && wanted.includes(part);
}
