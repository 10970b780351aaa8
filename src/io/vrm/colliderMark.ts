/**
 * What the collider fit did to a collider, noted in its extras (`extras.followthrough.fitted`: `made`, or the author's
 * `radii`), so that a fitted file can be fitted again from where its author left it.
 */
import type { ColliderDefinition } from '../../asset/secondary.js';
import { isObject, memberOf, type JsonObject } from '../gltf/json.js';
import { extrasWith, noteOf } from '../gltf/note.js';
import { report, type VrmReading } from './reading.js';

const NAME = 'fitted';

type Mark = ColliderDefinition['fitted'];

/** Reads the mark of a collider; one that says nothing is reported and passed over. */
export function readMark(reading: VrmReading, collider: JsonObject, place: string): Mark {
  const note = noteOf(collider, NAME);
  if (note === undefined) return undefined;
  if (isObject(note)) {
    if (memberOf(note, 'made') === true) return { made: true };
    const radii = memberOf(note, 'radii');
    if (Array.isArray(radii) && (radii.length === 1 || radii.length === 2) && radii.every(isRadius))
      return { radii: [...radii] };
  }
  const expected = 'expected "made": true, or one or two "radii" from 0; passed over';
  report(reading, 'collider-tag', `${place}/extras/followthrough/${NAME}`, expected);
  return undefined;
}

function isRadius(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}

/** A collider's JSON with this mark; its extras otherwise as they are. */
export function withMark(collider: JsonObject, fitted: Mark, place: string): JsonObject {
  if (fitted === undefined && noteOf(collider, NAME) === undefined) return collider;
  const { extras: _, ...rest } = collider;
  const extras = extrasWith(collider, NAME, fitted, place);
  return extras === undefined ? rest : { ...rest, extras };
}
