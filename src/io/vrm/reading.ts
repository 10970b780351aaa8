/**
 * Reading the VRM extensions: what a file says wrongly in numbers and references is put right or left out and
 * reported, what is no such JSON at all is refused with its JSON pointer. A member that is null counts as missing, as
 * serialisers write it.
 */
import type { Skeleton } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import { describe, listAt, memberOf, objectAt, objectsAt, oneLine, refuse, stringAt } from '../gltf/json.js';
import type { JsonObject } from '../gltf/json.js';
import type { BoneTree } from './boneTree.js';

/** Three numbers. */
export type Vector = [number, number, number];

/** A file whose nodes are read and whose VRM extensions are being read. */
export interface VrmReading {
  /** Its nodes. */
  nodes: readonly JsonObject[];
  /** All nodes as bones. */
  skeleton: Skeleton;
  /** Bone of each node. */
  boneOfNode: Int32Array;
  /** Who hangs from whom, in the order of the file. */
  tree: BoneTree;
  /** Receives what was put right and left out. */
  warnings: Warning[];
  /** What was said already: several chains can come from one group of the file. */
  said: Set<string>;
}

/** Reports, once, what was put right or left out. */
export function report(reading: VrmReading, code: string, place: string, problem: string): void {
  const message = oneLine(`${place}: ${problem}`);
  if (reading.said.has(message)) return;
  reading.said.add(message);
  reading.warnings.push({ code, message, at: place });
}

/** An object member, undefined when missing. */
export function objectIn(owner: JsonObject, key: string, place: string): JsonObject | undefined {
  return memberOf(owner, key) === null ? undefined : objectAt(owner, key, place);
}

/** A list of objects, empty when missing. */
export function objectsIn(owner: JsonObject, key: string, place: string): JsonObject[] {
  return memberOf(owner, key) === null ? [] : objectsAt(owner, key, place);
}

/** A string member, undefined when missing. */
export function stringIn(owner: JsonObject, key: string, place: string): string | undefined {
  return memberOf(owner, key) === null ? undefined : stringAt(owner, key, place);
}

/** A boolean member, false when missing. */
export function flagIn(owner: JsonObject, key: string, place: string): boolean {
  const value = memberOf(owner, key) ?? false;
  if (typeof value !== 'boolean') refuse(`${place}/${key}`, `${describe(value)} where a boolean is expected`);
  return value;
}

/** The range and default of a number, as the format's schema has them. */
export interface NumberRule {
  /** What stands for a missing number. */
  missing: number;
  /** Smallest value; none when undefined. */
  min?: number;
  /** Largest value; none when undefined. */
  max?: number;
}

/** A number, moved into its range; its default where it is missing or not finite. */
export function numberIn(
  reading: VrmReading,
  owner: JsonObject,
  key: string,
  place: string,
  { missing, min = -Infinity, max = Infinity }: NumberRule,
): number {
  if (memberOf(owner, key) === undefined) return missing;
  const at = `${place}/${key}`;
  const value = component(memberOf(owner, key), at);
  const right = Number.isNaN(value) ? missing : Math.min(Math.max(value, min), max);
  if (right !== value)
    report(reading, 'vrm-number', at, `${describe(memberOf(owner, key))} is out of range; read as ${right}`);
  return right + 0; // never -0
}

/** A list of three numbers; a copy of `missing` when there is none; undefined, and reported, when it is not finite. */
export function vectorIn(
  reading: VrmReading,
  owner: JsonObject,
  key: string,
  place: string,
  missing: Readonly<Vector>,
): Vector | undefined {
  const value = memberOf(owner, key) ?? undefined;
  if (value === undefined) return [...missing];
  const at = `${place}/${key}`;
  if (!Array.isArray(value) || value.length !== 3)
    return refuse(at, `${describe(value)} where 3 numbers are expected`);
  return finite(reading, at, [
    component(value[0], `${at}/0`),
    component(value[1], `${at}/1`),
    component(value[2], `${at}/2`),
  ]);
}

