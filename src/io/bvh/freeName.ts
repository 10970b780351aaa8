/** A name that nobody has yet. */

/**
 * The name that is wanted, with `#2`, `#3`, ... behind it where it is taken.
 *
 * @param taken - names that are there; receives the new one
 */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}#${count}`;
  taken.add(name);
  return name;
}
