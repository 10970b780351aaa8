/**
 * Where two pieces of plain data differ first: what was to be written, and what is read back.
 */
import { describe, isObject } from '../gltf/json.js';

/**
 * Finds the first difference. Order of keys does not count, 0 and -0 are one, a member that is undefined is missing.
 *
 * @returns place and both values in words, undefined when there is no difference
 */
export function difference(given: unknown, read: unknown, place: string): string | undefined {
  if (given === read) return undefined;
  if (Array.isArray(given) && Array.isArray(read)) {
    for (let i = 0; i < Math.min(given.length, read.length); i++) {
      const found = difference(given[i], read[i], `${place}/${i}`);
      if (found !== undefined) return found;
    }
    if (given.length === read.length) return undefined;
  } else if (isObject(given) && isObject(read)) {
    for (const key of new Set([...Object.keys(given), ...Object.keys(read)])) {
      const found = difference(given[key], read[key], `${place}/${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return `${place}: ${describe(given)} is read back as ${describe(read)}`;
}
