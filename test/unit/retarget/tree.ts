/**
 * Skeletons written as text, with what each bone shall be found to be. A line is a bone, two blanks deeper hangs from the one
 * above; `= hips` says the VRM name. `{Left|Right}` writes a bone, and all that hangs from it, once per side; `*` is then
 * the side in VRM names. A trailing `(no joint)` leaves the bone out of the skin, which there is if any bone has one.
 */
import { expect } from 'vitest';
import type { Asset } from '../../../src/asset/asset.js';
import { findHumanoid } from '../../../src/retarget/humanoid.js';

/** A skeleton, and its bones by VRM name as they shall be found. */
export interface Tree {
  asset: Asset;
  expected: Readonly<Record<string, string>>;
}

const depthOf = (line: string): number => /^ */.exec(line)![0].length / 2;

/** Writes lines with sides once per side. */
function bothSides(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (!line.includes('{')) {
      out.push(line);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && depthOf(lines[end]!) > depthOf(line)) end++;
    for (const side of [0, 1])
      for (const one of lines.slice(i, end))
        out.push(
          one
            .replace(/\{([^|}]*)\|([^}]*)\}/g, (_, left: string, right: string) => [left, right][side]!)
            .replace('= *', `= ${['left', 'right'][side]!}`),
        );
    i = end - 1;
  }
  return out;
}

/** Reads a tree. Bones stand in the order of the lines. */
export function treeOf(text: string): Tree {
  const raw = text.split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...raw.map(depthOf));
  const lines = bothSides(raw.map((line) => line.slice(2 * indent)));
  const names: string[] = [];
  const parents: number[] = [];
  const joints: number[] = [];
  const expected: Record<string, string> = {};
  const path: number[] = [];
  for (const [bone, line] of lines.entries()) {
    const [left, role] = line.replace(' (no joint)', '').split(' = ');
    const depth = depthOf(line);
    names.push(left!.trim());
    parents.push(depth === 0 ? -1 : path[depth - 1]!);
    path[depth] = bone;
    if (!line.includes('(no joint)')) joints.push(bone);
    if (role !== undefined) expected[role] = names[bone]!;
  }
  const count = names.length;
  const skins =
    joints.length === count
      ? []
      : [
          {
            name: 'skin',
            joints: Int32Array.from(joints),
            inverseBinds: new Float64Array(16 * joints.length),
          },
        ];
  const rotations = Float64Array.from({ length: 4 * count }, (_, k) => (k % 4 === 3 ? 1 : 0));
  const skeleton = {
    count,
    names,
    parents: Int32Array.from(parents),
    nodes: Int32Array.from(names, (_, bone) => bone),
    translations: new Float64Array(3 * count),
    rotations,
    scales: new Float64Array(3 * count).fill(1),
  };
  return { asset: { name: 'tree', skeleton, skins, meshes: [], clips: [], warnings: [] }, expected };
}

/** What is found in an asset, as bone names by VRM name. */
export const foundIn = (asset: Asset): Record<string, string> =>
  Object.fromEntries(
    Object.entries(findHumanoid(asset).bones).map(([role, bone]) => [role, asset.skeleton.names[bone]!]),
  );

/** Every bone of a tree must be found as the tree says, and no other. */
export function check(text: string): void {
  const { asset, expected } = treeOf(text);
  expect(foundIn(asset)).toEqual(expected);
}
