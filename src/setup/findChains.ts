/**
 * Finds the chains of a skeleton: tails by name, or from root bones that the caller names. Only bones that exist are
 * looked at; a tail without bones is the business of the rig pass.
 */
import type { Asset, ChainDefinition } from '../asset/asset.js';
import { FollowthroughError } from '../asset/errors.js';
import { isControlName, isEndName, isHeadName, isNeckName, isTailName } from './boneNames.js';
import { skinWeights } from './dominatedSkin.js';
import { nearestNames } from './nearestNames.js';
import { chainOrigin, riggedHairBase } from './riggedForm.js';

/** Options of {@link findChains}. */
export interface FindChainsOptions {
  /** Exact names of root bones; when given, only these chains are returned and no name is guessed. */
  roots?: readonly string[];
}

/** What the search needs to know about the bones. */
interface Bones {
  asset: Asset;
  children: number[][];
  /** 1 for a joint of any skin; for all nodes when the file has no skin. */
  isJoint: Uint8Array;
  /** 1 for a node that carries a mesh. */
  carriesMesh: Uint8Array;
  /** Sum of skin weights. */
  weights: Float64Array;
}

/**
 * Finds chains.
 *
 * Without `roots`: bones whose name holds the word `tail` (`Tail_1`, `tail.001`, `b_Tail01_012`, `mixamorig:Tail2`, ...), that are joints of
 * a skin (any node in a file without skins) and do not hang from the head (that is hair). From each topmost one the
 * branch with most links is followed, over unnamed nodes in between; other branches become chains of their own.
 * A last node that moves no skin (`Tail8_end`, `Tail_End`, a leaf without weight) is the end, not a link. Hair is found
 * only in the form that the rig pass gives it (`Hair_1` to `Hair_K` with `Hair_End`).
 *
 * @param asset - character
 * @param options - root bones instead of names
 * @returns chains in the order of their root bones; empty when there is none
 * @throws FollowthroughError `unknown-name` when a root does not exist or fits several bones
 *
 * @example
 * findChains(asset).map((chain) => chain.name); // ['Tail1']
 */
export function findChains(asset: Asset, options: FindChainsOptions = {}): ChainDefinition[] {
  const bones = surveyBones(asset);
  if (options.roots !== undefined)
    return options.roots.map((name) => definition(bones, followFrom(bones, boneByName(asset, name))));
  const tails = tailPaths(bones).map((path) => definition(bones, path));
  return [...tails, ...riggedHair(bones)].toSorted((a, b) => a.bones[0]! - b.bones[0]!);
}

/** Hair with bones of the rig pass: nobody else's hair is simulated without being asked for. */
function riggedHair(bones: Bones): ChainDefinition[] {
  const { names, count } = bones.asset.skeleton;
  const chains: ChainDefinition[] = [];
  for (let root = 0; root < count; root++) {
    if (bones.isJoint[root] === 0 || riggedHairBase(names[root]!) === undefined) continue;
    const chain = definition(bones, followFrom(bones, root));
    if (chain.origin === 'hair') chains.push(chain);
  }
  return chains;
}

function surveyBones(asset: Asset): Bones {
  const { count, parents } = asset.skeleton;
  const children: number[][] = Array.from({ length: count }, () => []);
  for (let bone = 0; bone < count; bone++) if (parents[bone]! >= 0) children[parents[bone]!]!.push(bone);
  const isJoint = new Uint8Array(count).fill(asset.skins.length === 0 ? 1 : 0);
  for (const skin of asset.skins) for (const bone of skin.joints) isJoint[bone] = 1;
  const carriesMesh = new Uint8Array(count);
  for (const mesh of asset.meshes) carriesMesh[mesh.bone] = 1;
  return { asset, children, isJoint, carriesMesh, weights: skinWeights(asset) };
}

/** Paths of tail bones, root first, the end helper not included. */
function tailPaths(bones: Bones): number[][] {
  const { names, parents, count } = bones.asset.skeleton;
  const isTail = (bone: number): boolean =>
    bones.isJoint[bone] === 1 &&
    isTailName(names[bone]!) &&
    !isHelper(bones, bone) &&
    !hangsFromHead(bones, bone);
  // Nearest tail bone above, -1 for a topmost one; number of links down to the deepest tail bone.
  const above = new Int32Array(count).fill(-2);
  const links = new Int32Array(count);
  for (let bone = 0; bone < count; bone++) {
    if (!isTail(bone)) continue;
    let node = parents[bone]!;
    while (node >= 0 && above[node] === -2) node = parents[node]!;
    above[bone] = node;
  }
  for (let bone = count - 1; bone >= 0; bone--) {
    if (above[bone] === -2) continue;
    links[bone]!++;
    if (above[bone]! >= 0) links[above[bone]!] = Math.max(links[above[bone]!]!, links[bone]!);
  }
  const paths: number[][] = [];
  const taken = new Uint8Array(count);
  for (let root = 0; root < count; root++) {
    if (above[root] === -2 || taken[root] === 1) continue;
    const path: number[] = [];
    for (let bone = root; bone >= 0; bone = deepestBelow(bone, above, links)) {
      path.push(bone);
      taken[bone] = 1;
    }
    paths.push(path);
  }
  return paths.filter((path) => isSubstantial(bones, path));
}

