/**
 * Which entry of a list in the file a new entry continues, so that members that nobody here knows stay with it.
 */

/**
 * Pairs entries: first those of the same key, at the same place if they can be, then those at the same place that may
 * have changed. No old entry is used twice.
 *
 * @param keys - of the new entries
 * @param oldKeys - of the old ones; undefined for one that nothing continues
 * @param isLikely - whether the new entry at a place can be the old one there with other values
 * @returns index of the old entry for each new one, -1 for none
 */
export function matchOld(
  keys: readonly string[],
  oldKeys: readonly (string | undefined)[],
  isLikely: (index: number) => boolean,
): number[] {
  const waiting = new Map<string, number[]>();
  oldKeys.forEach((key, index) => {
    if (key === undefined || keys[index] === key) return;
    const list = waiting.get(key);
    if (list) list.push(index);
    else waiting.set(key, [index]);
  });
  for (const list of waiting.values()) list.reverse();
  const found = keys.map((key, index) => (oldKeys[index] === key ? index : (waiting.get(key)?.pop() ?? -1)));
  const used = new Set(found);
  return found.map((old, index) =>
    old >= 0 || used.has(index) || oldKeys[index] === undefined || !isLikely(index) ? old : index,
  );
}
