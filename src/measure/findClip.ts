/**
 * A clip by its name or its index in the file.
 */
import { type Asset, type Clip, FollowthroughError } from '../asset/index.js';

/** @throws FollowthroughError `unknown-name` listing the names */
export function findClip(asset: Asset, clip: string | number): Clip {
  const found = asset.clips.find((c) => (typeof clip === 'number' ? c.index === clip : c.name === clip));
  if (found) return found;
  const names = asset.clips.map((c) => c.name).join(', ');
  throw new FollowthroughError(
    'unknown-name',
    `${asset.name}: there is no clip ${clip}; it has ${names || 'no clips'}`,
  );
}