/** The tail bone next below with most links; ties: the first in the file. */
function deepestBelow(bone: number, above: Int32Array, links: Int32Array): number {
  let best = -1;
  for (let next = bone + 1; next < above.length; next++)
    if (above[next] === bone && (best < 0 || links[next]! > links[best]!)) best = next;
  return best;
}

/** In a file without skins a single node called tail is a piece of scenery rather than a chain. */
function isSubstantial(bones: Bones, path: number[]): boolean {
  return bones.asset.skins.length > 0 || path.length > 1 || endOf(bones, path.at(-1)!) >= 0;
}

/** True for a node that only marks an end: by name and without weight. */
function isHelper(bones: Bones, bone: number): boolean {
  return isEndName(bones.asset.skeleton.names[bone]!) && bones.weights[bone] === 0;
}

function hangsFromHead(bones: Bones, bone: number): boolean {
  const { names, parents } = bones.asset.skeleton;
  for (let node = parents[bone]!; node >= 0; node = parents[node]!)
    if (isHeadName(names[node]!) || isNeckName(names[node]!)) return true;
  return false;
}

/** Child that marks the end of a chain below its last bone, -1 when there is none. */
function endOf(bones: Bones, last: number): number {
  const { names } = bones.asset.skeleton;
  const candidates = bones.children[last]!.filter((child) => bones.carriesMesh[child] === 0);
  const helper = candidates.find((child) => isHelper(bones, child));
  if (helper !== undefined) return helper;
  const leaf = candidates.find(
    (child) => isTailName(names[child]!) && bones.isJoint[child] === 0 && bones.children[child]!.length === 0,
  );
  return leaf ?? -1;
}

/** From a named root down: single children, at a fork the deepest one; joints only when the root is one. */
function followFrom(bones: Bones, root: number): number[] {
  const { names } = bones.asset.skeleton;
  const depth = subtreeDepths(bones);
  const path = [root];
  for (let bone = root; ;) {
    const next = bones.children[bone]!.filter((child) => {
      if (isHelper(bones, child) || isControlName(names[child]!)) return false;
      return bones.isJoint[root] === 0 || bones.isJoint[child] === 1 || depth[child]! > 0;
    });
    if (next.length === 0) return path;
    bone = next.reduce((best, child) => (depth[child]! > depth[best]! ? child : best));
    path.push(bone);
  }
}

/** Number of joints below each bone on its longest branch. */
function subtreeDepths({ asset, isJoint }: Bones): Int32Array {
  const { count, parents } = asset.skeleton;
  const depth = new Int32Array(count);
  for (let bone = count - 1; bone > 0; bone--) {
    const parent = parents[bone]!;
    if (parent >= 0) depth[parent] = Math.max(depth[parent]!, depth[bone]! + isJoint[bone]!);
  }
  return depth;
}

function definition(bones: Bones, path: number[]): ChainDefinition {
  const { asset, weights } = bones;
  const { names, parents } = asset.skeleton;
  const links = [...path];
  let end = endOf(bones, links.at(-1)!);
  // A last joint that moves no skin, below joints that do, is an end helper whatever its name.
  if (end < 0 && links.length > 1 && weights[links.at(-1)!] === 0 && weights[links.at(-2)!]! > 0)
    end = links.pop()!;
  const chain: ChainDefinition = {
    name: names[links[0]!]!,
    attachment: parents[links[0]!]!,
    bones: links,
    end,
    origin: 'artist',
  };
  chain.origin = chainOrigin(asset, chain);
  const said = asset.suggestions?.find(({ bone }) => bone === links[0]);
  if (said !== undefined) {
    const { bone: _, ...suggested } = said;
    chain.suggested = suggested;
  }
  return chain;
}

function boneByName(asset: Asset, name: string): number {
  const { names } = asset.skeleton;
  const bone = names.indexOf(name);
  if (bone < 0) {
    const near = nearestNames(name, names);
    const hint = near.length > 0 ? `; nearest: ${near.join(', ')}` : '';
    throw new FollowthroughError('unknown-name', `${asset.name}: no bone is called '${name}'${hint}`);
  }
  if (names.includes(name, bone + 1))
    throw new FollowthroughError('unknown-name', `${asset.name}: several bones are called '${name}'`);
  return bone;
}
