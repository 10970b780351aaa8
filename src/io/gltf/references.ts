/**
 * How often accessors and buffer views are referred to, anywhere in a file. Counting goes by key, so that
 * extensions nobody here knows count too; a number too many only means that something is not overwritten.
 */
import type { JsonObject } from './json.js';

/** Number of references by index. */
export interface References {
  accessors: Map<number, number>;
  bufferViews: Map<number, number>;
}

const ACCESSOR_KEYS: ReadonlySet<string> = new Set(['input', 'output', 'indices', 'inverseBindMatrices']);
const ACCESSOR_MAPS: ReadonlySet<string> = new Set(['attributes', 'targets']);

/** Counts the references in a file's JSON. */
export function countReferences(json: JsonObject): References {
  const references: References = { accessors: new Map(), bufferViews: new Map() };
  const add = (counts: Map<number, number>, index: number): void => {
    counts.set(index, (counts.get(index) ?? 0) + 1);
  };
  const open: { value: object; inMap: boolean }[] = [{ value: json, inMap: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [key, value] of Object.entries(next.value) as [string, unknown][]) {
      if (typeof value === 'object' && value !== null)
        open.push({ value, inMap: ACCESSOR_MAPS.has(key) || (next.inMap && Array.isArray(next.value)) });
      else if (typeof value !== 'number') continue;
      else if (key === 'bufferView') add(references.bufferViews, value);
      else if (next.inMap || ACCESSOR_KEYS.has(key)) add(references.accessors, value);
    }
  }
  return references;
}
