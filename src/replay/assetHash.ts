/**
 * What tells assets apart: a hash over everything that was read of a file, equal in every engine for the same file, and one
 * over the part that a running world needs (skeleton, skins, clips), by which a snapshot finds its assets again.
 */
import type { Asset } from '../asset/index.js';
import { hashValue } from '../math/index.js';
import { hashBytes } from './hash.js';
import { packTree } from './packTree.js';

const known = new WeakMap<Asset, { all?: bigint; rig?: bigint }>();

function remembered(asset: Asset): { all?: bigint; rig?: bigint } {
  const hashes = known.get(asset) ?? {};
  known.set(asset, hashes);
  return hashes;
}

/**
 * Hash of all that a loaded asset holds but its name and warnings. Computed once per asset: do not change an asset that is
 * in use.
 */
export function assetHash(asset: Asset): bigint {
  const { name: _name, warnings: _warnings, ...rest } = asset;
  return (remembered(asset).all ??= hashValue(hashBytes(packTree(rest))));
}

/**
 * Hash of what a world that runs needs of an asset: skeleton, skins and clips. An asset without its meshes has the same, so
 * a server need not keep them.
 */
export function rigHash(asset: Asset): bigint {
  const { skeleton, skins, clips } = asset;
  return (remembered(asset).rig ??= hashValue(hashBytes(packTree({ skeleton, skins, clips }))));
}
