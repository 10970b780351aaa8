/**
 * Names close to one that was not found, for messages.
 */

/**
 * Up to five names nearest to `name` by edit distance without case, only those that share at least half of it.
 *
 * @param name - what was asked for
 * @param names - what exists
 * @returns nearest first; ties in the order of `names`
 */
export function nearestNames(name: string, names: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  const near = [...new Set(names)].map((candidate, order) => {
    const other = candidate.toLowerCase();
    const contains = wanted.length > 2 && (other.includes(wanted) || wanted.includes(other));
    return { candidate, order, distance: contains ? 1 : editDistance(wanted, other) };
  });
  return near
    .filter(({ distance }) => 2 * distance <= wanted.length)
    .toSorted((a, b) => a.distance - b.distance || a.order - b.order)
    .slice(0, 5)
    .map(({ candidate }) => candidate);
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
