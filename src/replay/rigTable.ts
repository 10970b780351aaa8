/** How snapshots and replays name what does not travel with them: rigs, by the hash of their asset and the frame that was given. */
import { FollowthroughError, type Asset } from '../asset/index.js';
import { createRig, sameFrame, type FrameOption, type Rig } from '../setup/rig.js';
import { rigHash } from './assetHash.js';
import { hashText } from './hash.js';

/** A rig as it stands in a file. */
export interface RigEntry {
  /** Hash of its asset, 16 hex digits. */
  asset: string;
  /** Name of the asset, for messages. */
  name: string;
  /** What fixed its anatomical frame. */
  given?: FrameOption;
}

/** Names a rig. */
export function rigEntry({ asset, given }: Rig): RigEntry {
  return { asset: hashText(rigHash(asset)), name: asset.name, ...(given && { given }) };
}

/**
 * Finds the rig of an entry among those that are there, else makes it of one of the assets.
 *
 * @throws FollowthroughError `unknown-name` when no asset fits
 */
export function findRig(entry: RigEntry, rigs: readonly Rig[], assets: readonly Asset[]): Rig {
  const fits = (asset: Asset): boolean => hashText(rigHash(asset)) === entry.asset;
  const there = rigs.find((rig) => sameFrame(rig.given, entry.given) && fits(rig.asset));
  if (there) return there;
  const asset = rigs.find((rig) => fits(rig.asset))?.asset ?? assets.find(fits);
  if (asset === undefined)
    throw new FollowthroughError(
      'unknown-name',
      `asset ${JSON.stringify(entry.name.slice(0, 80))} (hash ${entry.asset}) is not among the ${assets.length} given`,
    );
  return createRig(asset, entry.given);
}

/**
 * Checks an entry as it was read.
 *
 * @throws FollowthroughError `invalid-file`
 */
export function checkRigEntry(value: unknown, what: string): RigEntry {
  const { asset, name, given } = Object(value) as Partial<RigEntry>;
  const isVector = (v: unknown): boolean =>
    v === undefined || (Array.isArray(v) && v.length === 3 && v.every((x) => Number.isFinite(x)));
  const { up, forward } = Object(given) as FrameOption;
  if (
    typeof asset !== 'string' ||
    !/^[0-9a-f]{16}$/.test(asset) ||
    typeof name !== 'string' ||
    !isVector(up) ||
    !isVector(forward)
  )
    throw new FollowthroughError('invalid-file', `${what}: a rig entry is broken`);
  return {
    asset,
    name,
    ...(given !== undefined && { given: { ...(up && { up }), ...(forward && { forward }) } }),
  };
}
