/**
 * Reading JSON that nobody has checked: every access says what it expects, every miss becomes one
 * FollowthroughError whose message starts with the JSON pointer of the place.
 */
import { FollowthroughError } from '../../asset/errors.js';

/** An object of unchecked JSON. */
export type JsonObject = { [key: string]: unknown };

const MAX_MESSAGE = 300;

/** One line, whatever a file wrote into its names. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE - 3)}...` : line;
}

/**
 * Refuses the file.
 *
 * @throws FollowthroughError always, `invalid-file`
 */
export function refuse(place: string, problem: string): never {
  throw new FollowthroughError('invalid-file', oneLine(`${place || '/'}: ${problem}`));
}

/** What a value is, for messages. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 37)}...` : value}'`;
  return String(value);
}

/** True for a JSON object (not a list, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member `key`, undefined when missing; never what Object.prototype holds. */
export function memberOf(owner: JsonObject, key: string): unknown {
  return Object.hasOwn(owner, key) ? owner[key] : undefined;
}

/** An object member, undefined when missing. */
export function objectAt(owner: JsonObject, key: string, place: string): JsonObject | undefined {
  const value = memberOf(owner, key);
  if (value === undefined) return undefined;
  if (!isObject(value)) refuse(`${place}/${key}`, `${describe(value)} where an object is expected`);
  return value;
}

/** A list member, empty when missing. */
export function listAt(owner: JsonObject, key: string, place: string): unknown[] {
  const value = memberOf(owner, key);
  if (value === undefined) return [];
  if (!Array.isArray(value)) refuse(`${place}/${key}`, `${describe(value)} where a list is expected`);
  return value;
}

/** A list of objects, empty when missing. */
export function objectsAt(owner: JsonObject, key: string, place: string): JsonObject[] {
  const list = listAt(owner, key, place);
  for (let i = 0; i < list.length; i++)
    if (!isObject(list[i]))
      refuse(`${place}/${key}/${i}`, `${describe(list[i])} where an object is expected`);
  return list as JsonObject[];
}

/** A string member, undefined when missing. */
export function stringAt(owner: JsonObject, key: string, place: string): string | undefined {
  const value = memberOf(owner, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') refuse(`${place}/${key}`, `${describe(value)} where a string is expected`);
  return value;
}

/** A whole number from `min` to `max`; `missing` when there is none (a missing one is refused without it). */
export function integerAt(
  owner: JsonObject,
  key: string,
  place: string,
  min: number,
  max: number,
  missing?: number,
): number {
  const value = memberOf(owner, key);
  if (value === undefined && missing !== undefined) return missing;
  return asInteger(value, `${place}/${key}`, min, max);
}

/** Checks that `value` is a whole number from `min` to `max`. */
export function asInteger(value: unknown, place: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  if (value === undefined) refuse(place, 'is missing');
  return refuse(
    place,
    max < min
      ? `${describe(value)} refers to an empty list`
      : `${describe(value)} where a whole number from ${min} to ${max} is expected`,
  );
}

/** An index below `size`, -1 when missing. */
export function indexAt(owner: JsonObject, key: string, place: string, size: number): number {
  return integerAt(owner, key, place, 0, size - 1, -1);
}

/** Exactly `length` finite numbers, undefined when missing. */
export function numbersAt(
  owner: JsonObject,
  key: string,
  place: string,
  length: number,
): number[] | undefined {
  const value = memberOf(owner, key);
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length !== length)
    return refuse(`${place}/${key}`, `${describe(value)} where ${length} numbers are expected`);
  for (let i = 0; i < length; i++)
    if (!Number.isFinite(value[i]))
      refuse(`${place}/${key}/${i}`, `${describe(value[i])} where a finite number is expected`);
  return value as number[];
}