/** As {@link vectorIn}, of an object with the members x, y and z, 0 where missing, as VRM 0.x writes vectors. */
export function xyzIn(
  reading: VrmReading,
  owner: JsonObject,
  key: string,
  place: string,
  missing: Readonly<Vector>,
): Vector | undefined {
  const value = objectIn(owner, key, place);
  if (value === undefined) return [...missing];
  const at = `${place}/${key}`;
  const member = (name: string): number => component(memberOf(value, name) ?? 0, `${at}/${name}`);
  return finite(reading, at, [member('x'), member('y'), member('z')]);
}

/** A number as it stands; not a number for what writers make of numbers that JSON cannot hold: null, 1e999. */
function component(value: unknown, place: string): number {
  if (value === null) return NaN;
  if (typeof value !== 'number') return refuse(place, `${describe(value)} where a number is expected`);
  return Number.isFinite(value) ? value + 0 : NaN;
}

function finite(reading: VrmReading, place: string, vector: Vector): Vector | undefined {
  if (vector.every(Number.isFinite)) return vector;
  report(reading, 'vrm-number', place, 'is not finite');
  return undefined;
}

/**
 * An index below `size`; -1, and reported, for one that points nowhere or is missing.
 *
 * @param what - what it refers to, for the report
 */
function asReference(reading: VrmReading, value: unknown, place: string, size: number, what: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < size) return value;
  if (value !== undefined && value !== null && typeof value !== 'number')
    refuse(place, `${describe(value)} where the index of a ${what} is expected`);
  const found =
    value === undefined || value === null ? `the ${what} is missing` : `there is no ${what} ${value}`;
  report(reading, 'vrm-reference', place, `${found}; left out`);
  return -1;
}

/** The bone of the node that a member refers to; -1, and reported, when there is none. */
export function boneIn(reading: VrmReading, owner: JsonObject, key: string, place: string): number {
  return asBone(reading, memberOf(owner, key), `${place}/${key}`);
}

/** The bone of a node by its index; -1, and reported, when there is none. */
export function asBone(reading: VrmReading, value: unknown, place: string): number {
  const node = asReference(reading, value, place, reading.boneOfNode.length, 'node');
  return node < 0 ? -1 : reading.boneOfNode[node]!;
}

/** A list of indices below `size`, each once; what points nowhere and what is repeated is left out and reported. */
export function referencesIn(
  reading: VrmReading,
  owner: JsonObject,
  key: string,
  place: string,
  size: number,
  what: string,
): number[] {
  if (memberOf(owner, key) === null) return [];
  const found = new Set<number>();
  listAt(owner, key, place).forEach((value, i) => {
    const at = `${place}/${key}/${i}`;
    const index = asReference(reading, value, at, size, what);
    if (found.has(index))
      report(reading, 'vrm-duplicate', at, `${what} ${index} for the second time; left out`);
    else if (index >= 0) found.add(index);
  });
  return [...found];
}

/** Name of a bone for reports. */
export function boneName(reading: VrmReading, bone: number): string {
  return `'${reading.skeleton.names[bone]!}'`;
}

/**
 * Whether an extension of this version can be read: every 1.x is read as 1.0, with one report for each odd version.
 *
 * @param owner - the extension's object
 * @param name - the extension's name
 */
export function isReadableVersion(
  reading: VrmReading,
  owner: JsonObject,
  place: string,
  name: string,
): boolean {
  const version = stringIn(owner, 'specVersion', place);
  if (version === '1.0') return true;
  const isReadable = version === undefined || version.startsWith('1.');
  const found = version === undefined ? `${name} without a version` : `${name} of version '${version}'`;
  const what = `${found}; ${isReadable ? 'read as 1.0' : 'left out'}`;
  if (!reading.said.has(what)) report(reading, 'vrm-version', place, what);
  reading.said.add(what);
  return isReadable;
}
