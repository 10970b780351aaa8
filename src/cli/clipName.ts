/**
 * `--clip NAME`: the exact name, else the only clip whose part after the last `|` (FBX exporters write
 * `Armature|Walk`) equals it whatever the case. Unnamed clips are called `#0`, `#1`, ...
 */
import { FollowthroughError } from '../asset/index.js';

/**
 * Finds the clip that a name means.
 *
 * @param names - clip names in file order
 * @returns its index
 * @throws FollowthroughError `unknown-name` listing the names when none or several fit
 */
export function matchClip(names: readonly string[], wanted: string): number {
  const exact = names.indexOf(wanted);
  if (exact >= 0) return exact;
  const short = (name: string): string => name.slice(name.lastIndexOf('|') + 1).toLowerCase();
  const fits = names.flatMap((name, index) => (short(name) === wanted.toLowerCase() ? [index] : []));
  if (fits.length === 1) return fits[0]!;
  const list = (fits.length > 1 ? fits.map((index) => names[index]!) : names).join(', ');
  const why = fits.length > 1 ? 'fits several clips' : 'fits no clip';
  throw new FollowthroughError('unknown-name', `--clip ${wanted} ${why}: ${list || 'the file has none'}`);
}

/**
 * The clip that `--clip` means where one is needed: without the option the file must have exactly one.
 *
 * @throws FollowthroughError `unknown-name` listing the names
 */
export function onlyClip(names: readonly string[], wanted: string | undefined): number {
  if (wanted !== undefined) return matchClip(names, wanted);
  if (names.length === 1) return 0;
  const why = names.length === 0 ? 'the file has no clips' : `--clip is needed: ${names.join(', ')}`;
  throw new FollowthroughError('unknown-name', why);
}
