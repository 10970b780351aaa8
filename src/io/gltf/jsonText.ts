/**
 * Writing JSON back so that all that did not change keeps its very characters: order of keys, spacing, the way
 * numbers are spelled, integers beyond 2^53, keys that look like numbers. `JSON.stringify` alone keeps none of it.
 */
import { isObject, memberOf } from './json.js';

/** A member of an object or an item of a list, as a range of characters. */
interface Part {
  /** Key of the member; undefined for items of lists. */
  key: string | undefined;
  /** Start of the value. */
  start: number;
  /** End of the value. */
  end: number;
}

/**
 * The JSON text of `after`, made from the text of `before`.
 *
 * @param text - what `before` was parsed from
 * @param before - the parsed value of `text`, unchanged
 * @param after - the value to write
 */
export function rewriteJson(text: string, before: unknown, after: unknown): string {
  const start = skipSpace(text, 0);
  const end = skipValue(text, start);
  return text.slice(0, start) + rewrite(text, start, end, before, after) + text.slice(end);
}

function rewrite(text: string, start: number, end: number, before: unknown, after: unknown): string {
  if (sameJson(before, after)) return text.slice(start, end);
  if (Array.isArray(before) && Array.isArray(after))
    return rewriteList(text, start, end, before as unknown[], after as unknown[]);
  if (isObject(before) && isObject(after)) return rewriteMap(text, start, end, before, after);
  return JSON.stringify(after);
}

function rewriteList(
  text: string,
  start: number,
  end: number,
  before: readonly unknown[],
  after: readonly unknown[],
): string {
  const parts = partsOf(text, start);
  if (after.length < before.length || before.length === 0) return JSON.stringify(after);
  let out = '';
  let at = start;
  parts.forEach((part, i) => {
    out += text.slice(at, part.start) + rewrite(text, part.start, part.end, before[i], after[i]);
    at = part.end;
  });
  for (const item of after.slice(before.length)) out += `,${JSON.stringify(item)}`;
  return out + text.slice(at, end);
}

function rewriteMap(
  text: string,
  start: number,
  end: number,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string {
  const parts = partsOf(text, start);
  const keys = new Set(parts.map(({ key }) => key));
  // A key written twice: the parser saw only one of them, so there is no telling which text belongs to it.
  if (keys.size !== parts.length) return JSON.stringify(after);
  const kept = parts.filter(({ key }) => memberOf(after, key!) !== undefined);
  const members = kept.map(({ key, start: from, end: to }) => {
    const name = JSON.stringify(key);
    return { name, value: rewrite(text, from, to, memberOf(before, key!), memberOf(after, key!)) };
  });
  const added = Object.keys(after).filter((key) => !keys.has(key) && after[key] !== undefined);
  if (kept.length === parts.length && parts.length > 0) {
    let out = '';
    let at = start;
    members.forEach(({ value }, i) => {
      out += text.slice(at, parts[i]!.start) + value;
      at = parts[i]!.end;
    });
    for (const key of added) out += `,${JSON.stringify(key)}:${JSON.stringify(after[key])}`;
    return out + text.slice(at, end);
  }
  for (const key of added) members.push({ name: JSON.stringify(key), value: JSON.stringify(after[key]) });
  return `{${members.map(({ name, value }) => `${name}:${value}`).join(',')}}`;
}

/** True when two JSON values are the same, keys in the same order. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && sameJson(memberOf(a, key), memberOf(b, key)))
  );
}

function partsOf(text: string, start: number): Part[] {
  const parts: Part[] = [];
  const hasKeys = text[start] === '{';
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    let key: string | undefined;
    if (hasKeys) {
      const close = skipString(text, at);
      key = JSON.parse(text.slice(at, close)) as string;
      at = skipSpace(text, skipSpace(text, close) + 1);
    }
    const end = skipValue(text, at);
    parts.push({ key, start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return parts;
}

function skipSpace(text: string, at: number): number {
  let i = at;
  while (i < text.length && ' \t\r\n\uFEFF'.includes(text[i]!)) i++;
  return i;
}

function skipString(text: string, at: number): number {
  let i = at + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

function skipValue(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length;) {
    const char = text[i]!;
    if (char === '"') i = skipString(text, i);
    else if (char === '{' || char === '[') {
      depth++;
      i++;
      continue;
    } else if (char === '}' || char === ']') {
      depth--;
      i++;
    } else if (depth > 0) {
      i++;
      continue;
    } else {
      while (i < text.length && !' \t\r\n,]}'.includes(text[i]!)) i++;
    }
    if (depth === 0) return i;
  }
  return text.length;
}
